"""Endpoints of the mirror in another directory (RFC 9176), aiocoap's: it shows them like our directory and stays
synchronised through restarts of either side."""

import json
import os
import re
import sys
import urllib.request

import pytest
from coap import POST, Peer
from processes import Gateway, Process, free_port, wait_until
from mirror_peer import LINK_FORMAT, Endpoint

SETTINGS = """
vigil:
  trust: first-use
  anonymous-read: true
  coap:
    addresses: ["::1"]
    port: %d
  domains:
    home: {}
  mirror:
    publish: ["coap://[::1]:%d", "coap://[::1]:%d/nowhere"]
"""


class Other:
    """A directory that forgets everything when it is stopped."""

    def __init__(self):
        self.port = free_port()
        self.process = None

    def start(self):
        program = os.path.join(os.path.dirname(sys.executable), "aiocoap-rd")
        self.process = Process(sys.executable, program, "--bind", f"[::1]:{self.port}")
        peer = Peer(f"coap://[::1]:{self.port}")
        wait_until(lambda: peer.get("/.well-known/core").code == "2.05")

    def stop(self):
        if self.process:
            self.process.stop()

    def lookup(self, kind, query):
        answer = Peer(f"coap://[::1]:{self.port}").get(f"/{kind}-lookup/?{query}")
        return answer.payload.decode() if answer.code == "2.05" else ""


@pytest.fixture(scope="module")
def other():
    directory = Other()
    yield directory
    directory.stop()


@pytest.fixture(scope="module")
def publishing(tmp_path_factory, other):
    """Starts and restarts a gateway on its own port."""
    folder = tmp_path_factory.mktemp("publishing")
    config = folder / "application.yaml"
    config.write_text(SETTINGS % (free_port(), other.port, other.port))

    class Publishing:
        def start(self):
            self.gateway = Gateway(
                folder / "data", "--http-port", "0", "--coaps-port", "0", "--config", str(config)).ready()
            return self.gateway

    publishing = Publishing()
    publishing.start()
    yield publishing
    publishing.gateway.stop()


def directories(gateway):
    token = (gateway.data_dir / "operator.token").read_text().strip()
    request = urllib.request.Request(gateway.http + "/api/directories", headers={"Authorization": "Bearer " + token})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["directories"]


def test_the_other_directory_shows_an_endpoint_as_ours_does(publishing, other):
    gateway = publishing.gateway
    endpoint = Endpoint(gateway, "mote-1", d="home", links='</temp>;rt="temperature",</load>')
    assert endpoint.register(et="sensor").code == "2.01"
    other.start()
    found = wait_until(lambda: other.lookup("endpoint", "ep=mote-1"))
    for part in ('ep="mote-1"', 'd="home"', 'et="sensor"', f'base="{gateway.coap}"'):
        assert part in found, found
    links = other.lookup("resource", "ep=mote-1")
    assert f"<{gateway.coap}{endpoint.path}/temp>" in links and 'rt="temperature"' in links
    assert f"<{gateway.coap}/keys/{endpoint.key.jkt}>" in links and 'rel="describedby"' in links
    publishing.endpoint = endpoint
    wait_until(lambda: directories(gateway)[0]["shown"] == 1)
    assert "error" not in directories(gateway)[0]


def test_failures_are_visible_over_rest_and_retried(publishing):
    # The first error may be that the other directory did not run yet.
    failing = wait_until(lambda: "4.04" in (d := directories(publishing.gateway)[1]).get("error", "") and d)
    assert "mote-1 in home" in failing["error"] and failing["shown"] == 0
    strange = json.loads(publishing.gateway.get("/api/directories")[2])["directories"][1]
    assert "mote-1" not in strange["error"] and "operators of all domains" in strange["error"]
    wait_until(lambda: directories(publishing.gateway)[1]["failedAt"] > failing["failedAt"])
    assert publishing.gateway.get("/actuator/health")[0] == 200
    figures = publishing.gateway.get("/actuator/prometheus")[2].decode()
    assert re.search(r"vigil_publish_failing\{.*nowhere.*\} 1", figures)


def test_an_endpoint_named_like_the_publishers_state_is_harmless(publishing):
    gateway = publishing.gateway
    shown = directories(gateway)[0]["shown"]
    Peer(gateway.coap).request(POST, "/rd?ep=.published", b"</x>", LINK_FORMAT)
    assert directories(gateway)[0]["shown"] == shown


def test_changed_links_are_shown_and_withdrawn_endpoints_removed(publishing, other):
    gateway = publishing.gateway
    endpoint = Endpoint(gateway, "mote-2", links="</a>")
    assert endpoint.register().code == "2.01"
    wait_until(lambda: f"{endpoint.path}/a>" in other.lookup("resource", "ep=mote-2"))
    endpoint.links = b"</b>"
    assert endpoint.register().code == "2.01"
    wait_until(lambda: f"{endpoint.path}/b>" in other.lookup("resource", "ep=mote-2"))
    assert f"{endpoint.path}/a>" not in other.lookup("resource", "ep=mote-2")
    assert endpoint.register(lt=0).code == "2.01"
    wait_until(lambda: not other.lookup("endpoint", "ep=mote-2"))


def test_updates_keep_an_endpoint_in_the_other_directory(publishing, other):
    endpoint = Endpoint(publishing.gateway, "mote-3")
    assert endpoint.register(lt=4).code == "2.01"

    def again():
        # On a slow machine the registration expires before it is shown, or while the other directory starts.
        code = endpoint.update().code
        if code == "4.04":
            code = endpoint.register(lt=4).code
        assert code.startswith("2."), code
        return other.lookup("endpoint", "ep=mote-3")

    assert wait_until(again, every=0.5)
    other.stop()
    other.start()
    assert wait_until(again, every=0.5)


def test_removal_finds_the_registration_after_a_restart(publishing, other):
    old = publishing.gateway
    endpoint = Endpoint(old, "mote-4")
    assert endpoint.register().code == "2.01"
    wait_until(lambda: other.lookup("endpoint", "ep=mote-4"))
    shown = wait_until(lambda: directories(old)[0]["shown"])
    old.stop()
    gateway = publishing.start()
    wait_until(lambda: directories(gateway)[0]["shown"] >= min(shown, 2))
    endpoint.peer = Peer(gateway.coap)
    assert endpoint.register(lt=0).code == "2.01"
    wait_until(lambda: not other.lookup("endpoint", "ep=mote-4"))
