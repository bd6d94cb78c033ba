"""A mote under Contiki-NG keeps its readings on Coffee, and the gateway fetches them as ESP packets. Needs CONTIKI."""

import csv

import pytest
from processes import behind, eui64, wait_until
from test_contiki import CONTIKI, JOINING, image, node
from test_stored_readings import address, associations, fetch, private, readings_sent

pytestmark = pytest.mark.skipif(not CONTIKI, reason="CONTIKI does not name a checkout of Contiki-NG")

NUMBER, SEGMENTS = 1, 4
READINGS = 12  # two blocks and a part


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A gateway and a node that keeps its readings."""
    folder = tmp_path_factory.mktemp("contiki-store")
    own = private(folder / "gateway.sa", associations(NUMBER, "gateway"))
    binary = image(
        "sleepy-sensor", f"SA={private(folder / 'node.sa', associations(NUMBER, 'mote'))}", f"STORE={SEGMENTS}",
        "MAKE_CFS=MAKE_CFS_COFFEE")

    def start(number, gateway):
        return node(binary, number, gateway, folder, "--new-sa")

    with behind(f"0 {eui64(NUMBER)}\n", folder, 1, start, "--sa", own, "--new-sa") as gateway:
        assert gateway.motes[0].expect(r"^joined the mesh as (\S+)$", timeout=JOINING)[1] == address(NUMBER)
        yield gateway


def test_the_gateway_fetches_what_the_node_sent(store):
    wait_until(lambda: len(readings_sent(store, NUMBER)) >= READINGS, timeout=120)
    sent = {int(line.split()[3]) for line in readings_sent(store, NUMBER)}
    done = fetch(store, "--mote", address(NUMBER))
    assert done.returncode == 0, done.stdout + done.stderr
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert sent <= {int(row["sequence"]) for row in rows}
    assert {row["sensor"] for row in rows} == {"load"}
    assert len({row["block"] for row in rows}) >= 3
