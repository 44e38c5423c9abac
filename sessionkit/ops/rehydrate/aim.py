"""Find out whom a body is for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.dataclass import dataclass
from sessionkit.errors import UsageError
from sessionkit.providers.base import Target
from sessionkit.providers.replay import Note
from sessionkit.providers.vision import Vision, sees_by_name

if TYPE_CHECKING:
    from sessionkit.core.model import Conversation, Model
    from sessionkit.ops.rehydrate.options import Options
    from sessionkit.providers.base import Provider


_TO_SEE: Final = "say --vision yes, or list it in a --catalog"


@dataclass(frozen=True, slots=True)
class Aim:
    """A target, and what has to be said of how it was found."""

    target: Target
    remarks: tuple[Note, ...] = ()


def take_aim(conversation: Conversation, options: Options) -> Aim:
    """Choose vendor and model, and find out whether it takes images.

    Where no model is named it is the newest that the session had over this interface, so that its reasoning can be replayed.
    """
    provider = options.provider
    model = _named(options)
    own = _newest(conversation, provider, model)
    vendor = own.provider if own and own.provider else provider.vendor
    if model is None:
        target = Target(vendor, provider.api, own.model if own else "", options.vision is not Vision.NO)
        return Aim(target, () if own else (_nameless(provider),))
    sees = _sees(vendor, model, options)
    unknown = Note(f"nobody here knows whether {model} takes images, so there are none", option=_TO_SEE)
    return Aim(Target(vendor, provider.api, model, sees is True), (unknown,) if sees is None else ())


def _named(options: Options) -> str | None:
    """Find the model that is named, None for the session's own: fields of the request are put in last, so one of theirs counts.

    Raises UsageError for one among them where the interface has it in the address.
    """
    field, folder = options.fields.get("model"), options.provider.model_folder
    if field is not None and folder:
        raise UsageError("the fields of the request name a model, which has no place in the body", hint="name it with --model")
    named = field if isinstance(field, str) and field.strip() else options.model
    return None if named is None else named.removeprefix(folder)


def _sees(vendor: str, model: str, options: Options) -> bool | None:
    if options.vision is not Vision.AUTO:
        return options.vision is Vision.YES
    listed = options.catalog.sees(vendor, model)
    return sees_by_name(model) if listed is None else listed


def _newest(conversation: Conversation, provider: Provider, model: str | None) -> Model | None:
    """Find the newest model of the session that was reached over the interface; the one of that name, if one is named.

    A session whose items the interface takes as they are was made over it, whichever of the vendor's hosts that was.
    """
    is_own = conversation.format in provider.own_formats
    for message in reversed(conversation.messages):
        found = message.model
        if found and (is_own or found.api == provider.api) and found.model and model in {None, found.model}:
            return found
    return None


def _nameless(provider: Provider) -> Note:
    text = f"the session has no model of the interface {provider.api}: the body is for no model in particular"
    return Note(text, option="name one with --model")
