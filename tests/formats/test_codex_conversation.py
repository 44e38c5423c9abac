"""Codex: what the model sees of a rollout, held against what Codex sent, and of rollouts that are odd."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import zstandard

from sessionkit.core.model import Role, Usage
from sessionkit.errors import UsageError
from sessionkit.formats.codex import Codex
from tests.formats.outlines import JsonObject, outline, read, rebuild, skips
from tests.formats.wires import FIXTURES, LEFT_OUT, Piece, held, sent

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.core.model import Conversation

IMAGE: JsonObject = {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="}
THREADS = [f"0199b8f0-2d9a-7c33-8a1e-{number:012}" for number in range(3)]


def without_prompts(pieces: list[Piece]) -> list[Piece]:
    """Codex sends base instructions that it does not record to the letter; and the stand-ins of a message's texts are sent as one."""
    return [piece for piece in pieces if piece[1] != LEFT_OUT]


@pytest.mark.parametrize(
    ("case", "lines", "wire"),
    [("session", 43, "codex-session-openai-responses"), ("compacted", 77, "codex-compacted-openai-responses")],
)
def test_what_codex_sent_next(case: str, lines: int, wire: str, tmp_path: Path) -> None:
    rollout = tmp_path / "rollout.jsonl"
    content = (FIXTURES / "codex" / case / "session.jsonl").read_bytes()
    rollout.write_bytes(b"".join(content.splitlines(keepends=True)[:lines]))
    assert without_prompts(held(read(rollout, name=str(rollout)))) == without_prompts(sent(wire))


def test_base_instructions_come_first() -> None:
    first = read(FIXTURES / "codex" / "session" / "session.jsonl").messages[0]
    assert (first.role, first.origin.line, first.content[0].origin.pointer) == (Role.SYSTEM, 1, "/payload/base_instructions/text")


def test_rollback_to_before_a_compaction() -> None:
    assert outline(read(FIXTURES / "codex" / "rolled-back" / "session.jsonl")) == [
        "system: You are a coding agent.",
        "user/note: <environment_context>\n  <cwd>/home/user/project</cwd>\n</environment_context>",
        'user: <image name=[Image #1] path="/home/user/project/logo.png"> | <image image/png> | </image> | Is the logo sharp?',
        "assistant: (The edges look soft.)",
        "assistant: It is sharp.",
        "user: Open favicon.webp.",
        'assistant: open call_1 "favicon.webp"',
        "tool: call_1=<image image/webp>",
        "assistant: It shows a gradient.",
    ]


def test_bare_items_of_old_versions() -> None:
    assert outline(read(FIXTURES / "codex" / "old" / "session.jsonl")) == [
        "user: Compare it with the mock-up. | <image image/jpeg>",
        "assistant: ()",
        'assistant: shell call_1 {"command": ["ls"]}',
        'tool: call_1={"output":"mockup.jpg\\n","metadata":{"exit_code":0,"duration_seconds":0.1}}',
        "assistant: The margins differ.",
    ]


def line(type_: str, **payload: object) -> JsonObject:
    return {"timestamp": "t", "type": type_, "payload": payload}


def message(role: str, *content: object, kinds: list[str] | None = None) -> JsonObject:
    blocks = [{"type": "input_text", "text": block} if isinstance(block, str) else block for block in content]
    passed = {"internal_chat_message_metadata_passthrough": {"content_item_kinds": kinds}} if kinds else {}
    return line("response_item", type="message", role=role, content=blocks, **passed)


def user(*content: object, kinds: list[str] | None = None) -> JsonObject:
    return message("user", *content, kinds=kinds)


def answer(text: str) -> JsonObject:
    return message("assistant", text)


def event(type_: str, **more: object) -> JsonObject:
    return line("event_msg", type=type_, **more)


def rolled_back(count: object) -> JsonObject:
    return event("thread_rolled_back", num_turns=count)


def compacted(*items: JsonObject) -> JsonObject:
    return line("compacted", message="S", replacement_history=[item["payload"] for item in items])


