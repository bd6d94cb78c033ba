"""Packets that a Linux host fragments reach a mote two hops away whole.

The host is behind the gateway's TUN interface, whose MTU is 1280, so the host's kernel learns the MTU of the path and
fragments. Gateway and host have a network namespace each, so this needs root.
"""

import itertools
import socket

import pytest
from processes import behind, in_a_line, mote, namespace, wait_until, why_no_namespace
from scapy.layers.inet import UDP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrFragment
from scapy.packet import Raw
from test_through_tun import HOST, link
from two_networks import being_in

WHY_NOT = why_no_namespace()
pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)

HOPS = 2
ADDRESS = f"fd00::56:4947:494c:1{HOPS:03x}"
ECHO, PORT, COAP = 7, 7777, 5683
MORE, PAYLOAD_MARKER = 1, b"\xff"
GET_NOTHING = bytes.fromhex("4001") + b"%b" + b"\xb7nothing"  # CON GET /nothing


@pytest.fixture(scope="module")
def mesh(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fragments")
    (folder / "tun.yaml").write_text("vigil.border: {tun.device: vigiltest, filter: [allow both any]}\n")
    with namespace("gateway") as inside, namespace("host") as host, link(inside, host):

        def start(number, gateway):
            more = ("--echo", "--serve") if number == HOPS else ()
            state = folder / f"mote-{number}.state"
            return mote(f"mote-{number}", gateway, state, *more, mirror=gateway.routed, wake=600, inside=inside)

        with behind(in_a_line(HOPS), folder, HOPS, start, "--config", str(folder / "tun.yaml"), inside=inside) as gateway:
            assert gateway.motes[-1].expect(r"^joined the mesh as (\S+)$", timeout=120)[1] == ADDRESS
            gateway.host = host
            yield gateway


def opened(mesh, kind, protocol, *, port=0, seconds=2):
    with being_in(mesh.host):
        made = socket.socket(socket.AF_INET6, kind, protocol)
    made.bind((HOST, port))
    made.settimeout(seconds)
    return made


def received(application):
    try:
        return application.recv(2048)
    except OSError:  # also the error that the path carries less
        return None


def test_the_hosts_kernel_fragments_a_request_of_1400_octets(mesh):
    """The mote's answer to it is short, because a mote fragments no IPv6 packet."""
    with opened(mesh, socket.SOCK_DGRAM, 0) as application:
        application.connect((ADDRESS, COAP))
        numbers = iter(range(1, 100))

        def answer():
            """The kernel learns the MTU of the path from the first datagram, which is lost."""
            number = next(numbers).to_bytes(2, "big")
            head = GET_NOTHING % number
            try:
                application.send(head + PAYLOAD_MARKER + bytes(1400 - len(head) - 1))
            except OSError:
                return None
            return received(application)

        assert wait_until(answer)[1] == 0x84  # 4.04 Not Found
        assert next(numbers) > 2  # so the datagram was too large to go unfragmented


def fragments(payload, cuts, number):
    """The packets of a datagram to the mote's echo port, cut at these octets behind the IPv6 header."""
    whole = IPv6(src=HOST, dst=ADDRESS, hlim=64) / UDP(sport=PORT, dport=ECHO) / Raw(payload)
    octets = bytes(whole)[40:]
    ends = [0, *cuts, len(octets)]
    for start, end in zip(ends, ends[1:]):
        header = IPv6ExtHdrFragment(nh=17, offset=start // 8, m=MORE if end < len(octets) else 0, id=number)
        yield bytes(IPv6(src=HOST, dst=ADDRESS, hlim=64, nh=44) / header / Raw(octets[start:end]))


def test_fragments_in_any_order_are_one_datagram_and_overlaps_none(mesh):
    """A busy radio may lose a datagram, so it is sent until it is answered."""
    with (
        opened(mesh, socket.SOCK_DGRAM, 0, port=PORT) as application,
        opened(mesh, socket.SOCK_RAW, socket.IPPROTO_RAW) as raw,
    ):
        numbers, answers = itertools.count(1), set()

        def send(*packets):
            for packet in packets:
                raw.sendto(packet, (ADDRESS, 0))

        def exchange(payload, cuts, order):
            def answered():
                parts = list(fragments(payload, cuts, next(numbers)))
                send(*(parts[place] for place in order))
                answers.add(received(application))
                return payload in answers

            wait_until(answered, timeout=60)

        three_parts, atomic, last = b"in three parts" * 30, b"atomic", b"last" * 50
        exchange(three_parts, (16, 200), (2, 0, 0, 1))
        exchange(atomic, (), (0,))
        number = next(numbers)
        first, second = fragments(b"evil" * 50, (104,), number)
        _, overlapping = fragments(b"Evil" * 50, (96,), number)
        send(first, *3 * [overlapping], second)
        exchange(last, (104,), (0, 1))
        # The order is kept, so an answer to the overlapping fragments would be seen.
        assert answers - {None} == {three_parts, atomic, last}
