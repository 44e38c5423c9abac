"""Compare two requests: sessions, or bodies that were recorded."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sessionkit.core.streams import Packing, packing_of
from sessionkit.errors import Place, UsageError
from sessionkit.formats import detect, read_head
from sessionkit.ops.rehydrate.files import read_json
from sessionkit.ops.rehydrate.result import Unsendable
from sessionkit.ops.rehydrate.session import rehydrate
from sessionkit.ops.sources import find_one
from sessionkit.providers.prefix import compare
from sessionkit.providers.units import Body, Wire, read_body

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.formats import Head
    from sessionkit.ops.rehydrate.options import Options
    from sessionkit.providers.base import Provider
    from sessionkit.providers.prefix import Comparison

_STAND_IN = "MODEL"
_HEAD = 1 << 16
_GOING_ON = (b",", b"[", b"{")
_PADDING = b"\xef\xbb\xbf \t\r\n"
_NO_AGENT = frozenset({"plain", "unknown"})
"""Formats that a recorded body may be taken for."""


def compare_requests(earlier: str, later: str, options: Options | None) -> Comparison | Unsendable:
    """Find out how far two requests begin alike. A path names a session, which is rehydrated by the options, or a file with one body.

    Raises UsageError for a session without options, and for two interfaces; and what `rehydrate` raises.
    """
    bodies = []
    for path in (earlier, later):
        body = _read(path, options)
        if isinstance(body, Unsendable):
            return body
        bodies.append(_without_stand_in(body))
    return compare(*bodies)


def _read(path: str, options: Options | None) -> Body | Unsendable:
    source = find_one(path)
    recorded = None if source.is_stdin else _recorded(source.path)
    if recorded is not None:
        return recorded
    if options is None:
        hint = "say --provider anthropic, openai-chat, openai-responses or gemini"
        raise UsageError("this is no recorded body, and no provider is named", place=Place(path), hint=hint)
    with rehydrate(source, options) as result:
        if isinstance(result, Unsendable):
            return result
        return Body(_wire(result.provider), json.loads(b"".join(result.pieces())))


def _without_stand_in(body: Body) -> Body:
    """Take out what stands for a model that nobody named: it is not another one than the other body's."""
    if body.members.get("model") != _STAND_IN:
        return body
    return Body(body.wire, {name: value for name, value in body.members.items() if name != "model"})


def _wire(provider: Provider) -> Wire:
    """Tell which of the interfaces it is; all hosts of OpenAI's newer one are alike."""
    return Wire.OPENAI_RESPONSES if provider.list_name == "input" else Wire(provider.id)


def _recorded(path: Path) -> Body | None:
    """Read a file that is one JSON document, and no agent's session; None if it is no body.

    Raises UsageError, with the line, for one that begins like a body and is no JSON.
    """
    head = read_head(path)
    if packing_of(path) is not Packing.PLAIN or detect(head).id not in _NO_AGENT or not _is_one_object(head, path):
        return None
    value = read_json(path, lambda value: value)
    try:
        return read_body(value)
    except ValueError:
        return None


def _is_one_object(head: Head, path: Path) -> bool:
    """Whether a file is one object, or begins like one that is broken, whose lines are no objects by themselves."""
    if head.document is not None:
        return isinstance(head.document, dict)
    with path.open("rb") as file:
        beginning = file.read(_HEAD).lstrip(_PADDING)
    return beginning.startswith(b"{") and (not head.objects or _is_laid_out(beginning))


def _is_laid_out(text: bytes) -> bool:
    """Whether lines end as they only do inside of a value that goes on, though one of them may be an object."""
    return any(line.rstrip().endswith(_GOING_ON) for line in text.splitlines()[:-1])
