"""Prints vectors/ipsec/chains.txt: random packets with random legal header chains, protected by scapy and compressed here.

The root's headers come last: they are not covered by AH (docs/protocol.md section 10). The 6LoWPAN form is written from
RFC 6282 and docs/protocol.md section 9, for these packets only. The codecs of both languages must agree with these vectors.
"""

import random

from ipsec_vectors import ah, esp
from scapy.all import IPv6, UDP, ICMPv6EchoRequest, IPv6ExtHdrDestOpt, IPv6ExtHdrHopByHop, PadN, Raw, RouterAlert, raw
from scapy.layers.inet6 import HBHOptUnknown

SEED, CASES = 20110922, 72
MOTE, HOP, ROOT, HOST, OTHER = "fd00::202:2:2:2", "fd00::203:3:3:3", "fd00::201:1:1:1", "2001:db8::11", "fd00::9"
LINKS = {MOTE: "0002000200020002", HOP: "0003000300030003", ROOT: "0001000100010001"}
LAYERS = [
    ["esp aes-cbc hmac-sha1-96"], ["esp aes-ctr hmac-sha1-96"], ["esp aes-ctr hmac-sha256-128"], ["esp aes-ccm-8"],
    ["ah hmac-sha1-96"], ["ah hmac-sha256-128"], ["ah hmac-sha1-96", "esp aes-ctr hmac-sha1-96"],
    ["ah hmac-sha256-128", "esp aes-ccm-8"],
]
HOP_BY_HOP, ROUTING, ESP, AH, DESTINATION, UDP_HEADER = 0, 43, 50, 51, 60, 17
NHC_OF = {HOP_BY_HOP: 0xE0, ROUTING: 0xE2, DESTINATION: 0xE6}
HEADER, NEXT_AT = 40, 6


def option(chance):
    """An option that hosts skip; with 0x20 in the type its data may change in transit."""
    kind = chance.choice((0x1E, 0x3E))
    return HBHOptUnknown(otype=kind, optdata=chance.randbytes(chance.choice((1, 2, 4, 7, 12))))


def plain(chance, source, destination):
    packet = IPv6(src=source, dst=destination, hlim=chance.choice((64, 64, 255, 1, 63)))
    if chance.random() < 0.3:
        packet.tc, packet.fl = chance.choice((0, 4, 1, 0xB9)), chance.choice((0, 5, 0xABCDE))
    for _ in range(chance.choice((0, 0, 1, 2))):
        packet /= IPv6ExtHdrDestOpt(options=[option(chance) for _ in range(chance.choice((1, 1, 2)))])
    payload = Raw(chance.randbytes(chance.choice((0, 1, 7, 16, 33, 64, 90, 200))))
    kind = chance.random()
    if kind < 0.75:
        ports = (5683, 61616, 61617, 0xF012, 7)
        return packet / UDP(sport=chance.choice(ports), dport=chance.choice(ports)) / payload
    return packet / ICMPv6EchoRequest(id=1, seq=2, data=bytes(payload))


def root_header(chance, up):
    """Protocol and octets (without next header) of the header that RPL inserts after IPv6; None: no header."""
    if chance.random() < 0.3:
        return None
    if up:
        return HOP_BY_HOP, bytes([0, 0x63, 4, 0, 0]) + chance.randbytes(2)
    through = chance.choice((None, MOTE))
    if through is None:
        return ROUTING, bytes([0, 3, 0, 0, 0, 0, 0])
    return ROUTING, bytes([1, 3, 1, 0x88, 0, 0, 0]) + raw(IPv6(dst=through))[32:40]


def with_header(packet, header):
    """The packet with one more header in front. With a segment left, a route goes to its hop first."""
    if header is None:
        return packet
    protocol, body = header
    inserted = bytes([packet[NEXT_AT]]) + body
    first = bytearray(packet[:HEADER])
    first[4:6] = (len(packet) - HEADER + len(inserted)).to_bytes(2, "big")
    first[NEXT_AT] = protocol
    if protocol == ROUTING and body[2] == 1:
        first[24:40] = raw(IPv6(dst=HOP))[24:40]
    return bytes(first) + inserted + packet[HEADER:]


def address(octets, link, at_source):
    """The two bits of mode (and the context bit) with the octets inline (RFC 6282 section 3.1.1)."""
    identifier = bytes([int(link[:2], 16) ^ 2]) + bytes.fromhex(link[2:])
    if octets[:8] != bytes([0xFD]) + bytes(7):
        return 0, octets
    if octets[8:] == identifier:
        return 7, b""
    if octets[8:14] == bytes([0, 0, 0, 0xFF, 0xFE, 0]):
        return 6, octets[14:]
    return 5, octets[8:]


def traffic(word):
    """TF bits and inline octets of traffic class and flow label (RFC 6282 section 3.1.1)."""
    kind, label = word >> 20 & 0xFF, word & 0xFFFFF
    ecn_dscp = (kind & 3) << 6 | kind >> 2
    if label and kind >> 2:
        return 0, bytes([ecn_dscp]) + label.to_bytes(3, "big")
    if label:
        return 1, ((ecn_dscp >> 6) << 22 | label).to_bytes(3, "big")
    return (2, bytes([ecn_dscp])) if kind else (3, b"")


