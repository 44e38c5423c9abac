"""Asset references: what stands in a line where media stood (format 1 of README.md), how it is written and read."""

from __future__ import annotations

import re
from enum import Enum, StrEnum, auto
from typing import TYPE_CHECKING

from sessionkit.core.assets import AssetName
from sessionkit.core.media.finder import Span
from sessionkit.core.media.scopes import Opacity, Scope, opacity
from sessionkit.core.media.tree import Object, Scalar, Text, decode
from sessionkit.core.pixels import Size
from sessionkit.dataclass import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from sessionkit.core.media.finder import Look
    from sessionkit.core.media.tree import Member

_is_prefix = re.compile(rb'"data:[^,"\\]*;base64,"', re.IGNORECASE).fullmatch
_is_count = re.compile(rb"0|[1-9][0-9]{0,9}").fullmatch
_PATH_NAMES = frozenset({"asset_path", "assetPath"})
_NULL = b"null"


class Kind(Enum):
    """Who wrote a reference: `migrate` in place of a member or of a whole string; or the agent itself."""

    MEMBER = auto()
    STRING = auto()
    NATIVE = auto()


@dataclass(frozen=True, slots=True)
class Reference:
    """A well-formed reference to an asset, with the size in pixels that it states.

    `value` gives way to the base64 string. For a member, `key` is the token that gives way to `field`, the name that once stood there;
    for a whole string both are None. `prefix` is the raw text before the base64.
    """

    kind: Kind
    asset: AssetName
    size: Size | None
    value: Span
    key: Span | None
    field: bytes
    prefix: bytes
    scope: Scope

    def moved(self, distance: int) -> Reference:
        """Give the same reference in a buffer where its line stands further on."""
        if not distance:
            return self
        key = self.key and Span(self.key.start + distance, self.key.stop + distance)
        return replace(self, key=key, value=Span(self.value.start + distance, self.value.stop + distance))

    @property
    def field_token(self) -> bytes:
        """Token of the name that the base64 gets; empty for a whole string."""
        match self.kind:
            case Kind.MEMBER:
                return self.field
            case Kind.NATIVE:
                return b'"data"'
            case Kind.STRING:
                return b""


class Oddity(StrEnum):
    """Why something that looks like a reference is none, in words for a report."""

    PATH = "the path is not images/ with a SHA-256 and a known extension"
    FORM = "its members are not as they were written: another program has sorted, added or changed some"


@dataclass(frozen=True, slots=True)
class OddReference:
    """What looks like a reference and is none: data, which restore leaves as it is, and worth a report."""

    path: str
    scope: Scope
    reason: Oddity


@dataclass(frozen=True, slots=True)
class _Run:
    """Members in the order of a reference, without a gap; `stop` is where the last one ends in the skeleton."""

    path: Member
    width: Member | None
    height: Member | None
    prefix: Member | None
    field: Member | None
    length: int

    @property
    def stop(self) -> int:
        last = self.field or self.prefix or self.height or self.path
        return last.value.stop


def write_members(key: bytes, asset: AssetName, size: Size | None, prefix: bytes) -> tuple[bytes, bytes]:
    """Return the token that replaces the key, and what replaces the value: the path and the rest of the run."""
    return b'"asset_path"', _path(asset) + _rest(size, prefix, key)


def write_object(asset: AssetName, size: Size | None, prefix: bytes) -> bytes:
    """Return the object that replaces a whole string."""
    return b'{"asset_path":' + _path(asset) + _rest(size, prefix, _NULL) + b"}"


def _path(asset: AssetName) -> bytes:
    return b'"%b"' % asset.reference.encode()


def _rest(size: Size | None, prefix: bytes, field: bytes) -> bytes:
    pixels = b',"width":%d,"height":%d' % (size.width, size.height) if size else b""
    before = b',"asset_prefix":"%b"' % prefix if prefix else b""
    return pixels + before + b',"asset_field":' + field


def find_references(look: Look) -> Iterator[Reference | OddReference]:
    """All references of a line; whatever does not keep to the grammar is data."""
    for scope in look.scopes:
        if isinstance(scope.node, Object) and not _PATH_NAMES.isdisjoint(scope.names):
            yield from _read_object(look, scope, scope.node)