OLD_COMPACTION = line("compacted", message="S")
TASK = event("task_started")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([user("1"), compacted(user("k", IMAGE)), user("2")], ["user: k | <image image/png>", "user: 2"]),
        ([user("1"), compacted(), user("2")], ["user: 2"]),
        ([user("1"), compacted(user("k")), compacted(user("l"))], ["user: l"]),
        (
            [user("<environment_context>"), user("1", IMAGE), user(IMAGE), answer("a"), OLD_COMPACTION, user("2")],
            ["user: 1", "user/note: S", "user: 2"],
        ),
        ([user("1"), OLD_COMPACTION, user("2"), OLD_COMPACTION], ["user: 1", "user: 2", "user/note: S"]),
        ([user("1"), line("compacted", message="S", replacement_history=None)], ["user: 1", "user/note: S"]),
        ([user("1"), compacted(user("S", kinds=["compaction.summary"]))], ["user/note: S"]),
    ],
)
def test_compactions(lines: list[JsonObject], told: list[str]) -> None:
    assert outline(rebuild(Codex(), *lines)) == told


@pytest.mark.parametrize(
    ("lines", "told", "skipped"),
    [
        ([user("1"), answer("a"), user("2"), answer("b"), rolled_back(1)], ["user: 1", "assistant: a"], []),
        ([user("1"), user("2"), user("3"), rolled_back(2), user("4")], ["user: 1", "user: 4"], []),
        ([user("1"), user("2"), rolled_back(1), rolled_back(1)], [], []),
        ([user("<environment_context>"), user("1"), rolled_back(1)], ["user/note: <environment_context>"], []),
        ([user("1"), rolled_back(3), user("2")], ["user: 2"], ["2: it rolls back 3 turns, of which 1 are here"]),
        ([user("1"), rolled_back(0)], ["user: 1"], []),
        ([user("1"), rolled_back("all")], ["user: 1"], []),
        ([user("1"), answer("a"), compacted(user("k")), user("2"), rolled_back(1)], ["user: k"], []),
        ([user("1"), answer("a"), compacted(user("k")), user("2"), rolled_back(2), user("3")], ["user: 3"], []),
        ([user("0"), user("1"), compacted(user("k")), user("2"), rolled_back(2)], ["user: 0"], []),
        ([user("1"), TASK, compacted(user("k")), user("2"), rolled_back(1)], ["user: 1"], []),
        ([user("1"), TASK, user("2"), compacted(user("k")), answer("b"), rolled_back(1)], ["user: 1"], []),
        ([user("1"), TASK, compacted(user("k")), TASK, user("2"), rolled_back(1)], ["user: k"], []),
        ([user("1", kinds=["user.text"]), user("2", kinds=["environments.environment_context"]), rolled_back(1)], [], []),
    ],
)
def test_rollbacks(lines: list[JsonObject], told: list[str], skipped: list[str]) -> None:
    conversation = rebuild(Codex(), *lines)
    assert (outline(conversation), skips(conversation)) == (told, skipped)


@pytest.mark.parametrize(
    ("entry", "told", "skipped"),
    [
        (event("user_message", message="hi", images=["data:image/png;base64,iVBORw0KGgo="]), [], []),
        (line("world_state", full=True), [], []),
        (line("shiny", x=1), [], ["1: entry of the unknown type shiny"]),
        ({"timestamp": "t"}, [], ["1: entry of the unknown type (none)"]),
        ({"record_type": "state"}, [], []),
        (line("session_meta", id="x", base_instructions={"text": ""}), [], []),
        (line("response_item", type="ghost_snapshot", ghost_commit={"id": "x"}), [], []),
        (line("response_item", type="message", role="wizard", content="x"), ["meta:"], ["1: message of the unknown role wizard"]),
        (
            line("response_item", type="web_search_call", action={"query": "q"}),
            ["assistant: ?web_search_call"],
            ["1: block of the unknown type web_search_call"],
        ),
        ({"session": {"id": "x"}, "items": [{"type": "message", "role": "user", "content": "old"}, 7]}, ["user: old"], []),
        ("not JSON: cut", [], ["1: not JSON: cut"]),
    ],
)
def test_odd_lines(entry: JsonObject | str, told: list[str], skipped: list[str]) -> None:
    conversation = rebuild(Codex(), entry)
    assert (outline(conversation), skips(conversation)) == (told, skipped)


