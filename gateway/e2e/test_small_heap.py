"""One attacker's messages to a gateway with a small heap, and their effect on honest clients.

The attacker holds a /56 and 4096 IPv4 addresses; honest clients are elsewhere, or in the attacker's own /64.
"""

import contextlib
import http.client
import itertools
import json
import os
import select
import shutil
import sqlite3
import struct
import subprocess
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import gauges
import pytest
from coap import ACCEPT, ACK, BLOCK1, CON, ECHO, FORMAT, GET, NON, OBSERVE, POST, URI_PATH, URI_QUERY, Answer, Peer, encode
from hostile_loads import client_hello
from mirror_peer import JOSE, JWS_LIST, LINK_FORMAT, READING, SENML_JSON, Endpoint
from processes import Gateway, Process, why_no_namespace
from two_networks import GATEWAY, being_in, two_networks

pytestmark = [pytest.mark.measures, pytest.mark.skipif(bool(why_no_namespace()), reason=why_no_namespace())]
DELETE = 4
SERVER_HELLO, HELLO_VERIFY_REQUEST = 2, 3
URI = f"coap://[{GATEWAY['6']}]:5683"
ATTACKER = "fd00:bad::a"
NEIGHBOUR = "fd00:bad::b"  # in the attacker's /64
HONEST = "fd00:600d:1::1"
PSK = "correct horse battery"
SETTINGS = f"""vigil:
  trust: approve
  anonymous-read: true
  http: {{address: '::', port: 8080}}
  coap: {{port: 5683, secure-port: 5684, dtls: {{psk: {{reader: {PSK}}}}}}}
"""


class Client(Peer):
    """A client that proves its address (RFC 9175)."""

    def __init__(self, source, uri=URI):
        super().__init__(uri, source)
        self.echo = None

    def options(self, path, more=()):
        path, _, query = path.partition("?")
        found = [(URI_PATH, part.encode()) for part in path.strip("/").split("/")]
        found += [(URI_QUERY, part.encode()) for part in query.split("&") if part]
        return [*found, *more, *([(ECHO, self.echo)] if self.echo else [])]

    def ask(self, method, path, payload=b"", format=None, options=()):
        """The answer, after any number of challenges."""
        for _ in range(3):
            echo = [(ECHO, self.echo)] if self.echo else []
            answer = self.request(method, path, payload, format, options=[*options, *echo])
            if answer.one(ECHO) is not None:
                self.echo = answer.one(ECHO)
            if answer.code != "4.01":
                break
        return answer

    def show_address(self, path):
        """An observation must prove its address first, whatever the path."""
        answer = self.request(GET, path, options=[(OBSERVE, b"")])
        assert answer.code == "4.01", answer.text
        self.echo = answer.one(ECHO)

    def all(self, requests):
        """The answers to (method, path, payload, options), sent all at once and again after two seconds of silence.

        A duplicate of a request that the gateway still works on gets an empty acknowledgement (code 0.00) and later a
        separate response (RFC 7252 section 5.2.2), so the token identifies the answer and not the message ID.
        """
        waiting = {}
        for method, path, payload, options in requests:
            self.mid = (self.mid + 1) % 65536
            token = struct.pack(">H", self.mid)
            waiting[token] = self.message(CON, method, token, self.options(path, options), payload, mid=self.mid)
        order, answers = list(waiting), {}
        while waiting:
            for octets in waiting.values():
                self.socket.send(octets)
            while waiting and select.select([self.socket], [], [], 2)[0]:
                answer = Answer(self.socket.recv(65536))
                if answer.type == CON:
                    self.send(ACK, 0, mid=answer.mid)
                if answer.code != "0.00" and waiting.pop(answer.token, None):
                    answers[answer.token] = answer
        return [answers[token] for token in order]


