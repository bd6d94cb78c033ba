"""The far host of a file of associations (docs/protocol.md 10.1), with scapy's IPsec; scapy lacks AES-XCBC."""

from scapy.layers.inet6 import IPv6
from scapy.layers.ipsec import AH, ESP, SecurityAssociation, split_for_transport
from scapy.packet import Raw

ALGORITHMS = {
    "cbc-sha1": ("AES-CBC", "HMAC-SHA1-96"),
    "ctr-sha1": ("AES-CTR", "HMAC-SHA1-96"),
    "cbc-sha256": ("AES-CBC", "SHA2-256-128"),
    "ccm8": ("AES-CCM", "NULL"),
    "ah-sha1": ("NULL", "HMAC-SHA1-96"),
}
NUMBERS = {ESP: 50, AH: 51}


def association(words):
    """Scapy's association for a line."""
    _, protocol, profile, spi, _, _, *keys = words
    cipher, integrity = ALGORITHMS[profile]
    keys = [bytes.fromhex(key) for key in keys]
    more = {}
    if protocol == "esp":
        more |= {"crypt_algo": cipher, "crypt_key": keys[0]}
    more |= {"crypt_icv_size": 8} if profile == "ccm8" else {"auth_algo": integrity, "auth_key": keys[-1]}
    return SecurityAssociation(AH if protocol == "ah" else ESP, spi=int(spi, 16), **more)


def in_ah(association, packet):
    """A correct `encrypt`: scapy's own mistakes an AH around an ESP for the ESP's ICV."""
    header, following, payload = split_for_transport(packet, NUMBERS[AH])
    icv = association.auth_algo.icv_size
    ah = AH(spi=association.spi, seq=association.seq_num, nh=following, payloadlen=(12 + icv) // 4 - 2, icv=bytes(icv))
    header.plen = len(header.payload) + len(ah) + len(payload)
    association.seq_num += 1
    return association.auth_algo.sign(header / ah / Raw(bytes(payload)), association.auth_key)


class Host:
    """Protects packets for the node that has the file, and decrypts the node's packets: an AH encloses the ESP."""

    def __init__(self, own, lines):
        words = [line.split() for line in lines]
        self.own = own
        # `in` and `out` are seen from the node; the ESP comes first.
        self.sealing, self.opening = (
            [association(one) for one in sorted(words, key=lambda one: one[1] == "ah") if one[0] == way and one[end] == own]
            for way, end in (("in", 4), ("out", 5)))

    @property
    def protocol(self):
        """The number of the outermost layer."""
        return NUMBERS[self.sealing[-1].proto]

    def seal(self, packet):
        for one in self.sealing:
            packet = IPv6(bytes(packet))
            packet = in_ah(one, packet) if one.proto is AH else one.encrypt(packet)
        return bytes(packet)

    def open(self, octets, source):
        """The packet in the data of a raw socket of `protocol`."""
        packet = IPv6(src=source, dst=self.own, nh=self.protocol, plen=len(octets), hlim=64) / octets
        for one in reversed(self.opening):
            packet = one.decrypt(IPv6(bytes(packet)))
        return IPv6(bytes(packet))
