"""A host with scapy's IPsec that lets a mote echo its datagrams.

esp_peer.py OWN MOTE FILE: FILE is the mote's file of associations. Prints a line `echo OCTETS` for each answer that can
be decrypted and equals the datagram, `options` for an answer to a datagram behind destination options, and `silence` if
a datagram in clear got no answer.
"""

import pathlib
import socket
import sys

from scapy.layers.inet import UDP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrDestOpt, PadN
from scapy.packet import Raw
from scapy_ipsec import Host

SIZES = (8, 40, 200, 600)
OPTIONS = IPv6ExtHdrDestOpt(options=[PadN(optdata=bytes(4))])


def main(own, mote, file):
    host = Host(own, pathlib.Path(file).read_text().splitlines())
    sending = socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_RAW)
    receiving = socket.socket(socket.AF_INET6, socket.SOCK_RAW, host.protocol)
    receiving.bind((own, 0))
    receiving.settimeout(50)

    def echoed(headers, payload):
        packet = IPv6(src=own, dst=mote, hlim=64) / headers / Raw(payload)
        sending.sendto(host.seal(packet), (mote, 0))
        octets, source = receiving.recvfrom(2000)
        answer = host.open(octets, source[0])
        return answer[UDP].sport == 7 and bytes(answer[UDP].payload) == payload

    for size in SIZES:
        assert echoed(UDP(sport=7777, dport=7), (bytes(range(256)) * 3)[:size])
        print("echo", size, flush=True)
    assert echoed(OPTIONS / UDP(sport=7777, dport=7), b"behind options")
    print("options", flush=True)
    clear = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    clear.bind((own, 0))
    clear.sendto(b"in clear", (mote, 7))
    # The order is kept: an answer to the datagram in clear would arrive before this answer.
    assert echoed(UDP(sport=7777, dport=7), b"after it")
    clear.setblocking(False)
    try:
        clear.recv(100)
        print("answered in clear", flush=True)
    except BlockingIOError:
        print("silence", flush=True)


main(*sys.argv[1:])
