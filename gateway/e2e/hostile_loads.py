"""Twenty-four kinds of hostile load at once, each at most at the rate of the plan, from many source addresses.

    python hostile_loads.py PLAN.json

The plan names the gateway, the prefixes whose addresses are local here, the prefixes of forged addresses, honest
endpoints to attack and messages recorded from them. Ends at SIGTERM and prints one JSON object: sent datagrams or
requests by kind, CPU seconds.
"""

import collections
import ipaddress
import json
import os
import random
import resource
import selectors
import signal
import socket
import struct
import sys
import threading
import time

from coap import (
    ACCEPT, ACK, BLOCK1, CON, ECHO, FORMAT, GET, NON, OBSERVE, POST, PUT, RST, URI_PATH, URI_QUERY, Answer, encode,
)
from processes import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "mirror-proxy/src/test/python"))
import sleepy  # noqa: E402

DELETE = 4
HEADERS = 48  # IPv6 and UDP
SOCKETS = 24  # of each kind at a time; replaced one by one, so that a kind walks over many addresses
NAME = "000000000000"  # each datagram has another one there
PLACE_OF_NAME = NAME.encode()
LINKS = b'</t>;rt="temperature",</h>;rt="humidity"'
random = random.Random(20)


def request(method, path, query=(), payload=b"", kind=NON, options=()):
    all_options = [(URI_PATH, part.encode()) for part in path.strip("/").split("/")]
    all_options += [(URI_QUERY, part.encode()) for part in query]
    return encode(kind, method, 0, bytes(4), [*all_options, *options], payload)


def name():
    return random.randbytes(6).hex()


def fresh(octets):
    """The message with an ID, a token and, if it has none, a name."""
    if not octets[0] & 15:
        return octets[:2] + random.randbytes(2)
    rest = octets[8:].replace(PLACE_OF_NAME, name().encode()) if PLACE_OF_NAME in octets else octets[8:]
    return octets[:2] + random.randbytes(6) + rest


class Flood:
    """One kind of load: datagrams to one port, from sockets at random addresses of the prefixes.

    Python prepares the datagrams before the load begins; sending takes a few microseconds each. Kinds that do not
    listen leave answers in a small buffer of the kernel.
    """

    port = "coap"
    listens = False
    sources = "prefixes"  # of the plan
    turns_of_source = 8

    def __init__(self, plan):
        self.plan = plan
        self.sockets = collections.deque()
        self.sent = self.octets = self.total = self.turns = 0
        self.material = self.make([])

    def make(self, echo):
        """Datagrams, with this Echo option if it is known; CoAP datagrams have a token of four octets."""
        raise NotImplementedError

    def datagram(self, state):
        """The next datagram; `state` is the socket's own dictionary."""
        self.turns += 1
        material = state.get("material", self.material)
        return fresh(material[self.turns % len(material)])

    def answered(self, octets, state):
        """Datagrams to send because of an answer."""
        return ()

    def open(self, selector):
        prefix = ipaddress.ip_network(random.choice(self.plan[self.sources]))
        source = str(prefix[random.randrange(1, prefix.num_addresses - 1)])
        family = socket.AF_INET6 if prefix.version == 6 else socket.AF_INET
        one = socket.socket(family, socket.SOCK_DGRAM)
        one.setblocking(False)
        one.bind((source, 0))
        one.connect((self.plan["gateway"][str(prefix.version)], self.plan[self.port]))
        state = {"socket": one}
        if self.listens:
            selector.register(one, selectors.EVENT_READ, (self, state))
        else:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        self.sockets.append(state)

    def renew(self, selector):
        """Uses many addresses; listening sockets stay, to use the Echo that they received."""
        if not self.listens:
            self.sockets.popleft()["socket"].close()
            self.open(selector)

    def tick(self, selector, allowed):
        if len(self.sockets) < SOCKETS:
            self.open(selector)
        elif self.turns % self.turns_of_source == 0:
            self.renew(selector)
        # Datagrams that were late because of a busy processor are not sent later.
        self.octets = max(self.octets, allowed - self.plan["octets_per_second"] / 50)
        while self.octets < allowed:
            state = self.sockets[self.turns % len(self.sockets)]
            self.put(self.datagram(state), state)
            if self.turns_of_source == 1:
                self.renew(selector)

    def put(self, octets, state):
        self.octets += len(octets) + HEADERS
        try:
            state["socket"].send(octets)
        except OSError:
            return  # refused by an ICMP error, or the queue is full
        self.sent += 1
        self.total += len(octets) + HEADERS


class Repeating(Flood):
    """A load that proves its address: it sends the Echo option of the last answer."""

    listens = True

    def answered(self, octets, state):
        answer = Answer(octets)
        if (echo := answer.one(ECHO)) is not None and echo != state.get("echo"):
            state["echo"], state["material"] = echo, self.make([(ECHO, echo)])
        return [encode(ACK, 0, answer.mid, b"", (), b"")] if answer.type == CON else ()


