"""aiocoap, libcoap and Leshan as they are, with the defaults of `run`: from loopback, and from another host, whose address may
be forged. aiocoap does not answer an Echo challenge (RFC 9175), libcoap does."""

import asyncio
import contextlib
import hashlib
import os
import subprocess
import sys

import pytest
from coap import BLOCK2, CON, ECHO, ETAG, GET, OBSERVE, POST, URI_PATH, URI_QUERY, Peer
from mirror_peer import LINK_FORMAT, Endpoint
from processes import COAP_CLIENT, JAVA, REPOSITORY, SHORT_LIVED, UNOPTIMISED, Gateway, Process, only_with_all, why_no_namespace
from test_starting_and_stopping import tool
from two_networks import being_in, two_networks

REGISTRANT = REPOSITORY / "resource-directory/src/test/resources/registrant.py"
PEER = REPOSITORY / "gateway/e2e/leshan"
OPTIONS = ("--trust", "first-use", "--anonymous-read", "--http-port", "0")
LINKS = b",".join(b"</sensors/%d>;rt=temperature;if=sensor" % number for number in range(40))
DELETE = 4
AIOCOAP = """
import asyncio, sys
from aiocoap import Context, Message, GET

async def main():
    client = await Context.create_client_context()
    try:
        for uri in sys.argv[1:]:
            answer = await asyncio.wait_for(client.request(Message(code=GET, uri=uri)).response, 60)
            print(answer.code.dotted, len(answer.payload))
    finally:
        await client.shutdown()

asyncio.run(main())
"""


class Place:
    """Where clients of a gateway run."""

    def __init__(self, gateway, uri, inside=(), here=contextlib.nullcontext):
        self.gateway, self.uri, self.inside, self.here = gateway, uri, inside, here
        with here():
            mote = self.mote = Endpoint(self, "mote")
            assert mote.register().code == "2.01"
            assert mote.update().code == "2.01"
            self.entry = mote.peer.request(POST, "/rd?ep=node", LINKS, LINK_FORMAT).location
        # All answers are several times as long as their requests.
        self.paths = [mote.path + "/temp", "/.well-known/core", "/rd-lookup/ep", "/rd-lookup/res"]

    @property
    def coap(self):
        return self.uri

    def run(self, *command):
        done = subprocess.run([*self.inside, *command], capture_output=True, text=True, timeout=120)
        return (done.stdout + done.stderr).strip()

    def libcoap(self, method, path, *options):
        return self.run(COAP_CLIENT, "-B", "30", "-m", method, *options, self.uri + path)


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    gateway = Gateway(tmp_path_factory.mktemp("local"), *OPTIONS, "--coap-port", "0", "--coaps-port", "0")
    try:
        gateway.ready()
        yield Place(gateway, gateway.address(r"coap://(\[::1\]|127|\[::\])").replace("[::]", "[::1]"))
    finally:
        gateway.stop()


@pytest.fixture(scope="module")
def remote(tmp_path_factory):
    if why_no_namespace():
        pytest.skip(why_no_namespace())
    with two_networks() as (inside, world):
        gateway = Gateway(tmp_path_factory.mktemp("remote"), *OPTIONS, inside=inside)
        try:
            gateway.ready()
            yield Place(gateway, "coap://[fd00:77::1]:5683", world, lambda: being_in(world))
        finally:
            gateway.stop()


@pytest.fixture(params=["local", "remote"])
def place(request):
    return request.getfixturevalue(request.param)


def test_aiocoap_reads_everything(place):
    pytest.importorskip("aiocoap")
    lines = place.run(sys.executable, "-c", AIOCOAP, *(place.uri + path for path in place.paths)).splitlines()
    assert len(lines) == len(place.paths), lines
    for path, line in zip(place.paths, lines):
        code, octets = line.split()
        assert code == "2.05" and int(octets) > 80, (path, line)


def test_libcoap_reads_everything_in_any_size(place):
    for path in place.paths:
        whole = place.libcoap("get", path)
        assert len(whole) > 80 and "4.01" not in whole, (path, whole)
        assert place.libcoap("get", path, "-b", "64") == whole, path


def blocks(peer, path, szx):
    """(octets of a request, its answer) for each block; each request comes without Echo."""
    path, _, query = path.partition("?")
    fixed = [(URI_PATH, part.encode()) for part in path.strip("/").split("/")]
    fixed += [(URI_QUERY, query.encode())] if query else []
    wanted = [] if szx is None else [(BLOCK2, szx)]
    while True:
        request = peer.message(CON, GET, b"\5", fixed + wanted)
        peer.socket.send(request)
        answer = peer.receive()
        yield len(request), answer
        block = answer.number(BLOCK2)
        if block is None or not block & 8:
            return
        wanted = [(BLOCK2, (block >> 4) + 1 << 4 | block & 7)]


@pytest.mark.parametrize("szx", [None, 0, 2, 6])
def test_no_answer_without_echo_exceeds_three_times_its_request(remote, szx):
    """RFC 9175 section 2.4, RFC 7252 section 11.3."""
    for path in remote.paths:
        with remote.here():
            peer = Peer(remote.uri)
        tags = set()
        for octets, answer in blocks(peer, path, szx):
            assert answer.code == "2.05", (path, answer.code, answer.payload)
            assert len(answer.payload) <= 3 * octets, path
            tags.add(answer.one(ETAG))
        assert len(tags) == 1, "all blocks are of one state"


