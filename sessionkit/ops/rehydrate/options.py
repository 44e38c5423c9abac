"""What a user chooses of a request body."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from sessionkit.core.pictures import Depth
from sessionkit.dataclass import dataclass, field
from sessionkit.ops.conversations import NEWEST, Selection
from sessionkit.providers.base import PLAIN, Style
from sessionkit.providers.replay import Bad, Choices
from sessionkit.providers.vision import NO_CATALOG, Catalog, Vision

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sessionkit.core.model import Json
    from sessionkit.core.stores.addresses import Address
    from sessionkit.providers.base import Provider
    from sessionkit.providers.layouts import Layout


class Fitting(Enum):
    """What becomes of media that exceed a limit, or are of a type that is refused."""

    NONE = auto()
    SHRINK = auto()
    """They are written anew, smaller or in another format, in the body alone."""


class Remedy(Enum):
    """What can be done about images that exceed a limit."""

    SHRINK = auto()
    STAND_IN = auto()


@dataclass(frozen=True, slots=True)
class Options:
    """Whom a body is for, and how it is made.

    `model` None stands for the session's own, `store` None for `images` beside the session. `fields` replace members of the body.
    `client` is whose numbers of messages and blocks are told, None for those of the body.
    """

    provider: Provider
    model: str | None = None
    vision: Vision = Vision.AUTO
    catalog: Catalog = NO_CATALOG
    selection: Selection = NEWEST
    store: Address | None = None
    choices: Choices = field(default_factory=lambda: Choices(bad=Bad.KEEP))
    style: Style = PLAIN
    fields: Mapping[str, Json] = field(default_factory=dict)
    fitting: Fitting = Fitting.NONE
    depth: Depth = Depth.HEADERS
    client: Layout | None = None

    @property
    def untried(self) -> frozenset[Remedy]:
        """What was not chosen to be done about images."""
        shrink = {Remedy.SHRINK} if self.fitting is Fitting.NONE else set()
        return frozenset({*shrink, *({Remedy.STAND_IN} if self.choices.bad is not Bad.PLACEHOLDER else set())})
