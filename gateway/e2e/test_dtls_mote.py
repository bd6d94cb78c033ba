"""vigil-mote over DTLS: Mbed TLS on the mote, Scandium in the gateway, PSK with AES_128_CCM_8 and Connection ID.

Mbed TLS's source comes from Debian's archive the first time (mote-firmware/dtls/mbedtls.sh).
"""

import contextlib
import json
import re
import selectors
import signal
import socket
import subprocess
import threading

import pytest
from processes import MOTE, REPOSITORY, Gateway, Process, behind, coap_get, eui64, free_port, in_a_line, wait_until
from test_crash_and_replay import sequence
from test_found_read_and_verified import links, path_of, verified

IDENTITY, KEY = "mote-7", "hex:6b656570206974207365637265742121"


@pytest.fixture(scope="session")
def secure_mote():
    """The program, built here if it can be."""
    built = subprocess.run(
        # Another make in the same folder would download the same source.
        ["flock", str(REPOSITORY / "target/dtls.lock"), "make", "-s", "-C", str(REPOSITORY / "mote-firmware"), "dtls"],
        capture_output=True, text=True, timeout=400,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    program = REPOSITORY / "mote-firmware/build/posix/vigil-mote-dtls"
    if not program.exists():
        pytest.skip(built.stdout.strip() or "vigil-mote-dtls was not built")
    return program


def secret(path, text):
    path.write_text(text)
    path.chmod(0o600)
    return path


@pytest.fixture(scope="module")
def key(tmp_path_factory):
    return secret(tmp_path_factory.mktemp("key") / "psk", f"# of this mote\n{IDENTITY}={KEY}\n")


def start(folder, port=0):
    config = secret(
        folder / "mine.yaml",
        f"vigil.coap:\n  addresses: [localhost]\n  secure-port: {port}\n  dtls:\n    psk: {{{IDENTITY}: '{KEY}'}}\n",
    )
    return Gateway(
        folder / "data", "--config", str(config), "--trust", "first-use", "--anonymous-read", "--coap-port", "0",
        "--http-port", "0",
    )


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    one = start(tmp_path_factory.mktemp("dtls"))
    try:
        yield one.ready()
    finally:
        one.stop()
        said = "\n".join(one.lines)
        assert KEY[4:] not in said and "Exception" not in said, said


@pytest.fixture
def mote(secure_mote, tmp_path, running, key):
    """Starts a mote over DTLS; checks at the end that its output contains no key."""
    started = []

    def begin(name, mirror, *options, psk=key):
        one = running(Process(
            str(secure_mote), "--ep", name, "--mirror", mirror, "--psk", str(psk), "--state", str(tmp_path / name),
            "--sensor", "load", "--wake", "0.3", *options,
        ))
        started.append(one)
        return one

    yield begin
    for one in started:
        one.stop()
        assert KEY[4:] not in "\n".join(one.lines)


def loads(gateway):
    """The paths of the load resources."""
    return [path_of(link) for link in links(coap_get(gateway.coap + "/rd-lookup/res?rt=load"))]


def handshakes(gateway):
    text = gateway.get("/actuator/prometheus")[2].decode()
    return sum(float(value) for value in re.findall(r'^vigil_coap_dtls_handshakes_total\{.*completed.*\} (\S+)', text, re.M))


class Relay:
    """A network that translates addresses: datagrams pass; `move` gives the mote another port, `lead_to` another
    gateway."""

    def __init__(self, gateway):
        self.lead_to(gateway)
        self.inside = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.inside.bind(("127.0.0.1", 0))
        self.ports = []
        self.mote = None
        self.ended = False
        self.move()
        self.thread = threading.Thread(target=self._carry, daemon=True)
        self.thread.start()

    @property
    def uri(self):
        return f"coaps://127.0.0.1:{self.inside.getsockname()[1]}"

    def lead_to(self, gateway):
        self.target = ("127.0.0.1", int(gateway.address("coaps://127").rsplit(":", 1)[1]))

    def move(self):
        fresh = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        fresh.bind(("127.0.0.1", 0))
        self.ports.append(fresh)

    def _carry(self):
        while not self.ended:
            with selectors.DefaultSelector() as ready:
                outside = self.ports[-1]
                for one in (self.inside, outside):
                    ready.register(one, selectors.EVENT_READ)
                for found, _ in ready.select(0.1):
                    data, sender = found.fileobj.recvfrom(2048)
                    if found.fileobj is self.inside:
                        self.mote = sender
                        outside.sendto(data, self.target)
                    elif self.mote:
                        self.inside.sendto(data, self.mote)

    def close(self):
        self.ended = True
        self.thread.join()
        for one in (self.inside, *self.ports):
            one.close()


@pytest.fixture
def relay(gateway):
    one = Relay(gateway)
    yield one
    one.close()


def test_signed_readings_come_over_dtls_and_are_verified(gateway, mote):
    one = mote("dtls-1", gateway.address("coaps://127"))
    one.expect(rf'^DTLS session with coaps://127.0.0.1:\d+ as "{IDENTITY}", with Connection ID$')
    one.expect(r"^registered")
    one.expect(r"^sent load seq \d+ 2\.0[14]")
    path = wait_until(lambda: loads(gateway))[0]
    first, senml = verified(gateway, path)
    assert senml
    assert wait_until(lambda: verified(gateway, path)[0]["seq"] > first["seq"])


def test_a_session_survives_a_new_address_of_the_mote(gateway, mote, relay):
    before = handshakes(gateway)
    one = mote("dtls-2", relay.uri)
    one.expect(r"^registered")
    for _ in range(3):
        one.expect(r"^sent load seq \d+ 2\.0[14]")
        relay.move()
    for _ in range(3):
        one.expect(r"^sent load seq \d+ 2\.04")
    assert sum(line.startswith("DTLS session") for line in one.lines) == 1
    assert handshakes(gateway) == before + 1


def test_a_wrong_key_identity_or_port_gets_a_clear_line(gateway, mote, tmp_path):
    wrong_key = secret(tmp_path / "key", f"{IDENTITY}=hex:{bytes(16).hex()}\n")
    nobody = secret(tmp_path / "identity", f"nobody={KEY}\n")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        motes = [  # in parallel, because each waits for its repeated messages
            mote("dtls-3", gateway.address("coaps://127"), psk=wrong_key),
            mote("dtls-4", gateway.address("coaps://127"), psk=nobody),
            mote("dtls-5", f"coaps://127.0.0.1:{silent.getsockname()[1]}"),
        ]
        for one, identity in zip(motes, (IDENTITY, "nobody")):
            one.expect(rf'rejected the key of "{identity}": give both the same identity and key')
        motes[2].expect(r"did not answer the DTLS handshake: does it serve CoAPS on this port\?")
    for one in motes:
        assert not any(said.startswith(("registered", "DTLS session")) for said in one.lines)


@contextlib.contextmanager
def asleep(process):
    """Stops the mote for the block, because it would wait longer and longer for an unreachable gateway."""
    process.child.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        process.child.send_signal(signal.SIGCONT)


def acknowledged(one):
    return {int(found[1]) for line in list(one.lines) if (found := re.match(r"sent load seq (\d+) 2\.0[14]", line))}


def numbers(gateway):
    """The numbers of all readings of the only resource."""
    status, _, body = gateway.get(loads(gateway)[0] + "?after=0", "application/vnd.vigil.jws-list+json")
    assert status == 200, body
    return {sequence(one.encode()) for one in json.loads(body)}


def test_a_session_survives_a_restart_and_a_crash_costs_a_handshake(mote, tmp_path, running):
    port = free_port()
    saved = tmp_path / "data/coaps.sessions"
    first = running(start(tmp_path, port)).ready()
    one = mote("dtls-6", f"coaps://127.0.0.1:{port}")
    one.expect(r"^sent load seq \d+ 2\.0[14]")
    with asleep(one):
        first.stop()
        assert saved.stat().st_mode & 0o777 == 0o600
        second = running(start(tmp_path, port)).ready()
        assert not saved.exists()
    one.expect(r"^sent load seq \d+ 2\.04", timeout=60)
    one.expect(r"^sent load seq \d+ 2\.04", timeout=60)
    assert sum(line.startswith("DTLS session") for line in one.lines) == 1
    assert handshakes(second) == 0

    with asleep(one):
        second.stop(signal.SIGKILL)
        assert not saved.exists()
        third = running(start(tmp_path, port)).ready()
    one.expect(r"^DTLS session", timeout=60)
    one.expect(r"^sent load seq \d+ 2\.0[14]", timeout=60)
    assert handshakes(third) == 1
    assert acknowledged(one) <= numbers(third)


def test_signed_readings_come_over_dtls_from_two_hops_away(secure_mote, tmp_path, key):
    config = secret(tmp_path / "mine.yaml", f"vigil.coap.dtls.psk: {{{IDENTITY}: '{KEY}'}}\n")

    def begin(number, gateway):
        mirror = gateway.address(r"coaps://\[fd")
        return Process(
            str(secure_mote), "--ep", f"mote-{number}", "--zep", gateway.zep, "--eui64", eui64(number), "--mirror", mirror,
            "--psk", str(key), "--state", str(tmp_path / f"mote-{number}.state"), "--sensor", "load", "--wake", "1",
        )

    with behind(in_a_line(2), tmp_path, 2, begin, "--config", str(config)) as gateway:
        for one in gateway.motes:
            one.expect(r"^joined the mesh")
            one.expect(r"^DTLS session with coaps://\[fd00::.*, with Connection ID$")
            one.expect(r"^sent load seq \d+ 2\.0[14]")
        wait_until(lambda: len(loads(gateway)) == 2)
        nodes = json.loads(gateway.get("/api/network")[2])["nodes"]
        assert sorted(node["hops"] for node in nodes if "hops" in node) == [1, 2]


def refused(program, *options):
    done = subprocess.run([str(program), "--ep", "dtls-7", *options], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr.strip()


def test_wrong_options_are_refused_with_the_way_out(tmp_path, key):
    mirror = ("--mirror", "coaps://[::1]")
    assert refused(MOTE, *mirror) == (2, "vigil-mote: --mirror coaps://[::1]: give --psk FILE too, with the line IDENTITY=KEY")
    assert refused(MOTE, "--psk", str(key))[1].endswith("give --mirror coaps://[ADDRESS]:PORT too")
    state = ("--state", str(tmp_path / "state"))
    open_file = tmp_path / "open"
    open_file.write_text(f"{IDENTITY}={KEY}\n")
    open_file.chmod(0o644)
    code, said = refused(MOTE, *mirror, *state, "--psk", str(open_file))
    assert code == 3 and f"chmod 600 {open_file}" in said
    code, said = refused(MOTE, *mirror, *state, "--psk", str(secret(tmp_path / "short", f"{IDENTITY}=short\n")))
    assert code == 3 and "a key has 8 to 128 octets" in said
    code, said = refused(MOTE, *mirror, *state, "--psk", str(key))
    assert code == 3 and "was built without DTLS: build vigil-mote-dtls (make dtls)" in said
