"""The page of a gallery as a file: what browsers make of it is tested with a browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from sessionkit.core.base64 import encode
from sessionkit.errors import ExitCode
from tests.cli.running import FIXTURES
from tests.cli.test_json import closed, schema_of
from tests.pictures import picture

if TYPE_CHECKING:
    from tests.cli.running import Cli, Copy, Program

PAGE = Path("page.html")
EVIL = '"><script>alert(1)</script><img src=x onerror=alert(2)>'


class Elements(HTMLParser):
    """Every element of a page with its attributes, and the text of scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self.texts.append("")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem:
            self.texts[-1] += data

    def of(self, tag: str) -> list[tuple[dict[str, str | None], str]]:
        return [(attributes, text) for (name, attributes), text in zip(self.found, self.texts, strict=True) if name == tag]


def elements() -> Elements:
    return Elements(PAGE.read_text())


def test_output_fits_its_schema_and_the_exit_code_is_that_of_a_batch(cli: Cli, session: Copy) -> None:
    session("in/a.jsonl")
    session("in/b.jsonl", "gemini-cli/session")
    Path("in/c.jsonl").write_text("no session\n")
    ran = cli("gallery", "in", "-o", PAGE, "--json")
    assert ran.code == ExitCode.PARTIAL
    schema = schema_of("gallery")
    Draft202012Validator.check_schema(schema)
    for record in ran.records():
        Draft202012Validator(closed(schema)).validate(record)
    *sessions, summary = ran.records()
    assert [record["status"] for record in sessions] == ["ok", "ok", "failed"]
    assert (summary["images"], summary["bytes"], summary["page"]) == (37, PAGE.stat().st_size, "page.html")
    assert sum(attributes.get("class") == "session" for attributes, _ in elements().of("section")) == 2


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("gallery a.jsonl", (2, "no output is named\n  next: -o page.html names a file")),
        ("gallery -o page.html", (2, "no sessions to work on")),
        ("gallery a.jsonl -o a.jsonl", (2, "this is the session, and would be written over")),
        ("gallery a.jsonl -o page.html --strategy magic", (2, "unknown strategy: magic")),
        ("gallery a.jsonl -o page.html --watermark 0.5", (2, "--watermark needs a window")),
        ("gallery a.jsonl -o - --json", (2, "--json and -o - both write to standard output")),
        ("gallery . -o page.html --no-recursive", (2, "this is a folder")),
        ("gallery bad.jsonl -o page.html", (3, "no record could be read")),
        ("gallery missing.jsonl bad.jsonl -o page.html", (3, "missing.jsonl: cannot be read")),
        ("gallery missing.jsonl a.jsonl -o page.html", (4, "missing.jsonl: cannot be read")),
        ("gallery missing.jsonl a.jsonl -o page.html --fail-fast", (3, "1 session not done, because of --fail-fast")),
        ("gallery a.jsonl -o other.html", (3, "another file stands here")),
        ("gallery a.jsonl -o other.html --force", (0, "")),
        ("gallery broken.jsonl -o page.html", (0, "")),
    ],
)
def test_exit_codes(cli: Cli, session: Copy, line: str, expected: tuple[int, str]) -> None:
    session("a.jsonl")
    Path("broken.jsonl").write_bytes((FIXTURES / "faults/pi/image-empty/bad.jsonl").read_bytes())
    Path("bad.jsonl").write_text("no session\n")
    Path("other.html").write_text("something else\n")
    ran = cli(*line.split())
    code, said = expected
    assert ran.code == code
    assert said in ran.err
    assert PAGE.exists() is (code in {0, 4} and "page.html" in line)


