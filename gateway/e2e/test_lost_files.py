"""Lost or damaged key and counter files next to a database: the gateway names them, and replaces them only on
demand."""

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
    ("identity.jwk", None), ("identity.jwk", b""), ("identity.jwk", b'{"kty":"EC"'),
    ("bridge.counters", None), ("bridge.counters", b""), ("bridge.counters", b"link/1/sent=\0\0\n.\n"),
    ("https-authority.pem", None), ("vigil.db", None),
])
def test_a_lost_file_stops_the_start_and_stays_lost(folder, name, damage):
    file = folder / "data" / name
    whole = file.read_bytes()
    file.unlink()
    if damage is not None:
        file.write_bytes(damage)
        file.chmod(0o600)
    code, text = outcome(start(folder), timeout=120)
    assert code == 1 and str(file) in text and one_clear_sentence(text), text
    assert f"vigil replace {name} --data-dir {folder / 'data'}" in text
    assert (file.read_bytes() if file.exists() else None) == damage
    file.write_bytes(whole)
    file.chmod(0o600)


def test_the_way_on_is_a_command_that_tells_the_consequence(folder):
    data = folder / "data"
    old = {name: (data / name).read_bytes() for name in FILES}
    (data / "identity.jwk").write_bytes(b"damaged")
    (data / "bridge.counters").unlink()
    (data / "https-authority.pem").unlink()
    (data / "vigil.db").unlink()
    consequences = ("each recorded message can be", "refuse the gateway", "change the link key", "/ca.pem")
    for name, consequence in zip(("vigil.db", *FILES), consequences):
        done = subprocess.run([*java_command(), "replace", name, "--data-dir", str(data)], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0 and consequence in done.stdout, done.stderr
    assert (data / "identity.jwk.replaced").read_bytes() == b"damaged"
    gateway = start(folder).ready()
    gateway.stop()
    assert all((data / name).read_bytes() not in (old[name], b"") for name in ("identity.jwk", "https-authority.pem"))


def test_replacing_needs_a_stopped_gateway_and_a_file_that_it_knows(folder):
    gateway = start(folder).ready()
    try:
        for name, code, words in (("identity.jwk", 1, "in use by process"), ("vigil.lock", 2, "replace takes one of")):
            done = subprocess.run([*java_command(), "replace", name, "--data-dir", str(folder / "data")],
                                  capture_output=True, text=True, timeout=60)
            assert done.returncode == code and words in done.stderr and one_clear_sentence(done.stderr), done.stderr
    finally:
        gateway.stop()
