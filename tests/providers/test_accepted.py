"""Every session of the fixtures, for every interface, inline and spilled: the vendor's types allow it, and the vendor takes it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.ops.targets import Mirror
from tests.ops.runs import age, migrate_one
from tests.providers.clients import Clients, connected
from tests.providers.fixture_bodies import SESSIONS, cases
from tests.providers.schemas import faults
from tests.providers.strict import anthropic, gemini, openai_chat, openai_responses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.providers.fixture_bodies import Case
    from tests.providers.strict.base import Loaded, Refusal

CASES = list(cases())
OF_EACH_INTERFACE = [case for case in CASES if not case.model]
INTERFACES = {"codex-responses": "openai-responses"}
"""What a variant is to its client."""
OWN_ITEMS = re.compile(
    r"Additional properties are not allowed \('id' was unexpected\)|'detail' is a required|/type: 'input_text' was expected"
)
"""Codex sends items with ids that the vendor's types do not know, and answers without theirs; what it recorded goes out so."""
JUDGES: dict[str, Callable[[Loaded], Refusal | None]] = {
    "anthropic": anthropic.judge,
    "openai-chat": openai_chat.judge,
    "openai-responses": openai_responses.judge,
}


@pytest.fixture(scope="module")
def clients() -> Iterator[Clients]:
    with connected() as clients:
        yield clients


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Path]:
    """The spilled twin of every session."""
    folder = tmp_path_factory.mktemp("twins")
    return {session: spill(session, folder / str(number)) for number, session in enumerate(SESSIONS)}


def spill(session: Path, folder: Path) -> Path:
    folder.mkdir()
    if (session.parent / "images").is_dir():
        shutil.copytree(session.parent / "images", folder / "images")
    migrated = migrate_one(age(Path(shutil.copy(session, folder))), Mirror(folder / "spilled"))
    assert migrated.transfer.target
    return migrated.transfer.target


@cache
def body_of(case: Case) -> bytes:
    return case.body()


def interface_of(case: Case) -> str:
    return INTERFACES.get(case.provider.id, case.provider.id)


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_vendor_takes_it(case: Case) -> None:
    judge = JUDGES.get(interface_of(case), partial(gemini.judge, model=case.model))
    assert judge(json.loads(body_of(case))) is None


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_types_of_the_vendor_allow_it(case: Case) -> None:
    told = faults(interface_of(case), json.loads(body_of(case)))
    known = [fault for fault in told if OWN_ITEMS.search(fault)] if case.session.parts[-3] in case.provider.own_formats else []
    assert told == known


@pytest.mark.parametrize("case", OF_EACH_INTERFACE, ids=repr)
def test_spilled_twin_gives_the_same_bytes(case: Case, twins: dict[Path, Path]) -> None:
    assert case.body(twins[case.session]) == body_of(case)


@pytest.mark.filterwarnings("ignore:The model '.*' is deprecated:DeprecationWarning")
@pytest.mark.parametrize("case", OF_EACH_INTERFACE, ids=repr)
def test_client_of_the_vendor_sends_it_unchanged(case: Case, clients: Clients) -> None:
    body = json.loads(body_of(case))
    assert clients.send(interface_of(case), json.loads(body_of(case)), "mock") == "Seen."
    assert clients.sent(interface_of(case)) == body


@pytest.mark.parametrize("seed", ["0", "1"])
def test_bodies_are_the_same_in_every_process(seed: str) -> None:
    command = [sys.executable, "-m", "tests.providers.fixture_bodies"]
    other = subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True)
    assert json.loads(other.stdout) == {repr(case): hashlib.sha256(body_of(case)).hexdigest() for case in CASES}
