"""An unmodified Linux and a mote three hops away protect their datagrams end to end; the gateway between them has no key.

The host is behind the gateway's TUN interface. There is one boot and one mesh; each profile has its own address of the
host.
"""

import collections
import contextlib
import re
import socket
import subprocess

import pytest
from association_lines import Association, private
from capture import AH, ESP, announced
from linux_host import LinuxHost, why_no_linux_host
from processes import REPOSITORY, behind, eui64, in_a_line, java_command, mote, namespace, wait_until
from scapy.layers.inet import UDP
from scapy.layers.inet6 import IPv6
from scapy.utils import RawPcapNgReader

WHY_NOT = why_no_linux_host()
pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)

HOPS = 3
STORING, MOTE = (f"fd00::56:4947:494c:1{number:03x}" for number in (1, HOPS))
ECHO = MOTE, 7
TAP, ROUTER, HOST, PORT = "vigilwire", "2001:db8::1", "2001:db8::2", 7777
# Each profile's layers, innermost first.
PROFILES = {
    "cbc-xcbc": ["cbc-xcbc"],
    "ctr-xcbc": ["ctr-xcbc"],
    "cbc-sha1": ["cbc-sha1"],
    "ccm8": ["ccm8"],
    "ah-sha1": ["ah-sha1"],
    "ah-xcbc": ["ah-xcbc"],
    "esp-in-ah": ["ctr-sha1", "ah-sha1"],
}
ADDRESSES = {profile: f"2001:db8::1{number}" for number, profile in enumerate(PROFILES)}
SIZES = 8, 22, 64, 128, 256, 400, 512
# The header with an option of four octets that a node skips if it is unknown (RFC 8200 section 4.2).
DESTINATION_OPTIONS = "00001e0401020304"
ETHERNET, HOP_LIMIT_AT, NEXT_HEADER_AT, IPV6_HEADER, ICV_OF_AH_AT = 14, 7, 6, 40, 12
OPTIONS_HEADER, HEADERS = 60, {"esp": 50, "ah": 51}

STORE_PORT, RECORD = 5693, 10
# POST /store/send with an empty map; its answer: blocks are sent now, counted from 1 (a bit each).
EVERYTHING_STORED = bytes.fromhex("40025693") + b"\xb5store\x04send\x11\x3c\xff\xa0"
BLOCKS_FROM_1 = b"\xff\xa2\x02\x01\x04"

CONFORMANCE = REPOSITORY / "docs/border-bridge-conformance.md"
AS_PACKET, AS_FRAME = 229, 230  # link types of the capture
ANNOUNCED = {"ah": AH, "esp": ESP}
SENDER_AT, FIRST_MOTE = slice(13, 21), bytes.fromhex(eui64(1))[::-1]


def associations():
    """For each profile the layers from the host to the mote and back; packets to hosts have SPI 1, which NHC omits."""
    both, spi = {}, 0x11000000
    for profile, suites in PROFILES.items():
        down = [Association.fresh(suite, spi := spi + 1, ADDRESSES[profile], MOTE) for suite in suites]
        both[profile] = down, [Association.fresh(suite, 1, MOTE, ADDRESSES[profile]) for suite in suites]
    return both


def set_up_wire(inside):
    for command in (
        f"ip tuntap add dev {TAP} mode tap", f"ip address add {ROUTER}/64 dev {TAP} nodad", f"ip link set {TAP} up",
        "sysctl -qw net.ipv6.conf.all.forwarding=1",
    ):
        subprocess.run([*inside, *command.split()], check=True)


