"""The lock of a store in a bucket.

One object, `images/.lock`, lists all who hold the lock (`claims.py`). Nobody changes it but by a conditional write, which only succeeds
if the object is still the one that was read (If-Match with its tag, If-None-Match where there was none). So its versions come one after
the other, each made by one process that knew the one before, and two that exclude each other are never in the same version.

A tag may come back, with the same lines: that does no harm, since they are all that counts. That the server knows these conditions is
made sure of when the object is made.

1. To take the lock: read; leave out what has expired, and processes of this host that have ended; if nobody left is in the way, write
   with one's own line. If that fails, another was faster: read again.
2. A line is worth something until the time in it. Its holder writes it anew long before (`Terms`). Who is killed, or cut off, is in
   nobody's way after that. Clocks must agree within a few minutes, as S3 itself demands.
3. A holder that finds its line gone, or that could not write it anew in good time, has lost the lock, which `require` tells. It is asked
   before a session that refers to what was put is published, and before anything is taken away.
4. Who wants the lock alone and finds others writes a line that says so; newcomers that would share it wait then. It lasts some seconds,
   and is written again only after as many: so that a collection gets its turn under constant load, and stops nobody for long.
5. To let go: write without one's own line. The last one leaves an empty object: a removal could not be made conditional.
"""

from __future__ import annotations

import os
import random
import threading
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final, Self

from sessionkit.core.stores.base import LockKind
from sessionkit.core.stores.locks.holder import Holder, locked
from sessionkit.core.stores.locks.way import Turn
from sessionkit.core.stores.s3.claims import Claim, State, content_of, parse_claims
from sessionkit.core.stores.s3.client import BucketError, ConflictError, MissingObjectError, RivalsError
from sessionkit.core.stores.s3.failures import Failure
from sessionkit.dataclass import dataclass, replace
from sessionkit.errors import LockedError, Place

if TYPE_CHECKING:
    from collections.abc import Callable

    from sessionkit.core.stores.s3.client import Client

