"""The client of one gateway."""

import json
import logging
import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

from . import jose, names, rest
from .commands import Command, Commands
from .errors import Refused, UnknownEndpoint, UnknownResource, Unreachable, Unverified, VigilError, is_temporary
from .events import events
from .history import History, report
from .memory import Memory
from .reading import Reading, Verifier
from .senml import Value
from .transport import Transport

log = logging.getLogger("vigil_client")
LONGEST_PAUSE = 15.0


class Gateway:
    """Finds, reads, observes and commands endpoints; any thread may call.

    Each reading is verified with the mote's own key. The first key of an endpoint is remembered, unless `pin=` or `trust` has named
    one before. The numbers of its readings are remembered too, in the file `memory` or as long as this object lives."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        ca: str | None = None,
        *,
        memory: str | os.PathLike[str] | None = None,
        timeout: float = 30.0,
    ) -> None:
        """`ca`: a file with the certificate of the authority of an HTTPS gateway."""
        self._http = Transport(url, token, ca, timeout)
        self._verifier = Verifier(Memory(memory), self._jwk)
        self._commands = Commands(self._http, self._verifier)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._verifier.memory.save()
        self._http.close()

    # ---- find ----

    def endpoints(
        self,
        *,
        name: str | None = None,
        domain: str | None = None,
        text: str | None = None,
        freshness: str | None = None,
        trust: str | None = None,
        tag: str | Sequence[str] | None = None,
        type: str | None = None,
    ) -> Iterator[rest.Endpoint]:
        """Endpoints as the gateway describes them; `type` is a resource type (rt) that one of their resources has.

        Raises WrongEndpoint for an endpoint of another name or domain than the given ones.

        `domain`: "" is the domain without a name, None all of them. `tag`: one tag, or several that an endpoint must all have."""
        tags = [tag] if isinstance(tag, str) else None if tag is None else list(tag)
        after = None
        while True:
            page: rest.Endpoints = self._http.json(
                "api/endpoints",
                ep=name,
                d="-" if domain == "" else domain,
                text=text,
                freshness=freshness,
                trust=trust,
                tag=tags,
                after=after,
            )
            for one in page["endpoints"]:
                names.require(one, name, domain)
                if type is None or any(type in resource.get("rt", "").split() for resource in one["resources"]):
                    yield one
            after = page.get("next")
            if not after:
                return

    def endpoint(self, name: str, domain: str | None = None) -> rest.Endpoint:
        """Raises UnknownEndpoint, or WrongEndpoint for an answer about another endpoint."""
        found = list(self.endpoints(name=name, domain=domain))
        if len(found) == 1:
            return found[0]
        if found:
            domains = ", ".join(repr(one["d"]) for one in found)
            raise UnknownEndpoint(f"{self._http.url}: the domains {domains} each have an endpoint {name}: give one as domain=.")
        place = "" if domain is None else f" in the domain {domain!r}"
        raise UnknownEndpoint(f"{self._http.url} has no endpoint {name}{place} that this token may see: endpoints() lists them.")

    # ---- trust ----

    def trust(self, name: str, thumbprint: str, domain: str = "") -> None:
        """Pins the key that somebody compared with the mote's label; spaces between groups are ignored."""
        compact = "".join(thumbprint.split())
        if len(compact) != 43:
            raise ValueError(f"{thumbprint!r} is not a thumbprint of 43 characters")
        self._verifier.memory.pin(domain, name, compact, compared=True)

    # ---- read ----

    def read(self, endpoint: str | rest.Endpoint, resource: str, *, domain: str | None = None, pin: str | None = None) -> Reading:
        """The last value. Raises BadSignature, KeyChanged, Replayed or WrongEndpoint instead of returning one that is not verified."""
        found = self._found(endpoint, domain)
        if pin is not None:
            self.trust(found["ep"], pin, found["d"])
        for one in found["resources"]:
            if one["path"] == resource:
                return self._verified(found, one)
        paths = ", ".join(one["path"] for one in found["resources"]) or "none"
        raise UnknownResource(f"{found['ep']} has no resource {resource}; it has: {paths}.")

    def _verified(self, endpoint: rest.Endpoint, resource: rest.Resource) -> Reading:
        path = resource["path"]
        original = self._verifier.check(endpoint, path, self._http.original(f"ms/{endpoint['id']}/{path}"))
        self._verifier.check_key(endpoint, path, original.kid)
        self._verifier.check_number(endpoint, original)
        if resource["seq"] != original.seq and not original.has_time:
            # The mote sent another reading meanwhile.
            resource = self._http.json(f"api/endpoints/{endpoint['id']}/resources/{path}")
        arrived = resource.get("arrivedAt") if resource["seq"] == original.seq else None
        return self._verifier.reading(endpoint, original, arrived)

    def history(
        self,
        endpoint: str | rest.Endpoint,
        resource: str,
        *,
        domain: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        keys: Collection[str] = (),
        recovered: bool = False,
        refused: Callable[[Unverified], None] | None = None,
    ) -> Iterator[Reading]:
        """The kept values, oldest first, each verified; `keys` are further thumbprints to accept, such as a former key.

        `recovered`: also readings that the gateway fetched after an outage, which nobody signed (`verified` is false).
        `refused` gets the error of a value that is not verified, and the history continues; without it the error is raised."""
        kept = History(self._http, self._verifier, self._found(endpoint, domain), resource)
        for reading in kept.readings(since, keys, recovered, refused):
            if _within(reading.time, since, until):
                yield reading

    # ---- observe ----

    def observe(
        self,
        endpoint: str | rest.Endpoint | None = None,
        resource: str | None = None,
        *,
        domain: str | None = None,
        refused: Callable[[Unverified], None] | None = None,
    ) -> Iterator[Reading]:
        """The last values, then each new one, of an endpoint or of all; it does not end, and reconnects after a pause.

        `refused` gets the error of a reading that is not verified, and the observation continues; without it the error is raised."""
        found = None if endpoint is None else self._found(endpoint, domain)
        seen: dict[tuple[str, str], int] = {}
        for view in self._views(found, domain):
            for one in view["resources"]:
                key = view["id"], one["path"]
                if resource not in (None, one["path"]) or one["seq"] <= seen.get(key, 0):
                    continue
                try:
                    reading = self._patiently(view, one)
                except Unverified as e:
                    report(e, refused)
                    seen[key] = one["seq"]
                except (Refused, UnknownResource) as e:
                    log.warning("no reading of %s/%s: %s", view["ep"], one["path"], e)
                else:
                    seen[key] = reading.number
                    yield reading

    def _patiently(self, view: rest.Endpoint, resource: rest.Resource) -> Reading:
        """Waits for a gateway that is busy or is restarted: no event repeats this reading."""
        failures = 0
        while True:
            try:
                return self._verified(view, resource)
            except (Unreachable, Refused) as e:
                if not is_temporary(e):
                    raise
                failures = _wait(e, failures)

    def _views(self, endpoint: rest.Endpoint | None, domain: str | None) -> Iterator[rest.Endpoint]:
        """The list, then each endpoint that changes; the list again after a connection that could not be resumed."""
        last_id, failures, listed = "", 0, False
        while True:
            try:
                with self._http.stream("api/events", {"Last-Event-ID": last_id} if last_id else None) as response:
                    for event in events(response.iter_bytes(), last_id):
                        # The first block has no data. It names another position than the requested one if changes were missed.
                        if event.name == "missed" or (not event.data and event.id != last_id):
                            listed = False
                        last_id = event.id
                        if not listed:
                            yield from [self._again(endpoint)] if endpoint else self.endpoints(domain=domain)
                            listed = True
                        failures = 0
                        if event.name == "endpoint":
                            view: rest.Endpoint = json.loads(event.data)
                            if view["id"] == endpoint["id"] if endpoint else domain in (None, view["d"]):
                                yield names.require_same(view, endpoint) if endpoint else view
                        elif event.name == "gone" and endpoint and json.loads(event.data)["id"] == endpoint["id"]:
                            raise UnknownEndpoint(f"{endpoint['ep']} no longer exists at {self._http.url}: look for it with endpoints().")
            except (Unreachable, Refused) as e:
                if not last_id or not is_temporary(e):
                    raise
                failures = _wait(e, failures)
            else:
                failures = _pause(failures)

    # ---- command ----

    def command(
        self,
        endpoint: str | rest.Endpoint,
        resource: str,
        value: Value,
        *,
        key: jose.CommanderKey | Mapping[str, Any] | str | Path,
        domain: str | None = None,
        expires: float | None = None,
        timeout: float = 60.0,
    ) -> Command:
        """Signs a command with a commander's key, sends it, and follows it until it ends or the timeout (s) is over.

        Its `state` is then confirmed, refused, expired or cancelled, or still queued or fetched while the mote sleeps."""
        sent = self._commands.send(self._found(endpoint, domain), resource, value, jose.CommanderKey.load(key), expires)
        for state in self.follow(sent, timeout=timeout):
            sent = state
        return sent

    def follow(self, command: Command, *, timeout: float | None = None) -> Iterator[Command]:
        """The command in each of its states, until it ends; without a timeout (s) as long as the mote sleeps."""
        return self._commands.follow(command, timeout)

    def cancel(self, command: Command) -> None:
        """A mote that has fetched the command may still carry it out."""
        self._commands.cancel(command)

    # ---- parts ----

    def _found(self, endpoint: str | rest.Endpoint, domain: str | None) -> rest.Endpoint:
        """The endpoint, if it has the caller's names. Raises KeyChanged for a domain that neither the caller nor the memory names."""
        if not isinstance(endpoint, str):
            return names.require(self._again(endpoint), None, domain)
        found = self.endpoint(endpoint, domain)
        if domain is None:
            self._verifier.check_domain(found)
        return found

    def _again(self, endpoint: rest.Endpoint) -> rest.Endpoint:
        try:
            found: rest.Endpoint = self._http.json(f"api/endpoints/{endpoint['id']}")
        except UnknownResource as e:
            raise UnknownEndpoint(f"{endpoint['ep']} no longer exists at {self._http.url}: look for it with endpoints().") from e
        return names.require_same(found, endpoint)

    def _jwk(self, thumbprint: str) -> object:
        try:
            return self._http.json(f"keys/{quote(thumbprint)}")
        except UnknownResource as e:
            raise ValueError(f"the gateway does not have its key {thumbprint}") from e


def _wait(error: VigilError, failures: int) -> int:
    log.warning("%s The observation continues later.", error)
    return _pause(failures, error.retry_after)


def _pause(failures: int, least: float = 0.0) -> int:
    """Waits after a failure; returns the number of failures including this one."""
    time.sleep(max(least, min(LONGEST_PAUSE, 0.5 * 2**failures)))
    return min(failures + 1, 5)


def _within(time: datetime | None, since: datetime | None, until: datetime | None) -> bool:
    if time is None:
        return since is None and until is None
    return (since is None or time >= since) and (until is None or time < until)
