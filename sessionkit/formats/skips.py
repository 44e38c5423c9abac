"""What a reader passes over without harm, said once for all books."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.model import Role, Skipped, Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sessionkit.core.model import Message
    from sessionkit.formats.records import Record

_META = Role.META


def unknown_types(records: Iterable[Record], is_known: Callable[[str], bool]) -> Iterator[Skipped]:
    """Name each unknown type of entry once, at its first entry, with the number of them."""
    found: dict[str, list[Record]] = {}
    for record in records:
        if not is_known(record.type):
            found.setdefault(record.type, []).append(record)
    for type_, group in found.items():
        count = f", {len(group)} times" if len(group) > 1 else ""
        yield Skipped(f"entry of the unknown type {type_ or '(none)'}{count}", group[0].origin)


def unknown_parts(messages: Iterable[Message]) -> Iterator[Skipped]:
    """Name the messages of unknown roles and the blocks of unknown types."""
    for message in messages:
        if message.role is _META:
            yield from _unknown_message(message)
        for block in message.content:
            if isinstance(block, Unsupported):
                yield Skipped(f"block of the unknown type {block.type or '(none)'}", block.origin)


def _unknown_message(message: Message) -> Iterator[Skipped]:
    match message.carried:
        case {"role": role}:
            yield Skipped(f"message of the unknown role {role}", message.origin)
        case {"type": "message"}:
            yield Skipped("entry without a message", message.origin)
