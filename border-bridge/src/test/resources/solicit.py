"""Asks for a router advertisement at an interface, as rdisc6 does, and prints it in hex.

Usage: solicit.py INTERFACE
"""
import socket
import struct
import sys

ICMP6_FILTER = 1
ADVERTISEMENT = 134

interface = sys.argv[1]
index = socket.if_nametoindex(interface)
with socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6) as raw:
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, interface.encode() + b"\0")
    raw.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
    only = [0xFFFFFFFF] * 8
    only[ADVERTISEMENT >> 5] &= ~(1 << (ADVERTISEMENT & 31)) & 0xFFFFFFFF
    raw.setsockopt(socket.IPPROTO_ICMPV6, ICMP6_FILTER, struct.pack("8I", *only))
    raw.settimeout(4)
    for _ in range(5):
        raw.sendto(bytes([133, 0, 0, 0, 0, 0, 0, 0]), ("ff02::2", 0, 0, index))
        try:
            message, source = raw.recvfrom(1500)
        except TimeoutError:
            continue
        print(source[0].split("%")[0], message.hex())
        sys.exit(0)
sys.exit("no advertisement came")
