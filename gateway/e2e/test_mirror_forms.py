"""Forms of updates, freshness, encryption, commands: docs/protocol.md sections 4, 5, 7 and 8, sentence by
sentence, from outside."""

import json
import time

import cbor2
import coap
import pytest
from mirror_peer import (
    LINK_FORMAT, READING, SENML_CBOR, SENML_JSON, TEXT, Endpoint, command, http, led, refused,
    registered, sleepy, view, with_epk,
)
from sleepy import COMPACT, COSE, JOSE, compact_json


def test_a_jws_may_order_and_space_its_members_freely(gateway):
    endpoint = registered(gateway, "free-form")
    endpoint.seq += 1
    header = ' {"seq":%d ,\n"res":"\\u0074emp","x":[{}], "kid":"%s","cty":"application/senml+json","alg":"ES256"}'
    signed = (sleepy.b64((header % (endpoint.seq, endpoint.key.jkt)).encode()) + "." + sleepy.b64(compact_json(READING))).encode()
    jws = signed + b"." + sleepy.b64(endpoint.key.sign(signed)).encode()
    assert endpoint.put(jws).code == "2.01"
    assert endpoint.get(JOSE).payload == jws


def test_which_provider_checks_signatures_is_said_at_the_start(gateway):
    said = [line for line in gateway.lines if "signatures: " in line]
    assert len(said) == 1 and all(f"{alg} by " in said[0] for alg in ("ES256", "ES384", "EdDSA")), said


@pytest.mark.parametrize("alg", ["ES256", "ES384", "EdDSA"])
def test_a_compact_update_is_read_back_as_its_standard_jws(gateway, alg):
    endpoint = registered(gateway, f"compact-{alg}", alg=alg)
    endpoint.seq = 65534
    assert endpoint.register().code == "2.01"
    for cbor in (False, True):
        octets = endpoint.compact("temp", READING, cbor=cbor)
        assert octets[1:3] == (endpoint.seq & 0xFFFF).to_bytes(2)
        assert endpoint.put(octets, COMPACT).code.startswith("2.")
        header, payload, signature = endpoint.get(JOSE).text.split(".")
        cty = sleepy.SENML_CBOR if cbor else sleepy.SENML_JSON
        expected = '{"alg":"%s","cty":"%s","kid":"%s","res":"temp","seq":%d}' % (alg, cty, endpoint.key.jkt, endpoint.seq)
        assert sleepy.unb64(header) == expected.encode()
        size = 96 if alg == "ES384" else 64
        assert (sleepy.unb64(payload), sleepy.unb64(signature)) == (octets[3:-size], octets[-size:])
    assert endpoint.seq == 65537


@pytest.mark.parametrize("alg", ["ES256", "ES384", "EdDSA"])
def test_cose_needs_no_tag_and_may_have_any_unprotected_header(gateway, alg):
    endpoint = registered(gateway, f"cose-{alg}", alg=alg)
    protected, _, payload, signature = cbor2.loads(endpoint.cose("temp", READING)).value
    octets = cbor2.dumps([protected, {4: b"somebody", "x": [1.5, None]}, payload, signature])
    assert endpoint.put(octets, COSE).code == "2.01"
    assert endpoint.get(COSE).payload == octets
    moved = cbor2.loads(endpoint.cose("load", READING)).value
    refused(endpoint.put(cbor2.dumps(moved), COSE), "4.00")


def test_senml_is_resolved_in_either_language(gateway):
    endpoint = registered(gateway, "senml")
    pack = [
        {"bn": "urn:dev:x:", "bt": 1.7e9, "bu": "Cel", "bv": 20, "bver": 10, "n": "a", "v": 1.5},
        {"n": "b", "u": "%RH", "v": 2, "t": -30},
        {"n": "d", "vd": "aGkgCg"},
    ]
    assert endpoint.update(pack).code == "2.01"
    first, second, third = endpoint.history("?after=0", SENML_JSON)
    assert first == {"n": "urn:dev:x:a", "u": "Cel", "v": 21.5, "t": 1700000000}
    assert second == {"n": "urn:dev:x:b", "u": "%RH", "v": 22, "t": 1699999970}
    assert (third["n"], third["vd"]) == ("urn:dev:x:d", "aGkgCg")
    in_cbor = endpoint.history("?after=0", SENML_CBOR)
    assert in_cbor[0] == {0: "urn:dev:x:a", 1: "Cel", 2: 21.5, 6: 1700000000}
    assert in_cbor[2][8] == b"hi \n"
    assert endpoint.get(TEXT).payload == b"aGkgCg"
    relative = registered(gateway, "relative")
    now = time.time()
    assert relative.update([{"n": "r", "v": 1, "t": -5}, {"n": "r", "vb": True}]).code == "2.01"
    late, sharp = relative.history("?after=0", SENML_JSON)
    assert abs(sharp["t"] - now) < 60 and abs(sharp["t"] - late["t"] - 5) < 0.001
    assert relative.get(TEXT).payload == b"true"
    refused(relative.update([{"bver": 11, "n": "r", "v": 1}]), "4.00")


