"""Strangers fill the places of waiting keys in a gateway with a small heap and a small disk."""

import json
import os

from coap import Peer
from processes import UNOPTIMISED, Gateway, only_with_all, wait_until
from mirror_peer import READING, Endpoint, http
from test_full_disk import MEBIBYTES, SmallDisk

HEAP = 256 << 20
# docs/threats.md: a 32nd of heap and disk; a place takes 6 KiB of heap or 12 KiB of disk.
PLACES = min(HEAP // 32 // 6144, (MEBIBYTES << 20) // 32 // 12288)


def stored(gateway, disk):
    """Octets of the database, as seen from inside the small disk."""
    folder = disk.ballast.parent / "data"
    return sum((folder / name).stat().st_size for name in os.listdir(folder) if name.startswith("vigil.db"))


def waiting(gateway, operator):
    found, after = [], ""
    while after is not None:
        page = json.loads(http(gateway, "GET", f"/api/keys?state=pending&limit=1000{after}", **operator)[2])
        found += [key["ep"] for key in page["keys"]]
        after = f"&after={page['next']}" if "next" in page else None
    return found


@only_with_all("fills a heap and a disk")
def test_strangers_names_leave_heap_and_disk_to_honest_ones(tmp_path, running):
    disk = running(SmallDisk(tmp_path / "small"))
    config = tmp_path / "small.yaml"
    config.write_text("""vigil:
  coap: {addresses: [localhost], loopback-proxy: true, trusted-networks: ["::1"]}
  default-domain.limits.names-per-minute: 1000000
""")
    gateway = running(Gateway(
        tmp_path / "small/data", "--trust", "approve", "--coap-port", "0", "--coaps-port", "0", "--http-port", "0",
        "--config", str(config), inside=disk.inside, jvm=(*UNOPTIMISED, f"-Xmx{HEAP >> 20}m"),
    ).ready())
    operator = {"Authorization": f"Bearer {(disk.ballast.parent / 'data/operator.token').read_text().strip()}"}
    mote = Endpoint(gateway, "trusted")
    assert mote.register().code == "2.01"
    approve = f"/api/keys/{mote.key.jkt}/approve"
    assert http(gateway, "POST", approve, b"", **operator)[0] == 200

    def flood(names):
        """Sends over HTTP, whose sources are verified; returns the last status."""
        status = 0
        for number in range(names):
            stranger = Endpoint(gateway, f"stranger-{number}")
            status = http(gateway, "POST", "/ms", stranger.registration(), Content_Type="application/jose")[0]
        return status

    assert flood(PLACES + 50) == 503
    full = waiting(gateway, operator)
    assert 16 <= len(full) <= PLACES
    assert stored(gateway, disk) < MEBIBYTES << 18, "less than a quarter of the disk"

    # The trusted mote continues; a new mote at another address gets a place and displaces the stranger's newest name.
    assert mote.update(READING).code == "2.01"
    late = Endpoint(gateway, "late")
    late.peer = Peer(gateway.address(r"coap://\[::1\]"))
    assert late.register().code == "2.01"
    wait_until(lambda: len(waiting(gateway, operator)) == len(full))
    assert "late" in waiting(gateway, operator) and full[0] in waiting(gateway, operator)
