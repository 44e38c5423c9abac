"""The printed commands are run by a shell, against a server of our own."""

from __future__ import annotations

import json
import subprocess
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import pytest

from sessionkit.providers import PROVIDERS
from sessionkit.providers.base import Target
from sessionkit.providers.curl import curl_command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BODY = json.dumps({"text": "it's $HOME `date` \\ \" ä\n"}, ensure_ascii=False).encode()
KEYS = {
    "ANTHROPIC_API_KEY": "key-a",
    "OPENAI_API_KEY": "key-o",
    "GEMINI_API_KEY": "key-g",
    "CODEX_ACCESS_TOKEN": "key-c",
    "CODEX_ACCOUNT_ID": "account",
}
HOSTS = ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "GOOGLE_GEMINI_BASE_URL", "CODEX_BASE_URL")

PATHS = {
    "anthropic-messages": ("/v1/messages", "x-api-key", "key-a"),
    "openai-completions": ("/chat/completions", "authorization", "Bearer key-o"),
    "openai-responses": ("/responses", "authorization", "Bearer key-o"),
    "openai-codex-responses": ("/responses", "authorization", "Bearer key-c"),
    "google-generative-ai": ("/v1beta/models/a%2F%22%24%28id%29%22:generateContent", "x-goog-api-key", "key-g"),
}


@dataclass
class Received:
    url: str
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)


@contextmanager
def server() -> Iterator[Received]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            received.requests.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  its name in the base class
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as running:
        received = Received(f"http://127.0.0.1:{running.server_port}")
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield received
        finally:
            running.shutdown()
            thread.join()


def run(command: str, url: str, folder: Path) -> None:
    environment = {"PATH": "/usr/bin:/bin", **KEYS, **dict.fromkeys(HOSTS, url)}
    subprocess.run(["sh", "-c", command], cwd=folder, env=environment, check=True, capture_output=True)


@pytest.mark.parametrize("api", [provider.api for provider in PROVIDERS])
def test_commands_send_the_body_as_it_is(api: str, tmp_path: Path) -> None:
    name = "it's a $(touch owned).json"
    (tmp_path / name).write_bytes(BODY)
    target = Target("vendor", api, 'a/"$(id)"')
    with server() as received:
        run(curl_command(target, name), received.url, tmp_path)
        run(f"{curl_command(target, '-')} <<'EOF'\n{BODY.decode()}\nEOF\n", received.url, tmp_path)
    path, header, key = PATHS[api]
    assert [(asked, headers[header], headers["content-type"]) for asked, headers, _ in received.requests] == [
        (path, key, "application/json")
    ] * 2
    assert [body for *_, body in received.requests] == [BODY, BODY + b"\n"]
    assert [file.name for file in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("api", [provider.api for provider in PROVIDERS])
def test_keys_stay_in_the_environment(api: str) -> None:
    command = curl_command(Target("vendor", api), "body.json")
    assert "https://" in command
    assert sum(f"${name}" in command for name in KEYS) == (2 if api == "openai-codex-responses" else 1)
    assert ("MODEL:" in command) is (api == "google-generative-ai")


def test_a_name_that_acts_on_a_terminal_is_written_out(tmp_path: Path) -> None:
    (tmp_path / "\x1b[31m'\n.json").write_bytes(BODY)
    command = curl_command(Target("v", "openai-responses"), "\x1b[31m'\n.json")
    assert all(line.isprintable() for line in command.split("\n"))
    with server() as received:
        environment = {"PATH": "/usr/bin:/bin", "OPENAI_BASE_URL": received.url}
        subprocess.run(["bash", "-c", command], cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert received.requests[0][2] == BODY
