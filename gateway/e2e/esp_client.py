"""Hosts with scapy's IPsec that ask the gateway itself, which is the other end of the associations.

esp_client.py GATEWAY FILE NAME=OWN...: FILE is the gateway's file, OWN a host's address, NAME the prefix of its output
lines. Prints `NAME coap CODE` for a large answer to a GET that needed no Echo, `NAME echo OCTETS` for answered ICMPv6
echo requests, `NAME options` for an echo request behind destination options, and `NAME silence WHAT` for requests
without an answer.
"""

import pathlib
import random
import socket
import sys

from scapy.layers.inet import UDP
from scapy.layers.inet6 import ICMPv6EchoReply, ICMPv6EchoRequest, IPv6, IPv6ExtHdrDestOpt, PadN
from scapy.packet import Raw
from scapy_ipsec import Host

PORT = 40000
WELL_KNOWN_CORE = b"\xbb.well-known\x04core"
OPTIONS = IPv6ExtHdrDestOpt(options=[PadN(optdata=bytes(4))])


def get():
    """A CoAP message with a new message ID."""
    return b"\x40\x01" + random.randbytes(2) + WELL_KNOWN_CORE


class Client:
    def __init__(self, name, own, gateway, lines):
        self.name, self.own, self.gateway, self.host = name, own, gateway, Host(own, lines)
        self.sending = socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_RAW)
        self.receiving = socket.socket(socket.AF_INET6, socket.SOCK_RAW, self.host.protocol)
        self.receiving.bind((own, 0))
        self.receiving.settimeout(20)

    def say(self, *words):
        print(self.name, *words, flush=True)

    def protected(self, upper):
        return self.host.seal(IPv6(src=self.own, dst=self.gateway, hlim=64) / upper)

    def send(self, packet):
        self.sending.sendto(packet, (self.gateway, 0))

    def answer(self):
        octets, source = self.receiving.recvfrom(2000)
        return self.host.open(octets, source[0])

    def pings(self, number, size, before=None):
        """Whether the next packet answers this echo request, behind a header if one is given."""
        request = ICMPv6EchoRequest(id=7, seq=number, data=bytes(size))
        self.send(self.protected(before / request if before else request))
        answer = self.answer()
        return ICMPv6EchoReply in answer and answer[ICMPv6EchoReply].seq == number and answer[ICMPv6EchoReply].data == bytes(size)

    def ask(self):
        question = get()
        self.send(self.protected(UDP(sport=PORT, dport=5683) / Raw(question)))
        coap = self.answer()[UDP]
        payload = bytes(coap.payload)
        assert coap.dport == PORT and len(payload) > 3 * len(question), payload
        self.say(f"coap {payload[1] >> 5}.{payload[1] & 31:02}")
        for size in (8, 40, 200, 512):
            assert self.pings(size, size)
            self.say("echo", size)
        assert self.pings(1, 8, OPTIONS)
        self.say("options")

    def provoke(self):
        """The order is kept, so an unexpected answer would arrive before the answer to the ping that follows."""
        sent = self.protected(ICMPv6EchoRequest(id=7, seq=9))
        self.send(sent[:-1] + bytes([sent[-1] ^ 1]))
        assert self.pings(2, 8)
        self.say("silence corrupted")
        self.send(sent)
        assert self.answer()[ICMPv6EchoReply].seq == 9
        self.send(sent)
        assert self.pings(3, 8)
        self.say("silence replayed")
        with socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6) as clear:
            clear.bind((self.own, 0))
            clear.setblocking(False)
            self.send(bytes(IPv6(src=self.own, dst=self.gateway, hlim=64) / ICMPv6EchoRequest(id=7, seq=5)))
            assert self.pings(4, 8)
            try:
                self.say("answered in clear", clear.recv(100))
            except BlockingIOError:
                self.say("silence clear")


def main(gateway, file, *hosts):
    lines = pathlib.Path(file).read_text().splitlines()
    for name, own in (host.split("=") for host in hosts):
        client = Client(name, own, gateway, lines)
        client.ask()
        client.provoke()


main(*sys.argv[1:])
