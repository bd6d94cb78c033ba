"""The real vigil-mote over the virtual 802.15.4 radio; scapy decodes its frames."""

import asyncio
import random

import pytest
from air import BORDER_ADDRESS, Air, play
from mirror import Mirror, serve
from scapy.layers.sixlowpan import LoWPANFragmentationSubsequent
from test_mote import free_port, run

EUI64 = "0200000000000042"
ACK_OCTETS = 5  # frame control, number, check sequence (802.15.4)


def over(port: int) -> tuple:
    return (
        *("--mirror", f"coap://[{BORDER_ADDRESS}]", "--zep", f"127.0.0.1:{port}"),
        *("--eui64", EUI64, "--sensor", "load", "--wake", "0.05"),
    )


@pytest.fixture
def ports():
    return free_port("::1"), free_port("127.0.0.1")


@pytest.mark.parametrize("form", ["jws", "compact"])
async def test_reaches_the_mirror_over_the_air(tmp_path, ports, form):
    mirror, air = Mirror(), Air(("::1", ports[0]))
    async with serve(mirror, "::1", ports[0]), play(air, ports[1]):
        # The first update after each start is confirmable: CoAP repeats it if the busy ether is late.
        ends = [await run(tmp_path, *over(ports[1]), "--form", form, "--count", "1") for _ in range(3)]
    assert all(code == 0 and err == "" for code, _, err in ends), ends
    assert "registered at /ms/7\n" in ends[0][1]
    assert len(mirror.updates) == 3
    assert set(air.hellos) == {EUI64}
    assert {frame.src_addr for frame in air.frames} == {int(EUI64, 16)}
    assert all(len(bytes(frame)) <= 127 for frame in air.frames)


def offset(frame) -> int:
    """The place of a frame's part in its datagram, in units of 8 octets."""
    more = LoWPANFragmentationSubsequent
    return frame[more].datagramOffset if more in frame else 0


async def test_the_compact_form_saves_more_than_half_of_the_frames(tmp_path, ports):
    counts = {}
    for form in ("jws", "compact"):
        mirror, air = Mirror(), Air(("::1", ports[0]))
        async with serve(mirror, "::1", ports[0]), play(air, ports[1]):
            await run(tmp_path, *over(ports[1]), "--form", form, "--count", "1", "--state", f"{form}.state")
            before = len(air.frames)
            code, _, err = await run(tmp_path, *over(ports[1]), "--form", form, "--count", "1", "--state", f"{form}.state")
            assert code == 0, err
        # On a busy machine frames are repeated, and whole datagrams under another tag.
        counts[form] = len({offset(frame) for frame in air.frames[before:]})
    assert counts["compact"] * 2 <= counts["jws"], counts


@pytest.mark.parametrize("loss", [0.1, 0.25])
async def test_delivers_over_a_radio_that_loses_frames_and_acks(tmp_path, ports, loss):
    dice = random.Random(2026)
    first = iter([True])

    def loses(psdu: bytes) -> bool:
        """The first acknowledgement, and as many frames as the dice say."""
        return (len(psdu) == ACK_OCTETS and next(first, False)) or dice.random() < loss

    mirror, air = Mirror(), Air(("::1", ports[0]), loses=loses)
    async with serve(mirror, "::1", ports[0]), play(air, ports[1]):
        code, out, err = await run(tmp_path, *over(ports[1]), "--count", "8", timeout=120)
    assert code == 0, err
    assert len(mirror.registrations) == 1
    assert len(mirror.updates) >= 2  # only the first is confirmable
    assert mirror.numbers == sorted(set(mirror.numbers))
    sequence = [frame.seqnum for frame in air.frames]
    assert any(a == b for a, b in zip(sequence, sequence[1:]))  # repeated under the same number


async def test_waits_for_an_ether_that_comes_later(tmp_path, ports):
    mirror, air = Mirror(), Air(("::1", ports[0]))
    mote = asyncio.ensure_future(run(tmp_path, *over(ports[1]), "--count", "2", timeout=60))
    while not (tmp_path / "mote-1.state").exists():
        await asyncio.sleep(0)
    async with serve(mirror, "::1", ports[0]), play(air, ports[1]):
        code, _, err = await mote
    assert code == 0, err
    assert len(mirror.updates) >= 1


async def test_over_the_radio_only_a_neighbour_can_be_the_mirror(tmp_path):
    code, _, err = await run(tmp_path, "--mirror", "coap://[::1]", "--zep", "127.0.0.1:17754")
    assert code == 2 and "link-local" in err
