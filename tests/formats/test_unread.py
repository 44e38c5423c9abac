"""Sessions that no conversation can be rebuilt of say why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import RefusedError
from sessionkit.formats.pi_next import PiNext
from sessionkit.formats.unknown import Unknown
from tests.formats.outlines import JsonObject, rebuild

if TYPE_CHECKING:
    from sessionkit.formats import Format


@pytest.mark.parametrize(
    ("book", "line", "why"),
    [
        (PiNext(), {"kind": "header", "version": 4}, "Pi's storage version 4 is not supported yet"),
        (Unknown(), {"level": "info"}, "no known agent wrote it"),
    ],
)
def test_refusal(book: Format, line: JsonObject, why: str) -> None:
    with pytest.raises(RefusedError) as caught:
        rebuild(book, line)
    assert caught.value.why == why
