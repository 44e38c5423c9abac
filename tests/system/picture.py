"""Take the picture of the gallery that the README shows: `python -m tests.system.picture FILE.png`, or `make picture`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.system.browsing import Look, chromium, opened
from tests.system.sessions import do

SESSION = Path(__file__).parents[2] / "fixtures" / "faults" / "gemini-cli" / "undecodable-image-resumed" / "bad.jsonl"
SIZE = (1180, 1000)


def take(file: Path) -> None:
    """Show a session of the fixtures under a short name, and take the upper part of its page."""
    with TemporaryDirectory() as name, chromium() as browser:
        folder = Path(name)
        shutil.copyfile(SESSION, folder / "session.jsonl")
        do("gallery", folder / "session.jsonl", "-o", folder / "page.html", "--window", "20000")
        text = (folder / "page.html").read_text().replace(f"{folder}/", "")
        (folder / "page.html").write_text(text)
        with opened(browser, folder / "page.html", Look(SIZE)) as page:
            page.screenshot(path=file)


if __name__ == "__main__":
    take(Path(sys.argv[1]))