def _read_object(look: Look, scope: Scope, node: Object) -> Iterator[Reference | OddReference]:
    names = [member.name for member in node.members]
    path_names = {"asset_path"} if "asset_field" in names else _PATH_NAMES
    if path_names.isdisjoint(names):
        return
    run = _collect(look, node.members, path_names)
    is_once = sum(name in path_names for name in names) == 1 and names.count("asset_field") <= 1
    kind = _kind_of(look, scope, run) if is_once else None
    if not isinstance(run.path.value, Text):
        return
    path = _decode(look, run.path)
    asset = _parse(path)
    match kind, asset:
        case None, AssetName() if "asset_field" in names:
            yield OddReference(path, scope, Oddity.FORM)
        case None, _:
            return
        case _, None:
            yield OddReference(path, scope, Oddity.PATH)
        case Kind(), AssetName():
            yield _reference(look, scope, run, (kind, asset))


def _parse(path: str) -> AssetName | None:
    try:
        return AssetName.parse(path)
    except ValueError:
        return None


def _collect(look: Look, members: list[Member], path_names: AbstractSet[str]) -> _Run:
    """Take the members of a run from the asset's path on."""
    first = next(index for index, member in enumerate(members) if member.name in path_names)
    rest = members[first + 1 :]
    found: dict[bytes, Member] = {}
    for names in ((b'"width"', b'"height"'), (b'"asset_prefix"',), (b'"asset_field"',)):
        part = rest[: len(names)]
        if tuple(look.skeleton.text[member.start : member.stop] for member in part) == names:
            found.update(zip(names, part, strict=True))
            rest = rest[len(names) :]
    return _Run(
        members[first],
        found.get(b'"width"'),
        found.get(b'"height"'),
        found.get(b'"asset_prefix"'),
        found.get(b'"asset_field"'),
        len(found) + 1,
    )


def _kind_of(look: Look, scope: Scope, run: _Run) -> Kind | None:
    """Tell whose reference it is; None for plain data. A reference stands only where the string could stand that it replaced."""
    if not isinstance(run.path.value, Text):
        return None
    if "asset_field" not in scope.names:
        return Kind.NATIVE if scope.type == "image" else None
    if run.field is None or not _is_sound(look, run):
        return None
    if isinstance(run.field.value, Text):
        is_clear = opacity(_decode(look, run.field), scope.type) is Opacity.CLEAR
        return Kind.MEMBER if is_clear else None
    is_alone = isinstance(scope.node, Object) and run.length == len(scope.node.members)
    is_whole = _raw(look, run.field) == _NULL and is_alone and scope.strings is Opacity.CLEAR
    return Kind.STRING if is_whole else None


def _is_sound(look: Look, run: _Run) -> bool:
    """Check the tokens that `migrate` writes in one way only."""
    if look.skeleton.text[run.path.start : run.path.stop] != b'"asset_path"':
        return False
    if run.width and run.height and not (_is_count(_raw(look, run.width)) and _is_count(_raw(look, run.height))):
        return False
    return run.prefix is None or bool(_is_prefix(_raw(look, run.prefix)))


def _reference(look: Look, scope: Scope, run: _Run, what: tuple[Kind, AssetName]) -> Reference:
    kind, asset = what
    prefix = _raw(look, run.prefix)[1:-1] if run.prefix else b""
    key, field = look.span(run.path.start, run.path.stop), b""
    match kind:
        case Kind.MEMBER if run.field:
            value, field = look.span(run.path.value.start, run.stop), _raw(look, run.field)
        case Kind.STRING:
            return Reference(kind, asset, _size(look, scope), look.span(scope.node.start, scope.node.stop), None, b"", prefix, scope)
        case _:
            value = look.span(run.path.value.start, run.path.value.stop)
    return Reference(kind, asset, _size(look, scope), value, key, field, prefix, scope)


def _size(look: Look, scope: Scope) -> Size | None:
    width, height = (scope.names.get(name) for name in ("width", "height"))
    if not isinstance(width, Scalar) or not isinstance(height, Scalar):
        return None
    texts = [look.skeleton.text[node.start : node.stop] for node in (width, height)]
    return Size(int(texts[0]), int(texts[1])) if all(map(_is_count, texts)) else None


def _raw(look: Look, member: Member) -> bytes:
    """Take the value from the buffer: a name that was replaced may be as long as base64, and was cut then."""
    span = look.span(member.value.start, member.value.stop)
    return bytes(look.data[span.start : span.stop])


def _decode(look: Look, member: Member) -> str:
    return decode(_raw(look, member))
