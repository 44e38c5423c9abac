from __future__ import annotations

import gzip
import json
import shutil
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.base64 import encode, encoded_size
from sessionkit.core.model import Conversation, Inline, Media, MediaKind, Message, Role, Shell, Text
from sessionkit.errors import RefusedError, UnreadableError
from sessionkit.ops.batch import Batch
from sessionkit.ops.estimate import ALL, AUTO, By, Dimensions, Estimated, ImageTokens, NoteKind, Options, Over, Plan
from sessionkit.ops.estimate.wire import json_bytes
from sessionkit.ops.failed import Failed
from sessionkit.ops.sources import Descent, find_sources
from sessionkit.ops.targets import Mirror
from sessionkit.tokens.gates import PiGate, Watermark
from tests.ops.runs import AT_ONCE, FIXTURES, SESSIONS, case_of, large_bmp, message, migrate_one, png, write
from tests.pictures import images

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tests.ops.conftest import Feed

RECORDED = FIXTURES / "pi" / "session" / "session.jsonl"
CONVERSATIONS = [path for path in SESSIONS if path.name == "session.jsonl" and path.parts[-3] not in {"hostile", "shapes"}]


def estimate_all(paths: Iterable[Path | str], options: Options | None = None, batch: Batch = AT_ONCE) -> list[Estimated | Failed]:
    sources = find_sources(map(str, paths), Descent.RECURSIVE)
    return list(Plan(tuple(sources), options or Options()).run(batch))


def estimate(path: Path | str, options: Options | None = None) -> Estimated:
    [result] = estimate_all([path], options)
    assert isinstance(result, Estimated), result
    return result


def session(folder: Path, *messages: object) -> Path:
    """A session of Pi."""
    entries: list[object] = [{"type": "session", "version": 3, "id": "s", "cwd": "/"}]
    for number, content in enumerate(messages):
        parent = str(number - 1) if number else None
        entries.append({"type": "message", "id": str(number), "parentId": parent, "message": content})
    return write(folder / "session.jsonl", b"".join(json.dumps(entry).encode() + b"\n" for entry in entries))


def chat(folder: Path, image_url: object) -> Path:
    """A message as OpenAI takes it."""
    line = said("user", {"type": "image_url", "image_url": image_url})
    return write(folder / "session.jsonl", json.dumps(line).encode())


def image(data: bytes, **members: object) -> object:
    return {"type": "image", "data": encode(data).decode(), "mimeType": "image/png", **members}


def text(text: str) -> object:
    return {"type": "text", "text": text}


def said(role: str, *content: object, **members: object) -> object:
    return {"role": role, "content": list(content), **members}


def test_a_recorded_session_by_every_profile() -> None:
    found = estimate(RECORDED, Options(profile=ALL))
    assert {one.profile: one.total for one in found.profiles} == {
        "neutral": 11_183,
        "pi": 11_183,
        "my-pi": 11_970,
        "qwen": 15_006,
        "codex": 17_034,
        "claude": 18_373,
        "gemini": 27_524,
        "measured": 11_183,
    }
    assert found.count.profile == "neutral"


