"""A sleepy endpoint that shares no code with ours (mirror-proxy/src/test/python/sleepy.py): both
registrations, every form of update, and what is served for each verified by jwcrypto and pycose."""

import asyncio
import json
import sys

import aiocoap
import cbor2
import pytest
from processes import REPOSITORY, Gateway
from jwcrypto import jwk, jws
from pycose.keys import EC2Key, OKPKey
from pycose.messages import Sign1Message

sys.path.insert(0, str(REPOSITORY / "mirror-proxy/src/test/python"))
import sleepy  # noqa: E402

READING = [{"n": "urn:dev:py:temp", "u": "Cel", "v": 21.5}]


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    """A separate gateway, so that the state of these endpoints does not affect other tests."""
    data = tmp_path_factory.mktemp("python") / "data"
    gateway = Gateway(data, "--demo", "--coap-port", "0", "--http-port", "0", "--zep-port", "0").ready()
    yield gateway
    gateway.stop()


def with_endpoint(gateway, ep, work, alg="ES256"):
    """Result of `work` for an endpoint with its own CoAP context."""

    async def run():
        context = await aiocoap.Context.create_client_context()
        try:
            return await work(sleepy.Sleepy(context, gateway.coap, ep, key=sleepy.Key(alg)))
        finally:
            await context.shutdown()

    return asyncio.run(run())


async def register(endpoint, confidential=False):
    mirror = json.loads((await endpoint.request(aiocoap.GET, "/keys/mirror")).payload)
    return await endpoint.register(mirror, confidential=confidential, wake=60)


def served(gateway, endpoint, res):
    """Payload of the JWS that the mirror serves, verified with jwcrypto."""
    status, _, body = gateway.get(f"{endpoint.path}/{res}", "application/jose")
    assert status == 200, body
    token = jws.JWS()
    token.allowed_algs = ["ES256", "ES384", "EdDSA"]
    token.deserialize(body.decode())
    token.verify(jwk.JWK.from_json(json.dumps(endpoint.key.jwk)))
    assert json.loads(token.objects["protected"])["seq"] == endpoint.seq
    return token.payload


@pytest.mark.parametrize("alg", ["ES256", "ES384", "EdDSA"])
@pytest.mark.parametrize("form", ["jws", "compact", "compact-cbor", "encrypted", "jwe"])
def test_jwcrypto_verifies_each_form_of_update(network, alg, form):
    async def work(endpoint):
        await register(endpoint, confidential=True)
        payload, content_format = {
            "jws": lambda: (endpoint.jws("temp", READING), sleepy.JOSE),
            "compact": lambda: (endpoint.compact("temp", READING), sleepy.COMPACT),
            "compact-cbor": lambda: (endpoint.compact("temp", READING, cbor=True), sleepy.COMPACT),
            "encrypted": lambda: (endpoint.compact("temp", READING, encrypted=True), sleepy.COMPACT),
            "jwe": lambda: (endpoint.jwe("temp", READING), sleepy.JOSE),
        }[form]()
        assert await endpoint.put("temp", payload, content_format) == "2.01"
        return endpoint

    endpoint = with_endpoint(network, f"py-{alg}-{form}", work, alg)
    signed = served(network, endpoint, "temp")
    assert signed == (sleepy.senml_cbor(READING) if form == "compact-cbor" else sleepy.compact_json(READING))
    assert network.get(f"{endpoint.path}/temp", "text/plain")[2] == b"21.5"


def public(key):
    """The key in pycose's form."""
    x = sleepy.unb64(key.jwk["x"])
    if key.alg == "EdDSA":
        return OKPKey(crv="ED25519", x=x)
    return EC2Key(crv=key.jwk["crv"].replace("-", "_"), x=x, y=sleepy.unb64(key.jwk["y"]))


@pytest.mark.parametrize("alg", ["ES256", "ES384", "EdDSA"])
def test_a_cose_update_is_served_as_cose_that_pycose_verifies(network, alg):
    async def work(endpoint):
        await register(endpoint)
        assert await endpoint.put("temp", endpoint.cose("temp", READING), sleepy.COSE) == "2.01"
        return endpoint

    endpoint = with_endpoint(network, f"py-cose-{alg}", work, alg)
    status, _, body = network.get(f"{endpoint.path}/temp", 'application/cose; cose-type="cose-sign1"')
    assert status == 200
    protected, unprotected, payload, signature = cbor2.loads(body).value
    message = Sign1Message.from_cose_obj([protected, dict(unprotected), payload, signature], True)
    message.key = public(endpoint.key)
    assert message.verify_signature()
    assert network.get(f"{endpoint.path}/temp", "application/jose")[0] == 406


def test_a_plain_registration_is_found_after_a_valid_update(network):
    async def work(endpoint):
        await endpoint.register_plain()
        before = network.get("/rd-lookup/ep?ep=py-plain")[2]
        code = await endpoint.put("load", endpoint.jws("load", READING), sleepy.JOSE)
        return before, code, network.get("/rd-lookup/ep?ep=py-plain")[2]

    before, code, after = with_endpoint(network, "py-plain", work)
    assert before == b"" and code == "2.01" and b"py-plain" in after


def test_a_key_of_another_cannot_take_a_name(network):
    async def owner(endpoint):
        await register(endpoint)
        return await endpoint.put("temp", endpoint.jws("temp", READING), sleepy.JOSE), endpoint

    async def thief(endpoint):
        endpoint.seq = 1000
        with pytest.raises(sleepy.Refused) as refused:
            await endpoint.register()
            await endpoint.put("temp", endpoint.jws("temp", [{"n": "x", "v": 99}]), sleepy.JOSE)
        return refused.value.code

    _, first = with_endpoint(network, "py-owned", owner)
    assert with_endpoint(network, "py-owned", thief) in ("4.01", "4.03")
    assert network.get(f"{first.path}/temp", "text/plain")[2] == b"21.5"
