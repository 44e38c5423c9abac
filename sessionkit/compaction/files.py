"""Which files the summarised part has read and changed: Pi's lists, which it hands on from summary to summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.compaction.base import Files
from sessionkit.core.model import Role, ToolCall

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.core.model import Message


def find_files(head: Iterable[Message], earlier: Message | None) -> Files:
    """Collect the paths of calls; and those that an earlier compaction told of, if the agent made it and no extension."""
    read, modified = map(set, _told(earlier))
    for name, path in _calls(head):
        match name:
            case "read":
                read.add(path)
            case "write" | "edit":
                modified.add(path)
    return Files(_sorted(read - modified), _sorted(modified))


def list_files(files: Files) -> str:
    """Write the lists as Pi ends a summary with them; empty ones are left out."""
    lists = (("read-files", files.read), ("modified-files", files.modified))
    return "".join(f"\n\n<{name}>\n{chr(10).join(paths)}\n</{name}>" for name, paths in lists if paths)


def _told(earlier: Message | None) -> tuple[list[str], list[str]]:
    details = earlier.carried.get("details") if earlier and not earlier.carried.get("fromHook") else None
    return _strings(details, "readFiles"), _strings(details, "modifiedFiles")


def _strings(details: object, name: str) -> list[str]:
    match details:
        case {**members}:
            values = members.get(name)
            return [value for value in values if isinstance(value, str)] if isinstance(values, list) else []
        case _:
            return []


def _calls(messages: Iterable[Message]) -> Iterator[tuple[str, str]]:
    for message in messages:
        for block in message.content if message.role is Role.ASSISTANT else ():
            match block:
                case ToolCall(name=name, arguments={"path": str(path)}) if path:
                    yield name, path


def _sorted(paths: set[str]) -> tuple[str, ...]:
    """Sort as JavaScript does, by UTF-16 units."""
    return tuple(sorted(paths, key=lambda path: path.encode("utf-16-be", "surrogatepass")))
