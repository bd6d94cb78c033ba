import json

import pytest
from examples import ED25519, MOTE, example, key

from vigil_client import jose


def test_the_thumbprint_of_the_protocols_key_is_its_jkt():
    assert jose.PublicKey.of(MOTE).thumbprint == example("jkt-mote")


def test_the_thumbprint_of_rfc_8037_is_right():
    assert jose.PublicKey.of(ED25519).thumbprint == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"


A3 = (
    {
        "kty": "EC",
        "crv": "P-256",
        "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    },
    "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
)
A4 = (
    ED25519,
    "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
    ".hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
)


@pytest.mark.parametrize("jwk, jws", [A3, A4], ids=["RFC 7515 A.3", "RFC 8037 A.4"])
def test_an_rfcs_signature_is_valid_and_no_other_octets_are(jwk, jws):
    public = jose.PublicKey.of(jwk)
    signed, _, signature = jws.rpartition(".")
    octets = jose.decode(signature)
    assert public.verifies(octets, signed.encode())
    for at in range(len(octets)):
        assert not public.verifies(octets[:at] + bytes([octets[at] ^ 1]) + octets[at + 1 :], signed.encode())
    for other in (octets[:-1], octets + b"\0", b"", bytes(64), b"\xff" * 64):
        assert not public.verifies(other, signed.encode())


def test_base64url_is_accepted_in_one_form_only():
    assert jose.decode("") == b"" and jose.decode("AQ") == b"\x01" and jose.encode(b"\xfb\xff") == "-_8"
    for other in ("AR", "AQ==", "AQ\n", " AQ", "A", "+/8", "AQ.", "ÄQ"):
        with pytest.raises(ValueError):
            jose.decode(other)


@pytest.mark.parametrize(
    "change",
    [{"x": MOTE["y"]}, {"x": "AQ"}, {"x": None}, {"y": 1}, {"crv": "P-521"}, {"kty": "RSA"}, {"crv": "Ed25519"}],
    ids=str,
)
def test_a_key_that_is_not_a_point_of_an_accepted_curve_is_refused(change):
    with pytest.raises(ValueError):
        jose.PublicKey.of(MOTE | change).verifies(bytes(64), b"")
    with pytest.raises(ValueError):
        jose.PublicKey.of([])


def test_the_protocols_command_verifies_and_ours_has_the_same_content():
    commander = jose.CommanderKey(key("key-commander"))
    theirs = example("command").split(".")
    assert commander.public.verifies(jose.decode(theirs[2]), ".".join(theirs[:2]).encode())
    header = json.loads(jose.decode(theirs[0]))
    ours = commander.jws({name: one for name, one in header.items() if name not in ("alg", "kid")}, jose.decode(theirs[1])).split(".")
    assert json.loads(jose.decode(ours[0])) == header and ours[1] == theirs[1]
    assert commander.public.verifies(jose.decode(ours[2]), ".".join(ours[:2]).encode())


@pytest.mark.parametrize("secret", [None, "AQ", key("key-commander")["d"]], ids=["public", "short", "another key's"])
def test_a_commanders_key_needs_the_secret_of_its_public_half(secret):
    with pytest.raises(ValueError):
        jose.CommanderKey(MOTE | {"d": secret})
