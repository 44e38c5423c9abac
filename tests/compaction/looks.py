"""What is known of media whose assets are nowhere."""

from __future__ import annotations

from pathlib import Path

from sessionkit.core.pictures import Pictures
from sessionkit.core.stores.local import LocalStore

NO_STORE = LocalStore(Path("/nonexistent/images"))
look = Pictures(NO_STORE).look
