"""A host that reads a sensor of a mote every ten seconds, in ESP, and prints the answer: ipsec-peer.py OWN MOTE FILE PATH

FILE is the mote's file of associations (docs/protocol.md 10.1). Raw sockets and scapy's IPsec replace the host's kernel
with the commands of `./vigil sa linux`, so it also runs on kernels without ESP.
"""

import os
import pathlib
import random
import signal
import socket
import sys
import threading
import time

from scapy.layers.inet import UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.ipsec import IPSecIntegrityError
from scapy.packet import Raw
from scapy_ipsec import Host

PERIOD, PATIENCE = 10, 5
COAP_PORT, OWN_PORT = 5683, 40000
ACKNOWLEDGEMENT = 2


def code_and_payload(message):
    """The code of a CoAP message (RFC 7252 section 3), such as `2.05`, and its payload after the payload marker."""
    return f"{message[1] >> 5}.{message[1] & 31:02}", message[4:].partition(b"\xff")[2].decode(errors="replace")


class Peer:
    def __init__(self, own, mote, file, path):
        self.own, self.mote, self.path = own, mote, path
        self.host = Host(own, pathlib.Path(file).read_text().splitlines())
        # Hundredths of seconds since the keys were created: no number is repeated, even after a restart.
        number = int((time.time() - os.stat(file).st_mtime) * 100) + 1
        for association in self.host.sealing:
            association.seq_num = number
        self.sending = socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_RAW)
        self.receiving = socket.socket(socket.AF_INET6, socket.SOCK_RAW, self.host.protocol)
        self.receiving.bind((own, 0))

    def ask(self):
        """Sends one request; returns a line about its result."""
        number = random.randbytes(2)
        request = b"\x40\x01" + number + bytes([0xB0 | len(self.path)]) + self.path.encode()
        packet = IPv6(src=self.own, dst=self.mote, hlim=64) / UDP(sport=OWN_PORT, dport=COAP_PORT) / Raw(request)
        started = time.monotonic()
        self.sending.sendto(self.host.seal(packet), (self.mote, 0))
        while (left := started + PATIENCE - time.monotonic()) > 0:
            self.receiving.settimeout(left)
            try:
                octets, source = self.receiving.recvfrom(2000)
            except TimeoutError:
                break
            try:
                answer = bytes(self.host.open(octets, source[0])[UDP].payload)
            except (IPSecIntegrityError, IndexError, TypeError) as wrong:
                # A raw socket also receives packets of other peers and forged ones.
                print(f"a packet of {source[0]} does not open: {wrong}", flush=True)
                continue
            if answer[0] >> 4 & 3 == ACKNOWLEDGEMENT and answer[2:4] == number:
                code, payload = code_and_payload(answer)
                return f"{self.mote} /{self.path}: {code} {payload} in ESP after {time.monotonic() - started:.2f} s"
        return f"{self.mote} /{self.path}: no answer in ESP within {PATIENCE} s"


def main(own, mote, file, path):
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    peer = Peer(own, mote, file, path)
    while not ended.is_set():
        print(peer.ask(), flush=True)
        ended.wait(PERIOD)


main(*sys.argv[1:])
