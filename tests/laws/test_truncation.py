"""Whatever is cut: it is within the limits, of the same shape, and nothing else has changed."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from sessionkit.ops.truncate import truncate, truncate_plain
from sessionkit.toolresult import Keep, Limits, cut_text, event_view, message_view

if TYPE_CHECKING:
    from sessionkit.core.model import Json

LINES = st.lists(st.text(st.characters(exclude_categories=[]), max_size=40) | st.sampled_from(["", "é🖼" * 30, "x" * 300]), max_size=40)
TEXTS = LINES.map("\n".join)
LIMITS = st.builds(Limits, st.integers(256, 1500), st.integers(2, 20), st.sampled_from(Keep))
BLOCKS = st.lists(
    TEXTS
    | st.builds(lambda text: {"type": "text", "text": text, "n": 1}, TEXTS)
    | st.just({"type": "other", "a": [1, "b"]})
    | st.just({"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}),
    max_size=5,
)
RESULTS = st.one_of(
    TEXTS,
    BLOCKS,
    st.builds(lambda content: {"type": "tool_result", "content": content, "is_error": False}, TEXTS | BLOCKS),
    st.builds(lambda output: {"type": "function_call_output", "output": output}, TEXTS | BLOCKS),
)

DEEP = st.lists(
    BLOCKS
    | st.builds(lambda content: {"type": "search_result", "title": "a", "content": content}, BLOCKS)
    | st.builds(lambda text: {"type": "resource", "resource": {"uri": "a", "text": text}}, TEXTS)
    | st.builds(lambda log, text: {"log": log, "list": [text, {"text": log}], "id": text}, TEXTS, TEXTS),
    max_size=5,
)
DEEP_RESULTS = st.builds(lambda content, more: {"content": content, "structuredContent": more}, DEEP | BLOCKS, DEEP | TEXTS)


def blocks_of(result: Any) -> list[Any]:  # noqa: ANN401  any JSON
    match result:
        case {"content": content} | {"output": content}:
            return blocks_of(content)
        case list():
            return result
        case _:
            return [result]


def texts_of(result: Any) -> list[str]:  # noqa: ANN401
    return [block if isinstance(block, str) else block["text"] for block in blocks_of(result) if isinstance(block, str) or "text" in block]


def is_within(texts: list[str], limits: Limits) -> bool:
    size = sum(len(text.encode("utf-8", "surrogatepass")) - 2 * len(re.findall("[\udc80-\udcff]", text)) for text in texts)
    return size <= limits.bytes and sum(len(text.split("\n")) - (text[-1:] in {"", "\n"}) for text in texts) <= limits.lines


def has_image(result: object) -> bool:
    return any(isinstance(block, dict) and block.get("type") == "image" for block in blocks_of(result))


@given(RESULTS, LIMITS)
def test_a_result_is_within_its_limits_or_shows_an_image(result: Json, limits: Limits) -> None:
    cut = message_view(result, limits)
    if has_image(result) or is_within(texts_of(result), limits):
        assert cut == result
    else:
        assert is_within(texts_of(cut), limits)
        assert sum("[Truncated: the " in text for text in texts_of(cut)) > 0
    others = [block for block in blocks_of(result) if isinstance(block, dict) and "text" not in block]
    assert [block for block in blocks_of(cut) if isinstance(block, dict) and "text" not in block] == others
    assert message_view(cut, limits) == cut
    assert is_within([event_view(result, limits)], Limits(limits.bytes + 5, limits.lines + 5))


@given(RESULTS | DEEP_RESULTS, LIMITS, st.booleans())
def test_bytes_are_cut_like_values(result: Json, limits: Limits, ascii_only: bool) -> None:
    raw = json.dumps(result, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    cut = truncate(raw, limits)
    expected = message_view(json.loads(raw.decode("utf-8", "surrogateescape")), limits)
    assert json.loads(cut.decode("utf-8", "surrogateescape")) == expected
    assert cut == raw or expected != result
    assert truncate(cut, limits) == cut


@given(TEXTS, LIMITS)
def test_what_is_left_is_an_end_of_the_text(text: str, limits: Limits) -> None:
    cut = cut_text(text, limits)
    if cut != text and limits.keep is Keep.HEAD:
        kept, _, note = cut.rpartition("[Truncated: the last ")
        assert text.startswith(kept.removesuffix("\n"))
    elif cut != text:
        note, _, kept = cut.partition("\n")
        assert text.endswith(kept)
    else:
        note = " left out.]"
    assert note.endswith(" left out.]")


@given(st.lists(st.binary(max_size=300) | st.sampled_from([b"\n", b"\x1b[31m", b"\xc3\xa9" * 40]), max_size=12), LIMITS)
def test_plain_text_of_any_bytes(pieces: list[bytes], limits: Limits) -> None:
    cut, raw = truncate_plain(pieces, limits), b"".join(pieces)
    assert len(cut) <= limits.bytes or cut == raw
    assert cut == raw or b"[Truncated: the " in cut
    assert cut.endswith(b"\n") is raw.endswith(b"\n") or limits.keep is Keep.TAIL
