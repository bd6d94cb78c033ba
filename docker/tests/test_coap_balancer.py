"""The UDP balancer of cluster.yaml between two small servers that stand for the ports of gateways."""

import contextlib
import http.server
import itertools
import os
import pathlib
import queue
import socket
import subprocess
import sys
import threading
import time

import pytest

NUMBERS = itertools.count()
PROGRAM = pathlib.Path(__file__).resolve().parents[1] / "cluster/coap_balancer.py"
# The program with patience: on a loaded machine, health checks are answered late. A test decides who serves.
PATIENT = "import asyncio, sys, coap_balancer as it; it.ANSWER = 60; asyncio.run(it.run(sys.argv[1], sys.argv[2:]))"


class Server:
    """Answers each datagram with its own name and the sender's port, and says over HTTP whether it serves."""

    def __init__(self, name):
        self.name, self.serves = name.encode(), True
        outer = self

        class Health(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200 if outer.serves and self.path == "/actuator/health/serving" else 503)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Health)
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.dying = False
        self.thread = threading.Thread(target=self.answer, daemon=True)
        self.thread.start()

    def answer(self):
        while True:
            data, sender = self.udp.recvfrom(2000)
            if self.dying:
                return
            self.udp.sendto(b"%s %d %s" % (self.name, sender[1], data), sender)

    def die(self):
        """Closes the port; the thread that waits at it must end first."""
        self.dying = True
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as waker:
            waker.sendto(b"", self.udp.getsockname())
        self.thread.join()
        self.udp.close()


class Program:
    """The balancer, whose lines a test waits for."""

    def __init__(self, *words):
        self.child = subprocess.Popen(
            [sys.executable, "-B", "-c", PATIENT, *words], cwd=PROGRAM.parent, stdout=subprocess.PIPE, text=True
        )
        self.newest = {}
        self.lines = queue.Queue()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.child.stdout:
            self.lines.put(line.strip())
        self.lines.put("ended: no more lines")

    def expect(self, *wanted, timeout=60):
        """Waits until the newest line of each named gateway is the wanted one. A slow health check adds lines."""
        deadline = time.monotonic() + timeout
        while not set(wanted) <= set(self.newest.values()):
            try:
                line = self.lines.get(timeout=max(0.01, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no {wanted} within {timeout} s: {self.newest}") from None
            assert line.startswith("gateway "), line
            self.newest[line.split()[1]] = line

    def kill(self):
        self.child.kill()
        self.child.wait()
        self.reader.join()
        self.child.stdout.close()


class Client:
    def __init__(self, port, family=socket.AF_INET):
        self.socket = socket.socket(family, socket.SOCK_DGRAM)
        self.socket.connect(("127.0.0.1" if family == socket.AF_INET else "::1", port))
        self.socket.settimeout(0.2)

    def ask(self):
        """Server and port of the answer to one datagram, which is repeated like a client's of CoAP."""
        text = b"%d" % next(NUMBERS)
        deadline = time.monotonic() + 15
        while time.monotonic() < deadline:
            with contextlib.suppress(TimeoutError, ConnectionRefusedError):
                self.socket.send(text)
                while True:
                    server, known, asked = self.socket.recv(2000).split()
                    if asked == text:  # Not a late answer to an earlier one.
                        return server, known
        raise AssertionError("no answer")


def free_port():
    """Below the ports that the system chooses, so that no other socket takes it before the balancer does."""
    for port in range(18_000 + os.getpid() % 900, 19_000):
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as free:
            free.bind(("::", port))
            return port
    raise AssertionError("no free port")


@pytest.fixture
def balanced():
    servers = [Server("one"), Server("two")]
    port = free_port()
    words = [",".join(str(one.http.server_port) for one in servers),
             f"{port}=" + ",".join(str(one.udp.getsockname()[1]) for one in servers)]
    program = Program(*words)
    try:
        program.expect("gateway 1 serves", "gateway 2 serves")
        yield servers, port, program
    finally:
        program.kill()
        for one in servers:
            if not one.dying:
                one.die()
            one.http.shutdown()
            one.http.server_close()


def test_a_client_keeps_its_gateway_and_its_port_there(balanced):
    _, port, _ = balanced
    first, second = Client(port), Client(port)
    answers = [first.ask(), first.ask(), second.ask()]
    assert answers[0] == answers[1] != answers[2], "each client has a port of its own"
    assert answers[0][0] == answers[2][0], "both have one address, so one gateway"
    assert Client(port, socket.AF_INET6).ask()[0] in (b"one", b"two")


def test_another_gateway_gets_the_clients_of_one_that_stops_or_dies(balanced):
    servers, port, program = balanced
    client = Client(port)
    before = client.ask()[0]
    [own] = [one for one in servers if one.name == before]
    [other] = [one for one in servers if one is not own]
    gateway = f"gateway {servers.index(own) + 1}"
    own.serves = False
    program.expect(f"{gateway} does not serve")
    assert client.ask()[0] == other.name, "of the same socket"
    own.serves = True
    program.expect(f"{gateway} serves")
    assert client.ask()[0] == other.name, "while that one serves"
    assert Client(port).ask()[0] == own.name, "a new client has the gateway of its address"
    other.die()
    assert client.ask()[0] == own.name, "although it still says that it serves"
