"""Buckets on a server of their own, which runs as long as the tests."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing, contextmanager
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sessionkit.core.stores.s3.client import Client, Patience

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.stores.addresses import Bucket

BUCKET: Final = "assets"
CARELESS: Final = "careless"
"""The bucket in which conditions are passed over."""
QUICK: Final = Patience(timeout=20, retries=0)


@contextmanager
def serving() -> Iterator[str]:
    """Start the server with one bucket, and tell its address."""
    command = [sys.executable, "-m", "tests.bucket_server"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent.parent) as process:
        assert process.stdin
        assert process.stdout
        port = int(process.stdout.readline())
        with closing(HTTPConnection("127.0.0.1", port)) as server:
            for name in (BUCKET, CARELESS):
                server.request("PUT", f"/{name}")
                assert server.getresponse().status == HTTPStatus.OK
        yield f"http://127.0.0.1:{port}"
        process.stdin.close()


def environment(url: str) -> dict[str, str]:
    """The usual variables, for a server on this machine."""
    return {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": url,
        "AWS_ALLOW_HTTP": "true",
    }


def client(bucket: Bucket) -> Client:
    """What a store itself works with."""
    return Client(bucket, QUICK)


def keys(bucket: Bucket) -> list[str]:
    """Names of all objects of a store, but for the lock."""
    return sorted(name for name, _ in client(bucket).all_below(bucket.folder) if name != ".lock")
