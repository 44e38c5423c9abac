"""Find the media sites of a line: each string that is inline media, by its shape or by its bytes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sessionkit.core.media.scopes import Opacity, Scope, escape_step, opacity, walk
from sessionkit.core.media.shapes import NAMES, Trust, declared_media_types, is_bare, is_either
from sessionkit.core.media.skeleton import KEPT, Skeleton, skeleton_of
from sessionkit.core.media.tree import Array, Forest, Member, Text, decode, parse
from sessionkit.core.media.triage import LONG, is_spelled_base64
from sessionkit.core.sniff import AAC, MP3, SVG, Family, sniff_base64
from sessionkit.dataclass import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.media.tree import Node
    from sessionkit.core.media.triage import Candidate

RUN_NAMES = frozenset({"asset_path", "asset_prefix", "asset_field"})
"""Names that an asset reference is made of; an object that has one already is left alone."""

_raw_prefix = re.compile(rb'data:[^,"\\]*;base64,', re.IGNORECASE).match
_any_prefix = re.compile(r"data:[^,]*;base64,", re.IGNORECASE).match
_HEAD = 96
_STANDARD = bytes.maketrans(b"-_", b"+/")
_MEDIA = frozenset({Family.IMAGE, Family.DOCUMENT, Family.AUDIO, Family.VIDEO})
_WEAK_HEADS = frozenset({MP3, AAC})  # two bytes, which any blob may start with


@dataclass(frozen=True, slots=True)
class Span:
    """Bytes `start` to `stop` of the buffer."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Site:
    """A string token (`value`, with its quotes) whose text after `prefix` bytes is base64, or should be.

    `key` is the place of the name's token when the site is a member of an object, None in an array.
    `escaped` says that the raw text is not the string's value, so that its base64 cannot be read in place.
    """

    value: Span
    key: Span | None
    scope: Scope
    step: str | int
    trust: Trust
    prefix: int
    escaped: bool

    @property
    def payload(self) -> Span:
        """Place of the base64 text."""
        return Span(self.value.start + 1 + self.prefix, self.value.stop - 1)

    def pointer(self) -> str:
        """RFC 6901 pointer to the string."""
        return f"{self.scope.pointer()}/{escape_step(self.step)}"


@dataclass(frozen=True, slots=True)
class Look:
    """One line seen: its buffer, its shortened text with the map back, its values, and the searchable objects and arrays of all of them."""

    data: bytearray
    skeleton: Skeleton
    forest: Forest
    scopes: list[Scope]

    def span(self, start: int, stop: int) -> Span:
        """Place in the buffer of a token of the skeleton."""
        return Span(self.skeleton.origin(start), self.skeleton.origin(stop))


def look_at(data: bytearray, candidate: Candidate) -> Look:
    """Parse a candidate line; the whole of it where it does not parse without its long runs, for one may lie between two strings."""
    skeleton = skeleton_of(data, candidate)
    forest = parse(skeleton.text)
    if forest.error is not None and candidate.runs:
        skeleton = skeleton_of(data, replace(candidate, runs=()))
        forest = parse(skeleton.text)
    return Look(data, skeleton, forest, [scope for root in forest.roots for scope in walk(root, skeleton.text)])


def find_sites(look: Look) -> list[Site]:
    """All sites of a line in the order of their bytes; those that must stay as they are included."""
    sites = [site for scope in look.scopes for site in _sites_in(look, scope)]
    sites.sort(key=lambda site: site.value.start)
    return sites


def _sites_in(look: Look, scope: Scope) -> Iterator[Site]:
    if isinstance(scope.node, Array):
        if scope.strings is Opacity.CLEAR:
            for index, item in enumerate(scope.node.items):
                if isinstance(item, Text) and _may_be_site(look, item, scope.name):
                    yield from _judge(look, _Leaf(item, None, scope, index, scope.name))
        return
    for member in scope.node.members:
        text, name = member.value, member.name
        if isinstance(text, Text) and _may_be_site(look, text, name) and opacity(name, scope.type) is Opacity.CLEAR:
            yield from _judge(look, _Leaf(text, member, scope, name, name))


