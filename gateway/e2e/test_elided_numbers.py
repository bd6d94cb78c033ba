"""A mote and the gateway at the two ends of associations elide sequence numbers towards each other."""

import collections
import re

import pytest
from association_lines import Association, private
from processes import behind, eui64, mote, wait_until
from test_ipsec_gateway import GATEWAY, associations
from test_secured_mesh import psdus

MOTE = "fd00::56:4947:494c:1001"
UP, DOWN = 0x11000001, 0x11000002
EVERY = 16  # of these numbers one is whole
# The octet after NHC_EH by the octets of the number: whole in 2, whole in 4, its low 1, its low 2 (SPI in full).
FORMS = {0xEC: 2, 0xEE: 4, 0xFC: -1, 0xFE: -2}


@pytest.fixture(scope="module")
def elided(tmp_path_factory):
    """A gateway and a mote, and the mote again with its state."""
    folder = tmp_path_factory.mktemp("elided")
    both = [
        Association.fresh("ctr-sha1", UP, MOTE, GATEWAY), Association.fresh("ctr-sha1", DOWN, GATEWAY, MOTE),
    ]
    files = {
        own: private(folder / f"{name}.sa", "".join(one.line(own) for one in both))
        for name, own in (("mote", MOTE), ("gateway", GATEWAY))
    }

    def start(number, gateway, *more):
        return mote(
            "mote-1", gateway, folder / "mote.state", "--sa", files[MOTE], "--nhc", "--sn-octets", "1", *more,
            wake=0.2, mirror=gateway.routed)

    air = folder / "air.pcapng"
    options = "--sa", files[GATEWAY], "--new-sa", "--pcap", str(air)
    with behind(
        f"0 {eui64(1)}\n", folder, 1, lambda number, gateway: start(number, gateway, "--new-sa"), *options,
    ) as gateway:
        gateway.air, gateway.again = air, lambda: start(1, gateway)
        yield gateway


def forms(gateway, spi):
    """How often each form of a number is on the air in one direction."""
    pattern = re.compile(rb"\xed([\xec\xee\xfc\xfe])" + spi.to_bytes(4, "big"))
    found = (pattern.search(psdu) for psdu in psdus(gateway.air))
    return collections.Counter(FORMS[one[1][0]] for one in found if one)


def accepted(one, count):
    for _ in range(count):
        one.expect(r"^sent .*2\.0[14]", timeout=60)


def test_readings_and_answers_carry_one_octet_of_most_numbers(elided):
    accepted(elided.motes[0], 40)
    for spi in (UP, DOWN):
        seen = forms(elided, spi)
        assert seen[-1] > 30 and seen[4] == seen[-2] == 0
        assert 2 <= seen[2] <= 2 + 2 * (sum(seen.values()) // EVERY + 1)
    both = associations(elided)
    for figures in both["in", "esp", MOTE], both["out", "esp", MOTE]:
        assert figures["packets"] > 40 and figures["icvFailures"] == figures["replays"] == 0
        # SPI in full: a whole number saves 1 octet, an elided one 2.
        assert figures["octetsSaved"] > 1.5 * figures["packets"]


def test_the_gateway_restores_numbers_after_a_restart_of_the_mote(elided):
    """The mote then continues up to 256 numbers further on, with a whole number."""
    before = associations(elided)["in", "esp", MOTE]["packets"]
    elided.motes[0].stop()
    elided.motes[0] = elided.again()
    elided.motes[0].expect(r"^joined the mesh", timeout=60)
    wait_until(lambda: associations(elided)["in", "esp", MOTE]["packets"] > before + 2, timeout=60)
    both = associations(elided)
    assert both["in", "esp", MOTE]["icvFailures"] == 0
    assert not any(b"ep=mote-1" in psdu for psdu in psdus(elided.air) if psdu[0] & 7 == 1)
