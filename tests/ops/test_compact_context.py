from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.compaction.base import Cleared, NoteKind, Settings
from sessionkit.compaction.projection import Worth
from sessionkit.core.model import Role
from sessionkit.ops.compact import Fate, Images, Options, Part, Show, Telling, Tombstoned, compacting
from sessionkit.ops.rehydrate import Options as Sending
from sessionkit.ops.rehydrate import Rehydrated, rehydrate
from sessionkit.ops.targets import Mirror
from tests.ops.previews import BEFORE, KEEPING, LOGIN, PROVIDER, RECORDED, preview, recorded, source
from tests.ops.runs import migrate_one

if TYPE_CHECKING:
    from pathlib import Path


def test_the_fate_of_every_picture() -> None:
    """The first picture is still shown by what is kept, so that no tombstone is needed."""
    found = recorded(telling=Telling(images=Images.NAMED), tombstones=Tombstoned())
    fates = [(one.fate, one.part, one.sha256[:8], one.origin.line) for one in found.media if one.sha256]
    assert fates == [
        (Fate.STRIPPED, Part.HISTORY, "54bc7323", 5),
        (Fate.TOMBSTONE, Part.HISTORY, "d5743985", 5),
        (Fate.STRIPPED, Part.PREFIX, "54bc7323", 9),
        (Fate.TOMBSTONE, Part.PREFIX, "d5743985", 11),
        (Fate.TOMBSTONE, Part.PREFIX, "5c5bcbf4", 13),
        (Fate.TOMBSTONE, Part.PREFIX, "e69acb1d", 15),
        (Fate.TOMBSTONE, Part.PREFIX, "f4edf4d6", 17),
        (Fate.KEPT, Part.KEPT, "ecc5fcd7", 19),
        (Fate.KEPT, Part.KEPT, "54bc7323", 21),
    ]
    assert found.media[1].tombstone.startswith('[Image Tombstone: file="/home/user/project/dash.jpg", 160x120, sha256="d5743985')
    assert (found.media[0].media_type, found.media[0].bytes, found.media[0].tombstone) == ("image/png", 3022, "")


@pytest.mark.parametrize(("tombstones", "expected"), [(None, 0), (Tombstoned(0), 0), (Tombstoned(1), 1), (Tombstoned(3), 3)])
def test_only_the_newest_get_tombstones(tombstones: Tombstoned | None, expected: int) -> None:
    found = recorded(telling=Telling(images=Images.NAMED), tombstones=tombstones)
    assert len({one.tombstone for one in found.media if one.fate is Fate.TOMBSTONE}) == expected


def test_old_payloads_are_cleared() -> None:
    telling = Telling(images=Images.NAMED, show=Show.PROJECTION)
    found = recorded(strategy="microcompact", settings=Settings(keep_recent=1), telling=telling)
    assert isinstance(found.outcome, Cleared)
    assert [one.fate for one in found.media] == [Fate.CLEARED, Fate.KEPT, *[Fate.CLEARED] * 6, Fate.KEPT]
    assert [(one.part, one.images) for one in found.figures.portions] == [(Part.SYSTEM, 0), (Part.CLEARED, 8), (Part.KEPT, 1)]
    assert found.figures.after
    assert (found.figures.after.images, found.figures.verdict, found.figures.cache.first_changed) == (2, Worth.SMALLER, 3)
    assert found.projected
    assert (found.projected.messages, found.projected.boundary) == (found.outcome.messages, None)


def test_what_was_cleared_can_have_tombstones() -> None:
    found = recorded(
        strategy="microcompact",
        settings=Settings(keep_recent=1, compactable=frozenset()),
        telling=Telling(images=Images.NAMED, show=Show.PROJECTION),
        tombstones=Tombstoned(),
    )
    lines = {one.tombstone for one in found.media if one.fate is Fate.TOMBSTONE}
    assert lines
    assert found.projected
    assert all(line in repr(found.projected.messages) for line in lines)


def test_what_the_model_would_get() -> None:
    assert recorded().requests == ()
    found = recorded(telling=Telling(show=Show.INPUT))
    assert len(found.requests) == 2
    assert "[Tool result]: Read image file [image/webp]" in found.requests[1]


def test_the_context_afterwards() -> None:
    found = recorded(summary="What was done.", telling=Telling(show=Show.PROJECTION))
    assert recorded(summary="What was done.").projected is None
    assert found.projected
    assert found.projected.boundary
    assert (found.projected.boundary.epoch, found.projected.boundary.kept_from) == (1, 16)
    assert [message.role for message in found.projected.messages[:2]] == [Role.SYSTEM, Role.COMPACTION]
    assert [message.role for message in found.projected.sent[:2]] == [Role.SYSTEM, Role.USER]
    assert "What was done." in found.projected.wire


def test_a_long_summary_is_worse_than_none() -> None:
    found = recorded(settings=Settings(keep_recent_tokens=11_000), strategy="qwen-split", profile="neutral", summary="s" * 60_000)
    assert found.figures.verdict is Worth.INFLATED
    assert NoteKind.INFLATED in [note.kind for note in found.notes]


@pytest.mark.parametrize("summary", [None, "What was done."])
def test_bytes_of_a_whole_request(summary: str | None) -> None:
    found = recorded(provider=PROVIDER, summary=summary)
    with rehydrate(source(RECORDED), Sending(PROVIDER, selection=BEFORE)) as body:
        assert isinstance(body, Rehydrated)
        assert found.figures.before.wire_bytes == body.verdict.size == sum(map(len, body.pieces()))
    assert found.request_limit == 512_000_000
    after = found.figures.after
    assert (after is None) == (summary is None)
    assert after is None or (after.media_bytes or 0) < (after.wire_bytes or 0) < body.verdict.size


def test_the_body_of_the_next_request() -> None:
    options = Options(
        settings=KEEPING, selection=BEFORE, provider=PROVIDER, summary="What was done.", telling=Telling(show=Show.PROJECTION)
    )
    with compacting(source(RECORDED), options) as opened:
        body = opened.body()
        assert isinstance(body, Rehydrated)
        written = b"".join(body.pieces())
        assert opened.compacted.figures.after
        assert len(written) == opened.compacted.figures.after.wire_bytes
        assert b"<summary>\\nWhat was done.\\n</summary>" in written
        assert opened.viewer.view(opened.compacted.outcome.stripped[0]).sha256 == LOGIN  # type: ignore[union-attr]
    with compacting(source(RECORDED), replace(options, provider=None)) as opened:
        assert opened.body() is None


def test_a_missing_asset(tmp_path: Path) -> None:
    migrate_one(RECORDED, Mirror(tmp_path))
    (tmp_path / "images" / f"{LOGIN}.png").unlink()
    found = preview(tmp_path / "session.jsonl", settings=KEEPING, provider=PROVIDER, telling=Telling(images=Images.NAMED))
    assert (found.figures.before.media_bytes, found.figures.before.wire_bytes) == (None, None)
    assert {NoteKind.BYTES_UNKNOWN, NoteKind.NOT_SENT} <= {note.kind for note in found.notes}
    [lost] = [one for one in found.media if one.bytes is None]
    assert (lost.sha256, lost.trouble) == (LOGIN, "missing")