def _may_be_site(look: Look, text: Text, name: str) -> bool:
    """Dismiss most strings at once: short, of no known name, and no data URL in any spelling."""
    if text.stop - text.start > KEPT or name in NAMES:
        return True
    raw = look.skeleton.text[text.start + 1 : text.stop - 1]
    return raw[:5].lower() == b"data:" or b"\\" in raw


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A string and where it stands; `name` is its own or that of the array around it."""

    text: Text
    member: Member | None
    scope: Scope
    step: str | int
    name: str

    def is_bare(self) -> bool:
        return self.member is not None and is_bare(self.name, self.scope)

    def is_either(self) -> bool:
        return is_either(self.name, self.scope)


def _judge(look: Look, leaf: _Leaf) -> Iterator[Site]:
    """Yield a site if the string is a whole data URL, a known base64 member, or has a media head and is long or likely."""
    raw = look.skeleton.text[leaf.text.start + 1 : leaf.text.stop - 1]
    if b"\\" in raw:
        yield from _judge_escaped(look, leaf)
        return
    value = look.span(leaf.text.start, leaf.text.stop)
    prefix = _prefix_length(look.data, value) if raw[:5].lower() == b"data:" else 0
    size = value.stop - value.start - 2 - prefix
    if not size:
        return
    if prefix or leaf.is_bare():
        yield _site(look, leaf, Trust.SHAPE, prefix)
    elif _is_medium(look, leaf, raw[:_HEAD], size):
        yield _site(look, leaf, Trust.BYTES, 0)


def _judge_escaped(look: Look, leaf: _Leaf) -> Iterator[Site]:
    token = look.span(leaf.text.start, leaf.text.stop)
    prefix, payload = split_data_url(decode(bytes(look.data[token.start : token.stop])))
    if not payload:
        return
    head = payload[:_HEAD].encode("utf-8", "replace")
    if prefix or leaf.is_bare():
        yield _site(look, leaf, Trust.SHAPE, None)
    elif _is_medium(look, leaf, head, len(payload)):
        yield _site(look, leaf, Trust.BYTES, None)


def _is_medium(look: Look, leaf: _Leaf, head: bytes, size: int) -> bool:
    """Judge by the bytes alone; the cheap questions come first."""
    if leaf.is_either():
        return _has_media_head(look, leaf, head)
    return size >= LONG and _has_media_head(look, leaf, head) and _is_base64_throughout(look, leaf)


def _is_base64_throughout(look: Look, leaf: _Leaf) -> bool:
    token = look.span(leaf.text.start, leaf.text.stop)
    return is_spelled_base64(look.data, token.start + 1, token.stop - 1) is not None


def split_data_url(value: str) -> tuple[str, str]:
    """Split a string's value into what stands before its base64 and the rest; the first is empty where it is bare."""
    found = _any_prefix(value)
    return (found[0], value[found.end() :]) if found else ("", value)


def _prefix_length(data: bytearray, value: Span) -> int:
    found = _raw_prefix(data, value.start + 1, value.stop - 1)
    return found.end() - value.start - 1 if found else 0


def _has_media_head(look: Look, leaf: _Leaf, head: bytes) -> bool:
    media = sniff_base64(head[: len(head) // 4 * 4].translate(_STANDARD))
    if media is SVG:
        return any(b"svg" in _raw_text(look, node) for node in declared_media_types(leaf.scope))
    return media.family in _MEDIA and media not in _WEAK_HEADS


def _raw_text(look: Look, node: Node) -> bytes:
    return look.skeleton.text[node.start : node.stop].lower()


def _site(look: Look, leaf: _Leaf, trust: Trust, prefix: int | None) -> Site:
    key = look.span(leaf.member.start, leaf.member.stop) if leaf.member else None
    value = look.span(leaf.text.start, leaf.text.stop)
    return Site(value, key, leaf.scope, leaf.step, trust, prefix or 0, escaped=prefix is None)
