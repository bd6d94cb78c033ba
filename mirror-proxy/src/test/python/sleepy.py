"""A sleepy endpoint in Python: registers in both forms and sends every form of update.

Written from docs/protocol.md alone, with aiocoap and cryptography, so that the mirror is tested against
code that is not its own. Tests import it; as a program it registers with a running gateway and sends one
update of each form:

    python sleepy.py coap://[::1] mote-9
"""

import asyncio
import base64
import hashlib
import json
import os
import struct
import sys

import aiocoap
import cbor2
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

JOSE, JWK, COMPACT, COSE, MULTIPART, CBOR = 65100, 65101, 65102, 18, 62, 60
SENML_JSON, SENML_CBOR = "application/senml+json", "application/senml+cbor"
CURVES = {"ES256": (ec.SECP256R1(), "P-256", 32, hashes.SHA256(), -7),
          "ES384": (ec.SECP384R1(), "P-384", 48, hashes.SHA384(), -35)}
CBOR_LABELS = {"bn": -2, "bt": -3, "bu": -4, "n": 0, "u": 1, "v": 2, "vs": 3, "vb": 4, "t": 6}


def b64(octets):
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def compact_json(value):
    return json.dumps(value, separators=(",", ":")).encode()


def sha256(octets):
    return hashlib.sha256(octets).digest()


class Key:
    """A signing key of one of the profile's algorithms."""

    def __init__(self, alg="ES256"):
        self.alg = alg
        if alg == "EdDSA":
            self.secret = ed25519.Ed25519PrivateKey.generate()
            self.jwk = {"crv": "Ed25519", "kty": "OKP", "x": b64(self.secret.public_key().public_bytes_raw())}
        else:
            curve, name, size, self.digest, _ = CURVES[alg]
            self.secret = ec.generate_private_key(curve)
            numbers = self.secret.public_key().public_numbers()
            self.size = size
            self.jwk = {"crv": name, "kty": "EC", "x": b64(numbers.x.to_bytes(size)), "y": b64(numbers.y.to_bytes(size))}
        self.thumbprint = sha256(compact_json(self.jwk))
        self.jkt = b64(self.thumbprint)

    def sign(self, octets):
        """R|S, or the 64 octets of Ed25519."""
        if self.alg == "EdDSA":
            return self.secret.sign(octets)
        r, s = decode_dss_signature(self.secret.sign(octets, ec.ECDSA(self.digest)))
        return r.to_bytes(self.size) + s.to_bytes(self.size)

    def jws(self, header, payload):
        signed = (b64(compact_json(header)) + "." + b64(payload)).encode()
        return signed + b"." + b64(self.sign(signed)).encode()


class Refused(Exception):
    """An error response of the mirror: its code and diagnostic payload."""

    def __init__(self, answer):
        self.code = answer.code.dotted
        self.line = answer.payload.decode(errors="replace")
        super().__init__(f"{self.code} {self.line}")


