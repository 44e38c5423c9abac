"""The shelf of faults: what breaks a session, how it is found, and how it is cured."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from sessionkit.errors import UsageError
from sessionkit.faults.assistant_image import AssistantImage
from sessionkit.faults.bad_document import BadDocument
from sessionkit.faults.base import Consent, Fault, State
from sessionkit.faults.broken_lines import GluedLines, TornLine
from sessionkit.faults.characters import BadUtf8, Bom, LoneSurrogate, NulEscape
from sessionkit.faults.codex_history import CodexHistoryShape
from sessionkit.faults.compact_metadata import CompactMetadata
from sessionkit.faults.control_characters import ControlCharacters
from sessionkit.faults.doubled_results import DoubledResults
from sessionkit.faults.duplicate_lines import DuplicateLines
from sessionkit.faults.empty_text import EmptyText
from sessionkit.faults.final_newline import NoFinalNewline
from sessionkit.faults.heal_marker import HealMarker
from sessionkit.faults.image_empty import ImageEmpty
from sessionkit.faults.image_too_large import ImageTooLarge
from sessionkit.faults.lost_parent import Cycle, LostParent
from sessionkit.faults.missing_header import HeaderMissing
from sessionkit.faults.mixed_sessions import MixedSessions
from sessionkit.faults.noncanonical_base64 import NoncanonicalBase64
from sessionkit.faults.not_base64 import NotBase64
from sessionkit.faults.nul_run import NulRun
from sessionkit.faults.older_image_limit import OlderImageLimit
from sessionkit.faults.pixels import ImageTooManyPixels, ManyImagePixels
from sessionkit.faults.placeholder_in_data import PlaceholderInData
from sessionkit.faults.request_too_large import RequestTooLarge
from sessionkit.faults.slim.dead_images import DeadImages
from sessionkit.faults.slim.off_path_images import OffPathImages
from sessionkit.faults.slim.repeated_image import RepeatedImage
from sessionkit.faults.slim.twin_bytes import TwinBytes
from sessionkit.faults.source_shape import SourceShape
from sessionkit.faults.text_bomb import TextBomb
from sessionkit.faults.thinking_modified import ThinkingModified
from sessionkit.faults.too_many_images import TooManyImages
from sessionkit.faults.undecodable_image import UndecodableImage
from sessionkit.faults.unpaired import UnpairedToolCall, UnpairedToolResult
from sessionkit.faults.unread_picture import UnreadPicture
from sessionkit.faults.unsupported_media_type import UnsupportedMediaType
from sessionkit.faults.wrong_media_type import WrongMediaType
from sessionkit.faults.wrong_picture import WrongPicture

if TYPE_CHECKING:
    from typing import Final

    from sessionkit.faults.base import Finding

__all__ = ["FAULTS", "Fault", "fault_of", "is_cured_unasked"]

FAULTS: Final[tuple[Fault, ...]] = (
    # lines
    NulRun(),
    ControlCharacters(),
    TornLine(),
    GluedLines(),
    Bom(),
    BadUtf8(),
    LoneSurrogate(),
    NulEscape(),
    NoFinalNewline(),
    # repeats
    DuplicateLines(),
    # labels and shapes
    CompactMetadata(),
    CodexHistoryShape(),
    HeaderMissing(),
    MixedSessions(),
    DoubledResults(),
    TextBomb(),
    WrongPicture(),
    ThinkingModified(),
    AssistantImage(),
    SourceShape(),
    ImageEmpty(),
    PlaceholderInData(),
    NotBase64(),
    NoncanonicalBase64(),
    UnsupportedMediaType(),
    WrongMediaType(),
    # bytes
    UndecodableImage(),
    BadDocument(),
    # pixels
    ManyImagePixels(),
    ImageTooManyPixels(),
    # size
    ImageTooLarge(),
    OlderImageLimit(),
    # slimming
    TwinBytes(),
    DeadImages(),
    RepeatedImage(),
    OffPathImages(),
    # count
    TooManyImages(),
    # request
    RequestTooLarge(),
    # texts
    EmptyText(),
    UnreadPicture(),
    # pairs
    UnpairedToolCall(),
    UnpairedToolResult(),
    # parents
    LostParent(),
    Cycle(),
    # marks
    HealMarker(),
)
"""In the order of their stages; within a stage the earlier one goes first."""


def fault_of(id: str) -> Fault:  # noqa: A002  books call it so
    """Find a fault by its id. Raises UsageError, which names those that are spelled nearly so."""
    found = next((fault for fault in FAULTS if fault.id == id), None)
    if found is None:
        near = get_close_matches(id, [fault.id for fault in FAULTS])
        meant = f"did you mean {' or '.join(near)}? " if near else ""
        raise UsageError(f"unknown fault: {id}", hint=f"{meant}`sessionkit explain` lists all")
    return found


def is_cured_unasked(finding: Finding) -> bool:
    """Whether a repair cures it without an option of its own."""
    is_offered = bool(finding.cure) and not finding.option and finding.state is State.LIVE
    return is_offered and fault_of(finding.fault).consent is not Consent.ASKED
