"""Commands to sleeping motes (docs/protocol.md, section 8)."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from . import jose, rest
from .errors import Refused, UnknownResource, Unverified
from .reading import Reading, Verifier
from .senml import Value
from .transport import Transport

PENDING = ("queued", "fetched")
LONGEST_PAUSE = 5.0
ATTEMPTS = 3
NUMBER_USED = 409
REFUSALS = ".result"
"""The resource of signed refusals, which have the number of their command as `ack` too (docs/protocol.md, section 8)."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command that was sent, in one of its states."""

    endpoint: rest.Endpoint
    """As it was when the command was sent."""
    resource: str
    number: int
    state: str
    """queued, fetched, confirmed, refused, expired or cancelled, as the gateway says."""
    reason: int | None
    """Why the mote refused it (docs/protocol.md, section 8)."""
    confirmation: Reading | None
    """The mote's signed acknowledgement, verified; without it *confirmed* is only the gateway's statement."""

    @property
    def ended(self) -> bool:
        return self.state not in PENDING

    @property
    def verified(self) -> bool:
        return self.confirmation is not None


class Commands:
    def __init__(self, http: Transport, verifier: Verifier) -> None:
        self._http = http
        self._verifier = verifier

    def send(self, endpoint: rest.Endpoint, resource: str, value: Value, key: jose.CommanderKey, expires: float | None) -> Command:
        """Signs with the next number; if another commander used it meanwhile, signs again with a new one."""
        path = f"api/endpoints/{endpoint['id']}/resources/{resource}/commands"
        for attempt in range(1, ATTEMPTS + 1):
            known: rest.Commands = self._http.json(path)
            number = known["last"] + 1
            header: dict[str, Any] = {"typ": "vigil-cmd", "cty": "application/senml+json", "ep": endpoint["ep"]}
            header |= {"d": endpoint["d"]} if endpoint["d"] else {}
            header |= {"res": resource, "seq": number} | ({} if expires is None else {"exp": int(time.time() + expires)})
            payload = json.dumps([{"n": resource} | _member(value)], separators=(",", ":")).encode()
            try:
                queued: rest.Command = self._http.send("PUT", path, key.jws(header, payload))
            except Refused as e:
                if e.status != NUMBER_USED or attempt == ATTEMPTS:
                    raise
            else:
                return Command(endpoint, resource, number, queued["state"], queued.get("reason"), None)
        raise AssertionError

    def follow(self, command: Command, timeout: float | None) -> Iterator[Command]:
        deadline = None if timeout is None else time.monotonic() + timeout
        pause, shown = 0.25, ""
        while True:
            command = self._now(command)
            if command.state != shown:
                shown = command.state
                yield command
            if command.ended:
                return
            left = LONGEST_PAUSE if deadline is None else deadline - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(pause, left))
            pause = min(LONGEST_PAUSE, pause * 1.5)

    def cancel(self, command: Command) -> None:
        self._http.send("DELETE", f"{self._path(command)}/{command.number}")

    def _now(self, command: Command) -> Command:
        known: rest.Commands = self._http.json(self._path(command))
        for one in known["commands"]:
            if one["seq"] == command.number:
                confirmation = self._confirmation(command) if one["state"] == "confirmed" else None
                return replace(command, state=one["state"], reason=one.get("reason"), confirmation=confirmation)
        name = command.endpoint["ep"]
        raise UnknownResource(f"{name}: the gateway no longer lists command {command.number}; it keeps only the last ones.")

    def _confirmation(self, command: Command) -> Reading | None:
        """The mote acknowledges in its next update, which may be of any resource; one of `.result` is a refusal."""
        endpoint = command.endpoint
        for resource in endpoint["resources"]:
            path = resource["path"]
            if path == REFUSALS:
                continue
            try:
                texts: list[str] = self._http.json(f"ms/{endpoint['id']}/{path}", after=endpoint["high"], limit=1000)
            except UnknownResource:
                continue
            for text in texts:
                try:
                    original = self._verifier.check(endpoint, path, text)
                    if original.ack == command.number:
                        self._verifier.check_key(endpoint, path, original.kid)
                        return self._verifier.reading(endpoint, original, None)
                except Unverified:
                    continue
        return None

    def _path(self, command: Command) -> str:
        return f"api/endpoints/{command.endpoint['id']}/resources/{command.resource}/commands"


def _member(value: Value) -> dict[str, Value]:
    match value:
        case bool():
            return {"vb": value}
        case str():
            return {"vs": value}
        case bytes():
            return {"vd": jose.encode(value)}
        case _:
            return {"v": value}
