"""A mesh of our motes behind the gateway: each hears its neighbours in a line only, the gateway the first."""

import json

import pytest
from conftest import Gateway, coap_get, eui64, mote, wait_until
from test_found_read_and_verified import loads, verified

HOPS = 3


@pytest.fixture(scope="module")
def line(tmp_path_factory):
    """A gateway and three motes, each a hop further away."""
    folder = tmp_path_factory.mktemp("mesh")
    topology = folder / "line.txt"
    names = ["0", *(eui64(number) for number in range(1, HOPS + 1))]
    topology.write_text("".join(f"{a} {b}\n" for a, b in zip(names, names[1:])))
    started = []
    try:
        gateway = Gateway(
            folder / "data", "--demo", "--coap-port", "0", "--http-port", "0", "--zep-port", "0",
            "--topology", str(topology),
        )
        started.append(gateway)
        gateway.ready()
        gateway.motes = []
        for number in range(1, HOPS + 1):
            one = mote(f"mote-{number}", gateway, folder / f"mote-{number}.state", mirror=gateway.routed)
            started.append(one)
            gateway.motes.append(one)
        yield gateway
    finally:
        for process in reversed(started):
            process.stop()


def number(address):
    """What the last digits of an address count; the gateway's is 0."""
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
    wait_until(lambda: len(nodes(line)) == HOPS, timeout=40)
    assert nodes(line) == {1: (1, 0), 2: (2, 1), 3: (3, 2)}
    for one in line.motes:
        one.expect(r"^joined the mesh as fd00::56:4947:494c:100\d$", timeout=20)
        one.expect(r"^registered", timeout=20)
        one.expect(r"^sent .*2\.0[14]", timeout=20)


def test_the_gateway_hears_only_the_first_of_them(line):
    wait_until(lambda: len(nodes(line)) == HOPS, timeout=40)
    _, _, body = line.get("/api/network")
    heard = {neighbour["eui64"].replace(":", "").replace("-", "") for neighbour in json.loads(body)["neighbours"]}
    assert heard == {eui64(1)}


def endpoint(gateway, path):
    """Who measured it, as it says under its signature."""
    _, senml = verified(gateway, path)
    return (senml[0].get("bn", "") + senml[0].get("n", "")).split("/")[0]


def test_readings_from_three_hops_away_are_read_and_verified(line):
    paths = {endpoint(line, path): path for path in wait_until(lambda: loads(line), timeout=40)}
    assert set(paths) == {"mote-1", "mote-2", "mote-3"}
    farthest = paths["mote-3"]
    first, _ = verified(line, farthest)
    assert wait_until(lambda: verified(line, farthest)[0]["seq"] > first["seq"], timeout=20)
    float(coap_get(line.coap + farthest, "-A", "0"))
