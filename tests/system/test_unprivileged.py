"""What the system refuses to root without its capabilities, as to any other user: the tests that plain root has to skip."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.system.test_full_disk import WITHOUT_PRIVILEGES

TESTS = (
    "tests/cli/test_quick.py::test_settings_that_cannot_be_read_are_left_to_typer",
    "tests/core/stores/test_local_access.py::test_a_read_only_folder",
    "tests/core/stores/test_local_access.py::test_an_unreadable_asset_is_replaced",
    "tests/core/stores/test_locks.py::test_a_folder_that_may_not_be_written_is_not_locked",
    "tests/core/stores/test_locks.py::test_a_lock_file_that_may_not_be_read_counts_for_a_day",
    "tests/core/stores/test_locks.py::test_a_lock_that_may_not_be_opened_is_not_taken_where_assets_could_be_put[LockKind.EXCLUSIVE]",
    "tests/core/stores/test_locks.py::test_a_lock_that_may_not_be_opened_is_not_taken_where_assets_could_be_put[LockKind.SHARED]",
    "tests/core/stores/test_locks.py::test_a_lock_that_may_not_be_written_is_respected",
    "tests/core/stores/test_locks.py::test_one_that_may_not_be_opened_is_waited_for",
    "tests/core/test_files_atomic.py::test_a_read_only_folder",
    "tests/core/test_streams.py::test_a_forbidden_file",
    "tests/ops/test_gc_refused.py::test_a_store_that_may_not_be_written_to_stays_as_it_is",
    "tests/ops/test_gc_refused.py::test_what_may_not_be_read_stops_it",
    "tests/ops/test_repair_backups.py::test_a_folder_that_may_not_be_written_to",
)

pytestmark = pytest.mark.system


def test_what_is_refused_is_told_and_harms_nothing() -> None:
    command = [*WITHOUT_PRIVILEGES, sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *TESTS]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    assert f"{len(TESTS)} passed" in done.stdout, done.stdout
