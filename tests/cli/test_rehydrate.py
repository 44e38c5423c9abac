"""`rehydrate`: the body and nothing else on standard output, and all talk beside it."""

from __future__ import annotations

import base64
import json
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import ExitCode
from sessionkit.providers import IDS
from tests.cli.running import PROGRAM
from tests.cli.sending import ANTHROPIC, BMP, PNG, WIDE, body_of, image, pi
from tests.cli.test_start_up import HEAVY, PROBE
from tests.pictures import picture

if TYPE_CHECKING:
    from tests.cli.running import Cli, Copy, Program


@pytest.mark.parametrize("provider", IDS)
def test_the_body_alone(cli: Cli, session: Copy, provider: str) -> None:
    ran = cli("rehydrate", session("a.jsonl"), "--provider", provider)
    assert (ran.code, ran.err) == (ExitCode.OK, "")
    assert ran.out.encode() == body_of(Path("a.jsonl"), provider)
    assert not ran.out.endswith("\n")


def test_forms(cli: Cli, session: Copy) -> None:
    path = session("a.jsonl")
    whole = json.loads(cli("rehydrate", path, *ANTHROPIC).out)
    assert json.loads(cli("rehydrate", path, *ANTHROPIC, "--messages-only").out) == whole["messages"]
    pretty = cli("rehydrate", path, *ANTHROPIC, "--pretty").out
    assert json.loads(pretty) == whole
    assert len(pretty.splitlines()) > 100
    assert cli("rehydrate", path, *ANTHROPIC, "-o", "-").out == cli("rehydrate", path, *ANTHROPIC).out


def test_standard_input(program: Program, session: Copy) -> None:
    path = session("a.jsonl")
    done = program("rehydrate", "-", *ANTHROPIC, stdin=path.read_bytes())
    assert (done.returncode, done.stderr, done.stdout) == (0, b"", body_of(path))


def test_codex_and_its_variant(cli: Cli, session: Copy) -> None:
    path = session("a.jsonl", "codex/session")
    body = json.loads(cli("rehydrate", path, "--provider", "openai-responses", "--api", "codex-responses").out)
    assert body["stream"] is True
    assert "stream" not in json.loads(cli("rehydrate", path, "--provider", "openai-responses").out)


def test_style_and_files(cli: Cli) -> None:
    path = pi("a.jsonl", image(PNG))
    Path("system.md").write_text("Be brief.")
    Path("tools.json").write_text('[{"name": "read", "description": "Reads", "input_schema": {"type": "object"}}]')
    Path("fields.json").write_text('{"max_tokens": 7}')
    files = ("--system-file", "system.md", "--tools-file", "tools.json", "--request-fields", "fields.json")
    body = json.loads(cli("rehydrate", path, *ANTHROPIC, *files, "--cache").out)
    assert body["system"][0]["text"] == "Be brief."
    assert body["tools"][0]["cache_control"] == {"type": "ephemeral"}
    assert body["max_tokens"] == 7
    chat = json.loads(cli("rehydrate", path, "--provider", "openai-chat", "--detail", "low").out)
    assert chat["messages"][0]["content"][1]["image_url"]["detail"] == "low"


def test_tools_that_mean_nothing_elsewhere(cli: Cli) -> None:
    Path("tools.json").write_text(
        '[{"type": "web_search_20260209", "name": "web_search"}, {"name": "read", "parameters": {"type": "object"}}]'
    )
    ran = cli("rehydrate", pi("a.jsonl"), *ANTHROPIC, "--tools-file", "tools.json")
    assert [tool["name"] for tool in json.loads(ran.out)["tools"]] == ["read"]
    assert ran.err == "warning: tools.json: only one vendor has these tools, and they are left out: web_search_20260209\n"
    assert cli("rehydrate", "a.jsonl", *ANTHROPIC, "--tools-file", "tools.json", "-q").err == ""


def test_a_model_that_nobody_knows(cli: Cli) -> None:
    path = pi("a.jsonl", image(PNG))
    ran = cli("rehydrate", path, *ANTHROPIC, "--model", "mystery")
    assert ran.code == ExitCode.OK
    assert "model does not support images" in ran.out
    assert "say --vision yes" in " ".join(ran.err.split())
    assert base64.b64encode(PNG).decode() in cli("rehydrate", path, *ANTHROPIC, "--model", "mystery", "--vision", "yes").out
    Path("models.json").write_text('[{"provider": "anthropic", "id": "mystery", "input": ["image"]}]')
    ran = cli("rehydrate", path, *ANTHROPIC, "--model", "mystery", "--catalog", "models.json")
    assert ran.err == ""
    assert base64.b64encode(PNG).decode() in ran.out


TOO_WIDE = (
    r"error: messages\.0\.content\.1 \(line 2, entry entry0\): 9001x120 pixels, at most 8,000 a side: image/png 38 kB sha256:[0-9a-f]{12}…"
)
NOT_TAKEN = (
    r"error: messages\.0\.content\.2 \(line 2, entry entry0\): image/bmp, and only image/gif, .* are taken: image/bmp 2\.6 kB sha256:.*"
)
NEXT = r"  next: --fit shrinks or converts images, in the body alone; --bad-image placeholder sends a text instead; --force .* all the same"


