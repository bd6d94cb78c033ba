"""Prints vectors/block-store/blocks.txt: blocks of a block store and their packets (docs/protocol.md section 12), with the
AES of Python's cryptography and the UDP of scapy."""

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from scapy.all import IPv6, UDP, Raw, raw

SPI = 0x11000009
KEY, SALT = bytes(range(16)), b"\xa0\xa1\xa2\xa3"
INTEGRITY_KEY = bytes(range(0x10, 0x20))
MOTE, HOST, OTHER = "fd00::202:2:2:2", "fd00::1", "2001:db8::7"
PORT = 5693

RECORD = bytes.fromhex
CASES = [
    # size, number, sequence number, records (value | time | sequence) or raw octets
    (6, 1, 7, RECORD("000102030405")),
    (22, 2, 8, RECORD("0f0008fc" "6ac8b340" "0001" "10800000" "6ac8b34a" "ffff")),
    (38, 70000, 9, RECORD("0f0008fc" "6ac8b340" "0001" "1e0059d8" "6ac8b34a" "0002" "00ffffff" "00000001" "0003")),
    (54, 0xFFFFFFF0, 0xFFFFFFFE, RECORD("0f0008fc" "6ac8b340" "0001" "1e0059d8" "6ac8b341" "0002")),
]


def ecb(key, block):
    return Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(block)


def xcbc_96(key, message):
    """AES-XCBC-MAC-96 (RFC 3566)."""
    first, whole, padded = (ecb(key, bytes([number]) * 16) for number in (1, 2, 3))
    blocks = [message[at : at + 16] for at in range(0, len(message), 16)] or [b""]
    *others, last = blocks
    mask = whole if len(last) == 16 else padded
    last = last if len(last) == 16 else (last + b"\x80").ljust(16, b"\0")
    state = bytes(16)
    for block in (*others, bytes(a ^ b for a, b in zip(last, mask))):
        state = ecb(first, bytes(a ^ b for a, b in zip(state, block)))
    return state[:12]


def encrypted(destination, number, payload):
    """The encrypted part of the ESP packet: UDP header, payload, pad length 0, next header UDP."""
    udp = raw(IPv6(src=MOTE, dst=destination) / UDP(sport=PORT, dport=PORT) / Raw(payload))[40:]
    counter = SALT + number.to_bytes(8, "big") + (1).to_bytes(4, "big")
    return Cipher(algorithms.AES(KEY), modes.CTR(counter)).encryptor().update(udp + b"\x00\x11")


def esp(number, sequence, text):
    covered = SPI.to_bytes(4, "big") + sequence.to_bytes(4, "big") + number.to_bytes(8, "big") + text
    return covered + xcbc_96(INTEGRITY_KEY, covered)


def packet(destination, octets):
    return raw(IPv6(src=MOTE, dst=destination, nh=50, hlim=64) / Raw(octets))


def main():
    print("# Blocks of a block store (docs/protocol.md section 12), made by Python's cryptography and scapy (tests/peer/block_store_vectors.py).")
    print(f"# SPI 0x{SPI:08x}; cipher key {KEY.hex()}, salt {SALT.hex()}, integrity key {INTEGRITY_KEY.hex()};")
    print(f"# stored by {MOTE} for {HOST}. \"text\": the encrypted part; \"icv\": for the block's number as sequence number;")
    print(f"# \"b\": the packet for {HOST} under the sequence number; \"c\": for {OTHER}; \"d\": for {HOST} under the block's number.")
    for size, number, sequence, content in CASES:
        payload = content.ljust(size, b"\xff")
        text = encrypted(HOST, number, payload)
        stored = esp(number, number, text)
        print(f"\ncase {size} octets\nnumber {number}\nsequence {sequence}\npayload {payload.hex()}\ntext {text.hex()}")
        print(f"icv {stored[-12:].hex()}")
        print(f"b {packet(HOST, esp(number, sequence, text)).hex()}")
        print(f"c {packet(OTHER, esp(number, sequence, encrypted(OTHER, number, payload))).hex()}")
        print(f"d {packet(HOST, stored).hex()}")


if __name__ == "__main__":
    main()
