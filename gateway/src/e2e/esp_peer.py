"""A host with scapy's IPsec that has a mote echo what it says.

esp_peer.py OWN MOTE PROTOCOL KEYS: KEYS are four hexadecimal keys: cipher (with salt) and integrity, from the mote and
to it. Prints a line `echo OCTETS` for each answer that opens and is what was sent, `clear` for one in clear.
"""

import socket
import sys

from scapy.layers.inet import UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.ipsec import AH, ESP, SecurityAssociation
from scapy.packet import Raw

FROM_MOTE, TO_MOTE = 0x11000002, 0x11000001
SIZES = (8, 40, 200, 600)


def association(spi, protocol, cipher, integrity):
    if protocol == "ah":
        return SecurityAssociation(AH, spi=spi, auth_algo="HMAC-SHA1-96", auth_key=integrity[:20])
    return SecurityAssociation(
        ESP, spi=spi, crypt_algo="AES-CTR", crypt_key=cipher, auth_algo="SHA2-256-128", auth_key=integrity
    )


def main(own, mote, protocol, *keys):
    from_cipher, from_integrity, to_cipher, to_integrity = (bytes.fromhex(key) for key in keys)
    header, number = {"esp": (ESP, socket.IPPROTO_ESP), "ah": (AH, socket.IPPROTO_AH)}[protocol]
    to_mote = association(TO_MOTE, protocol, to_cipher, to_integrity)
    from_mote = association(FROM_MOTE, protocol, from_cipher, from_integrity)
    wire = socket.socket(socket.AF_INET6, socket.SOCK_RAW, number)
    wire.bind((own, 0))
    wire.settimeout(20)
    for size in SIZES:
        said = bytes(range(256)) * 3
        packet = IPv6(src=own, dst=mote, hlim=64) / UDP(sport=7777, dport=7) / Raw(said[:size])
        wire.sendto(bytes(to_mote.encrypt(IPv6(bytes(packet)))[header]), (mote, 0))
        octets, source = wire.recvfrom(2000)
        answer = IPv6(src=source[0], dst=own, nh=number, plen=len(octets), hlim=64) / header(octets)
        opened = IPv6(bytes(from_mote.decrypt(IPv6(bytes(answer)))))
        assert opened[UDP].sport == 7 and bytes(opened[UDP].payload) == said[:size]
        print("echo", size, flush=True)
    clear = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    clear.bind((own, 0))
    clear.settimeout(3)
    clear.sendto(b"in clear", (mote, 7))
    try:
        clear.recv(100)
        print("clear", flush=True)
    except TimeoutError:
        print("silence", flush=True)


main(*sys.argv[1:])
