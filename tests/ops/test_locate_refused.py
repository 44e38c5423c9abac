"""Pictures are damaged in a session and in its request alike; what a strict provider says of the one must lead to a line of the other."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import pytest
from PIL import Image

from sessionkit.core.base64 import encode
from sessionkit.ops.conversations import Selection
from sessionkit.ops.locate import Certainty, Evidence, Located, Options, locate
from sessionkit.ops.sources import find_one
from tests.faults.media_bases import BMP, HTML
from tests.faults.workshop import RECORDED, Session
from tests.ops.refusing import INTERFACES, Sent, rehydrated, sent_by_client

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from sessionkit.faults.exhibits import Exhibit
    from sessionkit.ops.locate import Hit
    from tests.providers.strict.base import Refusal

    Damage: TypeAlias = Callable[[str, str], tuple[str, str]]


@dataclass(frozen=True)
class Recorded:
    """A request that a client sent: of the first `lines` of a session, or of the branch that ends with `leaf`."""

    wire: str
    case: str
    lines: int | None = None
    leaf: str | None = None

    def sent(self, folder: Path) -> Sent:
        return sent_by_client(self.wire, Session.recorded(self.case, self.lines), folder, self.leaf)


WIRES = [
    Recorded("claude-code-session-anthropic", "claude-code/session", leaf="da9c7af9-1933-4c45-a296-040d7685b9a6"),
    Recorded("claude-code-compacted-anthropic", "claude-code/compacted"),
    Recorded("codex-session-openai-responses", "codex/session"),
    Recorded("codex-compacted-openai-responses", "codex/compacted"),
    Recorded("pi-anthropic", "pi/session", leaf="94ffdd7a"),
    Recorded("pi-openai-chat", "pi/session", leaf="ca76dbc8"),
    Recorded("pi-openai-responses", "pi/session", leaf="d02af2bb"),
    Recorded("pi-gemini", "pi/session", leaf="e14ef23d"),
    Recorded("pi-compacted-openai-chat", "pi/compacted", leaf="a3d7d41f"),
    Recorded("qwen-code-before-compression-openai-chat", "qwen-code/compacted", lines=27),
    Recorded("qwen-code-compacted-openai-chat", "qwen-code/compacted"),
    Recorded("gemini-cli-session-gemini", "gemini-cli/session", lines=33),
    Recorded("gemini-cli-resumed-gemini", "gemini-cli/session"),
]
CASES = [f"{path.parts[-3]}/{path.parts[-2]}" for path in RECORDED if path.parts[-2] != "spilled"]


def text_of(data: bytes) -> str:
    return encode(data).decode()


def white(width: int, height: int) -> str:
    out = io.BytesIO()
    Image.new("1", (width, height), 1).save(out, "PNG")
    return text_of(out.getvalue())


WIDE, LARGE = white(9000, 20), white(7000, 4992)
DAMAGES: dict[str, Damage] = {
    "labelled otherwise": lambda label, text: ("image/png" if label != "image/png" else "image/webp", text),
    "a remark": lambda label, _: (label, "[image removed]"),
    "cut off": lambda label, text: (label, text[:41]),
    "empty": lambda label, _: (label, ""),
    "a page": lambda label, _: (label, text_of(HTML)),
    "half a picture": lambda label, text: (label, text[: len(text) // 8 * 4]),
    "a bitmap": lambda *_: ("image/bmp", text_of(BMP)),
    "too wide": lambda *_: ("image/png", WIDE),
    "too many patches": lambda *_: ("image/png", LARGE),
}


def found(folder: Path, session: Session, refusal: Refusal, leaf: str | None) -> Located:
    path = folder / "session.jsonl"
    path.write_bytes(session.content)
    return locate(find_one(str(path)), json.dumps(refusal.envelope), Options(selection=Selection(leaf=leaf)))


def is_at(hit: Hit, exhibit: Exhibit) -> bool:
    return hit.spot.line == exhibit.line and hit.spot.pointer.startswith(exhibit.block)


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.wire)
def test_one_damaged_picture(wire: Recorded, damage: Damage, tmp_path: Path) -> None:
    sent = wire.sent(tmp_path)
    assert check_one(sent, len(sent.exhibits) // 2, damage, tmp_path) is Certainty.ONE


LABELLED_BY_NAME = ("gemini-cli/session",)
"""Here a label is wrong already, and words without a place mean that one too."""


COUNTED_OTHERWISE = {("gemini-cli/session", "anthropic"), ("ink/parallel", "anthropic"), ("ink/parallel", "openai-chat")}
"""Here the numbers are not those of the session's agent: another picture may stand at the place that is named, which is told."""


