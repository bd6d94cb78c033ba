"""Keys, signatures and base64url (RFC 7515, 7517, 7518, 7638, 8037)."""

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

CANONICAL = re.compile(r"[A-Za-z0-9_-]*\Z")


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve, the algorithm of its signatures, and the length of a coordinate."""

    alg: str
    kty: str
    octets: int
    points: ec.EllipticCurve | None = None
    digest: hashes.HashAlgorithm | None = None


CURVES = {
    "P-256": Curve("ES256", "EC", 32, ec.SECP256R1(), hashes.SHA256()),
    "P-384": Curve("ES384", "EC", 48, ec.SECP384R1(), hashes.SHA384()),
    "Ed25519": Curve("EdDSA", "OKP", 32),
}


def decode(text: str) -> bytes:
    """Octets of base64url without padding.

    Only the canonical form is accepted; otherwise one signature could have two texts. Raises ValueError."""
    if not CANONICAL.match(text) or len(text) % 4 == 1:
        raise ValueError("not base64url")
    octets = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if encode(octets) != text:
        raise ValueError("base64url with left-over bits")
    return octets


def encode(octets: bytes) -> str:
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A public key, reduced to the members that its thumbprint covers."""

    crv: str
    x: bytes
    y: bytes
    """Empty for Ed25519."""

    @classmethod
    def of(cls, jwk: Any) -> "PublicKey":
        """Raises ValueError if the JWK is malformed or its curve is not supported."""
        if not isinstance(jwk, Mapping):
            raise ValueError("a key that is not a JSON object")
        curve = CURVES.get(str(jwk.get("crv")))
        if curve is None or jwk.get("kty") != curve.kty:
            raise ValueError(f"a key of the unsupported type {jwk.get('kty')} {jwk.get('crv')}")
        x, y = (_coordinate(jwk, name, curve.octets) for name in "xy") if curve.points else (_coordinate(jwk, "x", curve.octets), b"")
        return cls(str(jwk["crv"]), x, y)

    @property
    def curve(self) -> Curve:
        return CURVES[self.crv]

    @property
    def thumbprint(self) -> str:
        """RFC 7638 with SHA-256: 43 characters."""
        members = {"crv": self.crv, "kty": self.curve.kty, "x": encode(self.x)} | ({"y": encode(self.y)} if self.y else {})
        return encode(hashlib.sha256(json.dumps(members, separators=(",", ":")).encode()).digest())

    def verifies(self, signature: bytes, signed: bytes) -> bool:
        """Raises ValueError if the key is not a point of its curve."""
        octets = self.curve.octets
        if len(signature) != 2 * octets:
            return False
        try:
            if self.curve.points is None or self.curve.digest is None:
                ed25519.Ed25519PublicKey.from_public_bytes(self.x).verify(signature, signed)
            else:
                point = ec.EllipticCurvePublicNumbers(int.from_bytes(self.x), int.from_bytes(self.y), self.curve.points).public_key()
                der = encode_dss_signature(int.from_bytes(signature[:octets]), int.from_bytes(signature[octets:]))
                point.verify(der, signed, ec.ECDSA(self.curve.digest))
        except InvalidSignature:
            return False
        return True


def _coordinate(jwk: Mapping[str, Any], name: str, length: int) -> bytes:
    text = jwk.get(name)
    octets = decode(text) if isinstance(text, str) else b""
    if len(octets) != length:
        raise ValueError(f"a key without a member {name} of {length} octets")
    return octets


class CommanderKey:
    """A private key that signs commands, as `./vigil command --new-key FILE` makes it."""

    def __init__(self, jwk: Mapping[str, Any]) -> None:
        """Raises ValueError if it is not a private key, or its halves do not belong together."""
        self.public = PublicKey.of(jwk)
        curve = self.public.curve
        secret = _coordinate(jwk, "d", curve.octets)
        self._key: ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey
        if curve.points is None:
            self._key = ed25519.Ed25519PrivateKey.from_private_bytes(secret)
        else:
            self._key = ec.derive_private_key(int.from_bytes(secret), curve.points)
        probe = b"vigil"
        if not self.public.verifies(self._sign(probe), probe):
            raise ValueError("a private key that does not belong to its public half")

    @classmethod
    def load(cls, source: "CommanderKey | Mapping[str, Any] | str | Path") -> "CommanderKey":
        """From a JWK, or from the name of a file that holds one. Raises OSError or ValueError."""
        if isinstance(source, CommanderKey):
            return source
        return cls(source if isinstance(source, Mapping) else json.loads(Path(source).read_text()))

    def jws(self, header: Mapping[str, Any], payload: bytes) -> str:
        """A JWS in compact serialization; `alg` and `kid` are added to the header."""
        full = {"alg": self.public.curve.alg, "kid": self.public.thumbprint, **header}
        signed = f"{encode(json.dumps(full, separators=(',', ':')).encode())}.{encode(payload)}"
        return f"{signed}.{encode(self._sign(signed.encode()))}"

    def _sign(self, octets: bytes) -> bytes:
        curve = self.public.curve
        if isinstance(self._key, ed25519.Ed25519PrivateKey):
            return self._key.sign(octets)
        assert curve.digest is not None
        r, s = decode_dss_signature(self._key.sign(octets, ec.ECDSA(curve.digest)))
        return r.to_bytes(curve.octets) + s.to_bytes(curve.octets)
