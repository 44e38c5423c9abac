"""Which agent wrote a session: every fixture folder is named for its format, and each rule has a row in a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from sessionkit.formats import FORMATS, Format, detect, read_head

FIXTURES = Path(__file__).parents[2] / "fixtures"
FORMAT_IDS = {book.id for book in FORMATS}
SESSIONS = [path for path in sorted(FIXTURES.glob("*/*/session.json*")) if path.parts[-3] in FORMAT_IDS]


def name(path: Path) -> str:
    return f"{path.parts[-3]}/{path.parts[-2]}"


def found(text: str | bytes) -> Format:
    return detect(read_head(text if isinstance(text, bytes) else text.encode()))


@pytest.mark.parametrize("session", SESSIONS, ids=name)
def test_fixture_is_of_the_format_that_names_its_folder(session: Path) -> None:
    assert found(session.read_bytes()).id == session.parts[-3]


@pytest.mark.parametrize("session", SESSIONS, ids=name)
def test_file_tells_the_same_as_its_bytes(session: Path) -> None:
    assert read_head(session) == read_head(session.read_bytes())


def test_every_format_has_a_fixture() -> None:
    assert {session.parts[-3] for session in SESSIONS} == FORMAT_IDS - {"unknown"}


def test_only_the_spilled_native_session_may_hold_references_in_its_place() -> None:
    readers = [name(session) for session in SESSIONS if found(session.read_bytes()).reads_references]
    assert readers == ["native/spilled"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"type":"session","id":"x"}', "pi"),
        ('{"type":"session","version":99,"id":"x","timestamp":"t"}', "pi"),
        ('{"type":"session","id":7}', "unknown"),
        ('{"type":"session","id":"x","created_at":"t","root_id":null}', "native"),
        ('{"kind":"header","version":4,"id":"x"}', "pi"),
        ('{"kind":"header","version":5,"id":"x"}', "unknown"),
        ('{"timestamp":"t","type":"session_meta","payload":{}}', "codex"),
        ('{"timestamp":"t","type":"a type of next year","payload":{}}', "codex"),
        ('{"timestamp":"t","type":"session_meta","payload":[]}', "unknown"),
        ('{"timestamp":1,"type":"message","payload":{}}', "unknown"),
        ('{"id":"x","timestamp":"t","instructions":null,"git":{}}\n{"type":"message","role":"user","content":[]}', "codex"),
        ('{"type":"reasoning"}\n{"id":"x","timestamp":"t","instructions":null}', "plain"),
        ('{"session":{"id":"x"},"items":[]}', "codex"),
        ('{"uuid":"u","parentUuid":null,"sessionId":"s","type":"tool_result"}', "qwen-code"),
        ('{"uuid":"u","parentUuid":null,"sessionId":"s","type":"system","systemPayload":null}', "qwen-code"),
        ('{"uuid":"u","parentUuid":null,"sessionId":"s","type":"user","isSidechain":false,"message":{"parts":[]}}', "qwen-code"),
        ('{"uuid":"u","sessionId":"s","type":"user","message":{"parts":[]}}', "unknown"),
        ('{"uuid":"u","parentUuid":null,"sessionId":"s","type":"user","isSidechain":false,"message":{"content":[]}}', "claude-code"),
        ('{"sessionId":"s","userType":"external"}', "claude-code"),
        ('{"sessionId":"s","type":"queue-operation"}', "claude-code"),
        ('{"sessionId":"s","type":"last-prompt"}', "claude-code"),
        ('{"sessionId":"s","type":"mode"}', "claude-code"),
        ('{"sessionId":"s","type":"permission-mode"}', "claude-code"),
        ('{"sessionId":"s","type":"ai-title"}', "claude-code"),
        ('{"sessionId":"s","type":"custom-title"}', "claude-code"),
        ('{"type":"mode"}', "unknown"),
        ('{"type":"a type of next year"}\n{"type":"file-history-snapshot","messageId":"m"}', "claude-code"),
        ('{"type":"summary","leafUuid":"u"}', "claude-code"),
        ('{"type":["mode"],"sessionId":"s"}', "unknown"),
        ('{"sessionId":"s","projectHash":"h"}', "gemini-cli"),
        ('{"sessionId":"s","projectHash":"h"}\n{"$set":{}}', "gemini-cli"),
        ('{"sessionId":"s","projectHash":"h"}\n{"id":"m","type":"warning"}', "gemini-cli"),
        ('{"sessionId":"s","projectHash":"h"}\n{"id":"m","type":"other"}', "unknown"),
        ('{"sessionId":"s","projectHash":"h","uuid":"u"}\n{"$set":{}}', "unknown"),
        ('{\n  "sessionId": "s",\n  "messages": [\n    {"role":"user","content":""}\n  ]\n}', "gemini-cli"),
        ('{\n  "history": [\n    {"role":"user","parts":[]}\n  ]\n}', "gemini-cli"),
        ('[\n  {"role":"user","parts":[]},\n  {"role":"model","parts":[]}\n]', "gemini-cli"),
        ('[\n  {"role":"user","content":""}\n]', "unknown"),
        ('{"type":"session_info","createdAt":"t"}', "native"),
        ('{"type":"sessionInfo","cwd":"/"}', "native"),
        ('{"type":"session_info","name":"a title"}', "unknown"),
        ('{"type":"label"}\n{"type":"session_info","cwd":"/"}', "unknown"),
        ('{"created_at":"t","current_id":"e"}', "native"),
        ('{"created_at":"t","root_id":"e","role":"user"}', "unknown"),
        ('{"created_at":"t","root_id":"e","type":"x"}', "unknown"),
        ('{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":""}}', "ink"),
        ('{"type":"message","id":"a","message":{"role":"user","content":""}}', "plain"),
        ('{"messages":[{"role":"user","content":""}]}', "plain"),
        ('{"messages":[{"role":"user"}],"type":"x"}', "unknown"),
        ('{"messages":[]}', "unknown"),
        ('{"role":"developer","content":null}', "plain"),
        ('{"role":"user","content":"","message":{}}', "unknown"),
        ('{"role":"toolResult","content":""}', "unknown"),
        ('{"role":"model","parts":[]}', "plain"),
        ('{"type":"image_generation_call","result":""}', "plain"),
        ('{"type":"custom_tool_call_output"}', "plain"),
        ('{"type":"reasoning","payload":{}}', "unknown"),
        ('{"custom_id":"1","body":{"model":"m","messages":[{"role":"user","content":""}]}}', "plain"),
        ('{"input":{"messages":[{"role":"user","content":""}]},"preferred_output":[]}', "plain"),
        ('{"request":{"contents":[{"role":"user","parts":[]}]}}', "plain"),
        ('{"level":"info","msg":"started"}', "unknown"),
        ("", "unknown"),
    ],
)
def test_rule(text: str, expected: str) -> None:
    assert found(text).id == expected


def test_storage_of_the_next_pi_is_known_but_left_alone() -> None:
    assert found('{"kind":"header","version":4}').unsupported
    assert not found('{"type":"session","version":3,"id":"x"}').unsupported


REFERENCE = '"type":"image","mime_type":"image/png","asset_path":"images/' + "0" * 64 + '.png","width":1,"height":1'


@pytest.mark.parametrize(
    ("block", "reads"),
    [
        (REFERENCE, True),
        (REFERENCE.replace("asset_path", "assetPath"), True),
        (REFERENCE + ',"asset_field":"data"', False),
        ('"type":"image","mime_type":"image/png","data":"AAAA"', False),
    ],
    ids=["the agent's own", "its camel-case alias", "one that migrate wrote", "inline"],
)
def test_native_session_reads_references_if_its_agent_wrote_one(block: str, reads: bool) -> None:
    text = '{"type":"session_info","cwd":"/"}\n{"type":"message","message":{"role":"user","content":[{' + block + "}]}}\n"
    assert found(text).reads_references is reads
