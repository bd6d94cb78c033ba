"""A sleepy endpoint over TinyDTLS, the DTLS of Contiki-NG's and RIOT's motes: PSK with AES-CCM-8, the suite every
CoAP node has (RFC 7252 section 9.1.3.1). TinyDTLS comes in Python's DTLSSocket, which aiocoap uses for coaps.

DTLSSocket is built from source and is therefore not a requirement of this suite:
    apt-get install autoconf automake libtool gcc; target/venv/bin/pip install dtlssocket==0.2.3
TinyDTLS supports raw public keys, but DTLSSocket does not expose them.
"""

import asyncio
import json
import logging
import sys

import aiocoap
import pytest
from processes import REPOSITORY, Gateway
from jwcrypto import jwk, jws

sys.path.insert(0, str(REPOSITORY / "mirror-proxy/src/test/python"))
import sleepy  # noqa: E402

pytest.importorskip("DTLSSocket", reason="DTLSSocket (TinyDTLS) is not installed: test_tinydtls.py says how")

IDENTITY, KEY = "mote-7", "a shared secret!"  # TinyDTLS accepts no longer key in this build
READING = [{"n": "urn:dev:py:temp", "u": "Cel", "v": 21.5}]


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    """Only identified clients may read; keys are trusted on first use."""
    folder = tmp_path_factory.mktemp("tinydtls")
    config = folder / "mine.yaml"
    config.write_text(f"vigil.coap:\n  addresses: [localhost]\n  dtls:\n    psk: {{{IDENTITY}: {KEY}}}\n")
    config.chmod(0o600)
    one = Gateway(
        folder / "data", "--config", str(config), "--trust", "first-use",
        "--coap-port", "0", "--coaps-port", "0", "--http-port", "0",
    )
    try:
        yield one.ready()
    finally:
        one.stop()
        assert KEY not in "\n".join(one.lines)


def over_tinydtls(gateway, work, key=KEY):
    """Result of `work` for an endpoint that can only use aiocoap's TinyDTLS."""

    async def run():
        base = gateway.address("coaps://127")
        context = await aiocoap.Context.create_client_context(transports=["tinydtls"])
        context.client_credentials.load_from_dict(
            {base + "/*": {"dtls": {"psk": key.encode(), "client-identity": IDENTITY.encode()}}}
        )
        try:
            return await work(sleepy.Sleepy(context, base, "tiny-1"))
        finally:
            await context.shutdown()

    logging.getLogger("coap").setLevel(logging.ERROR)
    return asyncio.run(run())


def test_a_tinydtls_mote_registers_updates_and_is_verified(gateway):
    async def work(mote):
        mirror = json.loads((await mote.request(aiocoap.GET, "/keys/mirror")).payload)
        facts = await mote.register(mirror, wake=60)
        assert await mote.put("temp", mote.compact("temp", READING), sleepy.COMPACT) == "2.01"
        assert await mote.put("temp", mote.jws("temp", READING), sleepy.JOSE) == "2.04"
        answer = await mote.request(aiocoap.GET, f"{mote.path}/temp", accept=sleepy.JOSE)
        token = jws.JWS()
        token.allowed_algs = ["ES256"]
        token.deserialize(answer.payload.decode())
        token.verify(jwk.JWK.from_json(json.dumps(mote.key.jwk)))
        assert json.loads(token.objects["protected"])["seq"] == mote.seq > facts[1]
        assert json.loads(token.payload) == READING
        # Block-wise over the same association.
        directory = await mote.request(aiocoap.GET, "/.well-known/core")
        assert f"<{mote.path}/temp>".encode() in directory.payload

    over_tinydtls(gateway, work)


def test_a_mote_on_tinydtls_with_a_wrong_key_gets_no_answer(gateway):
    async def work(mote):
        with pytest.raises((aiocoap.error.Error, asyncio.TimeoutError)):
            await asyncio.wait_for(mote.request(aiocoap.GET, "/keys/mirror"), 5)

    over_tinydtls(gateway, work, key=KEY[::-1])
