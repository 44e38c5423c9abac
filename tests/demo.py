"""`make demo`: the main job on sessions that real agents wrote, with the commands that a user would type.

Migrates the sessions of five agents in a temporary folder, verifies the result, restores it, and compares every byte.
"""

from __future__ import annotations

import filecmp
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).parent.parent / "fixtures"
AGENTS = ("pi", "claude-code", "codex", "qwen-code", "gemini-cli")
CASES = ("session", "compacted")
ROW = "{:23} {:11} {:>8} {:>8} {:>6} {:>6} {:>5} {:>4}"


def main() -> None:
    """Run the demonstration, and fail if one byte differs."""
    with tempfile.TemporaryDirectory(prefix="sessionkit-demo-") as folder:
        os.chdir(folder)
        names = copy_sessions(Path("inline"))
        formats = {record["session"]: record["format"] for record in records("scan", "-r", "inline")}
        migrated = records("migrate", "-r", "inline", "--out", "spilled")
        sessionkit("verify", "-r", "spilled")
        sessionkit("restore", "-r", "spilled", "--out", "restored")
        print("\n" + ROW.format("session", "format", "before", "after", "images", "unique", "saved", "ref."))
        for record in migrated:
            print(row_of(record, formats[record["session"]]))
        _, different, missing = filecmp.cmpfiles("inline", "restored", names, shallow=False)
        if different or missing:
            sys.exit(f"these did not come back: {different + missing}")
        print(f"\n{len(names)} sessions came back byte for byte. Sizes in bytes; ref. is the mean size of a reference.")


def copy_sessions(folder: Path) -> list[str]:
    """Copy the sessions of the real agents, and return their names."""
    sources = [path for agent in AGENTS for case in CASES if (path := FIXTURES / agent / case / "session.jsonl").exists()]
    for source in sources:
        target = folder / source.relative_to(FIXTURES)
        target.parent.mkdir(parents=True)
        shutil.copyfile(source, target)
    return [str(source.relative_to(FIXTURES)) for source in sources]


def sessionkit(*arguments: str) -> None:
    """Run a command, and show it with what it says."""
    print("$ sessionkit", *arguments, flush=True)
    subprocess.run([sys.executable, "-m", "sessionkit", *arguments], check=True)


def records(*arguments: str) -> list[dict[str, Any]]:
    """Run a command, show it, and return its records about sessions."""
    print("$ sessionkit", *arguments, flush=True)
    output = subprocess.run([sys.executable, "-m", "sessionkit", *arguments, "--json"], check=True, stdout=subprocess.PIPE).stdout
    return [record for record in map(json.loads, output.splitlines()) if "session" in record]


def row_of(record: dict[str, Any], name: str) -> str:
    """Make a row of migrate's record."""
    before, after, images = record["bytes_before"], record["bytes_after"], record["media"]
    session = str(Path(record["session"]).parent.relative_to("inline"))
    reference = round(record["reference_bytes"] / images)
    return ROW.format(session, name, f"{before:,}", f"{after:,}", images, record["unique"], f"{1 - after / before:.0%}", reference)


if __name__ == "__main__":
    main()
