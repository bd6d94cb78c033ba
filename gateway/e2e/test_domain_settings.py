"""Each setting of a domain, tested from the outside: it applies in the domain that sets it, but not in another domain
on the same gateway, from the same address."""

import json
import time

import cbor2
import pytest
from coap import MAX_AGE, POST
from processes import Gateway, wait_until
from mirror_peer import (
    COMMANDER, READING, TEXT, Endpoint, command, refused, registered, sleepy, view, with_epk,
)
from sleepy import COMPACT, JWK, MULTIPART, compact_json

LABELLED = sleepy.Key()

SETTINGS = f"""
vigil:
  trust: first-use
  anonymous-read: true
  coap:
    addresses: [localhost]
  default-domain: {{commanders: ['{json.dumps(COMMANDER.jwk)}']}}
  domains:
    approving: {{trust: approve}}
    labelled: {{trust: listed, listed: ["{LABELLED.jkt}"]}}
    slow-to-rotate: {{rotate-at-once: false}}
    secret: {{confidential: true}}
    narrow: {{window: 8}}
    ahead: {{max-clock-skew: 1h}}
    late: {{max-delay: 10h}}
    hasty: {{default-wake: 1s}}
    fresh: {{serve-stale: false}}
    three: {{history: 3}}
    young: {{history-age: 2s}}
    light: {{history-octets: 1500}}
    terse: {{limits: {{payload: 400}}}}
    lean: {{limits: {{resources: 2}}}}
    single: {{limits: {{commands: 1}}, commanders: ['{json.dumps(COMMANDER.jwk)}']}}
    crowded: {{limits: {{endpoints: 2}}}}
    cautious: {{limits: {{unproven: 3}}}}
    wary: {{limits: {{unproven-per-source: 1}}}}
    calm: {{limits: {{updates-per-minute: 3}}}}
    settled: {{limits: {{registrations-per-minute: 2}}}}
    shared: {{limits: {{updates-per-minute-per-source: 3}}}}
    closed-circle: {{limits: {{names-per-minute: 2}}}}
    strict: {{limits: {{failures-per-minute: 2}}}}
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("settings")
    config = folder / "application.yaml"
    config.write_text(SETTINGS)
    running = Gateway(folder / "data", "--coap-port", "0", "--http-port", "0", "--config", str(config)).ready()
    yield running
    running.stop()


def both(site, d, **more):
    """An endpoint in the domain, and one in another domain."""
    return registered(site, "here", d=d, **more), registered(site, "beside-" + d, **more)


def codes(answers):
    return [answer.code for answer in answers]


def test_trust_decides_who_is_let_in(site):
    waiting = registered(site, "here", d="approving")
    refused(waiting.update(), "4.03")
    refused(Endpoint(site, "stranger", d="labelled").register(), "4.03")
    known = Endpoint(site, "known", d="labelled", key=LABELLED)
    assert known.register().code == "2.01" and known.update().code == "2.01"
    assert registered(site, "beside-trust").update().code == "2.01"


@pytest.mark.parametrize("d, code", [("slow-to-rotate", "4.03"), (None, "2.01")])
def test_rotate_at_once_or_held(site, d, code):
    old = registered(site, "rotates", d=d)
    new = Endpoint(site, "rotates", d=d)
    new.seq = old.seq
    header = {"alg": "ES256", "typ": "vigil-rotate", "cty": "jose", "kid": old.key.jkt, "seq": new.seq + 1}
    assert new.post(old.key.jws(header, new.registration())).code == code


def test_confidential_accepts_only_encrypted_updates(site):
    open_one = with_epk(Endpoint(site, "open"))
    secret = with_epk(Endpoint(site, "secret", d="secret"))
    refused(secret.update(), "4.03", "encrypted")
    assert secret.put(secret.compact("temp", READING, encrypted=True), COMPACT).code == "2.01"
    assert open_one.update().code == "2.01"


def test_window_bounds_how_far_ahead_a_number_may_be(site):
    narrow, wide = both(site, "narrow")
    narrow.seq = wide.seq = 9
    assert (narrow.update().code, wide.update().code) == ("4.09", "2.01")


def test_max_clock_skew_and_max_delay_judge_the_time_of_measurement(site):
    ahead, exact = both(site, "ahead")
    early = lambda: [{"n": "t", "v": 1, "t": time.time() + 1800}]
    assert (ahead.update(early()).code, exact.update(early()).code) == ("2.01", "4.03")
    late, prompt = both(site, "late")
    for endpoint, delayed in ((late, False), (prompt, True)):
        assert endpoint.update([{"n": "t", "v": 1, "t": time.time() - 7200}]).code == "2.01"
        assert view(site, endpoint)["resources"][0]["delayed"] is delayed


def test_default_wake_applies_to_endpoints_that_state_none(site):
    hasty, patient = both(site, "hasty")
    assert codes([hasty.update(), patient.update()]) == ["2.01", "2.01"]
    wait_until(lambda: view(site, hasty)["freshness"] == "missing")
    assert hasty.get().number(MAX_AGE) == 0
    assert view(site, patient)["freshness"] == "on-time" and patient.get().number(MAX_AGE) > 100


def test_serve_stale_or_say_so(site):
    fresh, usual = both(site, "fresh", wake=1)
    assert codes([fresh.update(), usual.update()]) == ["2.01", "2.01"]
    wait_until(lambda: fresh.get().code == "5.03")
    wait_until(lambda: usual.get().number(MAX_AGE) == 0)
    assert usual.get(TEXT).payload == b"21.5"


def test_history_is_bounded_in_number_age_and_octets(site):
    for d in ("three", "young", "light"):
        bounded, usual = both(site, d)
        for value in range(8):
            for endpoint in (bounded, usual):
                assert endpoint.update([{"n": "t", "v": value}]).code.startswith("2.")
        assert len(usual.history("?after=0")) == 8
        if d == "three":
            assert len(bounded.history("?after=0")) == 3
        elif d == "young":
            wait_until(lambda: len(bounded.history("?after=0")) == 1)
        else:
            kept = bounded.history("?after=0")
            assert 2 <= len(kept) < 8 and sum(map(len, kept[:-1])) <= 1500
        assert len(usual.history("?after=0")) == 8, d


def test_payload_and_resources_of_an_endpoint_are_bounded(site):
    terse, usual = both(site, "terse")
    long = [{"n": "x", "vs": "y" * 300}]
    refused(terse.update(long), "4.13")
    assert terse.update([{"n": "x", "v": 1}]).code == usual.update(long).code == "2.01"
    links = "</a>,</b>,</c>"
    refused(Endpoint(site, "here", d="lean", links=links).register(), "4.00", "more than 2 links")
    assert Endpoint(site, "here", d="lean", links="</a>,</b>").register().code == "2.01"
    assert Endpoint(site, "beside-lean", links=links).register().code == "2.01"


def test_commands_that_wait_are_bounded(site):
    for d, code in (("single", "5.03"), (None, "2.04")):
        endpoint = Endpoint(site, "commanded", d=d, links="</led>")
        assert endpoint.register().code == "2.01"
        order = lambda seq: endpoint.put(command(endpoint, seq, d=d or ""), res="led")
        assert codes([order(1), order(2)]) == ["2.04", code]


def test_names_in_a_domain_are_bounded(site):
    assert codes(Endpoint(site, f"name-{i}", d="crowded").register() for i in range(3)) == ["2.01", "2.01", "5.03"]
    assert codes(Endpoint(site, f"name-{i}").register() for i in range(3)) == ["2.01"] * 3


def test_unproven_registrations_are_bounded_by_domain_and_source(site):
    def plain(d, number):
        endpoint = Endpoint(site, f"plain-{number}", d=d)
        body = cbor2.dumps([40, endpoint.links, JWK, compact_json(endpoint.key.jwk)])
        answer = endpoint.peer.request(POST, f"/ms?ep=plain-{number}" + (f"&d={d}" if d else ""), body, MULTIPART)
        endpoint.path = answer.location
        made.append(endpoint)
        return answer

    made = []

    # In a full domain the oldest registration of the source with most is displaced, here the client's own.
    assert codes(plain("cautious", i) for i in range(4)) == ["2.01"] * 4
    assert codes(endpoint.update() for endpoint in made) == ["4.04"] + ["2.01"] * 3
    assert codes(plain("wary", i) for i in range(2)) == ["2.01", "4.29"]
    assert codes(plain(None, i) for i in range(4)) == ["2.01"] * 4


def test_updates_of_an_endpoint_and_of_a_source_are_limited(site):
    for d in ("calm", "shared"):
        limited, usual = both(site, d)
        expected = ["2.01", "2.04", "2.04", "4.29"]
        answers = [limited.update() for _ in range(4)]
        assert codes(answers) == expected and answers[-1].number(MAX_AGE) >= 1
        assert codes(usual.update() for _ in range(4)) == ["2.01"] + ["2.04"] * 3
        neighbour = registered(site, "neighbour", d=d)
        assert neighbour.update().code == ("2.01" if d == "calm" else "4.29")


def test_registrations_are_limited_by_key_and_new_names_by_source(site):
    settled, usual = Endpoint(site, "again", d="settled"), Endpoint(site, "again")
    assert codes(settled.register() for _ in range(3)) == ["2.01", "2.01", "4.29"]
    assert codes(usual.register() for _ in range(3)) == ["2.01"] * 3
    many = [Endpoint(site, f"new-{i}", d="closed-circle") for i in range(3)]
    assert codes(endpoint.register() for endpoint in many) == ["2.01", "2.01", "4.29"]
    assert Endpoint(site, "new-in-vain").register().code == "2.01"


def test_signatures_that_do_not_hold_are_limited(site):
    strict, usual = both(site, "strict")
    bad = lambda endpoint: endpoint.put(endpoint.signed()[:-20] + b"A" * 20)
    assert codes(bad(strict) for _ in range(3)) == ["4.01", "4.01", "4.29"]
    assert codes(bad(usual) for _ in range(3)) == ["4.01"] * 3
    assert usual.update().code == "2.01"
