"""An MQTT 5 broker that acknowledges a message only once it is in a file: `durable_broker.py PORT FILE HOLD`.

The file receives a line `topic seq` for each message with that user property, in the order of arrival. While the file
HOLD exists, messages are written but not acknowledged. It is only for publishers with QoS 1 and forwards nothing.
"""

import os
import pathlib
import socket
import struct
import sys
import threading

CONNECT, CONNACK, PUBLISH, PUBACK, SUBSCRIBE, SUBACK, PINGREQ, PINGRESP, DISCONNECT = 1, 2, 3, 4, 8, 9, 12, 13, 14
CONTENT_TYPE, USER_PROPERTY = 0x03, 0x26


def text(octets, at):
    length, = struct.unpack_from(">H", octets, at)
    return octets[at + 2 : at + 2 + length].decode(), at + 2 + length


def number(read):
    value = shift = 0
    while True:
        octet = read()
        value |= (octet & 0x7F) << shift
        shift += 7
        if octet < 0x80:
            return value


def user_properties(octets, at):
    octet = iter(octets[at:])
    length = number(lambda: next(octet))
    at += 1 if length < 128 else 2
    end, found = at + length, {}
    while at < end:
        kind, at = octets[at], at + 1
        if kind == CONTENT_TYPE:
            _, at = text(octets, at)
        elif kind == USER_PROPERTY:
            key, at = text(octets, at)
            found[key], at = text(octets, at)
        else:
            raise ValueError(f"property {kind} is not expected")
    return found


class Connection:
    def __init__(self, peer, log, hold):
        self.peer, self.log, self.hold = peer, log, hold
        self.stream = peer.makefile("rb")

    def send(self, kind, body):
        self.peer.sendall(bytes([kind << 4, len(body)]) + body)

    def serve(self):
        while head := self.stream.read(1):
            kind, flags = head[0] >> 4, head[0] & 15
            body = self.stream.read(number(lambda: self.stream.read(1)[0]))
            if kind == CONNECT:
                self.send(CONNACK, b"\0\0\0")
            elif kind == SUBSCRIBE:
                self.send(SUBACK, body[:2] + b"\0\1")
            elif kind == PINGREQ:
                self.send(PINGRESP, b"")
            elif kind == PUBLISH:
                self.publish(flags, body)
            elif kind == DISCONNECT:
                return

    def publish(self, flags, body):
        assert flags & 6 == 2, "QoS 1"
        topic, at = text(body, 0)
        seq = user_properties(body, at + 2).get("seq")
        if seq:
            os.write(self.log, f"{topic} {seq}\n".encode())
        if not (seq and self.hold.exists()):
            self.send(PUBACK, body[at : at + 2])


def main(port, file, hold):
    log = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with socket.create_server(("127.0.0.1", int(port))) as server:
        print("listening", flush=True)
        while True:
            peer, _ = server.accept()
            threading.Thread(target=Connection(peer, log, pathlib.Path(hold)).serve, daemon=True).start()


if __name__ == "__main__":
    main(*sys.argv[1:])
