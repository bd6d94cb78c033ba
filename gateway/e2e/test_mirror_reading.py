"""Handing over and reading: docs/protocol.md sections 1 and 3, sentence by sentence, from outside."""

import json
import time

import coap
from coap import ACK, CON, GET, NON, PUT, RST, Peer
from processes import wait_until
from mirror_peer import (
    JWS_LIST, LINK_FORMAT, READING, SENML_CBOR, SENML_JSON, TEXT, Endpoint, http, refused,
    registered, sleepy, view,
)
from sleepy import COMPACT, COSE, JOSE, JWK, compact_json


def test_each_format_has_a_coap_number_and_an_http_media_type(gateway):
    endpoint = registered(gateway, "formats")
    jws = endpoint.jws("temp", READING)
    assert endpoint.put(jws).code == "2.01"
    key = f"/keys/{endpoint.key.jkt}"
    formats = [
        (f"{endpoint.path}/temp", JOSE, "application/jose"),
        (f"{endpoint.path}/temp", SENML_JSON, "application/senml+json"),
        (f"{endpoint.path}/temp", SENML_CBOR, "application/senml+cbor"),
        (f"{endpoint.path}/temp", TEXT, "text/plain"),
        (f"{endpoint.path}/temp?after=0", JWS_LIST, "application/vnd.vigil.jws-list+json"),
        (endpoint.path, LINK_FORMAT, "application/link-format"),
        (key, JWK, "application/jwk+json"),
        ("/keys/mirror", JWK, "application/jwk+json"),
    ]
    for path, number, media in formats:
        over_coap = endpoint.peer.get(path, number)
        status, headers, over_http = gateway.get(path, media)
        assert (over_coap.code, status) == ("2.05", 200), path
        assert over_coap.number(coap.FORMAT) == number
        assert headers["Content-Type"].partition(";")[0] == media
        assert over_coap.payload == over_http, path
    assert json.loads(endpoint.peer.get(key).payload) == endpoint.key.jwk
    assert endpoint.get(JOSE).payload == jws
    assert json.loads(endpoint.get(SENML_JSON).payload) == READING
    assert endpoint.get(TEXT).payload == b"21.5"


def test_cose_has_number_18_and_its_media_type_names_the_kind(gateway):
    endpoint = registered(gateway, "format-18")
    cose = endpoint.cose("temp", READING)
    assert endpoint.put(cose, COSE).code == "2.01"
    media = 'application/cose; cose-type="cose-sign1"'
    status, headers, body = gateway.get(f"{endpoint.path}/temp", media)
    assert (status, headers["Content-Type"].replace(";cose", "; cose"), body) == (200, media, cose)
    by_default = endpoint.get()
    assert (by_default.number(coap.FORMAT), by_default.payload) == (COSE, cose)
    assert endpoint.get(COSE).payload == cose
    refused(endpoint.get(JOSE), "4.06")
    # The page verifies both forms and asks like this.
    assert gateway.get(f"{endpoint.path}/temp", "application/jose, application/cose;q=0.9")[2] == cose


def test_updates_are_201_then_204_and_repeats_change_nothing(gateway):
    endpoint = registered(gateway, "repeats")
    first = endpoint.jws("temp", READING)
    assert endpoint.put(first).code == "2.01"
    assert endpoint.put(first).code == "2.04"
    assert len(endpoint.history("?after=0")) == 1
    second = endpoint.compact("temp", [{"n": "t", "v": 2}])
    assert endpoint.put(second, COMPACT).code == "2.04"
    assert endpoint.put(second, COMPACT).code == "2.04"
    third = endpoint.cose("temp", [{"n": "t", "v": 3}])
    assert endpoint.put(third, COSE).code == "2.04"
    assert endpoint.put(third, COSE).code == "2.04"
    other = endpoint.put(endpoint.key.jws(endpoint.header("temp", sleepy.SENML_JSON), b'[{"n":"t","v":4}]'))
    assert (other.code, other.payload) == ("4.09", b"4")


