"""Prints vectors/ipsec/elided-numbers.txt from the text of docs/protocol.md section 9.1."""

import random

LAST = 2**32 - 1
# AH with the next header inline and the payload length 4, and an ICV of 12 octets.
ICV = "0102030405060708090a0b0c"
FORMS = [
    ("110000010001020501020304", 0, "edee1100000100010205"),
    ("110000010001020501020304", 1, "edfc1100000105"),
    ("110000010001020501020304", 2, "edfe110000010205"),
    ("000000010001020501020304", 1, "edf005"),
    ("000000010001020501020304", 2, "edf20205"),
    ("000000450000000701020304", 1, "edf44507"),
    ("0000a0450000000701020304", 1, "edf8a04507"),
    ("110400000000000100010205" + ICV, 0, "ebd21100010205" + ICV),
    ("110400000000000100010205" + ICV, 1, "ebc01105" + ICV),
    ("110400000000000100010205" + ICV, 2, "ebc2110205" + ICV),
    ("110400001100000200010205" + ICV, 1, "ebc4111100000205" + ICV),
]


def whole(window, top, octets, low):
    """The least number of the window or above it that ends with these octets, found by counting."""
    number = max(1, top - window + 1)
    for number in range(number, number + 256**octets):
        if number % 256**octets == low:
            return number if number <= LAST else None


def main():
    print("# Elided sequence numbers, computed from the text of docs/protocol.md section 9.1 (tests/peer/elided_number_vectors.py).")
    print("# \"form\": AH or ESP of a packet from fe80::202:2:2:2 to fe80::203:3:3:3, the low octets sent of its number (0: whole),")
    print("# and its compressed form (of ESP without the octets after the number). \"number\": size of the replay window, its top, the")
    print("# low octets received, their value, and the number they stand for or \"none\".")
    for fields in FORMS:
        print("form", *fields)
    dice = random.Random(4303)
    for window in (32, 64):
        edges = [0, 1, window - 1, window, window + 1, 255, 256, 65535, 65536, LAST - 300, LAST - 1, LAST]
        for top in edges + [dice.randrange(LAST) for _ in range(8)]:
            for octets in (1, 2):
                for low in {0, 1, top % 256**octets, (top + 1) % 256**octets, (top - window) % 256**octets, dice.randrange(256**octets)}:
                    found = whole(window, top, octets, low)
                    print("number", window, top, octets, low, "none" if found is None else found)


if __name__ == "__main__":
    main()
