"""`python -m sessionkit`."""

from __future__ import annotations

import sys

from sessionkit.cli.main import main

sys.exit(main())
