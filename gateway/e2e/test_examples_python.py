"""The endpoint of docs/examples, written from docs/protocol.md alone, with a real gateway."""

import json
import subprocess
import sys
import urllib.parse

from processes import REPOSITORY
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from jwcrypto import jwk, jws

EXAMPLE = REPOSITORY / "docs/examples/sleepy_endpoint.py"


def run(gateway, value, key):
    """The two lines that the example prints: registration and update."""
    mirror = urllib.parse.urlsplit(gateway.coap)
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), mirror.hostname, str(mirror.port), "example", value, str(key)],
        capture_output=True, text=True, timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return [line.split() for line in done.stdout.splitlines()]


def test_the_python_example_registers_and_its_reading_verifies(gateway, tmp_path):
    key = tmp_path / "key.pem"
    secret = ec.generate_private_key(ec.SECP256R1())
    key.write_bytes(secret.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))

    (registered, path, jkt), (updated, *_) = run(gateway, "21.5", key)
    assert (registered, updated) == ("2.01", "2.01")
    assert gateway.get(f"{path}/temp", "text/plain")[2] == b"21.5"

    status, _, served = gateway.get(f"{path}/temp", "application/jose")
    public = jwk.JWK.from_pyca(secret.public_key())
    assert status == 200 and public.thumbprint() == jkt
    token = jws.JWS()
    token.deserialize(served.decode())
    token.verify(public)
    assert json.loads(token.payload) == [{"n": "urn:dev:ops:example", "u": "Cel", "v": 21.5}]


def test_the_python_example_is_short_and_needs_one_library():
    lines = EXAMPLE.read_text().splitlines()
    assert len(lines) <= 60
    imported = {line.split()[1].split(".")[0] for line in lines if line.startswith("from ")}
    assert imported == {"cryptography"}