def test_an_update_is_answered_unless_no_response_is_asked_for(gateway):
    endpoint = registered(gateway, "kinds")
    assert endpoint.put(endpoint.jws("temp", READING), kind=CON).type == ACK
    assert endpoint.put(endpoint.jws("temp", READING), kind=NON).type == NON
    silent = endpoint.jws("temp", [{"n": "t", "v": 77}])
    path = [(coap.URI_PATH, part.encode()) for part in f"{endpoint.path}/temp".strip("/").split("/")]
    endpoint.peer.send(NON, PUT, b"\x07", path + [(coap.FORMAT, JOSE), (coap.NO_RESPONSE, 2)], silent)
    wait_until(lambda: Peer(gateway.coap).get(f"{endpoint.path}/temp", TEXT).payload == b"77")
    assert endpoint.peer.receive(timeout=0.5) is None
    # Only successful answers were suppressed.
    endpoint.peer.send(NON, PUT, b"\x08", path + [(coap.FORMAT, JOSE), (coap.NO_RESPONSE, 2)], b"x.y.z")
    assert endpoint.peer.receive().code == "4.00"


def refusals(endpoint):
    """Each fault with its octets, its format, and the code that section 3 names."""
    other = sleepy.Key()
    alg_none = sleepy.b64(b'{"alg":"none"}').encode() + b".e30."
    hmac = sleepy.b64(compact_json(endpoint.header("temp", sleepy.SENML_JSON) | {"alg": "HS256"}))
    yield "no JWS", b"hello", JOSE, "4.00"
    yield "none", alg_none, JOSE, "4.00"
    yield "HMAC", f"{hmac}.W10.{'A' * 43}".encode(), JOSE, "4.00"
    for member, value in {
        "jwk": other.jwk, "jku": "coap://x", "x5c": [], "x5u": "x", "b64": False, "crit": ["x"], "typ": "vigil-reg",
        "res": "load", "seq": 0, "cty": "text/plain", "alg": "ES384",
    }.items():
        yield f"header member {member}", endpoint.signed(**{member: value}), JOSE, "4.00" if member != "alg" else None
    yield "no res", endpoint.signed(res=None), JOSE, "4.00"
    yield "no seq", endpoint.signed(seq=None), JOSE, "4.00"
    yield "unknown key", endpoint.signed(kid=other.jkt), JOSE, "4.01"
    yield "signature", endpoint.signed()[:-20] + b"A" * 20, JOSE, "4.01"
    yield "payload not SenML", endpoint.signed(b'{"v":1}'), JOSE, "4.00"
    yield "pack without value", endpoint.signed(b'[{"n":"a"}]'), JOSE, "4.00"
    yield "unknown field that must be understood", endpoint.signed(b'[{"n":"a","v":1,"x_":1}]'), JOSE, "4.00"
    yield "future", endpoint.signed(compact_json([{"n": "a", "v": 1, "t": time.time() + 3600}])), JOSE, "4.03"
    yield "format", b"[]", SENML_JSON, "4.15"
    yield "unknown format", b"[]", 12345, "4.15"
    yield "no format", b"[]", None, "4.15"
    yield "alg bits 3", b"\x03\0\x09" + bytes(80), COMPACT, "4.00"
    yield "key number without encryption", b"\x20\0\x09" + bytes(80), COMPACT, "4.00"
    yield "too short", b"\0\0", COMPACT, "4.00"
    yield "no key agreed", b"\x10\0\x09" + bytes(80), COMPACT, "4.01"
    yield "not COSE", b"\xd2\x80", COSE, "4.00"
    yield "another tag", b"\xd1" + endpoint.cose("temp", READING)[1:], COSE, "4.00"


def test_each_refusal_has_its_code_and_one_line_and_changes_nothing(gateway):
    endpoint = registered(gateway, "refused")
    for what, octets, format, code in refusals(endpoint):
        answer = endpoint.put(octets, format)
        if code is None:
            assert answer.code in ("4.00", "4.01"), what
            continue
        assert answer.code == code, (what, answer.code, answer.payload)
        assert answer.payload and b"\n" not in answer.payload, what
    refused(endpoint.put(endpoint.jws("none", READING), res="none"), "4.04")
    refused(endpoint.get(), "4.04")
    refused(endpoint.peer.get("/ms/424242/temp"), "4.04")
    refused(endpoint.peer.request(PUT, endpoint.path, endpoint.jws("temp", READING), JOSE), "4.05")
    refused(endpoint.peer.request(GET, "/ms"), "4.05")
    assert view(gateway, endpoint)["high"] == 1


