"""The library's public names: each is there, and importing the package costs nothing."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import sessionkit

README = Path(__file__).parent.parent / "README.md"


@pytest.mark.parametrize("name", sessionkit.__all__)
def test_public_names_are_there(name: str) -> None:
    assert getattr(sessionkit, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        sessionkit.no_such_name  # noqa: B018


def test_the_import_is_lazy() -> None:
    code = "import sys, sessionkit; print([name for name in sys.modules if name.startswith('sessionkit.')])"
    assert subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True).stdout == "[]\n"


def test_the_example_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Path(__file__).parent.parent / "fixtures" / "pi" / "session" / "session.jsonl"
    (tmp_path / "sessions").mkdir()
    (tmp_path / "sessions" / "pi.jsonl").write_bytes(session.read_bytes())
    monkeypatch.chdir(tmp_path)
    (example,) = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    exec(compile(example, "README.md", "exec"), {})  # noqa: S102  our own README
    assert len(list((tmp_path / "spilled" / "images").iterdir())) == 6
