"""The least that a check of assets must do: read each, and hash it. hash_loop.py IMAGES"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

for asset in Path(sys.argv[1]).iterdir():
    if hashlib.sha256(asset.read_bytes()).hexdigest() != asset.stem:
        sys.exit(f"{asset} is corrupt")
