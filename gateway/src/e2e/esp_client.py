"""A host with scapy's IPsec that asks the gateway itself, its own end of the associations.

esp_client.py OWN GATEWAY PROFILE SPI KEYS: SPI is that towards the gateway, KEYS are two or four hexadecimal keys, those of the host's direction first: cipher
(with salt) and, where the profile has one, integrity. Prints `coap CODE` for a large answer to a GET in ESP that needed no
Echo, `echo OCTETS` for answered ICMPv6 echo requests, and `silence WHAT` for what got no answer.
"""

import random
import socket
import sys

from scapy.layers.inet import UDP
from scapy.layers.inet6 import ICMPv6EchoReply, ICMPv6EchoRequest, IPv6
from scapy.layers.ipsec import ESP, SecurityAssociation
from scapy.packet import Raw

FROM_GATEWAY = 0x11000002
ALGORITHMS = {
    "cbc-sha1": ("AES-CBC", "HMAC-SHA1-96"),
    "cbc-sha256": ("AES-CBC", "SHA2-256-128"),
    "ccm8": ("AES-CCM", "NULL"),
}
PORT = 40000
WELL_KNOWN_CORE = b"\xbb.well-known\x04core"


def association(spi, profile, keys):
    cipher, integrity = ALGORITHMS[profile]
    extra = {"crypt_icv_size": 8} if profile == "ccm8" else {"auth_key": keys[1]}
    return SecurityAssociation(ESP, spi=spi, crypt_algo=cipher, crypt_key=keys[0], auth_algo=integrity, **extra)


def main(own, gateway, profile, spi, *keys):
    keys = [bytes.fromhex(key) for key in keys]
    half = len(keys) // 2
    to_gateway = association(int(spi, 16), profile, keys[:half])
    from_gateway = association(FROM_GATEWAY, profile, keys[half:])
    esp = socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ESP)
    esp.bind((own, 0))

    def protected(upper):
        packet = IPv6(src=own, dst=gateway, hlim=64) / upper
        return bytes(to_gateway.encrypt(IPv6(bytes(packet)))[ESP])

    def answer(seconds):
        """The next packet of the gateway, opened; none: nothing came."""
        esp.settimeout(seconds)
        try:
            octets, source = esp.recvfrom(2000)
        except TimeoutError:
            return None
        sealed = IPv6(src=source[0], dst=own, nh=socket.IPPROTO_ESP, plen=len(octets), hlim=64) / ESP(octets)
        return IPv6(bytes(from_gateway.decrypt(IPv6(bytes(sealed)))))

    def ask(octets):
        esp.sendto(octets, (gateway, 0))
        return answer(20)

    def silent(what, octets):
        esp.sendto(octets, (gateway, 0))
        assert answer(1.5) is None, what
        print("silence", what, flush=True)

    get = b"\x40\x01" + random.randbytes(2) + WELL_KNOWN_CORE
    coap = ask(protected(UDP(sport=PORT, dport=5683) / Raw(get)))[UDP]
    payload = bytes(coap.payload)
    assert coap.dport == PORT and len(payload) > 3 * len(get), payload
    print(f"coap {payload[1] >> 5}.{payload[1] & 31:02}", flush=True)
    for size in (8, 40, 200, 512):
        reply = ask(protected(ICMPv6EchoRequest(id=7, seq=size, data=bytes(size))))[ICMPv6EchoReply]
        assert reply.seq == size and reply.data == bytes(size)
        print("echo", size, flush=True)
    sent = protected(UDP(sport=PORT, dport=5683) / Raw(get[:2] + random.randbytes(2) + WELL_KNOWN_CORE))
    silent("corrupted", sent[:-1] + bytes([sent[-1] ^ 1]))
    assert ask(sent) is not None
    silent("replayed", sent)
    clear = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    clear.bind((own, 0))
    clear.settimeout(1.5)
    clear.sendto(get, (gateway, 5683))
    try:
        assert clear.recv(100) is None
    except TimeoutError:
        print("silence clear", flush=True)


main(*sys.argv[1:])