def test_oldest_documents_are_pretty_printed(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    path.write_text(json.dumps({"session": {"id": "x"}, "items": [{"type": "message", "role": "user", "content": "old"}]}, indent=2))
    assert outline(read(path, name=str(path))) == ["user: old"]


def test_only_the_first_header_counts() -> None:
    headers = [line("session_meta", id=text, base_instructions={"text": text}) for text in ("first", "fork")]
    assert outline(rebuild(Codex(), *headers)) == ["system: first"]


def test_model_is_the_one_of_the_turn() -> None:
    lines = [
        line("session_meta", model_provider="mock"),
        line("turn_context", model="a"),
        answer("1"),
        line("turn_context", model="b"),
        answer("2"),
    ]
    models = [message.model for message in rebuild(Codex(), *lines).messages]
    assert [model and (model.provider, model.model) for model in models] == [("mock", "a"), ("mock", "b")]


def usages(conversation: Conversation) -> list[Usage | None]:
    return [message.usage for message in conversation.messages]


def test_usage_belongs_to_the_newest_item_of_the_model() -> None:
    usage = {"input_tokens": 10, "cached_input_tokens": 4, "output_tokens": 2, "total_tokens": 12}
    lines = [user("1"), answer("a"), user("2"), event("token_count", info={"last_token_usage": usage})]
    assert usages(rebuild(Codex(), *lines)) == [None, Usage(input=6, output=2, cache_read=4, total=12), None]


@pytest.mark.parametrize(
    "info", [None, {"last_token_usage": None}, {"last_token_usage": {"total_tokens": 0}}, {"total_token_usage": {"total_tokens": 9}}]
)
def test_no_usage(info: object) -> None:
    assert usages(rebuild(Codex(), answer("a"), event("token_count", info=info))) == [None]


def test_a_usage_from_before_a_compaction_is_gone_with_its_message() -> None:
    measured = event("token_count", info={"last_token_usage": {"input_tokens": 9, "total_tokens": 9}})
    assert usages(rebuild(Codex(), user("1"), answer("a"), measured, compacted(user("k")), measured)) == [None]


def test_estimate_of_codex_itself_is_marked() -> None:
    usage = read(FIXTURES / "codex" / "compacted" / "session.jsonl").messages[4].usage
    assert usage == Usage(total=6113, estimated=True)


def test_there_are_no_branches() -> None:
    with pytest.raises(UsageError, match="no branch ends with 'x'"):
        rebuild(Codex(), user("1"), leaf="x")


def rollout(folder: Path, thread: int, *lines: JsonObject, base: tuple[int, int] | None = None, name: str = ".jsonl") -> Path:
    """Write a rollout; `base` is the number of another one, and how many of its lines come first."""
    start = {"history_base": {"thread_id": THREADS[base[0]], "end_ordinal_exclusive": base[1], "end_byte_offset": 0}} if base else {}
    entries = [line("session_meta", id=THREADS[thread], base_instructions={"text": str(thread)}, **start), *lines]
    content = "".join(json.dumps(entry | {"ordinal": ordinal}) + "\n" for ordinal, entry in enumerate(entries)).encode()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"rollout-2026-01-02T03-04-05-{THREADS[thread]}{name}"
    path.write_bytes(zstandard.compress(content) if name.endswith(".zst") else content)
    return path


@pytest.mark.parametrize("name", [".jsonl", "_2.jsonl", ".jsonl.zst"])
def test_history_begins_in_another_rollout(name: str, tmp_path: Path) -> None:
    rollout(tmp_path, 0, user("1"), user("2"), user("3"), name=name)
    path = rollout(tmp_path, 1, user("4"), base=(0, 3))
    conversation = read(path, name=str(path))
    assert outline(conversation) == ["system: 1", "user: 1", "user: 2", "user: 4"]
    assert [THREADS[0] in message.origin.path for message in conversation.messages] == [False, True, True, False]


def test_bases_have_bases_in_folders_of_other_days(tmp_path: Path) -> None:
    rollout(tmp_path / "sessions/2026/01/01", 0, user("1"), user("2"))
    rollout(tmp_path / "sessions/2026/01/02", 1, user("3"), user("4"), base=(0, 2))
    path = rollout(tmp_path / "sessions/2026/01/03", 2, user("5"), base=(1, 2))
    assert outline(read(path, name=str(path))) == ["system: 2", "user: 1", "user: 3", "user: 5"]


@pytest.mark.parametrize("base", [0, 1], ids=["a file that is not here", "itself"])
def test_missing_base(base: int, tmp_path: Path) -> None:
    path = rollout(tmp_path, 1, user("2"), base=(base, 9))
    conversation = read(path, name=str(path))
    assert outline(conversation) == ["system: 1", "user: 2"]
    assert skips(conversation) == [f"1: the history before it is in thread {THREADS[base]}, whose rollout is not here"]


def test_bases_in_a_circle(tmp_path: Path) -> None:
    rollout(tmp_path, 0, user("1"), base=(1, 9))
    path = rollout(tmp_path, 1, user("2"), base=(0, 9))
    conversation = read(path, name=str(path))
    assert (outline(conversation), len(skips(conversation))) == (["system: 1", "user: 1", "user: 2"], 1)
