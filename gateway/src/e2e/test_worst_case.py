"""Every kind of hostile load at once against a small gateway: honest clients go on.

The gateway has 256 MB of heap and 512 MB of disk. It runs in a network namespace of its own; attackers and honest
clients are in another one, which has a routed /56 and a /16. The everyday suite runs it for seconds at 250 kbit/s for
each kind, and asserts that nobody honest gets a wrong answer; `--all` runs it for five minutes at 1 Mbit/s, a home's
uplink, and asserts the waits too.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys

import pytest
from processes import Gateway, namespace, why_no_namespace

pytestmark = pytest.mark.skipif(bool(why_no_namespace()), reason=why_no_namespace())
LONG = os.environ.get("VIGIL_TEST_ALL") == "1"
SECONDS = 300 if LONG else 8
IDLE_SECONDS = 60 if LONG else 3
OCTETS_PER_SECOND = 1_000_000 // 8 // (1 if LONG else 4)
SENSORS = 20
PSK = "correct horse battery"
HOSTILE = {"6": "fd00:bad::/56", "4": "10.66.0.0/16"}
HONEST = "fd00:600d:%x::1"  # sites of their own
SLOW = "fd00:bad::510"
HERE = os.path.dirname(__file__)


def run(inside, *command):
    subprocess.run([*inside, *command], check=True)


@contextlib.contextmanager
def two_networks():
    """(gateway's namespace, the world's): joined by a link, the world owning every address of its prefixes."""
    with namespace("gateway") as gateway, namespace("world") as world:
        run([], "ip", "link", "add", "gw0", "netns", gateway[-1], "type", "veth", "peer", "name", "w0", "netns", world[-1])
        for inside, link, end in ((gateway, "gw0", 1), (world, "w0", 2)):
            run(inside, "ip", "link", "set", link, "up")
            run(inside, "ip", "-6", "addr", "add", f"fd00:77::{end}/64", "dev", link, "nodad")
            run(inside, "ip", "addr", "add", f"10.77.0.{end}/24", "dev", link)
        for prefix in ("fd00:600d::/32", HOSTILE["6"]):
            run(gateway, "ip", "-6", "route", "add", prefix, "via", "fd00:77::2")
            run(world, "ip", "-6", "route", "add", "local", prefix, "dev", "lo")
        run(gateway, "ip", "route", "add", HOSTILE["4"], "via", "10.77.0.2")
        run(world, "ip", "route", "add", "local", HOSTILE["4"], "dev", "lo")
        # Linux lets IPv6 sockets take only addresses of interfaces otherwise.
        run(world, "sysctl", "-q", "-w", "net.ipv6.ip_nonlocal_bind=1")
        yield gateway, world


@contextlib.contextmanager
def small_disk(folder, megabytes):
    folder.mkdir(mode=0o700)
    run([], "mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0700", "vigil-test", str(folder))
    try:
        yield folder
    finally:
        run([], "umount", str(folder))


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    folder = tmp_path_factory.mktemp("worst")
    config = folder / "application.yaml"
    config.write_text(
        "vigil:\n  trust: approve\n  anonymous-read: true\n  http: {address: '::', port: 8080}\n"
        f"  coap: {{port: 5683, secure-port: 5684, dtls: {{psk: {{reader: {PSK}}}}}}}\n"
        "  border: {radios: [{kind: virtual, port: 0}]}\n"
    )
    config.chmod(0o600)
    with two_networks() as (inside, world), small_disk(folder / "data", 512) as data:
        gateway = Gateway(data, "--config", str(config), inside=inside, jvm=("-Xmx256m",))
        try:
            gateway.ready()
            yield Stage(folder, gateway, inside, world)
        finally:
            gateway.stop()


class Stage:
    def __init__(self, folder, gateway, inside, world):
        self.folder, self.gateway, self.inside, self.world = folder, gateway, inside, world
        self.token = (gateway.data_dir / "operator.token").read_text().strip()
        self.plan = {
            "gateway": {"6": "fd00:77::1", "4": "10.77.0.1"}, "coap": 5683, "coaps": 5684, "http": 8080,
            "coap_uri": "coap://[fd00:77::1]:5683", "coaps_uri": "coaps://[fd00:77::1]", "http_uri": "http://[fd00:77::1]:8080",
            "octets_per_second": OCTETS_PER_SECOND, "prefixes": list(HOSTILE.values()), "slow": SLOW, "psk": PSK, "token": self.token,
            "honest": [HONEST % number for number in range(1, SENSORS + 2)],
        }

    def python(self, script, *arguments, inside=None):
        plan = self.folder / "plan.json"
        plan.write_text(json.dumps(self.plan))
        return subprocess.Popen(
            [*(inside or self.world), sys.executable, os.path.join(HERE, script), str(plan), *map(str, arguments)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )

    def finish(self, process, timeout):
        out, errors = process.communicate(timeout=timeout)
        assert process.returncode == 0, errors
        return json.loads(out.splitlines()[-1])

    def honest(self, seconds):
        """The waits of honest requests, and that each was answered right."""
        result = self.finish(self.python("honest_clients.py", seconds), seconds + 120)
        self.plan["sensors"] = result["sensors"]
        return result["kinds"]

    @contextlib.contextmanager
    def attack(self):
        """All loads for as long as the block runs; fills a dictionary of what was sent."""
        told = {}
        floods = self.python("hostile_loads.py")
        frames = subprocess.Popen(
            [*self.inside, sys.executable, os.path.join(HERE, "hostile_frames.py"), self.gateway.zep],
            stdout=subprocess.PIPE, text=True,
        )
        try:
            assert floods.stdout.readline().strip() == "started", floods.communicate()[1]
            yield told
        finally:
            for one in (floods, frames):
                one.send_signal(signal.SIGTERM)
            told["frames"] = int(frames.communicate(timeout=30)[0] or 0)
            told.update(self.finish(floods, 30))


def percentile(waits, part):
    return sorted(waits)[min(len(waits) - 1, int(len(waits) * part))]


def test_honest_clients_go_on_under_every_load_at_once(stage):
    names = [f"sensor-{number}" for number in range(SENSORS)]
    prepared = stage.finish(stage.python("honest_clients.py", "prepare", *names), 120)
    stage.plan.update(prepared, names=names)
    idle = stage.honest(IDLE_SECONDS)
    with stage.attack() as told:
        loaded = stage.honest(SECONDS)
    print(json.dumps(told))
    for kind, result in loaded.items():
        quiet, p99 = percentile(idle[kind]["waits"], 0.99), percentile(result["waits"], 0.99)
        median = percentile(result["waits"], 0.5)
        print(f"{kind:10} {len(result['waits']):5} requests, p50 {median:7.1f} ms, p99 {p99:7.1f} ms (idle {quiet:.1f} ms), "
              f"{len(result['wrong'])} wrong {result['wrong'][:2]}")
    assert not [kind for kind, result in idle.items() if result["wrong"]]
    assert all(count > 0 for count in told["sent"].values()), told
    assert told["frames"] > 0
    assert {kind: result["wrong"] for kind, result in loaded.items() if result["wrong"]} == {}
    if LONG:
        late = {kind: percentile(result["waits"], 0.99) for kind, result in loaded.items() if kind != "handshake"}
        allowed = {kind: min(100, max(20, 3 * percentile(idle[kind]["waits"], 0.99))) for kind in late}
        assert {kind: wait for kind, wait in late.items() if wait > allowed[kind]} == {}
