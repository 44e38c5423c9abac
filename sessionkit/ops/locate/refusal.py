"""What can be used of a refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sessionkit.ops.locate.sayings import Saying
    from sessionkit.providers.body import Steps


@dataclass(frozen=True, slots=True)
class Facts:
    """What a refusal tells of the one thing that it is about.

    `base64_length` and `patches` are what was measured, `mebibytes` a length of base64 in MiB, rounded to tenths of them. `text` is
    the beginning of what should have been base64. `ids` are those of calls, or of other items. `is_of_failure` tells that it is about the
    result of a call that failed.
    """

    base64_length: int | None = None
    mebibytes: float | None = None
    patches: int | None = None
    most_patches: int | None = None
    declared: str | None = None
    detected: str | None = None
    ids: tuple[str, ...] = ()
    text: str | None = None
    is_of_failure: bool = False


NO_FACTS = Facts()


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal, read. `saying` is None for words that nobody here knows.

    `ways` lead into the refused request, in the numbers of its client: `("messages", 3, "content", 1)`; all of them count. `provider` is
    the id of the interface whose names they have, empty if none is named. `limits` are those that it tells, by their names in a profile.
    """

    saying: Saying | None = None
    ways: tuple[Steps, ...] = ()
    provider: str = ""
    facts: Facts = NO_FACTS
    limits: Mapping[str, int] = field(default_factory=dict)

    @property
    def vendor(self) -> str:
        """Whose words they are; empty if that is not known."""
        return self.saying.vendor if self.saying else ""
