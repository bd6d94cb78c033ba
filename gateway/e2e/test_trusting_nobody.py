"""End to end: a client that has pinned a mote's key reads through a gateway that lies, and accepts nothing that the
mote did not sign for that resource and time.

The gateway can only withhold. The lies are made by a proxy between client and gateway, which is equivalent for the
client.
"""

import contextlib
import http.server
import itertools
import json
import subprocess
import threading
import urllib.error
import urllib.request

import pytest
from processes import java_command
from jwcrypto import jwk, jws
from mirror_peer import registered, sleepy

number = itertools.count(1)
CELSIUS = [{"n": "urn:dev:py:temp", "u": "Cel", "v": 21.5}]


class Lie(Exception):
    """The client's results."""


class Client:
    """An independent program with a JOSE library and the fingerprint on the mote's label."""

    def __init__(self, base, label):
        self.base, self.label, self.newest = base, label, 0
        self.key = None

    def fetch(self, path, accept):
        request = urllib.request.Request(self.base + path, headers={"Accept": accept})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read().decode()

    def pinned(self):
        """The key of the label; its source does not matter."""
        if self.key is None:
            key = jwk.JWK.from_json(self.fetch(f"/keys/{self.label}", "application/jwk+json"))
            if key.thumbprint() != self.label:
                raise Lie("this is not the key of the label")
            self.key = key
        return self.key

    def read(self, entry, res):
        """The reading as the mote signed it, and whether it is new."""
        token = jws.JWS()
        token.allowed_algs = ["ES256", "ES384", "EdDSA"]
        token.deserialize(self.fetch(f"{entry}/{res}", "application/jose"))
        try:
            token.verify(self.pinned())
        except jws.InvalidJWSSignature:
            raise Lie("the mote did not sign this") from None
        header = json.loads(token.objects["protected"])
        if header.get("res") != res or "typ" in header:
            raise Lie("signed for something else")
        if header["seq"] < self.newest:
            raise Lie("an older reading than one seen before")
        fresh, self.newest = header["seq"] > self.newest, header["seq"]
        return json.loads(token.payload), fresh


