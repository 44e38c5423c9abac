"""Why a server did not do what was asked, and what helps. The library tells it in one long text, which is taken apart here."""

from __future__ import annotations

import re
from typing import Final

from sessionkit.dataclass import dataclass

_CREDENTIALS: Final = "check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN"
_RIGHTS: Final = "ask for the right to list the bucket, and to get, put and delete its objects"
_ENDPOINT: Final = "check AWS_ENDPOINT_URL and the network"
_REGION: Final = "set AWS_REGION to the region of the bucket"
_LATER: Final = "run again later; what is stored already is found again"
NO_BUCKET: Final = "check the address; sessionkit makes no buckets"

_HINTS: Final = {
    "AccessDenied": _RIGHTS,
    "AllAccessDisabled": _RIGHTS,
    "AuthorizationHeaderMalformed": _REGION,
    "ExpiredToken": _CREDENTIALS,
    "IllegalLocationConstraintException": _REGION,
    "InvalidAccessKeyId": _CREDENTIALS,
    "InvalidToken": _CREDENTIALS,
    "NoSuchBucket": NO_BUCKET,
    "PermanentRedirect": _REGION,
    "RequestTimeTooSkewed": "set the clock of this machine",
    "SignatureDoesNotMatch": _CREDENTIALS,
}
"""By the server's own code for the error."""

_SIGNS: Final = (
    ("Received redirect", "says that the bucket is elsewhere", _REGION),
    ("TimedOut", "does not answer in time", _LATER),
    ("BadScheme", "is not encrypted", "set AWS_ALLOW_HTTP=true if that is meant, or name an https:// address"),
    (
        "with invalid path",
        "holds an object that cannot be asked for: a part of its key is empty, `.` or `..`",
        "remove it, or name another prefix",
    ),
    ("HTTP error", "cannot be reached", _ENDPOINT),
)
"""What stands in a text about a request that had no answer; what it says of the host; and what helps."""

_METADATA: Final = "169.254.169.254"
"""Where a machine of Amazon is asked for credentials when the environment holds none."""

_code = re.compile(r"<Code>([A-Za-z0-9.]{1,64})</Code>").search
_message = re.compile(r"<Message>([^<]{1,300})</Message>").search
_status = re.compile(r"status code: ([0-9]{3}) ?([A-Za-z -]{0,40})").search
_url = re.compile(r"https?://[^/\s]{1,200}").search


@dataclass(frozen=True, slots=True)
class Failure:
    """A cause in few words, and the next step."""

    why: str
    hint: str


def failure_of(text: str) -> Failure:
    """Take a text of the library apart."""
    told = text.partition("\n\nDebug source")[0]
    code, status = _code(told), _status(told)
    if _METADATA in told:
        return Failure("the environment holds no credentials", "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
    if code:
        return _coded(code[1], told)
    if status:
        return Failure(f"the server answers {status[1]} {status[2]}".strip(), _hint_for(int(status[1])))
    host = found[0] if (found := _url(told)) else "the server"
    signs = ((f"{host} {what}", hint) for sign, what, hint in _SIGNS if sign in text)
    return Failure(*next(signs, (" ".join(told.split())[:300], _LATER)))


def _coded(code: str, told: str) -> Failure:
    message = _message(told)
    words = f"the server answers {code}" + (f" ({message[1].strip().rstrip('.')})" if message else "")
    status = _status(told)
    return Failure(words, _HINTS.get(code) or _hint_for(int(status[1]) if status else 0))


def _hint_for(status: int) -> str:
    match status:
        case 401 | 403:
            return f"{_CREDENTIALS}; or {_RIGHTS}"
        case 404:
            return NO_BUCKET
        case 501:
            return "the server lacks what a store needs: conditional writes (If-Match, If-None-Match)"
        case _:
            return _LATER
