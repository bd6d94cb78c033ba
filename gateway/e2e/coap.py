"""CoAP (RFC 7252) by hand over one UDP socket, for details that a library hides: message types, received options,
missing acknowledgements."""

import random
import re
import socket
import time

CON, NON, ACK, RST = range(4)
GET, POST, PUT = 1, 2, 3
ETAG, OBSERVE, LOCATION_PATH, URI_PATH, FORMAT, MAX_AGE, URI_QUERY, ACCEPT = 4, 6, 8, 11, 12, 14, 15, 17
BLOCK2, BLOCK1, ECHO, NO_RESPONSE = 23, 27, 252, 258


class Answer:
    def __init__(self, octets):
        first, code, self.mid = octets[0], octets[1], int.from_bytes(octets[2:4])
        self.type = first >> 4 & 3
        self.code = f"{code >> 5}.{code & 31:02}"
        at = 4 + (first & 15)
        self.token = octets[4:at]
        self.options, number = [], 0
        while at < len(octets) and octets[at] != 0xFF:
            fields = []
            nibbles, at = octets[at], at + 1
            for nibble in (nibbles >> 4, nibbles & 15):
                extra = {13: 1, 14: 2}.get(nibble, 0)
                fields.append(int.from_bytes(octets[at : at + extra]) + {13: 13, 14: 269}.get(nibble, nibble))
                at += extra
            number += fields[0]
            self.options.append((number, octets[at : at + fields[1]]))
            at += fields[1]
        self.payload = octets[at + 1 :]

    def all(self, number):
        return [value for option, value in self.options if option == number]

    def one(self, number):
        """An option's octets, or None if it is absent."""
        return next(iter(self.all(number)), None)

    def number(self, number):
        value = self.one(number)
        return None if value is None else int.from_bytes(value)

    @property
    def location(self):
        return "/" + "/".join(part.decode() for part in self.all(LOCATION_PATH))

    @property
    def text(self):
        return self.payload.decode()


def shortest(number):
    return number.to_bytes((number.bit_length() + 7) // 8)


def encode(kind, code, mid, token, options, payload):
    """A message (RFC 7252 section 3); a value of an option is octets, or a number in its shortest form."""
    octets, last = bytearray([0x40 | kind << 4 | len(token), code]) + mid.to_bytes(2) + token, 0
    for number, value in sorted(options, key=lambda option: option[0]):
        value = value if isinstance(value, bytes) else shortest(value)
        nibbles, extra = [], b""
        for field in (number - last, len(value)):
            nibbles.append(field if field < 13 else 13 if field < 269 else 14)
            extra += b"" if field < 13 else bytes([field - 13]) if field < 269 else (field - 269).to_bytes(2)
        octets += bytes([nibbles[0] << 4 | nibbles[1]]) + extra + value
        last = number
    return bytes(octets + (b"\xff" + payload if payload else b""))


class Peer:
    """A client at a separate address."""

    def __init__(self, uri, source=None):
        """`source`: the local address to send from."""
        host, port = re.fullmatch(r"coap://\[?([^\]]+?)\]?:(\d+)", uri).groups()
        self.socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM)
        if source is not None:
            self.socket.bind((source, 0))
        self.socket.connect((host, int(port)))
        self.mid = random.randrange(65536)
        self.confirmable = None  # the ID of the last confirmable message

    def message(self, kind, code, token=b"", options=(), payload=b"", mid=None):
        if mid is None:
            mid = self.mid = (self.mid + 1) % 65536
        return encode(kind, code, mid, token, options, payload)

    def send(self, *args, **more):
        self.socket.send(self.message(*args, **more))

    def receive(self, timeout=30):
        """The next message, or None if none arrived. A confirmable one that is repeated is only acknowledged again."""
        deadline = time.monotonic() + timeout
        while True:
            self.socket.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                answer = Answer(self.socket.recv(65536))
            except TimeoutError:
                return None
            except ConnectionRefusedError:
                # Nobody listens there (yet).
                time.sleep(0.1)
                return None
            if answer.type != CON or answer.mid != self.confirmable:
                self.confirmable = answer.mid if answer.type == CON else self.confirmable
                return answer
            self.send(ACK, 0, mid=answer.mid)

    def question(self, method, path, payload=b"", format=None, accept=None, kind=CON, options=(), token=b"\1\2"):
        """The octets of a request."""
        path, _, query = path.partition("?")
        options = list(options)
        options += [(URI_PATH, part.encode()) for part in path.removeprefix("/").split("/")]
        options += [(URI_QUERY, part.encode()) for part in query.split("&") if part]
        options += [(FORMAT, format)] if format is not None else []
        options += [(ACCEPT, accept)] if accept is not None else []
        return self.message(kind, method, token, options, payload)

    def request(self, method, path, payload=b"", format=None, accept=None, kind=CON, options=(), token=b"\1\2"):
        """The answer; a confirmable request is repeated as RFC 7252 section 4.2 requires."""
        octets = self.question(method, path, payload, format, accept, kind, options, token)
        mid = int.from_bytes(octets[2:4])
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            self.socket.send(octets)
            until = time.monotonic() + (5 if kind == CON else 60)
            while time.monotonic() < until:
                answer = self.receive(max(0.01, until - time.monotonic()))
                if answer is None:
                    break
                if answer.type == CON:
                    self.send(ACK, 0, mid=answer.mid)
                # A request that was sent twice may be answered twice: the second answer belongs to no later request.
                if answer.token == token and answer.code != "0.00" and (answer.type != ACK or answer.mid == mid):
                    return answer
        raise AssertionError(f"no answer to {path}")

    def get(self, path, accept=None, **more):
        return self.request(GET, path, accept=accept, **more)