def test_a_breach_is_told_and_nothing_is_printed(cli: Cli) -> None:
    path = pi("a.jsonl", image(WIDE), image(BMP, "image/bmp"))
    ran = cli("rehydrate", path, *ANTHROPIC)
    assert (ran.code, ran.out) == (ExitCode.FINDINGS, "")
    assert re.fullmatch(f"{TOO_WIDE}\n{NOT_TAKEN}\n{NEXT}\n", ran.err)
    assert cli("rehydrate", path, *ANTHROPIC, "-q").err == ran.err
    forced = cli("rehydrate", path, *ANTHROPIC, "--force")
    assert forced.code == ExitCode.FINDINGS
    assert forced.out.encode() == body_of(path)
    assert re.fullmatch(f"{TOO_WIDE}\n{NOT_TAKEN}\n", forced.err)


def test_numbers_of_a_client(cli: Cli) -> None:
    ran = cli("rehydrate", pi("a.jsonl", image(WIDE)), *ANTHROPIC, "--client", "claude-code")
    assert ran.err.startswith("error: messages.0.content.2 (line 2, ")


def test_an_asset_is_named_by_its_reference(cli: Cli) -> None:
    cli("migrate", pi("in/a.jsonl", image(WIDE)), "-o", "out/a.jsonl", "--no-fsync")
    ran = cli("rehydrate", "out/a.jsonl", *ANTHROPIC)
    assert re.search(r"at most 8,000 a side: images/[0-9a-f]{64}\.png\n", ran.err)


def test_fit(cli: Cli) -> None:
    path = pi("a.jsonl", image(WIDE), image(BMP, "image/bmp"))
    ran = cli("rehydrate", path, *ANTHROPIC, "--fit", "-q")
    assert (ran.code, ran.err) == (ExitCode.OK, "")
    texts = [block.get("text", "image") for block in json.loads(ran.out)["messages"][0]["content"]]
    assert texts == [
        "Look:",
        "[Image: original 9001x120, displayed at 2000x27. Multiply coordinates by 4.50 to map to original image.]",
        "image",
        "[Image: original 37x23, displayed at 37x23. Multiply coordinates by 1.00 to map to original image.]",
        "[Image converted from image/bmp to image/png.]",
        "image",
    ]
    assert "for this body alone" in cli("rehydrate", path, *ANTHROPIC, "--fit").err


def test_what_cannot_be_fitted(cli: Cli) -> None:
    ran = cli("rehydrate", pi("a.jsonl", *([image(PNG)] * 101)), *ANTHROPIC, "--fit")
    assert ran.code == ExitCode.FINDINGS
    assert "101 images and documents, at most 100; this is the first one too many" in ran.err
    assert ran.err.splitlines()[-1] == "  next: --bad-image placeholder sends a text instead; --force writes it all the same"
    spared = cli("rehydrate", "a.jsonl", *ANTHROPIC, "--fit", "--bad-image", "placeholder")
    assert (spared.code, spared.out.count("too many images"), spared.out.count('"type":"image"')) == (ExitCode.OK, 1, 100)


def test_doubts_are_no_findings(cli: Cli) -> None:
    path = pi("a.jsonl", image(PNG + bytes(4_000_000)))
    ran = cli("rehydrate", path, *ANTHROPIC)
    assert ran.code == ExitCode.OK
    said = r"warning: messages\.0\.content\.1 .*: 5,\d{3},\d{3} characters of base64, at most 5,242,880: .* \(some hosts or models .*\)\n"
    assert re.fullmatch(said, ran.err)
    assert cli("rehydrate", path, *ANTHROPIC, "-q").err == ""


def test_everything_that_is_missing_is_told(cli: Cli) -> None:
    cli("migrate", pi("in/a.jsonl", image(PNG), image(picture("JPEG"), "image/jpeg")), "-o", "out/a.jsonl", "--no-fsync")
    shutil.rmtree("out/images")
    ran = cli("rehydrate", "out/a.jsonl", *ANTHROPIC)
    assert (ran.code, ran.out) == (ExitCode.FAILED, "")
    *errors, hint = ran.err.splitlines()
    assert [line.split(": ")[:3] + line.split(": ")[4:] for line in errors] == [
        ["error", "out/a.jsonl", f"line 2, entry entry0, /message/content/{at}", "missing"] for at in (1, 2)
    ]
    assert hint.startswith("  next: put the file back from a backup")
    instead = cli("rehydrate", "out/a.jsonl", *ANTHROPIC, "--missing", "placeholder")
    assert instead.code == ExitCode.OK
    assert instead.out.count("[image unavailable: missing; ") == 2
    assert instead.err.count("missing, so a text stands for it") == 2


