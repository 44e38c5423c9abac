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

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.ops.sources import Source

_NOTHING_ELSE = "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data: blob:"
_MOST_NAMED = 3
"""Paths of a command line."""


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
    yield element("p", text(_origin()), element("code", text(scan_command(sources))), text(" tells what else fills them."))
    yield join(end("header"), Html("\n"), Html(asset("filters.html")), start("main", id="images", tabindex=-1), Html("\n"))


def foot() -> Iterator[Html]:
    """End the page."""
    yield join(end("main"), Html("\n"), Html(asset("viewer.html")))
    yield Html(f"<script>{asset('gallery.js')}</script>\n</body>\n</html>\n")


def policy() -> str:
    """Allow the one style and the one script of the page, pictures that stand in it, and nothing else: no network above all."""
    return f"{_NOTHING_ELSE}; style-src '{_hash('gallery.css')}'; script-src '{_hash('gallery.js')}'"


def command(name: str, source: Source) -> str:
    """Spell the command line that tells more of one session."""
    return f"sessionkit {name} {shlex.quote(readable(source.path))}"


def _hash(name: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(asset(name).encode()).digest()).decode()}"


def _roots(sources: Sequence[Source]) -> list[str]:
    return list(dict.fromkeys(readable(source.folder or source.path) for source in sources))


def _what(sources: Sequence[Source]) -> str:
    roots = _roots(sources)
    return roots[0] if len(roots) == 1 else count(len(sources), "session")


def _origin() -> str:
    return f"Every image of the sessions in its place, by sessionkit {__version__}. "


def scan_command(sources: Sequence[Source]) -> str:
    """Spell the command line that tells of all of them in numbers."""
    roots = _roots(sources)
    named = [shlex.quote(root) for root in roots[:_MOST_NAMED]] + ["…"] * (len(roots) > _MOST_NAMED)
    recursive = ["-r"] * any(source.folder for source in sources)
    return " ".join(["sessionkit scan", *recursive, *named])
