"""The gateway and a mote on an emulated Raspberry Pi: Java, SQLite, signatures, a serial line and TUN for arm64.

For `./vigil test --all`, because a start takes minutes. The gateway has a virtual radio, a slip-radio on a pseudo-terminal
and a TUN interface. The mote joins the mesh and signs its readings.
"""

import base64
import contextlib
import json
import re
import subprocess

import arm64
import pytest
from jwcrypto import jwk, jws
from processes import ALL, COAP_CLIENT, QUICK_MESH, UNOPTIMISED, Gateway, Process, eui64, java_command, namespace, wait_until
from serial_radio import slip_radio

WHY_NOT = arm64.why_not() if ALL else "only with ./vigil test --all: emulates arm64"
pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)

MINUTES = 60
SETTINGS = """\
vigil.border:
  radios:
    - {{kind: virtual, port: 0}}
    - {{kind: serial, device: {device}}}
  tun.device: vigilarm
vigil.trust: first-use
vigil.anonymous-read: true
"""


@pytest.fixture(scope="module")
def pi(tmp_path_factory):
    """A gateway for arm64 and its mote, whose first reading was accepted."""
    arm64.make()
    folder = tmp_path_factory.mktemp("arm64")
    with contextlib.ExitStack() as stack:
        network = stack.enter_context(namespace("arm64"))
        (folder / "pi.yaml").write_text(SETTINGS.format(device=stack.enter_context(slip_radio())))
        inside = [*network, *arm64.inside(folder)]
        gateway = Gateway(
            "/mnt/data", "--config", "/mnt/pi.yaml", "--coap-port", "0", "--http-port", "0",
            inside=inside, java=arm64.java(*UNOPTIMISED, "-Xmx512m"), **QUICK_MESH)
        stack.callback(gateway.stop)
        gateway.ready(timeout=30 * MINUTES)
        gateway.network, gateway.folder = network, folder
        gateway.mote = Process(
            *inside, arm64.MOTE, "--ep", "mote-1", "--zep", gateway.zep, "--eui64", eui64(1), "--mirror", gateway.routed,
            "--wake", "5", "--state", "/mnt/mote-1.state", "--sensor", "load", "--serve")
        stack.callback(gateway.mote.stop)
        gateway.mote.address = gateway.mote.expect(r"^joined the mesh as (\S+)$", timeout=5 * MINUTES)[1]
        gateway.mote.expect(r"^sent .*2\.0[14]", timeout=10 * MINUTES)
        yield gateway


def run(pi, *command):
    done = subprocess.run([*pi.network, *command], capture_output=True, text=True, timeout=5 * MINUTES)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def get(pi, path, accept="*/*"):
    return run(pi, "curl", "-sS", "--fail-with-body", "-H", f"Accept: {accept}", pi.http + path)


def mapped(pi):
    """Files of the user-land that the gateway's process has mapped."""
    with open(f"/proc/{pi.child.pid}/maps") as maps:
        return set(re.findall(rf"{arm64.ROOT}/(\S+)$", maps.read(), re.M))


def test_the_native_libraries_for_arm64_are_used(pi):
    libraries = ("libsqlitejdbc.so", "libamazonCorrettoCryptoProvider.so", "libjSerialComm.so")
    assert {f"{arm64.NATIVE}/{name}" for name in libraries} <= mapped(pi)


def test_the_gateway_runs_from_its_cache(pi):
    """As the Dockerfile checks it: with AOTMode=on the JVM ends if the cache does not fit."""
    if why := arm64.why_no_cache():
        pytest.skip(f"the kernel cannot start the JVM that writes the cache: {why}")
    assert any(file.endswith("vigil-gateway.fast/vigil.aot") for file in mapped(pi))
    command = [*arm64.inside(pi.folder), *arm64.java("-XX:AOTMode=on"), "--version"]
    assert run(pi, *command).startswith("Vigil ")


def test_the_native_provider_verifies_signatures(pi):
    [line] = [line for line in pi.lines if " signatures: " in line]
    assert "ES256 by AmazonCorrettoCryptoProvider" in line and "ES384 by AmazonCorrettoCryptoProvider" in line


def test_a_client_verifies_a_reading_of_the_mote(pi):
    [path] = re.findall(r"<(?:[a-z]+://[^/]+)?(/ms/[^>]+/load)>", get(pi, "/rd-lookup/res?rt=load"))
    text = get(pi, path, "application/jose")
    header = json.loads(base64.urlsafe_b64decode(text.split(".")[0] + "=="))
    key = jwk.JWK.from_json(get(pi, "/keys/" + header["kid"]))
    assert key.thumbprint() == header["kid"]
    reading = jws.JWS()
    reading.deserialize(text)
    reading.verify(key, alg="ES256")
    assert json.loads(reading.payload)[0]["n"] == "mote-1/load"


def test_another_machine_verifies_the_archive(pi, tmp_path):
    """`verify` of the built jar, on this machine's own processor."""
    [endpoint] = json.loads(get(pi, "/api/endpoints"))["endpoints"]
    file = tmp_path / "archive.jsonl"
    file.write_text(get(pi, f"/api/endpoints/{endpoint['id']}/export?format=jsonl"))
    done = subprocess.run([*java_command(), "verify", file], capture_output=True, text=True, timeout=5 * MINUTES)
    assert done.returncode == 0 and "all valid" in done.stdout, done.stdout + done.stderr


def test_a_slip_radio_on_a_serial_line_comes_up(pi):
    def up():
        """the gateway asked the radio for its address, and read the answer"""
        return any("slip-radio" in line and "is up" in line for line in pi.lines)

    wait_until(up, timeout=5 * MINUTES)


def test_the_kernel_reads_the_mote_through_tun(pi):
    """The gateway made the interface, and both directions carry packets."""
    shown = run(pi, "ip", "-6", "-o", "address", "show", "dev", "vigilarm")
    assert "fd00::1/64" in shown
    assert "mtu 1280" in run(pi, "ip", "link", "show", "dev", "vigilarm")
    [record] = json.loads(run(pi, COAP_CLIENT, "-B", "60", "-m", "get", f"coap://[{pi.mote.address}]/load").strip())
    assert record["n"] == "mote-1/load"