def test_into_a_file(cli: Cli, session: Copy) -> None:
    path = session("a.jsonl")
    ran = cli("rehydrate", path, *ANTHROPIC, "-o", "out/body.json")
    assert (ran.code, ran.out, ran.err) == (ExitCode.OK, "", "out/body.json: 55 kB, for mock over anthropic-messages\n")
    target = Path("out/body.json")
    assert target.read_bytes() == body_of(path)
    assert stat.S_IMODE(target.stat().st_mode) == stat.S_IMODE(path.stat().st_mode)
    assert cli("rehydrate", path, *ANTHROPIC, "-o", target, "-q").err == ""
    target.write_text("other")
    refused = cli("rehydrate", path, *ANTHROPIC, "-o", target)
    assert (refused.code, target.read_text()) == (ExitCode.FAILED, "other")
    assert "another file stands here" in refused.err
    assert cli("rehydrate", path, *ANTHROPIC, "-o", target, "--force").code == ExitCode.OK
    assert target.read_bytes() == body_of(path)


def test_a_breach_writes_no_file(cli: Cli) -> None:
    cli("rehydrate", pi("a.jsonl", image(WIDE)), *ANTHROPIC, "-o", "out/body.json")
    assert not Path("out").exists()


def test_curl(cli: Cli, session: Copy) -> None:
    path = session("a.jsonl")
    ran = cli("rehydrate", path, *ANTHROPIC, "--curl")
    head, _, rest = ran.out.partition(" <<'EOF'\n")
    assert head.startswith('curl -sS "${ANTHROPIC_BASE_URL:-https://api.anthropic.com}/v1/messages"')
    assert '-H "x-api-key: $ANTHROPIC_API_KEY"' in head
    assert rest.encode() == body_of(path) + b"\nEOF\n"
    ran = cli("rehydrate", path, "--provider", "gemini", "--curl", "-o", "my body.json")
    assert Path("my body.json").read_bytes() == body_of(path, "gemini")
    assert "/v1beta/models/mock:generateContent" in ran.out
    assert ran.out.endswith("--data-binary '@my body.json'\n")


def test_a_reader_that_has_enough(session: Copy) -> None:
    words = [*PROGRAM, "rehydrate", str(session("a.jsonl")), *ANTHROPIC]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == ExitCode.CLOSED_PIPE


HOSTILE = "\x1b]0;owned\x07\x9b31m\u202egnp"


def test_hostile_words_are_inert(cli: Cli) -> None:
    path = pi(f"{HOSTILE}.jsonl", image(WIDE, HOSTILE), image(b"\0", HOSTILE))
    for words in (
        (),
        ("--json",),
        ("--force", "-o", f"{HOSTILE}.json", "--curl"),
        ("--missing", "placeholder", "-v", "--force", "-o", "b.json"),
    ):
        ran = cli("rehydrate", path, *ANTHROPIC, "--model", HOSTILE, "--vision", "yes", *words)
        assert all(char.isprintable() for char in (ran.out + ran.err).replace("\n", ""))


def test_imports(session: Copy) -> None:
    session("a.jsonl", "plain/chat")
    ran = subprocess.run([sys.executable, "-c", PROBE, "rehydrate", "a.jsonl", *ANTHROPIC, "-q"], capture_output=True, check=True)
    assert HEAVY.isdisjoint(json.loads(ran.stderr))


def test_help(cli: Cli) -> None:
    ran = cli("rehydrate", "--help")
    assert "  sessionkit rehydrate " in ran.out
    assert all(name in ran.out for name in IDS)
    assert [line for line in ran.out.splitlines() if len(line) > 80] == []


def test_the_folder_of_missing_assets_is_told(cli: Cli, spilled: Path) -> None:
    def hint(*words: str) -> str:
        ran = cli("rehydrate", *words, *ANTHROPIC)
        assert ran.code == ExitCode.FAILED
        return ran.err.splitlines()[-1]

    assert hint(str(spilled), "--store", "spilled").startswith("  next: they are in spilled/images: say --store spilled/images; ")
    assert " or name another folder with --store: there is no nowhere; " in hint(str(spilled), "--store", "nowhere")


def test_the_folder_in_the_name_of_a_model_is_no_part_of_it(cli: Cli) -> None:
    path = pi("a.jsonl", image(PNG))
    named = [cli("rehydrate", path, "--provider", "gemini", "--curl", "--model", f"{folder}gemini-2.5-pro") for folder in ("", "models/")]
    assert named[0] == named[1]
    assert "/models/gemini-2.5-pro:generateContent" in named[0].out


def test_the_model_of_the_body_is_the_one_that_is_told(cli: Cli) -> None:
    Path("fields.json").write_text('{"model": "gpt-3.5-turbo"}')
    ran = cli("rehydrate", pi("a.jsonl", image(PNG)), "--provider", "openai-chat", "--request-fields", "fields.json", "-o", "b.json")
    assert "the image is left out: gpt-3.5-turbo takes none" in ran.err
    assert "for gpt-3.5-turbo over openai-completions" in ran.err
