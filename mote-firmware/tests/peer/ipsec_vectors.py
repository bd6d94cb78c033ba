"""Prints vectors/ipsec/headers.txt: packets that scapy protects, with destination options before AH
and ESP, and with ESP inside AH."""

import hmac

from scapy.all import IPv6, UDP, IPv6ExtHdrDestOpt, IPv6ExtHdrHopByHop, PadN, Raw, RouterAlert, raw
from scapy.layers.inet6 import HBHOptUnknown
from scapy.layers.ipsec import ESP, SecurityAssociation, split_for_transport, zero_mutable_fields

KEY = bytes(range(16))
INTEGRITY_KEY = bytes(range(0x10, 0x30))
SALTS = {"aes-ctr": b"\xa0\xa1\xa2\xa3", "aes-ccm-8": b"\xa0\xa1\xa2"}
ENCRYPTION = {"aes-cbc": "AES-CBC", "aes-ctr": "AES-CTR", "aes-ccm-8": "AES-CCM"}
# scapy's name, size of the key
INTEGRITY = {"hmac-sha1-96": ("HMAC-SHA1-96", 20), "hmac-sha256-128": ("SHA2-256-128", 32)}
SPI = {"esp": 0x11000001, "ah": 0x11000002}

OPTION = IPv6ExtHdrDestOpt(options=[HBHOptUnknown(otype=0x1E, optdata=b"\x01\x02")])
# 0x3e: the data may change in transit, so AH treats it as zeros
MUTABLE = IPv6ExtHdrDestOpt(options=[HBHOptUnknown(otype=0x3E, optdata=b"\x07\x08"), PadN(optdata=b"\0\0")])
ALERT = IPv6ExtHdrHopByHop(options=[RouterAlert()])

CASES = [
    ("destination options, ESP", [OPTION], ["esp aes-cbc hmac-sha1-96"]),
    ("destination options, combined ESP", [OPTION], ["esp aes-ccm-8"]),
    ("two destination options headers, ESP", [OPTION, MUTABLE], ["esp aes-ctr hmac-sha256-128"]),
    ("destination options, AH", [OPTION], ["ah hmac-sha1-96"]),
    ("hop-by-hop and mutable destination options, AH", [ALERT, MUTABLE], ["ah hmac-sha256-128"]),
    ("AH, ESP", [], ["ah hmac-sha1-96", "esp aes-cbc hmac-sha1-96"]),
    ("AH, combined ESP", [], ["ah hmac-sha256-128", "esp aes-ccm-8"]),
    ("destination options, AH, ESP", [MUTABLE], ["ah hmac-sha1-96", "esp aes-ctr hmac-sha1-96"]),
]


def esp(packet, algorithms):
    options = {}
    for name in algorithms:
        if name in ENCRYPTION:
            options |= {"crypt_algo": ENCRYPTION[name], "crypt_key": KEY + SALTS.get(name, b"")}
            if name == "aes-ccm-8":
                options["crypt_icv_size"] = 8
        else:
            options["auth_algo"], length = INTEGRITY[name]
            options["auth_key"] = INTEGRITY_KEY[:length]
    iv = bytes(range(0xC0, 0xD0))[: 16 if "aes-cbc" in algorithms else 8]
    return raw(SecurityAssociation(ESP, spi=SPI["esp"], seq_num=7, **options).encrypt(packet, iv=iv))


def ah(packet, algorithm):
    """AH with scapy's headers and Python's HMAC, because scapy writes the ICV of AH around ESP to the wrong place."""
    icv_size, digest, length = (12, "sha1", 20) if algorithm == "hmac-sha1-96" else (16, "sha256", 32)
    field = icv_size + (-(12 + icv_size) % 8)
    headers, protocol, payload = split_for_transport(packet, 51)

    def whole(icv):
        fixed = bytes([protocol, (12 + field) // 4 - 2, 0, 0]) + SPI["ah"].to_bytes(4, "big") + (7).to_bytes(4, "big")
        return raw(headers / Raw(fixed + icv.ljust(field, b"\0") + raw(payload)))

    covered = raw(zero_mutable_fields(IPv6(whole(b""))))
    return whole(hmac.digest(INTEGRITY_KEY[:length], covered, digest)[:icv_size])


def main():
    print("# IPv6 packets in transport mode, made by scapy 2.8 and Python's hmac (tests/peer/ipsec_vectors.py). Like Linux, scapy puts AH and ESP")
    print("# behind destination options that no routing header follows (RFC 4302 section 3.1.1, RFC 4303 section 3.1.1: they may be on")
    print("# either side). \"layer\": AH or ESP and its algorithms, outermost first; \"ipv6\": the protected packet; \"plain\": without them.")
    print("# SPI 0x11000001 of ESP, 0x11000002 of AH; sequence number 7; cipher key 000102030405060708090a0b0c0d0e0f, CTR salt")
    print("# a0a1a2a3, CCM salt a0a1a2, integrity key 10 11 12 .. of the algorithm's size.")
    for number, (title, headers, layers) in enumerate(CASES, 1):
        packet = IPv6(src="fd00::202:2:2:2", dst="fd00::201:1:1:1", hlim=64)
        for header in headers:
            packet /= header.copy()
        packet /= UDP(sport=5683, dport=5684) / Raw(b"a payload of 24 octets..")
        plain = raw(packet)
        packet = IPv6(plain)
        for layer in reversed(layers):
            protocol, *algorithms = layer.split()
            packet = IPv6(esp(packet, algorithms) if protocol == "esp" else ah(packet, *algorithms))
        print(f"\nvector {number}: {title}")
        for layer in layers:
            print(f"layer {layer}")
        print(f"ipv6 {raw(packet).hex()}\nplain {plain.hex()}")


if __name__ == "__main__":
    main()
