"""The endpoint of docs/examples, written from docs/protocol.md alone, with a real gateway."""

import json
import subprocess
import sys
import urllib.parse

from cryptography.hazmat.primitives import serialization
from jwcrypto import jwk, jws
from processes import REPOSITORY

EXAMPLE = REPOSITORY / "docs/examples/sleepy_endpoint.py"


def run(gateway, *arguments, code=0):
    """The output of the example, as lines of words, and its errors."""
    mirror = urllib.parse.urlsplit(gateway.coap)
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), mirror.hostname, str(mirror.port), *map(str, arguments)], capture_output=True, text=True, timeout=60)
    assert done.returncode == code and "Traceback" not in done.stderr, done.stderr
    return [line.split() for line in done.stdout.splitlines()], done.stderr


def test_the_python_example_registers_and_its_reading_verifies(gateway, tmp_path):
    key = tmp_path / "key.pem"
    ((registered, path, jkt), (updated, *_)), _ = run(gateway, "example", "21.5", key, "--new-key")
    assert (registered, updated) == ("2.01", "2.01") and key.stat().st_mode & 0o777 == 0o600
    assert gateway.get(f"{path}/temp", "text/plain")[2] == b"21.5"
    secret = serialization.load_pem_private_key(key.read_bytes(), None)

    status, _, served = gateway.get(f"{path}/temp", "application/jose")
    public = jwk.JWK.from_pyca(secret.public_key())
    assert status == 200 and public.thumbprint() == jkt
    token = jws.JWS()
    token.deserialize(served.decode())
    token.verify(public)
    assert json.loads(token.payload) == [{"n": "urn:dev:ops:example", "u": "Cel", "v": 21.5}]


def test_the_python_example_explains_wrong_arguments(gateway, tmp_path):
    key = tmp_path / "key.pem"
    assert run(gateway, code=2)[1].startswith("usage: ")
    assert "holds no private key of P-256" in run(gateway, "example", "21.5", key, code=2)[1]
    key.write_text("no key")
    assert "--new-key" in run(gateway, "example", "21.5", key, "--new-key", code=2)[1] and key.read_text() == "no key"
    assert "invalid float value" in run(gateway, "example", "warm", key, code=2)[1]


def test_the_python_example_fails_when_the_mirror_refuses(gateway, tmp_path):
    """A second key for an existing name."""
    run(gateway, "taken", "21.5", tmp_path / "first.pem", "--new-key")
    [(code, *_)], error = run(gateway, "taken", "21.5", tmp_path / "second.pem", "--new-key", code=1)
    assert code.startswith("4.") and f"refused the registration with {code}" in error


def test_the_python_example_is_short_and_needs_one_library():
    lines = EXAMPLE.read_text().splitlines()
    assert len(lines) <= 80
    imported = {line.split()[1].split(".")[0] for line in lines if line.startswith("from ")}
    assert imported == {"cryptography"}
