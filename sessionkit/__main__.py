"""The program, also as `python -m sessionkit`: Ctrl-C ends it without a traceback already while its modules are imported."""

from __future__ import annotations

import sys

_INTERRUPTED = 130
"""`ExitCode.INTERRUPTED`, which has to be imported first."""


def main() -> int:
    """Run this process's command line, and return its exit code."""
    try:
        from sessionkit.cli.main import main as run  # noqa: PLC0415  nothing that takes time stands outside of the guard

        return run()
    except KeyboardInterrupt:
        return _INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
