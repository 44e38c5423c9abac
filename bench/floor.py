"""What no spill can go below: read the sessions once, hash and write each distinct image once. floor.py OUT IMAGES FILE…

IMAGES is the folder of assets that an earlier run made of the same sessions. Nothing is parsed or decoded.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

READ = 1 << 20

out, images, *sessions = map(Path, sys.argv[1:])
(out / "images").mkdir(parents=True, exist_ok=True)
buffer = memoryview(bytearray(8 << 20))

for session in sessions:
    with session.open("rb", buffering=0) as file:
        while file.readinto(buffer[:READ]):
            pass
for asset in images.iterdir():
    with asset.open("rb", buffering=0) as file, (out / "images" / asset.name).open("wb", buffering=0) as sink:
        data = buffer[: file.readinto(buffer)]
        hashlib.sha256(data).digest()
        sink.write(data)
