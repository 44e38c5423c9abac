from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.compaction.base import NoteKind, Nothing, Reason, Settings
from sessionkit.compaction.projection import Worth
from sessionkit.core.model import Role
from sessionkit.errors import UsageError
from sessionkit.ops.batch import Batch
from sessionkit.ops.compact import AUTO, Compacted, Fate, History, Images, Messages, Options, Others, Part, Show, Telling
from sessionkit.ops.estimate import ImageTokens
from sessionkit.ops.failed import Failed
from sessionkit.ops.targets import Mirror
from sessionkit.tokens.gates import PiGate, Reading
from tests.ops.previews import CONVERSATIONS, KEEPING, NAMES, RECORDED, compact_all, preview, recorded
from tests.ops.runs import FIXTURES, case_of, migrate_one, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ops.conftest import Feed


def test_a_recorded_session() -> None:
    found = recorded()
    assert found.cut
    assert found.turn_start
    assert (found.cut.index, found.cut.role, found.cut.origin.line, found.cut.origin.entry) == (16, Role.ASSISTANT, 18, "b8a156a0")
    assert (found.turn_start.index, found.turn_start.origin.line) == (5, 7)
    assert found.cut.says == "read(…)"
    assert found.turn_start.says.startswith("Compare the two pages and explain why the button hides the error text.")
    assert len(found.turn_start.says) == 200
    assert [(one.part, one.messages, one.tokens, one.images, one.media_bytes) for one in found.figures.portions] == [
        (Part.SYSTEM, 1, 0, 0, 0),
        (Part.HISTORY, 2, 2452, 2, 7676),
        (Part.PREFIX, 11, 6159, 5, 15808),
        (Part.KEPT, 13, 2572, 2, 27140),
    ]
    before = found.figures.before
    assert (before.tokens, before.context, before.images, before.media_bytes, before.wire_bytes) == (11_183, 1242, 9, 50_624, None)
    assert found.figures.input_tokens == 284
    assert (found.figures.after, found.figures.verdict) == (None, None)
    assert (found.figures.gone, found.figures.images_gone, found.figures.stays) == (8611, 7, 2572)
    assert (found.figures.cache.stable_messages, found.figures.cache.tokens_behind, found.figures.cache.first_changed) == (1, 11_183, 3)
    assert [note.kind for note in found.notes] == [NoteKind.NEWEST_MEDIA_SUMMARISED, NoteKind.MEDIA_WITHOUT_TRACE]


def test_a_summary_tells_what_is_left() -> None:
    after = recorded(summary="S" * 100).figures
    assert after.after
    assert (after.after.tokens, after.after.images, after.after.media_bytes, after.verdict) == (2572 + 25, 2, 27_140, Worth.SMALLER)
    assert after.after.context == 0  # recorded usage knew nothing of images


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("path", CONVERSATIONS, ids=case_of)
def test_parts_are_everything(path: Path, name: str) -> None:
    found = preview(path, strategy=name, settings=replace(KEEPING, keep_recent_tokens=50, keep_recent=1), profile="neutral", summary="")
    before, after = found.figures.before, found.figures.after
    assert sum(one.tokens for one in found.figures.portions) == before.tokens
    assert sum(one.images for one in found.figures.portions) == before.images
    assert all(sum(one.by_kind.values()) == one.tokens for one in found.figures.portions)
    assert all(one.bytes is not None and one.bytes > (one.media_bytes or 0) for one in found.figures.portions)
    assert found.figures.cache.stable_tokens + found.figures.cache.tokens_behind == before.tokens
    assert (after is None) == (found.reason is not None)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("path", CONVERSATIONS, ids=case_of)
def test_a_spilled_session_is_compacted_alike(path: Path, name: str, tmp_path: Path) -> None:
    telling = Telling(images=Images.NAMED, messages=Messages.LISTED, show=Show.INPUT)
    options = {"strategy": name, "settings": replace(KEEPING, keep_recent_tokens=50, keep_recent=1), "telling": telling}
    migrate_one(path, Mirror(tmp_path))
    one, other = preview(path, **options), preview(tmp_path / "session.jsonl", **options)
    assert one.figures == other.figures
    assert one.requests == other.requests or name == "qwen-split"
    assert [_told(cost) for cost in one.messages] == [_told(cost) for cost in other.messages]
    assert [_told(medium) for medium in one.media] == [_told(medium) for medium in other.media]


def _told(found: Any) -> list[object]:  # noqa: ANN401
    """All that is told of a message or a medium but its place."""
    return [getattr(found, name) for name in found.__slots__ if name not in {"at", "origin"}]


def test_nothing_to_do() -> None:
    found = recorded(settings=Settings(), summary="short", telling=Telling(images=Images.NAMED))
    assert isinstance(found.outcome, Nothing)
    assert (found.reason, found.cut, found.figures.after, found.requests) == (Reason.UNDER_BUDGET, None, None, ())
    assert {one.fate for one in found.media} == {Fate.KEPT}
    assert (found.figures.cache.stable_messages, found.figures.cache.tokens_behind) == (27, 0)
    assert recorded(strategy="microcompact", settings=Settings(keep_recent=99)).reason is Reason.NOTHING_TO_CLEAR


