"""qwen-code's microcompaction: old results and old media are cleared in place, without a summary and without a cut."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sessionkit.compaction.base import Cleared, Compat, Group, Marker, Reference, Strategy, Trigger
from sessionkit.compaction.clearing import Clearing
from sessionkit.compaction.compactable import compactable_tools
from sessionkit.compaction.placeholders import RESULT_CLEARED, is_cleared
from sessionkit.compaction.slimming import media_in
from sessionkit.core.model import Media, Role, Text, ToolResult
from sessionkit.dataclass import dataclass
from sessionkit.tokens.qwen import Qwen
from sessionkit.tokens.text import utf16_units

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.compaction.base import Settings
    from sessionkit.core.model import Block, Message


@dataclass(frozen=True, slots=True)
class _Place:
    """A block that counts in its group, with units of text and media in it. Results of errors count, but are never cleared."""

    reference: Reference
    units: int
    media: int
    is_error: bool = False

    @property
    def group(self) -> Group:
        return self.reference.group


class Microcompact(Strategy):
    """Of each group the newest blocks stay. The trigger `size` looks at the texts of results alone, and spares other media.

    How long a session was idle is not known here: that trigger clears as if it had been long enough.
    """

    name = "microcompact"
    profile = "qwen"
    marker = Marker.CLEARED

    def plan(self, messages: Sequence[Message], settings: Settings) -> Cleared:
        places = [*_places(messages, settings)]
        if settings.trigger is Trigger.SIZE:
            places = [place for place in places if place.group is Group.TOOL and place.units and not place.is_error]
            chosen = _until_half(places, settings)
        else:
            chosen = [place for place in _old(places, settings) if not place.is_error]
        references = tuple(place.reference for place in chosen)
        return Cleared(
            self.name,
            Clearing.by(settings).clear(messages, references) if references else messages,
            references,
            {group: min(_keep(settings), sum(place.group is group for place in places)) for group in Group},
            sum(_tokens(place, settings) for place in chosen),
        )


def _places(messages: Sequence[Message], settings: Settings) -> Iterator[_Place]:
    """Find what counts. A result without media does so only if it is longer than what it would be cleared to, however one counts."""
    names = compactable_tools(settings.session_format) if settings.compactable is None else settings.compactable
    tools = frozenset(map(str.lower, names))
    least = 0 if settings.compat is Compat.UPSTREAM else len(RESULT_CLEARED)
    for index, message in enumerate(messages):
        for at, block in enumerate(message.content):
            group = _group(block, message.role, tools)
            if group is None:
                continue
            text = _text(block)
            place = _Place(Reference(index, at, group), utf16_units(text), len(media_in(block)), _is_error(block))
            if place.media or (len(text) > least and not place.is_error):
                yield place


def _group(block: Block, role: Role, tools: frozenset[str]) -> Group | None:
    match block, role:
        case ToolResult(name=name), Role.USER | Role.TOOL if name.lower() in tools:
            return Group.TOOL
        case ToolResult(), Role.USER | Role.TOOL if media_in(block):
            return Group.NESTED_MEDIA
        case Media(), Role.USER:
            return Group.MEDIA
        case _:
            return None


def _text(block: Block) -> str:
    """Return the text of a result; nothing if it is cleared already."""
    texts = [part.text for part in block.content if isinstance(part, Text)] if isinstance(block, ToolResult) else []
    return "" if all(map(is_cleared, texts)) else "".join(texts)


def _is_error(block: Block) -> bool:
    return isinstance(block, ToolResult) and block.is_error


def _keep(settings: Settings) -> int:
    return max(1, settings.keep_recent)


def _old(places: list[_Place], settings: Settings) -> Iterator[_Place]:
    """All but the newest of each group, in order."""
    left = Counter(place.group for place in places)
    for place in places:
        if left[place.group] > _keep(settings):
            yield place
        left[place.group] -= 1


def _until_half(places: list[_Place], settings: Settings) -> list[_Place]:
    """Choose the oldest until half of the threshold is left: if what is left were just below it, each turn would clear one more."""
    rest = sum(place.units for place in places)
    if rest <= settings.threshold:
        return []
    chosen = []
    for place in _old(places, settings):
        if rest <= settings.threshold // 2:
            break
        chosen.append(place)
        rest -= place.units
    return chosen


def _tokens(place: _Place, settings: Settings) -> int:
    """Estimate what is gone; text that stays is counted only by qwen-code itself."""
    profile = Qwen(settings.image_tokens)
    counts_text = place.group is Group.TOOL or settings.compat is Compat.UPSTREAM
    return place.media * profile.constant_tokens + (-(-place.units // profile.units_per_token) if counts_text else 0)
