"""A session beside a refusal: held against the refused request's rules, in the numbers of its client."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from sessionkit.dataclass import dataclass, replace
from sessionkit.faults import fault_of
from sessionkit.faults.base import Spot, State
from sessionkit.faults.judging import MediaFault, is_judged
from sessionkit.faults.profiles import profile_of
from sessionkit.faults.wire import Wire
from sessionkit.ops.locate.ways import is_related, is_within, steps_of
from sessionkit.providers import provider_of
from sessionkit.providers.layouts import Pi

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sessionkit.core.model import Origin
    from sessionkit.faults.base import Finding
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit
    from sessionkit.faults.profiles import Profile
    from sessionkit.ops.locate.refusal import Refusal
    from sessionkit.providers.base import Provider
    from sessionkit.providers.body import Steps
    from sessionkit.providers.layouts import Layout

_OF_VENDORS: Final[Mapping[str, str]] = {"anthropic": "anthropic", "openai": "openai-chat", "google": "gemini"}
"""The interface that is meant where a vendor's words name no place."""
_PROFILES: Final[Mapping[str, frozenset[str]]] = {
    "anthropic": frozenset({"anthropic", "claude-code", "bedrock", "vertex"}),
    "openai": frozenset({"openai", "codex", "qwen-code"}),
    "google": frozenset({"gemini"}),
}
"""Profiles of each vendor; the first named is that of its own host."""
_OWN: Final[Mapping[str, str]] = {"anthropic": "anthropic", "openai": "openai", "google": "gemini"}


@dataclass(frozen=True)
class Suspect:
    """Something in the session that may be what was refused; `places` are those where it is so, with the ways to them in the request."""

    spot: Spot
    places: Mapping[Spot, Steps]
    finding: Finding | None = None
    exhibit: Exhibit | None = None

    @property
    def is_live(self) -> bool:
        """Whether the next request holds it."""
        if self.finding:
            return self.finding.state is State.LIVE
        return self.exhibit is None or self.exhibit.is_live

    def stands_at(self, ways: Iterable[Steps]) -> bool:
        """Whether one of these places is it, holds it, or is in it."""
        return any(self.is_named(spot, ways) for spot in self.places)

    def is_named(self, spot: Spot, ways: Iterable[Steps]) -> bool:
        """Whether one of these ways leads to one of its places."""
        own = self.places.get(spot, ())
        return bool(own) and any(is_related(own, way) for way in ways)


@dataclass(frozen=True)
class Scene:
    """`case` is held against the rules that the refusal speaks of; `wire` is the request that it is about."""

    case: Case
    wire: Wire
    refusal: Refusal
    named_profile: str = ""
    """The profile that `repair` must be told of; empty where it would choose it by itself."""

    @cached_property
    def ways(self) -> tuple[Steps, ...]:
        """Where the refusal says that it is."""
        return self.refusal.ways

    def way(self, spot: Spot) -> Steps:
        """Tell where a place stands in the request; no steps if nowhere."""
        return steps_of(self.wire.way(spot.line, spot.pointer))

    def suspect(self, finding: Finding) -> Suspect:
        """Take what a finding is about."""
        spots = (finding.spot, *(twin for twin in finding.twins if self._breaks(finding, twin)))
        return Suspect(finding.spot, {spot: self.way(spot) for spot in spots}, finding, self._by_spot.get(finding.spot))

    def exhibit(self, exhibit: Exhibit) -> Suspect:
        """Take a picture of which nothing wrong is known."""
        return Suspect(exhibit.spot, {exhibit.spot: self._ways[exhibit.spot]}, None, exhibit)

    def at_ways(self) -> tuple[Suspect, ...]:
        """Find what stands at the places that are named: the pictures there, else whatever the session has there."""
        found: list[Suspect] = []
        for way in self.ways:
            pictures = [self.exhibit(one) for one in self.case.gallery.live if is_within(self._ways[one.spot], way)]
            origin = None if pictures else self.wire.origin_at(way)
            found += pictures or ([Suspect(_spot(origin), {_spot(origin): way})] if origin else [])
        return tuple({suspect.spot: suspect for suspect in found}.values())

    def at_origin(self, origin: Origin) -> Suspect:
        """Take a block by its place."""
        spot = _spot(origin)
        return Suspect(spot, {spot: self.way(spot)})

    def _breaks(self, finding: Finding, spot: Spot) -> bool:
        """Whether a copy of what is at fault is so too: one may have the right label."""
        fault, exhibit = fault_of(finding.fault), self._by_spot.get(spot)
        return not isinstance(fault, MediaFault) or (exhibit is not None and is_judged(exhibit) and fault.breaks(self.case, exhibit))

    @cached_property
    def _ways(self) -> Mapping[Spot, Steps]:
        return {one.spot: self.way(Spot(one.line, one.block)) for one in self.case.gallery.live}

    @cached_property
    def _by_spot(self) -> Mapping[Spot, Exhibit]:
        return {one.spot: one for one in self.case.exhibits}


def _spot(origin: Origin) -> Spot:
    return Spot(origin.line, origin.pointer)


def set_scene(case: Case, refusal: Refusal, layout: Layout | None) -> Scene:
    """Find out which request is meant, and hold the session against its rules."""
    provider = _provider(case, refusal)
    is_own = provider.id == case.wire.provider.id
    wire = case.wire if is_own and layout is None else Wire(case.conversation, provider, layout or (None if is_own else Pi()))
    profile = _profile(case, refusal.vendor or provider.vendor)
    named = "" if profile.id == case.profile.id else profile.id
    limited = _limited(profile, refusal.limits)
    return Scene(case if limited == case.profile else replace(case, profile=limited), wire, refusal, named)


def _limited(profile: Profile, limits: Mapping[str, int]) -> Profile:
    return replace(
        profile,
        length=limits.get("length", profile.length),
        side=limits.get("side", profile.side),
        many_side=limits.get("many_side", profile.many_side),
        media=limits.get("media", profile.media),
    )


def _provider(case: Case, refusal: Refusal) -> Provider:
    """Choose by the names in the text, else by whose words they are, else as the session goes on.

    A session can have gone through a gateway to another vendor than its agent's, or have been rehydrated for one.
    """
    own = case.wire.provider
    id_ = refusal.provider or ("" if own.vendor == refusal.vendor else _OF_VENDORS.get(refusal.vendor, ""))
    return provider_of(id_) if id_ else own


def _profile(case: Case, vendor: str) -> Profile:
    """Keep the session's own rules if they are the vendor's, else take those of the vendor's host."""
    if vendor not in _OWN or case.profile.id in _PROFILES[vendor]:
        return case.profile
    return profile_of(_OWN[vendor])
