"""Which sessions a command line names; and options that are said in two ways, or in several words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.declare import Origin
from sessionkit.errors import UsageError
from sessionkit.ops.sources import STDIN, Descent, find_sources, read_list

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from sessionkit.cli.declare import Origins
    from sessionkit.cli.forms import Form
    from sessionkit.ops.sources import Source


def find(paths: Sequence[str] | None, files_from: Path | None, recursive: bool) -> list[Source]:
    """Sessions of the arguments and of the list, in this order."""
    words = list(paths or ())
    if "" in words:
        raise UsageError("a path is empty", hint="`.` is the working folder, and with -r all sessions below it")
    if files_from is not None:
        if files_from == STDIN and str(STDIN) in words:
            raise UsageError("standard input is named as a session and as the list of sessions", hint="write the list to a file")
        words += read_list(files_from)
    return find_sources(words, Descent.RECURSIVE if recursive else Descent.REFUSE_FOLDERS)


def most_explicit(origins: Origins, names: Collection[str]) -> list[str]:
    """Those of the options whose values come from the strongest source: what was typed beats the environment, and that a file."""
    first = min((origins[name] for name in names), default=Origin.DEFAULT)
    return [name for name in names if origins[name] is first]


def choose_form(origins: Origins, form: Form, as_json: bool) -> Form:
    """Settle --json and --output-format: the one that was said more explicitly. Raises UsageError where they say two things."""
    from sessionkit.cli.forms import Form

    match most_explicit(origins, ["as_json", "output_format"] if as_json else ["output_format"]):
        case ["as_json"]:
            return Form.JSON
        case [_, _] if form is not Form.JSON:
            raise UsageError(f"--json and --output-format {form} name two formats", hint="choose one")
        case _:
            return form


def split_commas(words: Iterable[str] | None) -> Iterator[str]:
    """Each of the words of an option that may be repeated, and that may hold several with commas between."""
    for word in words or ():
        yield from filter(None, map(str.strip, word.split(",")))
