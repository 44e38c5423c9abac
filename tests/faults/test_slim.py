"""Media that only weigh: which they are, what is left of them, and that nobody misses them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.faults.base import Choices, Lengths, Severity, Spot
from sessionkit.faults.slim.dead_images import DeadImages
from sessionkit.faults.slim.off_path_images import OffPathImages
from sessionkit.faults.slim.repeated_image import RepeatedImage
from sessionkit.faults.slim.twin_bytes import TwinBytes
from sessionkit.providers.base import Target
from sessionkit.providers.body import write
from sessionkit.providers.replay import Choices as Sending
from sessionkit.providers.replay import replay
from tests.faults.media_bases import served
from tests.faults.recipes.chains import cyclic
from tests.faults.recipes.contents import sidechain
from tests.faults.single import cured, findings, refusals
from tests.faults.structure_bases import chain, line
from tests.faults.surgery import done, value
from tests.faults.workshop import RECORDED, Session, opened

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.faults.base import Fault
    from sessionkit.faults.slim.weight import Weight

GOOD = [path for path in RECORDED if path.parts[-2] != "spilled"]
WEIGHTS: tuple[Weight, ...] = (TwinBytes(), DeadImages(), OffPathImages(), RepeatedImage())


def request(folder: Path, session: Session | bytes) -> bytes:
    """The next request, to the byte."""
    with opened(folder, session) as case:
        provider = case.wire.provider
        target = Target(provider.vendor, provider.api)
        body = provider.body(replay(case.conversation, provider, target, Sending(), case.pictures).prompt, target)
        return b"".join(write(body, case.pictures.base64))


@pytest.mark.parametrize("path", GOOD, ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
def test_the_next_request_stays_the_same_and_what_is_won_was_promised(path: Path, tmp_path: Path) -> None:
    """Give or take what the block around the base64 takes. What is repeated is another request; what the model made stays."""
    before = path.read_bytes()
    for fault in WEIGHTS:
        with opened(tmp_path, before) as case:
            found = list(fault.find(case))
            after = done(case, *(fault.cure(case, finding, Choices()) for finding in found if not finding.obstacle))
        promised = [finding for finding in found if finding.cure]
        assert abs(len(before) - len(after.content) - sum(finding.bytes_won for finding in promised)) <= 80 * len(promised)
        assert all(finding.severity is Severity.BLOATS and finding.option == f"slim {fault.kind}" for finding in promised)
        if promised and not isinstance(fault, RepeatedImage):
            assert request(tmp_path, after) == request(tmp_path, before)
            assert findings(fault, tmp_path, after) == [finding for finding in found if finding.obstacle]


def test_a_twin_of_a_file_becomes_empty_and_one_in_a_list_a_text(tmp_path: Path) -> None:
    after = cured(TwinBytes(), tmp_path, served())
    assert value(after, 7, "/toolUseResult/file/base64") == ""
    assert value(after, 7, "/toolUseResult/file/type") == "image/png"
    assert str(value(after, 9, "/toolUseResult/1/text")).startswith("[image removed: a copy for the screen; image/jpeg 160x120, ")


def test_what_a_command_printed_stays(tmp_path: Path) -> None:
    url = f"data:image/png;base64,{value(chain(), 7, '/toolUseResult/file/base64')}"
    printed = chain().with_value(7, "/toolUseResult", {"stdout": url, "isImage": True})
    assert {finding.spot.line for finding in findings(TwinBytes(), tmp_path, printed)} == {9, 11}


def test_dead_images_of_claude_code_take_their_twins_along(tmp_path: Path) -> None:
    after = cured(DeadImages(), tmp_path, Session.recorded("claude-code/compacted"))
    note = "[image removed: before a compaction; image/png 320x200, 3022 bytes; kept as images/"
    assert str(value(after, 7, "/message/content/0/content/0/text")).startswith(note)
    assert value(after, 7, "/toolUseResult/file/base64") == ""


def test_what_a_compaction_kept_is_not_dead(tmp_path: Path) -> None:
    """Pi: the call and the result before the compaction, and what came later."""
    session = Session.recorded("pi/compacted")
    with opened(tmp_path, session) as case:
        kept = {exhibit.line for exhibit in case.gallery.live}
    assert min(kept) < next(at for at, raw in enumerate(session.lines, 1) if b'"type":"compaction"' in raw)
    assert kept.isdisjoint(finding.spot.line for finding in findings(DeadImages(), tmp_path, session))


def test_the_prompts_that_stand_before_a_compaction_are_counted(tmp_path: Path) -> None:
    causes = {finding.cause for finding in findings(DeadImages(), tmp_path, Session.recorded("pi/compacted"))}
    assert causes == {"it is never sent again: the newest compaction stands on line 31, and 6 prompts of the user stand before that"}


def test_older_copies_of_codex_are_dead_too(tmp_path: Path) -> None:
    session = Session.recorded("codex/compacted")
    picture = json.loads(session.lines[7])["payload"]["content"][1]
    holding = session.with_items(56, "/payload/replacement_history/2/content", picture)
    again = replace(holding, lines=(*holding.lines, session.lines[55]))
    assert 56 not in {finding.spot.line for finding in findings(DeadImages(), tmp_path, holding)}
    assert 56 in {finding.spot.line for finding in findings(DeadImages(), tmp_path, again)}


def test_a_compaction_that_was_rolled_back_kills_nothing(tmp_path: Path) -> None:
    assert findings(DeadImages(), tmp_path, Session.recorded("codex/rolled-back")) == []
    assert len(findings(OffPathImages(), tmp_path, Session.recorded("codex/rolled-back"))) == 1


def test_pictures_of_subagents_are_off_the_path_before_a_compaction_too(tmp_path: Path) -> None:
    early = sidechain()
    aside = early.lines[9]
    early = replace(early, lines=(*early.lines[:5], aside, *early.lines[5:9], *early.lines[10:])).with_value(6, "/parentUuid", None)
    for session, at in ((sidechain(), 10), (early, 6)):
        assert [finding.spot.line for finding in findings(OffPathImages(), tmp_path, session)] == [at]
        assert at not in {finding.spot.line for finding in findings(DeadImages(), tmp_path, session)}


def test_a_branch_that_was_left_is_off_the_path(tmp_path: Path) -> None:
    """Claude Code: the user went back to before the second picture."""
    prompt = json.loads(chain().lines[12]) | {"parentUuid": value(chain(), 7, "/uuid"), "uuid": "5d0f6f0e-7a35-4a53-9b0b-6a6fd7a1c005"}
    session = replace(chain(), lines=(*chain().lines, line(prompt)))
    assert [finding.spot.line for finding in findings(OffPathImages(), tmp_path, session)] == [9, 11]


def test_what_a_lost_line_has_cut_off_is_no_branch(tmp_path: Path) -> None:
    """It comes back when the chain is mended."""
    assert findings(OffPathImages(), tmp_path, Session((*chain().lines[:8], *chain().lines[9:]))) == []
    assert findings(OffPathImages(), tmp_path, cyclic()) == []


def test_of_equal_pictures_the_newest_stays(tmp_path: Path) -> None:
    session = Session.recorded("claude-code/compacted", 24)
    assert [finding.spot.line for finding in findings(RepeatedImage(), tmp_path, session)] == [7]
    after = cured(RepeatedImage(), tmp_path, session)
    assert value(after, 7, "/message/content/0/content/0") == {"type": "text", "text": "[same image as below: image/png 320x200]"}
    assert value(after, 7, "/toolUseResult/file/base64") == ""
    assert after.lines[20] == session.lines[20]


def test_what_costs_less_than_its_note_stays(tmp_path: Path) -> None:
    """A pixel from before a compaction."""
    pixel = "R0lGODdhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs="
    session = Session.recorded("pi/compacted").with_text(0, pixel)
    assert [finding.spot for finding in findings(DeadImages(), tmp_path, session) if finding.spot.pointer.startswith("/message/content/1")]
    assert Spot(5, "/message/content/1/data") not in {finding.spot for finding in findings(DeadImages(), tmp_path, session)}


def test_what_the_model_made_stays(tmp_path: Path) -> None:
    """Codex keeps it as a string that no text can take the place of."""
    (finding,) = findings(OffPathImages(), tmp_path, Session.recorded("codex/rolled-back"))
    assert (finding.cure, finding.option, finding.bytes_won) == ("", "", 0)
    assert refusals(OffPathImages(), tmp_path, Session.recorded("codex/rolled-back")) == [finding.obstacle]


@pytest.mark.parametrize("fault", [DeadImages(), RepeatedImage(), OffPathImages()], ids=lambda fault: fault.id)
def test_in_place_nothing_would_be_won_for_codex(fault: Fault, tmp_path: Path) -> None:
    for case in ("compacted", "session", "rolled-back"):
        session = Session.recorded(f"codex/{case}")
        found = findings(fault, tmp_path, session)
        assert len(refusals(fault, tmp_path, session, Choices(lengths=Lengths.KEPT))) == len(found)