def sa(*words):
    """Output of `./vigil sa`."""
    done = subprocess.run([*java_command(), "sa", *map(str, words)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def configure(host, *files):
    """Commands of an operator for the host's shell: its addresses, then what `./vigil sa linux` prints for each file."""
    addresses = "".join(f"address add {address}/64 dev wire0 nodad\n" for address in (HOST, *ADDRESSES.values()))
    host.do("ip", commands=f"link set wire0 up\n{addresses}route add default via {ROUTER}\n")
    for file, peers in files:
        lines = sa("linux", file, *(word for peer in peers for word in ("--peer", peer))).splitlines()
        assert all(line.startswith("ip xfrm ") for line in lines)
        for some in range(0, len(lines), 8):  # as many as the serial line can carry
            host.do("ip", commands="".join(line.removeprefix("ip ") + "\n" for line in lines[some : some + 8]))


@pytest.fixture(scope="module")
def line(tmp_path_factory):
    """The gateway with its mesh, and the `host`; the farthest mote has the file of associations."""
    folder = tmp_path_factory.mktemp("linux")
    every = associations()
    (folder / "tun.yaml").write_text("vigil.border: {tun.device: vigiltest, filter: [allow both any]}\n")
    file = private(folder / "mote.sa", "".join(one.line(MOTE) for ways in every.values() for way in ways for one in way))
    storing = folder / "storing.sa"
    sa("new", "--store", "--mote", STORING, "--host", HOST, "--mote-file", storing, "--host-file", folder / "host.sa")
    with namespace("gateway") as inside, contextlib.ExitStack() as stack:
        set_up_wire(inside)

        def start(number, gateway):
            more = {
                1: ("--sa", str(storing), "--new-sa", "--store", str(folder / "readings"), "--sensor", "load"),
                HOPS: ("--echo", "--sa", file, "--new-sa"),
            }.get(number, ())
            state = folder / f"mote-{number}.state"
            return mote(f"mote-{number}", gateway, state, "--nhc", *more, mirror=gateway.routed, wake=600, inside=inside)

        options = ("--config", str(folder / "tun.yaml"), "--pcap", str(folder / "air.pcapng"))
        gateway = stack.enter_context(behind(in_a_line(HOPS), folder, HOPS, start, *options, inside=inside))
        host = LinuxHost(TAP, inside)  # while the mesh forms
        stack.callback(host.stop)
        configure(host, (file, ADDRESSES.values()), (storing, [HOST]))
        assert gateway.motes[-1].expect(r"^joined the mesh as (\S+)$", timeout=120)[1] == MOTE
        gateway.host, gateway.associations, gateway.air, gateway.storing = host, every, folder / "air.pcapng", storing
        gateway.attacks = collections.Counter()  # forged or repeated packets of each kind by profile
        yield gateway


def talk(line, profile, payload, **more):
    source = [ADDRESSES[profile] if profile else HOST, PORT]
    return line.host.do("talk", source=source, to=ECHO, payload=payload.hex(), **more)


@pytest.mark.parametrize("profile", PROFILES)
def test_datagrams_of_8_to_512_octets_come_back(line, profile):
    for size in SIZES:
        payload = bytes(number * size % 251 for number in range(size))
        assert talk(line, profile, payload) == [payload.hex()]


@pytest.mark.parametrize("profile", PROFILES)
def test_destination_options_go_before_and_are_accepted(line, profile):
    source, payload = [ADDRESSES[profile], PORT], b"behind options"
    frame = line.host.do(
        "frame_that_goes_no_further", source=source, to=ECHO, payload=payload.hex(), options=DESTINATION_OPTIONS
    )
    packet = bytes.fromhex(frame)[ETHERNET:]
    outermost = line.associations[profile][0][-1].protocol
    assert packet[NEXT_HEADER_AT] == OPTIONS_HEADER and packet[IPV6_HEADER] == HEADERS[outermost]
    assert talk(line, profile, payload, options=DESTINATION_OPTIONS) == [payload.hex()]
    line.attacks[profile, "unsent"] += 1


def captured(line, kind, belongs):
    """The frames or packets of the gateway's capture that satisfy the condition."""
    with contextlib.closing(RawPcapNgReader(str(line.air))) as blocks:
        return [octets for octets, meta in blocks if meta.linktype == kind and belongs(octets)]


def answer_as_captured(line, profile):
    """An answer of six octets: its packet and its frame on the hop to the gateway. No cipher pads it."""
    octets = socket.inet_pton(socket.AF_INET6, ADDRESSES[profile] if profile else HOST)
    kinds = {
        AS_PACKET: lambda packet: packet[24:40] == octets,
        AS_FRAME: lambda frame: frame[SENDER_AT] == FIRST_MOTE and octets in frame,
    }
    before = {kind: len(captured(line, kind, belongs)) for kind, belongs in kinds.items()}
    assert talk(line, profile, b"octets") == [b"octets".hex()]

    def added():
        now = {kind: captured(line, kind, belongs) for kind, belongs in kinds.items()}
        return all(len(now[kind]) == before[kind] + 1 for kind in kinds) and now

    now = wait_until(added)
    return now[AS_PACKET][-1], now[AS_FRAME][-1]


def test_the_overhead_in_the_capture_is_that_of_the_documentation(line):
    clear = answer_as_captured(line, None)
    counted = {}
    for profile in PROFILES:
        answer = answer_as_captured(line, profile)
        counted[profile] = tuple(len(whole) - len(without) for whole, without in zip(answer, clear))
    rows = re.findall(r"^\| `([\w-]+)` \|.*\| (\d+) \| (\d+) \|$", CONFORMANCE.read_text(), re.M)
    assert {profile: (int(packet), int(frame)) for profile, packet, frame in rows} == counted


def test_tshark_finds_the_compressed_headers_in_both_directions(line):
    frames = announced(line.air)
    for profile, address in ADDRESSES.items():
        header = ANNOUNCED[line.associations[profile][0][-1].protocol]
        assert any(source == address and header in headers for source, _, headers in frames), profile
        assert any(destination == address and header in headers for _, destination, headers in frames), profile


def test_stored_blocks_are_opened_under_their_archives_association(line):
    """`sa new --store` created it, `sa linux` printed its state, and the mote has stored its first reading."""
    line.motes[0].expect(r"^sent load .*2\.0[14]", timeout=60)
    answer, block = line.host.do(
        "exchange", source=[HOST, STORE_PORT], to=[STORING, 5683], payload=EVERYTHING_STORED.hex(), count=2)
    assert bytes.fromhex(answer)[1] == 0x44 and bytes.fromhex(answer)[:-1].endswith(BLOCKS_FROM_1)
    announced_blocks = bytes.fromhex(answer)[-1].bit_count()
    records = [bytes.fromhex(block)[at : at + RECORD] for at in range(0, 50, RECORD)]
    sensors = [record[0] >> 4 for record in records if set(record) != {0xFF}]
    assert sensors and set(sensors) == {0}
    (spi,) = re.findall(r"^store esp ctr-xcbc (\S+)", line.storing.read_text(), re.M)
    assert 1 <= linux_counts(line)[STORING, HOST, "esp", int(spi, 16)] <= announced_blocks


def changed(frame, at, how):
    """The frame with one octet of its packet changed."""
    octets = bytearray(bytes.fromhex(frame))
    octets[at + ETHERNET if at >= 0 else at] = how(octets[at + ETHERNET if at >= 0 else at])
    return octets.hex()


def in_clear(frame, source, payload):
    packet = IPv6(src=source, dst=MOTE, hlim=64) / UDP(sport=PORT, dport=ECHO[1]) / payload
    return frame[: 2 * ETHERNET] + bytes(packet).hex()


@pytest.mark.parametrize("profile", PROFILES)
def test_wrong_icv_replay_and_clear_text_get_no_answer(line, profile):
    """Forged frames are sent between datagrams that are answered; the order is kept, so an answer would be seen."""
    source = ADDRESSES[profile]
    stopped = line.host.do("frame_that_goes_no_further", source=[source, PORT], to=ECHO, payload=b"once".hex())
    genuine = changed(stopped, HOP_LIMIT_AT, lambda _: 64)
    outermost = line.associations[profile][0][-1].protocol
    icv_at = IPV6_HEADER + ICV_OF_AH_AT if outermost == "ah" else -1
    forged = changed(genuine, icv_at, lambda octet: octet ^ 1)
    frames = [forged, genuine, genuine, in_clear(genuine, source, b"in clear")]
    assert talk(line, profile, b"last", frames=frames) == [b"once".hex(), b"last".hex()]
    for kind in ("wrong ICV", "replayed", "in clear"):
        line.attacks[profile, kind] += 1


def linux_counts(line):
    """Packets by source, destination, protocol and SPI, as Linux counted them."""
    states = line.host.do("read", arguments=["ip", "-s", "xfrm", "state"])
    found = re.findall(
        r"src (\S+) dst (\S+)\n\s+proto (\S+) spi (0x\w+).*?lifetime current:\n\s+\d+\(bytes\), (\d+)\(packets\)",
        states, re.S)
    return {(*ends, int(spi, 16)): int(packets) for *ends, spi, packets in found}


def mote_counts(one):
    """The same counters of a mote, with its refusals; it prints them when it stops."""
    one.stop()
    counts, refused = {}, {}
    for said in re.finditer(
        r"^association (?:in|out) (\S+) (\S+) (\S+) (\S+): (\d+) packets, (\d+) wrong ICV, (\d+) replayed, (\d+) malformed$",
        "\n".join(one.lines), re.M,
    ):
        protocol, spi, source, destination, *numbers = said.groups()
        key = source, destination, protocol, int(spi, 16)
        counts[key], *refused[key] = map(int, numbers)
    return counts, refused


def test_both_ends_have_counted_the_same(line):
    by_linux = {key: packets for key, packets in linux_counts(line).items() if MOTE in key}
    by_mote, refused = mote_counts(line.motes[-1])
    never_arrived = {
        one.key: line.attacks[profile, "unsent"]
        for profile, (down, _) in line.associations.items() for one in down
    }
    assert len(by_mote) == 2 * sum(len(layers) for layers in PROFILES.values())
    assert by_mote == {key: packets - never_arrived.get(key, 0) for key, packets in by_linux.items()}
    for profile, (down, up) in line.associations.items():
        for layer in (*down, *up):
            attacked = layer == down[-1]
            wrong, replayed = ((line.attacks[profile, kind] if attacked else 0) for kind in ("wrong ICV", "replayed"))
            assert refused[layer.key] == [wrong, replayed, 0], profile
    errors = line.host.do("read", arguments=["cat", "/proc/net/xfrm_stat"])
    assert re.findall(r"^(XfrmIn\S+)\s+[1-9]", errors, re.M) == []
