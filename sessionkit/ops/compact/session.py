"""Preview the compaction of one session."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sessionkit.compaction.base import Cleared, Note, NoteKind, Plan
from sessionkit.compaction.projection import Epoch, Worth, bury, judge, project
from sessionkit.compaction.tombstones import Tombstones
from sessionkit.core.pictures import Pictures
from sessionkit.core.stores.opening import open_store
from sessionkit.dataclass import dataclass
from sessionkit.ops.compact.answers import summary_for
from sessionkit.ops.compact.comparison import compare
from sessionkit.ops.compact.destinies import Destinies
from sessionkit.ops.compact.measuring import Meter, input_tokens
from sessionkit.ops.compact.options import History, Images, Messages, Others, Show
from sessionkit.ops.compact.parts import at, left_of, parts_of
from sessionkit.ops.compact.result import Compacted, Figures, Projected
from sessionkit.ops.conversations import read_conversation, recognised
from sessionkit.ops.estimate.media import MediaReader
from sessionkit.ops.messages import Viewer
from sessionkit.ops.sessions import spooled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.compaction import Strategy
    from sessionkit.compaction.base import Outcome, Settings
    from sessionkit.compaction.recorded import Recorded
    from sessionkit.core.model import Conversation, Message
    from sessionkit.core.stores.base import AssetStore
    from sessionkit.ops.batch import Tick
    from sessionkit.ops.compact.options import Options
    from sessionkit.ops.compact.wire import Wire
    from sessionkit.ops.rehydrate.result import Rehydrated, Unsendable
    from sessionkit.ops.sources import Source


@dataclass(frozen=True, slots=True)
class Task:
    """A session to compact, and how."""

    source: Source
    options: Options


def compact_session(task: Task, tick: Tick) -> Compacted:
    """Read a session and plan; raises UnreadableError, and RefusedError for what is no session."""
    with _opened(task, tick) as (preview, recorded):
        return preview.tell(recorded)


@dataclass(frozen=True, slots=True)
class Open:
    """A preview whose session and assets are open: `viewer` looks at the media of its messages."""

    compacted: Compacted
    viewer: Viewer
    wire: Wire | None

    def body(self) -> Rehydrated | Unsendable | None:
        """Build the body of the request that comes next, for the provider that was named; None without one, or without a projection."""
        projected = self.compacted.projected
        return self.wire.body(projected.sent) if self.wire and projected else None


@contextmanager
def compacting(source: Source, options: Options) -> Iterator[Open]:
    """Preview one session, and keep it open until the block ends. Raises what `compact_session` raises."""
    with _opened(Task(source, options), lambda _: None) as (preview, recorded):
        yield Open(preview.tell(recorded), Viewer(preview.store), preview.wire)


@contextmanager
def _opened(task: Task, tick: Tick) -> Iterator[tuple[_Preview, tuple[Recorded, ...]]]:
    options = task.options
    with spooled(task.source) as source, open_store(task.source.store(options.store)) as store:
        conversation = read_conversation(source, tick, options.selection)
        recorded = _find_recorded(source, options) if options.telling.history is History.RECORDED else ()
        yield _Preview.of(conversation, task, store), recorded


def _find_recorded(source: Source, options: Options) -> tuple[Recorded, ...]:
    from sessionkit.compaction.recorded import find_recorded  # noqa: PLC0415  few ask for it

    with recognised(source, lambda _: None, options.selection) as found:
        return find_recorded(found.book, found.entries, str(source.path))


@dataclass(frozen=True, slots=True)
class _Preview:
    """All that a preview of one conversation needs; `wire` is None unless a provider is named."""

    task: Task
    conversation: Conversation
    strategy: Strategy
    settings: Settings
    meter: Meter
    wire: Wire | None
    pictures: Pictures
    store: AssetStore

    @classmethod
    def of(cls, conversation: Conversation, task: Task, store: AssetStore) -> _Preview:
        """Choose and set up the strategy and the profile."""
        options, pictures = task.options, Pictures(store)
        strategy = options.strategy_for(conversation.format)
        settings = options.settings_for(strategy, conversation.format)
        wire = _wire(conversation, task, pictures)
        meter = Meter(options.profile_for(strategy), MediaReader(store), wire.size if wire else _unknown)
        return cls(task, conversation, strategy, settings, meter, wire, pictures, store)

    @property
    def messages(self) -> Sequence[Message]:
        return self.conversation.messages

    @property
    def tombstones(self) -> Tombstones | None:
        wanted = self.task.options.tombstones
        return None if wanted is None else Tombstones(self.pictures.look, wanted.most, self.settings.compat)

    def tell(self, recorded: tuple[Recorded, ...]) -> Compacted:
        """Plan, and measure before and after."""
        options, telling = self.task.options, self.task.options.telling
        outcome = self.strategy.plan(self.messages, self.settings)
        plan = outcome if isinstance(outcome, Plan) else None
        projected = self._project(outcome)
        figures = self._figures(outcome, projected)
        return Compacted(
            source=self.task.source,
            format=self.conversation.format,
            strategy=self.strategy.name,
            settings=self.settings,
            profile=self.meter.profile.name,
            gate=options.gate.read(figures.before.context, options.window),
            request_limit=self.wire.limit if self.wire else None,
            outcome=outcome,
            cut=at(self.messages, plan.cut) if plan else None,
            turn_start=at(self.messages, plan.turn_start) if plan else None,
            figures=figures,
            messages=tuple(self.meter.listed(self.messages, outcome)) if telling.messages is Messages.LISTED else (),
            media=tuple(Destinies(self.pictures, self.tombstones).tell(self.messages, outcome)) if telling.images is Images.NAMED else (),
            requests=self.strategy.requests(plan) if plan and telling.show is Show.INPUT else (),
            projected=projected if telling.show is Show.PROJECTION else None,
            compared=tuple(compare(self.conversation, options, self.meter)) if telling.others is Others.COMPARED else (),
            recorded=recorded,
            notes=(*(plan.notes if plan else ()), *self._notes(figures)),
            skipped=self.conversation.skipped,
        )

    def _project(self, outcome: Outcome) -> Projected | None:
        """Show what becomes of the context; None if nothing does, or if nobody knows the summary."""
        match outcome:
            case Cleared(cleared=references) if references:
                left = bury(self.messages, outcome, self.settings, self.tombstones) if self.tombstones else outcome.messages
                return Projected(tuple(left), tuple(left))
            case Plan() if self.task.options.is_answered:
                epoch = Epoch(self.strategy, outcome, len(self.messages))
                projection = project(self.messages, epoch, summary_for(outcome, self.task.options), self.tombstones)
                return Projected(projection.messages, projection.sent, projection.boundary, projection.wire)
            case _:
                return None

    def _figures(self, outcome: Outcome, projected: Projected | None) -> Figures:
        before = self.meter.before(self.messages)
        after = self.meter.after(projected, before) if projected else None
        requests = self.strategy.requests(outcome) if isinstance(outcome, Plan) else ()
        left = left_of(self.messages, outcome)
        return Figures(
            self.meter.portions(self.messages, parts_of(self.messages, outcome)),
            before,
            after,
            judge(before.tokens, after.tokens) if after else None,
            self.meter.cache(self.messages, outcome),
            before.tokens - self.meter.profile.total(left),
            before.images - self.meter.media(left)[0],
            input_tokens(requests, self.meter.profile),
        )

    def _notes(self, figures: Figures) -> Iterator[Note]:
        if figures.verdict is Worth.INFLATED:
            yield Note(NoteKind.INFLATED, "the context is larger afterwards: the summary is longer than what it stands for")
        if figures.before.media_bytes is None:
            yield Note(NoteKind.BYTES_UNKNOWN, "assets are missing or cannot be read, so some bytes are unknown")
        if self.wire and figures.before.wire_bytes is None:
            yield Note(
                NoteKind.NOT_SENT,
                f"{self.wire.builder.options.provider.id} takes no request of this session: `sessionkit rehydrate` tells why",
            )


def _wire(conversation: Conversation, task: Task, pictures: Pictures) -> Wire | None:
    if task.options.provider is None:
        return None
    from sessionkit.ops.compact.wire import Wire  # noqa: PLC0415  few ask for it, and interfaces cost start-up

    return Wire.to(task.options.provider, task.source, conversation, pictures)


def _unknown(_messages: Sequence[Message]) -> None:
    """Tell no size: without a provider nobody knows how large a request would be."""
