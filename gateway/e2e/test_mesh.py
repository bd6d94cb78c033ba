"""A mesh of our motes behind the gateway: each mote hears only its neighbours in a line; the gateway hears the
first."""

import contextlib
import json
import struct

import pytest
from air_node import BROADCAST, UNCOMPRESSED, Node, udp
from processes import behind, coap_get, eui64, in_a_line, mote, wait_until
from test_found_read_and_verified import loads, verified

HOPS = 3


@pytest.fixture(scope="module")
def line(tmp_path_factory):
    """A gateway and three motes, each a hop further away."""
    folder = tmp_path_factory.mktemp("mesh")

    def start(number, gateway):
        return mote(f"mote-{number}", gateway, folder / f"mote-{number}.state", mirror=gateway.routed)

    with behind(in_a_line(HOPS), folder, HOPS, start) as gateway:
        yield gateway


def number(address):
    """The number in an address's last digits; the gateway's is 0."""
    return max(0, int(address.rsplit(":", 1)[1], 16) - 0x1000)


def nodes(gateway):
    """The number of each mote that the root has a route to, with its hops and its parent's number."""
    status, _, body = gateway.get("/api/network")
    assert status == 200, body
    return {
        number(node["address"]): (node["hops"], number(node["parent"]))
        for node in json.loads(body)["nodes"]
        if "hops" in node
    }


def test_motes_form_a_line_of_three_hops_and_each_is_answered(line):
    found = wait_until(lambda: len(now := nodes(line)) == HOPS and now, timeout=120)
    assert found == {1: (1, 0), 2: (2, 1), 3: (3, 2)}
    for one in line.motes:
        one.expect(r"^joined the mesh as fd00::56:4947:494c:100\d$", timeout=120)
        one.expect(r"^registered", timeout=120)
        one.expect(r"^sent .*2\.0[14]", timeout=120)


def test_the_gateway_hears_only_the_first_of_them(line):
    wait_until(lambda: len(nodes(line)) == HOPS, timeout=120)
    _, _, body = line.get("/api/network")
    heard = {neighbour["eui64"].replace(":", "").replace("-", "") for neighbour in json.loads(body)["neighbours"]}
    assert heard == {eui64(1)}


def endpoint(gateway, path):
    """The endpoint that measured the value, from its signed statement."""
    _, senml = verified(gateway, path)
    return (senml[0].get("bn", "") + senml[0].get("n", "")).split("/")[0]


def test_readings_from_three_hops_away_are_read_and_verified(line):
    for one in line.motes:
        one.expect(r"^sent .*2\.0[14]", timeout=120)
    paths = {endpoint(line, path): path for path in wait_until(lambda: loads(line), timeout=120)}
    assert set(paths) == {"mote-1", "mote-2", "mote-3"}
    farthest = paths["mote-3"]
    first, _ = verified(line, farthest)
    assert wait_until(lambda: verified(line, farthest)[0]["seq"] > first["seq"], timeout=120)
    float(coap_get(line.coap + farthest, "-A", "0"))


GET_CORE = b"\xbb.well-known\x04core\x4art=core.rd"


def test_a_node_on_the_air_finds_the_directory_by_multicast(network):
    """Link-local and realm-local groups; the test needs only these octets on the radio."""
    groups = ("ff02::fd", "ff02::fe", "ff03::fd")
    answered = set()
    with contextlib.closing(Node(network, eui64(0x777))) as node:
        # An answer is lost if this process does not acknowledge it within 0.4 s.
        for attempt in range(6):
            for number, group in enumerate(groups, start=1):
                if number not in answered:
                    # Non-confirmable GET; message id and token distinguish the groups.
                    question = struct.pack(">BBHB", 0x51, 1, 0x5600 + 16 * attempt + number, number) + GET_CORE
                    node.put(node.frame(UNCOMPRESSED + udp(node.address, group, question), BROADCAST))
            while len(answered) < len(groups) and (packet := node.receive(timeout=10)):
                coap = packet[48:]
                assert coap[0] == 0x51 and coap[1] == 0x45, coap  # non-confirmable, 2.05, our token follows
                assert coap.endswith(b'</rd>;rt="core.rd";ct=40'), coap
                answered.add(coap[4])
    assert answered == {1, 2, 3}