def test_a_pack_beyond_the_limit_is_413_and_one_in_blocks_is_taken(gateway):
    import asyncio

    import aiocoap

    endpoint = registered(gateway, "blocks")
    many = [{"n": f"urn:dev:py:{i}", "v": i} for i in range(60)]

    async def put(payload):
        context = await aiocoap.Context.create_client_context()
        try:
            message = aiocoap.Message(code=aiocoap.PUT, uri=f"{gateway.coap}{endpoint.path}/temp", payload=payload)
            message.opt.content_format = JOSE
            answer = await asyncio.wait_for(context.request(message).response, 30)
            read = await asyncio.wait_for(context.request(
                aiocoap.Message(code=aiocoap.GET, uri=f"{gateway.coap}{endpoint.path}/temp")).response, 30)
            return answer, read
        finally:
            await context.shutdown()

    long = endpoint.jws("temp", many)
    assert len(long) > 2048
    answer, read = asyncio.run(put(long))
    assert answer.code.dotted == "2.01" and read.payload == long
    answer, read = asyncio.run(put(endpoint.jws("temp", [{"n": f"urn:dev:py:{i}", "v": i} for i in range(250)])))
    assert answer.code.dotted == "4.13" and read.payload == long


def test_the_etag_is_format_and_number_and_validates(gateway):
    endpoint = registered(gateway, "tags")
    endpoint.seq = 300
    assert endpoint.update().code == "2.01"
    tags = {}
    for format in (JOSE, SENML_JSON, SENML_CBOR, TEXT):
        tags[format] = endpoint.get(format).one(coap.ETAG)
        assert tags[format][1:] == (301).to_bytes(2)
    assert len({tag[:1] for tag in tags.values()}) == 4
    valid = endpoint.get(SENML_JSON, options=[(coap.ETAG, tags[SENML_JSON])])
    assert (valid.code, valid.payload, valid.one(coap.ETAG)) == ("2.03", b"", tags[SENML_JSON])
    assert endpoint.get(TEXT, options=[(coap.ETAG, tags[SENML_JSON])]).code == "2.05"
    status, headers, _ = gateway.get(f"{endpoint.path}/temp", "application/senml+json")
    assert (headers["ETag"], headers["Vary"]) == ('"301-110"', "Accept")
    status, headers, body = http(gateway, "GET", f"{endpoint.path}/temp", Accept="application/senml+json", If_None_Match='"301-110"')
    assert (status, body, headers["ETag"]) == (304, b"", '"301-110"')
    assert http(gateway, "GET", f"{endpoint.path}/temp", Accept="text/plain", If_None_Match='"301-110"')[0] == 200


def test_max_age_ends_at_the_next_expected_update(gateway):
    patient = registered(gateway, "patient", wake=1000)
    assert patient.update().code == "2.01"
    assert 900 < patient.get().number(coap.MAX_AGE) <= 1000
    hasty = registered(gateway, "hasty", wake=1)
    strict = registered(gateway, "hasty", d="fresh", wake=1)
    assert hasty.update().code == strict.update().code == "2.01"
    assert hasty.get().number(coap.MAX_AGE) in (0, 1)
    wait_until(lambda: hasty.get().number(coap.MAX_AGE) == 0)
    assert hasty.get(TEXT).payload == b"21.5"
    assert gateway.get(f"{hasty.path}/temp")[1]["Cache-Control"] == "max-age=0"
    wait_until(lambda: strict.get().code == "5.03")
    refused(strict.get(), "5.03", "stale")
    assert strict.get().number(coap.MAX_AGE) >= 1
    status, headers, body = gateway.get(f"{strict.path}/temp")
    assert status == 503 and int(headers["Retry-After"]) >= 1
    assert json.loads(body)["type"] == "/problems/stale-value"


