"""Find the place in a session that a refusal is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass
from sessionkit.faults.open import Options as CaseOptions
from sessionkit.ops.cases import opened
from sessionkit.ops.conversations import NEWEST
from sessionkit.ops.locate.answering import answer
from sessionkit.ops.locate.reading import read_refusal
from sessionkit.ops.locate.result import Located
from sessionkit.ops.locate.scene import set_scene

if TYPE_CHECKING:
    from sessionkit.core.stores.addresses import Address
    from sessionkit.ops.conversations import Selection
    from sessionkit.ops.sources import Source
    from sessionkit.providers.layouts import Layout


@dataclass(frozen=True, slots=True)
class Options:
    """Which branch of a session is meant, and whose numbers a refusal has: None for its own agent's. `store` None is `images` beside it."""

    client: Layout | None = None
    selection: Selection = NEWEST
    store: Address | None = None


ANY_CLIENT = Options()


def locate(source: Source, text: str, options: Options = ANY_CLIENT) -> Located:
    """Find what the text of a refusal is about. The session is not changed.

    Raises UnreadableError for what is no session, RefusedError for one that is left alone, and UsageError for an unknown leaf.
    """
    how = CaseOptions(store=options.store, format=options.selection.format, leaf=options.selection.leaf, budget=0)
    with opened(source, how) as case:
        scene = set_scene(case, read_refusal(text), options.client)
        wire = scene.wire
        return Located(source, case.format, wire.provider.id, wire.client, scene.case.profile.id, scene.refusal, answer(scene))
