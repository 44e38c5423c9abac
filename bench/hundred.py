"""Write a session of Pi in which a tool shows a hundred different pictures, one after the other."""

from __future__ import annotations

import argparse
import base64
import json
from pathlib import Path
from typing import TYPE_CHECKING

from bench.pictures import picture
from bench.prose import prose, seeded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from bench.agents import Entry

_MODEL = {"api": "openai-completions", "provider": "openai", "model": "gpt-5.5", "stopReason": "toolUse"}


def _messages(rng: Random, pictures: int) -> Iterator[Entry]:
    yield {"role": "user", "content": [{"type": "text", "text": prose(rng, 300)}]}
    for number in range(pictures):
        shot = picture(number)
        text = {"type": "text", "text": prose(rng, rng.randint(500, 3000))}
        call = {"type": "toolCall", "id": f"call_{number}", "name": "read", "arguments": {"path": f"shots/{number}.png"}}
        yield {"role": "assistant", "content": [text, call], **_MODEL}
        image = {"type": "image", "data": base64.b64encode(shot.data).decode(), "mimeType": shot.media}
        content = [{"type": "text", "text": f"Read image file [{shot.media}]"}, image]
        yield {"role": "toolResult", "toolCallId": f"call_{number}", "toolName": "read", "content": content, "isError": False}


def main() -> None:
    """Write one session."""
    parser = argparse.ArgumentParser(prog="python -m bench.hundred", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--pictures", type=int, default=100)
    options = parser.parse_args()
    with options.out.open("w", encoding="utf-8") as file:
        file.write(json.dumps({"type": "session", "version": 3, "id": "bench", "cwd": "/"}) + "\n")
        for at, message in enumerate(_messages(seeded(10), options.pictures)):
            entry = {"type": "message", "id": f"{at:08x}", "parentId": f"{at - 1:08x}" if at else None, "message": message}
            file.write(json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
