"""The same mesh with every frame encrypted and authenticated at level 5: three hops of our motes."""

import contextlib
import json
import socket
import struct
import types
import zlib

import pytest
from association_lines import Association, private
from processes import behind, eui64, fresh, in_a_line, mote, wait_until
from test_mesh import HOPS, nodes
from test_operator import Http

KEY = "00112233445566778899aabbccddeeff"


@pytest.fixture(scope="module")
def secured(tmp_path_factory):
    """A gateway and three motes in a line that share a link key, and one mote with a different key."""
    folder = tmp_path_factory.mktemp("secured")
    (folder / "application.yaml").write_text(f"vigil:\n  border:\n    link-security:\n      key: '{KEY}'\n")
    (folder / "link.key").write_text(KEY + "\n")

    def start(number, gateway, key=str(folder / "link.key")):
        return mote(
            f"mote-{number}", gateway, folder / f"mote-{number}.state", "--link-key", key, mirror=gateway.routed
        )

    air = folder / "air.pcapng"
    topology = in_a_line(HOPS) + f"0 {eui64(9)}\n"
    options = ("--config", str(folder / "application.yaml"), "--pcap", str(air))
    with behind(topology, folder, HOPS, start, *options) as gateway, contextlib.ExitStack() as stack:
        gateway.air = air
        gateway.again = lambda number: start(number, gateway)
        gateway.stranger = start(9, gateway, "ff" * 16)
        stack.callback(gateway.stranger.stop)
        yield gateway


def test_three_hops_form_and_register_under_one_link_key(secured):
    wait_until(lambda: len(nodes(secured)) == HOPS, timeout=120)
    assert nodes(secured) == {1: (1, 0), 2: (2, 1), 3: (3, 2)}
    for one in secured.motes:
        one.expect(r"^sent .*2\.0[14]", timeout=60)


def psdus(capture):
    """The frames of a pcapng file: enhanced packet blocks, little-endian as this machine writes them."""
    octets = capture.read_bytes()
    at = 0
    while at + 12 <= len(octets):
        kind, length = struct.unpack_from("<II", octets, at)
        if kind == 6 and at + length <= len(octets):
            (captured,) = struct.unpack_from("<I", octets, at + 20)
            yield octets[at + 28 : at + 28 + captured]
        at += length


def test_each_data_frame_is_at_level_5_with_a_new_counter(secured):
    wait_until(lambda: len(nodes(secured)) == HOPS, timeout=120)
    seen, sent = set(), 0
    for psdu in psdus(secured.air):
        if len(psdu) < 20 or psdu[0] & 7 != 1:
            continue
        assert psdu[0] & 8, "an unsecured data frame"
        header = 3 + 2 + (2 if psdu[1] & 0x0C == 0x08 else 8)
        source, control = psdu[header : header + 8], psdu[header + 8]
        assert control & 7 == 5 and control >> 3 == 0
        number = (source, psdu[header + 9 : header + 13])
        sent += 1
        seen.add((number, psdu[2]))  # a repetition of the MAC is the same frame
    assert sent > 20
    assert len({number for number, _ in seen}) == len(seen)


def test_a_mote_with_another_key_gets_nowhere(secured):
    wait_until(lambda: len(nodes(secured)) == HOPS, timeout=120)
    assert not [line for line in secured.stranger.lines if line.startswith(("joined", "registered"))]


def test_a_mote_comes_back_after_a_restart_with_higher_counters(secured):
    wait_until(lambda: len(nodes(secured)) == HOPS, timeout=120)
    secured.motes[-1].stop()
    secured.motes[-1] = secured.again(HOPS)
    secured.motes[-1].expect(r"^joined the mesh", timeout=120)
    secured.motes[-1].expect(r"^sent .*2\.0[14]", timeout=60)


def test_an_operator_forgives_a_mote_that_counts_from_zero(secured):
    """Its flash was erased, so its frames look like replays."""
    folder, number, name = secured.data_dir.parent, 9, fresh("erased")
    secured.stranger.stop()
    state = folder / "erased.state"

    # A file for all that its name is as long as a key.
    named = "a-name-as-long-as-the-key-itself"
    (folder / named).write_text(KEY + "\n")

    def start():
        return mote(name, secured, state, "--link-key", named, number=number, wake=0.2, mirror=secured.routed,
                    cwd=folder)

    def refused():
        """frames of it that were taken for replays"""
        network = json.loads(secured.get("/api/network")[2])
        heard = [one for one in network["neighbours"] if one["eui64"] == eui64(number)]
        return heard and heard[0]["dropped"].get("frame_counter_replayed", 0)

    with contextlib.ExitStack() as stack:
        before = start()
        stack.callback(before.stop)
        for _ in range(10):
            before.expect(r"^sent .*2\.0[14]", timeout=120)
        before.stop()
        state.unlink()
        erased = start()
        stack.callback(erased.stop)
        wait_until(refused)
        assert not any(line.startswith("joined") for line in erased.lines)
        operator = Http(secured, (secured.data_dir / "operator.token").read_text().strip())
        newest = operator.get("/api/audit?limit=1")["decisions"][0]["position"]
        assert operator.ask("POST", f"/api/network/neighbours/{eui64(number)}/forgive") == (204, "")
        erased.expect(r"^joined the mesh", timeout=120)
        assert operator.ask("POST", "/api/network/repair")[0] == 202
        trail = operator.get(f"/api/audit?after={newest}")["decisions"]
        # The mote lost its key with its state, so the mirror adds its own decisions.
        assert [one["what"] for one in trail if one["by"] == "account:operator"] == [
            f"forgave neighbour {eui64(number)}", "global repair of the network"]
        erased.expect(r"^joined the mesh|^sent ", timeout=120)


def full_state(path, kind):
    """A state file whose 24 counters (mote/counter_store.h) are of one kind."""
    record = struct.pack(">4sI", b"VGC1", 1)
    record += b"".join(struct.pack(">cQI", kind, number, 1) for number in range(24))
    path.touch(0o600)
    path.write_bytes(bytes(3 * 4096) + record + struct.pack(">I", zlib.crc32(record)))
    return path


@pytest.mark.parametrize("kind", [b"H", b"A"], ids=["neighbours", "associations"])
def test_a_new_link_key_and_associations_replace_former_counters(tmp_path, running, kind):
    state = full_state(tmp_path / "mote-1.state", kind)
    ends = "fd00::56:4947:494c:1001", "fd00::56:4947:494c:1"
    sa = private(tmp_path / "mote.sa", Association.fresh("ctr-xcbc", 0x11000001, *ends).line(ends[0]))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as air:
        air.bind(("127.0.0.1", 0))
        air.settimeout(60)
        network = types.SimpleNamespace(zep=f"127.0.0.1:{air.getsockname()[1]}")
        started = running(mote("mote-1", network, state, "--link-key", KEY, "--sa", sa, "--new-sa",
                               mirror=f"coap://[{ends[1]}]"))
        while air.recv(256)[3] != 1:  # a hello, not a frame
            pass
    started.stop()
    started.expect("^association out esp")
