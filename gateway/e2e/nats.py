"""A cluster of three real nats-servers on loopback, as an operator must run them: each message is synced."""

import pathlib
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
server_name: n{number}
jetstream {{ store_dir: "{folder}", sync_interval: always, max_file_store: 1GB, max_memory_store: 64MB }}
cluster {{ name: vigil, listen: "127.0.0.1:{route}", routes: [{routes}] }}
"""


class NatsCluster:
    """Three servers in a folder in memory, where a sync costs nothing; no test switches the power off."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vigil-nats-", dir="/dev/shm"))
        ports = free_ports(2 * SERVERS)
        self.ports = ports[:SERVERS]
        routes = ", ".join(f"nats://127.0.0.1:{port}" for port in ports[SERVERS:])
        self.children = [None] * SERVERS
        for number in range(SERVERS):
            (self.folder / f"n{number}.conf").write_text(CONFIGURATION.format(
                client=ports[number], number=number, folder=self.folder / f"n{number}", route=ports[SERVERS + number],
                routes=routes))
            self.start(number)
        for port in self.ports:
            self._await(port)

    @property
    def urls(self):
        return ",".join(f"nats://127.0.0.1:{port}" for port in self.ports)

    def start(self, number):
        with open(self.folder / f"n{number}.log", "ab") as log:
            self.children[number] = subprocess.Popen(
                [PROGRAM, "--config", self.folder / f"n{number}.conf"], stdout=log, stderr=log)

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

    def publish(self, subject, payload):
        """Sends a message as any program could."""
        with socket.create_connection(("127.0.0.1", self.ports[0]), timeout=20) as connection:
            stream = connection.makefile("rwb")
            stream.readline()
            stream.write(b'CONNECT {"verbose":false}\r\nPUB %s %d\r\n%s\r\nPING\r\n' % (
                subject.encode(), len(payload), payload))
            stream.flush()
            while not stream.readline().startswith(b"PONG"):
                pass

    def kill_all(self):
        for number in range(SERVERS):
            self.kill(number)

    def start_all(self):
        for number in range(SERVERS):
            self.start(number)

    def keep_disks(self):
        """Copies the disks of servers that do not run."""
        for number in range(SERVERS):
            shutil.copytree(self.folder / f"n{number}", self.folder / f"kept{number}")

    def put_disks_back(self):
        """Gives servers that do not run the disks that were kept: they lose what they stored since."""
        for number in range(SERVERS):
            shutil.rmtree(self.folder / f"n{number}")
            (self.folder / f"kept{number}").rename(self.folder / f"n{number}")

    def stop(self):
        for number in range(SERVERS):
            self.kill(number)
        shutil.rmtree(self.folder)