def test_a_change_and_an_observation_need_an_echo_once(remote):
    with remote.here():
        peer, other = Peer(remote.uri), Peer(remote.uri)
    challenge = peer.request(DELETE, remote.entry)
    assert challenge.code == "4.01" and challenge.one(ECHO)
    assert peer.get("/rd-lookup/ep", options=[(OBSERVE, b"")]).code == "4.01"
    echoing = peer.get("/rd-lookup/ep", options=[(OBSERVE, b""), (ECHO, challenge.one(ECHO))], token=b"\7")
    assert echoing.code == "2.05" and echoing.one(OBSERVE) is not None
    assert len(peer.get("/rd-lookup/res").payload) == 512, "without Echo, from the same port"
    assert other.request(DELETE, remote.entry).code == "4.01"
    assert peer.request(DELETE, remote.entry).code == "2.02"
    entry = peer.request(POST, "/rd?ep=node", LINKS, LINK_FORMAT).location
    assert "4." not in remote.libcoap("delete", entry), "libcoap answers the challenge"
    remote.entry = peer.request(POST, "/rd?ep=node", LINKS, LINK_FORMAT).location


def test_loopback_needs_no_echo(local):
    peer = Peer(local.uri)
    assert len(peer.get("/rd-lookup/res").payload) == 512
    observing = peer.get("/rd-lookup/ep", options=[(OBSERVE, b"")], token=b"\7")
    assert observing.code == "2.05" and observing.one(OBSERVE) is not None
    assert peer.request(DELETE, local.entry).code == "2.02"
    local.entry = peer.request(POST, "/rd?ep=node", LINKS, LINK_FORMAT).location


def test_aiocoap_observes_from_loopback(local):
    aiocoap = pytest.importorskip("aiocoap")

    async def follow(count):
        client = await aiocoap.Context.create_client_context()
        try:
            uri = local.uri + local.mote.path + "/temp"
            asking = client.request(aiocoap.Message(code=aiocoap.GET, uri=uri, observe=0))
            first = await asking.response
            assert first.code == aiocoap.CONTENT and first.opt.observe is not None
            notifications = aiter(asking.observation)
            for _ in range(count):
                accepted = await asyncio.to_thread(local.mote.update)
                assert accepted.code == "2.04"
                following = await anext(notifications)
                assert following.payload and following.opt.observe > first.opt.observe
        finally:
            await client.shutdown()

    asyncio.run(asyncio.wait_for(follow(3), 60))


def test_aiocoap_registers_and_deregisters_from_loopback(local):
    pytest.importorskip("aiocoap")
    port = local.uri.rsplit(":", 1)[1]
    lines = local.run(sys.executable, str(REGISTRANT), "127.0.0.1:" + port)
    for line in ("full: registered\n", "simple: 2.04", "value: 21.5\n"):
        assert line in lines, lines
    assert lines.endswith("left:"), "deregistered"


def leshan_classes():
    """The class path of Leshan's client and of LeshanPeer, which are fetched and compiled when their sources have changed."""
    made, sources = REPOSITORY / "target/leshan", (PEER / "pom.xml", PEER / "LeshanPeer.java")
    wanted = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
    words, stamp = made / "class-path", made / "stamp"
    if not stamp.exists() or stamp.read_text() != wanted or not all(map(os.path.exists, words.read_text().split(os.pathsep))):
        made.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [REPOSITORY / "mvnw", "-q", "-f", PEER / "pom.xml", "dependency:build-classpath", f"-Dmdep.outputFile={words}"],
            env=os.environ | {"MAVEN_OPTS": UNOPTIMISED[0]}, check=True, timeout=300)
        subprocess.run(tool("javac", "-proc:none", "-d", made, "-cp", words.read_text(), sources[1]), check=True, timeout=120)
        stamp.write_text(wanted)
    return f"{made}{os.pathsep}{words.read_text()}"


class Leshan(Process):
    """Leshan's client of LwM2M 1.0 (leshan/LeshanPeer.java), which prints each outcome."""

    def __init__(self, uri, endpoint):
        super().__init__(JAVA, *SHORT_LIVED, "-cp", leshan_classes(), "LeshanPeer", uri, endpoint, stdin=subprocess.PIPE)

    def update(self):
        print("update", file=self.child.stdin, flush=True)

    def leave(self):
        self.child.stdin.close()


@only_with_all("compiles Leshan's client")
def test_leshan_registers_updates_and_deregisters_from_loopback(local):
    peer = Leshan(local.uri, "leshan")
    try:
        entry = peer.expect(r"^registered (/rd/\w+)$").group(1)
        assert f"<{entry}>;ep=leshan;" in local.libcoap("get", "/rd-lookup/ep?ep=leshan")
        links = local.libcoap("get", "/rd-lookup/res?ep=leshan")
        assert '/>;rt="oma.lwm2m"' in links and "/3/0>" in links, links
        peer.update()
        peer.expect(r"^updated$")
        peer.leave()
        peer.expect(r"^deregistered$")
        assert local.libcoap("get", "/rd-lookup/ep?ep=leshan") == ""
    finally:
        peer.stop()