def test_all_strategies_side_by_side() -> None:
    found = recorded(telling=Telling(others=Others.COMPARED))
    assert recorded().compared == ()
    assert [(one.strategy, one.cut and one.cut.index, one.gone, one.stays, one.images) for one in found.compared] == [
        ("pi", 16, 8611, 2572, 2),
        ("my-pi", 5, 2452, 8731, 7),
        ("qwen-split", 21, 11_091, 92, 0),
        ("microcompact", None, 2396, 8787, 7),
        ("ink", 5, 2452, 8731, 7),
    ]
    assert [one.is_split for one in found.compared] == [True, False, False, False, False]
    assert found.compared[0].input_tokens == found.figures.input_tokens
    for one in found.compared:
        figures = recorded(strategy=one.strategy, profile="pi").figures
        assert (figures.gone, figures.stays) == (one.gone, one.stays)


def test_what_the_agent_did_itself() -> None:
    found = preview(RECORDED, telling=Telling(history=History.RECORDED))
    [one] = found.recorded
    assert (one.origin.line, one.first_kept, one.images_before, one.images_after) == (31, "b8a156a0", 9, 2)
    assert preview(RECORDED).recorded == ()


def test_each_message_is_told() -> None:
    found = recorded(telling=Telling(messages=Messages.LISTED))
    assert sum(one.tokens for one in found.messages) == found.figures.before.tokens
    assert sum(one.media_tokens for one in found.messages) == 9 * 1200
    assert [one.part for one in found.messages if one.at.role is not Role.META][:4] == [
        Part.SYSTEM,
        Part.HISTORY,
        Part.HISTORY,
        Part.PREFIX,
    ]


@pytest.mark.parametrize(
    ("path", "strategy"),
    [
        ("pi/session", "pi"),
        ("qwen-code/compacted", "qwen-split"),
        ("native/spilled", "my-pi"),
        ("ink/session", "ink"),
        ("codex/session", "pi"),
    ],
)
def test_the_strategy_of_its_agent(path: str, strategy: str) -> None:
    assert preview(FIXTURES / path / "session.jsonl", strategy=AUTO).strategy == strategy


def test_tokens_of_an_image_move_the_cut() -> None:
    """They count for the figures, too."""
    found = recorded(image_tokens=ImageTokens(10))
    assert isinstance(found.outcome, Nothing)
    assert found.figures.before.tokens == 11_183 - 9 * 1190


@pytest.mark.parametrize(
    ("options", "reading"),
    [
        ({}, Reading("watermark", 1242)),
        ({"window": 1000}, Reading("watermark", 1242, 1000, 800, fires=True)),
        ({"window": 1000, "profile": "codex"}, Reading("watermark", 1242, 1000, 800, fires=True)),
        ({"window": 20_000, "gate": PiGate()}, Reading("pi", 1242, 20_000, 3616, fires=False)),
    ],
)
def test_whether_the_agent_would_have_started(options: dict[str, Any], reading: Reading) -> None:
    assert recorded(**options).gate == reading


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"strategy": "best"}, "unknown strategy: best"),
        ({"profile": "best"}, "unknown profile: best"),
        ({"window": 0}, "bad window: 0"),
        ({"window": 16_384, "gate": PiGate()}, "a window of 16,384 tokens leaves no room"),
        ({"telling": Telling(show=Show.PROJECTION)}, "--show projection needs a summary"),
        ({"profile": "qwen", "image_tokens": ImageTokens(qwen="many")}, "bad value of QWEN_IMAGE_TOKEN_ESTIMATE"),
        ({"strategy": AUTO, "image_tokens": ImageTokens(qwen="many")}, "bad value of QWEN_IMAGE_TOKEN_ESTIMATE"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], what: str) -> None:
    with pytest.raises(UsageError, match=what):
        Options(**options)


def test_a_bad_setting_of_an_agent_that_does_not_count_is_nothing() -> None:
    Options(image_tokens=ImageTokens(qwen="many"))


def test_many_sessions(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", RECORDED.read_bytes())
    write(tmp_path / "b.jsonl", b"no session\n")
    results = compact_all([tmp_path], Options(settings=KEEPING), Batch(jobs=2, least=0))
    assert isinstance(results[0], Compacted)
    assert isinstance(results[1], Failed)
    assert results[0].figures == preview(tmp_path / "a.jsonl", settings=KEEPING).figures


def test_standard_input(standard_input: Feed) -> None:
    with standard_input(RECORDED.read_bytes()):
        found = preview("-", telling=Telling(images=Images.NAMED, history=History.RECORDED))
    assert (len(found.media), len(found.recorded)) == (3, 1)
