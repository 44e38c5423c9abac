from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.core.pictures import Depth
from sessionkit.errors import UsageError
from sessionkit.ops.conversations import Selection
from sessionkit.ops.rehydrate import Extent, Fitting
from sessionkit.ops.rehydrate.options import Options
from sessionkit.ops.targets import Mirror
from sessionkit.providers import IDS, PROVIDERS, VARIANTS, provider_of
from sessionkit.providers.base import Cache, Style, Tool
from sessionkit.providers.body import Layout
from sessionkit.providers.layouts import layout_of
from sessionkit.providers.limits import Rule
from sessionkit.providers.replay import Bad, Choices, Missing
from sessionkit.providers.vision import Vision, read_catalog
from tests.formats.wires import LEFT_OUT
from tests.ops.bodies import image, make, pi, refuse, text
from tests.ops.runs import FIXTURES, case_of, migrate_one, png, restore_one, write
from tests.pictures import picture

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ops.conftest import Feed

WHOM = [*IDS, *(f"{whole}/{variant}" for variant, whole in VARIANTS.items())]
REAL = [FIXTURES / agent / "session" / "session.jsonl" for agent in ("pi", "claude-code", "codex", "gemini-cli")]
PI = FIXTURES / "pi" / "session" / "session.jsonl"


def user(*content: object) -> dict[str, object]:
    return {"role": "user", "content": list(content)}


def answer(words: str, model: str = "claude-opus-5", provider: str = "anthropic", api: str = "anthropic-messages") -> dict[str, object]:
    return {"role": "assistant", "content": [text(words)], "provider": provider, "api": api, "model": model, "stopReason": "stop"}


@pytest.mark.parametrize("session", REAL, ids=case_of)
def test_inline_spilled_and_restored_are_the_same_bytes(session: Path, tmp_path: Path) -> None:
    inline = tmp_path / "inline" / "session.jsonl"
    inline.parent.mkdir()
    shutil.copyfile(session, inline)
    migrate_one(inline, Mirror(tmp_path / "spilled"))
    restore_one(tmp_path / "spilled" / "session.jsonl", Mirror(tmp_path / "restored"))
    for whom in WHOM:
        bodies = [make(tmp_path / kind / "session.jsonl", whom) for kind in ("inline", "spilled", "restored", "inline")]
        assert len({body.raw for body in bodies}) == 1
        assert bodies[0].result.verdict.size == len(bodies[0].raw)
        assert b"images/" not in bodies[1].raw


def test_another_process_gives_the_same_bytes() -> None:
    code = "import sys; from tests.ops.bodies import make\nfor whom in sys.argv[2:]: sys.stdout.buffer.write(make(sys.argv[1], whom).raw)"
    words = [sys.executable, "-c", code, str(PI), *WHOM]
    seeds = ({**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(FIXTURES.parent)} for seed in ("1", "2"))
    first, second = (subprocess.run(words, env=seed, check=True, capture_output=True).stdout for seed in seeds)
    assert first == second == b"".join(make(PI, whom).raw for whom in WHOM)


def test_the_shelf_is_complete() -> None:
    assert [provider.id for provider in PROVIDERS] == [*IDS[:3], *VARIANTS, *IDS[3:]]
    for provider in PROVIDERS:
        known = [provider.id] if provider.id in IDS else [VARIANTS[provider.id], provider.id]
        assert type(provider_of(*known)) is type(provider)


@pytest.mark.parametrize(("words", "said"), [(["openai"], "unknown provider: openai"), (["gemini", "codex-responses"], "has no variant")])
def test_what_is_not_on_the_shelf(words: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said) as refused:
        provider_of(*words)
    assert "codex-responses" in refused.value.hint or all(name in refused.value.hint for name in IDS)


MODELS = [
    ("the newest of the interface", "anthropic", None, ("anthropic", "claude-sonnet-5", True)),
    ("an older one that is named", "anthropic", "claude-opus-5", ("elsewhere", "claude-opus-5", True)),
    ("one that the session never had", "anthropic", "claude-haiku-5", ("anthropic", "claude-haiku-5", True)),
    ("one of another interface", "openai-chat", "claude-opus-5", ("openai", "claude-opus-5", True)),
    ("none", "gemini", None, ("google", "", True)),
]


@pytest.mark.parametrize(("provider", "model", "expected"), [row[1:] for row in MODELS], ids=[row[0] for row in MODELS])
def test_whom_it_is_for(tmp_path: Path, provider: str, model: str | None, expected: tuple[str, str, bool]) -> None:
    older = answer("I", provider="elsewhere")
    session = pi(tmp_path, user(text("Hi")), older, user(text("and")), answer("We", "claude-sonnet-5"), answer("x", "gpt-5", "o", "other"))
    made = make(session, provider, model=model)
    target = made.result.target
    assert (target.vendor, target.model, target.sees) == expected
    assert target.api == made.result.provider.api
    assert any("name one with --model" in note.option for note in made.result.notes) is (target.model == "")


