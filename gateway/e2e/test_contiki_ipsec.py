"""A mote under Contiki-NG answers a host with ESP and AH, through two forwarders.

The host is scapy's IPsec on a raw socket, behind the gateway's TUN interface. Everything runs in a separate network
namespace, so it needs root. The node's image contains the file of associations that the host also reads. Needs CONTIKI.
"""

import contextlib
import subprocess
import sys

import pytest
from association_lines import Association, private
from processes import JAR, JAVA, REPOSITORY, Process, eui64, in_a_line, namespace, why_no_namespace
from test_contiki import CONTIKI, HOPS, JOINING, PORT, image

HOST = "fd00::1"
MOTE = f"fd00::56:4947:494c:1{HOPS:03x}"
PEER = REPOSITORY / "gateway/e2e/esp_peer.py"
# Each profile's layers, innermost first.
PROFILES = {
    "cbc-sha256": ["cbc-sha256"], "ccm8": ["ccm8"], "ah-sha1": ["ah-sha1"], "esp-in-ah": ["cbc-sha1", "ah-sha1"],
}

WHY_NOT = why_no_namespace() if CONTIKI else "CONTIKI does not name a checkout of Contiki-NG"

pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)


def associations(layers):
    """The node's file, with SPIs that forwarders without our port also pass."""
    ways = (HOST, MOTE), (MOTE, HOST)
    return "".join(
        Association.fresh(suite, 0x11000001 + number, *ends).line(MOTE)
        for number, ends in enumerate(ways) for suite in layers
    )


@pytest.mark.parametrize("profile", PROFILES)
def test_the_farthest_node_answers_protected_packets_only(profile, tmp_path):
    file = private(tmp_path / f"{profile}.sa", associations(PROFILES[profile]))
    binary = image("echo-node", f"SA={file}")
    (tmp_path / "line.txt").write_text(in_a_line(HOPS))
    (tmp_path / "c.yaml").write_text(
        "vigil:\n  coap: {port: 0, addresses: localhost}\n  http: {port: 0}\n  border:\n"
        f"    tun: {{device: vigiltest, address: '{HOST}'}}\n    filter: [allow both any]\n"
        f"    radios: [{{kind: virtual, port: 0, topology: {tmp_path / 'line.txt'}}}]\n"
    )
    with namespace() as inside, contextlib.ExitStack() as stack:

        def start(*command):
            process = Process(*inside, *map(str, command), cwd=tmp_path)
            stack.callback(process.stop)
            return process

        gateway = start(
            JAVA, "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-jar", JAR,
            "run", "--data-dir", tmp_path / "data", "--config", tmp_path / "c.yaml",
        )
        zep = gateway.expect(r"^ready .*zep://(\S+)", timeout=JOINING)[1]

        def node(number, *options):
            return start(binary, "--ep", f"echo-{number}", "--eui64", eui64(number), "--zep", zep, *options)

        nodes = [node(number, "--new-sa") for number in range(1, HOPS + 1)]
        assert nodes[-1].expect(r"^joined the mesh as (\S+)$", timeout=JOINING)[1] == MOTE
        peer = start(sys.executable, PEER, HOST, MOTE, file)
        for size in (8, 40, 200, 600):
            peer.expect(rf"^echo {size}$", timeout=60)
        for word in ("options", "silence"):
            peer.expect(rf"^{word}$", timeout=30)


def test_a_node_without_records_of_its_numbers_says_so(tmp_path):
    file = private(tmp_path / "node.sa", associations(["ccm8"]))
    command = image("echo-node", f"SA={file}"), "--ep", "echo-9", "--eui64", eui64(9)
    for options, unrecorded in (([], 2), (["--new-sa"], 0), ([], 0)):
        node = Process(*map(str, (*command, *options)), cwd=tmp_path)
        try:
            node.expect(r"Tentative link-local IPv6 address", timeout=60)
        finally:
            node.stop()
        said = [line for line in node.lines if "there is no record of its sequence numbers" in line]
        assert len(said) == unrecorded and all(line.endswith("start once with --new-sa") for line in said)


def test_a_wrong_file_ends_the_build_with_its_line(tmp_path):
    file = private(tmp_path / "wrong.sa", "# ours\nup esp\n")
    made = subprocess.run(
        ["make", "-s", "-C", str(PORT), "TARGET=native", f"CONTIKI={CONTIKI}", f"SA={file}"], capture_output=True, text=True
    )
    assert made.returncode != 0 and f"SA {file}: line 2: give: in|out" in made.stdout + made.stderr
