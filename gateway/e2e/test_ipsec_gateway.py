"""Associations that end at the gateway: the demo's motes, and scapy's IPsec as hosts beyond TUN."""

import json
import os
import re
import subprocess
import sys

import pytest
from association_lines import Association, private
from capture import ESP, announced
from processes import QUICK_MESH, REPOSITORY, UNOPTIMISED_VARIABLE, Gateway, Process, namespace, wait_until, why_no_namespace
from test_commands import command, make_commander, put, waits
from test_secured_mesh import psdus
from test_starting_and_stopping import VIGIL

CLIENT = REPOSITORY / "gateway/e2e/esp_client.py"
GATEWAY = "fd00::56:4947:494c:1"
PORTS = ("--coap-port", "0", "--coaps-port", "0", "--http-port", "0", "--zep-port", "0")
# Each profile's layers, innermost first; scapy lacks AES-XCBC.
PROFILES = {
    "cbc-sha1": ["cbc-sha1"], "ctr-sha1": ["ctr-sha1"], "cbc-sha256": ["cbc-sha256"], "ccm8": ["ccm8"],
    "ah-sha1": ["ah-sha1"],
    "esp-in-ah": ["cbc-sha256", "ah-sha1"],
}
HOSTS = {profile: f"2001:db8::{number}" for number, profile in enumerate(PROFILES, 1)}
WHY_NOT = why_no_namespace()


def associations(process, inside=()):
    """The gateway's counters for an operator, by direction, protocol and peer."""
    token = (process.data_dir / "operator.token").read_text().strip()
    done = subprocess.run(
        [*inside, "curl", "-sS", "--fail-with-body", "-H", f"Authorization: Bearer {token}",
         process.http + "/api/security-associations"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return {
        (one["direction"], one["protocol"], one["source" if one["direction"] == "in" else "destination"]): one
        for one in json.loads(done.stdout)["associations"]
    }


def test_readings_and_commands_of_the_ipsec_demo_travel_in_esp(tmp_path, running):
    air, commander = tmp_path / "air.pcapng", tmp_path / "commander.jwk"
    key, public = make_commander()
    commander.write_text(json.dumps(public))
    demo = running(Process(
        VIGIL, "demo", "--ipsec", "--motes", "2", "--wake", "1", "--data-dir", str(tmp_path / "data"), *PORTS,
        "--pcap", str(air), "--commander", str(commander), env=os.environ | QUICK_MESH | UNOPTIMISED_VARIABLE))
    ready = demo.expect(r"^ready .*", timeout=180)[0]
    demo.data_dir, demo.http = tmp_path / "data", re.search(r"http://\S+", ready)[0]
    base = demo.expect(r"^mote-1: registered at (/ms/\S+)", timeout=60)[1]
    for number in (1, 2):
        wait_until(lambda number=number: any(re.match(rf"mote-{number}: sent .*2\.0[14]", line) for line in demo.lines))
    assert put(demo, base + "/led", command(key, "mote-1", "led", 1, '[{"n":"led","v":1}]', d="")) == 204
    demo.expect(r"^mote-1: command 1 done: led$", timeout=60)
    both = associations(demo)
    assert len(both) == 4 and all(one["state"] == "ready" for one in both.values())
    for number in (1, 2):
        peer = f"fd00::56:4947:494c:100{number}"
        incoming, outgoing = both["in", "esp", peer], both["out", "esp", peer]
        assert incoming["packets"] >= 1 and outgoing["packets"] >= 1
        assert incoming["octetsSaved"] > 0 and outgoing["octetsSaved"] > 0
        assert not any(incoming[drops] for drops in ("icvFailures", "replays", "policyDrops"))
    frames = list(psdus(air))
    for number in (1, 2):  # NHC_EH for ESP, NHC_ESP with the whole SPI of the mote's own direction
        spi = (0x11000000 + 2 * number).to_bytes(4, "big")
        assert any(re.search(rb"\xed\xec" + re.escape(spi), psdu) for psdu in frames)
    assert not any(word in psdu for psdu in frames for word in (b"ep=mote", b".well-known", b"pending"))
    ends = {GATEWAY, "fd00::56:4947:494c:1001", "fd00::56:4947:494c:1002"}
    both_ways = {pair for mote in ends - {GATEWAY} for pair in ((mote, GATEWAY), (GATEWAY, mote))}
    wait_until(lambda: both_ways <= {(source, to) for source, to, headers in announced(air) if ESP in headers}, timeout=30)
    decoded = subprocess.run(
        ["tshark", "-r", str(air), "-Y", "esp", "-T", "fields", "-e", "esp.spi"], capture_output=True, text=True,
        timeout=60).stdout
    assert {"0x11000002", "0x11000003"} <= set(decoded.split())


@pytest.fixture(scope="module")
def protected(tmp_path_factory):
    """A gateway behind TUN with associations of each profile in both directions, and the hosts' output."""
    if WHY_NOT:
        pytest.skip(WHY_NOT)
    folder = tmp_path_factory.mktemp("protected")
    # A gateway finds an association by destination, protocol and SPI.
    lines = [
        Association.fresh(suite, 0x11000100 * number + way, *ends).line(GATEWAY)
        for number, (profile, layers) in enumerate(PROFILES.items(), 1)
        for way, ends in enumerate([(HOSTS[profile], GATEWAY), (GATEWAY, HOSTS[profile])]) for suite in layers
    ]
    file = private(folder / "gateway.sa", "".join(lines))
    (folder / "tun.yaml").write_text(
        "vigil:\n  coap: {addresses: localhost}\n  border:\n    tun: {device: vigilesp}\n    filter: [allow both any]\n"
        "    radios: [{kind: virtual}]\n")
    with namespace("ipsec") as inside:
        for address in HOSTS.values():
            subprocess.run([*inside, "ip", "address", "add", f"{address}/128", "dev", "lo"], check=True)
        gateway = Gateway(
            folder / "data", *PORTS, "--config", str(folder / "tun.yaml"), "--sa", file, "--new-sa", inside=inside)
        hosts = None
        try:
            gateway.ready()
            pairs = [f"{profile}={address}" for profile, address in HOSTS.items()]
            hosts = Process(*inside, sys.executable, str(CLIENT), GATEWAY, file, *pairs)
            gateway.inside, gateway.hosts = inside, hosts
            yield gateway
        finally:
            if hosts:
                hosts.stop()
            gateway.stop()


@pytest.mark.parametrize("profile", PROFILES)
def test_a_host_with_scapys_ipsec_is_answered_protected_only(protected, profile):
    """Also requests behind destination options; none needs an Echo, although no network is trusted."""
    expected = ["coap 2.05", *(f"echo {size}" for size in (8, 40, 200, 512)), "options"]
    expected += [f"silence {what}" for what in ("corrupted", "replayed", "clear")]
    for words in expected:
        protected.hosts.expect(rf"^{profile} {re.escape(words)}$", timeout=60)
    reported = associations(protected, protected.inside)
    layers = ["ah" if suite.startswith("ah-") else "esp" for suite in PROFILES[profile]]
    for layer in layers:
        figures = reported["in", layer, HOSTS[profile]]
        attacked, innermost = layer == layers[-1], layer == layers[0]
        refused = [figures[name] for name in ("icvFailures", "replays", "policyDrops")]
        assert figures["packets"] == 10 and refused == [attacked, attacked, innermost]
        assert reported["out", layer, HOSTS[profile]]["packets"] == 10
