from __future__ import annotations

import pytest

from tests.providers.bodies import GONE, Planted, good, planted
from tests.providers.recorded import RECORDED, recorded
from tests.providers.schemas import faults

EXTRA = "Additional properties are not allowed ('bogus' was unexpected)"
NO_ID = "Additional properties are not allowed ('id' was unexpected)"
KNOWN = {
    "codex-compacted-openai-responses": [f"input/{place}: {NO_ID}" for place in (0, 1, 2, 3, 4, 5, 9)],
    "codex-session-openai-responses": [f"input/{place}: {NO_ID}" for place in (0, 1, 2, 3)],
    "qwen-code-before-compression-openai-chat": [f"messages/{place}/content/0/type: 'text' was expected" for place in range(5, 16, 2)],
    "qwen-code-compacted-openai-chat": ["messages/7/content/0/type: 'text' was expected"],
}
"""Where a client sends more than the types of the vendor's own name: Codex its ids, qwen-code images in the messages of tools."""


@pytest.mark.parametrize("name", RECORDED)
def test_what_agents_sent(name: str) -> None:
    assert faults(*recorded(name)) == KNOWN.get(name, [])


@pytest.mark.parametrize("interface", ["anthropic", "openai-chat", "openai-responses", "gemini"])
def test_good_body(interface: str) -> None:
    assert faults(interface, good(interface)) == []


def test_body_for_a_stream() -> None:
    assert faults("anthropic", {**good("anthropic"), "stream": True}) == []


@pytest.mark.parametrize(
    ("interface", "change", "fault"),
    [
        ("anthropic", {"max_tokens": GONE}, ": 'max_tokens' is a required property"),
        ("anthropic", {"bogus": 1}, f": {EXTRA}"),
        ("anthropic", {"messages.0.content.0.bogus": 1}, f"messages/0/content/0: {EXTRA}"),
        ("anthropic", {"messages.1.content.0.bogus": 1}, f"messages/1/content/0: {EXTRA}"),
        ("anthropic", {"messages.0.content.1.source.data": GONE}, "messages/0/content/1/source: 'data' is a required property"),
        ("anthropic", {"messages.2.content.0.content.1.asset_path": "x"}, "messages/2/content/0/content/1: Additional properties are"),
        ("anthropic", {"messages.2.content.1.is_error": "true"}, "messages/2/content/1/is_error: 'true' is not of type 'boolean'"),
        ("anthropic", {"messages.1.content.1.input": "{}"}, "messages/1/content/1/input: '{}' is not of type 'object'"),
        ("openai-chat", {"messages.1.content.1.image_url": "data:"}, "messages/1/content/1/image_url: 'data:' is not of type 'object'"),
        ("openai-chat", {"messages.2.tool_calls.0.function.arguments": {}}, "messages/2/tool_calls/0/function/arguments: {} is not"),
        ("openai-chat", {"messages.3.tool_call_id": GONE}, "messages/3: 'tool_call_id' is a required property"),
        ("openai-chat", {"messages.1.bogus": 1}, f"messages/1: {EXTRA}"),
        ("openai-responses", {"input.1.content.1.image_url": {}}, "input/1/content/1/image_url: {} is not of type"),
        ("openai-responses", {"input.3.call_id": GONE}, "input/3: 'call_id' is a required property"),
        ("openai-responses", {"tools.0.strict": GONE}, "tools/0: 'strict' is a required property"),
        ("openai-responses", {"input.5.output.0.type": "output_text"}, "input/5/output/0/type: 'input_text' was expected"),
        ("gemini", {"contents.0.parts.1.inlineData.bogus": 1}, "contents/0/parts/1/inlineData/bogus: Extra inputs are not permitted"),
        ("gemini", {"contents.2.parts.0.functionResponse.response": "x"}, "contents/2/parts/0/functionResponse/response: Input should be"),
        ("gemini", {"bogus": 1}, "bogus: not a member of a request"),
        ("gemini", {"tools.0.functionDeclarations.0.bogus": 1}, "tools/0/functionDeclarations/0/bogus: Extra inputs are not permitted"),
    ],
)  # fmt: skip
def test_what_the_types_refuse(interface: str, change: Planted, fault: str) -> None:
    [told] = faults(interface, planted(good(interface), change))
    assert told.startswith(fault)
