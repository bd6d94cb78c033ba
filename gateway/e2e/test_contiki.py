"""Contiki-NG's own network stack, with our port on top, as nodes of the gateway's radio.

Needs CONTIKI, a checkout of Contiki-NG (mote-firmware/ports/contiki-ng/README.md).
"""

import contextlib
import functools
import json
import os
import secrets
import struct
import subprocess
import time

import cbor2
import pytest
from air_node import UNCOMPRESSED, Node, ipv6, link_local
from processes import REPOSITORY, Gateway, Process, behind, coap_get, eui64, in_a_line, wait_until
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from test_commands import command, make_commander, put, waits
from test_found_read_and_verified import loads, signed
from test_mesh import nodes

CONTIKI = os.environ.get("CONTIKI", "")
PORT = REPOSITORY / "mote-firmware/ports/contiki-ng"
HOPS = 3
JOINING = 180  # seconds: the RPL of each hop waits for the previous hop

pytestmark = pytest.mark.skipif(not CONTIKI, reason="CONTIKI does not name a checkout of Contiki-NG")


def image(application, *settings):
    """The native image of an application, built with these make variables."""
    build = ["make", "-s", "-C", str(PORT), "TARGET=native", f"CONTIKI={os.path.abspath(CONTIKI)}", *settings]
    made = subprocess.run(build, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    where = subprocess.run([*build, "where"], capture_output=True, text=True, check=True).stdout.split()[-1]
    return PORT / where / f"{application}.native"


def node(binary, number, gateway, folder, *options):
    """A native node; its name and address follow from its number."""
    mirror = gateway.routed.split("[")[1].split("]")[0]
    return Process(
        str(binary), "--ep", f"contiki-{number}", "--eui64", eui64(number), "--zep", gateway.zep, "--mirror", mirror,
        "--state", str(folder / f"contiki-{number}"), "--wake", "1", *options,
    )


def read(gateway, path):
    """Header and SenML of a mirrored resource, verified with jwcrypto and the key that it names."""
    header, payload = signed(gateway, path)
    return header, cbor2.loads(payload)


def name_in(senml):
    return senml[0][0].split("/")[0]


@pytest.fixture(scope="module")
def line(tmp_path_factory):
    """A gateway and three nodes of Contiki-NG, each a hop further away."""
    folder = tmp_path_factory.mktemp("contiki")
    binary = image("sleepy-sensor")
    start = functools.partial(node, binary, folder=folder)
    with behind(in_a_line(HOPS), folder, HOPS, start) as gateway:
        gateway.folder = folder
        gateway.binary = binary
        yield gateway


def test_three_nodes_of_contiki_form_a_line_and_each_is_answered(line):
    wait_until(lambda: len(nodes(line)) == HOPS, timeout=JOINING)
    assert nodes(line) == {1: (1, 0), 2: (2, 1), 3: (3, 2)}
    for one in line.motes:
        one.expect(r"^joined the mesh as fd00::56:4947:494c:100\d$", timeout=60)
        one.expect(r"^registered", timeout=60)
        one.expect(r"^sent load .*2\.0[14]", timeout=60)


def test_their_readings_are_found_read_and_verified(line):
    paths = wait_until(lambda: loads(line), timeout=JOINING)
    named = {name_in(read(line, path)[1]): path for path in paths}
    assert set(named) == {"contiki-1", "contiki-2", "contiki-3"}
    farthest = named["contiki-3"]
    first, _ = read(line, farthest)
    assert wait_until(lambda: read(line, farthest)[0]["seq"] > first["seq"], timeout=60)
    float(coap_get(line.coap + farthest, "-A", "0"))


def test_a_killed_node_keeps_its_key_and_repeats_no_number(line):
    paths = wait_until(lambda: loads(line), timeout=JOINING)
    path = next(path for path in paths if name_in(read(line, path)[1]) == "contiki-1")
    before, _ = read(line, path)
    kill(line.motes[0])
    line.motes[0] = node(line.binary, 1, line, line.folder)
    line.motes[0].expect(r"^resuming at /ms/", timeout=30)
    line.motes[0].expect(r"^sent load .*2\.04 confirmed", timeout=JOINING)
    after, _ = read(line, path)
    assert after["kid"] == before["kid"] and after["seq"] > before["seq"]


@contextlib.contextmanager
def keyed_air(folder, edges):
    """A gateway with link security at level 6 and this topology; its `start` starts a node with the key."""
    key = secrets.token_bytes(16)
    (folder / "link.h").write_text(
        f"#define MOTE_LINK_KEY {{{', '.join(map(str, key))}}}\n#define MOTE_LINK_LEVEL 6\n"
    )
    binary = image("sleepy-sensor", f"SECRETS={folder / 'link.h'}")
    (folder / "air.txt").write_text(edges)
    (folder / "c.yaml").write_text(f"vigil:\n  border:\n    link-security: {{key: '{key.hex()}', level: 6}}\n")
    with contextlib.ExitStack() as stack:

        def start(number, image=binary):
            one = node(image, number, gateway, folder)
            stack.callback(one.stop)
            return one

        gateway = Gateway(
            folder / "data", "--demo", "--coap-port", "0", "--http-port", "0", "--zep-port", "0",
            "--config", str(folder / "c.yaml"), "--topology", str(folder / "air.txt"),
        )
        stack.callback(gateway.stop)
        gateway.ready()
        gateway.key, gateway.start = key, start
        yield gateway


def kill(one):
    one.child.kill()
    one.stop()


def test_only_nodes_with_the_link_key_are_heard(tmp_path):
    edges = f"0 {eui64(1)}\n{eui64(1)} {eui64(2)}\n0 {eui64(3)}\n"
    with keyed_air(tmp_path, edges) as gateway:
        first, second, stranger = gateway.start(1), gateway.start(2), gateway.start(3, image("sleepy-sensor"))
        for one in (first, second):
            one.expect(r"^sent load .*2\.0[14]", timeout=JOINING)
        kill(first)
        # Its frame counter continues above every counter that the gateway and the neighbour have heard.
        gateway.start(1).expect(r"^sent load .*2\.04 confirmed", timeout=JOINING)
        assert set(nodes(gateway)) == {1, 2}
        assert not any("joined" in line for line in stranger.lines)


LEVEL, ICMPV6, ECHO_REQUEST = 6, 58, 128


def asks(one, key, counter):
    """A secured frame (IEEE 802.15.4-2015 section 9.3) in which this node asks node 1 for an echo."""
    destination = bytes.fromhex(eui64(1))
    body = bytes([ECHO_REQUEST, 0, 0, 0]) + struct.pack(">HH", 7, counter % 65536)
    payload = UNCOMPRESSED + ipv6(one.address, link_local(destination), ICMPV6, body, 2)
    clear = one.frame(b"", destination)
    header = bytes([clear[0] | 8]) + clear[1:] + struct.pack("<BI", LEVEL, counter)
    nonce = one.eui64 + struct.pack(">IB", counter, LEVEL)
    return header + AESCCM(key, tag_length=8).encrypt(nonce, payload, header)


def is_answered(one, frame, seconds=30):
    """Whether a frame for this node follows the one that it sends; no other node sends to it."""
    assert one.send(frame)
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        heard = one._hear(left)
        if heard and heard[5:13] == one.eui64[::-1]:
            return True
    return False


def test_a_killed_node_takes_no_frame_twice(tmp_path):
    with keyed_air(tmp_path, f"0 {eui64(1)}\n{eui64(1)} {eui64(0x900)}\n") as gateway:
        first = gateway.start(1)
        first.expect(r"^joined", timeout=JOINING)
        with contextlib.closing(Node(gateway, eui64(0x900))) as ours:
            frames = [asks(ours, gateway.key, counter) for counter in range(1000, 1020)]
            assert all([is_answered(ours, frame) for frame in frames])
            kill(first)
            gateway.start(1).expect(r"^(joined|resuming)", timeout=JOINING)
            assert not any([is_answered(ours, frame, seconds=2) for frame in frames])
            # Exactly as many new frames as counters were saved ahead are refused.
            fresh = [asks(ours, gateway.key, counter) for counter in range(1020, 1020 + 17)]
            assert is_answered(ours, fresh[-1])


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A gateway that accepts only encrypted updates, its commander, and a function that starts the node."""
    folder = tmp_path_factory.mktemp("contiki-lab")
    key, public = make_commander()
    (folder / "commander.jwk").write_text(json.dumps(public))
    (folder / "c.yaml").write_text(
        "vigil:\n  default-domain:\n    confidential: true\n    commanders:\n      - '%s'\n" % json.dumps(public)
    )
    options = ["--encrypt", "--commander", str(folder / "commander.jwk")]

    def start(number, gateway):
        return node(image("sleepy-sensor"), number, gateway, folder, *options)

    with behind(in_a_line(1), folder, 1, start, "--config", str(folder / "c.yaml")) as gateway:
        gateway.start = start
        gateway.folder = folder
        gateway.key = key
        gateway.base = gateway.motes[0].expect(r"^registered at (/ms/\S+)", timeout=JOINING).group(1)
        yield gateway


def order(lab, seq, value):
    return command(lab.key, "contiki-1", "led", seq, json.dumps([{"n": "led", "v": value}]), d="")


def obeyed(lab):
    return [line for line in lab.motes[0].lines if line.startswith("led = ")]


def test_encrypted_updates_are_read_and_verified(lab):
    lab.motes[0].expect(r"^sent load .*2\.0[14]", timeout=60)
    _, senml = read(lab, lab.base + "/load")
    assert name_in(senml) == "contiki-1"


def test_a_command_is_obeyed_once_and_acknowledged(lab):
    assert put(lab, lab.base + "/led", order(lab, 1, 1)) == 204
    lab.motes[0].expect(r"^led = 1$", timeout=60)
    lab.motes[0].expect(r"^command 1 done: led$")
    wait_until(lambda: waits(lab, lab.base) == "")
    assert obeyed(lab) == ["led = 1"]


def test_a_killed_node_keeps_the_number_of_its_last_command(lab):
    kill(lab.motes[0])
    lab.motes[0] = lab.start(1, lab)
    # Keys of encrypted updates are not stored: it registers for a fresh key and continues.
    assert lab.motes[0].expect(r"^registered at (/ms/\S+)", timeout=JOINING).group(1) == lab.base
    lab.motes[0].expect(r"^sent load .*2\.04", timeout=60)
    assert put(lab, lab.base + "/led", order(lab, 2, 0)) == 204
    lab.motes[0].expect(r"^command 2 done: led$", timeout=60)
    wait_until(lambda: waits(lab, lab.base) == "")
    assert obeyed(lab) == ["led = 0"]


def test_contiki_does_not_obey_whom_it_does_not_know(lab):
    _, public = make_commander()
    (lab.folder / "commander.jwk").write_text(json.dumps(public))
    lab.motes[0].stop()
    lab.motes[0] = lab.start(1, lab)
    assert put(lab, lab.base + "/led", order(lab, 3, 1)) == 204
    lab.motes[0].expect(r"^command 3 not carried out", timeout=JOINING)
    assert obeyed(lab) == [] and "command=3" in waits(lab, lab.base)
