"""Laws of repairing, for any mixture of damage in any session: what can be cured is, nothing else changes, and all can be undone."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from sessionkit.core.files import Durability
from sessionkit.ops.batch import Batch
from sessionkit.ops.failed import Failed
from sessionkit.ops.outputs import Outcome
from sessionkit.ops.repair import Options, Plan, Repaired, Undone, UndoPlan
from sessionkit.ops.sources import Descent, find_sources
from sessionkit.ops.targets import InPlace, plan_transfers
from sessionkit.ops.writing import Writing
from tests.faults.workshop import RECORDED

if TYPE_CHECKING:
    from collections.abc import Callable

WRITING = Writing(durability=Durability.NO_SYNC)
SESSIONS = [path.read_bytes() for path in RECORDED if path.parts[-3] in {"claude-code", "pi", "codex", "gemini-cli", "qwen-code"}]

DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "nul bytes": lambda line: bytes(9) + line,
    "a byte order mark": lambda line: b"\xef\xbb\xbf" + line,
    "no line feed": lambda line: line.rstrip(b"\n"),
    "torn": lambda line: line[: len(line) // 2] + b"\n",
    "torn, and the next one glued on": lambda line: line[: len(line) // 2],
    "gone": lambda _: b"",
    "twice": lambda line: line * 2,
    "no UTF-8": lambda line: line.replace(b'"text":"', b'"text":"\xff\xfe', 1),
    "half a pair": lambda line: line.replace(b'"text":"', rb'"text":"\ud83d', 1),
    "an empty text": lambda line: line.replace(b'"content":[{', b'"content":[{"type":"text","text":""},{', 1),
    "another label": lambda line: line.replace(b"image/png", b"image/gif").replace(b"image/jpeg", b"image/png"),
    "a foreign label": lambda line: line.replace(b"image/png", b"image/x-foo"),
    "a foreign letter in base64": lambda line: line.replace(b"iVBOR", b"iV!OR").replace(b"/9j/", b"/9!/"),
    "a picture that is none": lambda line: line.replace(b"iVBORw0KGgo", b"PGh0bWw+PGI"),
    "base64 that ends too early": lambda line: _cut(line, b"iVBORw0KGgo"),
    "an empty picture": lambda line: line.replace(b'"data":"iVBOR', b'"data":"","was":"iVBOR'),
}


def _cut(line: bytes, head: bytes) -> bytes:
    at = line.find(head)
    end = line.find(b'"', at)
    return line if at < 0 else line[: at + (end - at) // 2 // 4 * 4] + line[end:]


@dataclass(frozen=True)
class Ill:
    """A session, by its number, and what is done to its lines."""

    number: int
    damages: tuple[tuple[int, str], ...]

    @property
    def content(self) -> bytes:
        lines = SESSIONS[self.number].splitlines(keepends=True)
        for at, name in self.damages:
            lines[at % len(lines)] = DAMAGES[name](lines[at % len(lines)])
        return b"".join(lines)


ill_sessions = st.builds(
    Ill,
    st.integers(0, len(SESSIONS) - 1),
    st.lists(st.tuples(st.integers(0, 99), st.sampled_from(sorted(DAMAGES))), min_size=1, max_size=4).map(tuple),
)


def repaired(path: Path) -> Repaired | Failed:
    sources = find_sources([str(path)], Descent.REFUSE_FOLDERS)
    (result,) = Plan(tuple(plan_transfers(sources, InPlace())), Options(writing=WRITING)).run(Batch())
    return result


@settings(max_examples=60, deadline=None)
@given(ill_sessions)
def test_what_can_be_cured_is_and_can_be_undone(ill: Ill) -> None:
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "session.jsonl"
        path.write_bytes(ill.content)
        os.utime(path, (1, 1))
        first = repaired(path)
        if isinstance(first, Failed):
            assert path.read_bytes() == ill.content
            return
        assert not [left for left in first.prognosis.left if left.why == "its cure did not help"]
        good = path.read_bytes()
        again = repaired(path)
        assert isinstance(again, Repaired)
        assert (again.outcome, again.prognosis.treated) == (Outcome.UNCHANGED, ())
        assert path.read_bytes() == good
        if first.outcome is Outcome.WRITTEN:
            (back,) = UndoPlan((first.transfer.source,), WRITING).run(Batch())
            assert isinstance(back, Undone), back
        assert path.read_bytes() == ill.content
