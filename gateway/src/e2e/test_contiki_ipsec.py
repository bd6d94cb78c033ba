"""A mote under Contiki-NG answers a host under ESP and AH, two forwarders in between.

The host is scapy's IPsec on a raw socket, behind the gateway's TUN interface; all of it runs in a network namespace of
its own, so it needs root. Needs CONTIKI.
"""

import contextlib
import secrets
import sys

import pytest
from processes import JAR, JAVA, REPOSITORY, Process, eui64, in_a_line, namespace, why_no_namespace
from test_contiki import CONTIKI, HOPS, JOINING, image

HOST = "fd00::1"
PEER = REPOSITORY / "gateway/src/e2e/esp_peer.py"


WHY_NOT = why_no_namespace() if CONTIKI else "CONTIKI names no checkout of Contiki-NG"

pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)


def macro(octets):
    return "{" + ", ".join(str(octet) for octet in octets) + "}"


def associations(protocol):
    """Fresh keys, as the peer takes them, and as the header that SECRETS names."""
    keys = [secrets.token_bytes(20 if cipher else 32) for _ in range(2) for cipher in (True, False)]
    header = f'#define MOTE_SA_PEER "{HOST}"\n'
    for number, (name, spi) in enumerate((("OUT", "0x11000002"), ("IN", "0x11000001"))):
        cipher, integrity = keys[2 * number : 2 * number + 2]
        how = ".protocol = &ipsec_esp, .cipher = &ipsec_aes_ctr, .integrity = &ipsec_hmac_sha256_128"
        if protocol == "ah":
            how = ".protocol = &ipsec_ah, .integrity = &ipsec_hmac_sha1_96"
            integrity = integrity[:20]
        header += (
            f"#define MOTE_SA_{name} {{{how}, .spi = {spi}, "
            f".key = {macro(cipher[:16])}, .salt = {macro(cipher[16:])}, .integrity_key = {macro(integrity)}}}\n"
        )
    return [key.hex() for key in keys], header


@pytest.mark.parametrize("protocol", ["esp", "ah"])
def test_the_farthest_node_answers_protected_packets_only(protocol, tmp_path):
    keys, header = associations(protocol)
    (tmp_path / f"{protocol}.h").write_text(header)
    binary = image("echo-node", f"SECRETS={tmp_path / f'{protocol}.h'}")
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
        nodes = [
            start(binary, "--ep", f"echo-{number}", "--eui64", eui64(number), "--zep", zep)
            for number in range(1, HOPS + 1)
        ]
        address = nodes[-1].expect(r"^joined the mesh as (\S+)$", timeout=JOINING)[1]
        peer = start(sys.executable, PEER, HOST, address, protocol, *keys)
        for size in (8, 40, 200, 600):
            peer.expect(rf"^echo {size}$", timeout=30)
        peer.expect(r"^silence$", timeout=30)
