"""repair: what breaks a session is cured by splices of its lines; nothing is lost, and all can be undone."""

from __future__ import annotations

from sessionkit.ops.repair.options import Aim, Cures, Options, Slim
from sessionkit.ops.repair.plan import Plan, UndoPlan
from sessionkit.ops.repair.result import Alike, Left, Prognosis, Repaired, Request, Treated, Undone
from sessionkit.ops.repair.steps import Picture, Step, Words

__all__ = [
    "Aim",
    "Alike",
    "Cures",
    "Left",
    "Options",
    "Picture",
    "Plan",
    "Prognosis",
    "Repaired",
    "Request",
    "Slim",
    "Step",
    "Treated",
    "UndoPlan",
    "Undone",
    "Words",
]