def compressed_header(protocol, octets):
    """NHC of the first header, as a function of whether the next header is compressed; its size; the next header."""
    if protocol == UDP_HEADER:
        source, destination = octets[:2], octets[2:4]
        if source[:1] + destination[:1] == b"\xf0\xf0" and source[1] >> 4 == destination[1] >> 4 == 0xB:
            ports = bytes([0xF3, (source[1] & 15) << 4 | destination[1] & 15])
        elif destination[0] == 0xF0:
            ports = b"\xf1" + source + destination[1:]
        else:
            ports = b"\xf2" + source[1:] + destination if source[0] == 0xF0 else b"\xf0" + source + destination
        return lambda _: ports + octets[6:8], 8, None
    if protocol == ESP:
        spi, sequence = octets[:4], int.from_bytes(octets[4:8], "big")
        form, inline = 3, spi
        if int.from_bytes(spi, "big") < 1 << 16:
            form, inline = (0, b"") if spi[2:] == b"\0\1" else (2, spi[2:]) if spi[2] else (1, spi[3:])
        return lambda _: bytes([0xED, 0xE0 | form << 2 | 2 * (sequence >> 16 > 0)]) + inline + number(sequence), 8, None
    if protocol == AH:
        length, sequence = octets[1], int.from_bytes(octets[8:12], "big")
        spi = b"" if octets[4:8] == b"\0\0\0\1" else octets[4:8]
        bits = 8 * (length != 4) | 4 * bool(spi) | 2 * (sequence >> 16 > 0)
        size = 4 * (length + 2)

        def write(more):
            fields = (b"" if more else octets[:1]) + (b"" if length == 4 else octets[1:2]) + spi + number(sequence)
            return bytes([0xEB, 0xD0 | bits | more]) + fields + octets[12:size]

        return write, size, octets[0]
    if protocol in NHC_OF:
        size = 8 * (octets[1] + 1)
        return lambda more: bytes([NHC_OF[protocol] | more]) + (b"" if more else octets[:1]) + bytes([size - 2]) + octets[2:size], size, octets[0]
    return None


def number(sequence):
    return sequence.to_bytes(4 if sequence >> 16 else 2, "big")


def compressed(packet, source_link, destination_link):
    """The headers in 6LoWPAN with context 0 = fd00::/64, and the number of octets of the packet that they replace."""
    chain, at, protocol = [], HEADER, packet[NEXT_AT]
    while protocol is not None and (header := compressed_header(protocol, packet[at:])):
        chain.append(header[0])
        at, protocol = at + header[1], header[2]
    form, classes = traffic(int.from_bytes(packet[:4], "big"))
    limit = {1: 1, 64: 2, 255: 3}.get(packet[7], 0)
    source, source_octets = address(packet[8:24], source_link, True)
    destination, destination_octets = address(packet[24:40], destination_link, False)
    octets = bytes([0x60 | form << 3 | 4 * bool(chain) | limit, source << 4 | destination]) + classes
    octets += b"" if chain else packet[NEXT_AT : NEXT_AT + 1]
    octets += (packet[7:8] if limit == 0 else b"") + source_octets + destination_octets
    for index, write in enumerate(chain):
        octets += write(int(index + 1 < len(chain)))
    return octets, at


def main():
    chance = random.Random(SEED)
    print("# Random packets with random legal header chains (tests/peer/chain_vectors.py, seed %d): \"layer\", \"ipv6\" and \"plain\"" % SEED)
    print("# as in headers.txt; \"plain\" keeps the headers of the root. \"links\": source and destination of the frames; \"lowpan\": the")
    print("# compressed headers with context 0 = fd00::/64 for a neighbour that reads NHC_AH and NHC_ESP; then how many octets of the")
    print("# packet.")
    for case in range(1, CASES + 1):
        layers, up = chance.choice(LAYERS), chance.random() < 0.5
        ends = (MOTE, chance.choice((ROOT, HOST, OTHER))) if up else (chance.choice((ROOT, HOST, OTHER)), MOTE)
        header = root_header(chance, up)
        clear = raw(plain(chance, *ends))
        packet = IPv6(clear)
        for layer in reversed(layers):
            protocol, *algorithms = layer.split()
            packet = IPv6(esp(packet, algorithms) if protocol == "esp" else ah(packet, *algorithms))
        final = with_header(raw(packet), header)
        first_hop = IPv6(final).dst if not up else ROOT
        links = (LINKS[MOTE], LINKS[ROOT]) if up else (LINKS[ROOT], LINKS[first_hop])
        octets, covered = compressed(final, *links)
        print(f"\nvector {case}: {'up' if up else 'down'}, {', '.join(layers)}")
        for layer in layers:
            print(f"layer {layer}")
        print(f"ipv6 {final.hex()}\nplain {with_header(clear, header).hex()}\nlinks {links[0]} {links[1]}\nlowpan {octets.hex()} of {covered}")


if __name__ == "__main__":
    main()
