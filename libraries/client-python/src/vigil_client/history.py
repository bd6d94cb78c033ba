"""The kept values of a resource, from the archive that the gateway exports."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from . import jose, rest, senml
from .errors import BadSignature, Replayed, Unreachable, Unverified
from .events import lines
from .reading import Reading, Verifier
from .transport import Transport


class History:
    def __init__(self, http: Transport, verifier: Verifier, endpoint: rest.Endpoint, path: str) -> None:
        self._http = http
        self._verifier = verifier
        self._endpoint = endpoint
        self._path = path

    def readings(
        self, since: datetime | None, keys: Collection[str], recovered: bool, refused: Callable[[Unverified], None] | None
    ) -> Iterator[Reading]:
        """Values that were measured about when the span began, and all later ones, in the order of their numbers."""
        lowest = -1
        export = f"api/endpoints/{self._endpoint['id']}/export/{self._path}"
        with self._http.stream(export, format="jsonl", after=self._before(since)) as response:
            for line in lines(response.iter_bytes(), self._broken("its last line is unfinished")):
                row = self._row(line)
                if "recovered" in row["marks"]:
                    if recovered:
                        yield self._recovered(row)
                    continue
                try:
                    reading = self._archived(row, keys, lowest)
                except Unverified as e:
                    report(e, refused)
                    continue
                lowest = reading.number
                yield reading

    def _before(self, since: datetime | None) -> int:
        """A number below those of the span, so that the gateway does not send years of older values."""
        if since is None:
            return 0
        path = f"api/endpoints/{self._endpoint['id']}/resources/{self._path}/history"
        known: rest.History = self._http.json(path, **{"from": since.astimezone(UTC).isoformat(), "limit": 1})
        first = known.get("values")
        return max(0, first[0]["seq"] - 1) if first else self._endpoint["high"]

    def _row(self, line: str) -> dict[str, Any]:
        """After the first octet the gateway can report a problem only as another line."""
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if isinstance(row, dict) and isinstance(row.get("marks"), str):
            return row
        detail = row.get("detail") if isinstance(row, dict) else None
        raise self._broken(str(detail or "it has a line without a reading"))

    def _broken(self, why: str) -> Unreachable:
        name = f"{self._endpoint['ep']}/{self._path}"
        return Unreachable(f"{self._http.url} did not send the whole history of {name}: {why.removesuffix('.')}. Read it again.")

    def _archived(self, row: Mapping[str, Any], keys: Collection[str], lowest: int) -> Reading:
        name, path = self._endpoint["ep"], self._path
        try:
            octets = row["jws"] if "jws" in row else jose.decode(row["cose"])
            jwk, arrived = row["jwk"], row["arrived"]
        except (KeyError, ValueError) as e:
            raise BadSignature(f"{name}/{path}: a line of the history has no signed reading: {e}.", name, path) from e
        original = self._verifier.check(self._endpoint, path, octets, jwk)
        self._verifier.check_key(self._endpoint, path, original.kid, keys)
        if original.seq <= lowest:
            raise Replayed(f"{name}/{path}: reading {original.seq} follows reading {lowest} in the history.", name, path)
        return self._verifier.reading(self._endpoint, original, arrived)

    def _recovered(self, row: Mapping[str, Any]) -> Reading:
        records = tuple(senml.read(json.dumps(row["senml"]).encode(), "application/senml+json"))
        last = records[-1]
        assert last.value is not None
        moment = datetime.fromtimestamp(last.time, UTC)
        why = "reading: nobody signed it; the gateway fetched it from the mote after an outage"
        return Reading(
            self._endpoint["ep"], self._endpoint["d"], self._path, last.value, last.unit, moment, row["seq"], "", False, (why,), records, ""
        )


def report(error: Unverified, refused: Callable[[Unverified], None] | None) -> None:
    if refused is None:
        raise error
    refused(error)