def test_codex_talks_to_its_own_host() -> None:
    session = FIXTURES / "codex" / "session" / "session.jsonl"
    assert make(session, "openai-responses/codex-responses").result.target.model == "gpt-5.2-codex"
    assert make(session, "openai-responses").result.target.model == "gpt-5.2-codex"


CATALOG = read_catalog(
    [{"provider": "anthropic", "id": "claude-opus-5", "input": ["text"]}, {"provider": "x", "id": "gpt-3.5", "input": ["image"]}]
)
SEEING = [
    ("no model is named", {}, True),
    ("a prefix", {"model": "claude-sonnet-5"}, True),
    ("a prefix of a blind one", {"model": "gpt-3.5"}, False),
    ("nobody knows it", {"model": "mystery"}, False),
    ("the catalogue knows better", {"model": "claude-opus-5", "catalog": CATALOG}, False),
    ("the catalogue knows another", {"model": "gpt-3.5", "catalog": CATALOG}, False),
    ("the user knows best", {"model": "claude-opus-5", "catalog": CATALOG, "vision": Vision.YES}, True),
    ("the user wants none", {"vision": Vision.NO}, False),
]


@pytest.mark.parametrize(("options", "sees"), [row[1:] for row in SEEING], ids=[row[0] for row in SEEING])
def test_whether_it_sees(tmp_path: Path, options: dict[str, Any], sees: bool) -> None:
    made = make(pi(tmp_path, user(text("Look"), image(png(3)))), **options)
    assert made.result.target.sees is sees
    assert [len(made.result.verdict.media), made.raw.count(b"model does not support images")] == ([1, 0] if sees else [0, 1])
    assert any("nobody here knows" in note.text for note in made.result.notes) is (options.get("model") == "mystery")


def test_fields_replace_members_and_come_last() -> None:
    made = make(PI, "anthropic", fields={"max_tokens": 9, "metadata": {"user_id": "u"}, "big": 2**70})
    assert made.parsed["max_tokens"] == 9
    assert list(made.parsed)[-2:] == ["metadata", "big"]
    assert b'"big":1180591620717411303424' in made.raw
    assert made.result.verdict.size == len(made.raw)


def test_system_and_tools_for_a_session_without(tmp_path: Path) -> None:
    choices = Choices(system="Be brief.", tools=(Tool("read", "Reads", {"type": "object"}),))
    made = make(pi(tmp_path, user(text("Hi"))), choices=choices, style=Style(cache=Cache.MARK))
    assert made.parsed["system"] == [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]
    assert [tool["name"] for tool in made.parsed["tools"]] == ["read"]
    assert make(PI, choices=choices).parsed["system"][0]["text"] != "Be brief."


def test_another_branch() -> None:
    leaf = "16006c7e"
    made = make(PI, "gemini", selection=Selection(leaf=leaf))
    assert len(made.messages) < len(make(PI, "gemini").messages)


def test_pieces() -> None:
    made = make(PI, "openai-chat")
    with_all = b"".join(made.result.body.write(made.result.pictures.base64))
    assert with_all == made.raw
    messages = b"".join(made.result.pieces(Extent.MESSAGES))
    assert messages in made.raw
    assert json.loads(messages) == made.messages
    pretty = b"".join(made.result.pieces(Extent.ALL, Layout.INDENTED))
    assert json.loads(pretty) == made.parsed
    assert pretty.startswith(b'{\n  "model"')


@pytest.mark.parametrize(
    "pack", [gzip.compress, lambda data: subprocess.run(["zstd", "-qc"], input=data, check=True, capture_output=True).stdout]
)
def test_archives(tmp_path: Path, pack: object) -> None:
    assert callable(pack)
    suffix = ".gz" if pack is gzip.compress else ".zst"
    packed = write(tmp_path / f"session.jsonl{suffix}", pack(PI.read_bytes()))
    assert make(packed).raw == make(PI).raw


def test_standard_input(standard_input: Feed) -> None:
    with standard_input(PI.read_bytes()):
        assert make("-").raw == make(PI).raw


