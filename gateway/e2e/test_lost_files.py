"""Lost or damaged key and counter files next to a database: the gateway names them, and replaces them only on demand.
IdentityFileTest, BridgeLifecycleTest, LocalAuthorityTest and StoreFileTest lose and damage each file, and ReplaceCommandTest
replaces each."""

import subprocess

import pytest
from processes import Gateway, java_command
from test_starting_and_stopping import one_clear_sentence, outcome

OPTIONS = ("--demo", "--coap-port", "0", "--coaps-port", "0", "--http-port", "0", "--https-port", "0", "--zep-port", "0")
FILES = ("identity.jwk", "bridge.counters", "https-authority.pem")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The data folder of a gateway that ran once."""
    folder = tmp_path_factory.mktemp("lost")
    (folder / "application.yaml").write_text("vigil: {http: {tls: {generate: true}}}\n")
    start(folder).ready().stop()
    assert all((folder / "data" / name).stat().st_size > 0 for name in FILES)
    return folder


def start(folder):
    return Gateway(folder / "data", *OPTIONS, "--config", str(folder / "application.yaml"))


@pytest.mark.parametrize("name, damage", [
    ("identity.jwk", b'{"kty":"EC"'), ("bridge.counters", None), ("https-authority.pem", None), ("vigil.db", None),
])
def test_a_lost_file_stops_the_start_and_stays_lost(folder, name, damage):
    file = folder / "data" / name
    whole = file.read_bytes()
    file.unlink()
    if damage is not None:
        file.write_bytes(damage)
        file.chmod(0o600)
    refused = start(folder)
    try:
        code, text = outcome(refused, timeout=120)
        assert code == 1 and str(file) in text and one_clear_sentence(text), text
        assert f"vigil replace {name} --data-dir {folder / 'data'}" in text
        assert (file.read_bytes() if file.exists() else None) == damage
    finally:
        # Other tests, and a second attempt, need the folder as it was.
        refused.stop()
        file.write_bytes(whole)
        file.chmod(0o600)


def replace(folder, name):
    return subprocess.run([*java_command(), "replace", name, "--data-dir", str(folder / "data")], capture_output=True, text=True, timeout=60)


def test_replacing_a_file_names_the_consequence_and_needs_a_stop(folder):
    identity = folder / "data/identity.jwk"
    old = identity.read_bytes()
    identity.write_bytes(b"damaged")
    done = replace(folder, "identity.jwk")
    assert done.returncode == 0 and "refuse the gateway" in done.stdout, done.stderr
    assert (folder / "data/identity.jwk.replaced").read_bytes() == b"damaged"
    gateway = start(folder).ready()
    try:
        assert identity.read_bytes() not in (old, b"damaged", b"")
        refused = replace(folder, "identity.jwk")
        assert refused.returncode == 1 and "in use by process" in refused.stderr and one_clear_sentence(refused.stderr), refused.stderr
    finally:
        gateway.stop()
