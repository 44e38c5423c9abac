"""What clients make of a conversation that our own requests do not: as they were seen to send it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.providers.body import Placed
from sessionkit.providers.results import ONLY_MEDIA

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sessionkit.providers.body import Tree

_PRELUDE: Final[tuple[Tree, ...]] = tuple({"role": role, "content": "."} for role in ("system", "user", "assistant"))
"""qwen-code begins with its instructions, what it knows of the machine, and an answer to that."""


def as_sent(messages: Sequence[Tree], client: str) -> Sequence[Tree]:
    """Change the messages of a body into those that a client sends; what keeps its place keeps its origin."""
    match client:
        case "claude-code":
            return [_without_lone_texts(message) for message in messages]
        case "qwen-code":
            return [*_PRELUDE, *_images_with_their_tools(messages)]
        case "gemini-cli":
            return list(_joined(_media_beside(message) for message in messages))
        case _:
            return messages


def _without_lone_texts(tree: Tree) -> Tree:
    """Take out what we say in results that hold media alone; Claude Code sends them without a word."""
    match tree:
        case Placed(value, origin):
            return Placed(_without_lone_texts(value), origin)
        case dict() as members:
            return {name: _without_lone_texts(value) for name, value in members.items()}
        case [Placed({"type": "text", "text": text}), *media] if text == ONLY_MEDIA and media:
            return media
        case list() as items:
            return [_without_lone_texts(item) for item in items]
        case _:
            return tree


def _images_with_their_tools(messages: Iterable[Tree]) -> Iterator[Tree]:
    """qwen-code sends images in the messages of tools, which we send behind them, in a message that no session holds."""
    tools: list[Placed] = []
    for message in messages:
        match message:
            case Placed({"role": "tool"}):
                tools.append(message)
                continue
            case Placed({"role": "user", "content": [dict(), *images]}) if tools:
                yield from (_with_images(tool, images) for tool in tools)
            case _:
                yield from tools
                yield message
        tools = []
    yield from tools


def _with_images(tool: Placed, images: Iterable[Tree]) -> Tree:
    own = [image for image in images if isinstance(image, Placed) and _is_within(image, tool)]
    if not own or not isinstance(tool.value, dict):
        return tool
    text = tool.value["content"]
    texts: list[Tree] = [] if text == ONLY_MEDIA else [{"type": "text", "text": text}]
    return Placed({**tool.value, "content": [*texts, *own]}, tool.origin)


def _is_within(part: Placed, whole: Placed) -> bool:
    return part.origin.line == whole.origin.line and part.origin.pointer.startswith(f"{whole.origin.pointer}/")


def _media_beside(content: Tree) -> Tree:
    """Gemini CLI sends media beside the response of a tool, behind it."""
    match content:
        case Placed(dict() as members, origin) if parts := _list(members, "parts"):
            return Placed({**members, "parts": [part for one in parts for part in _spread(one)]}, origin)
        case _:
            return content


def _spread(part: Tree) -> Iterator[Tree]:
    match part:
        case Placed({"functionResponse": dict() as response}, origin) if media := _list(response, "parts"):
            yield Placed({"functionResponse": {name: value for name, value in response.items() if name != "parts"}}, origin)
            yield from media
        case _:
            yield part


def _joined(contents: Iterable[Tree]) -> Iterator[Tree]:
    """Gemini CLI sends contents of the user in a row as one."""
    waiting: Tree = None
    for content in contents:
        match waiting, content:
            case Placed(dict() as first, origin), Placed(dict() as second) if first["role"] == second["role"] == "user":
                waiting = Placed({**first, "parts": [*_list(first, "parts"), *_list(second, "parts")]}, origin)
            case _:
                yield from () if waiting is None else (waiting,)
                waiting = content
    yield from () if waiting is None else (waiting,)


def _list(members: Mapping[str, Tree], name: str) -> Sequence[Tree]:
    value = members.get(name)
    return value if isinstance(value, list) else ()
