"""What stands around the sessions: the head with its policy, the filters, the viewer, the script."""

from __future__ import annotations

import base64
import hashlib
import shlex
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from sessionkit import __version__
from sessionkit.cli.pages.markup import Html, element, end, join, start, text
from sessionkit.cli.printable import readable
from sessionkit.cli.sizes import count
from sessionkit.core.stores.addresses import Bucket

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.core.stores.addresses import Address
    from sessionkit.ops.failed import Failed
    from sessionkit.ops.sources import Source

_NOTHING_ELSE = "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data: blob:"
_MOST_NAMED = 3
"""Paths of a command line, and of the title."""
_MOST_FAILURES = 50


@cache
def asset(name: str) -> str:
    """Read a file of the page."""
    return (files("sessionkit.cli.pages") / name).read_text("utf-8")


def head(sources: Sequence[Source]) -> Iterator[Html]:
    """Begin the page, up to where the first session stands."""
    title = text(f"{_what(sources)} · sessionkit gallery")
    yield Html('<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n')
    yield element("meta", http_equiv="Content-Security-Policy", content=policy())
    yield Html('\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="referrer" content="no-referrer">\n')
    yield Html('<meta name="color-scheme" content="light dark">\n<link rel="icon" href="data:,">\n')
    yield join(element("title", title), Html(f"\n<style>{asset('gallery.css')}</style>\n</head>\n<body>\n"))
    yield Html('<a class="skip" href="#images">To the images</a>\n<header class="top">\n')
    yield element("h1", text("Gallery"), text(" of "), element("span", text(_what(sources)), class_="path"))
    scan = scan_command(sources)
    more = [element("code", text(scan)), text(" tells what else fills them.")] if scan else []
    yield element("p", text(_origin()), *more)
    yield join(end("header"), Html("\n"), Html(asset("filters.html")), start("main", id="images", tabindex=-1), Html("\n"))


def foot(failures: Sequence[Failed], tried: int) -> Iterator[Html]:
    """End the page, and tell which sessions it does not hold, of how many: the script puts that at the top, or else the style."""
    if failures:
        yield from _failures(failures, tried)
    yield join(end("main"), Html("\n"), Html(asset("viewer.html")))
    yield Html(f"<script>{_script()}</script>\n</body>\n</html>\n")


def policy() -> str:
    """Allow the one style and the one script of the page, pictures that stand in it, and nothing else: no network above all."""
    return f"{_NOTHING_ELSE}; style-src '{_hash(asset('gallery.css'))}'; script-src '{_hash(_script())}'"


def command(name: str, source: Source, store: Address | None) -> str:
    """Spell the command line that tells more of one session, whose assets are in a store that was named or in the one beside it."""
    named = ["--store", str(store) if isinstance(store, Bucket) else readable(store)] if store else []
    return shlex.join(["sessionkit", name, readable(source.path), *named])


def _failures(failures: Sequence[Failed], tried: int) -> Iterator[Html]:
    left = len(failures) - _MOST_FAILURES
    more = [element("li", text(f"and {left:,} more"))] if left > 0 else []
    yield start("section", class_="notice failures", aria_label="sessions that failed")
    yield element("p", text(f"{len(failures):,} of {count(tried, 'session')} could not be shown, or not in full:"))
    yield join(element("ul", *map(_failure, failures[:_MOST_FAILURES]), *more), end("section"), Html("\n"))


def _failure(failed: Failed) -> Html:
    error = failed.error
    name = "standard input" if failed.source.is_stdin else readable(failed.source.path)
    return element("li", element("span", text(name), class_="path"), text(f": {error.what}{f': {error.why}' if error.why else ''}"))


def _script() -> str:
    return asset("gallery.js") + asset("viewer.js")


def _hash(code: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}"


def _roots(sources: Sequence[Source]) -> list[str]:
    return list(dict.fromkeys(readable(source.folder or source.path) for source in sources if not source.is_stdin))


def _what(sources: Sequence[Source]) -> str:
    """Name what was asked for: how much of it can be shown is known only at the end."""
    names = ["standard input"] * any(source.is_stdin for source in sources) + _roots(sources)
    return ", ".join(names[:_MOST_NAMED]) + (f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else "")


def _origin() -> str:
    return f"Every image of the sessions in its place, by sessionkit {__version__}. "


def scan_command(sources: Sequence[Source]) -> str:
    """Spell the command line that tells of all of them in numbers; empty where they were standard input, which nobody has any more."""
    roots = _roots(sources)
    if not roots:
        return ""
    named = [shlex.quote(root) for root in roots[:_MOST_NAMED]] + ["…"] * (len(roots) > _MOST_NAMED)
    recursive = ["-r"] * any(source.folder for source in sources)
    return " ".join(["sessionkit scan", *recursive, *named])
