"""The script that a user writes today to restore: json, base64, one line at a time. naive_restore.py OUT FILE…

It trusts the assets, and the lines come back equal in value, not in bytes.
"""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path

OURS = ("asset_path", "asset_prefix", "asset_field", "width", "height")

out = Path(sys.argv[1])


def walk(node: object, folder: Path) -> object:
    if isinstance(node, list):
        return [walk(item, folder) for item in node]
    if not isinstance(node, dict):
        return node
    if "asset_field" in node:
        return load(node, folder)
    return {key: walk(value, folder) for key, value in node.items()}


def load(node: dict[str, object], folder: Path) -> dict[str, object]:
    data = base64.b64encode((folder / str(node["asset_path"])).read_bytes()).decode()
    restored = {str(node["asset_field"]): f"{node.get('asset_prefix', '')}{data}"}
    return restored | {key: walk(value, folder) for key, value in node.items() if key not in OURS}


def restore(session: Path) -> None:
    target = out / session.name
    temporary = target.with_suffix(".tmp")
    with session.open(encoding="utf-8") as source, temporary.open("w", encoding="utf-8") as sink:
        for line in source:
            sink.write(json.dumps(walk(json.loads(line), session.parent), ensure_ascii=False, separators=(",", ":")) + "\n")
    temporary.replace(target)


out.mkdir(parents=True, exist_ok=True)
for name in sys.argv[2:]:
    restore(Path(name))