class Small:
    """The gateway, restarted with other heaps on the same data."""

    def __init__(self, folder, inside, world):
        self.inside, self.world, self.data = inside, world, folder / "data"
        self.config = folder / "application.yaml"
        self.config.write_text(SETTINGS)
        self.config.chmod(0o600)
        self.process = None

    def start(self, megabytes):
        """The seconds until it is ready."""
        self.stop()
        began = time.monotonic()
        self.process = Gateway(
            self.data, "--config", str(self.config), inside=self.inside, jvm=(f"-Xmx{megabytes}m", "-XX:TieredStopAtLevel=1"))
        self.process.ready()
        self.token = (self.data / "operator.token").read_text().strip()
        return time.monotonic() - began

    def stop(self):
        if self.process is not None:
            assert self.process.stop() in (0, 143), self.process.tail()  # it ended in order

    @property
    def pid(self):
        return self.process.child.pid

    def http(self, path, body=None):
        request = urllib.request.Request(
            f"http://[{GATEWAY['6']}]:8080{path}", body, {"Authorization": f"Bearer {self.token}"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read()

    def names(self):
        """Endpoint names in the database."""
        with sqlite3.connect(f"file:{self.data}/vigil.db?mode=ro", uri=True) as database:
            return database.execute("SELECT count(*) FROM endpoint").fetchone()[0]

    def cpu(self):
        return sum(gauges.cpu_by_thread(self.pid).values())


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    with two_networks() as (inside, world):
        small = Small(tmp_path_factory.mktemp("small"), inside, world)
        with being_in(world):
            try:
                small.start(256)
                yield small
            finally:
                if small.process is not None:
                    small.process.stop()


@pytest.fixture(scope="module")
def mote(gateway):
    """A trusted endpoint with a value and some history."""
    class Here:
        coap = URI

    one = Endpoint(Here, "mote-1")
    one.peer = Client(HONEST)
    answer = one.peer.ask(POST, "/ms", one.registration(), JOSE)
    assert answer.code == "2.01", answer.text
    one.path = answer.location
    assert gateway.http(f"/api/keys/{one.key.jkt}/approve", b"")[0] == 200
    for _ in range(20):
        assert one.update(READING).code in ("2.01", "2.04")
    return one


def quick(client, path):
    """Checks that an honest GET gets the right answer in time."""
    began = time.monotonic()
    answer = client.ask(GET, path)
    assert answer.code == "2.05", answer.text
    assert time.monotonic() - began < 4, "it was sent only once"
    return answer


def test_names_that_came_and_went_leave_heap_and_database(gateway, mote):
    """From 80 addresses, each within its rate of changes. A restart needs no more memory than the previous run."""
    count = 76_160
    batch = 160
    heap, rows = gauges.live_heap(gateway.pid), gateway.names()
    attackers = [Client(f"10.66.0.{number}", f"coap://{GATEWAY['4']}:5683") for number in range(1, 81)]
    for one in attackers:
        one.show_address(mote.path + "/temp")
    turns = itertools.cycle(attackers)
    for first in range(0, count, batch):
        one = next(turns)
        made = one.all((POST, f"/rd?ep=n{first + i}", b"</a>", [(FORMAT, LINK_FORMAT)]) for i in range(batch))
        assert {answer.code for answer in made} == {"2.01"}, made[-1].text
        gone = one.all((DELETE, answer.location, b"", ()) for answer in made)
        assert {answer.code for answer in gone} == {"2.02"}
    # The latest 5 120 are forgotten when further names arrive, or at the next start; a batch may still be pending.
    assert gateway.names() < rows + 5_400
    assert gauges.live_heap(gateway.pid) < heap + 8_000_000
    gateway.start(256)
    assert gateway.names() < rows + 10
    assert quick(Client(HONEST), mote.path + "/temp").payload


def test_unfinished_uploads_of_a_neighbour_stop_no_upload(gateway, mote):
    attacker, honest = Client(ATTACKER), Client(NEIGHBOUR)
    for one in (attacker, honest):
        one.show_address(mote.path + "/temp")

    def block(number, more):
        return [(FORMAT, LINK_FORMAT), (BLOCK1, number << 4 | more << 3 | 2)]

    def begin(client, name):
        return (POST, f"/rd?ep={name}", b"</" + b"a" * 62, block(0, 1))

    assert honest.all([begin(honest, "before")])[0].code == "2.31"
    for round in range(10):
        attacker.all(begin(attacker, f"never-{round}-{i}") for i in range(150))
    assert honest.all([begin(honest, "during")])[0].code == "2.31"
    for name in ("before", "during"):
        answer = honest.all([(POST, f"/rd?ep={name}", b"a>", block(1, 0))])[0]
        assert answer.code == "2.01", f"{name}: {answer.code} {answer.text}"


def test_requests_for_history_from_forged_addresses_cost_little(gateway, mote):
    """In an earlier version, 156 kB of them cost 31 s of processor time."""
    forging, honest = Client(ATTACKER), Client(NEIGHBOUR)
    paths = [f"{mote.path}/temp?after=0&limit=1000", "/rd-lookup/res?rt=*", "/rd-lookup/ep?ep=*", "/.well-known/core?rt=*"]
    began, used, sent = time.monotonic(), gateway.cpu(), 0
    next_quick = began
    while sent < 156_000:
        for path in paths:
            accept = [(ACCEPT, JWS_LIST)] if "after" in path else []
            octets = forging.message(NON, GET, b"\7", forging.options(path, accept))
            forging.socket.send(octets)
            sent += len(octets)
        if time.monotonic() > next_quick:
            quick(honest, mote.path + "/temp")
            next_quick = time.monotonic() + 0.3
    quick(honest, mote.path + "/temp")
    used = gateway.cpu() - used
    print(f"{sent} octets cost {used:.1f} s of a processor, in {time.monotonic() - began:.1f} s")
    assert used < 6
    page = honest.ask(GET, f"{mote.path}/temp?after=0&limit=5", options=[(ACCEPT, JWS_LIST)])
    assert page.code == "2.05" and len(page.payload) > 100


def test_half_open_handshakes_stop_no_honest_one_of_the_same_network(gateway):
    if not shutil.which("coap-client-openssl"):
        pytest.skip("coap-client-openssl is not installed (Debian: libcoap3-bin)")
    floods = 20_000
    attacker = Client(ATTACKER, f"coap://[{GATEWAY['6']}]:5684")
    sockets = []
    for number in range(floods):
        if number % 500 == 0:
            for old in sockets:
                old.socket.close()
            sockets = [Client(ATTACKER, f"coap://[{GATEWAY['6']}]:5684") for _ in range(500)]
        one = sockets[number % 500].socket
        secret = os.urandom(32)
        one.send(client_hello(secret=secret))
        one.settimeout(0.2)
        try:
            asked = one.recv(2048)
        except TimeoutError:
            continue
        if len(asked) > 28 and asked[13] == HELLO_VERIFY_REQUEST:
            one.send(client_hello(asked[28 : 28 + asked[27]], 1, secret))
        if number == 100:
            one.settimeout(30)
            asked = one.recv(2048)
            assert asked[13] == SERVER_HELLO, "the cookie is not accepted"
        if number == floods // 2:
            assert 250 < metric(gateway, "vigil_coap_dtls_handshakes_open") <= 500
            handshake(gateway)
    attacker.socket.close()
    handshake(gateway)


def handshake(gateway):
    """By an honest client in the attacker's /64."""
    began = time.monotonic()
    done = subprocess.run(
        ["coap-client-openssl", "-B", "20", "-m", "get", "-a", NEIGHBOUR, "-u", "reader", "-k", PSK,
         f"coaps://[{GATEWAY['6']}]/keys/mirror"], capture_output=True, timeout=30)
    assert b"P-256" in done.stdout, done.stderr
    assert time.monotonic() - began < 10


def test_a_full_directory_evicts_and_starts_degraded(gateway, mote):
    """The attacker's registrations come over HTTP, 50 kB each, and soon fill an eighth of the heap."""
    links = ",".join(f'</{number}/{"x" * 60}>;rt="kind-{number}"' for number in range(550)).encode()
    honest = Client(HONEST)
    honest.show_address(mote.path + "/temp")  # entries of unverified addresses are displaced first
    assert honest.ask(POST, "/rd?ep=honest&lt=4294967295", b"</h>", LINK_FORMAT).code == "2.01"

    def fill(client):
        statuses = (register(ATTACKER, f"greedy-{client}-{number}", links) for number in range(1000))
        return next((status for status in statuses if status != 201), "the directory is never full")

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(fill, range(4))) == {503}
    assert register("fd00:600d:2::1", "late", links) == 201
    assert metric(gateway, "vigil_directory_evicted") > 0
    assert quick(honest, "/rd-lookup/ep?ep=honest").payload

    gateway.start(128)
    # Health is DEGRADED only until the omitted entries are removed, perhaps before the test asks.
    assert gateway.http("/actuator/health")[0] == 200
    said = "the directory is degraded"
    assert any(said in line for line in gateway.process.lines) or gateway.process.expect(said)
    assert quick(Client(HONEST), mote.path + "/temp").payload
    assert quick(Client(HONEST), "/rd-lookup/ep?ep=honest").payload


def register(source, name, links):
    """The status of a stranger's registration over HTTP."""
    connection = http.client.HTTPConnection(GATEWAY["6"], 8080, timeout=30, source_address=(source, 0))
    with contextlib.closing(connection):
        connection.request(
            "POST", f"/rd?ep={name}&lt=4294967295&base=coap://{name}", links, {"Content-Type": "application/link-format"})
        return connection.getresponse().status


def metric(gateway, name):
    """The sum of a metric's series."""
    text = subprocess.run(
        [*gateway.inside, "curl", "-s", "-g", "http://[::1]:8080/actuator/prometheus"], capture_output=True, text=True).stdout
    return sum(float(line.split()[-1]) for line in text.splitlines() if line.startswith(name))


def test_a_heap_that_is_nearly_full_sheds_observers_and_goes_on(gateway, mote):
    """With 128 MB of heap that observers would fill; observations of an authenticated client stay and can be added."""
    honest, reported, before = Client(HONEST), 0, authenticated_observer(mote)
    for network in range(60):
        attacker = Client(f"fd00:bad:0:{network:x}::2")
        attacker.show_address(mote.path + "/temp")
        for _ in range(8):
            answers = attacker.all((GET, mote.path + "/temp", b"", [(OBSERVE, b"")]) for _ in range(150))
            reported += sum(answer.code == "5.03" for answer in answers)
        quick(honest, mote.path + "/temp")
    print(f"{reported} observers were refused")
    assert gateway.process.child.poll() is None, gateway.process.tail()
    assert mote.update(READING).code == "2.04"
    late = authenticated_observer(mote)
    assert mote.update([{"n": "urn:dev:py:temp", "u": "Cel", "v": 37.25}]).code == "2.04"
    for one in (before, late):
        one.expect(r"37\.25")
        one.stop()
    assert gateway.http("/api/keys?limit=10")[0] == 200


def authenticated_observer(mote):
    """A client with a shared key that observes the mote's value, and received it."""
    if not shutil.which("coap-client-openssl"):
        pytest.skip("coap-client-openssl is not installed (Debian: libcoap3-bin)")
    uri = f"coaps://[{GATEWAY['6']}]{mote.path}/temp"
    observer = Process(
        "coap-client-openssl", "-s", "300", "-w", "-A", str(SENML_JSON), "-m", "get", "-a", HONEST, "-u", "reader", "-k", PSK, uri)
    observer.expect(r"21\.5")
    return observer
