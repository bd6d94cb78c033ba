"""A substitute for a mirror on aiocoap: receives a mote's messages, verifies them with jwcrypto, and refuses on request."""

import asyncio
import base64
import contextlib
import hashlib
import json
import time
from dataclasses import dataclass, field

import aiocoap
import aiocoap.error
import aiocoap.resource
import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from jwcrypto import jwk, jws

LINK_FORMAT, SENML_JSON, SENML_CBOR = "application/link-format", "application/senml+json", "application/senml+cbor"
COSE_SIGN1, JOSE, JWK, COMPACT = 18, 65100, 65101, 65102


def unpadded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@dataclass
class Update:
    path: str
    header: dict
    records: list
    confirmable: bool
    length: int  # of the CoAP payload, in octets


@dataclass
class Registration:
    header: dict
    links: str
    query: tuple


@dataclass
class Mirror:
    """The received and verified messages. `answers` has codes to send instead of acceptance, in order."""

    registrations: list = field(default_factory=list)
    updates: list = field(default_factory=list)
    numbers: list = field(default_factory=list)  # of both, in order of arrival
    answers: list = field(default_factory=list)
    key: jwk.JWK | None = None
    location: int = 7
    identity: ec.EllipticCurvePrivateKey | None = None  # signs answers, if the mirror has one

    air_key: bytes | None = None  # of the last registration, if it asked for one
    key_number: int = 6  # so that a second registration wraps the three bits on the air
    sealed: int = 0  # encrypted updates
    arrived: asyncio.Event = field(default_factory=asyncio.Event)  # set by each update

    async def until(self, count: int) -> None:
        """Waits for updates: a mote does not wait for the answer to its last one if that is not confirmable."""
        async with asyncio.timeout(60):
            while len(self.updates) < count:
                self.arrived.clear()
                await self.arrived.wait()

    def agree(self, request: aiocoap.Message) -> dict:
        """Section 7: makes a new key of the mirror, and derives K from both keys."""
        header = json.loads(base64.urlsafe_b64decode(request.payload.split(b".")[0] + b"=="))
        if "epk" not in header:
            return {}
        ours = ec.generate_private_key(ec.SECP256R1())
        shared = ours.exchange(ec.ECDH(), jwk.JWK(**header["epk"]).get_op_key("verify"))
        info = b"vigil update air\0" + self.key.thumbprint().encode()
        salt = hashlib.sha256(request.payload).digest()
        self.air_key = HKDF(hashes.SHA256(), 16, salt, info).derive(shared)
        self.key_number += 1
        point = ours.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (point.x, point.y))
        return {2: {1: 2, -1: 1, -2: x, -3: y}, 4: self.key_number}

    def identity_key(self) -> jwk.JWK:
        return jwk.JWK.from_pyca(self.identity.public_key())

    def signed(self, request: aiocoap.Message, answer: aiocoap.Message) -> aiocoap.Message:
        """The answer map in COSE_Sign1 (RFC 9052), bound to the request's octets."""
        if self.identity is None or request.opt.accept != COSE_SIGN1:
            return answer
        protected = cbor2.dumps({1: -7, 4: base64.urlsafe_b64decode(self.identity_key().thumbprint() + "=")})
        payload = cbor2.dumps({0: int(time.time()), 1: max(self.numbers, default=0), 3: 4096} | self.agree(request))
        external = hashlib.sha256(request.payload).digest()
        der = self.identity.sign(cbor2.dumps(["Signature1", protected, external, payload]), ec.ECDSA(hashes.SHA256()))
        signature = b"".join(part.to_bytes(32, "big") for part in utils.decode_dss_signature(der))
        answer.payload = cbor2.dumps(cbor2.CBORTag(18, [protected, {}, payload, signature]))
        answer.opt.content_format = COSE_SIGN1
        return answer

    def conflict(self, header: dict) -> aiocoap.Message | None:
        highest = max(self.numbers, default=0)
        if header["seq"] > highest:
            return None
        return aiocoap.Message(code=aiocoap.CONFLICT, payload=str(highest).encode())

    def register(self, request: aiocoap.Message) -> aiocoap.Message:
        assert request.opt.content_format == JOSE
        token = jws.JWS()
        token.deserialize(request.payload.decode("ascii"))
        header = json.loads(token.objects["protected"])
        key = jwk.JWK(**header["jwk"])
        token.verify(key)
        assert self.key is None or self.key.thumbprint() == key.thumbprint()
        self.key = key
        if refusal := self.conflict(header):
            return self.signed(request, refusal)
        self.numbers.append(header["seq"])
        self.registrations.append(Registration(header, token.payload.decode(), request.opt.uri_query))
        if self.answers:
            return self.answers.pop(0)
        created = aiocoap.Message(code=aiocoap.CREATED, location_path=("ms", str(self.location)))
        return self.signed(request, created)

    def update(self, path: str, request: aiocoap.Message) -> aiocoap.Message:
        text = request.payload
        if request.opt.content_format == COMPACT:
            text = self.expand(path, request.payload)
        else:
            assert request.opt.content_format == JOSE
        token = jws.JWS()
        token.deserialize(text.decode("ascii"))
        token.verify(self.key)
        header = json.loads(token.objects["protected"])
        assert header["res"] == path
        assert header["kid"] == self.key.thumbprint()
        records = json.loads(token.payload) if header["cty"] == SENML_JSON else cbor2.loads(token.payload)
        if refusal := self.conflict(header):
            return refusal
        self.numbers.append(header["seq"])
        self.updates.append(Update(path, header, records, request.mtype == aiocoap.CON, len(request.payload)))
        self.arrived.set()
        if self.answers:
            return self.answers.pop(0)
        return aiocoap.Message(code=aiocoap.CHANGED)

    def expand(self, path: str, data: bytes) -> bytes:
        """Restores the JWS of a compact update, implemented from the text of docs/protocol.md section 4."""
        flags, low = data[0], int.from_bytes(data[1:3], "big")
        highest = max(self.numbers, default=0)
        number = highest + 1 + (low - highest - 1) % 65536
        if flags & 0x10:
            assert flags >> 5 == self.key_number & 7
            numbered = number.to_bytes(8, "big")
            data = data[:3] + AESGCM(self.air_key).decrypt(bytes(4) + numbered, data[3:], data[:1] + numbered)
            flags &= 0x0F
            self.sealed += 1
        assert flags & ~0x04 == 0
        header = json.dumps(
            {
                "alg": "ES256",
                "cty": SENML_CBOR if flags & 0x04 else SENML_JSON,
                "kid": self.key.thumbprint(),
                "res": path,
                "seq": number,
            },
            separators=(",", ":"),
        )
        return f"{unpadded(header.encode())}.{unpadded(data[3:-64])}.{unpadded(data[-64:])}".encode()


class Front(aiocoap.resource.Resource):
    """The whole server: handles every path."""

    def __init__(self, mirror: Mirror):
        super().__init__()
        self.mirror = mirror

    async def render(self, request):
        path = request.opt.uri_path
        if path == ("keys", "mirror") and self.mirror.identity:
            text = self.mirror.identity_key().export_public()
            return aiocoap.Message(code=aiocoap.CONTENT, content_format=JWK, payload=text.encode())
        if request.code == aiocoap.POST and path == ("ms",):
            return self.mirror.register(request)
        if request.code == aiocoap.PUT and path[:2] == ("ms", str(self.mirror.location)):
            return self.mirror.update("/".join(path[2:]), request)
        return aiocoap.Message(code=aiocoap.NOT_FOUND)


@contextlib.asynccontextmanager
async def serve(mirror: Mirror, host: str, port: int):
    context = await aiocoap.Context.create_server_context(Front(mirror), bind=(host, port))
    try:
        yield
    finally:
        await context.shutdown()
