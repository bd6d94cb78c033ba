import pytest
from examples import ED25519, MOTE, example, update

from vigil_client import cbor, jose, originals

PUBLIC = jose.PublicKey.of(MOTE)


@pytest.mark.parametrize(
    "octets, number",
    [(example("update-jws"), 2), (example("update-compact-served"), 3), (bytes.fromhex(example("update-cose")), 5)],
    ids=["JWS", "compact", "COSE_Sign1"],
)
def test_an_example_of_the_protocol_verifies_and_no_changed_octet_does(octets, number):
    original = originals.parse(octets)
    [record] = original.records
    assert (original.seq, original.res, original.kid, record.value, record.unit) == (number, "temp", example("jkt-mote"), 21.5, "Cel")
    assert original.signed_by(PUBLIC) and not original.has_time
    for at in range(len(octets)):
        other = octets[:at] + _changed(octets[at]) + octets[at + 1 :] if isinstance(octets, str) else _flipped(octets, at)
        try:
            changed = originals.parse(other)
        except ValueError:
            continue
        try:
            assert not changed.signed_by(PUBLIC), at
        except ValueError:
            assert changed.kid != PUBLIC.thumbprint or changed.alg != "ES256"


def _changed(letter):
    return "A" if letter != "A" else "B"


def _flipped(octets, at):
    return octets[:at] + bytes([octets[at] ^ 1]) + octets[at + 1 :]


def test_the_octets_that_a_cose_signature_covers_are_those_of_the_protocol():
    assert originals.parse(bytes.fromhex(example("update-cose"))).signed.hex() == example("update-cose-sig-structure")


def test_ed25519_verifies_too():
    assert originals.parse(update(ED25519)).signed_by(jose.PublicKey.of(ED25519))


def test_senml_cbor_inside_a_jws_is_read():
    original = originals.parse(update(payload=bytes.fromhex(example("senml-cbor")), cty="application/senml+cbor"))
    assert original.signed_by(PUBLIC) and original.records[0].value == 21.5


def test_another_key_or_algorithm_than_the_header_names_is_refused():
    with pytest.raises(ValueError, match="another key"):
        originals.parse(update()).signed_by(jose.PublicKey.of(ED25519))
    with pytest.raises(ValueError, match="EdDSA, but its key is P-256"):
        originals.parse(update(alg="EdDSA")).signed_by(PUBLIC)


@pytest.mark.parametrize(
    "header, why",
    [
        ({"alg": "none"}, "the algorithm none"),
        ({"alg": "HS256"}, "the algorithm HS256"),
        ({"jwk": {}}, "the header has jwk"),
        ({"epk": {}}, "the header has epk"),
        ({"jku": ""}, "the header has jku"),
        ({"x5c": []}, "the header has x5c"),
        ({"b64": False, "crit": ["b64"]}, "the header has b64"),
        ({"typ": "vigil-cmd"}, "it is a vigil-cmd"),
        ({"cty": "text/plain"}, "the content type text/plain"),
        ({"kid": "short"}, "not a thumbprint"),
        ({"res": 1}, "no resource"),
        ({"seq": -1}, "no sequence number"),
        ({"seq": True}, "no sequence number"),
        ({"seq": 2**53}, "no sequence number"),
        ({"seq": 1.5}, "no sequence number"),
    ],
    ids=lambda one: str(one)[:30],
)
def test_a_header_outside_of_the_profile_is_refused(header, why):
    with pytest.raises(ValueError, match=why):
        originals.parse(update(**header))


@pytest.mark.parametrize(
    "octets",
    ["", "a.b", "a.b.c.d", "W10.W10.", "bnVsbA.W10.", b"", b"\xd2\x80", b"\x84\x40\xa0\x40\x40", cbor.head(4, 4) + b"\x41\xa0\xa0\x40\x40"],
    ids=repr,
)
def test_octets_that_are_no_original_are_refused(octets):
    with pytest.raises(ValueError):
        originals.parse(octets)
