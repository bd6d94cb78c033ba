"""Two motes with associations between them: one registers with the other, which serves CoAP, everything in ESP."""

import re

import pytest
from capture import ESP, announced
from processes import behind, eui64, mote, wait_until
from test_mesh import nodes
from test_secured_mesh import psdus

ADDRESS = "fd00::56:4947:494c:100{}"
# The cipher's and the integrity's key of each direction; the SPIs pass unmodified forwarders.
KEYS = ("00" * 15 + "01", "00" * 15 + "02"), ("00" * 15 + "03", "00" * 15 + "04")
SPIS = 0x11000001, 0x11000002


def associations(number):
    """The file of one mote: its own direction is outbound, the other mote's is inbound."""
    lines = []
    for sender in (1, 2):
        way = "out" if sender == number else "in"
        ends = ADDRESS.format(sender), ADDRESS.format(3 - sender)
        lines.append(" ".join([way, "esp", "cbc-xcbc", hex(SPIS[sender - 1]), *ends, *KEYS[sender - 1]]))
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """A gateway that hears both motes: one serves, the other uses it as its mirror and reaches it through the root."""
    folder = tmp_path_factory.mktemp("pair")

    def start(number, gateway):
        file = folder / f"mote-{number}.sa"
        file.write_text(associations(number))
        file.chmod(0o600)
        return mote(
            f"mote-{number}", gateway, folder / f"mote-{number}.state", "--sa", str(file), "--new-sa", "--nhc",
            "--serve", "--echo", mirror=gateway.routed if number == 1 else f"coap://[{ADDRESS.format(1)}]",
        )

    air = folder / "air.pcapng"
    with behind(f"0 {eui64(1)}\n0 {eui64(2)}\n", folder, 2, start, "--pcap", str(air)) as gateway:
        gateway.air = air
        yield gateway


def test_requests_between_motes_are_compressed_esp_on_the_radio(pair):
    wait_until(lambda: len(nodes(pair)) == 2, timeout=60)
    pair.motes[1].expect(r"4\.0[45]", timeout=60)  # the other mote has no such resource, so it has read the request
    pair.motes[0].expect(r"^registered", timeout=60)

    def sent(spi):
        """The frames with NHC_EH for ESP, NHC_ESP with the whole SPI, and this SPI."""
        return [psdu for psdu in psdus(pair.air) if re.search(rb"\xed\xec" + spi.to_bytes(4, "big"), psdu)]

    for spi in SPIS:
        wait_until(lambda spi=spi: sent(spi), timeout=30)
    ends = {(source, destination) for source, destination, headers in announced(pair.air) if ESP in headers}
    assert {(ADDRESS.format(2), ADDRESS.format(1)), (ADDRESS.format(1), ADDRESS.format(2))} <= ends
    assert not any(b"ep=mote-2" in psdu for psdu in psdus(pair.air))
    assert any(b"ep=mote-1" in psdu for psdu in psdus(pair.air))  # an unprotected name would be found
