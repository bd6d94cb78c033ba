"""Twenty-three kinds of hostile load at once, each at most at the rate of the plan, from many source addresses.

    python hostile_loads.py PLAN.json

The plan names the gateway, the prefixes whose addresses are local here, honest endpoints to attack and material that
was recorded from them. Ends at SIGTERM and prints one JSON object: datagrams or requests sent by kind, CPU seconds.
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
import urllib.error
import urllib.request

from coap import (
    ACCEPT, ACK, BLOCK1, CON, ECHO, FORMAT, GET, NON, OBSERVE, POST, PUT, RST, URI_PATH, URI_QUERY, Answer, encode,
)
from processes import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "mirror-proxy/src/test/python"))
import sleepy  # noqa: E402

DELETE = 4
HEADERS = 48  # IPv6 and UDP
SOCKETS = 24  # of each kind at a time; replaced one by one, so that a kind walks over many addresses
random = random.Random(20)


def request(method, path, query=(), payload=b"", kind=NON, options=(), token=None):
    all_options = [(URI_PATH, part.encode()) for part in path.strip("/").split("/")]
    all_options += [(URI_QUERY, part.encode()) for part in query]
    token = random.randbytes(4) if token is None else token
    return encode(kind, method, random.randrange(65536), token, [*all_options, *options], payload)


class Flood:
    """One kind of load: datagrams to one port, from sockets at random addresses of the prefixes."""

    fresh_addresses = True
    port = "coap"

    def __init__(self, plan):
        self.plan = plan
        self.sockets = collections.deque()
        self.sent = self.octets = 0

    def datagram(self, state):
        """The next datagram; `state` is the socket's own dictionary."""
        raise NotImplementedError

    def answered(self, octets, state):
        """Datagrams to send because of an answer."""
        return ()

    def open(self, selector):
        prefix = ipaddress.ip_network(random.choice(self.plan["prefixes"]))
        source = str(prefix[random.randrange(1, prefix.num_addresses - 1)])
        family = socket.AF_INET6 if prefix.version == 6 else socket.AF_INET
        one = socket.socket(family, socket.SOCK_DGRAM)
        one.setblocking(False)
        one.bind((source, 0))
        one.connect((self.plan["gateway"][str(prefix.version)], self.plan[self.port]))
        state = {"socket": one}
        selector.register(one, selectors.EVENT_READ, (self, state))
        self.sockets.append(state)

    def tick(self, selector, allowed):
        if len(self.sockets) < SOCKETS:
            self.open(selector)
        elif self.fresh_addresses and random.random() < 0.2:
            old = self.sockets.popleft()
            selector.unregister(old["socket"])
            old["socket"].close()
            self.open(selector)
        # Datagrams for which the processor had no time are not made up for.
        self.octets = max(self.octets, allowed - self.plan["octets_per_second"] / 10)
        for _ in range(64):
            if self.octets >= allowed:
                break
            state = random.choice(self.sockets)
            octets = self.datagram(state)
            if octets is None:
                break
            self.put(octets, state)

    def put(self, octets, state):
        try:
            state["socket"].send(octets)
        except OSError:
            return  # refused by an ICMP error, or the queue is full
        self.sent += 1
        self.octets += len(octets) + HEADERS


class Repeating(Flood):
    """A load that shows its address: it sends the Echo option of the last answer along."""

    fresh_addresses = False

    def make(self, echo):
        raise NotImplementedError

    def datagram(self, state):
        return self.make([(ECHO, state["echo"])] if "echo" in state else [])

    def answered(self, octets, state):
        answer = Answer(octets)
        if (echo := answer.one(ECHO)) is not None:
            state["echo"] = echo
        return [encode(ACK, 0, answer.mid, b"", (), b"")] if answer.type == CON else ()


LINKS = b'</t>;rt="temperature",</h>;rt="humidity"'


def name():
    return random.randbytes(6).hex()


class NamesMadeAndRemoved(Repeating):
    def make(self, echo):
        return request(POST, "/rd", ["ep=" + name(), "lt=60"], LINKS, options=[(FORMAT, 40), *echo])

    def answered(self, octets, state):
        more = list(super().answered(octets, state))
        answer = Answer(octets)
        if answer.code == "2.01":
            more.append(request(DELETE, answer.location))
        return more


class UnverifiedRegistrations(Flood):
    def datagram(self, state):
        return request(POST, "/rd", ["ep=" + name(), "lt=4294967295"], LINKS, options=[(FORMAT, 40)])


class SquattedNames(Flood):
    def datagram(self, state):
        return request(POST, "/rd", ["ep=" + random.choice(self.plan["names"]), "lt=4294967295"], LINKS, options=[(FORMAT, 40)])


class PlainMirrorRegistrations(Flood):
    def datagram(self, state):
        return request(POST, "/ms", ["ep=" + name()], LINKS, options=[(FORMAT, 40)])


class Signed(Flood):
    """Registrations by keys of its own; signing is the dear part, so each is sent several times."""

    def names(self):
        return [name() for _ in range(300)]

    def __init__(self, plan):
        super().__init__(plan)
        self.made = []
        for ep in self.names():
            self.made.append(sleepy.Sleepy(None, "coap://x", ep, links="</t>").registration())

    def datagram(self, state):
        return request(POST, "/ms", (), random.choice(self.made), options=[(FORMAT, sleepy.JOSE)])


class NewKeys(Signed):
    pass


