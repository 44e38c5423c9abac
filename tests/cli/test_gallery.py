"""The page of a gallery as a file: what browsers make of it is tested with a browser."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from sessionkit.cli.pages.drawing import draw_timeline
from sessionkit.core.base64 import encode
from sessionkit.core.model import Origin, Role
from sessionkit.errors import ExitCode
from sessionkit.ops.compact import At, Cost, Part
from sessionkit.ops.gallery import Cut, Timeline
from sessionkit.tokens.gates import Reading
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
        ("gallery a.jsonl --output=", (2, "'-o' / '--output': it is empty; name a file")),
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
    path = session("a.jsonl")
    words = ("gallery", path, "-o", PAGE)
    assert cli(*words).code == 0
    before = PAGE.stat()
    assert before.st_mode == path.stat().st_mode
    assert cli(*words).code == 0
    assert (PAGE.stat().st_ino, PAGE.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_standard_input_goes_to_standard_output(program: Program, session: Copy) -> None:
    path = session("a.jsonl")
    done = program("gallery", "-", "-o", "-", stdin=path.read_bytes())
    assert (done.returncode, done.stdout[:15]) == (0, b"<!doctype html>")
    assert b"standard output: 9 images of 1 session" in done.stderr
    assert done.stdout.count(b'class="tile"') == 9
    assert b"sessionkit scan" not in done.stdout + done.stderr


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


def test_the_page_names_the_sessions_that_failed(cli: Cli, session: Copy) -> None:
    session("a.jsonl")
    Path("<b>.jsonl").write_text("no session\n")
    assert cli("gallery", "a.jsonl", "<b>.jsonl", "missing.jsonl", "-o", PAGE).code == ExitCode.PARTIAL
    page = PAGE.read_text()
    assert '<h1>Gallery of <span class="path">a.jsonl, &lt;b&gt;.jsonl, missing.jsonl</span></h1>' in page
    notice = page.partition('class="notice failures"')[2].partition("</section>")[0]
    assert "2 of 3 sessions could not be shown" in notice
    assert re.findall(r'class="path">(.*?)</span>: (.*?)(?::|<)', notice) == [
        ("&lt;b&gt;.jsonl", "no record could be read"),
        ("missing.jsonl", "cannot be read"),
    ]
    cli("gallery", "a.jsonl", "-o", PAGE, "--force")
    assert 'class="notice failures"' not in PAGE.read_text()


def test_lost_assets_are_named_counted_and_told_of(cli: Cli) -> None:
    Path("a.jsonl").write_bytes((FIXTURES / "native/spilled/session.jsonl").read_bytes())
    told = cli("gallery", "a.jsonl", "-o", PAGE, "--json").records()[0]
    assert (told["images"], told["references"], told["empty"], told["unique"], told["hidden"]) == (0, 3, 0, 2, 3)
    page = elements()
    tiles = [attributes for attributes, _ in page.of("li") if attributes.get("class") == "tile"]
    facts = [dict(json.loads(text)["facts"]) for attributes, text in page.of("script") if attributes.get("type") == "application/json"]
    assert [fact["In this session"] for fact in facts] == ["2 times", "1 time", "2 times"]
    for tile, fact in zip(tiles, facts, strict=True):
        assert "data-unseen" in tile
        assert fact["SHA-256"] == tile["data-sha"] == Path(fact["File"]).stem
    text = PAGE.read_text()
    assert text.count(">×2<") == 2
    assert "The next request cannot be built: 2 files of its images are missing" in text
    assert "<code>sessionkit verify a.jsonl</code>" in text
    assert "nothing against the next turn" not in text
    cli("gallery", "a.jsonl", "--store", "some where", "-o", PAGE, "--force")
    assert "<code>sessionkit verify a.jsonl --store &#x27;some where&#x27;</code>" in PAGE.read_text()


@pytest.mark.parametrize("options", [(), ("--window", "4000"), ("--window", "900", "--gate", "gemini")])
def test_the_gate_is_told_as_compact_tells_it(cli: Cli, session: Copy, options: tuple[str, ...]) -> None:
    path = session("a.jsonl", "pi/compacted")
    said = " ".join(cli("compact", path, *options).out.split())
    cli("gallery", path, *options, "-o", PAGE)
    [told] = re.findall(r"Gate( .+?)\. ", PAGE.read_text())
    assert "tokens are in the context" in told
    assert f"gate{told} " in said


def test_the_numbers_beside_a_timeline_never_touch_and_its_colours_are_explained() -> None:
    for most in range(1, 2000, 7):
        cost = Cost(At(0, Role.USER, Origin("a.jsonl", 1), ""), Part.KEPT, most, 0)
        drawn = draw_timeline(Timeline("pi", "pi", most, (cost,), (most,), (1,), Reading("pi", most), (Cut(cost.at),)), "t")
        heights = [[float(y) for y in re.findall(r'class="end" x="64" y="([\d.]+)"', half)] for half in drawn.split('class="part', 1)]
        for column in heights:
            assert all(above - below > 13 for above, below in itertools.pairwise(column)), most
        [line] = re.findall(r'class="cut [^"]+" d="([^"]+)"', drawn)
        [*names] = map(int, re.findall(r'x="0" y="(\d+)"', drawn))
        assert len(names) == 2
        for top, bottom in re.findall(r"M\d+ (\d+)V(\d+)", line):
            assert not any(int(top) < name and name - 10 < int(bottom) for name in names)
        assert 'class="swatch part-kept"' in drawn


def test_a_session_of_unknown_format_says_why_it_has_no_timeline(cli: Cli) -> None:
    data = encode(picture("PNG")).decode()
    Path("a.jsonl").write_text(json.dumps({"odd": [{"type": "image", "data": data, "mimeType": "image/png"}]}) + "\n")
    cli("gallery", "a.jsonl", "-o", PAGE)
    assert "There is no timeline: the format of the session is unknown" in PAGE.read_text()


def test_a_small_picture_that_would_not_shrink_stands_there_itself(cli: Cli) -> None:
    data = encode(picture("GIF", size=(1, 1))).decode()
    Path("a.jsonl").write_text(json.dumps({"role": "user", "content": [{"type": "image", "data": data, "mimeType": "image/gif"}]}) + "\n")
    cli("gallery", "a.jsonl", "-o", PAGE)
    assert f"data:image/gif;base64,{data}" in {attributes.get("src") for attributes, _ in elements().of("img")}
