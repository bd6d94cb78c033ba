"""Signed originals: a JWS or a COSE_Sign1 in the profile of docs/protocol.md, section 4."""

import json
import re
from dataclasses import dataclass
from typing import Any

from . import cbor, jose, senml

# Members that would let a header choose its own key, or change what is signed.
FORBIDDEN = {"jwk", "epk", "jku", "x5c", "x5u", "b64", "crit"}
THUMBPRINT = re.compile(r"[A-Za-z0-9_-]{43}\Z")
MAX_NUMBER = 2**53 - 1
# RFC 9053 section 2.
COSE_ALGORITHMS: dict[Any, str] = {-7: "ES256", -35: "ES384", -8: "EdDSA"}
COSE_TAG = 0xD2
SENML_CBOR = 112


@dataclass(frozen=True, slots=True)
class Original:
    """A well-formed original whose signature is not verified yet."""

    text: str
    """The JWS, or the COSE_Sign1 in base64url."""
    alg: str
    kid: str
    res: str
    seq: int
    ack: int | None
    records: tuple[senml.Record, ...]
    signature: bytes
    signed: bytes
    """The octets that the signature covers."""

    @property
    def has_time(self) -> bool:
        """Whether the mote signed the time of the measurement, not only its age at the arrival."""
        return self.records[-1].time >= senml.RELATIVE_BELOW

    def signed_by(self, key: jose.PublicKey) -> bool:
        """Raises ValueError if the original names another key, or the key cannot be used."""
        if key.thumbprint != self.kid:
            raise ValueError("the gateway sent another key than the reading names")
        if key.curve.alg != self.alg:
            raise ValueError(f"the reading says {self.alg}, but its key is {key.crv}")
        return key.verifies(self.signature, self.signed)


def parse(octets: str | bytes) -> Original:
    """The text of a JWS, or the octets of a COSE_Sign1. Raises ValueError."""
    try:
        return _jws(octets) if isinstance(octets, str) else _cose(octets)
    except (OverflowError, RecursionError) as e:
        raise ValueError(f"not readable: {e}") from e


def _jws(text: str) -> Original:
    parts = text.split(".")
    if len(parts) != 3:
        raise ValueError("not three parts")
    header = json.loads(jose.decode(parts[0]))
    if not isinstance(header, dict):
        raise ValueError("a header that is not a JSON object")
    signed = f"{parts[0]}.{parts[1]}".encode()
    return _original(text, header, jose.decode(parts[1]), jose.decode(parts[2]), signed)


def _cose(octets: bytes) -> Original:
    """The labels of its protected header become the names of a JWS header; the unprotected header is ignored."""
    message = cbor.decode(octets[1:] if octets[:1] == bytes([COSE_TAG]) else octets)
    match message:
        case [bytes() as protected, dict(), bytes() as payload, bytes() as signature]:
            pass
        case _:
            raise ValueError("not a COSE_Sign1")
    labels = cbor.decode(protected)
    if not isinstance(labels, dict):
        raise ValueError("a header that is not a map")
    header: dict[str, Any] = {name: labels[name] for name in ("res", "seq", "ack") if name in labels}
    header["alg"] = COSE_ALGORITHMS.get(labels.get(1))
    if labels.get(3) == SENML_CBOR:
        header["cty"] = "application/senml+cbor"
    if isinstance(kid := labels.get(4), bytes):
        header["kid"] = jose.encode(kid)
    if any(label in labels for label in (2, 32, 33, 34, 35)):
        header["crit"] = True
    # RFC 9052 section 4.4, with empty external data.
    parts = [b"\x84\x6aSignature1", *(cbor.head(2, len(part)) + part for part in (protected, b"", payload))]
    return _original(jose.encode(octets), header, payload, signature, b"".join(parts))


def _original(text: str, header: dict[str, Any], payload: bytes, signature: bytes, signed: bytes) -> Original:
    alg, kid, res, seq = (header.get(name) for name in ("alg", "kid", "res", "seq"))
    if alg not in {curve.alg for curve in jose.CURVES.values()}:
        raise ValueError(f"the algorithm {alg} is not accepted")
    if bad := FORBIDDEN & header.keys():
        raise ValueError(f"the header has {min(bad)}")
    # Commands and registrations are signed by the same kinds of keys.
    if "typ" in header:
        raise ValueError(f"it is a {header['typ']}, not a reading")
    cty = header.get("cty")
    if cty not in ("application/senml+json", "application/senml+cbor"):
        raise ValueError(f"the content type {cty} is not SenML")
    if not isinstance(kid, str) or not THUMBPRINT.match(kid):
        raise ValueError("the key id is not a thumbprint")
    if not isinstance(res, str):
        raise ValueError("it names no resource")
    if not _is_number(seq):
        raise ValueError("it has no sequence number")
    ack = header.get("ack")
    records = tuple(senml.read(payload, cty))
    return Original(text, str(alg), kid, res, int(str(seq)), ack if _is_number(ack) else None, records, signature, signed)


def _is_number(member: object) -> bool:
    return isinstance(member, int) and not isinstance(member, bool) and 0 <= member <= MAX_NUMBER
