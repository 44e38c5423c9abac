"""verify: every reference of a session has its asset, and every asset is what its name and its references say."""

from __future__ import annotations

from sessionkit.ops.verify.options import Decoding, Options, Reading, StoreVerified, Verified
from sessionkit.ops.verify.plan import verify

__all__ = ["Decoding", "Options", "Reading", "StoreVerified", "Verified", "verify"]
