"""The script that a user writes today to spill: json, base64, hashlib, one line at a time. naive_spill.py OUT FILE…"""

from __future__ import annotations

import base64
import hashlib
import json
import sys
from pathlib import Path

EXTENSIONS = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "image/gif": "gif"}

out = Path(sys.argv[1])


def store(data: str, media: str) -> dict[str, str]:
    raw = base64.b64decode(data)
    name = f"images/{hashlib.sha256(raw).hexdigest()}.{EXTENSIONS[media]}"
    target = out / name
    if not target.exists():
        temporary = target.with_suffix(".tmp")
        temporary.write_bytes(raw)
        temporary.replace(target)
    return {"asset_path": name, "mime_type": media}


def walk(node: object) -> object:
    if isinstance(node, list):
        return [walk(item) for item in node]
    if not isinstance(node, dict):
        return node
    if node.get("type") == "image" and isinstance(node.get("data"), str):
        return {"type": "image", **store(node["data"], node["mimeType"])}
    if node.get("type") == "image" and isinstance(node.get("source"), dict) and "data" in node["source"]:
        return {"type": "image", **store(node["source"]["data"], node["source"]["media_type"])}
    if isinstance(node.get("base64"), str) and "type" in node:
        return {**store(node["base64"], node["type"]), **{key: value for key, value in node.items() if key != "base64"}}
    if node.get("type") == "input_image" and node["image_url"].startswith("data:"):
        node = spill_url(node)
    return {key: walk(value) for key, value in node.items()}


def spill_url(node: dict[str, str]) -> dict[str, str]:
    head, data = node["image_url"].split(",", 1)
    return {"type": "input_image", **store(data, head[5:].split(";")[0])}


def spill(session: Path) -> None:
    target = out / session.name
    temporary = target.with_suffix(".tmp")
    with session.open(encoding="utf-8") as source, temporary.open("w", encoding="utf-8") as sink:
        for line in source:
            sink.write(json.dumps(walk(json.loads(line)), ensure_ascii=False, separators=(",", ":")) + "\n")
    temporary.replace(target)


(out / "images").mkdir(parents=True, exist_ok=True)
for name in sys.argv[2:]:
    spill(Path(name))
