"""Joins the ether as a foreign node made by scapy alone and pings the bridge. Prints one line.

usage: ping_over_zep.py PORT GATEWAY_EUI64
"""

import socket
import struct
import sys

from scapy.layers.dot15d4 import Dot15d4Data, Dot15d4FCS
from scapy.layers.inet6 import ICMPv6EchoReply, ICMPv6EchoRequest, IPv6
from scapy.layers.sixlowpan import LoWPAN_IPHC
from scapy.layers.zigbee import ZEP2
from scapy.packet import Raw

OWN = 0x0004000400040004
UNCOMPRESSED_IPV6 = b"\x41"


def link_local(eui64):
    iid = struct.pack(">Q", eui64 ^ (1 << 57))
    return socket.inet_ntop(socket.AF_INET6, b"\xfe\x80" + bytes(6) + iid)


def zep(frame):
    header = ZEP2(
        ver=2, type=1, channel=26, device=4, lqi_mode=1, lqi_val=255, length=len(frame)
    )
    return bytes(header) + frame


def ping(port, gateway):
    echo = IPv6(src=link_local(OWN), dst=link_local(gateway), hlim=64) / ICMPv6EchoRequest(
        id=0x5A, seq=1, data=b"scapy was here"
    )
    mac = Dot15d4FCS(
        fcf_frametype=1, fcf_panidcompress=1, fcf_ackreq=1, fcf_destaddrmode=3, fcf_srcaddrmode=3,
        fcf_framever=1, seqnum=9,
    ) / Dot15d4Data(dest_panid=0xABCD, dest_addr=gateway, src_addr=OWN)
    frame = bytes(mac / Raw(UNCOMPRESSED_IPV6 + bytes(echo)))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.settimeout(5)
        sock.sendto(zep(frame), ("127.0.0.1", port))
        acknowledged = False
        while True:
            packet = ZEP2(sock.recv(256))
            answer = Dot15d4FCS(bytes(packet.payload)[: packet.length])
            if answer.fcf_frametype == 2 and answer.seqnum == 9:
                acknowledged = True
            elif answer.fcf_frametype == 1 and answer.haslayer(ICMPv6EchoReply):
                reply = answer[ICMPv6EchoReply]
                data = bytes(reply.data)
                source = answer[IPv6].src
                compressed = answer.haslayer(LoWPAN_IPHC)
                return f"acknowledged={acknowledged} compressed={bool(compressed)} from={source} data={data.decode()}"


print(ping(int(sys.argv[1]), int(sys.argv[2], 16)))
