"""truncate: results of tools in JSON, cut as bytes: all but the texts that change stays as it was written."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from sessionkit.core.ecmajson import dumps
from sessionkit.core.edits import Edit, apply_edits
from sessionkit.core.files import unreadable
from sessionkit.core.jsonl import TooDeepError, loads
from sessionkit.core.media.tree import Array, Object, parse
from sessionkit.errors import Place, UnreadableError
from sessionkit.toolresult import Keep, NoResultError, changes, cut_text, event_view, find_results

if TYPE_CHECKING:
    from sessionkit.core.media.tree import Forest, Node
    from sessionkit.core.model import Json
    from sessionkit.toolresult import Change, Limits
    from sessionkit.toolresult.results import Steps

_INPUT = "standard input"


def truncate(raw: bytes, limits: Limits) -> bytes:
    """Cut the results in a JSON text, or in each of several. Raises UnreadableError for what is no JSON, or no result."""
    edits = [edit for root in _forest(raw).roots for edit in _edits(raw, root, limits)]
    return b"".join(apply_edits(memoryview(raw), edits)) if edits else raw


def truncate_plain(raw: bytes, limits: Limits) -> bytes:
    """Cut a plain text; what is no UTF-8 in it stays as it is, and takes three bytes of the limit."""
    return cut_text(raw.decode(errors="surrogateescape"), limits).encode(errors="surrogateescape")


def read_input() -> bytes:
    """Read all of standard input. Raises UnreadableError."""
    try:
        with open(0, "rb", closefd=False) as stdin:
            return stdin.read()
    except OSError as error:
        raise unreadable(_INPUT, error) from error


def show(raw: bytes, limits: Limits) -> str:
    """Give the texts of the results alone, cut, as they are shown on a screen. Raises the same."""
    shown = []
    for root in _forest(raw).roots:
        try:
            shown.append(event_view(_value(raw, root), limits))
        except NoResultError as error:
            raise _no_result(raw, root) from error
    return "\n".join(shown)


def _forest(raw: bytes) -> Forest:
    forest = parse(raw)
    if forest.error is None and forest.roots:
        return forest
    line = raw.count(b"\n", 0, forest.error or 0) + 1
    why = forest.reason or "it is empty"
    raise UnreadableError("no JSON", place=Place(_INPUT, line), why=why, hint="give blocks as JSON, or plain text with --text")


def _value(raw: bytes, root: Node) -> Json:
    try:
        return cast("Json", loads(raw[root.start : root.stop]))
    except TooDeepError as error:
        raise UnreadableError("it is nested too deep", place=_place(raw, root), hint="give the blocks of one result") from error


def _edits(raw: bytes, root: Node, limits: Limits) -> list[Edit]:
    try:
        results = find_results(_value(raw, root))
    except NoResultError as error:
        raise _no_result(raw, root) from error
    made = [_edit(root, change, limits.keep) for result in results for change in changes(result, limits)]
    return sorted(made, key=lambda edit: edit.start)


def _edit(root: Node, change: Change, keep: Keep) -> Edit:
    if change.text is None:
        return Edit(*_taken_out(root, change.spot.block or (), keep), ())
    node = _node(root, change.spot.steps)
    return Edit(node.start, node.stop, (dumps(change.text).encode(),))


def _taken_out(root: Node, block: Steps, keep: Keep) -> tuple[int, int]:
    """Find an item with its comma: the one towards the item that was cut, which stays."""
    *above, at = block
    holder = _node(root, tuple(above))
    assert isinstance(holder, Array)
    assert isinstance(at, int)
    items = holder.items
    if keep is Keep.HEAD:
        return items[at - 1].stop, items[at].stop
    return items[at].start, items[at + 1].start


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
    hint = "give a string, a list of blocks, or an object whose content they are"
    return UnreadableError("this is no result of a tool", place=_place(raw, root), hint=hint)


def _place(raw: bytes, root: Node) -> Place:
    return Place(_INPUT, raw.count(b"\n", 0, root.start) + 1)
