"""A server of the S3 protocol on 127.0.0.1, as a program: it tells its port, and ends with its standard input."""

from __future__ import annotations

import logging
import sys
import threading
from typing import TYPE_CHECKING, Any

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

if TYPE_CHECKING:
    from collections.abc import Callable

Environ = dict[str, Any]


class InTurn:
    """Serves one request after the other: to look at an object and to write it is one step on a real server, and two in this one.

    In the bucket `careless` conditions are passed over, as older servers do.
    """

    def __init__(self) -> None:
        self._inner = DomainDispatcherApplication(create_backend_app)
        self._turn = threading.Lock()

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> list[bytes]:
        if environ["PATH_INFO"].startswith("/careless/"):
            for name in ("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH"):
                environ.pop(name, None)
        with self._turn:
            return list(self._inner(environ, start_response))


def main() -> None:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = make_server("127.0.0.1", 0, InTurn(), threaded=True)
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()


if __name__ == "__main__":
    main()
