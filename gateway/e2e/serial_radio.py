"""Contiki-NG's slip-radio on a serial line, which is a pseudo-terminal: the part of `slip-radio.c` that a gateway uses.

With an air (`./vigil ether`), it is a node there and carries frames between the serial line and the motes on that air."""

import contextlib
import os
import pty
import selectors
import threading
import tty

from air_node import Node, link_local
from processes import Process, java_command

END, ESCAPE = b"\xc0", b"\xdb"
ESCAPED = {ESCAPE: b"\xdb\xdd", END: b"\xdb\xdc"}  # in the order in which they are replaced
ASK, ANSWER = b"?M", b"!M"  # the host asks for the radio's address
SEND, REPORT = b"!S", b"!R"
ADDRESS = bytes.fromhex("0212740100010101")
OK, NO_ACKNOWLEDGEMENT = 0, 2  # of mac.h


class Air(Process):
    """`./vigil ether`: the air between a slip-radio and motes."""

    # The gateway's address for neighbours is its radio's.
    mesh = f"coap://[{link_local(ADDRESS)}]"

    def __init__(self):
        super().__init__(*java_command(), "ether", "--port", "0")
        self.zep = self.expect(r"^ready zep://(\S+)$")[1]


class SlipRadio:
    """The radio's side of the line."""

    def __init__(self, line, air=None):
        self.line, self.heard = line, b""
        self.node = air and _Node(air, self.write)

    def run(self):
        """Until the line is closed."""
        with selectors.DefaultSelector() as ready, contextlib.suppress(OSError):
            ready.register(self.line, selectors.EVENT_READ)
            if self.node:
                ready.register(self.node.air, selectors.EVENT_READ)
            while True:
                for key, _ in ready.select():
                    if key.fileobj is self.line:
                        self.read()
                    else:
                        self.node._hear(0.001)

    def read(self):
        *frames, self.heard = (self.heard + os.read(self.line, 1024)).split(END)
        for frame in frames:
            for octet, pair in reversed(ESCAPED.items()):
                frame = frame.replace(pair, octet)
            if frame == ASK:
                self.write(ANSWER + ADDRESS)
            elif frame.startswith(SEND) and self.node:
                session, attributes = frame[2], frame[3]
                sent = self.node.transmit(frame[4 + 3 * attributes:])
                self.write(REPORT + bytes([session, OK if sent else NO_ACKNOWLEDGEMENT, 1]))

    def write(self, frame):
        for octet, pair in ESCAPED.items():
            frame = frame.replace(octet, pair)
        os.write(self.line, END + frame + END)


class _Node(Node):
    """The radio's antenna: gives each frame that it hears to the host."""

    def __init__(self, air, hear):
        super().__init__(air, ADDRESS.hex())
        self.hear = hear

    def transmit(self, frame):
        """Sends a frame of the host; whether it was acknowledged, or needs no acknowledgement."""
        if frame[0] & 0x20:
            return self.send(frame)
        self.put(frame)
        return True

    def _hear(self, timeout):
        frame = super()._hear(timeout)
        if frame:
            self.hear(frame)
        return frame


@contextlib.contextmanager
def slip_radio(air=None):
    """The device of a slip-radio; without an air it only says its address."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    radio = SlipRadio(ours, air)
    threading.Thread(target=radio.run, daemon=True).start()
    try:
        yield os.ttyname(theirs)
    finally:
        os.close(theirs)
        os.close(ours)
