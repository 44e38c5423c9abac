"""The summary that the requests of a plan were answered with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.compaction.pi import join_answers
from sessionkit.errors import UsageError

if TYPE_CHECKING:
    from sessionkit.compaction.base import Plan
    from sessionkit.ops.compact.options import Options


def summary_for(plan: Plan, options: Options) -> str:
    """Take the summary as it is given, or join the two of a split turn; UsageError for too many and too few of them."""
    history, prefix = options.summary, options.prefix_summary
    if prefix is None:
        assert history is not None
        return history
    if plan.prefix is None:
        raise UsageError("no turn is split, of which there could be a summary", hint="leave --prefix-summary out")
    if history is None and plan.summary_input:
        raise UsageError("the history before the split turn has no summary", hint="name a text file with --summary")
    return join_answers(plan, history, prefix)
