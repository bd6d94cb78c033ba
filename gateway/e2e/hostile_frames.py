"""A node that floods the gateway's virtual radio: random and damaged frames, first fragments that are never completed.

    python hostile_frames.py HOST:PORT

Ends at SIGTERM and prints how many frames it sent.
"""

import os
import random
import signal
import socket
import struct
import sys
import time

from air_node import BROADCAST, PAN, zep

FRAMES_PER_SECOND = 250  # what a channel carries
random = random.Random(15)


def frame(number, payload):
    """A broadcast data frame with long addresses, from a new sender."""
    source = b"\x02VIGIL" + struct.pack(">H", random.randrange(65536))
    return struct.pack("<HBH", 0xC841, number & 255, PAN) + BROADCAST + source[::-1] + payload


def main():
    host, port = sys.argv[1].rsplit(":", 1)
    os.nice(19)  # as the other loads
    # Not an Event: a handler that sets it deadlocks if the signal interrupts its own wait.
    ended = []
    signal.signal(signal.SIGTERM, lambda *_: ended.append(True))
    air = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM)
    sent = 0
    while not ended:
        time.sleep(1 / FRAMES_PER_SECOND)
        sent += 1
        payloads = [
            random.randbytes(random.randrange(100)),
            struct.pack(">HH", 0xC000 | 1280, random.randrange(65536)) + b"\x41" + random.randbytes(80),
            b"\x7b\x33\x3a" + random.randbytes(random.randrange(60)),
        ]
        air.sendto(zep(frame(sent, random.choice(payloads)), sent), (host.strip("[]"), int(port)))
    print(sent)


if __name__ == "__main__":
    main()
