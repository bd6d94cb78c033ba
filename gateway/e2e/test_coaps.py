"""CoAP over DTLS with Debian's clients: two TLS libraries that share no code with the gateway's."""

import base64
import json
import re
import selectors
import shutil
import socket
import subprocess

import pytest

from processes import Gateway

IDENTITY, KEY = "node-7", "correct horse battery"
FROM_FILE, HEX_KEY = "node 8", "hex:6b656570206974207365637265742121"
CLIENTS = ("coap-client-openssl", "coap-client-gnutls")


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    """Only identified clients may read: the defaults of `run`, on loopback."""
    folder = tmp_path_factory.mktemp("coaps")
    keys = folder / "keys"
    keys.write_text(f"# of the second client\n{FROM_FILE}={HEX_KEY}\n")
    keys.chmod(0o600)
    config = folder / "mine.yaml"
    config.write_text(
        "vigil.coap:\n  addresses: [localhost]\n  dtls:\n"
        f"    psk: {{{IDENTITY}: {KEY}}}\n    key-file: {keys}\n"
    )
    config.chmod(0o600)
    one = Gateway(
        folder / "data", "--config", str(config), "--coap-port", "0", "--coaps-port", "0", "--http-port", "0"
    )
    try:
        yield one.ready()
    finally:
        one.stop()
        said = "\n".join(one.lines)
        assert KEY not in said and HEX_KEY[4:] not in said and "Exception" not in said, said


def need(client):
    if not shutil.which(client):
        pytest.skip(f"{client} is not installed (Debian: libcoap3-bin)")


def get(client, uri, *options, patience=50):
    need(client)
    done = subprocess.run(
        [client, "-B", str(patience), "-m", "get", *options, uri], capture_output=True, timeout=60
    )
    return (done.stdout + done.stderr).decode(errors="replace").strip()


def coaps(gateway):
    return gateway.address(r"coaps://127")


def test_the_ready_line_names_coap_first_and_coaps_on_both_loopbacks(gateway):
    assert gateway.addresses[0].startswith("coap://")
    assert re.fullmatch(r"coaps://127\.0\.0\.1:[1-9]\d*", gateway.address("coaps://127"))
    assert re.fullmatch(r"coaps://\[::1\]:[1-9]\d*", gateway.address(r"coaps://\["))


@pytest.mark.parametrize("client", CLIENTS)
def test_a_shared_key_from_the_settings_lets_read(gateway, client):
    answer = get(client, coaps(gateway) + "/.well-known/core", "-u", IDENTITY, "-k", KEY)
    assert "</rd-lookup/ep>" in answer
    # The same request without a key, not encrypted, is refused: only the key gave access.
    assert "credentials" in get("coap-client-notls", gateway.coap + "/rd-lookup/ep")
    assert get(client, coaps(gateway) + "/rd-lookup/ep", "-u", IDENTITY, "-k", KEY) == ""


@pytest.mark.parametrize("client", CLIENTS)
def test_an_ipv6_literal_in_the_server_name_is_passed_over(gateway, client):
    """libcoap 4.3.1 sends one (RFC 6066 section 3 forbids it), which Scandium refuses as malformed."""
    uri = gateway.address(r"coaps://\[::1\]") + "/.well-known/core"
    assert "</rd-lookup/ep>" in get(client, uri, "-u", IDENTITY, "-k", KEY)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_shared_key_from_the_file_lets_read(gateway, client):
    key = bytes.fromhex(HEX_KEY[4:]).decode()
    answer = get(client, coaps(gateway) + "/.well-known/core", "-u", FROM_FILE, "-k", key)
    assert "</rd-lookup/ep>" in answer


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("identity, key", [(IDENTITY, KEY + "!"), ("nobody", KEY), (FROM_FILE, KEY)])
def test_a_wrong_key_or_identity_is_refused(gateway, client, identity, key):
    answer = get(client, coaps(gateway) + "/.well-known/core", "-u", identity, "-k", key, patience=2)
    assert "</rd" not in answer


def raw_key(folder):
    """A P-256 key in a form that libcoap accepts."""
    file = folder / "raw.pem"
    subprocess.run(
        ["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", str(file)], check=True
    )
    return file


def test_a_raw_public_key_connects_and_may_not_read(gateway, tmp_path):
    key = raw_key(tmp_path)
    client = "coap-client-gnutls"
    # Keys are public; lookups are only for clients to which the operator gave a key.
    assert "P-256" in get(client, coaps(gateway) + "/keys/mirror", "-M", str(key))
    refused = get(client, coaps(gateway) + "/rd-lookup/ep", "-M", str(key))
    assert "4.03 reading is not allowed for this identity" in refused


def test_the_gateways_raw_key_is_its_identity_key(gateway, tmp_path):
    need("coap-client-gnutls")
    host, port = re.fullmatch(r"coaps://(127\.0\.0\.1):(\d+)", gateway.address("coaps://127")).groups()
    heard = b""
    # A relay that records the server's datagrams: its Certificate message is not encrypted in DTLS 1.2.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as near, socket.socket(
        socket.AF_INET, socket.SOCK_DGRAM
    ) as far:
        near.bind(("127.0.0.1", 0))
        far.connect((host, int(port)))
        client = subprocess.Popen(
            ["coap-client-gnutls", "-B", "50", "-M", str(raw_key(tmp_path)), "-m", "get",
             f"coaps://127.0.0.1:{near.getsockname()[1]}/keys/mirror"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        with selectors.DefaultSelector() as ready:
            ready.register(near, selectors.EVENT_READ)
            ready.register(far, selectors.EVENT_READ)
            peer = None
            while client.poll() is None:
                for key, _ in ready.select(timeout=0.2):
                    datagram, sender = key.fileobj.recvfrom(4096)
                    if key.fileobj is near:
                        peer = sender
                        far.send(datagram)
                    else:
                        heard += datagram
                        near.sendto(datagram, peer)
        said = client.stdout.read().decode()
        client.stdout.close()
    jwk = json.loads(re.search(r"\{.*\}", said).group())

    def octets(text):
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

    assert b"\x04" + octets(jwk["x"]) + octets(jwk["y"]) in heard
    own = json.loads((gateway.data_dir / "identity.jwk").read_text())
    assert own.pop("d") and own == jwk


def test_a_file_of_keys_that_others_can_read_is_refused(tmp_path):
    keys = tmp_path / "keys"
    keys.write_text(f"{IDENTITY}={KEY}\n")
    keys.chmod(0o644)
    config = tmp_path / "mine.yaml"
    config.write_text(f"vigil.coap.dtls.key-file: {keys}\nvigil.coap.addresses: localhost\n")
    refused = Gateway(tmp_path / "data", "--config", str(config), "--coap-port", "0", "--http-port", "0")
    refused.child.wait(timeout=60)
    refused._reader.join(timeout=5)
    assert refused.child.returncode != 0
    assert f"chmod 600 {keys}" in refused.tail() and KEY not in refused.tail()


def test_a_coaps_port_in_use_is_named(tmp_path):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        refused = Gateway(
            tmp_path, "--demo", "--coap-port", "0", "--coaps-port", str(port), "--http-port", "0", "--zep-port", "0"
        )
        refused.child.wait(timeout=60)
        refused._reader.join(timeout=5)
    said = refused.tail()
    assert refused.child.returncode != 0 and "Exception" not in said
    assert str(port) in said and "coaps" in said and "--coaps-port" in said
