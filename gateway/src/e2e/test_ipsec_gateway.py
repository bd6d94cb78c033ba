"""Associations that end at the gateway: the demo's motes, and scapy's IPsec as a host beyond TUN."""

import json
import re
import secrets
import subprocess
import sys

import pytest
from processes import REPOSITORY, Gateway, Process, namespace, wait_until, why_no_namespace
from test_secured_mesh import psdus
from test_starting_and_stopping import VIGIL

CLIENT = REPOSITORY / "gateway/src/e2e/esp_client.py"
GATEWAY = "fd00::56:4947:494c:1"
PORTS = ("--coap-port", "0", "--coaps-port", "0", "--http-port", "0", "--zep-port", "0")
# The octets of cipher key with salt, and of the integrity key.
SIZES = {"cbc-sha1": (16, 20), "cbc-sha256": (16, 32), "ccm8": (19, 0)}
HOSTS = {profile: f"2001:db8::{number}" for number, profile in enumerate(SIZES, 1)}
WHY_NOT = why_no_namespace()


def associations(process, inside=()):
    """What the gateway tells an operator, by direction and peer."""
    token = (process.data_dir / "operator.token").read_text().strip()
    done = subprocess.run(
        [*inside, "curl", "-sS", "--fail-with-body", "-H", f"Authorization: Bearer {token}",
         process.http + "/api/security-associations"], capture_output=True, text=True, timeout=20)
    assert done.returncode == 0, done.stdout + done.stderr
    return {
        (one["direction"], one["source" if one["direction"] == "in" else "destination"]): one
        for one in json.loads(done.stdout)["associations"]
    }


def test_readings_and_commands_of_the_ipsec_demo_travel_in_esp(tmp_path, running):
    air = tmp_path / "air.pcapng"
    demo = running(Process(
        VIGIL, "demo", "--ipsec", "--motes", "2", "--wake", "1", "--data-dir", str(tmp_path / "data"), *PORTS,
        "--pcap", str(air)))
    ready = demo.expect(r"^ready .*", timeout=180)[0]
    demo.data_dir, demo.http = tmp_path / "data", re.search(r"http://\S+", ready)[0]
    for number in (1, 2):
        wait_until(lambda number=number: any(re.match(rf"mote-{number}: sent .*2\.0[14]", line) for line in demo.lines))
    both = associations(demo)
    assert len(both) == 4 and all(one["state"] == "ready" for one in both.values())
    for number in (1, 2):
        peer = f"fd00::56:4947:494c:100{number}"
        assert both["in", peer]["packets"] >= 1 and both["out", peer]["packets"] >= 1
        assert both["in", peer]["octetsSaved"] > 0 and both["out", peer]["octetsSaved"] > 0
        assert not any(both["in", peer][drops] for drops in ("icvFailures", "replays", "policyDrops"))
    frames = psdus(air)
    for number in (1, 2):  # NHC_EH for ESP, NHC_ESP with the whole SPI of the mote's own direction
        spi = (0x11000000 + 2 * number).to_bytes(4, "big")
        assert any(re.search(rb"\xed\xec" + re.escape(spi), psdu) for psdu in frames)
    assert not any(b"ep=mote" in psdu or b".well-known" in psdu for psdu in frames)
    decoded = subprocess.run(
        ["tshark", "-r", str(air), "-Y", "esp", "-T", "fields", "-e", "esp.spi"], capture_output=True, text=True,
        timeout=60).stdout
    assert {"0x11000002", "0x11000003"} <= set(decoded.split())


@pytest.fixture(scope="module")
def protected(tmp_path_factory):
    """A gateway behind TUN with one association of each profile in either direction."""
    if WHY_NOT:
        pytest.skip(WHY_NOT)
    folder = tmp_path_factory.mktemp("protected")
    lines, keys = [], {}
    for profile, sizes in SIZES.items():
        keys[profile] = [secrets.token_hex(size) for _ in range(2) for size in sizes if size]
        half = len(keys[profile]) // 2
        ends = HOSTS[profile], GATEWAY
        lines.append(" ".join(["in esp", profile, "0x11000001", *ends, *keys[profile][:half]]))
        lines.append(" ".join(["out esp", profile, "0x11000002", *reversed(ends), *keys[profile][half:]]))
    # A gateway finds an association by destination, protocol and SPI.
    lines = [line.replace("0x11000001", f"0x1100{number:02}01") for number, line in enumerate(lines)]
    (folder / "gateway.sa").write_text("\n".join(lines) + "\n")
    (folder / "gateway.sa").chmod(0o600)
    (folder / "tun.yaml").write_text(
        "vigil:\n  coap: {addresses: localhost}\n  border:\n    tun: {device: vigilesp}\n    filter: [allow both any]\n"
        "    radios: [{kind: virtual}]\n")
    with namespace("ipsec") as inside:
        for address in HOSTS.values():
            subprocess.run([*inside, "ip", "address", "add", f"{address}/128", "dev", "lo"], check=True)
        gateway = Gateway(
            folder / "data", *PORTS, "--config", str(folder / "tun.yaml"), "--sa", str(folder / "gateway.sa"),
            "--new-sa", inside=inside)
        try:
            gateway.ready()
            gateway.inside, gateway.keys = inside, keys
            yield gateway
        finally:
            gateway.stop()


@pytest.mark.parametrize("profile", SIZES)
def test_a_host_with_scapys_ipsec_is_answered_in_esp_only(protected, running, profile):
    number = list(SIZES).index(profile)
    client = running(Process(
        *protected.inside, sys.executable, str(CLIENT), HOSTS[profile], GATEWAY, profile,
        f"0x1100{2 * number:02}01", *protected.keys[profile]))
    client.expect(r"^coap 2\.05$", timeout=60)
    for size in (8, 40, 200, 512):
        client.expect(rf"^echo {size}$", timeout=30)
    for what in ("corrupted", "replayed", "clear"):
        client.expect(rf"^silence {what}$", timeout=30)
    wait_until(lambda: client.child.poll() == 0)
    told = associations(protected, protected.inside)
    figures = told["in", HOSTS[profile]]
    assert [figures[name] for name in ("packets", "icvFailures", "replays", "policyDrops")] == [6, 1, 1, 1]
    assert told["out", HOSTS[profile]]["packets"] == 6