@pytest.mark.parametrize("interface", INTERFACES)
@pytest.mark.parametrize("case", CASES)
def test_every_session_for_every_interface(case: str, interface: str, tmp_path: Path) -> None:
    sent = rehydrated(Session.recorded(case), tmp_path, interface)
    expected = (Certainty.ONE, Certainty.SEVERAL) if (case, interface) in COUNTED_OTHERWISE else (Certainty.ONE,)
    names = sorted(DAMAGES.keys() - {"labelled otherwise"} if case in LABELLED_BY_NAME else DAMAGES)
    for number in range(len(sent.exhibits)):
        assert check_one(sent, number, DAMAGES[names[number % len(names)]], tmp_path) in expected


def check_one(sent: Sent, number: int, damage: Damage, folder: Path) -> Certainty:
    """Whether what is found is the damaged one; tells how sure that is, at the least."""
    verdict = Certainty.ONE
    session, body = sent.damaged([(number, *damage(*sent.now(number)))])
    for refusal in sent.refused(body):
        located = found(folder, session, refusal, sent.leaf)
        verdict = verdict if located.answer.verdict is Certainty.ONE else located.answer.verdict
        (hit,) = located.answer.hits
        assert is_at(hit, sent.exhibits[number]), (refusal.message, hit)
    return verdict


NUMBERED: dict[str, tuple[Damage, Iterable[str]]] = {
    "labelled otherwise": (DAMAGES["labelled otherwise"], ["anthropic"]),
    "a remark": (DAMAGES["a remark"], ["anthropic", "openai-chat", "openai-responses", "gemini"]),
    "empty": (DAMAGES["empty"], ["anthropic", "openai-chat", "openai-responses"]),
    "a bitmap": (DAMAGES["a bitmap"], ["anthropic", "openai-chat", "openai-responses"]),
}
"""Damages whose place these interfaces name."""
TWICE = ("gemini-cli-resumed-gemini",)
"""Its client sends every result twice, and the session does not tell where."""


@pytest.mark.parametrize(("damage", "interfaces"), NUMBERED.values(), ids=NUMBERED)
@pytest.mark.parametrize("wire", [wire for wire in WIRES if wire.wire not in TWICE], ids=lambda wire: wire.wire)
def test_the_place_tells_damaged_pictures_apart(wire: Recorded, damage: Damage, interfaces: list[str], tmp_path: Path) -> None:
    """All pictures are damaged: only the numbers of the client's own request say which one is meant."""
    sent = wire.sent(tmp_path)
    session, body = sent.damaged((number, *damage(*sent.now(number))) for number in range(len(sent.exhibits)))
    refused = sent.refused(body) if sent.interface in interfaces else []
    assert len(refused) in {0, len(sent.exhibits)}
    for refusal, exhibit in zip(refused, sent.exhibits, strict=False):
        located = found(tmp_path, session, refusal, sent.leaf)
        assert located.answer.verdict is Certainty.ONE, (refusal.message, located.answer)
        (hit,) = located.answer.hits
        assert is_at(hit, exhibit), (refusal.message, hit)
        assert Evidence.PLACE in hit.evidence
        assert len(located.answer.others) < len(sent.exhibits)