class Sleepy:
    """One endpoint: its key, its sequence number and, once registered, its path at the mirror."""

    def __init__(self, context, base, ep, d=None, key=None, links='</temp>;rt="temperature",</load>;rt="load"'):
        self.context, self.base, self.ep, self.d = context, base.rstrip("/"), ep, d
        self.key = key or Key()
        self.links = links.encode()
        self.seq = 0
        self.path = None
        self.update_keys = None

    async def request(self, code, path, payload=b"", content_format=None, accept=None):
        message = aiocoap.Message(code=code, uri=self.base + path, payload=payload)
        if content_format is not None:
            message.opt.content_format = content_format
        if accept is not None:
            message.opt.accept = accept
        answer = await asyncio.wait_for(self.context.request(message).response, 30)
        if not answer.code.is_successful():
            raise Refused(answer)
        return answer

    def registration(self, **more):
        """The payload of a signed registration with the next sequence number."""
        self.seq += 1
        header = {"alg": self.key.alg, "typ": "vigil-reg", "cty": "application/link-format",
                  "jwk": self.key.jwk, "ep": self.ep, "seq": self.seq}
        if self.d is not None:
            header["d"] = self.d
        return self.key.jws(header | more, self.links)

    async def register(self, mirror_key=None, confidential=False, **more):
        """Registers with a signed registration; returns the answer map, verified if the mirror's key (a JWK) is given."""
        ephemeral = ec.generate_private_key(ec.SECP256R1()) if confidential else None
        if ephemeral:
            numbers = ephemeral.public_key().public_numbers()
            more["epk"] = {"crv": "P-256", "kty": "EC", "x": b64(numbers.x.to_bytes(32)), "y": b64(numbers.y.to_bytes(32))}
        payload = self.registration(**more)
        answer = await self.request(aiocoap.POST, "/ms", payload, JOSE, COSE if mirror_key else CBOR)
        facts = verified_answer(answer.payload, mirror_key, payload) if mirror_key else cbor2.loads(answer.payload)
        self.path = "/" + "/".join(answer.opt.location_path)
        if ephemeral:
            self.agree(ephemeral, facts, payload)
        return facts

    async def register_plain(self):
        """Registers with a plain registration: links and key, unsigned."""
        payload = cbor2.dumps([40, self.links, JWK, compact_json(self.key.jwk)])
        query = f"?ep={self.ep}" + (f"&d={self.d}" if self.d is not None else "")
        answer = await self.request(aiocoap.POST, "/ms" + query, payload, MULTIPART)
        self.path = "/" + "/".join(answer.opt.location_path)

    def agree(self, ephemeral, facts, payload):
        """Derives the keys of encrypted updates (docs/protocol.md section 7)."""
        theirs = ec.EllipticCurvePublicNumbers(
            int.from_bytes(facts[2][-2]), int.from_bytes(facts[2][-3]), ec.SECP256R1()).public_key()
        shared = ephemeral.exchange(ec.ECDH(), theirs)
        derive = lambda use: HKDF(
            hashes.SHA256(), 16, sha256(payload), b"vigil update " + use + b"\0" + self.key.jkt.encode()).derive(shared)
        self.update_keys = {"number": facts[4], "compact": derive(b"air"), "jwe": derive(b"jwe")}

    def header(self, res, cty, ack=None):
        """The protected header that a compact update stands for, with its members in the prescribed order."""
        header = {"alg": self.key.alg, "cty": cty, "kid": self.key.jkt, "res": res, "seq": self.seq}
        return header if ack is None else header | {"ack": ack}

    def jws(self, res, senml, ack=None):
        self.seq += 1
        return self.key.jws(self.header(res, SENML_JSON, ack), compact_json(senml))

    def compact(self, res, senml, ack=None, cbor=False, encrypted=False):
        """flags | seq | [ack] | payload | signature, or encrypted."""
        self.seq += 1
        payload = senml_cbor(senml) if cbor else compact_json(senml)
        signature = self.key.jws(self.header(res, SENML_CBOR if cbor else SENML_JSON, ack), payload).split(b".")[2]
        flags = ["ES256", "ES384", "EdDSA"].index(self.key.alg) | (4 if cbor else 0) | (0 if ack is None else 8)
        inner = (b"" if ack is None else struct.pack(">H", ack & 0xFFFF)) + payload + unb64(signature.decode())
        low = struct.pack(">H", self.seq & 0xFFFF)
        if not encrypted:
            return bytes([flags]) + low + inner
        flags |= 0x10 | (self.update_keys["number"] & 7) << 5
        long_seq = struct.pack(">Q", self.seq)
        sealed = AESGCM(self.update_keys["compact"]).encrypt(bytes(4) + long_seq, inner, bytes([flags]) + long_seq)
        return bytes([flags]) + low + sealed

    def jwe(self, res, senml):
        """The JWS inside a JWE (dir, A128GCM)."""
        inner = self.jws(res, senml)
        header = b64(compact_json({"alg": "dir", "enc": "A128GCM"}))
        nonce = os.urandom(12)
        sealed = AESGCM(self.update_keys["jwe"]).encrypt(nonce, inner, header.encode())
        return ".".join([header, "", b64(nonce), b64(sealed[:-16]), b64(sealed[-16:])]).encode()

    def cose(self, res, senml):
        """COSE_Sign1 over SenML-CBOR."""
        self.seq += 1
        alg = {"EdDSA": -8}.get(self.key.alg) or CURVES[self.key.alg][4]
        protected = cbor2.dumps({1: alg, 3: 112, 4: self.key.thumbprint, "res": res, "seq": self.seq})
        payload = senml_cbor(senml)
        signature = self.key.sign(cbor2.dumps(["Signature1", protected, b"", payload]))
        return cbor2.dumps(cbor2.CBORTag(18, [protected, {}, payload, signature]))

    async def put(self, res, payload, content_format):
        """Sends an update; returns the code of the answer."""
        answer = await self.request(aiocoap.PUT, f"{self.path}/{res}", payload, content_format)
        return answer.code.dotted

    async def pending(self):
        """The paths of the pending commands, oldest first."""
        answer = await self.request(aiocoap.GET, self.path + "?pending")
        return [link.split(">")[0][1:] for link in answer.payload.decode().split(",") if link]