@pytest.mark.parametrize("path", CONVERSATIONS, ids=case_of)
@pytest.mark.parametrize("dimensions", [None, Dimensions(provider="anthropic")])
def test_spilling_changes_nothing(path: Path, dimensions: Dimensions | None, tmp_path: Path) -> None:
    copy = tmp_path / "home" / "session.jsonl"
    shutil.copytree(path.parent, copy.parent)
    options = Options(profile=ALL, dimensions=dimensions)
    inline = estimate(copy, options)
    migrate_one(copy, Mirror(tmp_path / "out"))
    shutil.copytree(copy.parent, tmp_path / "out", dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.jsonl"))
    spilled = estimate(tmp_path / "out" / "session.jsonl", options)
    assert spilled.profiles == inline.profiles
    assert spilled.count.by_kind() == inline.count.by_kind()
    assert (spilled.wire, spilled.base64_as_text, spilled.media.base64) == (inline.wire, inline.base64_as_text, inline.media.base64)
    assert spilled.media.images == inline.media.images


def test_a_packed_session_says_the_same(tmp_path: Path) -> None:
    packed = write(tmp_path / "session.jsonl.gz", gzip.compress(RECORDED.read_bytes()))
    found, plain = estimate(packed), estimate(RECORDED)
    assert (found.count.total, found.wire, found.media) == (plain.count.total, plain.wire, plain.media)


def test_standard_input(standard_input: Feed) -> None:
    options = Options(dimensions=Dimensions(model="claude-opus-5-5"))
    with standard_input(RECORDED.read_bytes()):
        found = estimate("-", options)
    assert (found.format, found.notes) == ("pi", ())
    assert (found.count.by_kind(), found.wire) == (estimate(RECORDED, options).count.by_kind(), estimate(RECORDED).wire)


def test_recorded_usage_and_what_came_after(tmp_path: Path) -> None:
    answer = said("assistant", text("abcd"), usage={"input": 900, "output": 100}, stopReason="stop")
    found = estimate(session(tmp_path, said("user", text("x" * 400)), answer, said("user", text("x" * 40))))
    assert (found.count.total, found.count.context, found.count.trailing) == (111, 1010, 10)
    assert found.count.anchor is not None
    assert found.count.anchor.index == 1


def test_rows_add_up_to_the_total() -> None:
    count = estimate(RECORDED).count
    assert {by: sum(row.tokens for row in count.rows(by)) for by in By} == dict.fromkeys(By, count.total)
    assert [row.key for row in count.rows(By.KIND)][:2] == ["images", "text"]
    assert [row.key for row in count.rows(By.ROLE)] == ["tool", "user", "assistant", "system"]
    first = count.rows(By.MESSAGE)[1]
    assert (first.key, first.tokens, first.origin and first.origin.line) == ("3", 2435, 5)


def test_media_and_what_base64_as_text_would_have_said(tmp_path: Path) -> None:
    found = estimate(session(tmp_path, said("user", text("abcd"), image(large_bmp())), said("user", text("ab"))))
    size = encoded_size(len(large_bmp()))
    assert (found.media.images, found.media.documents, found.media.spilled, found.media.base64) == (1, 0, 0, size)
    assert found.count.total == 1 + 1200 + 1
    assert found.base64_as_text == 2 + -(-size // 4)
    assert found.wire is not None
    assert size < found.wire < size + 300


def test_a_missing_asset_leaves_bytes_unknown(tmp_path: Path) -> None:
    migrate_one(session(tmp_path / "home", said("user", image(png(0)))), Mirror(tmp_path / "out"))
    shutil.rmtree(tmp_path / "out/images")
    found = estimate(tmp_path / "out" / "session.jsonl")
    assert (found.media.base64, found.wire, found.base64_as_text) == (None, None, None)
    assert [note.kind for note in found.notes] == [NoteKind.BYTES_UNKNOWN]
    assert found.count.total == 1200


def test_assets_may_lie_elsewhere(tmp_path: Path) -> None:
    migrate_one(session(tmp_path / "home", said("user", image(png(0)))), Mirror(tmp_path / "out"))
    shutil.move(tmp_path / "out/images", tmp_path / "elsewhere")
    found = estimate(tmp_path / "out" / "session.jsonl", Options(store=tmp_path / "elsewhere"))
    assert found.media.base64 == encoded_size(len(png(0)))


# A picture of 29 by 40 pixels takes 2 · 2 patches of Claude, and of GPT 1 · 2 patches times 1.2.
PRICES = [
    (Dimensions(model="claude-opus-5-5"), "", 4),
    (Dimensions(model="gpt-5.4"), "", 3),
    (Dimensions(provider="gemini"), "", 1120),
    (Dimensions(provider="gemini", model="claude-opus-5-5"), "", 4),
    (Dimensions(), "claude-haiku-4-5", 4),
    (Dimensions(), "mock", None),
    (Dimensions(), "", None),
]


@pytest.mark.parametrize(("dimensions", "model", "price"), PRICES)
def test_images_by_their_pixels(dimensions: Dimensions, model: str, price: int | None, tmp_path: Path) -> None:
    reply = said("assistant", text(""), **({"model": model} if model else {}))
    found = estimate(session(tmp_path, said("user", image(png(28))), reply), Options(dimensions=dimensions))
    assert found.count.total == (price or 1200)
    assert [note.kind for note in found.notes] == ([] if price else [NoteKind.MODEL_UNKNOWN])


def test_a_detail_that_the_session_asks_for(tmp_path: Path) -> None:
    url = f"data:image/png;base64,{encode(png(28)).decode()}"
    found = estimate(chat(tmp_path, {"url": url, "detail": "low"}), Options(dimensions=Dimensions(model="gpt-4o")))
    assert found.count.total == 85


def test_an_address_tells_no_pixels(tmp_path: Path) -> None:
    found = estimate(chat(tmp_path, {"url": "https://x/y.png"}), Options(dimensions=Dimensions(model="gpt-4o")))
    assert (found.count.total, [note.kind for note in found.notes]) == (1200, [NoteKind.SIZE_UNKNOWN])


PIXELS = [
    ("the bytes go before the record", image(png(28), width=2000, height=2000), 4, []),
    ("the record where bytes tell nothing", image(b"no picture", width=56, height=56), 4, []),
    ("far behind a colour profile", image(images()["jpeg colour profile"][1]), 2, []),
    ("the constant where nothing does", image(b"no picture"), 1200, [NoteKind.SIZE_UNKNOWN]),
]


@pytest.mark.parametrize(("block", "tokens", "notes"), [case[1:] for case in PIXELS], ids=[case[0] for case in PIXELS])
def test_pixels(block: object, tokens: int, notes: list[NoteKind], tmp_path: Path) -> None:
    options = Options(dimensions=Dimensions(model="claude-opus-5-5"))
    inline = session(tmp_path, said("user", block))
    migrate_one(inline, Mirror(tmp_path / "out"))
    for path in (inline, tmp_path / "out" / "session.jsonl"):
        found = estimate(path, options)
        assert (found.count.total, [note.kind for note in found.notes]) == (tokens, notes)


GATES = [
    (Options(window=13_979), 11_183, False),
    (Options(window=13_978), 11_182, True),
    (Options(window=20_000, gate=Watermark(Fraction(1, 2))), 10_000, True),
    (Options(window=20_000, gate=PiGate(reserve=1000)), 19_000, False),
    (Options(), None, None),
]


@pytest.mark.parametrize(("options", "threshold", "fires"), GATES)
def test_gates(options: Options, threshold: int | None, fires: bool | None, tmp_path: Path) -> None:
    lines = [line for line in RECORDED.read_bytes().splitlines() if b'"type":"compaction"' not in line]
    unbilled = write(
        tmp_path / "session.jsonl", b"\n".join(lines).replace(b'"totalTokens":', b'"unknown":').replace(b'"usage":', b'"cost":')
    )
    found = estimate(unbilled, options)
    assert (found.gate.threshold, found.gate.fires, found.gate.tokens, found.fails) == (threshold, fires, 11_183, False)
    if options.window:
        assert estimate(unbilled, replace(options, over=Over.FAIL)).fails is fires


def test_image_tokens_reach_the_profile(tmp_path: Path) -> None:
    path = session(tmp_path, said("user", image(png(0))))
    found = estimate(path, Options(profile=ALL, image_tokens=ImageTokens(qwen="7", config=9)))
    totals = {one.profile: one.total for one in found.profiles}
    assert (totals["neutral"], totals["qwen"], totals["codex"], found.count.constant) == (9, 7, 9, 9)


@pytest.mark.parametrize("path", [path for path in CONVERSATIONS if path.parts[-3] == "qwen-code"], ids=case_of)
def test_auto_is_the_agents_own_way(path: Path) -> None:
    assert estimate(path, Options(profile=AUTO)).count.profile == "qwen"


def test_results_come_in_the_order_of_the_sources(tmp_path: Path) -> None:
    strange = write(tmp_path / "b.jsonl", b'{"what":"ever"}\n')
    sound, missing = write(tmp_path / "c.jsonl", message(png(0))), tmp_path / "a.jsonl"
    first, second, third = estimate_all([missing, strange, sound], batch=Batch(jobs=2, least=0))
    assert isinstance(first, Failed)
    assert isinstance(first.error, UnreadableError)
    assert isinstance(second, Failed)
    assert isinstance(second.error, RefusedError)
    assert "pi, codex, qwen-code, claude-code, gemini-cli, native, ink, plain" in second.error.why
    assert isinstance(third, Estimated)
    assert (third.source.path, third.count.total) == (sound, 1200)


def test_bytes_of_a_request() -> None:
    """Counted against the request that is meant, without its base64."""
    picture = Media(MediaKind.IMAGE, Inline("AAAA"), "image/png")
    messages = (
        Message(Role.USER, (Text("é"), picture)),
        Message(Role.META, (Text("never sent"),)),
        Message(Role.USER, (Shell("ls", "a\n"), Shell("secret", "", excluded=True))),
    )
    sent = (
        '{"name":"read"},'
        '{"role":"user","content":[{"type":"text","text":"é"},'
        '{"type":"image","source":{"type":"base64","media_type":"image/png","data":""}}]},'
        '{"role":"user","content":[{"type":"text","text":"lsa\\n"}]},'
    )
    assert json_bytes(Conversation("plain", messages, tools=({"name": "read"},))) == len(sent.encode())
