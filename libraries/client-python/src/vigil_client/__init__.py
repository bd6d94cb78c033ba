"""A client of Vigil's gateway that verifies each reading with the mote's own key."""

from .commands import Command
from .errors import (
    BadSignature,
    KeyChanged,
    NotAllowed,
    Refused,
    Replayed,
    UnknownEndpoint,
    UnknownResource,
    Unreachable,
    Unverified,
    VigilError,
    WrongEndpoint,
)
from .gateway import Gateway
from .jose import CommanderKey
from .reading import Reading
from .senml import Record, Value

__all__ = [
    "BadSignature",
    "Command",
    "CommanderKey",
    "Gateway",
    "KeyChanged",
    "NotAllowed",
    "Reading",
    "Record",
    "Refused",
    "Replayed",
    "UnknownEndpoint",
    "UnknownResource",
    "Unreachable",
    "Unverified",
    "Value",
    "VigilError",
    "WrongEndpoint",
]
