"""A mote and the gateway at each level of link security; Python's AES-CCM verifies the frames between them."""

import json

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from processes import behind, eui64, mote, only_with_all, wait_until
from test_mesh import nodes
from test_secured_mesh import KEY, psdus

# Level 5 is the default, which test_secured_mesh.py uses. The MIC's octets by the two low bits of a level.
LOWEST = 1
HIGHER = [pytest.param(level, marks=only_with_all("another level")) for level in (2, 3, 6, 7)]
MIC = (0, 4, 8, 16)
# The level of the mote that is refused: a lower level if there is one, with a MIC of the same length where possible.
OTHER = {1: 5, 2: 1, 3: 2, 6: 2, 7: 3}
DATA, SECURED, ENCRYPTED = 1, 8, 4
FIXED, SHORT, EXTENDED, SECURITY_HEADER = 5, 2, 8, 5


@pytest.fixture(scope="module", params=[LOWEST, *HIGHER])
def secured(request, tmp_path_factory):
    """A gateway at a level, a mote at the same level, and a mote that has the key but uses another level."""
    level = request.param
    folder = tmp_path_factory.mktemp(f"level-{level}")
    (folder / "level.yaml").write_text(f"vigil:\n  border:\n    link-security: {{key: '{KEY}', level: {level}}}\n")

    def start(number, gateway):
        used = level if number == 1 else OTHER[level]
        return mote(
            f"mote-{number}", gateway, folder / f"mote-{number}.state", "--link-key", KEY, "--link-level", str(used),
            mirror=gateway.routed)

    air = folder / "air.pcapng"
    options = "--config", str(folder / "level.yaml"), "--pcap", str(air)
    with behind(f"0 {eui64(1)}\n0 {eui64(2)}\n", folder, 2, start, *options) as gateway:
        gateway.air, gateway.level = air, level
        yield gateway


def refused(gateway):
    """The number of frames that were refused because of their level."""
    network = json.loads(gateway.get("/api/network")[2])
    return network["drops"].get("security_level_refused", 0)


def test_a_mote_registers_and_its_readings_are_accepted(secured):
    secured.motes[0].expect(r"^registered", timeout=120)
    secured.motes[0].expect(r"^sent .*2\.0[14]", timeout=60)


def test_a_mote_at_another_level_gets_nowhere(secured):
    wait_until(lambda: refused(secured), timeout=60)
    assert not [line for line in secured.motes[1].lines if line.startswith(("joined", "registered"))]
    assert 2 not in nodes(secured)


def content(psdu, level):
    """Sender, frame counter and payload of a data frame whose MIC is right."""
    header = FIXED + (SHORT if psdu[1] & 0x0C == 0x08 else EXTENDED) + EXTENDED
    source, number = psdu[header - EXTENDED : header], psdu[header + 1 : header + SECURITY_HEADER]
    start = header + SECURITY_HEADER
    nonce = source[::-1] + number[::-1] + bytes([level])
    clear = start if level & ENCRYPTED else len(psdu) - MIC[level & 3]
    ccm = AESCCM(bytes.fromhex(KEY), tag_length=MIC[level & 3])
    opened = ccm.decrypt(nonce, psdu[clear:], psdu[:clear])
    return source[::-1], int.from_bytes(number, "little"), psdu[start:clear] + opened


def test_another_implementation_verifies_every_frame(secured):
    secured.motes[0].expect(r"^sent .*2\.0[14]", timeout=60)
    level, numbers, payloads, others = secured.level, {}, [], 0
    frames = [psdu for psdu in psdus(secured.air) if psdu[0] & 7 == DATA]
    for psdu in frames:
        assert psdu[0] & SECURED, "an unsecured data frame"
        at = FIXED + (SHORT if psdu[1] & 0x0C == 0x08 else EXTENDED)
        if psdu[at : at + EXTENDED][::-1].hex() == eui64(2):
            others += 1
            continue
        assert psdu[at + EXTENDED] == level
        source, number, payload = content(psdu, level)
        numbers.setdefault(source, []).append((number, psdu[2]))
        payloads.append(payload)
    assert others and len(payloads) > 10
    for one in numbers.values():
        # A repetition of the MAC is the same frame.
        assert len({number for number, _ in one}) == len(set(one)) and sorted(one) == one
    assert any(b"ep=mote-1" in payload for payload in payloads)
    readable = any(b"ep=mote-1" in psdu for psdu in frames)
    assert readable == (not level & ENCRYPTED)
