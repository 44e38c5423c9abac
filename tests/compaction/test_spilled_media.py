"""Whether the media of a session are in its lines or beside it changes nothing that is told of them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from sessionkit.compaction.base import Marker, Settings
from sessionkit.compaction.microcompact import Microcompact
from sessionkit.compaction.recorded import find_recorded
from sessionkit.compaction.slimming import strip
from sessionkit.compaction.tombstones import Tombstones
from sessionkit.core.entries import read_entries
from sessionkit.core.pictures import Pictures
from sessionkit.core.stores.local import LocalStore
from sessionkit.core.streams import open_source
from sessionkit.formats import detect, read_head
from sessionkit.ops.targets import Mirror
from tests.formats.outlines import read
from tests.ops.runs import FIXTURES, age, migrate_one

CASES = ["pi/compacted", "claude-code/compacted", "codex/compacted", "qwen-code/compacted", "gemini-cli/session", "native/generation-b"]


@pytest.mark.parametrize("case", CASES)
def test_both_tell_the_same(case: str, tmp_path: Path) -> None:
    inline = age(Path(shutil.copy(FIXTURES / case / "session.jsonl", tmp_path)))
    spilled = migrate_one(inline, Mirror(tmp_path / "spilled")).transfer.target
    assert spilled
    assert told(spilled, tmp_path) == told(inline, tmp_path)


def told(session: Path, folder: Path) -> list[object]:
    messages = read(session, name="session.jsonl").messages
    lines = Tombstones(Pictures(LocalStore(folder / "spilled" / "images")).look).lines(messages, len(messages))
    with open_source(session) as stream:
        recorded = find_recorded(detect(read_head(session)), read_entries(stream), "session.jsonl")
    cleared = Microcompact().plan(messages, Settings(keep_recent=1))
    assert lines
    assert all("sha256" in line for line in lines)
    # Only a spilled picture that nobody has named is in a file.
    bare = [re.sub(r'file="images/[^"]*", | Use read\("images/[^"]*"\) to re-inspect', "", line) for line in lines]
    return [strip(messages, Marker.MIME), bare, recorded, cleared.cleared]
