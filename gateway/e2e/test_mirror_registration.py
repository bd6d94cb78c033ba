"""Names at the mirror and their owners: docs/protocol.md sections 2 and 6, sentence by sentence, from outside."""

import json
import time

import cbor2
import coap
import pytest
from coap import POST, Peer
from processes import wait_until
from mirror_peer import (
    LINK_FORMAT, TEXT, Endpoint, refused, registered, sleepy,
)
from sleepy import CBOR, COSE, JWK, MULTIPART, compact_json


def test_a_signed_registration_gets_its_path_and_the_map_asked_for(gateway):
    endpoint = Endpoint(gateway, "answers")
    bare = endpoint.register()
    assert bare.code == "2.01" and bare.payload == b"" and bare.location.startswith("/ms/")
    plain = endpoint.register(accept=CBOR)
    assert (plain.code, plain.location, plain.number(coap.FORMAT)) == ("2.01", bare.location, CBOR)
    facts = cbor2.loads(plain.payload)
    assert set(facts) == {0, 1, 3} and (facts[1], facts[3]) == (2, 4096)
    assert abs(facts[0] - time.time()) < 60
    mirror = json.loads(endpoint.peer.get("/keys/mirror").payload)
    request = endpoint.registration()
    signed = endpoint.post(request, accept=COSE)
    assert signed.number(coap.FORMAT) == COSE
    assert sleepy.verified_answer(signed.payload, mirror, request)[1] == 3
    with pytest.raises(sleepy.InvalidSignature):
        sleepy.verified_answer(signed.payload, mirror, request + b" ")


def test_a_used_number_is_409_with_h_in_the_form_asked_for(gateway):
    endpoint = registered(gateway, "conflict")
    endpoint.seq = 10
    assert endpoint.register().code == "2.01"
    mirror = json.loads(endpoint.peer.get("/keys/mirror").payload)
    endpoint.seq = 4
    answer = endpoint.register()
    assert (answer.code, answer.payload) == ("4.09", b"11")
    endpoint.seq = 5
    answer = endpoint.register(accept=CBOR)
    assert (answer.code, cbor2.loads(answer.payload)[1]) == ("4.09", 11)
    endpoint.seq = 6
    request = endpoint.registration()
    answer = endpoint.post(request, accept=COSE)
    assert answer.code == "4.09"
    assert sleepy.verified_answer(answer.payload, mirror, request)[1] == 11


def test_a_repeated_registration_gets_the_same_answer(gateway):
    endpoint = Endpoint(gateway, "again")
    request = endpoint.registration()
    first, second = endpoint.post(request, accept=CBOR), endpoint.post(request, accept=CBOR)
    assert (second.code, second.location) == ("2.01", first.location)
    assert cbor2.loads(second.payload)[1] == 1


def test_repeated_query_parameters_must_equal_the_signed_ones(gateway):
    endpoint = Endpoint(gateway, "query")
    for query in ("?ep=other", "?ep=query&lt=99", "?d=narrow", "?et=x", "?wake=7"):
        refused(endpoint.post(endpoint.registration(lt=600, wake=60), query=query), "4.00", "differ")
    assert endpoint.post(endpoint.registration(lt=600, wake=60), query="?ep=query&lt=600&wake=60").code == "2.01"


def test_lt_0_withdraws_and_registering_again_gives_the_same_id(gateway):
    endpoint = registered(gateway, "withdrawn")
    assert endpoint.update().code == "2.01"
    path = endpoint.path
    assert endpoint.register(lt=0).code == "2.01"
    refused(endpoint.get(), "4.04")
    assert b"withdrawn" not in gateway.get("/rd-lookup/ep")[2]
    assert path.encode() not in gateway.get("/.well-known/core")[2]
    assert endpoint.register().location == path
    assert endpoint.get(TEXT).payload == b"21.5"


def test_a_registration_runs_out_and_keeps_key_number_and_id(gateway):
    endpoint = registered(gateway, "short-lived", lt=1)
    peer = Peer(gateway.coap)
    wait_until(lambda: peer.get(endpoint.path).code == "4.04")
    endpoint.seq = 0
    assert endpoint.register().payload == b"1"
    assert endpoint.register().location == endpoint.path
    thief = Endpoint(gateway, "short-lived")
    thief.seq = 100
    refused(thief.register(), "4.03")


def test_a_plain_registration_is_unproven_until_a_valid_update(gateway):
    endpoint = Endpoint(gateway, "plain")
    body = cbor2.dumps([40, endpoint.links, JWK, compact_json(endpoint.key.jwk)])
    answer = endpoint.post(body, MULTIPART, query="?ep=plain&wake=60")
    assert answer.code == "2.01"
    assert endpoint.post(body, MULTIPART, query="?ep=plain&wake=60").location == answer.location
    endpoint.path = answer.location
    for where in ("/rd-lookup/ep", "/rd-lookup/res", "/.well-known/core"):
        assert b"plain" not in gateway.get(where)[2] and endpoint.path.encode() not in gateway.get(where)[2]
    refused(endpoint.get(), "4.04")
    forged = Endpoint(gateway, "plain")
    forged.path = endpoint.path
    refused(forged.update(), "4.01")
    assert endpoint.update().code == "2.01"
    assert b"ep=plain" in gateway.get("/rd-lookup/ep?ep=plain")[2]
    assert endpoint.get(TEXT).payload == b"21.5"
    refused(endpoint.post(body, MULTIPART, query="?ep=plain"), "4.01")


