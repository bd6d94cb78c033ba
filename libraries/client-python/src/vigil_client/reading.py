"""Readings, and the checks that they pass."""

import hashlib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from . import jose, originals, rest
from .errors import BadSignature, KeyChanged, Replayed
from .memory import Memory
from .senml import Record, Value

DO_NOT_USE = "Do not use it, and report it to the operator of the gateway"


@dataclass(frozen=True, slots=True)
class Reading:
    """A value that a mote measured, with its evidence."""

    endpoint: str
    domain: str
    resource: str
    value: Value
    unit: str
    time: datetime | None
    """When it was measured; None if neither the mote nor the gateway says."""
    number: int
    """The sequence number under which the mote signed it."""
    key: str
    """The thumbprint of the mote's key."""
    verified: bool
    """Whether the mote's signature was verified; false only for recovered readings of a history."""
    unproven: tuple[str, ...]
    """The limits of the proof, in sentences."""
    records: tuple[Record, ...]
    """All records of the SenML pack; value and unit belong to the last one."""
    original: str
    """The JWS, or the COSE_Sign1 in base64url: evidence for others."""


class Verifier:
    """Verifies originals against the keys and numbers in memory."""

    def __init__(self, memory: Memory, fetch: Callable[[str], object]) -> None:
        """`fetch` returns the JWK with a thumbprint; what it raises is passed on, except ValueError."""
        self.memory = memory
        self._fetch = fetch
        self._keys: dict[str, jose.PublicKey] = {}

    def check(self, endpoint: rest.Endpoint, path: str, octets: str | bytes, jwk: object = None) -> originals.Original:
        """Parses an original of the resource. The key that the original names must have signed it. Raises BadSignature."""
        name = endpoint["ep"]
        try:
            original = originals.parse(octets)
            signed = original.signed_by(self._key(original.kid, jwk))
        except ValueError as e:
            raise BadSignature(f"{name}/{path}: the signed reading cannot be verified: {e}. {DO_NOT_USE}.", name, path) from e
        if not signed:
            why = "the signature is wrong: the reading was changed after the mote signed it, or another key signed it"
            raise BadSignature(f"{name}/{path}: {why}. {DO_NOT_USE}.", name, path)
        if original.res != path:
            raise BadSignature(f"{name}/{path}: the mote signed this reading for {original.res}. {DO_NOT_USE}.", name, path)
        if not original.records or original.records[-1].value is None:
            raise BadSignature(f"{name}/{path}: the signed reading has no value. {DO_NOT_USE}.", name, path)
        return original

    def _key(self, thumbprint: str, jwk: object) -> jose.PublicKey:
        """A key is named by its digest, so it is fetched once."""
        if thumbprint not in self._keys:
            self._keys[thumbprint] = jose.PublicKey.of(self._fetch(thumbprint) if jwk is None else jwk)
        return self._keys[thumbprint]

    def check_domain(self, endpoint: rest.Endpoint) -> None:
        """For a caller that named no domain: if the name has keys in memory, one must be of this domain. Raises KeyChanged."""
        domain, name = endpoint["d"], endpoint["ep"]
        known = self.memory.domains(name)
        if known and domain not in known:
            pinned, key = next(iter(known.items()))
            raise KeyChanged(
                f"{name}: the gateway answers with {name} in the domain {domain!r}, but the pinned key {key} is of {name} in the domain "
                f"{pinned!r}. Give domain={pinned!r}; give domain={domain!r} if you mean another mote with the same name.",
                name,
                "",
                key,
                endpoint["keyThumbprint"],
            )

    def check_key(self, endpoint: rest.Endpoint, path: str, kid: str, others: Collection[str] = ()) -> None:
        """Pins the first key. Raises KeyChanged."""
        domain, name = endpoint["d"], endpoint["ep"]
        known = self.memory.key(domain, name)
        if known is None:
            self.memory.pin(domain, name, kid, compared=False)
        elif kid != known[0] and kid not in others:
            place = f", domain={domain!r}" if domain else ""
            raise KeyChanged(
                f"{name}/{path}: the key {kid} signs for {name}, not the pinned {known[0]}. If the mote was replaced or has a new key, "
                f"compare it with the mote's label, then call trust({name!r}, {kid!r}{place}).",
                name,
                path,
                known[0],
                kid,
            )

    def check_number(self, endpoint: rest.Endpoint, original: originals.Original) -> None:
        """Raises Replayed."""
        domain, name, path = endpoint["d"], endpoint["ep"], original.res
        digest = jose.encode(hashlib.sha256(original.signed).digest())
        if not self.memory.advance(domain, name, path, original.seq, digest):
            highest = self.memory.highest(domain, name, path)
            what = f"reading {original.seq} is older than reading {highest}, which was verified before"
            if original.seq == highest:
                what = f"there are two different readings {highest}"
            raise Replayed(f"{name}/{path}: {what}. {DO_NOT_USE}.", name, path)

    def reading(self, endpoint: rest.Endpoint, original: originals.Original, arrived: str | None) -> Reading:
        """`arrived`: the gateway's statement, for a reading whose signed time is relative to it."""
        record = original.records[-1]
        assert record.value is not None
        unproven = []
        known = self.memory.key(endpoint["d"], endpoint["ep"])
        if known is None or known == (original.kid, False):
            unproven.append(f"key: nobody has compared {original.kid} with the label of {endpoint['ep']}; give it as pin=")
        time: datetime | None
        if original.has_time:
            time = _moment(record.time)
        else:
            time = None if arrived is None else datetime.fromisoformat(arrived) + timedelta(seconds=record.time)
            unproven.append("time: the mote signed none; this is when the gateway says that the reading arrived")
        return Reading(
            endpoint["ep"],
            endpoint["d"],
            original.res,
            record.value,
            record.unit,
            time,
            original.seq,
            original.kid,
            True,
            tuple(unproven),
            original.records,
            original.text,
        )


def _moment(seconds: float) -> datetime | None:
    """None for a time outside of the calendar."""
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return None
