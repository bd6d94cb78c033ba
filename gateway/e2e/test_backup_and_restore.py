"""A backup of a running gateway, restored elsewhere: no message recorded since is accepted, and motes continue."""

import json
import os
import re
import signal
import stat
import subprocess

import floor_plan
import mirror_peer
import pytest
from mirror_peer import Endpoint, api, command, http
from processes import Gateway, free_port, java_command, mote

PASSPHRASE = "correct horse battery staple"
LINK_KEY = "00112233445566778899aabbccddeeff"
SETTINGS = mirror_peer.SETTINGS + f"  border: {{link-security: {{key: '{LINK_KEY}'}}}}\n"
JUMP = 2**28


def vigil(*arguments, **more):
    return subprocess.run([*java_command(), *map(str, arguments)], capture_output=True, text=True, timeout=120, **more)


def sent_counter(data):
    """The first frame counter that this gateway has not reserved."""
    return max(map(int, re.findall(r"^link/\w+/sent=(\d+)$", (data / "bridge.counters").read_text(), re.M)))


class Recorded:
    """Messages of an endpoint as sent, which anybody could have recorded."""

    def __init__(self, endpoint):
        self.endpoint = endpoint
        self.messages = []

    def register(self):
        payload = self.endpoint.registration()
        self.messages.append(lambda: self.endpoint.post(payload))
        answer = self.endpoint.post(payload)
        assert answer.code == "2.01", answer.text
        self.endpoint.path = answer.location

    def update(self):
        payload = self.endpoint.jws("temp", mirror_peer.READING)
        self.messages.append(lambda: self.endpoint.put(payload))
        assert self.endpoint.put(payload).code in ("2.01", "2.04")

    def command(self, seq):
        payload = command(self.endpoint, seq)
        self.messages.append(lambda: self.endpoint.put(payload, res="led"))
        assert self.endpoint.put(payload, res="led").code == "2.04"

    def played_again(self):
        return [message().code for message in self.messages]


@pytest.fixture(scope="module")
def restored(tmp_path_factory):
    """A gateway that died after its backup, and one with the restored folder at the same addresses."""
    folder = tmp_path_factory.mktemp("restored")
    config = folder / "application.yaml"
    config.write_text(SETTINGS % ("false", json.dumps(mirror_peer.COMMANDER.jwk)))
    (folder / "passphrase").write_text(PASSPHRASE + "\n")
    (folder / "passphrase").chmod(0o600)
    (folder / "link.key").write_text(LINK_KEY + "\n")
    options = ["--demo", "--config", str(config), "--coaps-port", "0", "--http-port", "0",
               "--coap-port", str(free_port()), "--zep-port", str(free_port())]
    gateway = Gateway(folder / "data", *options).ready()
    gateways = [gateway]
    live = mote("mote-1", gateway, folder / "mote-1.state", "--link-key", str(folder / "link.key"), mirror=gateway.routed)
    try:
        live.expect(r"^sent .*2\.0[14]")
        known = Recorded(Endpoint(gateway, "known", d="led", links="</temp>,</led>"))
        known.register()
        known.update()
        known.command(1)
        known.messages.clear()
        token = (gateway.data_dir / "operator.token").read_text().strip()
        known.tags = f"/api/endpoints/{known.endpoint.path.removeprefix('/ms/')}/tags"
        assert api(gateway, "PUT", known.tags, token, {"tags": ["hall"]})[0] == 200
        known.image, known.drawing = floor_plan.save(gateway, token)
        backup = folder / "vigil.backup"
        done = vigil("backup", backup, "--data-dir", gateway.data_dir, "--config", config,
                     "--passphrase-file", folder / "passphrase", cwd=folder)
        assert done.returncode == 0 and str(backup) in done.stdout, done.stderr
        new = Recorded(Endpoint(gateway, "new", d="led", links="</temp>,</led>"))
        assert api(gateway, "PUT", known.tags, token, {"tags": ["later"]})[0] == 200
        for one in (known, new):
            one.register()
            for _ in range(3):
                one.update()
            one.command(2)
        key = gateway.get("/keys/mirror")[2]
        gateway.stop(signal.SIGKILL)
        target = folder / "elsewhere"
        done = vigil("restore", backup, "--data-dir", target, "--passphrase-file", folder / "passphrase")
        assert done.returncode == 0, done.stderr
        again = Gateway(target, *options).ready()
        gateways.append(again)
        again.reported, again.backup, again.live, again.former, again.key = done.stdout, backup, live, gateway, key
        again.known, again.new, again.folder = known, new, folder
        yield again
    finally:
        live.stop()
        for one in gateways:
            one.stop()


