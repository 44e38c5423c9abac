"""Results as vendors and agents write them: which of their texts are cut, and which stay whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.toolresult import Keep, Limits, NoResultError, event_view, message_view

if TYPE_CHECKING:
    from sessionkit.core.model import Json

FEW = Limits(lines=3)
LONG = "1\n2\n3\n4\n5\n"
CUT = "1\n2\n[Truncated: the last 6 of 10 bytes (3 of 5 lines) are left out.]"
PNG = "iVBORw0KGgo="


def text(words: str) -> Json:
    return {"type": "text", "text": words}


ANTHROPIC: Json = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
SHAPES: dict[str, tuple[Json, Json]] = {
    "a string": (LONG, CUT),
    "a list of strings": ([LONG], [CUT]),
    "blocks": ([text(LONG)], [text(CUT)]),
    "one block": (text(LONG), text(CUT)),
    "part of Gemini": ([{"text": LONG}], [{"text": CUT}]),
    "parts of Responses": ([{"type": "input_text", "text": LONG}], [{"type": "input_text", "text": CUT}]),
    "tool_result, string": (
        {"type": "tool_result", "tool_use_id": "t", "content": LONG, "is_error": False},
        {"type": "tool_result", "tool_use_id": "t", "content": CUT, "is_error": False},
    ),
    "tool_result, blocks": ({"type": "tool_result", "content": [text(LONG)]}, {"type": "tool_result", "content": [text(CUT)]}),
    "tool message": ({"role": "tool", "tool_call_id": "c", "content": LONG}, {"role": "tool", "tool_call_id": "c", "content": CUT}),
    "toolResult": ({"role": "toolResult", "content": [text(LONG)]}, {"role": "toolResult", "content": [text(CUT)]}),
    "results of one message": (
        {"role": "toolResult", "results": [{"callId": "a", "content": LONG}, {"callId": "b", "content": [text(LONG)]}]},
        {"role": "toolResult", "results": [{"callId": "a", "content": CUT}, {"callId": "b", "content": [text(CUT)]}]},
    ),
    "function_call_output": (
        {"type": "function_call_output", "call_id": "c", "output": LONG},
        {"type": "function_call_output", "call_id": "c", "output": CUT},
    ),
    "functionResponse": (
        {"functionResponse": {"name": "f", "response": {"output": LONG}}},
        {"functionResponse": {"name": "f", "response": {"output": CUT}}},
    ),
    "function_response": (
        [{"function_response": {"name": "f", "response": {"error": LONG}}}],
        [{"function_response": {"name": "f", "response": {"error": CUT}}}],
    ),
    "MCP": ({"content": [text(LONG)], "isError": True}, {"content": [text(CUT)], "isError": True}),
    "MCP, structured": (
        {"content": [text("1\n")], "structuredContent": {"n": 1, "log": LONG, "id": "a"}},
        {
            "content": [text("1\n")],
            "structuredContent": {"n": 1, "log": "1\n[Truncated: the last 8 of 12 bytes (4 of 6 lines) are left out.]", "id": "a"},
        },
    ),
    "MCP, an answer": (
        {"jsonrpc": "2.0", "id": 1, "result": {"content": [text(LONG)]}},
        {"jsonrpc": "2.0", "id": 1, "result": {"content": [text(CUT)]}},
    ),
    "MCP, a resource": (
        [{"type": "resource", "resource": {"uri": "a", "text": LONG}}, {"type": "resource", "resource": {"uri": "b", "text": ""}}],
        [{"type": "resource", "resource": {"uri": "a", "text": CUT}}],
    ),
    "search_result": (
        [{"type": "search_result", "source": "a", "title": "b", "content": [text(LONG), text("")]}],
        [{"type": "search_result", "source": "a", "title": "b", "content": [text(CUT)]}],
    ),
    "document": (
        [{"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": LONG}}],
        [{"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": CUT}}],
    ),
    "document of blocks": (
        [{"type": "document", "source": {"type": "content", "content": [text(LONG)]}}],
        [{"type": "document", "source": {"type": "content", "content": [text(CUT)]}}],
    ),
    "among what an assistant says": (
        {
            "role": "assistant",
            "content": [{"type": "bash_code_execution_tool_result", "content": {"stdout": LONG, "stderr": "", "content": []}}],
        },
        {
            "role": "assistant",
            "content": [{"type": "bash_code_execution_tool_result", "content": {"stdout": CUT, "stderr": "", "content": []}}],
        },
    ),
    "shell_call_output": (
        {"type": "shell_call_output", "output": [{"stdout": LONG, "stderr": "", "outcome": {"type": "exit"}}]},
        {"type": "shell_call_output", "output": [{"stdout": CUT, "stderr": "", "outcome": {"type": "exit"}}]},
    ),
    "functionResponse, deep": (
        {"functionResponse": {"name": "f", "response": {"result": [LONG, "9"], "data": {"text": "10"}}}},
        {
            "functionResponse": {
                "name": "f",
                "response": {
                    "result": ["1\n2\n[Truncated: the last 9 of 13 bytes (5 of 7 lines) are left out.]", ""],
                    "data": {"text": ""},
                },
            }
        },
    ),
    "functionResponse, data": (
        {"functionResponse": {"name": "f", "response": {"data": f"a, b\n{LONG}", "blob": "QUJD\n" * 9}}},
        {
            "functionResponse": {
                "name": "f",
                "response": {
                    "data": CUT.replace("1\n2", "a, b\n1").replace("6 of 10", "8 of 15").replace("3 of 5", "4 of 6"),
                    "blob": "QUJD\n" * 9,
                },
            }
        },
    ),
    "functionResponse, bare": ({"name": "f", "response": {"output": LONG}}, {"name": "f", "response": {"output": CUT}}),
    "codeExecutionResult": (
        [{"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": LONG}}],
        [{"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": CUT}}],
    ),
    "toolResult of Bedrock": (
        {"role": "user", "content": [{"toolResult": {"toolUseId": "t", "content": [{"text": LONG}]}}, {"text": LONG}]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": "t", "content": [{"text": CUT}]}}, {"text": LONG}]},
    ),
    "tool-result": (
        [{"type": "tool-result", "toolName": "f", "output": {"type": "text", "value": LONG}}],
        [{"type": "tool-result", "toolName": "f", "output": {"type": "text", "value": CUT}}],
    ),
    "what a hook is told": (
        {
            "hook_event_name": "PostToolUse",
            "tool_input": {"command": LONG},
            "tool_response": {"stdout": LONG, "stderr": "", "isImage": False},
        },
        {
            "hook_event_name": "PostToolUse",
            "tool_input": {"command": LONG},
            "tool_response": {"stdout": CUT, "stderr": "", "isImage": False},
        },
    ),
    "what a hook is told, a string": ({"tool_response": LONG}, {"tool_response": CUT}),
    "not ids and signatures": (
        [{"type": "x", "encrypted_content": LONG, "requestId": LONG, "thoughtSignature": LONG, "log": LONG}],
        [{"type": "x", "encrypted_content": LONG, "requestId": LONG, "thoughtSignature": LONG, "log": CUT}],
    ),
    "each result by itself": (
        [{"type": "tool_result", "content": LONG}, {"type": "tool_result", "content": LONG}],
        [{"type": "tool_result", "content": CUT}, {"type": "tool_result", "content": CUT}],
    ),
    "not what the user says": (
        {"role": "user", "content": [{"type": "tool_result", "content": LONG}, text(LONG)]},
        {"role": "user", "content": [{"type": "tool_result", "content": CUT}, text(LONG)]},
    ),
    "among messages": (
        [{"role": "user", "content": LONG}, {"role": "assistant", "content": [text(LONG)]}, {"role": "tool", "content": LONG}],
        [{"role": "user", "content": LONG}, {"role": "assistant", "content": [text(LONG)]}, {"role": "tool", "content": CUT}],
    ),
    "content of Gemini": (
        {"role": "user", "parts": [{"functionResponse": {"response": {"output": LONG}}}, {"text": LONG}]},
        {"role": "user", "parts": [{"functionResponse": {"response": {"output": CUT}}}, {"text": LONG}]},
    ),
    "not what a model says": ({"content": {"role": "model", "parts": [text(LONG)]}}, {"content": {"role": "model", "parts": [text(LONG)]}}),
    "blocks of other types stay": ([text(LONG), {"type": "citation", "n": 1}], [text(CUT), {"type": "citation", "n": 1}]),
    "texts behind the cut go": (
        [text("1\n"), text(LONG), {"type": "x"}, text("9"), text("10")],
        [text("1\n"), text("1\n[Truncated: the last 11 of 15 bytes (6 of 8 lines) are left out.]"), {"type": "x"}],
    ),
    "no content": ({"role": "tool", "content": None}, {"role": "tool", "content": None}),
    "nothing": ([], []),
}
IMAGES: dict[str, Json] = {
    "Anthropic": ANTHROPIC,
    "Anthropic, a URL": {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}},
    "Anthropic, a document": {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}},
    "Pi": {"type": "image", "data": PNG, "mimeType": "image/png"},
    "native": {"type": "image", "asset_path": f"images/{'0' * 64}.png", "mime_type": "image/png"},
    "chat": {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
    "Responses": {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}"},
    "Gemini": {"inlineData": {"mimeType": "image/png", "data": PNG}},
    "Gemini, a file": {"fileData": {"mimeType": "image/png", "fileUri": "files/1"}},
    "MCP, a resource": {"type": "resource", "resource": {"uri": "a", "mimeType": "image/png", "blob": PNG}},
    "Bedrock": {"image": {"format": "png", "source": {"bytes": PNG}}},
    "AI SDK": {"type": "media", "data": PNG, "mediaType": "image/png"},
    "what a hook is told": {"type": "x", "file": {"base64": PNG, "type": "image/png"}},
    "a string": {"stdout": f"data:image/png;base64,{PNG}"},
}


@pytest.mark.parametrize("name", SHAPES)
def test_texts_are_cut_in_their_shape(name: str) -> None:
    result, expected = SHAPES[name]
    before = repr(result)
    assert message_view(result, FEW) == expected
    assert repr(result) == before


@pytest.mark.parametrize("name", IMAGES)
def test_a_result_with_an_image_stays_whole(name: str) -> None:
    results: list[Json] = [[text(LONG), IMAGES[name]], {"type": "tool_result", "content": [IMAGES[name], text(LONG)]}]
    for result in results:
        assert message_view(result, FEW) == result
        assert event_view(result, FEW) == CUT


def test_a_response_with_an_image_stays_whole() -> None:
    result: Json = {"functionResponse": {"name": "f", "response": {"output": LONG}, "parts": [IMAGES["Gemini"]]}}
    assert message_view(result, FEW) == result


def test_a_response_beside_an_image_stays_whole() -> None:
    response: Json = {"functionResponse": {"name": "f", "response": {"output": LONG}}}
    results: list[Json] = [
        [response, IMAGES["Gemini"]],
        {"role": "user", "parts": [response, {"text": "Tool result image:"}, IMAGES["Gemini"]]},
    ]
    for result in results:
        assert message_view(result, FEW) == result
        assert event_view(result, FEW) == CUT


def test_an_image_of_another_result_does_not_count() -> None:
    result: Json = [{"type": "tool_result", "content": [ANTHROPIC]}, {"type": "tool_result", "content": LONG}]
    assert message_view(result, FEW) == [{"type": "tool_result", "content": [ANTHROPIC]}, {"type": "tool_result", "content": CUT}]


def test_the_tail_of_several_texts() -> None:
    limits = Limits(lines=3, keep=Keep.TAIL)
    expected = [{"type": "x"}, text("[Truncated: the first 11 of 14 bytes (6 of 8 lines) are left out.]\n5\n"), text("9")]
    assert message_view([text("0"), text("0\n"), {"type": "x"}, text(LONG), text("9")], limits) == expected


def test_texts_that_must_stay_become_empty() -> None:
    result: Json = {"functionResponse": {"response": {"output": LONG, "error": "gone"}}}
    cut = "1\n2\n[Truncated: the last 10 of 14 bytes (4 of 6 lines) are left out.]"
    assert message_view(result, FEW) == {"functionResponse": {"response": {"output": cut, "error": ""}}}


def test_the_screen_shows_texts_alone() -> None:
    assert event_view([text("a"), ANTHROPIC, text(""), text("b")]) == "a\nb"
    assert event_view([ANTHROPIC]) == ""
    assert event_view({"results": [{"content": "a"}, {"content": LONG}]}, FEW) == f"a\n{CUT}"


@pytest.mark.parametrize(
    "value",
    [
        None,
        5,
        {},
        {"a": LONG},
        {"type": "text"},
        {"output": "x"},
        {"type": "text", "text": 5},
        {"type": "user", "message": {"content": LONG}},
    ],
)
def test_what_is_no_result(value: Json) -> None:
    with pytest.raises(NoResultError):
        message_view(value)
