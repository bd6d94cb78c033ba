"""Prints vectors/rpl/source-routes.txt: RFC 6554 sections 3 (format) and 4.2 (processing), computed here from the text of
the RFC. `python tests/peer/source_route_vectors.py > vectors/rpl/source-routes.txt`"""

import ipaddress
import os.path

HEAD = """\
# Source routes that elide all leading octets that the addresses share (RFC 6554 section 3), made by
# tests/peer/source_route_vectors.py. "path": the addresses from the first router to the destination. "ipv6": the packet,
# without payload, as the root sends it and then as each router forwards it (section 4.2)."""

CASES = {
    "consecutive EUI-64s: one octet for each router": [f"fd00::56:4947:494c:{n:x}" for n in range(2, 8)],
    "short addresses: two octets": [f"fd00::ff:fe00:{n:x}" for n in (0x101, 0x202, 0x303, 0x404)],
    "one router": ["fd00::56:4947:494c:2", "fd00::56:4947:494c:3"],
    "no router": ["fd00::56:4947:494c:2"],
    "one manufacturer: four octets": [f"fd00::212:4b00:{n:x}:{n:x}" for n in (0x14d5, 0x1a00, 0x17ff)],
    "different manufacturers: the prefix": ["fd00::202:2:2:2", "fd00::212:4b00:14d5:1", "fd00::a03:3:3:3"],
    "the first router differs from the others": ["fd00::202:2:2:2", "fd00::56:4947:494c:3", "fd00::56:4947:494c:4"],
    "nothing is shared": ["2001:db8::2", "fd00::3"],
}


def header(destination, addresses, left, elided):
    for address in addresses:
        assert address[:elided] == destination[:elided]
    octets = b"".join(address[elided:] for address in addresses)
    pad = -len(octets) % 8
    fixed = bytes([59, (len(octets) + pad) // 8, 3, left, elided << 4 | elided, pad << 4, 0, 0])
    return fixed + octets + bytes(pad)


def packet(destination, addresses, left, hop_limit, elided):
    route = header(destination, addresses, left, elided)
    source = ipaddress.IPv6Address("fd00::1").packed
    return bytes([0x60, 0, 0, 0, 0, len(route), 43, hop_limit]) + source + destination + route


def main():
    print(HEAD)
    for title, path in CASES.items():
        destination, *addresses = [ipaddress.IPv6Address(one).packed for one in path]
        print(f"\ncase {title}\npath", " ".join(one.hex() for one in [destination, *addresses]))
        elided = min(15, len(os.path.commonprefix([destination, *addresses])))
        for at in range(len(path)):
            print("ipv6", packet(destination, addresses, len(addresses) - at, 64 - at, elided).hex())
            if at < len(addresses):
                destination, addresses[at] = addresses[at], destination


if __name__ == "__main__":
    main()
