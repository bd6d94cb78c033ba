"""Real processes for the end-to-end tests: a gateway from the built jar, motes, Debian's clients.

`./vigil test` names the programs in the environment: VIGIL (the launcher), VIGIL_JAR, VIGIL_MOTE, JAVA_HOME. Everything
listens on loopback, on ports that the system chooses, and is stopped by its pid.
"""

import contextlib
import fcntl
import functools
import itertools
import os
import pathlib
import queue
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
import urllib.request

import pytest


REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
ALL = os.environ.get("VIGIL_TEST_ALL") == "1"
JAR = os.environ.get("VIGIL_JAR", str(REPOSITORY / "gateway/target/vigil-gateway.jar"))
MOTE = os.environ.get("VIGIL_MOTE", str(REPOSITORY / "mote-firmware/build/posix/vigil-mote"))
_attempts = itertools.count(1)
STACK_FRAME = re.compile(r"\s+at \S+\(.+\)$|.*\"stack_?trace\"", re.I)
# A gateway of a test lives for seconds: the optimising compiler, inlining of all but small methods, concurrent collection
# and another address for the cache at each start would use more time than they save.
UNOPTIMISED = ("-XX:TieredStopAtLevel=1",)
SERIAL = "-XX:+UseSerialGC"
SHORT_LIVED = (
    *UNOPTIMISED, "-XX:C1MaxInlineSize=16", "-XX:C1MaxInlineLevel=3", SERIAL, "-XX:+UnlockDiagnosticVMOptions",
    "-XX:ArchiveRelocationMode=0",
)
# The same as variables of the environment: for processes that ./vigil starts, which name a collector, and for other programs.
UNOPTIMISED_VARIABLE = {"JDK_JAVA_OPTIONS": UNOPTIMISED[0]}
SHORT_LIVED_VARIABLE = {"JDK_JAVA_OPTIONS": f"{UNOPTIMISED[0]} {SERIAL}"}
SMALL = (*UNOPTIMISED, "-Xmx256m")  # the heap that docs/threats.md speaks of
JAVA = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if "JAVA_HOME" in os.environ else "java"


@functools.cache
def java_command(options=SHORT_LIVED):
    """The launcher's command; it uses the fast start if the build created one. Only tests of the heap's use need the
    launcher's collector."""
    script = REPOSITORY / "gateway/launcher/java.sh"
    home = os.environ.get("JAVA_HOME") or str(pathlib.Path(shutil.which("java")).resolve().parents[1])
    words = subprocess.run(["bash", script, "command", JAR], env=os.environ | {"JAVA_HOME": home},
                           check=True, capture_output=True, text=True).stdout.splitlines()
    others = [word for word in words[1:] if SERIAL not in options or "G1" not in word]
    return [words[0], *options, *others]

# Variables of the environment for a gateway whose mesh forms in seconds: half a second between the first DIOs.
QUICK_MESH = {"VIGIL_BORDER_DIOINTERVALMIN": "9"}


