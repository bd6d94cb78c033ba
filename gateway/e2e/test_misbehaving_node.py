"""A misbehaving node in radio range of the gateway: its frames are dropped and counted by reason, and the motes
continue."""

import contextlib
import json
import struct
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv6Address

import pytest
from air_node import BROADCAST, UNCOMPRESSED, Node, eui64_of, ipv6, udp, zep
from coap import CON, FORMAT, POST, URI_PATH, Answer, encode
from mirror_peer import JOSE, sleepy
from processes import behind, eui64, in_a_line, mote, wait_until
from test_mesh import nodes
from test_secured_mesh import KEY, psdus

HOPS = 2
MEAN, FAIR = 0x900, 0x901
ICMPV6, RPL, ECHO_REQUEST, ECHO_REPLY = 58, 155, 128, 129
ALL_RPL_NODES = "ff02::1a"
NON_STORING = 8


@contextlib.contextmanager
def network(folder, *options, **keys):
    """A gateway and two motes in a line, and two test nodes next to the first mote: a hostile one and a fair one."""

    def start(number, gateway):
        state = folder / f"mote-{number}.state"
        return mote(f"mote-{number}", gateway, state, *keys.get("mote", ()), mirror=gateway.routed)

    topology = in_a_line(HOPS) + f"0 {eui64(MEAN)}\n0 {eui64(FAIR)}\n"
    with behind(topology, folder, HOPS, start, *options) as gateway, contextlib.ExitStack() as stack:
        gateway.mean = stack.enter_context(contextlib.closing(Node(gateway, eui64(MEAN))))
        gateway.fair = stack.enter_context(contextlib.closing(Node(gateway, eui64(FAIR))))
        for one in gateway.motes:
            one.expect(r"^sent .*2\.0[14]", timeout=120)
        yield gateway


@pytest.fixture(scope="module")
def starting(tmp_path_factory):
    """The secured network, which starts while the open one is tested."""
    folder = tmp_path_factory.mktemp("keyed")
    with contextlib.ExitStack() as stack, ThreadPoolExecutor(1) as pool:
        yield pool.submit(lambda: stack.enter_context(secured_network(folder)))


@pytest.fixture(scope="module")
def open_air(tmp_path_factory, starting):
    folder = tmp_path_factory.mktemp("open")
    (folder / "application.yaml").write_text("vigil:\n  default-domain.limits.names-per-minute: 1\n")
    with network(folder, "--config", str(folder / "application.yaml")) as gateway:
        yield gateway


def state(gateway):
    status, _, body = gateway.get("/api/network")
    assert status == 200, body
    return json.loads(body)


def drops(gateway):
    return state(gateway)["drops"]


@contextlib.contextmanager
def counted(gateway, *reasons):
    """Checks that each misuse is dropped with its own reason, and that each mote's next reading is accepted."""
    before = drops(gateway)
    yield
    for reason in reasons:
        wait_until(lambda: drops(gateway).get(reason, 0) > before.get(reason, 0), timeout=60)
    seen = [(one, len(one.lines)) for one in gateway.motes]
    wait_until(lambda: all(any(" 2.04" in line for line in one.lines[lines:]) for one, lines in seen), timeout=90)


def say(node, packet, destination=None, source=None):
    """A packet in one uncompressed frame."""
    node.put(node.frame(UNCOMPRESSED + packet, destination, source))


def icmp(source, destination, kind, code, body):
    return ipv6(source, destination, ICMPV6, bytes([kind, code, 0, 0]) + body, 2)


def is_answered(node, octets):
    """Whether the gateway returns an echo of so many octets."""
    # The gateway gives a frame up that this process acknowledges too late.
    for number in range(1, 6):
        body = struct.pack(">HH", 7, number) + bytes(octets)
        sent = node.packet(icmp(node.address, node.gateway, ECHO_REQUEST, 0, body))
        answer = sent and node.receive(timeout=10, protocol=ICMPV6)
        while answer and (answer[40] != ECHO_REPLY or answer[44:] != body):
            answer = node.receive(timeout=10, protocol=ICMPV6)
        if answer:
            return True
    return False


