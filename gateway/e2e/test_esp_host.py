"""UDP compressed inside ESP between a mote two hops away and applications of an unmodified Linux, beside which
vigil-esp-host runs.

The kernel of the test is the host's: it has no association, and its applications use plain sockets. Gateway and host have
a network namespace each, so this needs root.
"""

import contextlib
import pathlib
import re
import socket

import pytest
from association_lines import Association, private
from capture import ESP, announced
from processes import COAP_CLIENT, MOTE, Process, behind, in_a_line, mote, namespace, only_with_all, wait_until, why_no_namespace
from scapy.utils import RawPcapNgReader
from test_through_tun import HOST, link, run
from two_networks import being_in

WHY_NOT = why_no_namespace()
pytestmark = [only_with_all("has another host than test_linux_host.py"), pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]

HOPS = 2
ADDRESS = f"fd00::56:4947:494c:1{HOPS:03x}"
ESP_HOST = pathlib.Path(MOTE).with_name("vigil-esp-host")
AS_PACKET, IPV6_HEADER, HOP_BY_HOP, NEXT_ESP = 229, 40, 0, 50
ESP_HEADER, IV, TRAILER, ICV = 8, 8, 2, 12
ECHO, PORT = 7, 61616
SIZES = 8, 22, 64, 128, 256, 400, 512
SECONDS = 30


def lines(own):
    """The file of one end, with keys that both ends have."""
    return "".join(one.line(own).replace(" esp ", " esp-udp ") for one in BOTH)


BOTH = [Association.fresh("ctr-xcbc", 0x11000001, ADDRESS, HOST), Association.fresh("ctr-xcbc", 0x11000002, HOST, ADDRESS)]


@pytest.fixture(scope="module")
def mesh(tmp_path_factory):
    """The gateway with its motes; `host`: the namespace of the host; `start_host`: starts vigil-esp-host there."""
    folder = tmp_path_factory.mktemp("esp-host")
    (folder / "tun.yaml").write_text("vigil.border: {tun.device: vigiltest, filter: [allow both any]}\n")
    files = {name: private(folder / f"{name}.sa", lines(own)) for name, own in (("mote", ADDRESS), ("host", HOST))}
    with namespace("gateway") as inside, namespace("host") as host, link(inside, host), contextlib.ExitStack() as stack:

        def start(number, gateway):
            more = ("--echo", "--serve", "--sa", files["mote"], "--new-sa") if number == HOPS else ()
            state = folder / f"mote-{number}.state"
            return mote(f"mote-{number}", gateway, state, "--nhc", *more, mirror=gateway.routed, wake=600, inside=inside)

        def start_host(*more):
            process = Process(
                *host, str(ESP_HOST), "--sa", files["host"], "--interface", "end", "--state", str(folder / "host.state"), *more)
            stack.callback(process.stop)
            process.expect("^ready: plain packets through vigil-esp, ESP through end$")
            return process

        options = ("--config", str(folder / "tun.yaml"), "--pcap", str(folder / "air.pcapng"))
        gateway = stack.enter_context(behind(in_a_line(HOPS), folder, HOPS, start, *options, inside=inside))
        assert gateway.motes[-1].expect(r"^joined the mesh as (\S+)$", timeout=120)[1] == ADDRESS
        gateway.air, gateway.host, gateway.start_host = folder / "air.pcapng", host, start_host
        gateway.running = start_host("--new-sa")
        yield gateway


@pytest.fixture
def application(mesh):
    """A UDP socket of the host, opened by an application that knows nothing of IPsec."""
    with being_in(mesh.host):
        opened = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    with opened:
        opened.bind(("::", PORT))
        opened.connect((ADDRESS, ECHO))
        opened.settimeout(SECONDS)
        yield opened


def payload(size):
    return bytes(number * size % 251 for number in range(size))


def echo(application, octets):
    application.send(octets)
    return application.recv(2048)


def answers(mesh):
    """The messages of the mote to the host, as protocol and octets, behind the header that RPL adds in the mesh."""
    ends = socket.inet_pton(socket.AF_INET6, ADDRESS) + socket.inet_pton(socket.AF_INET6, HOST)
    with contextlib.closing(RawPcapNgReader(str(mesh.air))) as blocks:
        found = [octets for octets, meta in blocks if meta.linktype == AS_PACKET and octets[8:40] == ends]
    assert all(octets[6] == HOP_BY_HOP for octets in found)
    return [(octets[IPV6_HEADER], octets[IPV6_HEADER + 8 :]) for octets in found]


def frames(mesh):
    """The headers that are announced as compressed, for each packet on the radio from the mote to the host."""
    return [headers for source, destination, headers in announced(mesh.air) if (source, destination) == (ADDRESS, HOST)]


def test_datagrams_of_8_to_512_octets_come_back(mesh, application):
    assert application.getsockname()[0] == HOST  # the source address that the association names
    for size in SIZES:
        assert echo(application, payload(size)) == payload(size)


def test_a_coap_client_of_the_host_reads_a_sensor(mesh):
    assert '"n":"mote-2/load"' in run(*mesh.host, COAP_CLIENT, "-B", str(SECONDS), "-m", "get", f"coap://[{ADDRESS}]/load")


def test_the_udp_header_travels_compressed_and_nothing_in_clear(mesh, application):
    """Port 7 goes in full and 61616 as one octet: the header has six octets, and what is encrypted is padded to four."""
    before = len(answers(mesh))
    for size in SIZES:
        echo(application, payload(size))
    found = wait_until(lambda: len(all_ := answers(mesh)) >= before + len(SIZES) and all_[before:])
    encrypted = [6 + size + TRAILER for size in SIZES]
    expected = [ESP_HEADER + IV + octets + -octets % 4 + ICV for octets in encrypted]
    assert [(protocol, len(octets)) for protocol, octets in found] == [(NEXT_ESP, size) for size in expected]
    assert (headers := frames(mesh)) and all(ESP in one for one in headers)


def test_a_restart_repeats_no_number(mesh, application):
    """The mote would refuse a number that it has accepted, so its answer shows that the numbers went on."""
    assert echo(application, b"before") == b"before"
    mesh.running.stop()
    said = "\n".join(mesh.running.lines)
    counted = rf"^association in esp-udp 0x11000001 {ADDRESS} {HOST}: [1-9]\d* packets, 0 wrong ICV, 0 replayed, 0 malformed$"
    assert re.search(counted, said, re.M)
    assert "0 not authentic, 0 refused, 0 unsendable" in said
    mesh.running = mesh.start_host()
    assert echo(application, b"after") == b"after"
