from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import UnwritableError, UsageError
from sessionkit.ops.delivery import plan_file, write_file
from sessionkit.ops.outputs import Existing
from sessionkit.ops.sources import STDIN, find_one
from tests.ops.runs import files, mode

if TYPE_CHECKING:
    from pathlib import Path


def test_a_body_is_for_the_user_alone(tmp_path: Path) -> None:
    target = tmp_path / "new" / "body.json"
    assert write_file([b"{", b"", b"}"], target, Existing.KEEP) == 2
    assert target.read_bytes() == b"{}"
    assert (mode(target), mode(target.parent)) == (0o600, 0o700)


def test_a_body_that_cannot_be_finished_leaves_nothing(tmp_path: Path) -> None:
    def torn() -> object:
        yield b"{"
        raise UnwritableError("no")

    (tmp_path / "body.json").write_bytes(b"before")
    with pytest.raises(UnwritableError):
        write_file(torn(), tmp_path / "body.json", Existing.REPLACE)  # type: ignore[arg-type]
    assert files(tmp_path) == {"body.json": b"before"}


def test_where_a_body_goes(tmp_path: Path) -> None:
    session = tmp_path / "a.jsonl"
    session.write_bytes(b"{}\n")
    (tmp_path / "link").symlink_to(session)
    source = find_one(str(session))
    assert plan_file(source, STDIN) is None
    assert plan_file(source, tmp_path / "b.json") == tmp_path / "b.json"
    for name in ("a.jsonl", "link"):
        with pytest.raises(UsageError, match="this is the session"):
            plan_file(source, tmp_path / name)
    with pytest.raises(UsageError, match="the name of an archive"):
        plan_file(source, tmp_path / "b.json.gz")
    assert plan_file(find_one("-"), session) == session