def test_packets_that_nobody_finishes_give_way_to_those_that_are(open_air):
    mean, fair = open_air.mean, open_air.fair
    packet = udp(mean.address, mean.gateway, bytes(600))
    with counted(open_air, "fragment_sender_limit", "fragment_table_full", "fragment_timeout"):
        for number in range(100):
            first = mean.fragments(packet)[0]
            source = mean.eui64 if number < 10 else bytes.fromhex(eui64(0xA00 + number))
            assert mean.send(mean.frame(first, source=source)) or number >= 10
        # While the last 64 are held, a packet of another node arrives in many frames.
        assert is_answered(fair, 600)


def test_fragments_that_lie_are_dropped(open_air):
    mean = open_air.mean
    head, more = mean.fragments(udp(mean.address, mean.gateway, bytes(100)))
    with counted(open_air, "fragment_overlap", "fragment_size", "fragment_offset"):
        mean.send(mean.frame(head))
        mean.send(mean.frame(head[:20] + b"other" + head[25:]))
        mean.send(mean.frame(struct.pack(">HH", 0xC000 | 2047, 1) + UNCOMPRESSED + bytes(80)))
        mean.send(mean.frame(more[:4] + b"\xff" + more[5:]))


def test_malformed_frames_and_packets_are_dropped(open_air):
    mean = open_air.mean
    good = udp(mean.address, mean.gateway, b"hello")
    reasons = ("bad_fcs", "malformed", "ip_version", "ip_length", "udp_checksum", "dispatch_unknown", "truncated")
    with counted(open_air, *reasons):
        frame = mean.frame(UNCOMPRESSED + good)
        altered = bytearray(zep(frame, 1))
        altered[-1] ^= 1
        mean.air.send(altered)
        mean.put(mean.frame(bytes(200)))  # longer than any frame
        say(mean, b"\x45" + good[1:])
        say(mean, good + b"!")
        say(mean, good[:-1] + b"?")
        mean.put(mean.frame(b"\x48"))
        mean.put(mean.frame(b"\x7a"))


def test_packets_with_forged_sources_are_dropped(open_air):
    mean = open_air.mean
    with counted(open_air, "source_impossible", "receiver_refused"):
        before = drops(open_air).get("source_impossible", 0)
        sources = ("::1", mean.gateway, "fd00::56:4947:494c:1", "2001:db8::7", "ff02::1")
        for source in sources:
            say(mean, udp(source, mean.gateway, b"\x40\x01\x00\x01"))
        wait_until(lambda: drops(open_air).get("source_impossible") == before + len(sources), timeout=60)
        # DTLS is between two parties: a group gets no handshake.
        say(mean, udp(mean.address, "ff02::fd", b"\x16\xfe\xfd", port=5684), BROADCAST)


def registration(node, name, address=None):
    """A packet with a signed registration of a new name with a new key."""
    signed = sleepy.Sleepy(None, "coap://x", name, links="</t>").registration(lt=60)
    message = encode(CON, POST, 1, b"\1", [(URI_PATH, b"ms"), (FORMAT, JOSE)], signed)
    return udp(address or node.address, node.gateway, message)


def test_a_node_with_many_addresses_has_the_share_of_one_neighbour(open_air):
    """Of new names: one a minute for each address, sixteen behind each neighbour."""
    mean, fair = open_air.mean, open_air.fair
    # All packets are made before the first is sent: the neighbour gets another name every four seconds.
    many = [
        registration(mean, f"many-{number}", IPv6Address(mean.address.packed[:14] + struct.pack(">H", 0x2000 + number)))
        for number in range(17)
    ]
    ones = [(node, code, registration(node, "one-" + code)) for node, code in ((mean, "4.29"), (fair, "2.01"))]
    for packet in many:
        assert mean.packet(packet)

    for node, code, packet in ones:

        def answer():
            """the answer, sent again after the gateway has given up a frame that this process acknowledged too late"""
            return node.packet(packet) and node.receive()

        assert Answer(wait_until(answer)[48:]).code == code


def dio(root, version, rank=256, dodag=None):
    head = struct.pack(">BBHBBxx", 0, version, rank, NON_STORING, 240)
    return head + (dodag or root).packed


