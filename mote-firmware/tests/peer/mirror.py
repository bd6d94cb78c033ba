"""A mirror stand-in on aiocoap: it takes what a mote sends, verifies it with jwcrypto, and can be told to refuse."""

import base64
import contextlib
import json
from dataclasses import dataclass, field

import aiocoap
import aiocoap.error
import aiocoap.resource
import cbor2
from jwcrypto import jwk, jws

LINK_FORMAT, SENML_JSON, SENML_CBOR = "application/link-format", "application/senml+json", "application/senml+cbor"
JOSE, COMPACT = 65100, 65102


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
    """What has come in, verified; `answers` holds codes to give instead of acceptance, first come first served."""

    registrations: list = field(default_factory=list)
    updates: list = field(default_factory=list)
    numbers: list = field(default_factory=list)  # of both, as they came
    answers: list = field(default_factory=list)
    key: jwk.JWK | None = None
    location: int = 7

    def register(self, request: aiocoap.Message) -> aiocoap.Message:
        assert request.opt.content_format == JOSE
        token = jws.JWS()
        token.deserialize(request.payload.decode("ascii"))
        header = json.loads(token.objects["protected"])
        key = jwk.JWK(**header["jwk"])
        token.verify(key)
        assert self.key is None or self.key.thumbprint() == key.thumbprint()
        self.key = key
        self.numbers.append(header["seq"])
        self.registrations.append(Registration(header, token.payload.decode(), request.opt.uri_query))
        if self.answers:
            return self.answers.pop(0)
        return aiocoap.Message(code=aiocoap.CREATED, location_path=("ms", str(self.location)))

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
        self.numbers.append(header["seq"])
        self.updates.append(Update(path, header, records, request.mtype == aiocoap.CON, len(request.payload)))
        if self.answers:
            return self.answers.pop(0)
        return aiocoap.Message(code=aiocoap.CHANGED)

    def expand(self, path: str, data: bytes) -> bytes:
        """Section 4 of the protocol, written anew from the text: the compact update back to its JWS."""
        flags, low = data[0], int.from_bytes(data[1:3], "big")
        assert flags & ~0x04 == 0
        highest = max(self.numbers, default=0)
        number = highest + 1 + (low - highest - 1) % 65536
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
    """The whole server: every path ends here."""

    def __init__(self, mirror: Mirror):
        super().__init__()
        self.mirror = mirror

    async def render(self, request):
        path = request.opt.uri_path
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