def test_the_backup_is_its_owners_and_unreadable(restored):
    octets = restored.backup.read_bytes()
    assert stat.S_IMODE(restored.backup.stat().st_mode) == 0o600
    assert json.loads(octets.split(b"\n", 1)[0])["kind"] == "vigil-backup"
    for secret in (b"mote-1", b"identity", LINK_KEY.encode(), (restored.data_dir / "operator.token").read_bytes()[:43]):
        assert secret not in octets


def test_keys_settings_and_records_come_back(restored):
    assert restored.get("/keys/mirror")[2] == restored.key
    assert (restored.data_dir / "settings/application.yaml").read_text() == (restored.folder / "application.yaml").read_text()
    assert "settings/application.yaml" in restored.reported
    token = (restored.data_dir / "operator.token").read_text().strip()
    audit = http(restored, "GET", "/api/audit", Authorization="Bearer " + token)[2].decode()
    assert "restored from the backup of" in audit
    assert api(restored, "GET", restored.known.tags, token)[2] == {"tags": ["hall"]}
    assert floor_plan.shown(restored, token, restored.known.image) == restored.known.drawing


def test_nothing_recorded_since_the_backup_is_accepted(restored):
    assert restored.known.played_again() == ["4.09"] * 5
    registration, *others = restored.new.played_again()
    assert registration == "4.09" and set(others) <= {"4.04", "4.09"}, others


def test_an_endpoint_continues_above_the_reported_number(restored):
    endpoint = restored.known.endpoint
    reported = endpoint.post(endpoint.registration())
    assert reported.code == "4.09" and int(reported.text) > JUMP
    endpoint.seq = int(reported.text)
    assert endpoint.register().code == "2.01"
    assert endpoint.update().code == "2.04"
    last = int(endpoint.peer.get(endpoint.path + "?commands").payload)
    assert last > JUMP and endpoint.put(command(endpoint, last + 1), res="led").code == "2.04"


def test_the_live_mote_goes_on_by_itself(restored):
    restored.live.expect(r"^registered", timeout=180)
    assert int(restored.live.expect(r"^sent \S+ seq (\d+) 2\.0[14]", timeout=60)[1]) > JUMP


def test_frame_counters_go_on_above_those_that_were_sent(restored):
    assert sent_counter(restored.data_dir) >= sent_counter(restored.former.data_dir) + 2**20


def test_a_wrong_passphrase_is_one_clear_line(restored, tmp_path):
    done = vigil("restore", restored.backup, "--data-dir", tmp_path / "data",
                 env=os.environ | {"VIGIL_BACKUP_PASSPHRASE": "wrong horse battery staple"})
    assert done.returncode == 1 and "the passphrase is wrong" in done.stderr
    assert len(done.stderr.splitlines()) == 1 and PASSPHRASE not in done.stderr
    assert not (tmp_path / "data").exists()


def test_a_backup_goes_through_a_pipe_and_a_stopped_folder_too(restored, tmp_path):
    environment = os.environ | {"VIGIL_BACKUP_PASSPHRASE": PASSPHRASE}
    written = subprocess.run([*java_command(), "backup", "-", "--data-dir", str(restored.former.data_dir)],
                             capture_output=True, timeout=120, env=environment, cwd=tmp_path)
    assert written.returncode == 0, written.stderr
    read = subprocess.run([*java_command(), "restore", "-", "--data-dir", str(tmp_path / "data")],
                          input=written.stdout, capture_output=True, timeout=120, env=environment)
    assert read.returncode == 0, read.stderr
    assert b"made by Vigil" in read.stdout and (tmp_path / "data/identity.jwk").exists()
