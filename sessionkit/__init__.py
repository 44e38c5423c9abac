"""sessionkit takes the images out of coding agents' sessions, and puts them back byte for byte."""

from __future__ import annotations

__version__ = "0.1.0"