def test_every_medium_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    session = pi(tmp_path / "home", user(image(png(1))), answer("I"), user(image(png(2)), image(png(3))))
    migrate_one(session, Mirror(tmp_path / "out"))
    spilled = tmp_path / "out" / "session.jsonl"
    missing, torn, _ = re.findall("images/[0-9a-f]{64}.png", spilled.read_text())
    (tmp_path / "out" / missing).unlink()
    (tmp_path / "out" / torn).write_bytes(b"torn")
    result = refuse(spilled)
    assert [(fault.origin.line, fault.origin.entry, fault.origin.pointer) for fault in result.faults] == [
        (2, "a", "/message/content/0"),
        (4, "c", "/message/content/0"),
    ]
    assert [fault.text.split(": ")[1] for fault in result.faults] == ["missing", "corrupt"]
    made = make(spilled, choices=Choices(missing=Missing.PLACEHOLDER))
    assert made.raw.count(b"[image unavailable: ") == 2
    assert len(made.result.notes) == 2


def test_a_type_that_is_not_taken_is_a_breach_unless_chosen_otherwise(tmp_path: Path) -> None:
    session = pi(tmp_path, user(text("Look"), image(picture("BMP"), "image/bmp")), answer("I"))
    made = make(session)
    assert [excess.rule for excess in made.result.verdict.breaches] == [Rule.TYPE]
    assert made.messages[0]["content"][1]["source"]["media_type"] == "image/bmp"
    assert b"[image unavailable: " in make(session, choices=Choices(bad=Bad.PLACEHOLDER)).raw
    assert len(refuse(session, choices=Choices(bad=Bad.REFUSE)).faults) == 1


def test_fitting(tmp_path: Path) -> None:
    wide, bmp = image(picture("PNG", size=(9001, 120))), image(picture("BMP"), "image/bmp")
    session = pi(tmp_path, user(text("Look"), wide, bmp), answer("I"), user(text("And?")))
    before = session.read_bytes()
    assert {excess.rule for excess in make(session).result.verdict.breaches} == {Rule.SIDE, Rule.TYPE}
    made = make(session, fitting=Fitting.SHRINK)
    assert made.result.verdict.breaches == ()
    blocks = made.messages[0]["content"]
    assert [block.get("text", "").partition(":")[0] or block["source"]["media_type"] for block in blocks] == [
        "Look",
        "[Image",
        "image/png",
        "[Image",
        "[Image converted from image/bmp to image/png.]",
        "image/png",
    ]
    assert len(made.result.notes) == 2
    assert session.read_bytes() == before
    assert make(PI, fitting=Fitting.SHRINK).raw == make(PI).raw


def test_broken_pixels_are_found_by_decoding(tmp_path: Path) -> None:
    data = picture("PNG", size=(100, 100))
    broken = data[:60] + bytes(20) + data[80:]
    session = pi(tmp_path, user(text("Look"), image(broken)))
    assert make(session).result.verdict.breaches == ()
    [fault] = refuse(session, depth=Depth.PIXELS).faults
    assert "unreadable" in fault.text


CLIENTS = [
    ("claude-code", "claude-code/session", "anthropic", "claude-code-session-anthropic"),
    ("claude-code", "claude-code/compacted", "anthropic", "claude-code-compacted-anthropic"),
    ("codex", "codex/session", "openai-responses", "codex-session-openai-responses"),
    ("codex", "codex/compacted", "openai-responses", "codex-compacted-openai-responses"),
    ("pi", "pi/session", "anthropic", "pi-anthropic"),
    ("pi", "pi/session", "openai-chat", "pi-openai-chat"),
    ("pi", "pi/session", "gemini", "pi-gemini"),
]


@pytest.mark.parametrize(("client", "session", "provider", "wire"), CLIENTS, ids=[row[3] for row in CLIENTS])
def test_numbers_are_those_of_the_requests_that_clients_sent(client: str, session: str, provider: str, wire: str) -> None:
    made = make(FIXTURES / session / "session.jsonl", provider, client=layout_of(client))
    sent = json.loads((FIXTURES / "wires" / f"{wire}.json").read_text())[made.result.provider.list_name]
    compared = 0
    for message, shift in zip(made.messages, made.shifts, strict=True):
        if shift.index < len(sent):
            ours = _texts(message)
            theirs = _texts(sent[shift.index])[shift.blocks :][: len(ours)]
            assert theirs in (ours, [LEFT_OUT])
            compared += ours == theirs
    assert compared >= len(sent) // 2


def _texts(message: dict[str, object]) -> list[str]:
    """Texts of the blocks, one for each; what is no text is empty."""
    blocks = message.get("content") or message.get("parts") or message.get("output")
    if not isinstance(blocks, list):
        return [str(blocks).rstrip()]
    return [str(block.get("text", "")).rstrip() for block in blocks]


def test_options_of_the_library_are_those_of_the_command() -> None:
    assert Options(provider_of("gemini")).choices == Choices(bad=Bad.KEEP)