@pytest.mark.parametrize(
    "body", [b"\x84", b"\x82\x18\x28\x40", cbor2.dumps([40, "<a>", JWK, b"{}"]), cbor2.dumps([JWK, b"{}", 40, b""])]
)
def test_a_plain_registration_of_another_form_is_refused(gateway, body):
    refused(Endpoint(gateway, "x").post(body, MULTIPART, query="?ep=malformed"), "4.00")


def test_an_unknown_domain_is_403_and_never_created(gateway):
    stranger = Endpoint(gateway, "stranger", d="nowhere")
    refused(stranger.register(), "4.03")
    body = cbor2.dumps([40, stranger.links, JWK, compact_json(stranger.key.jwk)])
    refused(stranger.post(body, MULTIPART, query="?ep=stranger&d=nowhere"), "4.03")
    assert b"nowhere" not in gateway.get("/rd-lookup/ep")[2]


def test_a_key_known_under_another_name_is_held(gateway):
    first = registered(gateway, "first-name")
    second = Endpoint(gateway, "second-name", key=first.key)
    second.register()
    assert b"second-name" not in gateway.get("/rd-lookup/ep")[2]
    refused(second.update(), "4.03")
    first.seq += 1
    assert first.update().code == "2.01"


def test_the_directory_shows_the_endpoint_as_if_it_served_itself(gateway):
    links = '</temp>;rt="temperature",</meta>;anchor="/temp";rel="describedby",<coap://[2001:db8::9]/>;rel="alternate"'
    endpoint = Endpoint(gateway, "published", links=links)
    assert endpoint.register(et="oic.d.sensor").code == "2.01"
    lookup = endpoint.peer.get("/rd-lookup/ep?ep=published").text
    assert f'base="{gateway.coap}"' in lookup and "et=oic.d.sensor" in lookup
    path, base = endpoint.path, gateway.coap
    key = f'</keys/{endpoint.key.jkt}>;rel="describedby";ct=65101;anchor="{path}/temp"'
    well_known = gateway.get("/.well-known/core")[2].decode()
    assert f'<{path}/temp>;rt="temperature"' in well_known
    assert f'<{path}/meta>;anchor="{path}/temp";rel="describedby"' in well_known
    assert key in well_known.replace('ct="65101"', "ct=65101")
    found = endpoint.peer.get("/rd-lookup/res?ep=published").text
    assert f"<{base}{path}/temp>" in found and f"<{base}/keys/{endpoint.key.jkt}>" in found
    assert "<coap://[2001:db8::9]/>" in found
    assert f'anchor="{base}{path}/temp"' in found


def test_a_name_of_the_mirror_belongs_to_the_mirror(gateway):
    registered(gateway, "mirrored-name")
    peer = Peer(gateway.coap)
    refused(peer.request(POST, "/rd?ep=mirrored-name", b"</x>", LINK_FORMAT), "4.03")
    assert peer.request(POST, "/rd?ep=direct-name", b"</x>", LINK_FORMAT).code == "2.01"
    # No credentials protect that entry, so a key that is trusted on first use replaces it.
    late = registered(gateway, "direct-name")
    found = gateway.get("/rd-lookup/res?ep=direct-name")[2].decode()
    assert late.path in found and "/x>" not in found


def test_an_approve_domain_waits_for_the_operator(gateway):
    endpoint = registered(gateway, "new", d="careful")
    refused(endpoint.update(), "4.03")
    assert b"new" not in gateway.get("/rd-lookup/ep?d=careful")[2]
    refused(Endpoint(gateway, "new", d="closed").register(), "4.03")


def rotation(old, new, seq):
    header = {"alg": old.key.alg, "typ": "vigil-rotate", "cty": "jose", "kid": old.key.jkt, "seq": seq}
    new.seq = seq - 1
    return old.key.jws(header, new.registration())


@pytest.mark.parametrize("d", [None, "slow"])
def test_another_key_is_held_and_rotation_needs_the_old_key(gateway, d):
    old = registered(gateway, "rotating", d=d)
    assert old.update().code == "2.01"
    new = Endpoint(gateway, "rotating", d=d)
    new.seq = 50
    refused(new.register(), "4.03")
    assert old.update().code == "2.04"
    thief = Endpoint(gateway, "rotating", d=d)
    forged = Endpoint(gateway, "rotating", d=d)
    forged.key.jkt = old.key.jkt
    refused(thief.post(rotation(forged, thief, 60)), "4.01")
    answer = new.post(rotation(old, new, 70))
    if d == "slow":
        refused(answer, "4.03")
        return
    assert answer.code == "2.01" and answer.location == old.path
    new.path = old.path
    assert new.update().code == "2.04"
    old.seq = 80
    refused(old.update(), "4.01")


def test_the_mirror_says_where_to_register_and_where_its_own_key_is(gateway):
    found = gateway.get("/.well-known/core?rt=core.ms")[2].decode()
    assert found.startswith("</ms>") and "65100 62" in found
    assert "</keys/mirror>" in gateway.get("/.well-known/core?rt=vigil.key")[2].decode()