class NamesMadeAndRemoved(Repeating):
    def make(self, echo):
        return [request(POST, "/rd", ["ep=" + NAME, "lt=60"], LINKS, options=[(FORMAT, 40), *echo])]

    def answered(self, octets, state):
        more = list(super().answered(octets, state))
        answer = Answer(octets)
        if answer.code == "2.01":
            more.append(fresh(request(DELETE, answer.location)))
        return more


class UnverifiedRegistrations(Flood):
    def make(self, echo):
        return [request(POST, "/rd", ["ep=" + NAME, "lt=60"], LINKS, options=[(FORMAT, 40)])]


class SquattedNames(Flood):
    def make(self, echo):
        return [request(POST, "/rd", ["ep=" + ep, "lt=60"], LINKS, options=[(FORMAT, 40)]) for ep in self.plan["names"]]


class PlainMirrorRegistrations(Flood):
    def make(self, echo):
        return [request(POST, "/ms", ["ep=" + NAME], LINKS, options=[(FORMAT, 40)])]


class NewKeys(Flood):
    """Registrations with new keys; signing is expensive, so each registration is sent several times."""

    def names(self):
        return [name() for _ in range(300)]

    def make(self, echo):
        signed = [sleepy.Sleepy(None, "coap://x", ep, links="</t>").registration(lt=60) for ep in self.names()]
        return [request(POST, "/ms", (), one, options=[(FORMAT, sleepy.JOSE)]) for one in signed]


class KeysForHonestNames(NewKeys):
    def names(self):
        return [random.choice(self.plan["names"]) for _ in range(300)]


class ForgedUpdates(Flood):
    def make(self, echo):
        return [self.forged(random.choice(self.plan["updates"])) for _ in range(300)]

    def forged(self, update):
        jws = bytearray(update["jws"].encode())
        jws[-random.randrange(2, 80)] = random.choice(b"ABCDEFGHabcdefgh01234567")
        return request(PUT, update["path"], (), bytes(jws), options=[(FORMAT, sleepy.JOSE)])


class ReplayedUpdates(Flood):
    def make(self, echo):
        return [request(PUT, one["path"], (), one["jws"].encode(), options=[(FORMAT, sleepy.JOSE)]) for one in self.plan["updates"]]


class Observers(Flood):
    def make(self, echo):
        return [request(GET, one["path"], options=[(OBSERVE, b"")]) for one in self.plan["updates"]]


class VerifiedObservers(Repeating):
    def make(self, echo):
        return [request(GET, one["path"], options=[(OBSERVE, b""), *echo]) for one in self.plan["updates"]]


class UnfinishedUploads(Repeating):
    def make(self, echo):
        block = [(BLOCK1, 0 << 4 | 8 | 2), (FORMAT, 40)]
        return [request(POST, "/rd", ["ep=" + NAME], b"<" + b"/" * 63, kind=CON, options=[*block, *echo])]


class LargeLookups(Repeating):
    def make(self, echo):
        return [request(GET, path, options=echo) for path in ("/rd-lookup/res", "/rd-lookup/ep")]


class UnverifiedLookups(Flood):
    def make(self, echo):
        return [request(GET, "/rd-lookup/res", ["rt=temp*"])]


class ForgedNetworks(Flood):
    """Each datagram comes from a different network, so no source has a large share."""

    sources = "forged"
    turns_of_source = 1

    def make(self, echo):
        paths = [(one["path"], []) for one in self.plan["updates"]]
        return [request(GET, path, query) for path, query in [*paths, ("/rd-lookup/ep", ["ep=" + NAME])]]


class Histories(Flood):
    def make(self, echo):
        return [request(GET, one["path"], ["after=0", "limit=1000"], options=[(ACCEPT, 65103)]) for one in self.plan["updates"]]


class Cores(Flood):
    def make(self, echo):
        return [request(GET, "/.well-known/core", ["rt=*"])]


class Garbage(Flood):
    def make(self, echo):
        return [random.randbytes(random.randrange(1, 200)) for _ in range(2000)]

    def datagram(self, state):
        self.turns += 1
        return self.material[self.turns % len(self.material)]


class Empties(Flood):
    def make(self, echo):
        return [encode(kind, 0, 0, b"", (), b"") for kind in (CON, ACK, RST)]


class ForgedEchoes(Flood):
    def make(self, echo):
        return [request(GET, "/rd-lookup/res", options=[(ECHO, random.randbytes(size))]) for size in (8, 12, 12, 12, 20, 40)]


class Polls(Flood):
    def make(self, echo):
        queries = ("pending", "commands", "command=1")
        return [request(GET, one["path"].rpartition("/")[0], [query]) for one in self.plan["updates"] for query in queries]


def client_hello(cookie=b"", sequence=0, secret=None):
    """A DTLS 1.2 ClientHello (RFC 6347, section 4.2.2) that offers a shared key with AES-128-CCM-8."""
    body = b"\xfe\xfd" + (secret or random.randbytes(32)) + b"\0" + bytes([len(cookie)]) + cookie
    body += struct.pack(">H", 2) + b"\xc0\xa8" + b"\1\0"
    handshake = b"\1" + len(body).to_bytes(3) + struct.pack(">H", sequence) + bytes(3) + len(body).to_bytes(3) + body
    return b"\x16\xfe\xfd" + bytes(2) + sequence.to_bytes(6) + struct.pack(">H", len(handshake)) + handshake


