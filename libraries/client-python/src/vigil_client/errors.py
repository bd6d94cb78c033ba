"""The errors of the client. Each message names the object and the way out."""


class VigilError(Exception):
    """The base of all errors of this package."""

    retry_after = 0.0
    """Seconds that the gateway asks to wait before the same request; 0 if it does not say."""


class Unreachable(VigilError):
    """The gateway does not answer, or something else answers in its place."""


class NotAllowed(VigilError):
    """The gateway refuses the token, or the token's role does not permit the request."""


class UnknownEndpoint(VigilError):
    """The gateway has no such endpoint, or several domains have one of this name."""


class UnknownResource(VigilError):
    """The endpoint has no such resource, or the resource has no value yet."""


class Refused(VigilError):
    """The gateway refuses a request for another reason; docs/guide/rest-problems.md lists the types."""

    def __init__(self, message: str, status: int, type: str) -> None:
        super().__init__(message)
        self.status = status
        self.type = type


_STALE_VALUE = "/problems/stale-value"
"""The domain withholds the value (`serve-stale: false`) until the mote sends another one, which is an event."""


def is_temporary(error: VigilError) -> bool:
    """Whether the same request may succeed soon."""
    if isinstance(error, Refused):
        return error.status in (429, 502, 503, 504) and error.type != _STALE_VALUE
    return isinstance(error, Unreachable)


class Unverified(VigilError):
    """An answer that must not be used; `resource` is empty if it is about no single resource."""

    def __init__(self, message: str, endpoint: str, resource: str) -> None:
        super().__init__(message)
        self.endpoint = endpoint
        self.resource = resource


class BadSignature(Unverified):
    """The mote did not sign this reading: signature, key, resource or form is wrong."""


class Replayed(Unverified):
    """The reading is older than one that this client has verified, or has the number of another one."""


class WrongEndpoint(Unverified):
    """The gateway's answer is not about the endpoint that was asked for."""


class KeyChanged(Unverified):
    """A key other than the pinned one signs for the endpoint."""

    def __init__(self, message: str, endpoint: str, resource: str, pinned: str, found: str) -> None:
        super().__init__(message, endpoint, resource)
        self.pinned = pinned
        self.found = found