class Process:
    """A child process whose output lines a test can wait for."""

    def __init__(self, *command, **more):
        """`more`: as subprocess.Popen takes it."""
        self.child = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more
        )
        self.lines = []
        self._fresh = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.child.stdout:
            line = line.rstrip("\n")
            self.lines.append(line)
            self.seen(line)
            self._fresh.put(line)
        self._fresh.put(None)

    def seen(self, line):
        """A hook for processes that check each of their lines."""

    def expect(self, pattern, timeout=60):
        """The match of the next line that contains the pattern."""
        deadline = time.monotonic() + timeout
        while True:
            try:
                line = self._fresh.get(timeout=max(0.01, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no line with {pattern!r} within {timeout} s:\n{self.tail(90)}") from None
            if line is None:
                raise AssertionError(f"ended before a line with {pattern!r}:\n{self.tail(90)}")
            if found := re.search(pattern, line):
                return found

    def tail(self, count=30):
        return "\n".join(self.lines[-count:])

    def stop(self, how=signal.SIGTERM):
        if self.child.poll() is None:
            self.child.send_signal(how)
        try:
            self.child.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
        self._reader.join(timeout=5)
        return self.child.returncode


class Gateway(Process):
    """A gateway process and the addresses its ready line names."""

    # Stack-trace lines of all gateways: conftest.py fails a test if there are any.
    traces = []

    def __init__(self, data_dir, *options, inside=(), jvm=SHORT_LIVED, java=None, **settings):
        """`inside`: what to put before the command (see `namespace`); `jvm`: options of the virtual machine.

        `java`: another command up to the verb; `settings`: variables of the environment.
        """
        super().__init__(
            *inside, *(java or java_command(jvm)), "run", "--data-dir", str(data_dir), *options, env=os.environ | settings,
        )
        self.data_dir = data_dir

    def seen(self, line):
        if STACK_FRAME.match(line):
            Gateway.traces.append(line)

    def ready(self, timeout=180):
        try:
            self.expect(r"^ready", timeout=timeout)
        except AssertionError:
            # No caller holds the process yet to stop it.
            self.stop()
            raise
        self.addresses = next(line for line in self.lines if line.startswith("ready")).split()[1:]
        return self

    def address(self, pattern):
        for address in self.addresses:
            if re.match(pattern, address):
                return address
        raise AssertionError(f"no address like {pattern} in {self.addresses}")

    @property
    def http(self):
        return self.address(r"http://")

    @property
    def coap(self):
        return self.address(r"coap://(\[::1\]|127)")

    @property
    def mesh(self):
        return self.address(r"coap://\[fe80:")

    @property
    def routed(self):
        """The address for motes that join the mesh from any number of hops away."""
        return self.address(r"coap://\[fd")

    @property
    def zep(self):
        return self.address(r"zep://").removeprefix("zep://")

    def get(self, path, accept=None):
        """(status, headers, body) of an HTTP GET."""
        request = urllib.request.Request(self.http + path, headers={"Accept": accept} if accept else {})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.headers, refused.read()


def output_of(*command, **more):
    """The output of a program that succeeds; `more`: as subprocess.run takes it."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, **more)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def eui64(number):
    return f"02564947494c1{number:03x}"


def mote(name, gateway, state, *options, number=None, wake=1, mirror=None, inside=(), cwd=None):
    """A mote over the virtual radio."""
    eui = eui64(number or int(name.rsplit("-", 1)[1]))
    return Process(
        *inside, MOTE, "--ep", name, "--zep", gateway.zep, "--eui64", eui, "--mirror", mirror or gateway.mesh,
        "--wake", str(wake), "--state", str(state), *options, cwd=cwd,
    )


def in_a_line(hops):
    """A line topology: each node hears only its neighbours, and the gateway (0) hears the first node."""
    names = ["0", *(eui64(number) for number in range(1, hops + 1))]
    return "".join(f"{a} {b}\n" for a, b in zip(names, names[1:]))


@contextlib.contextmanager
def behind(topology, folder, hops, start, *options, inside=(), zep_port=0):
    """A gateway on this radio; `start(number, gateway)` starts its `motes`, all of which are stopped at the end."""
    (folder / "air.txt").write_text(topology)
    with contextlib.ExitStack() as stack:
        gateway = Gateway(
            folder / "data", "--demo", "--coap-port", "0", "--http-port", "0", "--zep-port", str(zep_port),
            "--topology", str(folder / "air.txt"), *options, inside=inside, **QUICK_MESH,
        )
        stack.callback(gateway.stop)
        gateway.ready()
        gateway.motes = []
        stack.callback(lambda: [one.stop() for one in reversed(gateway.motes)])
        for number in range(1, hops + 1):
            gateway.motes.append(start(number, gateway))
        yield gateway


def why_no_namespace():
    """Tools and rights missing for a network namespace with a TUN interface; empty if none."""
    if os.geteuid() != 0 or not os.path.exists("/dev/net/tun"):
        return "a network namespace with a TUN interface needs root and /dev/net/tun"
    return ""


@contextlib.contextmanager
def namespace(what="test"):
    """Prefix that runs a command in a separate network with only loopback; the command's name comes last."""
    name = f"vigil-{what}-{os.getpid()}"
    subprocess.run(["ip", "netns", "add", name], check=True)
    try:
        inside = ["ip", "netns", "exec", name]
        subprocess.run([*inside, "ip", "link", "set", "lo", "up"], check=True)
        yield inside
    finally:
        subprocess.run(["ip", "netns", "del", name], check=True)


PORTS_OF_A_WORKER = 1000


def _candidates():
    """Ports below those that the system chooses, so that no other socket takes one while its server does not run.

    Each worker has a range of its own, and each process begins at another place of it."""
    chosen = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    last = max(chosen, 32768) - worker * PORTS_OF_A_WORKER
    assert last > 10_000, f"no ports for worker {worker}"
    return itertools.islice(itertools.cycle(range(last - PORTS_OF_A_WORKER, last)), os.getpid() % PORTS_OF_A_WORKER, None)


_ports = _candidates()


def _is_free(port):
    try:
        with socket.create_server(("", port)), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
            datagrams.bind(("", port))
            return True
    except OSError:
        return False


def free_ports(count):
    """Ports for servers that stop and start again on the same port."""
    return list(itertools.islice(filter(_is_free, _ports), count))


def free_port():
    return free_ports(1)[0]


def wait_until(what, timeout=60, every=0.1):
    """The first truthy answer of `what`."""
    deadline = time.monotonic() + timeout
    while True:
        answer = what()
        if answer:
            return answer
        assert time.monotonic() < deadline, f"not within {timeout} s: {what.__doc__ or what}"
        time.sleep(every)


def fresh(name):
    """A name for each attempt of a test: a gateway that outlives an attempt remembers its keys and numbers."""
    return f"{name}-{next(_attempts)}"


def only_with_all(what="takes long"):
    """The mark of tests that only `./vigil test --all` runs, and with the variable `./vigil test NAME`."""
    return pytest.mark.skipif(not ALL, reason=f"only with ./vigil test --all, or VIGIL_TEST_ALL=1: {what}")


def compiled(folder):
    """Whether the classes of gateway/bench exist. Maven may compile them while other tests run, and holds a lock until it ends."""
    with contextlib.suppress(FileNotFoundError), open(REPOSITORY / "target/maven.lock") as maven:
        fcntl.flock(maven, fcntl.LOCK_SH)
    return folder.exists()


COAP_CLIENT = next(filter(None, map(shutil.which, ("coap-client-notls", "coap-client"))), "coap-client-notls")


def coap_get(uri, *options):
    """Output of Debian's coap-client."""
    done = subprocess.run(
        [COAP_CLIENT, "-B", "15", "-m", "get", *options, uri], capture_output=True, timeout=60
    )
    return (done.stdout + done.stderr).decode(errors="replace").strip()