def senml_cbor(senml):
    return cbor2.dumps([{CBOR_LABELS[name]: value for name, value in record.items()} for record in senml])


def verified_answer(octets, mirror_key, request):
    """The map in a signed answer; raises InvalidSignature if it is not signed with the mirror's key."""
    protected, _, payload, signature = cbor2.loads(octets).value
    structure = cbor2.dumps(["Signature1", protected, sha256(request), payload])
    x, y = (int.from_bytes(unb64(mirror_key[name])) for name in "xy")
    public = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    if len(signature) != 64:
        raise InvalidSignature
    der = encode_dss_signature(int.from_bytes(signature[:32]), int.from_bytes(signature[32:]))
    public.verify(der, structure, ec.ECDSA(hashes.SHA256()))
    return cbor2.loads(payload)


async def main(base, ep):
    context = await aiocoap.Context.create_client_context()
    reading = [{"n": "urn:dev:py:temp", "u": "Cel", "v": 21.5}]
    try:
        for alg in ("ES256", "ES384", "EdDSA"):
            sleepy = Sleepy(context, base, f"{ep}-{alg}", key=Key(alg))
            mirror = json.loads((await sleepy.request(aiocoap.GET, "/keys/mirror")).payload)
            facts = await sleepy.register(mirror, confidential=True, wake=60)
            print(alg, "registered", sleepy.path, "H", facts[1], "window", facts[3])
            for form, payload, content_format in (
                ("JWS", sleepy.jws("temp", reading), JOSE),
                ("compact", sleepy.compact("temp", reading), COMPACT),
                ("compact CBOR", sleepy.compact("temp", reading, cbor=True), COMPACT),
                ("COSE", sleepy.cose("temp", reading), COSE),
                ("encrypted", sleepy.compact("temp", reading, encrypted=True), COMPACT),
                ("JWE", sleepy.jwe("temp", reading), JOSE),
            ):
                print(alg, form, len(payload), "octets", await sleepy.put("temp", payload, content_format))
        plain = Sleepy(context, base, f"{ep}-plain")
        await plain.register_plain()
        print("plain registered", plain.path, "first update", await plain.put("load", plain.jws("load", reading), JOSE))
        plain.seq -= 1
        try:
            await plain.put("load", plain.jws("load", reading), JOSE)
            raise SystemExit("a used number was accepted")
        except Refused as refused:
            print("a used number:", refused)
    finally:
        await context.shutdown()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:3]))
