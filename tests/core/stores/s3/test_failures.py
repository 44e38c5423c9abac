"""What a server, or the way there, says no with: each has a cause in few words, and a next step."""

from __future__ import annotations

import os
import socket
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.sniff import PNG
from sessionkit.core.stores.addresses import Bucket
from sessionkit.core.stores.s3.client import Patience
from sessionkit.core.stores.s3.failures import failure_of
from sessionkit.core.stores.s3.store import S3Store
from sessionkit.errors import SessionkitError, UnreachableError, UnwritableError
from tests.buckets import QUICK, environment
from tests.packaging import requirement_of

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA = b"data"
NAME = AssetName.of(DATA, PNG)
PLACE = Bucket("team", "assets")
KEYS = "AWS_ACCESS_KEY_ID"
RIGHTS = "get, put and delete"


@dataclass(frozen=True)
class Answer:
    """What a server answers to everything, and what is made of it; `seen` is the status for those who only look, if that is another."""

    status: int
    code: str
    why: str
    hint: str
    seen: int = 0


ANSWERS = [
    Answer(403, "AccessDenied", "the server answers AccessDenied (No.)", RIGHTS),
    Answer(403, "InvalidAccessKeyId", "the server answers InvalidAccessKeyId (No.)", KEYS),
    Answer(403, "SignatureDoesNotMatch", "the server answers SignatureDoesNotMatch (No.)", KEYS),
    Answer(403, "RequestTimeTooSkewed", "the server answers RequestTimeTooSkewed (No.)", "clock"),
    Answer(400, "ExpiredToken", "the server answers ExpiredToken (No.)", "AWS_SESSION_TOKEN"),
    Answer(400, "AuthorizationHeaderMalformed", "the server answers AuthorizationHeaderMalformed (No.)", "AWS_REGION"),
    Answer(404, "NoSuchBucket", "the server answers NoSuchBucket (No.)", "makes no buckets"),
    Answer(301, "PermanentRedirect", "says that the bucket is elsewhere", "AWS_REGION"),
    Answer(500, "InternalError", "the server answers InternalError (No.)", "run again later"),
    Answer(503, "SlowDown", "the server answers SlowDown (No.)", "run again later"),
    Answer(501, "NotImplemented", "the server answers NotImplemented (No.)", "conditional writes"),
    Answer(403, "", "the server answers 403 Forbidden", KEYS),
    Answer(502, "", "the server answers 502 Bad Gateway", "run again later"),
]


@contextmanager
def answering(answer: Answer) -> Iterator[str]:
    body = f"<Error><Code>{answer.code}</Code><Message>No.</Message></Error>".encode() if answer.code else b""

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(answer.seen if answer.seen and self.command in {"GET", "HEAD"} else answer.status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(b"" if self.command == "HEAD" else body)

        do_GET = do_HEAD = do_PUT = do_POST = answer  # noqa: N815  the library's names

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_rivals_say_nothing_about_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next asset may be written; so this is no error that ends a batch."""
    with answering(Answer(412, "", "", "", seen=404)) as url:
        surround(monkeypatch, url)
        with pytest.raises(UnwritableError, match="too many others"):
            S3Store(PLACE, None, QUICK).put(NAME, DATA)


def surround(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    for name, value in environment(url).items():
        monkeypatch.setenv(name, value)


def errors(patience: Patience = QUICK) -> Iterator[SessionkitError]:
    """What reading and writing end in."""
    store = S3Store(PLACE, None, patience)
    for work in (lambda: store.check(NAME), lambda: list(store.files()), lambda: store.put(NAME, DATA)):
        with pytest.raises(UnreachableError) as caught:
            work()
        assert str(caught.value.place).startswith("s3://team/assets/images/")
        yield caught.value


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: f"{answer.status} {answer.code}".strip())
def test_answers(monkeypatch: pytest.MonkeyPatch, answer: Answer) -> None:
    with answering(answer) as url:
        surround(monkeypatch, url)
        for error in errors():
            assert answer.why.replace("(No.)", "(No)") in error.why
            assert answer.hint in error.hint


def test_nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        surround(monkeypatch, f"http://127.0.0.1:{free.getsockname()[1]}")
    for error in errors():
        assert "cannot be reached" in error.why
        assert "AWS_ENDPOINT_URL" in error.hint


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        surround(monkeypatch, f"http://127.0.0.1:{silent.getsockname()[1]}")
        for error in errors(Patience(timeout=0.2, retries=0)):
            assert "does not answer in time" in error.why
            assert "run again" in error.hint


def test_without_encryption_only_if_that_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    surround(monkeypatch, "http://127.0.0.1:1")
    monkeypatch.delenv("AWS_ALLOW_HTTP")
    for error in errors():
        assert "is not encrypted" in error.why
        assert "AWS_ALLOW_HTTP=true" in error.hint


ADDRESSES = ["localhost:9000", "http://", "ftp://host", "http://host:port", "http://a b", "http://host:99999", "http://1.2.3.999"]
ADDRESSES += ["http://[::1::]", "http://xn--a", "https://me:secret@host", "me:secret@host"]


@pytest.mark.parametrize("value", ADDRESSES)
def test_a_variable_that_is_no_address(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    surround(monkeypatch, "http://127.0.0.1:1")
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", value)
    with pytest.raises(UnreachableError, match=r"AWS_ENDPOINT_URL_S3 is not understood: .* is no address of a server") as caught:
        S3Store(PLACE, None, QUICK).check(NAME)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("name", ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION"])
@pytest.mark.parametrize("end", ["\n", "\r", "\x7f"])
def test_a_variable_with_a_line_break(monkeypatch: pytest.MonkeyPatch, name: str, end: str) -> None:
    surround(monkeypatch, "http://127.0.0.1:1")
    monkeypatch.setenv(name, f"secret{end}")
    with pytest.raises(UnreachableError, match=f"{name} is not understood: it holds a line break") as caught:
        S3Store(PLACE, None, QUICK).check(NAME)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("name", ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT", "AWS_SESSION_TOKEN", "AWS_SKIP_SIGNATURE"])
def test_a_variable_that_is_empty_is_none(bucket: Bucket, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "")
    assert list(S3Store(bucket, None, QUICK).files()) == []
    assert os.environ[name] == ""


def test_what_the_library_gives_up_at_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """It asks that address for credentials where there are no others, and looks at it only then."""
    surround(monkeypatch, "http://127.0.0.1:1")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_METADATA_ENDPOINT", "http://host:99999")
    for error in errors():
        assert error.why == "the library obstore gave up"


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "obstore", None)
    with pytest.raises(UnreachableError) as caught:
        S3Store(PLACE, None, QUICK).put(NAME, DATA)
    assert "obstore" in caught.value.why
    assert caught.value.hint == f"pip install '{requirement_of('s3')}', which is the extra s3"


def test_without_credentials() -> None:
    """The library asks a machine of Amazon for some then; this one is none."""
    told = "Generic S3 error: Error performing PUT http://169.254.169.254/latest/api/token in 6.7ms - HTTP error: error sending request"
    failure = failure_of(f"{told}\n\nDebug source:\nGeneric {{}}")
    assert failure.why == "the environment holds no credentials"
    assert KEYS in failure.hint
