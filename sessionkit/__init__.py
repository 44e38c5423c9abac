"""sessionkit takes the images out of coding agents' sessions, and puts them back byte for byte.

The public names are imported when they are first used, so that `import sessionkit` costs nothing.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # the module `typing` takes longer to import than all that is imported here
if TYPE_CHECKING:
    from sessionkit.compaction.base import Settings as CompactSettings
    from sessionkit.core.entries import Defect, Entry, read_entries
    from sessionkit.core.files import Durability
    from sessionkit.core.media.policy import Choice, Policy, Spelling
    from sessionkit.core.model import Conversation, Message
    from sessionkit.core.stores.addresses import Bucket, parse_address
    from sessionkit.errors import SessionkitError
    from sessionkit.faults import fault_of
    from sessionkit.faults.base import Finding as FaultFinding
    from sessionkit.faults.profiles import Hosts, Wish
    from sessionkit.formats import detect, read_head
    from sessionkit.ops.batch import Batch, OnFailure
    from sessionkit.ops.check import Checked, check
    from sessionkit.ops.check import Options as CheckOptions
    from sessionkit.ops.compact import Compacted, compacting
    from sessionkit.ops.compact import Options as CompactOptions
    from sessionkit.ops.compact import Plan as CompactPlan
    from sessionkit.ops.conversations import Selection, read_conversation
    from sessionkit.ops.estimate import Estimated
    from sessionkit.ops.estimate import Options as EstimateOptions
    from sessionkit.ops.estimate import Plan as EstimatePlan
    from sessionkit.ops.failed import Failed
    from sessionkit.ops.findings import Finding
    from sessionkit.ops.gallery import Options as GalleryOptions
    from sessionkit.ops.gallery import Show, showing
    from sessionkit.ops.gc import Collected, purge_trash, put_back
    from sessionkit.ops.gc import Options as GcOptions
    from sessionkit.ops.gc import survey as survey_assets
    from sessionkit.ops.guards import Force, Liveness
    from sessionkit.ops.locate import Located, locate
    from sessionkit.ops.locate import Options as LocateOptions
    from sessionkit.ops.migrate import Migrated
    from sessionkit.ops.migrate import Options as MigrateOptions
    from sessionkit.ops.migrate import Plan as MigratePlan
    from sessionkit.ops.outputs import Existing, Outcome
    from sessionkit.ops.prepare import Options as PrepareOptions
    from sessionkit.ops.prepare import Plan as PreparePlan
    from sessionkit.ops.prepare import Prepared, Resizing, Unprepared, prepare, shape_of
    from sessionkit.ops.rehydrate import Options as RehydrateOptions
    from sessionkit.ops.rehydrate import Rehydrated, Unsendable, rehydrate
    from sessionkit.ops.rehydrate.diff import compare_requests
    from sessionkit.ops.repair import Aim, Cures, Repaired, Slim, Undone, UndoPlan
    from sessionkit.ops.repair import Options as RepairOptions
    from sessionkit.ops.repair import Plan as RepairPlan
    from sessionkit.ops.restore import Missing, Native, Restored
    from sessionkit.ops.restore import Options as RestoreOptions
    from sessionkit.ops.restore import Plan as RestorePlan
    from sessionkit.ops.resume.plan import Resumption
    from sessionkit.ops.scan import Scanned, scan
    from sessionkit.ops.sources import Descent, Source, find_one, find_sources
    from sessionkit.ops.targets import InPlace, Mirror, OneFile, Transfer, plan_transfers
    from sessionkit.ops.verify import Options as VerifyOptions
    from sessionkit.ops.verify import Verified, verify
    from sessionkit.ops.writing import Effect, Writing
    from sessionkit.providers import provider_of

__version__ = "0.1.0"

_HOMES = {
    "sessionkit.compaction.base": ("CompactSettings",),
    "sessionkit.core.entries": ("Entry", "Defect", "read_entries"),
    "sessionkit.core.files": ("Durability",),
    "sessionkit.core.media.policy": ("Choice", "Policy", "Spelling"),
    "sessionkit.core.model": ("Conversation", "Message"),
    "sessionkit.core.stores.addresses": ("Bucket", "parse_address"),
    "sessionkit.errors": ("SessionkitError",),
    "sessionkit.faults": ("fault_of",),
    "sessionkit.faults.base": ("FaultFinding",),
    "sessionkit.faults.profiles": ("Hosts", "Wish"),
    "sessionkit.formats": ("detect", "read_head"),
    "sessionkit.ops.batch": ("Batch", "OnFailure"),
    "sessionkit.ops.check": ("CheckOptions", "Checked", "check"),
    "sessionkit.ops.compact": ("CompactOptions", "CompactPlan", "Compacted", "compacting"),
    "sessionkit.ops.conversations": ("Selection", "read_conversation"),
    "sessionkit.ops.estimate": ("Estimated", "EstimateOptions", "EstimatePlan"),
    "sessionkit.ops.failed": ("Failed",),
    "sessionkit.ops.findings": ("Finding",),
    "sessionkit.ops.gallery": ("GalleryOptions", "Show", "showing"),
    "sessionkit.ops.gc": ("Collected", "GcOptions", "purge_trash", "put_back", "survey_assets"),
    "sessionkit.ops.guards": ("Force", "Liveness"),
    "sessionkit.ops.locate": ("LocateOptions", "Located", "locate"),
    "sessionkit.ops.migrate": ("Migrated", "MigrateOptions", "MigratePlan"),
    "sessionkit.ops.outputs": ("Existing", "Outcome"),
    "sessionkit.ops.prepare": ("PrepareOptions", "PreparePlan", "Prepared", "Resizing", "Unprepared", "prepare", "shape_of"),
    "sessionkit.ops.rehydrate": ("Rehydrated", "RehydrateOptions", "Unsendable", "rehydrate"),
    "sessionkit.ops.rehydrate.diff": ("compare_requests",),
    "sessionkit.ops.repair": ("Aim", "Cures", "RepairOptions", "RepairPlan", "Repaired", "Slim", "UndoPlan", "Undone"),
    "sessionkit.ops.restore": ("Missing", "Native", "Restored", "RestoreOptions", "RestorePlan"),
    "sessionkit.ops.resume.plan": ("Resumption",),
    "sessionkit.ops.scan": ("Scanned", "scan"),
    "sessionkit.ops.sources": ("Descent", "Source", "find_one", "find_sources"),
    "sessionkit.ops.targets": ("InPlace", "Mirror", "OneFile", "Transfer", "plan_transfers"),
    "sessionkit.ops.verify": ("Verified", "VerifyOptions", "verify"),
    "sessionkit.ops.writing": ("Effect", "Writing"),
    "sessionkit.providers": ("provider_of",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_AT_HOME = {
    "CheckOptions": "Options",
    "CompactOptions": "Options",
    "CompactPlan": "Plan",
    "CompactSettings": "Settings",
    "EstimateOptions": "Options",
    "EstimatePlan": "Plan",
    "FaultFinding": "Finding",
    "GalleryOptions": "Options",
    "GcOptions": "Options",
    "LocateOptions": "Options",
    "MigrateOptions": "Options",
    "MigratePlan": "Plan",
    "PrepareOptions": "Options",
    "PreparePlan": "Plan",
    "RehydrateOptions": "Options",
    "RepairOptions": "Options",
    "RepairPlan": "Plan",
    "RestoreOptions": "Options",
    "RestorePlan": "Plan",
    "VerifyOptions": "Options",
    "survey_assets": "survey",
}
"""What a name is called at home, where it differs."""

__all__ = [
    "Aim",
    "Batch",
    "Bucket",
    "CheckOptions",
    "Checked",
    "Choice",
    "Collected",
    "CompactOptions",
    "CompactPlan",
    "CompactSettings",
    "Compacted",
    "Conversation",
    "Cures",
    "Defect",
    "Descent",
    "Durability",
    "Effect",
    "Entry",
    "EstimateOptions",
    "EstimatePlan",
    "Estimated",
    "Existing",
    "Failed",
    "FaultFinding",
    "Finding",
    "Force",
    "GalleryOptions",
    "GcOptions",
    "Hosts",
    "InPlace",
    "Liveness",
    "LocateOptions",
    "Located",
    "Message",
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
    "PrepareOptions",
    "PreparePlan",
    "Prepared",
    "RehydrateOptions",
    "Rehydrated",
    "RepairOptions",
    "RepairPlan",
    "Repaired",
    "Resizing",
    "RestoreOptions",
    "RestorePlan",
    "Restored",
    "Resumption",
    "Scanned",
    "Selection",
    "SessionkitError",
    "Show",
    "Slim",
    "Source",
    "Spelling",
    "Transfer",
    "UndoPlan",
    "Undone",
    "Unprepared",
    "Unsendable",
    "Verified",
    "VerifyOptions",
    "Wish",
    "Writing",
    "__version__",
    "check",
    "compacting",
    "compare_requests",
    "detect",
    "fault_of",
    "find_one",
    "find_sources",
    "locate",
    "parse_address",
    "plan_transfers",
    "prepare",
    "provider_of",
    "purge_trash",
    "put_back",
    "read_conversation",
    "read_entries",
    "read_head",
    "rehydrate",
    "scan",
    "shape_of",
    "showing",
    "survey_assets",
    "toolresult",
    "verify",
]


def __getattr__(name: str) -> object:
    """Import a public name (PEP 562)."""
    if name == "toolresult":
        return import_module("sessionkit.toolresult")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'sessionkit' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), _AT_HOME.get(name, name))