class KeysForHonestNames(Signed):
    def names(self):
        return [random.choice(self.plan["names"]) for _ in range(300)]


class ForgedUpdates(Flood):
    def datagram(self, state):
        one = random.choice(self.plan["updates"])
        jws = bytearray(one["jws"].encode())
        jws[-random.randrange(2, 80)] = random.choice(b"ABCDEFGHabcdefgh01234567")
        return request(PUT, one["path"], (), bytes(jws), options=[(FORMAT, sleepy.JOSE)])


class ReplayedUpdates(Flood):
    def datagram(self, state):
        one = random.choice(self.plan["updates"])
        return request(PUT, one["path"], (), one["jws"].encode(), options=[(FORMAT, sleepy.JOSE)])


class Observers(Flood):
    def datagram(self, state):
        return request(GET, random.choice(self.plan["updates"])["path"], options=[(OBSERVE, b"")])


class VerifiedObservers(Repeating):
    def make(self, echo):
        return request(GET, random.choice(self.plan["updates"])["path"], options=[(OBSERVE, b""), *echo])


class UnfinishedUploads(Repeating):
    def make(self, echo):
        block = [(BLOCK1, 0 << 4 | 8 | 2), (FORMAT, 40)]
        return request(POST, "/rd", ["ep=" + name()], b"<" + b"/" * 63, kind=CON, options=[*block, *echo])


class LargeLookups(Repeating):
    def make(self, echo):
        return request(GET, random.choice(["/rd-lookup/res", "/rd-lookup/ep"]), options=echo)


class UnverifiedLookups(Flood):
    def datagram(self, state):
        return request(GET, "/rd-lookup/res", ["rt=temp*"])


class Histories(Flood):
    def datagram(self, state):
        path = random.choice(self.plan["updates"])["path"]
        return request(GET, path, ["after=0", "limit=1000"], options=[(ACCEPT, 65103)])


class Cores(Flood):
    def datagram(self, state):
        return request(GET, "/.well-known/core", ["rt=*"])


class Garbage(Flood):
    def datagram(self, state):
        return random.randbytes(random.randrange(1, 200))


class Empties(Flood):
    def datagram(self, state):
        return encode(random.choice([CON, ACK, RST]), 0, random.randrange(65536), b"", (), b"")


class ForgedEchoes(Flood):
    def datagram(self, state):
        return request(GET, "/rd-lookup/res", options=[(ECHO, random.randbytes(random.choice([8, 16, 20, 40])))])


class Polls(Flood):
    def datagram(self, state):
        path = random.choice(self.plan["updates"])["path"].rpartition("/")[0]
        return request(GET, path, [random.choice(["pending", "commands", "command=1"])])


def client_hello(cookie=b"", sequence=0):
    """A DTLS 1.2 ClientHello (RFC 6347, section 4.2.2) that offers a shared key with AES-128-CCM-8."""
    body = b"\xfe\xfd" + bytes(4) + random.randbytes(28) + b"\0" + bytes([len(cookie)]) + cookie
    body += struct.pack(">H", 2) + b"\xc0\xa8" + b"\1\0"
    handshake = b"\1" + len(body).to_bytes(3) + struct.pack(">H", sequence) + bytes(3) + len(body).to_bytes(3) + body
    return b"\x16\xfe\xfd" + bytes(2) + sequence.to_bytes(6) + struct.pack(">H", len(handshake)) + handshake


class Hellos(Flood):
    port = "coaps"

    def datagram(self, state):
        return client_hello()


class HalfOpenHandshakes(Flood):
    port = "coaps"

    def datagram(self, state):
        return client_hello()

    def answered(self, octets, state):
        # Record header, then a HelloVerifyRequest: version and cookie behind the handshake header.
        if len(octets) > 28 and octets[0] == 0x16 and octets[13] == 3:
            return [client_hello(octets[28 : 28 + octets[27]], 1)]
        return ()


class Slow:
    """Requests over HTTP that never end: an octet each second on as many connections as are let in."""

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
    """Requests over HTTP without a right, one after the other."""

    def __init__(self, plan):
        self.plan, self.sent = plan, 0

    def run(self, ended):
        paths = ["/api/keys", "/api/audit", "/rd-lookup/res", "/api/endpoints", "/api/events", "/nothing", "/ms/1/t?after=0"]
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        while not ended.wait(0.01):
            uri = f"http://[{self.plan['gateway']['6']}]:{self.plan['http']}" + random.choice(paths)
            wrong = urllib.request.Request(uri, headers={"Authorization": "Bearer " + name()})
            self.sent += 1
            try:
                with opener.open(wrong, timeout=2) as answer:
                    answer.read(100_000)
            except (OSError, ValueError):
                pass


FLOODS = (
    NamesMadeAndRemoved, UnverifiedRegistrations, SquattedNames, PlainMirrorRegistrations, NewKeys, KeysForHonestNames,
    ForgedUpdates, ReplayedUpdates, Observers, VerifiedObservers, UnfinishedUploads, LargeLookups, UnverifiedLookups,
    Histories, Cores, Garbage, Empties, ForgedEchoes, Polls, Hellos, HalfOpenHandshakes,
)


def drain(selector):
    for key, _ in selector.select(0.005):
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
    os.nice(5)  # the attackers of the model have processors of their own
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
    print(json.dumps({"sent": sent, "cpu": used.ru_utime + used.ru_stime, "seconds": time.monotonic() - began}))


if __name__ == "__main__":
    main()
