"""scapy as the peer of our 802.15.4 and 6LoWPAN codecs.

build: prints "frame ipv6" in hex per line, made by scapy (FCS at the end).
read:  reads frames in hex, one per line; prints the IPv6 packet that scapy decodes, or its error.

The frames avoid features that scapy 2.5 to 2.8 encodes wrongly: traffic classes (ECN not moved),
contexts and extension headers. Scapy's fragmentation omits the dispatch octet; this program adds it.
"""

import random
import sys

from scapy.config import conf

conf.ipv6_enabled = True

from scapy.all import IPv6, ICMPv6EchoRequest, Raw, UDP, raw  # noqa: E402
from scapy.layers.dot15d4 import Dot15d4Data, Dot15d4FCS  # noqa: E402
from scapy.layers.sixlowpan import (  # noqa: E402
    LoWPAN_IPHC,
    LoWPAN_NHC,
    LoWPANFragmentationFirst,
    LoWPANFragmentationSubsequent,
    LoWPANUncompressedIPv6,
)

conf.dot15d4_protocol = "sixlowpan"
SENDER, RECEIVER = 0x0002000200020002, 0x0001000100010001
FROM_LINK, TO_LINK = "fe80::202:2:2:2", "fe80::201:1:1:1"


def frame(content):
    header = Dot15d4FCS(
        fcf_srcaddrmode=3, fcf_destaddrmode=3, fcf_panidcompress=1, fcf_framever=1, seqnum=5
    )
    return raw(
        header / Dot15d4Data(dest_panid=0xABCD, dest_addr=RECEIVER, src_addr=SENDER) / content
    )


def addresses(dice):
    source = dice.choice(
        [(3, FROM_LINK), (2, "fe80::ff:fe00:1234"), (1, "fe80::1:2:3:4"), (0, "2001:db8::7")]
    )
    target = dice.choice(
        [
            (0, 3, TO_LINK),
            (0, 2, "fe80::ff:fe00:4321"),
            (0, 1, "fe80::5:6:7:8"),
            (0, 0, "fd00::1"),
            (1, 3, "ff02::1a"),
            (1, 2, "ff05::12:3456"),
            (1, 1, "ff0e::12:3456:789a"),
            (1, 0, "ff02:1::5"),
        ]
    )
    return source, target


def packet(dice, source, target):
    hlim = dice.choice([(1, 1), (2, 64), (3, 255), (0, dice.randrange(256))])
    ip = IPv6(src=source, dst=target, hlim=hlim[1])
    content = bytes(dice.randrange(256) for _ in range(dice.randrange(1, 30)))
    if dice.random() < 0.3:
        return hlim[0], False, ip / ICMPv6EchoRequest(data=content)
    ports = [dice.choice([5683, 0xF000 + dice.randrange(256), 0xF0B0 + dice.randrange(16)])
             for _ in range(2)]
    # Resolve lengths and checksum before scapy compresses them away.
    return hlim[0], True, IPv6(raw(ip / UDP(sport=ports[0], dport=ports[1]) / content))


def build():
    dice = random.Random(6282)
    for _ in range(200):
        (sam, source), (m, dam, target) = addresses(dice)
        hlim, udp, ip = packet(dice, source, target)
        whole = raw(ip)
        iphc = LoWPAN_IPHC(tf=3, hlim=hlim, nh=int(udp), sam=sam, m=m, dam=dam)
        content = iphc / LoWPAN_NHC() / ip if udp else iphc / IPv6(whole)
        print(frame(content).hex(), whole.hex())
        print(frame(LoWPANUncompressedIPv6() / IPv6(whole)).hex(), whole.hex())


def build_fragments():
    whole = raw(IPv6(src=FROM_LINK, dst=TO_LINK) / UDP(sport=1, dport=2) / bytes(range(250)))
    size = len(whole)
    parts = [LoWPANFragmentationFirst(datagramTag=9, datagramSize=size) / (b"\x41" + whole[:80])]
    for at in range(80, size, 80):
        parts.append(
            LoWPANFragmentationSubsequent(
                datagramTag=9, datagramSize=size, datagramOffset=at // 8
            )
            / whole[at : at + 80]
        )
    for part in parts:
        print(frame(part).hex(), whole.hex() if part is parts[-1] else "-")


def read():
    for line in sys.stdin:
        try:
            octets = bytes.fromhex(line)
            dissected = Dot15d4FCS(octets)
            if raw(dissected)[-2:] != octets[-2:] or dissected.fcs is None:
                raise ValueError("FCS")
            print(raw(dissected[IPv6]).hex())
        except Exception as error:  # reported to the test, which fails
            print("error", type(error).__name__, str(error).replace("\n", " "))


if sys.argv[1] == "build":
    build()
    build_fragments()
else:
    read()
