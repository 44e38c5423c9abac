"""sessionkit takes the images out of coding agents' sessions, and puts them back byte for byte.

The public names are imported when they are first used, so that `import sessionkit` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sessionkit.core.files import Durability
    from sessionkit.core.media.intake import Choice, Policy, Spelling
    from sessionkit.errors import SessionkitError
    from sessionkit.ops.batch import Batch, OnFailure
    from sessionkit.ops.failed import Failed
    from sessionkit.ops.guards import Force, Liveness
    from sessionkit.ops.migrate import Migrated
    from sessionkit.ops.migrate import Options as MigrateOptions
    from sessionkit.ops.migrate import Plan as MigratePlan
    from sessionkit.ops.outputs import Existing, Outcome
    from sessionkit.ops.restore import Missing, Native, Restored
    from sessionkit.ops.restore import Options as RestoreOptions
    from sessionkit.ops.restore import Plan as RestorePlan
    from sessionkit.ops.sources import Descent, Source, find_sources
    from sessionkit.ops.targets import InPlace, Mirror, OneFile, Transfer, plan_transfers
    from sessionkit.ops.writing import Effect, Writing

__version__ = "0.1.0"

_HOMES = {
    "sessionkit.core.files": ("Durability",),
    "sessionkit.core.media.intake": ("Choice", "Policy", "Spelling"),
    "sessionkit.errors": ("SessionkitError",),
    "sessionkit.ops.batch": ("Batch", "OnFailure"),
    "sessionkit.ops.failed": ("Failed",),
    "sessionkit.ops.guards": ("Force", "Liveness"),
    "sessionkit.ops.migrate": ("Migrated", "MigrateOptions", "MigratePlan"),
    "sessionkit.ops.outputs": ("Existing", "Outcome"),
    "sessionkit.ops.restore": ("Missing", "Native", "Restored", "RestoreOptions", "RestorePlan"),
    "sessionkit.ops.sources": ("Descent", "Source", "find_sources"),
    "sessionkit.ops.targets": ("InPlace", "Mirror", "OneFile", "Transfer", "plan_transfers"),
    "sessionkit.ops.writing": ("Effect", "Writing"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_SHORT = {"MigrateOptions": "Options", "MigratePlan": "Plan", "RestoreOptions": "Options", "RestorePlan": "Plan"}
"""What a name is called at home, where it differs."""

__all__ = [
    "Batch",
    "Choice",
    "Descent",
    "Durability",
    "Effect",
    "Existing",
    "Failed",
    "Force",
    "InPlace",
    "Liveness",
    "MigrateOptions",
    "MigratePlan",
    "Migrated",
    "Mirror",
    "Missing",
    "Native",
    "OnFailure",
    "OneFile",
    "Outcome",
    "Policy",
    "RestoreOptions",
    "RestorePlan",
    "Restored",
    "SessionkitError",
    "Source",
    "Spelling",
    "Transfer",
    "Writing",
    "__version__",
    "find_sources",
    "plan_transfers",
]


def __getattr__(name: str) -> object:
    """Import a public name (PEP 562)."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'sessionkit' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), _SHORT.get(name, name))
