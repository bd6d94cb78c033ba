"""Balances the datagrams of CoAP and CoAPS between gateways on this machine.

coap_balancer.py HEALTH,... PORT=GATEWAY,... ...    HEALTH: the gateways' HTTP ports; PORT: where clients send to, and
the port of each gateway for it

A client keeps its gateway while that runs: the messages of one wake-up, observations and DTLS sessions belong to one. A
new client gets one by its address. nginx does not notice that the gateway of a known UDP client has died, hence this.
"""

import asyncio
import collections
import hashlib
import socket
import sys
import time

HEALTH = b"GET /actuator/health/serving HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
INTERVAL = 1
ANSWER = 2
IDLE = 600
MAX_SESSIONS = 8000
LARGEST = 65535


class Gateway:
    """A gateway, and whether it serves."""

    def __init__(self, number, port):
        self.number, self.port, self.serves = number, port, False

    async def watch(self):
        while True:
            serves = await self.asked()
            if serves != self.serves:
                print(f"gateway {self.number + 1} {'serves' if serves else 'does not serve'}", flush=True)
            self.serves = serves
            await asyncio.sleep(INTERVAL)

    async def asked(self):
        try:
            async with asyncio.timeout(ANSWER):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.write(HEALTH)
                line = await reader.readline()
                writer.close()
                return line.split()[1:2] == [b"200"]
        except (OSError, TimeoutError):
            return False


def chosen(gateways, host):
    """Chooses a gateway for a new client by rendezvous hashing among the gateways that serve."""
    serving = [one for one in gateways if one.serves] or gateways
    return max(serving, key=lambda one: hashlib.sha256(f"{host} {one.number}".encode()).digest())


class Session:
    """One client and the socket by which its gateway knows it."""

    def __init__(self, front, client, gateway, port):
        self.front, self.client, self.gateway, self.local = front, client, gateway, []
        self.used = time.monotonic()
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setblocking(False)
        self.socket.connect(("127.0.0.1", port))
        asyncio.get_running_loop().add_reader(self.socket, self.answers)

    def send(self, data, local):
        self.used, self.local = time.monotonic(), local
        try:
            self.socket.send(data)
        except BlockingIOError:
            pass  # Lost, as datagrams may be.
        except OSError:
            self.fail()

    def answers(self):
        while True:
            try:
                data = self.socket.recv(LARGEST)
            except BlockingIOError:
                return
            except OSError:
                return self.fail()
            self.front.answer(data, self)

    def fail(self):
        """The gateway's port is closed. The next datagram of the client, or its repetition, goes to another one."""
        self.gateway.serves = False
        self.front.forget(self)

    def close(self):
        asyncio.get_running_loop().remove_reader(self.socket)
        self.socket.close()


class Front:
    """A port at which clients send. Answers leave from the address to which the client sent."""

    def __init__(self, port, gateways, ports):
        self.gateways, self.ports = gateways, ports
        self.sessions = collections.OrderedDict()
        self.socket = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_RECVPKTINFO, 1)
        self.socket.setblocking(False)
        self.socket.bind(("::", port))
        asyncio.get_running_loop().add_reader(self.socket, self.requests)

    def requests(self):
        for _ in range(100):
            try:
                data, local, _, client = self.socket.recvmsg(LARGEST, socket.CMSG_SPACE(20))
            except OSError:
                return
            session = self.sessions.get(client)
            if session is None or not session.gateway.serves:
                session = self.begin(client, session)
            self.sessions.move_to_end(client)
            session.send(data, local)

    def begin(self, client, former):
        gateway = chosen(self.gateways, client[0])
        if former is not None:
            if former.gateway is gateway:
                return former
            self.forget(former)
        if len(self.sessions) >= MAX_SESSIONS:
            self.forget(next(iter(self.sessions.values())))
        session = self.sessions[client] = Session(self, client, gateway, self.ports[gateway.number])
        return session

    def answer(self, data, session):
        try:
            self.socket.sendmsg([data], session.local, 0, session.client)
        except OSError:
            pass  # Lost, as datagrams may be.

    def forget(self, session):
        if self.sessions.get(session.client) is session:
            del self.sessions[session.client]
            session.close()

    def forget_idle(self):
        """The sessions are in the order of their last datagrams from clients."""
        before = time.monotonic() - IDLE
        for session in [*self.sessions.values()]:
            if session.used >= before:
                return
            self.forget(session)


async def run(health, fronts):
    gateways = [Gateway(number, int(port)) for number, port in enumerate(health.split(","))]
    opened = []
    for front in fronts:
        port, _, ports = front.partition("=")
        opened.append(Front(int(port), gateways, [int(one) for one in ports.split(",")]))
    watches = [asyncio.create_task(gateway.watch()) for gateway in gateways]
    while all(not watch.done() for watch in watches):
        await asyncio.sleep(30)
        for front in opened:
            front.forget_idle()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    asyncio.run(run(sys.argv[1], sys.argv[2:]))
