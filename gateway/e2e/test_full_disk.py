"""The disk of the data folder is full, and later has room again: nothing acknowledged is lost."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess

import pytest
from coap import POST, Peer
from processes import Gateway, Process, only_with_all, wait_until
from mirror_peer import LINK_FORMAT, READING, http, refused, registered

MEBIBYTES = 48


class SmallDisk(Process):
    """Mounts a separate file system at the folder for the lifetime of this process; others see it from inside."""

    def __init__(self, folder):
        folder.mkdir()
        super().__init__(
            *unshare(), "sh", "-c", 'mount -t tmpfs -o size="$2"m small "$1" && echo mounted && exec sleep 600', "sh",
            str(folder), str(MEBIBYTES),
        )
        self.expect("^mounted$")
        self.inside = ["nsenter", f"--target={self.child.pid}", "--mount"]
        if os.geteuid() != 0:
            self.inside += ["--user", "--preserve-credentials"]
        self.ballast = pathlib.Path(f"/proc/{self.child.pid}/root{folder}/ballast")

    def fill(self):
        with contextlib.suppress(OSError), open(self.ballast, "wb", buffering=0) as ballast:
            while True:
                ballast.write(bytes(4096))

    def make_room(self):
        self.ballast.unlink()


def unshare():
    """The command that starts another command with the right to mount."""
    for how in (["unshare", "--mount"], ["unshare", "--map-root-user", "--mount"]):
        if shutil.which("unshare"):
            tried = subprocess.run([*how, "mount", "-t", "tmpfs", "small", "/mnt"], capture_output=True)
            if tried.returncode == 0:
                return how
    pytest.skip("cannot mount a small disk here (needs root or user namespaces)")


def start(disk, folder):
    return Gateway(
        folder, "--trust", "first-use", "--anonymous-read", "--coap-port", "0", "--coaps-port", "0",
        "--http-port", "0", inside=disk.inside,
    ).ready()


@only_with_all("fills a disk")
def test_a_full_disk_loses_nothing_acknowledged(tmp_path, running):
    disk = running(SmallDisk(tmp_path / "small"))
    gateway = running(start(disk, tmp_path / "small/data"))
    endpoint = registered(gateway, "mote-1")
    acknowledged = []

    def update():
        answer = endpoint.update([READING[0] | {"v": endpoint.seq + 1}])
        if answer.code.startswith("2."):
            acknowledged.append(endpoint.seq)
        return answer

    for _ in range(10):
        assert update().code in ("2.01", "2.04")
    disk.fill()
    while (answer := update()).code == "2.04":
        assert len(acknowledged) < 1000, "the disk is never full"
    for _ in range(20):
        refused(answer, "5.03", "could not be stored")
        answer = update()
    status, _, said = http(gateway, "PUT", endpoint.path + "/temp", endpoint.jws("temp", READING),
                           Content_Type="application/jose")
    assert (status, json.loads(said)["detail"]) == (503, "could not be stored")
    refused(endpoint.peer.request(POST, "/rd?ep=other", b"</a>", LINK_FORMAT), "5.03")
    assert float(endpoint.get(0).payload) == acknowledged[-1], "what was acknowledged is still read"
    assert gateway.get("/actuator/health")[0] == 503
    gateway.expect(r"ERROR .*the disk that holds .*vigil\.db is full: free some space, then try again")
    assert sum(" ERROR " in line for line in gateway.lines) == 1, gateway.tail()

    disk.make_room()
    wait_until(lambda: update().code == "2.04")  # without a restart
    assert gateway.get("/actuator/health")[0] == 200

    disk.fill()
    while update().code == "2.04":
        pass
    gateway.stop(signal.SIGKILL)
    disk.make_room()
    again = running(start(disk, tmp_path / "small/data"))
    endpoint.peer = Peer(again.coap)
    kept = json.loads(again.get(endpoint.path + "/temp?after=0", "application/senml+json")[2])
    assert [record["v"] for record in kept] == acknowledged[-100:]
    assert update().code == "2.04"
