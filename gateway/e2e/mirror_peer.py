"""An endpoint that shares no code with ours, on a CoAP client written by hand, and gateways whose domains differ in
policy. The tests of the mirror's protocol use them."""

import json
import sys
import time
import urllib.error
import urllib.request

import cbor2
from coap import BLOCK2, POST, PUT, Peer
from processes import REPOSITORY, SMALL, Gateway

sys.path.insert(0, str(REPOSITORY / "mirror-proxy/src/test/python"))
import sleepy  # noqa: E402
from sleepy import CBOR, JOSE, compact_json  # noqa: E402

LINK_FORMAT, SENML_JSON, SENML_CBOR, JWS_LIST, TEXT = 40, 110, 112, 65103, 0
READING = [{"n": "urn:dev:py:temp", "u": "Cel", "v": 21.5}]
COMMANDER = sleepy.Key()

SETTINGS = """
vigil:
  trust: first-use
  anonymous-read: true
  coap:
    addresses: [localhost]
    loopback-proxy: %s
  domains:
    careful: {trust: approve}
    closed: {trust: listed}
    secret: {confidential: true}
    fresh: {serve-stale: false}
    slow: {rotate-at-once: false}
    narrow: {window: 8, history: 3}
    raced: {limits: {failures-per-minute: 1000}}  # a number that another one overtook counts like a bad signature
    led: {commanders: ['%s']}
"""


def start(folder, proxy=False):
    """A gateway with these settings.

    `proxy`: others could send from loopback addresses, so these are not verified."""
    config = folder / "application.yaml"
    config.write_text(SETTINGS % (json.dumps(proxy), json.dumps(COMMANDER.jwk)))
    return Gateway(
        folder / "data", "--coap-port", "0", "--http-port", "0", "--config", str(config), jvm=SMALL
    ).ready()


class Endpoint(sleepy.Sleepy):
    """The Python endpoint with the CoAP client written by hand."""

    def __init__(self, gateway, ep, alg="ES256", **more):
        super().__init__(None, gateway.coap, ep, key=more.pop("key", None) or sleepy.Key(alg), **more)
        self.peer = Peer(gateway.coap)

    def post(self, payload, format=JOSE, accept=None, query=""):
        return self.peer.request(POST, "/ms" + query, payload, format, accept)

    def register(self, accept=None, **more):
        """Takes the path from a signed registration; returns the answer."""
        answer = self.post(self.registration(**more), accept=accept)
        if answer.code == "2.01":
            self.path = answer.location
        return answer

    def agree_by(self, answer, ephemeral, payload):
        self.path = answer.location
        self.agree(ephemeral, cbor2.loads(answer.payload), payload)

    def put(self, payload, format=JOSE, res="temp", **more):
        return self.peer.request(PUT, f"{self.path}/{res}", payload, format, **more)

    def get(self, accept=None, res="temp", query="", **more):
        return self.peer.get(f"{self.path}/{res}{query}", accept, **more)

    def history(self, query, accept=JWS_LIST):
        """The payload, block by block."""
        body, number, more = b"", 0, True
        while more:
            block = self.get(accept, query=query, options=[(BLOCK2, number << 4 | 5)], token=b"\x44")
            assert block.code == "2.05", block.payload
            body += block.payload
            more = (block.number(BLOCK2) or 0) & 8
            number += 1
        return json.loads(body) if accept != SENML_CBOR else cbor2.loads(body)

    def update(self, senml=READING):
        return self.put(self.jws("temp", senml))

    def signed(self, payload=compact_json(READING), **header):
        """An invalid JWS."""
        self.seq += 1
        members = self.header("temp", sleepy.SENML_JSON) | header
        return self.key.jws({k: v for k, v in members.items() if v is not None}, payload)


def registered(gateway, ep, **more):
    endpoint = Endpoint(gateway, ep, alg=more.pop("alg", "ES256"), d=more.pop("d", None))
    answer = endpoint.register(**more)
    assert answer.code == "2.01", answer.text
    return endpoint


def with_epk(endpoint):
    """Registers with a fresh key for encrypted updates."""
    from cryptography.hazmat.primitives.asymmetric import ec

    ephemeral = ec.generate_private_key(ec.SECP256R1())
    numbers = ephemeral.public_key().public_numbers()
    epk = {"crv": "P-256", "kty": "EC"}
    epk |= {name: sleepy.b64(getattr(numbers, name).to_bytes(32)) for name in "xy"}
    payload = endpoint.registration(epk=epk)
    answer = endpoint.post(payload, accept=CBOR)
    assert answer.code == "2.01", answer.text
    endpoint.agree_by(answer, ephemeral, payload)
    return endpoint


def http(gateway, method, path, body=None, **headers):
    """(status, headers, body)"""
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(gateway.http + path, body, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.headers, refused.read()


def api(gateway, method, path, token, body=None):
    """(status, headers, parsed answer) of the API, with a bearer token; the answer's octets if the status is no success."""
    status, headers, answer = http(
        gateway, method, path, None if body is None else json.dumps(body).encode(),
        Accept="application/json", Content_Type="application/json", Authorization="Bearer " + token)
    return status, headers, json.loads(answer or "null") if status < 300 else answer


def refused(answer, code, line=None):
    """Checks that an error has a code and one line of text."""
    assert answer.code == code, (answer.code, answer.payload)
    assert answer.payload and b"\n" not in answer.payload
    if line is not None:
        assert line in answer.text


def view(gateway, endpoint):
    return json.loads(gateway.get("/api/endpoints/" + endpoint.path.rsplit("/", 1)[1])[2])


def command(endpoint, seq, res="led", key=COMMANDER, exp=None, **more):
    header = {
        "alg": "ES256", "typ": "vigil-cmd", "cty": "application/senml+json", "kid": key.jkt, "ep": endpoint.ep,
        "d": "led", "res": res, "seq": seq, "exp": exp or int(time.time()) + 3600,
    }
    return key.jws(header | more, b'[{"n":"led","vb":true}]')


def led(gateway, ep):
    endpoint = Endpoint(gateway, ep, d="led", links="</temp>,</led>")
    assert endpoint.register().code == "2.01"
    return endpoint
