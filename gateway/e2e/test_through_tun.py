"""A host beyond the gateway reads motes directly with libcoap's client, through a router, TUN and the packet filter.

The gateway and its motes are in one network namespace, the host in another one behind it, so it needs root.
"""

import contextlib
import json
import re
import subprocess

import pytest
from processes import COAP_CLIENT, behind, in_a_line, mote, namespace, wait_until, why_no_namespace

HOPS = 3
HOST, ROUTER = "2001:db8::2", "2001:db8::1"
WHY_NOT = why_no_namespace()

pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)


def run(*command, timeout=60):
    done = subprocess.run([*command], capture_output=True, timeout=timeout)
    return (done.stdout + done.stderr).decode(errors="replace").strip()


@contextlib.contextmanager
def link(gateways, hosts):
    """A link between two namespaces; the first one routes."""
    for command in (
        ["ip", "link", "add", "wire", "type", "veth", "peer", "name", "end"],
        ["ip", "link", "set", "end", "netns", hosts[-1]],
        ["ip", "address", "add", f"{ROUTER}/64", "dev", "wire", "nodad"],
        ["ip", "link", "set", "wire", "up"],
        ["sysctl", "-qw", "net.ipv6.conf.all.forwarding=1"],
    ):
        subprocess.run([*gateways, *command], check=True)
    for command in (
        ["ip", "address", "add", f"{HOST}/64", "dev", "end", "nodad"],
        ["ip", "link", "set", "end", "up"],
        ["ip", "route", "add", "fd00::/64", "via", ROUTER],
    ):
        subprocess.run([*hosts, *command], check=True)
    yield


@pytest.fixture(scope="module")
def line(tmp_path_factory):
    """A gateway and three motes in a line that serve their sensors; `ask` and `status` send requests from a host."""
    folder = tmp_path_factory.mktemp("tun")
    (folder / "tun.yaml").write_text("vigil.border.tun.device: vigiltest\n")
    with namespace("gateway") as inside, namespace("host") as host, link(inside, host):

        def start(number, gateway):
            state = folder / f"mote-{number}.state"
            options = ("--serve", "--sensor", "load", "--sensor", "memory")
            return mote(f"mote-{number}", gateway, state, *options, mirror=gateway.routed, inside=inside)

        options = ("--config", str(folder / "tun.yaml"))
        with behind(in_a_line(HOPS), folder, HOPS, start, *options, inside=inside) as gateway:
            gateway.addresses_of_motes = [
                one.expect(r"^joined the mesh as (\S+)$", timeout=120)[1] for one in gateway.motes
            ]
            gateway.ask = lambda uri, *more: run(*host, COAP_CLIENT, "-B", "20", "-m", "get", *more, uri)
            gateway.host = host
            gateway.drops = lambda: json.loads(
                run(*inside, "curl", "-sS", gateway.http + "/api/network")
            )["drops"]
            for one in gateway.motes:
                one.expect(r"^sent .*2\.0[14]", timeout=60)
            yield gateway


@pytest.mark.parametrize("number", range(1, HOPS + 1))
def test_a_host_reads_a_sensor_of_each_mote_however_far(line, number):
    """The sensor's current value, unsigned, with the mote's name."""
    [record] = json.loads(line.ask(f"coap://[{line.addresses_of_motes[number - 1]}]/load"))
    assert record["n"] == f"mote-{number}/load" and float(record["v"]) >= 0


def test_a_host_finds_what_the_farthest_mote_offers_block_by_block(line):
    farthest = line.addresses_of_motes[-1]
    links = line.ask(f"coap://[{farthest}]/.well-known/core")
    assert len(links) > 64  # octets in a block of the mote's
    paths = re.findall(r"<(/[^>]+)>;rt=", links)
    assert paths == ["/load", "/memory"]
    for path in paths:
        [record] = json.loads(line.ask(f"coap://[{farthest}]{path}", "-A", "110"))
        assert record["n"] == "mote-3" + path


def test_the_mote_reports_missing_resources_and_formats(line):
    farthest = line.addresses_of_motes[-1]
    assert "4.04" in line.ask(f"coap://[{farthest}]/nothing")
    assert "4.06" in line.ask(f"coap://[{farthest}]/load", "-A", "60")
    # The mote keeps no list of observers (RFC 7641 section 1.2), so a request to observe gets a plain answer.
    [record] = json.loads(line.ask(f"coap://[{farthest}]/load", "-s", "1"))
    assert record["n"] == "mote-3/load"


def test_packets_without_a_filter_rule_are_dropped_and_counted(line):
    before = line.drops().get("filtered_in", 0)
    run(*line.host, COAP_CLIENT, "-N", "-B", "1", "-m", "get", f"coap://[{line.addresses_of_motes[0]}]:5690/load")
    wait_until(lambda: line.drops().get("filtered_in", 0) > before)