_PAUSES: Final = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Seconds between attempts; the last one again and again."""
_NO_TAG: Final = '"00000000000000000000000000000000"'
"""Of no object."""
_MOST_WAIT: Final = 10.0
"""Seconds for letting go, which is also done when the server does not answer any more."""
_MOST_BYTES: Final = 1 << 20
"""What is longer was not written by any number of processes: it breaks off in a line."""
_MOST_RACES: Final = 50
"""Attempts that others may be faster in, one after the other; each time somebody has got on."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Seconds that a line is worth something, after which it is written anew, and that one who waits keeps newcomers out.

    `margin` is what must be left of the first for what is done under the lock.
    """

    lasting: int = 300
    renewal: float = 60.0
    waiting: int = 5
    margin: int = 60


@dataclass(frozen=True, slots=True)
class LockObject:
    """The object that the lock is; what people call it; what tells the time in seconds since 1970."""

    client: Client
    key: str
    place: str
    clock: Callable[[], float]
    terms: Terms = Terms()

    def read(self) -> tuple[str | None, list[Claim]]:
        """Give its tag, None where there is no object, and the lines that are worth something; BucketError."""
        try:
            found = self.client.get(self.key)
        except MissingObjectError:
            return None, []
        try:
            claims = parse_claims(found.beginning(_MOST_BYTES))
        except ValueError as error:
            raise BucketError(Failure(str(error), "remove the object if nobody is at work")) from error
        now = self.clock()
        return found.stat.tag, [claim for claim in claims if claim.stands(now)]

    def write(self, tag: str | None, claims: list[Claim]) -> None:
        """Write it over the version of a tag; ConflictError, BucketError."""
        if tag is not None:
            self.client.replace(self.key, tag, content_of(claims))
            return
        self.client.create(self.key, content_of(claims))
        self._require_conditions()

    def _require_conditions(self) -> None:
        """Make sure, for a new object, that the server knows conditions: older ones pass over them in silence."""
        for refused in (partial(self.client.create, self.key), partial(self.client.replace, self.key, _NO_TAG)):
            try:
                refused(b"")
            except ConflictError:
                continue
            self.client.delete([self.key])
            hint = "update the server, or choose another one: without them nobody could lock the store"
            raise BucketError(Failure("the server writes whatever the conditions are (If-Match, If-None-Match)", hint))


class S3Lock:
    """A lock that is not held yet. To take and to renew it raise BucketError."""

    def __init__(self, lock: LockObject) -> None:
        self._lock = lock
        self._claim = Claim(State.HELD, os.urandom(8).hex(), 0, Holder.this_process(LockKind.SHARED, lock.clock()))
        self._is_lost = False
        self._gate_opens = 0.0
        self._rivals: list[Holder] = []
        self._ended = threading.Event()
        self._renewal: threading.Thread | None = None

    def acquire(self, kind: LockKind, timeout: float) -> Self:
        """Wait so many seconds for the lock; LockedError. After an error nothing is held."""
        self._claim = replace(self._claim, holder=replace(self._claim.holder, kind=kind))
        try:
            self._wait(kind, timeout)
        except BaseException:
            self.release()
            raise
        self._renewal = threading.Thread(target=self._keep_renewing, daemon=True)
        self._renewal.start()
        return self

    def release(self) -> None:
        """Let go of it. Where that fails, or takes long, it expires."""
        self._ended.set()
        if self._claim.until:
            leaving = threading.Thread(target=self._leave, daemon=True)
            leaving.start()
            leaving.join(_MOST_WAIT)

    def renew(self) -> None:
        """Write one's own line anew, if it is still there."""
        self._change(lambda others: [*others, self._until(self._lock.terms.lasting)])

    def require(self) -> None:
        """Raise LockedError if the lock was lost."""
        terms = self._lock.terms
        if self._is_lost or self._lock.clock() + terms.margin >= self._claim.until:
            why = f"it was not renewed for {terms.lasting - terms.margin} s, or its object was changed by others"
            raise LockedError("the lock of the asset store was lost", place=Place(self._lock.place), why=why, hint="run again")

    def _wait(self, kind: LockKind, timeout: float) -> None:
        begin = time.monotonic()
        for number in range(1 << 30):
            left = begin + timeout - time.monotonic()
            if self._attempt(kind, Turn.LAST if left <= 0 else Turn.WAITING):
                return
            if left <= 0:
                raise locked(self._lock.place, self._rivals, timeout)
            time.sleep(min(left, _PAUSES[min(number, len(_PAUSES) - 1)]) * random.uniform(0.5, 1))  # noqa: S311  no secret

    def _attempt(self, kind: LockKind, turn: Turn) -> bool:
        """Take the lock if that is possible now. The last time those who only wait are passed over."""
        is_last = turn is Turn.LAST

        def taken(others: list[Claim]) -> list[Claim] | None:
            rivals = [other for other in others if other.bars(kind) and not (is_last and other.state is State.WANTED)]
            self._rivals = [rival.holder for rival in rivals]
            if not rivals:
                return [*others, self._until(self._lock.terms.lasting)]
            return [*others, self._wanted()] if kind is LockKind.EXCLUSIVE and not is_last and self._closes_gate() else None

        self._change(taken)
        return not self._rivals

    def _change(self, change: Callable[[list[Claim]], list[Claim] | None]) -> None:
        """Turn the lines of the others into a new version; None leaves the object as it is."""
        for _ in range(_MOST_RACES):
            tag, claims = self._lock.read()
            own = [claim for claim in claims if claim.token == self._claim.token]
            if self._renewal is not None and not own:
                self._is_lost = True
                return
            wanted = change([claim for claim in claims if claim not in own])
            if wanted is None or wanted == claims:
                return
            try:
                self._lock.write(tag, wanted)
            except ConflictError:
                time.sleep(random.uniform(0, _PAUSES[0]))  # noqa: S311  no secret
                continue
            self._claim = next((claim for claim in wanted if claim.token == self._claim.token), self._claim)
            return
        raise RivalsError(Failure("too many others change it at the same time", "run again"))

    def _until(self, seconds: int) -> Claim:
        return replace(self._claim, state=State.HELD, until=int(self._lock.clock()) + seconds)

    def _wanted(self) -> Claim:
        return replace(self._claim, state=State.WANTED, until=int(self._lock.clock()) + self._lock.terms.waiting)

    def _closes_gate(self) -> bool:
        """Whether it is time to keep newcomers out; after that they have as long."""
        now = time.monotonic()
        if now < self._gate_opens:
            return False
        self._gate_opens = now + 2 * self._lock.terms.waiting
        return True

    def _leave(self) -> None:
        with suppress(BucketError):
            self._change(lambda others: others)

    def _keep_renewing(self) -> None:
        """Renew until the end. What fails is tried again: as long as the line is worth something nothing is lost."""
        while not self._ended.wait(self._lock.terms.renewal):
            with suppress(BucketError):
                self.renew()