def test_observers_are_notified_of_each_update_in_order(gateway):
    endpoint = registered(gateway, "watched")
    assert endpoint.update([{"n": "t", "v": 0}]).code == "2.01"
    watcher = Peer(gateway.coap)
    first = watcher.get(f"{endpoint.path}/temp", TEXT, options=[(coap.OBSERVE, 0)], token=b"\x55")
    assert first.code == "2.05" and first.one(coap.OBSERVE) is not None
    kinds, numbers, last = [], [], -1
    for value in range(1, 22):
        assert endpoint.update([{"n": "t", "v": value}]).code == "2.04"
        heard = watcher.receive()
        assert heard is not None and heard.token == b"\x55" and heard.payload == str(value).encode()
        if heard.type == CON:
            watcher.send(ACK, 0, mid=heard.mid)
        kinds.append(heard.type)
        assert (heard.number(coap.OBSERVE) - last) % (1 << 24) < 1 << 23 or last < 0
        last = heard.number(coap.OBSERVE)
    assert kinds[0] == CON and kinds.count(CON) == 3 and all(
        CON in kinds[i : i + 10] for i in range(len(kinds) - 10)
    ), kinds
    assert endpoint.update([{"n": "t", "v": 99}]).code == "2.04"
    heard = watcher.receive()
    watcher.send(RST, 0, mid=heard.mid)
    assert Peer(gateway.coap).get("/keys/mirror").code == "2.05"
    assert endpoint.update([{"n": "t", "v": 100}]).code == "2.04"
    assert endpoint.update([{"n": "t", "v": 101}]).code == "2.04"
    late = watcher.receive(timeout=1)
    assert late is None or late.payload != b"101", "a reset ends the observation"


def test_history_continues_after_a_number_and_respects_the_limit(gateway):
    endpoint = registered(gateway, "past")
    sent = []
    for value in range(5):
        sent.append(endpoint.jws("temp", [{"n": "t", "v": value}]).decode())
        assert endpoint.put(sent[-1].encode()).code.startswith("2.")
    all_of_it = endpoint.history("?after=0")
    assert all_of_it == sent
    assert endpoint.history("?after=3&limit=2") == sent[2:4]
    assert endpoint.history("?after=6") == []
    packs = endpoint.history("?limit=3", SENML_JSON)
    assert [record["v"] for record in packs] == [0, 1, 2]
    assert all(abs(record["t"] - time.time()) < 600 for record in packs)
    as_cbor = endpoint.history("?after=5", SENML_CBOR)
    assert [(record[0], record[2]) for record in as_cbor] == [("t", 4)]
    refused(endpoint.get(None, query="?after=x"), "4.00")
    refused(endpoint.get(JOSE, query="?after=1"), "4.06")
    few = registered(gateway, "few", d="narrow")
    for value in range(5):
        few.update([{"n": "t", "v": value}])
    assert len(few.history("?after=0")) == 3


def test_history_is_paged_alike_over_coap_http_and_rest(gateway):
    endpoint = registered(gateway, "paged")
    for value in range(5):
        reading = [{"n": "t", "v": value}]
        cose = value == 2
        octets = endpoint.cose("temp", reading) if cose else endpoint.jws("temp", reading)
        assert endpoint.put(octets, *([COSE] if cose else [])).code.startswith("2.")
    for format, media in (
        (JWS_LIST, "application/vnd.vigil.jws-list+json"), (SENML_JSON, "application/senml+json"),
        (SENML_CBOR, "application/senml+cbor"),
    ):
        after, places = 0, []
        while True:
            path = f"{endpoint.path}/temp?after={after}&limit=2"
            over_coap = endpoint.peer.get(path, format)
            status, headers, body = gateway.get(path, media)
            assert (over_coap.code, status) == ("2.05", 200)
            assert body == over_coap.payload and headers["Content-Type"] == media
            tag = over_coap.one(coap.ETAG)
            if tag is None:
                assert headers["ETag"] is None
                break
            after = int.from_bytes(tag[1:])
            assert headers["ETag"] == f'"{after}-{format}"'
            places.append(after)
        assert places == [3, 5, 6], format
    past = f"/api/endpoints/{endpoint.path.rsplit('/', 1)[1]}/resources/temp/history"
    after, pages = 0, []
    while after is not None:
        page = json.loads(gateway.get(f"{past}?after={after}&limit=2")[2])
        pages.append([value["seq"] for value in page["values"]])
        after = page.get("next")
    assert pages == [[2, 3], [4, 5], [6]]
    assert len(json.loads(gateway.get(f"{past}?after=4")[2])["values"]) == 2
    for wrong in ("after=x", "after=-2", "limit=0", "limit=x"):
        refused(endpoint.get(SENML_JSON, query="?" + wrong), "4.00")
        assert gateway.get(f"{endpoint.path}/temp?{wrong}", "application/senml+json")[0] == 400, wrong
        assert gateway.get(f"{past}?{wrong}")[0] == 400, wrong


