"""Prints vectors/ipsec/udp.txt: ESP of scapy around a UDP header that is compressed here, written from RFC 6282 section 4.3."""

from ipsec_vectors import esp
from scapy.all import ICMPv6EchoRequest, IPv6, UDP, Raw, raw

SIZES = 0, 1, 8, 54
PORTS = (5683, 5684), (61616, 61631), (5683, 61440), (61695, 5683), (61616, 61440)
LAYERS = "esp-udp aes-ctr hmac-sha1-96", "esp-udp aes-cbc hmac-sha256-128", "esp-udp aes-ccm-8"
HEADER, UDP_HEADER, NEXT_AT = 40, 8, 6


def compressed(udp):
    """The header's NHC and ports, its checksum; the length is left out."""
    source, destination = int.from_bytes(udp[:2], "big"), int.from_bytes(udp[2:4], "big")
    if source >> 4 == destination >> 4 == 0xF0B:
        ports = bytes([0xF3, (source & 15) << 4 | destination & 15])
    elif destination >> 8 == 0xF0:
        ports = b"\xf1" + udp[:2] + udp[3:4]
    elif source >> 8 == 0xF0:
        ports = b"\xf2" + udp[1:4]
    else:
        ports = b"\xf0" + udp[:4]
    return ports + udp[6:8] + udp[UDP_HEADER:]


def inside(packet):
    """The packet as scapy encrypts it: its trailer names UDP, and the compressed header follows."""
    octets = raw(packet)
    if octets[NEXT_AT] != 17:
        return packet
    content = compressed(octets[HEADER:])
    return IPv6(src=packet.src, dst=packet.dst, hlim=packet.hlim, nh=17) / Raw(content)


def packets():
    ends = {"src": "fd00::202:2:2:2", "dst": "fd00::201:1:1:1", "hlim": 64}
    for ports in PORTS:
        for size in SIZES:
            yield f"ports {ports[0]} and {ports[1]}, {size} octets", IPv6(**ends) / UDP(sport=ports[0], dport=ports[1]) / Raw(
                bytes(number % 251 for number in range(size)))
    yield "ICMPv6 stays as it is", IPv6(**ends) / ICMPv6EchoRequest(id=1, seq=2, data=b"ping")


def main():
    print("# ESP with a compressed UDP header inside (docs/protocol.md section 10), encrypted by scapy 2.8 (tests/peer/udp_vectors.py);")
    print("# the header was compressed by that script, from RFC 6282 section 4.3. Lines and keys as in headers.txt.")
    for number, (title, packet) in enumerate(packets()):
        layer = LAYERS[number % len(LAYERS)]
        plain = raw(packet)
        sealed = esp(inside(IPv6(plain)), layer.split()[1:])
        print(f"\nvector {number + 1}: {title}\nlayer {layer}\nipv6 {sealed.hex()}\nplain {plain.hex()}")


if __name__ == "__main__":
    main()
