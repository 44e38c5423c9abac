"""The script that a user writes today to send a session of Pi to Chat Completions: orjson, and nothing checked. naive_body.py SESSION"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import orjson


def url(image: dict[str, str]) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": f"data:{image['mimeType']};base64,{image['data']}"}}


def call(block: dict[str, Any]) -> dict[str, Any]:
    arguments = orjson.dumps(block["arguments"]).decode()
    return {"id": block["id"], "type": "function", "function": {"name": block["name"], "arguments": arguments}}


def messages(session: Path) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []
    with session.open("rb") as lines:
        for line in lines:
            message = orjson.loads(line).get("message")
            blocks = message["content"] if message else []
            texts = [block["text"] for block in blocks if block["type"] == "text"]
            match message:
                case {"role": "assistant"}:
                    calls = [call(block) for block in blocks if block["type"] == "toolCall"]
                    sent.append({"role": "assistant", "content": "".join(texts), "tool_calls": calls})
                case {"role": "toolResult"}:
                    sent.append({"role": "tool", "content": "\n".join(texts), "tool_call_id": message["toolCallId"]})
                    note = {"type": "text", "text": "Attached image(s) from tool result:"}
                    sent.append({"role": "user", "content": [note, *(url(block) for block in blocks if block["type"] == "image")]})
                case {"role": "user"}:
                    sent.append({"role": "user", "content": [{"type": "text", "text": text} for text in texts]})
    return sent


sys.stdout.buffer.write(orjson.dumps({"model": "gpt-5.5", "messages": messages(Path(sys.argv[1]))}))
