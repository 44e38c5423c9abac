"""scan: what is in a session, and which of it is a burden."""

from __future__ import annotations

from sessionkit.ops.scan.session import Scanned, scan
from sessionkit.ops.scan.tally import BigLine, ByteKind, LineFault, ScanKind, Sighting, Tally

__all__ = ["BigLine", "ByteKind", "LineFault", "ScanKind", "Scanned", "Sighting", "Tally", "scan"]
