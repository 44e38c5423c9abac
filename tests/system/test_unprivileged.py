"""What the system refuses to root without its capabilities, as to any other user: the tests that plain root has to skip."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.system.test_full_disk import WITHOUT_PRIVILEGES

TESTS = (
    "tests/core/stores/test_local_access.py::test_a_read_only_folder",
    "tests/core/stores/test_local_access.py::test_an_unreadable_asset_is_replaced",
    "tests/core/test_files_atomic.py::test_a_read_only_folder",
    "tests/core/test_streams.py::test_a_forbidden_file",
)

pytestmark = pytest.mark.system


def test_what_is_refused_is_told_and_harms_nothing() -> None:
    command = [*WITHOUT_PRIVILEGES, sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *TESTS]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    assert f"{len(TESTS)} passed" in done.stdout, done.stdout