def dao(target, parent):
    """A DAO that requests an acknowledgement, with one target and its parent, for 30 minutes."""
    return (
        bytes([0, 0x80, 0, 241])
        + bytes([5, 18, 0, 128]) + IPv6Address(target).packed
        + bytes([6, 20, 0, 0, 0, 30]) + IPv6Address(parent).packed
    )


def test_a_node_that_lies_about_the_dodag_speaks_for_nobody_else(open_air):
    mean = open_air.mean
    root = IPv6Address(open_air.routed.split("[")[1].split("]")[0])
    own = IPv6Address(root.packed[:8] + mean.address.packed[8:])
    wait_until(lambda: len(nodes(open_air)) == HOPS, timeout=120)
    there, version = nodes(open_air), state(open_air)["dodagVersion"]
    reasons = ("dio_not_ours", "dao_refused", "dao_not_ours", "rpl_option", "truncated")
    with counted(open_air, *reasons):
        for body in (dio(root, version, dodag=own), b"\0"):
            say(mean, icmp(mean.address, ALL_RPL_NODES, RPL, 1, body), BROADCAST)
        victim = f"fd00::56:4947:494c:{0x1000 + HOPS:x}"
        for body in (dao(victim, own), b"\x07" + dao(own, root)[1:], dao(own, root)[:24]):
            mean.packet(icmp(own, root, RPL, 2, body))
    assert {number: way for number, way in nodes(open_air).items() if number in there} == there
    assert state(open_air)["dodagVersion"] == version


def test_repeated_newer_dodag_versions_do_not_keep_motes_away(open_air):
    mean = open_air.mean
    root = IPv6Address(open_air.routed.split("[")[1].split("]")[0])
    wait_until(lambda: len(nodes(open_air)) == HOPS, timeout=120)
    before = state(open_air)["dodagVersion"]
    with counted(open_air, "dio_version_too_soon"):
        for ahead in range(1, 13, 2):
            version = before + ahead if before + ahead < 256 else before + ahead - 256
            say(mean, icmp(mean.address, ALL_RPL_NODES, RPL, 1, dio(root, version)), BROADCAST)
        wait_until(lambda: len(nodes(open_air)) == HOPS, timeout=120)
    assert state(open_air)["dodagVersion"] != before


@contextlib.contextmanager
def secured_network(folder):
    (folder / "application.yaml").write_text(f"vigil:\n  border:\n    link-security:\n      key: '{KEY}'\n")
    (folder / "link.key").write_text(KEY + "\n")
    air = folder / "air.pcapng"
    options = ("--config", str(folder / "application.yaml"), "--pcap", str(air))
    with network(folder, *options, mote=("--link-key", str(folder / "link.key"))) as gateway:
        gateway.air = air
        yield gateway


@pytest.fixture(scope="module")
def secured(starting):
    return starting.result()


def test_without_the_key_nothing_is_accepted_not_even_replays(secured):
    mean = secured.mean
    to_gateway = eui64_of(mean.gateway)[::-1] + bytes.fromhex(eui64(1))[::-1]
    heard = [f for f in psdus(secured.air) if f[0] & 15 == 9 and f[5:21] == to_gateway]
    numbers = iter(range(heard[-1][2] + 100, 10_000))

    def play(frame):
        """Uses a new sequence number, so that the radio does not treat the frame as a repetition."""
        mean.put(frame[:2] + bytes([next(numbers) % 256]) + frame[3:])

    header = 21  # both addresses extended; then control, counter, payload, MIC
    # Far ahead of the mote's counter: if it were accepted, the mote would be refused from then on.
    ahead = heard[-1][: header + 1] + struct.pack("<I", 0x7FFFFFFF) + heard[-1][header + 5 :]
    with counted(secured, "security_missing", "security_level_refused", "mic_wrong", "frame_counter_replayed"):
        say(mean, udp(mean.address, mean.gateway, b"in clear"))
        play(heard[0])
        play(ahead)
        play(ahead[:header] + bytes([ahead[header] & ~7 | 4]) + ahead[header + 1 :])
    reported = {n["eui64"].replace("-", "").replace(":", ""): n["dropped"] for n in state(secured)["neighbours"]}
    assert reported[eui64(1)]["frame_counter_replayed"] >= 1 and reported[eui64(1)]["mic_wrong"] >= 1
