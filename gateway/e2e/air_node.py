"""A node on the gateway's virtual radio that shares no code with ours: it builds frames by hand and reads header
compression with scapy.

It has no RPL and no stack, so a test can send anything with it, valid or not.
"""

import selectors
import socket
import struct
import time
from ipaddress import IPv6Address

from scapy.compat import raw
from scapy.config import conf
from scapy.layers.dot15d4 import Dot15d4
from scapy.layers.inet6 import IPv6
from scapy.layers.sixlowpan import LoWPAN_IPHC  # noqa: F401 (registers 6LoWPAN with scapy)

conf.dot15d4_protocol = "sixlowpan"

PAN, CHANNEL = 0xABCD, 26
BROADCAST = b"\xff\xff"
UDP = 17
UNCOMPRESSED = b"\x41"
MAC = 21  # octets of a header with two extended addresses
FRAGMENT = 80  # octets of a packet in one frame


def eui64_of(address):
    """The extended address from which an IPv6 address was made."""
    identifier = IPv6Address(address).packed[8:]
    return bytes([identifier[0] ^ 2]) + identifier[1:]


def link_local(eui64):
    return IPv6Address(b"\xfe\x80" + bytes(6) + bytes([eui64[0] ^ 2]) + eui64[1:])


def checksum(source, destination, protocol, message):
    """RFC 8200 section 8.1; zero for a message that contains its checksum."""
    words = source + destination + struct.pack(">IxxxB", len(message), protocol) + message + b"\0" * (len(message) % 2)
    total = sum(struct.unpack(f">{len(words) // 2}H", words))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def ipv6(source, destination, protocol, message, checksum_at):
    """A packet whose message receives its checksum at an offset."""
    source, destination = IPv6Address(source).packed, IPv6Address(destination).packed
    total = checksum(source, destination, protocol, message) or 0xFFFF
    message = message[:checksum_at] + struct.pack(">H", total) + message[checksum_at + 2 :]
    return struct.pack(">IHBB", 6 << 28, len(message), protocol, 64) + source + destination + message


def udp(source, destination, payload, source_port=5683, port=5683):
    """An IPv6 packet with a UDP datagram."""
    return ipv6(source, destination, UDP, struct.pack(">HHHH", source_port, port, 8 + len(payload), 0) + payload, 6)


def fcs(frame):
    check = 0
    for octet in frame:
        check ^= octet
        for _ in range(8):
            check = check >> 1 ^ (0x8408 if check & 1 else 0)
    return struct.pack("<H", check)


def zep(frame, number):
    """A ZEP version 2 data packet, channel 26, whose frame carries its check sequence."""
    whole = frame + fcs(frame)
    return b"EX" + struct.pack(">BBBHBB8xI10xB", 2, 1, CHANNEL, 1, 1, 255, number, len(whole)) + whole