def test_numbers_are_taken_within_the_window_above_h(gateway):
    endpoint = registered(gateway, "window")
    endpoint.seq = 1 + 4096
    beyond = endpoint.update()
    assert (beyond.code, beyond.payload) == ("4.09", b"1")
    endpoint.seq = 1 + 4095
    assert endpoint.update().code == "2.01"
    endpoint.seq = 4097 + (1 << 32)
    assert endpoint.register().payload == b"4097"
    endpoint.seq = 4096 + (1 << 32)
    assert endpoint.register().code == "2.01"
    assert endpoint.put(endpoint.compact("temp", READING), COMPACT).code == "2.04"
    narrow = registered(gateway, "window", d="narrow", )
    narrow.seq = 9
    assert narrow.update().payload == b"1"


def test_old_readings_are_marked_delayed_and_relative_ones_never(gateway):
    endpoint = registered(gateway, "delayed")
    assert endpoint.update([{"n": "t", "v": 1, "t": time.time() - 7200}]).code == "2.01"
    assert view(gateway, endpoint)["resources"][0]["delayed"]
    assert endpoint.update([{"n": "t", "v": 1, "t": -7200}]).code == "2.04"
    assert not view(gateway, endpoint)["resources"][0]["delayed"]


def test_a_domain_that_wants_encryption_takes_nothing_else(gateway):
    endpoint = Endpoint(gateway, "whisper", d="secret")
    refused(endpoint.register(), "4.03", "epk")
    with_epk(endpoint)
    refused(endpoint.update(), "4.03")
    refused(endpoint.put(endpoint.compact("temp", READING), COMPACT), "4.03")
    assert endpoint.put(endpoint.compact("temp", READING, encrypted=True), COMPACT).code == "2.01"
    assert endpoint.put(endpoint.jwe("temp", READING), JOSE).code == "2.04"
    assert endpoint.get(JOSE).text.count(".") == 2


def test_the_keys_of_the_last_two_agreements_are_kept(gateway):
    endpoint = with_epk(Endpoint(gateway, "rekeyed"))
    oldest = endpoint.update_keys
    with_epk(endpoint)
    before = endpoint.update_keys
    with_epk(endpoint)
    for keys, codes in ((endpoint.update_keys, ("2.01",)), (before, ("2.04",)), (oldest, ("4.00", "4.01"))):
        endpoint.update_keys = keys
        assert endpoint.put(endpoint.compact("temp", READING, encrypted=True), COMPACT).code in codes
    assert endpoint.put(endpoint.compact("temp", READING, encrypted=True)[:-1] + b"x", COMPACT).code == "4.01"


def test_a_command_waits_until_a_signed_acknowledgement(gateway):
    endpoint = led(gateway, "commanded")
    assert endpoint.peer.get(endpoint.path + "?commands").payload == b"0"
    first, second = command(endpoint, 70000), command(endpoint, 70001)
    assert endpoint.put(first, res="led").code.startswith("2.")
    assert http(gateway, "PUT", endpoint.path + "/led", second, Content_Type="application/jose")[0] in (201, 204)
    assert endpoint.peer.get(endpoint.path + "?commands").payload == b"70001"
    again = endpoint.put(command(endpoint, 70001, exp=int(time.time()) + 99), res="led")
    assert (again.code, again.payload) == ("4.09", b"70001")
    pending = endpoint.peer.get(endpoint.path + "?pending")
    paths = [link.split(">")[0][1:] for link in pending.text.split(",")]
    assert pending.number(coap.FORMAT) == LINK_FORMAT and len(paths) == 2
    assert [endpoint.peer.get(path).payload for path in paths] == [first, second]
    assert len(endpoint.peer.get(endpoint.path + "?pending").text.split(",")) == 2, "fetched is only a display"
    assert endpoint.put(endpoint.compact("temp", READING, ack=70000), COMPACT).code == "2.01"
    assert json.loads(sleepy.unb64(endpoint.get(JOSE).text.split(".")[0]))["ack"] == 70000
    assert endpoint.put(endpoint.jws("temp", READING, ack=70001)).code == "2.04"
    assert endpoint.peer.get(endpoint.path + "?pending").payload == b""


def test_a_command_is_taken_from_commanders_for_this_endpoint_alone(gateway):
    endpoint = led(gateway, "obedient")
    refused(endpoint.put(command(endpoint, 1, key=sleepy.Key()), res="led"), "4.03")
    refused(endpoint.put(command(endpoint, 1, ep="other"), res="led"), "4.00")
    refused(endpoint.put(command(endpoint, 1, d=""), res="led"), "4.00")
    refused(endpoint.put(command(endpoint, 1), res="temp"), "4.00")
    refused(endpoint.put(command(endpoint, 1, exp=1), res="led"), "4.00")
    forged = command(endpoint, 1)
    refused(endpoint.put(forged[:-20] + b"A" * 20, res="led"), "4.01")
    assert endpoint.put(command(endpoint, 1, res=".keys"), res=".keys").code.startswith("2.")


def test_a_full_queue_is_503_with_max_age(gateway):
    endpoint = led(gateway, "busy")
    for seq in range(1, 17):
        assert endpoint.put(command(endpoint, seq), res="led").code.startswith("2.")
    full = endpoint.put(command(endpoint, 17), res="led")
    refused(full, "5.03")
    assert full.number(coap.MAX_AGE) >= 1
    status, headers, _ = http(gateway, "PUT", endpoint.path + "/led", command(endpoint, 17), Content_Type="application/jose")
    assert status == 503 and int(headers["Retry-After"]) >= 1