@contextlib.contextmanager
def liar(gateway, lies):
    """A gateway whose answers go through `lies(path, body)`."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked = urllib.request.Request(gateway.http + self.path, headers={"Accept": self.headers["Accept"]})
            try:
                with urllib.request.urlopen(asked, timeout=60) as answer:
                    status, body = answer.status, answer.read()
            except urllib.error.HTTPError as refused:
                status, body = refused.code, refused.read()
            body = lies(self.path, body)
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def honest(gateway):
    """A mote with two readings of its temperature and one of its load, and the served form of the first."""
    mote = registered(gateway, f"pinned-{next(number)}")
    mote.update(CELSIUS)
    mote.first = gateway.get(f"{mote.path}/temp", "application/jose")[2]
    mote.update([{"n": "urn:dev:py:temp", "u": "Cel", "v": 22}])
    mote.put(mote.jws("load", [{"n": "urn:dev:py:load", "v": 0.5}]), res="load")
    return mote


def changed(body, **members):
    """The same signature under another payload."""
    header, payload, signature = body.split(b".")
    pack = json.loads(sleepy.unb64(payload.decode()))
    pack[0] |= members
    return b".".join([header, sleepy.b64(sleepy.compact_json(pack)).encode(), signature])


def test_an_honest_gateway_serves_the_motes_newest_readings(gateway, honest):
    client = Client(gateway.http, honest.key.jkt)
    assert client.read(honest.path, "temp") == ([{"n": "urn:dev:py:temp", "u": "Cel", "v": 22}], True)
    assert client.read(honest.path, "temp")[1] is False
    honest.update(CELSIUS)
    assert client.read(honest.path, "temp") == (CELSIUS, True)


def test_a_changed_value_is_noticed(gateway, honest):
    with liar(gateway, lambda path, body: changed(body, v=19.0) if path.startswith("/ms/") else body) as base:
        with pytest.raises(Lie, match="did not sign"):
            Client(base, honest.key.jkt).read(honest.path, "temp")


@pytest.mark.parametrize("claims", ["its_own_name", "the_motes_name"])
def test_a_swapped_key_is_noticed(gateway, honest, claims):
    """The gateway signs readings itself, and presents its own key as the key of the label."""
    forger = sleepy.Key()
    kid = forger.jkt if claims == "its_own_name" else honest.key.jkt

    def lies(path, body):
        if path.startswith("/keys/"):
            return json.dumps(forger.jwk).encode()
        header = honest.header("temp", sleepy.SENML_JSON) | {"kid": kid, "seq": 99}
        return forger.jws(header, sleepy.compact_json([{"n": "urn:dev:py:temp", "u": "Cel", "v": 19}]))

    with liar(gateway, lies) as base:
        with pytest.raises(Lie, match="not the key of the label"):
            Client(base, honest.key.jkt).read(honest.path, "temp")
        before = Client(gateway.http, honest.key.jkt)
        before.read(honest.path, "temp")
        before.base = base
        with pytest.raises(Lie, match="did not sign"):
            before.read(honest.path, "temp")


def test_an_older_value_is_noticed(gateway, honest):
    client = Client(gateway.http, honest.key.jkt)
    client.read(honest.path, "temp")
    with liar(gateway, lambda path, body: honest.first if path.endswith("/temp") else body) as base:
        client.base = base
        with pytest.raises(Lie, match="older"):
            client.read(honest.path, "temp")


def test_a_value_of_another_resource_or_mote_or_a_command_is_noticed(gateway, honest):
    other = registered(gateway, "pinned-other")
    other.update(CELSIUS)
    for elsewhere, what in ((f"{honest.path}/load", "something else"), (f"{other.path}/temp", "did not sign")):
        stolen = gateway.get(elsewhere, "application/jose")[2]
        with liar(gateway, lambda path, body: stolen if path.startswith("/ms/") else body) as base:
            with pytest.raises(Lie, match=what):
                Client(base, honest.key.jkt).read(honest.path, "temp")
    registration = honest.registration()
    with liar(gateway, lambda path, body: registration if path.startswith("/ms/") else body) as base:
        with pytest.raises(Lie, match="something else"):
            Client(base, honest.key.jkt).read(honest.path, "temp")


def test_withholding_is_all_that_is_left_and_shows_as_no_new_reading(gateway, honest):
    client = Client(gateway.http, honest.key.jkt)
    reading, _ = client.read(honest.path, "temp")
    kept = gateway.get(f"{honest.path}/temp", "application/jose")[2]
    honest.update(CELSIUS)
    with liar(gateway, lambda path, body: kept if path.endswith("/temp") else body) as base:
        client.base = base
        assert client.read(honest.path, "temp") == (reading, False)


def test_vigil_verify_notices_a_lying_gateways_archive(gateway, honest, tmp_path):
    forger = sleepy.Key()
    keys = tmp_path / "label.json"
    keys.write_text(json.dumps(honest.key.jwk))
    genuine = gateway.get(f"{honest.path}/temp", "application/jose")[2]
    forged = forger.jws(honest.header("temp", sleepy.SENML_JSON), sleepy.compact_json(CELSIUS))
    renamed = forger.jws(
        honest.header("temp", sleepy.SENML_JSON) | {"kid": forger.jkt}, sleepy.compact_json(CELSIUS))

    def verified(*served):
        file = tmp_path / "served"
        file.write_bytes(b"\n".join(served) + b"\n")
        done = subprocess.run(
            [*java_command(), "verify", str(file), "--keys", str(keys)], capture_output=True, text=True, timeout=120)
        return done.returncode, done.stdout + done.stderr

    code, said = verified(honest.first, genuine)
    assert code == 0 and said.startswith("2 readings checked, all valid\n"), said
    code, said = verified(genuine, honest.first, changed(genuine, v=19.0), forged, renamed)
    assert code == 1 and said.startswith("5 readings checked, 4 faults\n") and "rows were reordered" in said, said
    assert "2 times, first on line 3: the signature is invalid" in said
    assert f"line 5: signed by key {forger.jkt}, which is not one of the given keys" in said
