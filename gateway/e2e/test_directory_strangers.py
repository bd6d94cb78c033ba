"""Effects of clients without credentials on the directory of a gateway with 256 MB of heap, and their limits."""

import json
import socket

import pytest
from coap import ECHO, POST, Peer
from mirror_peer import LINK_FORMAT, Endpoint, http
from processes import SMALL, Gateway

DELETE = 4
FOREVER = "lt=4294967295"
SETTINGS = """
vigil:
  trust: first-use
  anonymous-read: true
  coap:
    addresses: ["127.0.0.1"]
    loopback-proxy: true
  domains:
    closed: {trust: listed}
"""


class At(Peer):
    """A client at an address of loopback, which answers the gateway's Echo (RFC 9175) unless it is forged."""

    def __init__(self, gateway, address, forged=False):
        super().__init__(gateway.coap)
        to = self.socket.getpeername()
        self.socket.close()
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((address, 0))
        self.socket.connect(to)
        self.forged = forged

    def ask(self, method, path, payload=b""):
        format = LINK_FORMAT if payload else None
        answer = self.request(method, path, payload, format)
        echo = answer.one(ECHO)
        if answer.code == "4.01" and echo and not self.forged:
            answer = self.request(method, path, payload, format, options=[(ECHO, echo)])
        return answer

    def register(self, name, links=b"</a>", more=""):
        return self.ask(POST, f"/rd?ep={name}&base=coap://{name}{more}", links)


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    folder = tmp_path_factory.mktemp("strangers")
    config = folder / "application.yaml"
    config.write_text(SETTINGS)
    running = Gateway(folder / "data", "--coap-port", "0", "--http-port", "0", "--config", str(config), jvm=SMALL).ready()
    yield running
    running.stop()


def operator(gateway):
    return {"Authorization": f"Bearer {(gateway.data_dir / 'operator.token').read_text().strip()}"}


def test_another_address_cannot_change_an_entry_and_an_operator_can(gateway):
    owner = At(gateway, "127.0.0.2")
    answer = owner.register("owned", b"</honest>", "&" + FOREVER)
    assert answer.code == "2.01"
    stranger = At(gateway, "127.0.0.3")
    refused = stranger.register("owned", b"</evil>")
    assert refused.code == "4.03" and "another address" in refused.text
    assert stranger.ask(POST, f"{answer.location}?lt=1").code == "4.03"
    assert stranger.ask(DELETE, answer.location).code == "4.03"
    forging = At(gateway, "127.0.0.2", forged=True)
    assert forging.register("owned", b"</evil>").code == "4.01"
    assert forging.ask(DELETE, answer.location).code == "4.01"
    # Also over HTTP, whose clients come from 127.0.0.1 here.
    status, _, body = http(gateway, "DELETE", answer.location)
    assert status == 403 and b"another address" in body
    assert b"<coap://owned/honest>" in gateway.get("/rd-lookup/res?ep=owned")[2]

    assert At(gateway, "127.0.0.2").ask(POST, answer.location).code == "2.04", "the owner from another port"
    status, _, _ = http(gateway, "DELETE", answer.location, **operator(gateway))
    assert status == 204
    assert stranger.register("owned").code == "2.01", "the name is free"


def test_one_datagram_does_not_make_a_listed_mote_wait(gateway):
    mote = Endpoint(gateway, "expected", d="closed")
    status, _, body = http(
        gateway, "POST", "/api/keys?d=closed", json.dumps({"keys": [mote.key.jwk]}).encode(),
        **operator(gateway), **{"Content-Type": "application/jwk-set+json"})
    assert status < 300, body
    forged = At(gateway, "127.0.0.4", forged=True)
    assert forged.register("expected", more="&d=closed&" + FOREVER).code == "2.01"
    assert mote.register().code == "2.01"
    assert mote.update().code == "2.01"
    assert b"coap://expected" not in gateway.get("/rd-lookup/ep?ep=expected")[2]
    assert json.loads(gateway.get("/api/endpoints?ep=expected")[2])["endpoints"][0]["trust"] == "trusted"


def test_nobody_describes_the_gateways_resources(gateway):
    mote = Endpoint(gateway, "described")
    assert mote.register().code == "2.01"
    evil = At(gateway, "127.0.0.5")
    port = gateway.coap.rsplit(":", 1)[1]
    for authority in (f"127.0.0.1:{port}", f"LOCALHOST:{port}", f"127.1:{port}", f"[::ffff:127.0.0.1]:{port}",
                      f"%6cocalhost.:{port}", gateway.http.removeprefix("http://")):
        anchor = f"coap://{authority}{mote.path}/temp"
        refused = evil.register("evil", f'<coap://evil/key>;rel="describedby";anchor="{anchor}"'.encode())
        assert refused.code == "4.00" and "names this gateway" in refused.text, authority
    assert evil.register("evil", f'</keys/evil>;rel="describedby";anchor="{mote.path}/temp"'.encode()).code == "2.01"
    links = gateway.get("/rd-lookup/res?rel=describedby")[2].decode().split(",")
    of_mote = [link for link in links if f'"{gateway.http}{mote.path}/temp"' in link]
    assert len(of_mote) == 1 and "evil" not in of_mote[0]
