"""A request body before it is written: JSON in which media are still where they are, and parts know where they come from."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.core.ecmajson import Mark, laid_out, spell
from sessionkit.core.model import NOWHERE
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sessionkit.core.model import Json, Media, Origin

_TEXTS_IN_A_CHUNK = 4096


@dataclass(frozen=True, slots=True)
class Payload:
    """A string that is a prefix, such as `data:image/png;base64,`, and the base64 of a medium."""

    media: Media
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    """A part of a body that comes from a place of the session: it is written as its value."""

    value: Tree
    origin: Origin


Tree: TypeAlias = "Json | Payload | Placed | Sequence[Tree] | Mapping[str, Tree]"
"""Lists and dictionaries; named by what is asked of them, so that a list of what is a tree is one too."""
Steps: TypeAlias = "tuple[str | int, ...]"
"""The way into a body: ("messages", 3, "content", 1)."""
Encode: TypeAlias = "Callable[[Media], bytes]"
"""Gives the canonical base64 of a medium's bytes."""


@dataclass(frozen=True, slots=True)
class Part:
    """A value of a body, the way to it, and the nearest place in the session that it comes from."""

    steps: Steps
    value: Tree
    origin: Origin


class Layout(StrEnum):
    """One line, as it is sent; or indented by two spaces, to be read."""

    COMPACT = "compact"
    INDENTED = "indented"


def walk(tree: Tree) -> Iterator[Part]:
    """Every value of a body, outermost first, in the order in which they are written."""
    todo: list[Part] = [Part((), tree, NOWHERE)]
    while todo:
        part = todo.pop()
        match part.value:
            case Placed(value, origin):
                todo.append(Part(part.steps, value, origin))
                continue
            case dict() as members:
                todo += reversed([Part((*part.steps, name), value, part.origin) for name, value in members.items()])
            case list() as items:
                todo += reversed([Part((*part.steps, at), value, part.origin) for at, value in enumerate(items)])
        yield part


def write(tree: Tree, encode: Encode, layout: Layout = Layout.COMPACT) -> Iterator[bytes]:
    """The body as the agents' runtimes write JSON: UTF-8, keys in order, numbers as ECMAScript prints them, no newline at the end.

    A medium is encoded when it is its turn, and is a chunk of its own.
    """
    texts: list[str] = []
    for token in _tokens(tree, layout):
        if isinstance(token, str):
            texts.append(token)
            if len(texts) < _TEXTS_IN_A_CHUNK:
                continue
            yield "".join(texts).encode()
            texts = []
        else:
            yield ("".join(texts) + spell(token.prefix)[:-1]).encode()
            yield encode(token.media)
            texts = ['"']
    yield "".join(texts).encode()


def _tokens(tree: Tree, layout: Layout) -> Iterator[str | Payload]:
    margin = "" if layout is Layout.COMPACT else "\n"
    todo: list[Tree | Mark] = [tree]
    while todo:
        match todo.pop():
            case Mark(text, margin):
                yield text
            case Placed(value):
                todo.append(value)
            case Payload() as payload:
                yield payload
            case dict() | list() as container:
                todo += reversed(laid_out(container, margin))
            case None | bool() | int() | float() | str() as scalar:
                yield spell(scalar)
