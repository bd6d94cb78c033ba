"""A cluster of three real nats-servers on loopback, as an operator must run them: each message is synced."""

import json
import pathlib
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from processes import free_ports

SERVERS = 3
PROGRAM = str(pathlib.Path(sys.executable).with_name("nats-server"))
CONFIGURATION = """listen: 127.0.0.1:{client}
server_name: {name}
jetstream {{ store_dir: "{store}", sync_interval: always, max_file_store: 1GB, max_memory_store: 64MB }}
cluster {{ name: vigil, listen: "127.0.0.1:{route}", routes: [{routes}]{advertising} }}
{accounts}
"""


class NatsCluster:
    """Three servers in a folder in memory, where a sync costs nothing; no test switches the power off."""

    advertising = accounts = ""  # further settings

    def __init__(self, ports=None):
        """`ports`: an iterator of free ones, by default of its own."""
        ports = ports or iter(free_ports(2 * SERVERS))
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vigil-nats-", dir="/dev/shm"))
        self.ports, self.routes = ([next(ports) for _ in range(SERVERS)] for _ in range(2))
        self.names = [f"n{number}" for number in range(SERVERS)]
        self.stores = [self.folder / name for name in self.names]
        self.children = [None] * SERVERS
        self.inside = {}  # what to put before a server's command

    @property
    def urls(self):
        return ",".join(f"nats://127.0.0.1:{port}" for port in self.ports)

    def routes_of(self, _):
        """The ports at which a server reaches the others."""
        return self.routes

    def start(self, number):
        name = self.names[number]
        file = self.folder / f"{name}.conf"
        file.write_text(CONFIGURATION.format(
            client=self.ports[number], name=name, store=self.stores[number], route=self.routes[number],
            routes=", ".join(f"nats://127.0.0.1:{port}" for port in self.routes_of(number)),
            advertising=self.advertising, accounts=self.accounts))
        with open(self.folder / f"{name}.log", "ab") as log:
            self.children[number] = subprocess.Popen(
                [*self.inside.get(number, ()), PROGRAM, "--config", file], stdout=log, stderr=log)

    def kill(self, number):
        self.children[number].kill()
        self.children[number].wait()

    @staticmethod
    def _await(port):
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=5).close()
                return
            except OSError:
                assert time.monotonic() < deadline, f"no nats-server on port {port}"
                time.sleep(0.02)

    def ask(self, subject, body=None, user="gateway"):
        """The answer of JetStream's API, or of the stream that stores a message; None if there is none."""
        for port in self.ports:
            try:
                return self._ask(port, subject, json.dumps(body or {}).encode(), user)
            except OSError:
                continue
        return None

    @staticmethod
    def _ask(port, subject, body, user):
        with socket.create_connection(("127.0.0.1", port), timeout=2) as connection, connection.makefile("rwb") as lines:
            inbox = "_INBOX." + secrets.token_hex(8)
            options = json.dumps({"verbose": False, "user": user, "pass": user})
            lines.write(f"CONNECT {options}\r\nSUB {inbox} 1\r\nPUB {subject} {inbox} {len(body)}\r\n".encode() + body + b"\r\n")
            lines.flush()
            while line := lines.readline():
                if line.startswith(b"MSG"):
                    return json.loads(lines.read(int(line.split()[-1])))
                if line.startswith(b"PING"):
                    lines.write(b"PONG\r\n")
                    lines.flush()
        raise OSError(f"no answer from port {port}")

    def stream(self):
        """The stream's state; None without a leader."""
        answer = self.ask("$JS.API.STREAM.INFO.vigil")
        return answer if answer and "cluster" in answer else None

    def kill_all(self):
        for number in range(SERVERS):
            self.kill(number)

    def start_all(self):
        for number in range(SERVERS):
            self.start(number)
        for port in self.ports:
            self._await(port)

    def keep_disks(self):
        """Copies the disks of servers that do not run."""
        for number in range(SERVERS):
            shutil.copytree(self.stores[number], self.folder / f"kept{number}")

    def put_disks_back(self):
        """Gives servers that do not run the disks that were kept: they lose what they stored since."""
        for number in range(SERVERS):
            shutil.rmtree(self.stores[number])
            (self.folder / f"kept{number}").rename(self.stores[number])

    def stop(self):
        for child in filter(None, self.children):
            child.kill()
            child.wait()
        shutil.rmtree(self.folder)
