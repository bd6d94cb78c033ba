"""Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    name: str
    data: str
    id: str
    """The last id of the stream so far; the event itself may have none."""


def events(chunks: Iterable[bytes], last_id: str = "") -> Iterator[Event]:
    """Blocks without data are events too, because their id counts: the stream begins with such a block."""
    name = "message"
    data: list[str] = []
    for line in lines(chunks):
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            yield Event(name, "\n".join(data), last_id)
            name, data = "message", []
        elif field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif field == "id" and "\0" not in value:
            last_id = value


def lines(chunks: Iterable[bytes], unfinished: Exception | None = None) -> Iterator[str]:
    """Splits at line feeds only: JSON may hold other characters that Python regards as ends of lines.

    Raises `unfinished` if the last line does not end; without it that line is dropped."""
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.removesuffix(b"\r").decode("utf-8", "replace")
    if rest and unfinished:
        raise unfinished
