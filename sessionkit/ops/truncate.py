"""truncate: results of tools in JSON, cut as bytes: all but the texts that change stays as it was written."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from sessionkit.core.ecmajson import dumps
from sessionkit.core.edits import Edit, apply_edits
from sessionkit.core.files import unreadable
from sessionkit.core.jsonl import TooDeepError, loads
from sessionkit.core.media.tree import Array, Object, parse
from sessionkit.errors import Place, UnreadableError
from sessionkit.toolresult import NoResultError, Window, changes, event_view, extent_of, find_results
from sessionkit.toolresult.limits import Extent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sessionkit.core.media.tree import Forest, Node
    from sessionkit.core.model import Json
    from sessionkit.toolresult import Limits, Result
    from sessionkit.toolresult.prose import Steps

_INPUT = "standard input"
_PIECE = 1 << 20
_HINT = (
    "give a string, blocks, or an object that has them: a tool_result, a message of a tool, a function_call_output, a functionResponse, "
    "a toolResult, MCP's result, a hook's tool_response; of a line of a session the part that is one of these"
)

Tell: TypeAlias = "Callable[[str], None]"
"""Told, in a line, of what is beyond the limits and stays."""


def _silent(_line: str) -> None:
    pass


def truncate(raw: bytes, limits: Limits, tell: Tell = _silent) -> bytes:
    """Cut the results in a JSON text, or in each of several. Raises UnreadableError for what is no JSON, or no result.

    `tell` hears of what is beyond the limits and stays.
    """
    edits = [edit for root in _forest(raw).roots for edit in _edits(raw, root, limits, tell)]
    return b"".join(apply_edits(memoryview(raw), edits)) if edits else raw


def truncate_plain(pieces: Iterable[bytes], limits: Limits) -> bytes:
    """Cut a plain text; what is no UTF-8 in it stays as it is. No more of it is kept than what stays."""
    window = Window(limits)
    for piece in pieces:
        window.feed(piece)
    return window.cut()


def read_pieces() -> Iterator[bytes]:
    """Read standard input piece by piece. Raises UnreadableError."""
    try:
        with open(0, "rb", buffering=0, closefd=False) as stdin:
            while piece := stdin.read(_PIECE):
                yield piece
    except OSError as error:
        raise unreadable(_INPUT, error) from error


def show(raw: bytes, limits: Limits, spell: Callable[[str], str] = str) -> str:
    """Give the texts of the results alone, spelt as they are shown on a screen, and then cut. Raises the same."""
    shown = []
    for root in _forest(raw).roots:
        try:
            shown.append(event_view(_value(raw, root), limits, spell))
        except NoResultError as error:
            raise _no_result(raw, root) from error
    return "\n".join(shown)


def _forest(raw: bytes) -> Forest:
    forest = parse(raw)
    if forest.error is None and forest.roots:
        return forest
    line = raw.count(b"\n", 0, forest.error or 0) + 1
    what = f"no JSON{' behind a whole value' if forest.roots else ''}"
    raise UnreadableError(
        what, place=Place(_INPUT, line), why=forest.reason or "it is empty", hint="give blocks as JSON, or plain text with --text"
    )


def _value(raw: bytes, root: Node) -> Json:
    try:
        return cast("Json", loads(raw[root.start : root.stop]))
    except TooDeepError as error:
        raise UnreadableError("it is nested too deep", place=_place(raw, root), hint="give the blocks of one result") from error


def _edits(raw: bytes, root: Node, limits: Limits, tell: Tell) -> list[Edit]:
    try:
        results = find_results(_value(raw, root))
    except NoResultError as error:
        raise _no_result(raw, root) from error
    for result in results:
        _tell_of_rest(result, limits, tell)
    made = [change for result in results for change in changes(result, limits)]
    edits = _taken_out(root, list(dict.fromkeys(change.block for change in made if change.text is None)))
    edits += [_edit(root, change.spot.steps, change.text) for change in made if change.text is not None]
    return sorted(edits, key=lambda edit: edit.start)


def _edit(root: Node, steps: Steps, text: str) -> Edit:
    node = _node(root, steps)
    return Edit(node.start, node.stop, (dumps(text).encode(),))


def _tell_of_rest(result: Result, limits: Limits, tell: Tell) -> None:
    texts = extent_of(result)
    if result.has_media and not texts.fits(Extent(limits.bytes, limits.lines)):
        tell(f"a result with an image, or another medium, stays whole: {texts.bytes:,} bytes of text")
    elif result.other > limits.bytes:
        tell(f"{result.other:,} bytes of a result stay that are no text, such as short values, signatures and base64")


def _taken_out(root: Node, blocks: list[Steps]) -> list[Edit]:
    """Take out items, in their order, each with a comma: the one towards an item that stays."""
    edits = []
    leading: dict[Steps, int] = {}  # how many items of a list go before the first that stays
    for *above, at in blocks:
        holder = _node(root, tuple(above))
        assert isinstance(holder, Array)
        assert isinstance(at, int)
        items, first = holder.items, leading.get(tuple(above), 0)
        if first < at:
            edits.append(Edit(items[at - 1].stop, items[at].stop, ()))
        else:
            leading[tuple(above)] = at + 1
            edits.append(Edit(items[at].start, items[at + 1].start if at + 1 < len(items) else items[at].stop, ()))
    return edits


def _node(root: Node, steps: Steps) -> Node:
    """Follow a way; of members with one name the last counts, as it does for JSON's readers."""
    node = root
    for step in steps:
        match node:
            case Array(items=items):
                node = items[int(step)]
            case Object(members=members):
                node = next(member.value for member in reversed(members) if member.name == step)
    return node


def _no_result(raw: bytes, root: Node) -> UnreadableError:
    return UnreadableError("this is no result of a tool", place=_place(raw, root), hint=_HINT)


def _place(raw: bytes, root: Node) -> Place:
    return Place(_INPUT, raw.count(b"\n", 0, root.start) + 1)
