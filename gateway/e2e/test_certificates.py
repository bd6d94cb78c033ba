"""CoAPS and HTTPS with certificates: Debian's coap-client on two TLS libraries, and curl."""

import shutil
import subprocess

import pytest

from certificates import Authority
from processes import Gateway
from test_coaps import CLIENTS, get, raw_key

IDENTITY, KEY = "node-7", "correct horse battery"
NAMES = "DNS:localhost,IP:127.0.0.1,IP:::1"


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    """An authority, an unknown authority, and a gateway that trusts the first."""
    folder = tmp_path_factory.mktemp("certificates")
    ours, stranger = Authority(folder, "ours"), Authority(folder, "stranger")
    certificate, key = ours.issue("gateway", NAMES)
    config = folder / "mine.yaml"
    config.write_text(
        "vigil:\n  coap:\n    addresses: [localhost]\n    dtls:\n"
        f"      psk: {{{IDENTITY}: {KEY}}}\n      certificate: {certificate}\n      key: {key}\n"
        f"      client-ca: {ours.certificate}\n"
        f"  http:\n    tls: {{certificate: {certificate}, key: {key}}}\n"
    )
    gateway = Gateway(
        folder / "data", "--config", str(config), "--coap-port", "0", "--coaps-port", "0", "--http-port", "0",
        "--https-port", "0",
    )
    try:
        gateway.ready()
        gateway.folder, gateway.ours, gateway.stranger = folder, ours, stranger
        yield gateway
    finally:
        gateway.stop()
        assert "Exception" not in "\n".join(gateway.lines), gateway.tail()


def coaps(gateway):
    return gateway.address(r"coaps://127")


def ask(client, office, path, identity):
    certificate, key = identity
    return get(
        client, coaps(office) + path, "-c", str(certificate), "-j", str(key), "-C", str(office.ours.certificate),
        patience=50,
    )


@pytest.mark.parametrize("client", CLIENTS)
def test_a_certificate_of_our_authority_may_read(office, client):
    me = office.ours.issue(f"reader-{client}", "DNS:reader.example.com")
    other = office.ours.issue(f"other-{client}")
    assert "</rd-lookup/ep>" in ask(client, office, "/.well-known/core", me)
    assert ask(client, office, "/rd-lookup/ep?ep=nobody", me) == ""

    def register(who):
        certificate, key = who
        done = subprocess.run(
            [client, "-B", "50", "-m", "post", "-t", "40", "-e", "</a>", "-c", str(certificate), "-j", str(key),
             "-C", str(office.ours.certificate), coaps(office) + f"/rd?ep=of-{client}"],
            capture_output=True, timeout=60, text=True,
        )
        return done.stdout + done.stderr

    register(me)
    assert f"of-{client}" in ask(client, office, f"/rd-lookup/ep?ep=of-{client}", me)
    assert "4.03" in register(other)
    # The same names with a new key: a renewed certificate is the same identity.
    assert "4.0" not in register(office.ours.issue(f"reader-{client}", "DNS:reader.example.com"))


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_without_a_certificate_verifies_ours(office, client):
    root = ("-R", str(office.ours.certificate)) if client.endswith("openssl") else ("-C", str(office.ours.certificate))
    assert "P-256" in get(client, coaps(office) + "/keys/mirror", *root)
    assert "4.01" in get(client, coaps(office) + "/rd-lookup/ep", *root)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_that_trusts_another_authority_refuses_us(office, client):
    certificate, key = office.stranger.issue(f"distrusting-{client}")
    answer = get(
        client, coaps(office) + "/keys/mirror", "-c", str(certificate), "-j", str(key),
        "-C", str(office.stranger.certificate), patience=2,
    )
    assert "P-256" not in answer


@pytest.mark.parametrize("client", CLIENTS)
def test_a_certificate_of_another_authority_gets_no_handshake(office, client):
    certificate, key = office.stranger.issue(f"intruder-{client}")
    answer = ask(client, office, "/.well-known/core", (certificate, key))
    assert "</rd" not in answer
    office.expect(r"CoAPS: the handshake with /127\.0\.0\.1:\d+ failed: .*trust anchor", timeout=30)


@pytest.mark.parametrize("client", CLIENTS)
def test_an_expired_certificate_gets_no_handshake(office, client):
    answer = ask(client, office, "/.well-known/core", office.ours.issue(f"late-{client}", days=-1))
    assert "</rd" not in answer
    office.expect(r"CoAPS: the handshake with /127\.0\.0\.1:\d+ failed: .*[Ee]xpired", timeout=30)


@pytest.mark.parametrize("client", CLIENTS)
def test_shared_keys_work_with_certificates_configured(office, client):
    assert get(client, coaps(office) + "/rd-lookup/ep?ep=nobody", "-u", IDENTITY, "-k", KEY) == ""


def test_a_raw_public_key_works_with_certificates_configured(office, tmp_path):
    answer = get("coap-client-gnutls", coaps(office) + "/keys/mirror", "-M", str(raw_key(tmp_path)))
    assert "P-256" in answer


def curl(*arguments):
    if not shutil.which("curl"):
        pytest.skip("curl is not installed")
    done = subprocess.run(["curl", "-sS", "-m", "60", *map(str, arguments)], capture_output=True, text=True, timeout=90)
    return done.returncode, done.stdout + done.stderr


def test_curl_reads_over_https_and_refuses_another_authority(office):
    https = office.address("https://")
    code, answer = curl("--cacert", office.ours.certificate, https + "/.well-known/core?rt=core.rd")
    assert code == 0 and answer == '</rd>;rt="core.rd";ct=40'
    code, answer = curl("--cacert", office.ours.certificate, "--tlsv1.2", "--tls-max", "1.2", https + "/actuator/health")
    assert code == 0 and '"UP"' in answer
    assert curl("--cacert", office.stranger.certificate, https + "/.well-known/core")[0] == 60
    assert curl("--cacert", office.ours.certificate, "--tls-max", "1.1", https + "/.well-known/core")[0] == 35
    # TLS 1.2 only with authenticated encryption.
    for suites in ("ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES128-SHA256", "AES128-GCM-SHA256:AES128-SHA"):
        refused = curl("--cacert", office.ours.certificate, "--tls-max", "1.2", "--ciphers", suites, https + "/")
        assert refused[0] == 35, refused
    # HTTP on loopback still works.
    assert curl(office.http + "/.well-known/core?rt=core.rd")[1] == '</rd>;rt="core.rd";ct=40'