class Hellos(Flood):
    port = "coaps"

    def make(self, echo):
        return [client_hello() for _ in range(300)]

    def datagram(self, state):
        self.turns += 1
        return self.material[self.turns % len(self.material)]


class HalfOpenHandshakes(Hellos):
    """The second ClientHello repeats the first one with the cookie, else the server asks for it again."""

    listens = True

    def renew(self, selector):
        old = self.sockets.popleft()["socket"]
        selector.unregister(old)
        old.close()
        self.open(selector)

    def datagram(self, state):
        if "secret" not in state:
            state["secret"] = random.randbytes(32)
        return client_hello(secret=state["secret"])

    def answered(self, octets, state):
        # Record header, then a HelloVerifyRequest: version and cookie behind the handshake header.
        if len(octets) > 28 and octets[0] == 0x16 and octets[13] == 3:
            return [client_hello(octets[28 : 28 + octets[27]], 1, state["secret"])]
        return ()


class Slow:
    """HTTP requests that never end: one octet per second on as many connections as the gateway accepts."""

    def __init__(self, plan):
        self.plan, self.open, self.sent = plan, [], 0

    def run(self, ended):
        while not ended.wait(1):
            for _ in range(50 if len(self.open) < 2000 else 0):
                try:
                    one = socket.create_connection((self.plan["gateway"]["6"], self.plan["http"]), timeout=1,
                                                   source_address=(self.plan["slow"], 0))
                    one.sendall(b"GET / HTTP/1.1\r\nHost: ")
                    self.open.append(one)
                    self.sent += 1
                except OSError:
                    break
            for one in list(self.open):
                try:
                    one.send(b"x")
                except OSError:
                    self.open.remove(one)


class Requests:
    """HTTP requests without permission, one after the other, each on a new connection."""

    PATHS = ("/api/keys", "/api/audit", "/rd-lookup/res", "/api/endpoints", "/api/events", "/nothing", "/ms/1/t?after=0")

    def __init__(self, plan):
        self.plan, self.sent = plan, 0

    def run(self, ended):
        prefix = ipaddress.ip_network(self.plan["prefixes"][0])
        while not ended.wait(0.01):
            source = str(prefix[random.randrange(1, prefix.num_addresses - 1)])
            try:
                with socket.create_connection((self.plan["gateway"]["6"], self.plan["http"]), 2, (source, 0)) as one:
                    one.sendall(
                        f"GET {random.choice(self.PATHS)} HTTP/1.1\r\nHost: [{self.plan['gateway']['6']}]:{self.plan['http']}\r\n"
                        f"Authorization: Bearer {name()}\r\nConnection: close\r\n\r\n".encode()
                    )
                    self.sent += 1
                    while one.recv(65536):
                        pass
            except OSError:
                pass


FLOODS = (
    NamesMadeAndRemoved, UnverifiedRegistrations, SquattedNames, PlainMirrorRegistrations, NewKeys, KeysForHonestNames,
    ForgedUpdates, ForgedNetworks, ReplayedUpdates, Observers, VerifiedObservers, UnfinishedUploads, LargeLookups, UnverifiedLookups,
    Histories, Cores, Garbage, Empties, ForgedEchoes, Polls, Hellos, HalfOpenHandshakes,
)


def drain(selector):
    for key, _ in selector.select(0.002):
        flood, state = key.data
        for _ in range(32):
            try:
                octets = key.fileobj.recv(4096)
            except OSError:
                break
            try:
                more = flood.answered(octets, state)
            except (IndexError, ValueError):
                continue  # not a whole CoAP message
            for one in more:
                flood.put(one, state)


def main():
    with open(sys.argv[1]) as file:
        plan = json.load(file)
    os.nice(19)  # the attackers of the model have separate processors
    resource.setrlimit(resource.RLIMIT_NOFILE, (8192, 8192))
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    floods = [kind(plan) for kind in FLOODS if kind.__name__ in plan.get("only", [kind.__name__])]
    others = [kind(plan) for kind in (Slow, Requests) if kind.__name__ in plan.get("only", [kind.__name__])]
    threads = [threading.Thread(target=one.run, args=(ended,), daemon=True) for one in others]
    for thread in threads:
        thread.start()
    print("started", flush=True)
    selector = selectors.DefaultSelector()
    began = time.monotonic()
    while not ended.is_set():
        allowed = (time.monotonic() - began) * plan["octets_per_second"]
        for flood in floods:
            flood.tick(selector, allowed)
        drain(selector)
    for thread in threads:
        thread.join(timeout=5)
    used = resource.getrusage(resource.RUSAGE_SELF)
    sent = {type(one).__name__: one.sent for one in [*floods, *others]}
    octets = {type(one).__name__: int(one.total) for one in floods}
    print(json.dumps({"sent": sent, "octets": octets, "cpu": used.ru_utime + used.ru_stime, "seconds": time.monotonic() - began}))


if __name__ == "__main__":
    main()
