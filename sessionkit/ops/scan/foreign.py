"""References that other tools put in the place of media: what sessionkit cannot resolve, and must not take for base64."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sessionkit.core.media.tree import Object, Text, decode
from sessionkit.ops.scan.leaves import strings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.media.finder import Look
    from sessionkit.core.media.tree import Node
    from sessionkit.ops.scan.leaves import Leaf

_FORMS = {
    "oh-my-pi": r"blob(?:text)?:sha256:[0-9a-f]{64}",
    "kimi-code": r"blobref:[^;\s]*;[0-9a-f]+",
    "entireio/cli": r"(?:data:[^,\s]*,)?entire-asset:assets/img-[0-9a-f]{32}\.\w+",
    "agentsview": r"asset://[0-9a-f]{64}\.\w+",
    "Inspect AI": r"attachment://[0-9a-f]{32}",
    "qwen-code": r"\[Image #[0-9a-f]{12}: [^,\]]*, \d+ bytes\]",
}
_whole = re.compile("|".join(f"({form})" for form in _FORMS.values())).fullmatch
_TOOLS = tuple(_FORMS)

_is_digest = re.compile(r"sha256:[0-9a-f]{64}").fullmatch
_is_id = re.compile(r"[0-9a-f]{32}").fullmatch

# What each form begins with or stands under, so that lines without any are dismissed by one pass.
_may_hold = re.compile(
    rb'"(?:blob(?:text)?:|blobref:|(?:data:[^",]{0,200},)?entire-asset:|asset:|attachment:|\[Image #'
    rb'|assetId"|sha256_ref"|attachment"|path"|[^"]{0,24}\\[u/])',
).search


def foreign_references(look: Look) -> Iterator[tuple[str, Leaf]]:
    """Every string of a line that is, as a whole, a reference of another tool, with that tool's name."""
    if not _may_hold(look.skeleton.text):
        return
    for leaf in strings(look.forest):
        tool = _tool_of(look, leaf)
        if tool:
            yield tool, leaf


_LONGEST = 400


def _tool_of(look: Look, leaf: Leaf) -> str:
    """Name the tool; empty for any other string."""
    if leaf.node.stop - leaf.node.start > _LONGEST:
        return ""
    value = _value(look, leaf.node)
    found = _whole(value)
    return _TOOLS[found.lastindex - 1] if found and found.lastindex else _tool_by_name(look, leaf, value)


def _tool_by_name(look: Look, leaf: Leaf, value: str) -> str:
    """Name the tool where the name that the string stands under decides."""
    match leaf.step:
        case "assetId" if _is_digest(value):
            return "Copilot CLI"
        case "attachment" if _is_id(value):
            return "local-operator"
        case "type" if value == "sha256_ref" and leaf.outer and leaf.outer.step == "source":
            return "trajector-cli"
        case "path" if _is_source_of_image(look, leaf.outer):
            return "ATIF"
        case _:
            return ""


def _is_source_of_image(look: Look, source: Leaf | None) -> bool:
    if source is None or source.step != "source" or source.outer is None:
        return False
    return "media_type" in _names(source) and _text(look, source.outer, "type") == "image"


def _names(leaf: Leaf) -> set[str]:
    return {member.name for member in leaf.node.members} if isinstance(leaf.node, Object) else set()


def _text(look: Look, leaf: Leaf, name: str) -> str:
    if not isinstance(leaf.node, Object):
        return ""
    values = (member.value for member in leaf.node.members if member.name == name)
    return next((_value(look, value) for value in values if isinstance(value, Text)), "")


def _value(look: Look, node: Node) -> str:
    return decode(look.skeleton.text[node.start : node.stop])