def test_a_second_page_is_the_same_and_replaces_nothing(cli: Cli, session: Copy) -> None:
    words = ("gallery", session("a.jsonl"), "-o", PAGE)
    assert cli(*words).code == 0
    before = PAGE.stat()
    assert cli(*words).code == 0
    assert (PAGE.stat().st_ino, PAGE.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_standard_input_goes_to_standard_output(program: Program, session: Copy) -> None:
    path = session("a.jsonl")
    done = program("gallery", "-", "-o", "-", stdin=path.read_bytes())
    assert (done.returncode, done.stdout[:15]) == (0, b"<!doctype html>")
    assert b"standard output: 9 images of 1 session" in done.stderr
    assert done.stdout.count(b'class="tile"') == 9


def test_the_policy_names_the_only_style_and_the_only_script_that_runs(cli: Cli, session: Copy) -> None:
    cli("gallery", session("a.jsonl"), "-o", PAGE)
    page = elements()
    [policy] = [meta["content"] or "" for meta, _ in page.of("meta") if meta.get("http-equiv")]
    [script] = [text for attributes, text in page.of("script") if "type" not in attributes]
    [(_, style)] = page.of("style")
    for directive, text in (("script-src", script), ("style-src", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert {name for _, attributes in page.found for name in attributes if name.startswith("on") or name == "style"} == set()
    addresses = [value for _, attributes in page.found for name, value in attributes.items() if name in {"src", "href"}]
    assert {(value or "").partition(":")[0] for value in addresses} == {"data", "#images"}


def test_each_picture_stands_in_the_page_once(cli: Cli, session: Copy) -> None:
    session("in/a.jsonl")
    session("in/b.jsonl")
    cli("gallery", "in", "-o", PAGE)
    whole = [(attributes["id"] or "", text) for attributes, text in elements().of("script") if attributes.get("type") == "text/plain"]
    assert len(whole) == 6
    for name, text in whole:
        assert name == f"d-{hashlib.sha256(base64.b64decode(text, validate=True)).hexdigest()}"
    size = PAGE.stat().st_size
    cli("gallery", "in", "-o", PAGE, "--force", "--thumbnails-only")
    assert [attributes for attributes, _ in elements().of("script") if attributes.get("type") == "text/plain"] == []
    assert PAGE.stat().st_size < size


def test_what_others_wrote_is_text(cli: Cli) -> None:
    image = {"type": "image", "data": encode(picture("PNG")).decode(), "mimeType": f"image/png{EVIL}"}
    text = {
        "type": "text",
        "text": f"{EVIL}\u202e\0\ud800 data:image/png;base64,{encode(picture('PNG')).decode()}",
    }
    name = f"{EVIL.replace('/', '∕')}.jsonl"
    Path(name).write_text(json.dumps({"role": "user", "content": [text, image]}) + "\n")
    assert cli("gallery", name, "-o", PAGE).code == 0
    page = elements()
    assert [attributes for attributes, _ in page.of("img") if "onerror" in attributes] == []
    runs = [text for attributes, text in page.of("script") if "type" not in attributes]
    assert len(runs) == 1
    [told] = [json.loads(text) for attributes, text in page.of("script") if attributes.get("type") == "application/json"]
    assert EVIL in told["before"][0]["text"]
    assert not re.search(r"[\u202e\0\ud800]|[A-Za-z0-9+/]{400}", told["before"][0]["text"])
    assert dict(told["facts"])["Declared type"] == f"image/png{EVIL}"


def test_scan_and_gallery_lead_to_each_other(cli: Cli, session: Copy) -> None:
    session("in it/a.jsonl")
    assert cli("scan", "-r", "in it").out.endswith("to look at the images: sessionkit gallery 'in it' -o page.html\n")
    assert cli("gallery", "in it", "-o", PAGE).out.endswith("what else fills them: sessionkit scan -r 'in it'\n")
    assert "sessionkit scan -r &#x27;in it&#x27;" in PAGE.read_text()
    assert "sessionkit check &#x27;in it/a.jsonl&#x27;" in PAGE.read_text()
    Path("words.jsonl").write_text('{"role":"user","content":"no image"}\n')
    assert "gallery" not in cli("scan", "words.jsonl").out