class Node:
    """One extended address on the radio. Frames for it are acknowledged while one of its methods waits."""

    def __init__(self, gateway, eui64):
        """`gateway`: a running Gateway, whose neighbour this node is."""
        host, port = gateway.zep.rsplit(":", 1)
        self.air = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.air.connect((host, int(port)))
        self.eui64 = bytes.fromhex(eui64)
        self.address = link_local(self.eui64)
        self.gateway = IPv6Address(gateway.mesh.split("[")[1].split("]")[0])
        self.sequence = self.number = self.tag = 0
        self.acknowledged = None
        self.last = None
        self.parts = {}

    def close(self):
        self.air.close()

    def frame(self, payload, destination=None, source=None):
        """A data frame without its check sequence: version 1, PAN compressed, acknowledged unless broadcast."""
        destination = destination or eui64_of(self.gateway)
        control = 0xD841 if destination == BROADCAST else 0xDC61
        self.sequence = (self.sequence + 1) % 256
        return (
            struct.pack("<HBH", control, self.sequence, PAN) + destination[::-1] + (source or self.eui64)[::-1] + payload
        )

    def put(self, frame):
        """Sends the frame once, whatever it contains."""
        self.number += 1
        self.air.send(zep(frame, self.number))

    def send(self, frame):
        """Sends like a radio, up to four times until acknowledged. Returns whether it was acknowledged."""
        self.acknowledged = None
        for _ in range(4):
            self.put(frame)
            deadline = time.monotonic() + 0.5
            while self.acknowledged != frame[2] and time.monotonic() < deadline:
                self._hear(deadline - time.monotonic())
            if self.acknowledged == frame[2]:
                return True
        return False

    def packet(self, packet, **how):
        """Sends an uncompressed IPv6 packet in as many frames as needed. Returns whether all were acknowledged."""
        return all([self.send(self.frame(part, **how)) for part in self.fragments(packet)])

    def fragments(self, packet):
        """RFC 4944 section 5.3; a packet that fits into a frame is not fragmented."""
        if len(packet) <= FRAGMENT:
            return [UNCOMPRESSED + packet]
        self.tag += 1
        return [
            struct.pack(">HH", (0xE000 if at else 0xC000) | len(packet), self.tag)
            + (bytes([at // 8]) if at else UNCOMPRESSED)
            + packet[at : at + FRAGMENT]
            for at in range(0, len(packet), FRAGMENT)
        ]

    def receive(self, timeout=10, protocol=UDP):
        """The next IPv6 packet with UDP (or the given protocol) to this node, with restored headers, or None."""
        deadline = time.monotonic() + timeout
        while (left := deadline - time.monotonic()) > 0:
            frame = self._hear(left)
            if frame and (packet := self._reassemble(frame)) and packet[6] == protocol:
                return packet
        return None

    def _hear(self, timeout):
        """The next new frame for this node or for all, without its check sequence, or None."""
        self.air.settimeout(max(0.001, timeout))
        try:
            frame = self.air.recv(256)[32:-2]
        except TimeoutError:
            return None
        (control,) = struct.unpack_from("<H", frame)
        if control & 7 == 2:
            self.acknowledged = frame[2]
            return None
        if control >> 10 & 3 != 3:
            return frame
        if frame[5:13] != self.eui64[::-1]:
            return None
        if control & 0x20:
            self.put(struct.pack("<HB", 2, frame[2]))
        again, self.last = frame == self.last, frame
        return None if again else frame

    def _reassemble(self, frame):
        kind = frame[MAC] >> 3
        if kind not in (0b11000, 0b11100):
            return self._restore(frame)
        size, tag = struct.unpack_from(">HH", frame, MAC)
        size &= 0x7FF
        parts = self.parts.setdefault((size, tag), {})
        if kind == 0b11000:
            parts[0] = self._restore(frame[:MAC] + frame[MAC + 4 :], size)
        else:
            parts[frame[MAC + 4]] = frame[MAC + 5 :]
        whole = b"".join(parts[at] for at in sorted(parts))
        if len(whole) < size:
            return None
        assert len(whole) == size, (len(whole), size)
        del self.parts[size, tag]
        return whole

    @staticmethod
    def _restore(frame, size=None):
        """The beginning of a packet from a frame with its headers; `size` is its full length if it is fragmented."""
        packet = raw(Dot15d4(frame)[IPv6])
        if size is None:
            return packet
        packet = packet[:4] + struct.pack(">H", size - 40) + packet[6:]
        return packet[:44] + struct.pack(">H", size - 40) + packet[46:] if packet[6] == UDP else packet


class Relay:
    """A UDP port of this machine whose datagrams a node carries to a port of the gateway, and back."""

    def __init__(self, node, port, source_port=40_000):
        self.node, self.port, self.source_port = node, port, source_port
        self.near = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.near.bind(("127.0.0.1", 0))
        self.client = None
        self.heard = b""  # the complete output of the gateway

    @property
    def address(self):
        return "127.0.0.1:%d" % self.near.getsockname()[1]

    def close(self):
        self.near.close()
        self.node.close()

    def carry(self, done):
        """Runs until `done` returns true."""
        with selectors.DefaultSelector() as ready:
            ready.register(self.near, selectors.EVENT_READ)
            ready.register(self.node.air, selectors.EVENT_READ)
            while not done():
                for key, _ in ready.select(timeout=0.1):
                    if key.fileobj is self.near:
                        self._up()
                    elif packet := self.node.receive(timeout=0.05):
                        self._down(packet)

    def _up(self):
        datagram, self.client = self.near.recvfrom(4096)
        self.node.packet(udp(self.node.address, self.node.gateway, datagram, self.source_port, self.port))

    def _down(self, packet):
        assert checksum(packet[8:24], packet[24:40], UDP, packet[40:]) == 0, packet.hex()
        assert struct.unpack_from(">HH", packet, 40) == (self.port, self.source_port)
        self.heard += packet[48:]
        self.near.sendto(packet[48:], self.client)
