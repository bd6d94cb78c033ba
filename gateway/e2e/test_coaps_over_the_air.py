"""CoAP over DTLS over the radio: an independent node carries the datagrams of Debian's clients in 802.15.4 frames."""

import subprocess

import pytest
from air_node import Node, Relay
from processes import Gateway, eui64
from test_coaps import CLIENTS, need, raw_key

IDENTITY, KEY = "node-7", "correct horse battery"


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    """Only identified clients may read."""
    folder = tmp_path_factory.mktemp("air")
    (folder / "mine.yaml").write_text(
        f"vigil:\n  coap: {{port: 0, addresses: localhost, dtls: {{psk: {{{IDENTITY}: {KEY}}}}}}}\n"
        "  http: {port: 0}\n  border: {radios: [{kind: virtual, port: 0}]}\n"
    )
    (folder / "mine.yaml").chmod(0o600)
    one = Gateway(folder / "data", "--config", str(folder / "mine.yaml"))
    try:
        yield one.ready()
    finally:
        one.stop()
        said = "\n".join(one.lines)
        assert KEY not in said and "Exception" not in said, said


@pytest.fixture
def relay(gateway):
    one = Relay(Node(gateway, eui64(0x700)), 5684)
    yield one
    one.close()


def get(relay, client, path, *options, patience=60):
    """Output of a client that asks over the radio."""
    need(client)
    asking = subprocess.Popen(
        [client, "-B", str(patience), "-m", "get", *options, f"coaps://{relay.address}{path}"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    try:
        relay.carry(lambda: asking.poll() is not None)
        return asking.stdout.read().decode(errors="replace").strip()
    finally:
        asking.kill()
        asking.communicate()


def test_the_ready_line_names_coaps_at_the_mesh_address(gateway):
    assert gateway.address(r"coaps://\[fd00:").endswith(":5684")


@pytest.mark.parametrize("client", CLIENTS)
def test_a_shared_key_lets_read_over_the_air(relay, client):
    known = ("-u", IDENTITY, "-k", KEY)
    assert "</rd-lookup/ep>" in get(relay, client, "/.well-known/core", *known)
    assert get(relay, client, "/rd-lookup/ep", *known) == ""
    assert b"rd-lookup" not in relay.heard  # an eavesdropper on the radio cannot read it


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("identity, key", [(IDENTITY, KEY + "!"), ("nobody", KEY)])
def test_a_wrong_key_or_identity_is_refused_over_the_air(relay, client, identity, key):
    assert "</rd" not in get(relay, client, "/.well-known/core", "-u", identity, "-k", key, patience=3)


def test_a_raw_public_key_is_somebody_who_may_not_read(relay, tmp_path):
    key = raw_key(tmp_path)
    client = "coap-client-gnutls"
    assert "P-256" in get(relay, client, "/keys/mirror", "-M", str(key))
    assert "4.03 reading is not allowed for this identity" in get(relay, client, "/rd-lookup/ep", "-M", str(key))
