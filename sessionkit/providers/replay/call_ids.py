"""Ids of calls as an interface takes them: the same for a call and its result, and another for every call."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from hashlib import sha256
from typing import TYPE_CHECKING

from sessionkit.core.model import Role, ToolCall, ToolResult
from sessionkit.dataclass import dataclass, field, replace
from sessionkit.providers.replay.contents import with_content
from sessionkit.providers.replay.remarks import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Block, Message
    from sessionkit.providers.base import IdRule

_DIGITS = 8
_replace_foreign = re.compile("[^A-Za-z0-9_-]").sub


def fit_ids(messages: tuple[Message, ...], rule: IdRule) -> Outcome:
    """Change the ids that an interface would refuse, and no others. Every result must stand behind the turn of its call."""
    calls = [block for message in messages for block in message.content if isinstance(block, ToolCall)]
    book = _Book(rule, frozenset(id_ for call in calls if (id_ := _own_part(call.id, rule)) and id_ == _fitting(id_, rule)))
    return Outcome(tuple(_renamed(messages, book)))


def _renamed(messages: tuple[Message, ...], book: _Book) -> Iterator[Message]:
    waiting: dict[str, deque[str]] = defaultdict(deque)
    for message in messages:
        content: list[Block] = []
        for block in message.content:
            match block:
                case ToolCall(old):
                    waiting[old].append(new := book.name(old))
                    content.append(block if new == old else replace(block, id=new))
                case ToolResult(old) if message.role is Role.TOOL:
                    new = waiting[old].popleft()
                    content.append(block if new == old else replace(block, call_id=new))
                case _:
                    content.append(block)
        yield with_content(message, content)


@dataclass(slots=True)
class _Book:
    """Gives out ids. `fitting` are those that stand in the conversation and need no change: no other call may get one of them."""

    rule: IdRule
    fitting: frozenset[str]
    _taken: set[str] = field(default_factory=set)
    _numbers: dict[str, int] = field(default_factory=lambda: defaultdict(lambda: 1))
    _calls: int = 0

    def name(self, old: str) -> str:
        """Give the next call an id: its own, if that fits and no call before it has it."""
        self._calls += 1
        own = _own_part(old, self.rule)
        if own not in self.fitting or own in self._taken:
            own = self._free(_fitting(own, self.rule, old) or f"call_{self._calls}")
        self._taken.add(own)
        return own

    def _free(self, wanted: str) -> str:
        new = wanted
        while new in self._taken or new in self.fitting:
            self._numbers[wanted] += 1
            ending = f"_{self._numbers[wanted]}"
            new = wanted[: self.rule.longest - len(ending)] + ending
        return new


def _own_part(id_: str, rule: IdRule) -> str:
    """Of `call|item` only the part of the call, where the interface has a place for the other."""
    return id_.partition("|")[0] if rule.item else id_


def _fitting(id_: str, rule: IdRule, old: str | None = None) -> str:
    """Replace foreign characters, and shorten what is too long; a hash of the old id keeps two of them apart."""
    fitting = _replace_foreign("_", id_)
    if len(fitting) <= rule.longest:
        return fitting
    digest = sha256((old or id_).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return f"{fitting[: rule.longest - _DIGITS - 1]}_{digest}"