def test_a_long_history_travels_in_blocks_of_one_snapshot(gateway):
    endpoint = registered(gateway, "snapshot")
    for value in range(12):
        assert endpoint.update([{"n": "t", "v": value}]).code.startswith("2.")
    before = json.loads(gateway.get(f"{endpoint.path}/temp?after=0", "application/vnd.vigil.jws-list+json")[2])
    reader, body, number = Peer(gateway.coap), b"", 0
    while True:
        block = reader.get(f"{endpoint.path}/temp?after=0", JWS_LIST, options=[(coap.BLOCK2, number << 4 | 5)], token=b"\x66")
        assert block.code == "2.05", block.payload
        body += block.payload
        if number == 0:
            tag = block.one(coap.ETAG)
            assert endpoint.update([{"n": "t", "v": 99}]).code == "2.04"
        assert block.one(coap.ETAG) == tag
        if not block.number(coap.BLOCK2) & 8:
            break
        number += 1
    assert number > 2 and json.loads(body) == before


def test_an_unverified_source_must_echo_before_it_is_told_much(wary):
    endpoint = registered(wary, "amplified")
    assert endpoint.update().code == "2.01"
    block = endpoint.get(JOSE)
    assert block.code == "2.05" and block.number(coap.BLOCK2) & 8 and len(block.payload) <= 64
    assert endpoint.get(TEXT).payload == b"21.5", "a short answer needs no blocks"
    challenge = endpoint.get(JWS_LIST, query="?after=0")
    refused(challenge, "4.01", "Echo")
    echo = challenge.one(coap.ECHO)
    assert echo
    forged = Peer(wary.coap).get(f"{endpoint.path}/temp?after=0", JWS_LIST, options=[(coap.ECHO, bytes(len(echo)))])
    assert forged.code == "4.01"
    assert len(endpoint.get(JOSE, options=[(coap.ECHO, echo)]).payload) > 64
    assert len(endpoint.get(JOSE).payload) > 64, "the source is remembered"


def test_bad_signatures_cost_the_source_an_echo_then_429(wary):
    endpoint = registered(wary, "charged")
    bad = lambda **more: endpoint.put(endpoint.signed()[:-20] + b"A" * 20, **more)
    answer = next(answer for answer in (bad() for _ in range(60)) if answer.one(coap.ECHO))
    refused(answer, "4.01")
    echo = [(coap.ECHO, answer.one(coap.ECHO))]
    # Its share grows by one every two seconds.
    with_echo = next(answer for answer in (bad(options=echo) for _ in range(60)) if answer.code != "4.01")
    refused(with_echo, "4.29")
    assert with_echo.number(coap.MAX_AGE) >= 1
    other = Endpoint(wary, "not-charged")
    other.peer = Peer(wary.address(r"coap://127"))
    assert other.register().code == "2.01", "another address is not charged"


def test_http_has_the_same_methods_paths_and_codes(gateway):
    endpoint = registered(gateway, "over-http")
    put = lambda octets, **more: http(
        gateway, "PUT", endpoint.path + "/temp", octets, **({"Content_Type": "application/jose"} | more))
    jws = endpoint.jws("temp", READING)
    assert put(jws)[0] == 201
    assert put(jws)[0] == 204
    conflict = put(endpoint.key.jws(endpoint.header("temp", sleepy.SENML_JSON), b'[{"n":"t","v":4}]'))
    assert (conflict[0], json.loads(conflict[2])["detail"]) == (409, "2")
    assert put(b"x")[0] == 400
    assert put(b"x", Content_Type="text/html")[0] == 415
    assert put(b"x" * 9000)[0] == 413
    assert gateway.get(endpoint.path + "/none")[0] == 404
    assert gateway.get(endpoint.path + "/temp", "image/png")[0] == 406
    assert http(gateway, "DELETE", endpoint.path + "/temp")[0] == 405
    assert http(gateway, "HEAD", endpoint.path + "/temp")[::2] == (200, b"")
    fresh = Endpoint(gateway, "over-http-2")
    request = fresh.registration(wake=60)
    status, headers, body = http(
        gateway, "POST", "/ms?ep=over-http-2", request, Content_Type="application/jose",
        Accept='application/cose; cose-type="cose-sign1"')
    mirror = json.loads(gateway.get("/keys/mirror")[2])
    assert status == 201 and headers["Location"].startswith("/ms/")
    assert sleepy.verified_answer(body, mirror, request)[1] == 1
