"""An unmodified Linux host decrypts the packets of a mote's block store with ordinary `ip xfrm` state (docs/protocol.md section 12).

The packets are in mote-firmware/vectors/block-store/blocks.txt; the mote firmware produces them octet for octet. One boot.
"""

import contextlib
import re
import subprocess
import sys

import pytest
from linux_host import LinuxHost, why_no_linux_host
from processes import ALL, REPOSITORY, namespace

WHY_NOT = why_no_linux_host() if ALL else "only with ./vigil test --all: boots another Linux"
pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)

MOTE, PORT, TAP = "fd00::202:2:2:2", 5693, "vigilstore"
# Mode C is for a requester other than the one assumed when storing.
REQUESTERS = {"b": "fd00::1", "c": "2001:db8::7", "d": "fd00::1"}
KEYS = "000102030405060708090a0b0c0d0e0fa0a1a2a3", "101112131415161718191a1b1c1d1e1f"
IPV6 = "86dd"
SEND = """
import socket, sys
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
wire.bind((sys.argv[1], 0))
for line in sys.stdin:
    wire.send(bytes.fromhex(line))
"""


def cases():
    text = (REPOSITORY / "mote-firmware/vectors/block-store/blocks.txt").read_text()
    blocks = [dict(re.findall(r"^(\w+) (\S+)$", case, re.M)) for case in text.split("case ")[1:]]
    assert len(blocks) == 4
    return blocks


@pytest.fixture(scope="module")
def host():
    with namespace("stored") as inside, contextlib.ExitStack() as stack:
        for command in (f"ip tuntap add dev {TAP} mode tap", f"ip link set {TAP} up"):
            subprocess.run([*inside, *command.split()], check=True)
        guest = LinuxHost(TAP, inside)
        stack.callback(guest.stop)
        guest.inside = inside
        addresses = "".join(f"address add {one}/64 dev wire0 nodad\n" for one in sorted(set(REQUESTERS.values())))
        guest.do("ip", commands="link set wire0 up\n" + addresses)
        guest.do("listen", source=["::", PORT])
        guest.mac = guest.do("read", arguments=["cat", "/sys/class/net/wire0/address"]).strip().replace(":", "")
        yield guest


def ends(mode):
    return f"src {MOTE} dst {REQUESTERS[mode]}"


def state(mode):
    """The association of the block store, as `./vigil sa linux` gives it to Linux."""
    return (
        f"xfrm state add {ends(mode)} proto esp spi 0x11000009 mode transport replay-window 32 "
        f"enc rfc3686(ctr(aes)) 0x{KEYS[0]} auth-trunc xcbc(aes) 0x{KEYS[1]} 96\n"
    )


def policy(mode):
    return f"xfrm policy add {ends(mode)} proto udp dir in tmpl {ends(mode)} proto esp mode transport\n"


def transmit(host, packets):
    ethernet = host.mac + "020000000001" + IPV6
    frames = "".join(f"{ethernet}{packet}\n" for packet in packets)
    subprocess.run([*host.inside, sys.executable, "-c", SEND, TAP], input=frames, text=True, check=True, timeout=60)


@pytest.mark.parametrize("mode", REQUESTERS)
def test_linux_gets_the_payload_of_each_stored_block(host, mode):
    blocks = cases()
    host.do("ip", commands=state(mode) + policy(mode))
    transmit(host, [block[mode] for block in blocks])
    assert host.do("heard", count=len(blocks), timeout=60) == [block["payload"] for block in blocks]
    counted = host.do("read", arguments=["ip", "-s", "xfrm", "state"])
    assert re.search(rf"src {MOTE} dst {REQUESTERS[mode]}\n.*?\(bytes\), {len(blocks)}\(packets\)", counted, re.S)
    # A changed octet and a replay are dropped; the following packet arrives.
    genuine = blocks[-1][mode]
    changed = genuine[:-2] + f"{int(genuine[-2:], 16) ^ 1:02x}"
    host.do("ip", commands="xfrm state flush\n" + state(mode))
    transmit(host, [changed, blocks[0][mode], blocks[0][mode], blocks[1][mode]])
    assert host.do("heard", count=2, timeout=60) == [blocks[0]["payload"], blocks[1]["payload"]]
    # The next mode has the same ends and SPI: like POST /store/open, a new state starts without numbers.
    host.do("ip", commands="xfrm state flush\nxfrm policy flush\n")
    assert host.do("heard", count=1, timeout=0) == []
