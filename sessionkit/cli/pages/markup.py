"""HTML, of which every part is either written here or escaped: the type tells one from the other."""

from __future__ import annotations

from html import escape
from typing import NewType, TypeAlias

from sessionkit.core import jsonl

Html = NewType("Html", str)
"""Markup that is safe to be put into the page."""

Value: TypeAlias = "str | int | float | bool | None"
"""Of an attribute: False and None leave it out, True is its name alone."""

_EMPTY = frozenset({"img", "meta"})
_CLOSED = frozenset({"path", "rect"})
"""Of SVG, where an element without content closes itself."""
_KEPT = frozenset("\n\t\u200c\u200d")
"""What is not printable and stays: line breaks, tabs, and what joins letters and emoji."""


def visible(words: str) -> str:
    """Make others' words fit for a page: what nobody can see, and what UTF-8 cannot hold, becomes U+FFFD."""
    if words.isprintable():
        return words
    return "".join(char if char.isprintable() or char in _KEPT else "\N{REPLACEMENT CHARACTER}" for char in words)


def text(words: str) -> Html:
    """Words as they are."""
    return Html(escape(visible(words)))


def join(*parts: Html) -> Html:
    """One after the other."""
    return Html("".join(parts))


def start(tag: str, **attributes: Value) -> Html:
    """Open an element. Of names of attributes, `_` becomes `-`, and one at the end goes: `class_`, `data_line`."""
    return Html(f"<{tag}{''.join(_attribute(name, value) for name, value in attributes.items())}>")


def end(tag: str) -> Html:
    """Close an element."""
    return Html(f"</{tag}>")


def element(tag: str, *inner: Html, **attributes: Value) -> Html:
    """Write a whole element."""
    opened = start(tag, **attributes)
    if tag in _EMPTY:
        return opened
    return Html(f"{opened[:-1]}/>" if tag in _CLOSED else f"{opened}{''.join(inner)}</{tag}>")


def data(value: object, **attributes: Value) -> Html:
    """Write a block of JSON, which no browser runs, and which nothing in it can end."""
    written = jsonl.dumps(value).decode().replace("<", "\\u003c")
    return Html(f"{start('script', type='application/json', **attributes)}{written}</script>")


def _attribute(name: str, value: Value) -> str:
    if value is None or value is False:
        return ""
    name = name.removesuffix("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(visible(str(value)))}"'
