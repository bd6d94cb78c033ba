"""Observations of a gateway that refuses, is restarted, or loses changes."""

import json
import time
from itertools import islice

import pytest
from examples import MOTE, update
from scripted import Answer, problem, scripted

from vigil_client import BadSignature, Gateway, Refused, Unreachable
from vigil_client.jose import PublicKey

LIST, EVENTS, MOTE_1, TEMP, HUM = "api/endpoints", "api/events", "api/endpoints/7", "ms/7/temp", "ms/7/hum"
KEY = "keys/" + PublicKey.of(MOTE).thumbprint
FIRST = [(EVENTS, None), (LIST, None), (TEMP, None), (KEY, None)]


def resource(seq, path="temp", marks=()):
    return {"path": path, "seq": seq, "marks": list(marks), "arrivedAt": "2026-11-26T07:30:25.500Z"}


def view(*resources):
    return {"id": "7", "ep": "mote-1", "d": "", "high": 1, "resources": list(resources)}


def listed(seq):
    return Answer({"endpoints": [view(resource(seq))]})


def signed(seq, path="temp", **more):
    return Answer(update(seq=seq, res=path, **more).encode(), headers={"Content-Type": "application/jose"})


def stream(first, *events, whole=True):
    """An event stream: its first id, then names, ids and data of events."""
    blocks = [f"id:{first}\nretry:2000\n:vigil\n\n"] + [f"event:{name}\nid:{at}\ndata:{json.dumps(data)}\n\n" for name, at, data in events]
    return Answer("".join(blocks).encode(), headers={"Content-Type": "text/event-stream"}, whole=whole)


@pytest.fixture
def pauses(monkeypatch):
    """The pauses, which a test does not wait for."""
    taken = []
    monkeypatch.setattr(time, "sleep", taken.append)
    return taken


def observed(running, count, **more):
    with Gateway(running.url) as gateway:
        return [(one.resource, one.number) for one in islice(gateway.observe(**more), count)]


@pytest.mark.parametrize("refused", [
    *(problem(status, Retry_After="7") for status in (429, 502, 503, 504)),
    # Without a place for another connection the gateway sends no problem.
    Answer(status=503, headers={"Retry-After": "7"}),
])  # fmt: skip
def test_an_observation_waits_until_the_event_stream_opens_again(pauses, refused):
    answers = {
        EVENTS: [stream(5), refused, stream(5, ("endpoint", 6, view(resource(3))))],
        LIST: [listed(2)],
        TEMP: [signed(2), signed(3)],
        KEY: [Answer(MOTE)],
    }
    with scripted(answers) as running:
        assert observed(running, 2) == [("temp", 2), ("temp", 3)]
    assert running.asked == [*FIRST, (EVENTS, "5"), (EVENTS, "5"), (TEMP, None)]
    assert pauses == [0.5, 7]


def test_a_shorter_retry_after_does_not_shorten_the_pause(pauses):
    refusals = [problem(503, Retry_After="1") for _ in range(7)]
    answers = {EVENTS: [stream(5), *refusals, stream(5, ("endpoint", 6, view(resource(3))))], LIST: [listed(2)]}
    with scripted(answers | {TEMP: [signed(2), signed(3)], KEY: [Answer(MOTE)]}) as running:
        assert observed(running, 2)[-1] == ("temp", 3)
    assert pauses == [0.5, 1, 2, 4, 8, 15, 15, 15]


def test_an_observation_that_does_not_begin_raises_the_refusal():
    with scripted({EVENTS: [problem(503, Retry_After="10")]}) as running, pytest.raises(Refused) as refused:
        observed(running, 1)
    assert (refused.value.status, refused.value.retry_after) == (503, 10)


def test_another_refusal_of_the_event_stream_ends_an_observation(pauses):
    answers = {EVENTS: [stream(5), problem(400, "invalid-request")], LIST: [listed(2)], TEMP: [signed(2)], KEY: [Answer(MOTE)]}
    with scripted(answers) as running, pytest.raises(Refused, match="the test refuses"):
        observed(running, 2)


@pytest.mark.parametrize("refused", [problem(503), problem(429), Answer(b"x", whole=False)])
def test_the_list_is_read_again_until_it_is_whole(pauses, refused):
    page = Answer({"endpoints": [view(resource(2))], "next": "n"})
    rest = Answer({"endpoints": [view(resource(4, "hum"))]})
    answers = {EVENTS: [stream(5), stream(5), stream(5)], LIST: [refused, page, refused, page, rest]}
    with scripted(answers | {TEMP: [signed(2)], HUM: [signed(4, "hum")], KEY: [Answer(MOTE)]}) as running:
        assert observed(running, 2) == [("temp", 2), ("hum", 4)]
    assert [one for one in running.asked if one[0] == EVENTS] == [(EVENTS, None), (EVENTS, "5"), (EVENTS, "5")]
    # Opening the stream is no success while the list fails.
    assert pauses == [0.5, 1]


@pytest.mark.parametrize("path, refused, found", [
    (LIST, problem(503), listed(4)),
    (MOTE_1, problem(503), Answer(view(resource(4)))),
    (LIST, Answer(b"x", whole=False), listed(4)),
], ids=["refused", "refused, one endpoint", "broken"])  # fmt: skip
def test_missed_changes_are_listed_even_if_the_list_fails_first(pauses, path, refused, found):
    one = Answer(view(resource(2)))
    answers = {EVENTS: [stream(5, ("missed", 90, {})), stream(90)], LIST: [listed(2)], MOTE_1: [one], TEMP: [signed(2), signed(4)]}
    answers[path] += [refused, found]
    more = {"endpoint": "mote-1"} if path == MOTE_1 else {}
    with scripted(answers | {KEY: [Answer(MOTE)]}) as running:
        assert observed(running, 2, **more) == [("temp", 2), ("temp", 4)]
    assert (EVENTS, "90") in running.asked


def test_changes_are_listed_when_a_stream_ends_before_it_says_missed(pauses):
    answers = {EVENTS: [stream(5), stream(90, whole=False)], LIST: [listed(2), listed(4)], TEMP: [signed(2), signed(4)]}
    with scripted(answers | {KEY: [Answer(MOTE)]}) as running:
        assert observed(running, 2) == [("temp", 2), ("temp", 4)]


def test_a_resumed_stream_needs_no_list(pauses):
    resumed = stream(6, ("endpoint", 7, view(resource(4))))
    answers = {EVENTS: [stream(5, ("endpoint", 6, view(resource(3)))), resumed], LIST: [listed(2)]}
    with scripted(answers | {TEMP: [signed(2), signed(3), signed(4)], KEY: [Answer(MOTE)]}) as running:
        assert observed(running, 3)[-1] == ("temp", 4)
    assert [path for path, _ in running.asked].count(LIST) == 1


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_reading_is_asked_for_again_until_the_gateway_gives_it(pauses, status):
    refused = problem(status, Retry_After="3")
    answers = {EVENTS: [stream(5)], LIST: [listed(2)], TEMP: [refused, Answer(status=503), refused, signed(2)]}
    with scripted(answers | {KEY: [Answer(MOTE)]}) as running:
        assert observed(running, 1) == [("temp", 2)]
    assert pauses == [3, 1, 3]


def test_a_stale_value_delays_no_other_and_is_given_once_it_can_be(pauses):
    both = view(resource(2, marks=["stale"]), resource(3, "hum"))
    stale, again = problem(503, "stale-value", Retry_After="3600"), stream(5, ("endpoint", 6, both))
    answers = {EVENTS: [again], LIST: [Answer({"endpoints": [both]})], TEMP: [stale, signed(2)], HUM: [signed(3, "hum")]}
    with scripted(answers | {KEY: [Answer(MOTE)]}) as running:
        assert observed(running, 2) == [("hum", 3), ("temp", 2)]
    assert pauses == []


@pytest.mark.parametrize("refused", [problem(403, "not-trusted"), problem(404, "not-found")])
def test_a_refused_reading_is_not_taken_for_a_delivered_one(refused):
    both = view(resource(2), resource(3, "hum"))
    events = stream(5, ("endpoint", 6, both), ("endpoint", 7, both))
    answers = {EVENTS: [events], LIST: [Answer({"endpoints": [both]})], TEMP: [refused, signed(2)], HUM: [signed(3, "hum")]}
    with scripted(answers | {KEY: [Answer(MOTE)]}) as running:
        assert observed(running, 2) == [("hum", 3), ("temp", 2)]


def test_the_error_of_a_reading_is_reported_once(pauses):
    same = ("endpoint", 6, view(resource(2)))
    answers = {EVENTS: [stream(5, same, same, ("endpoint", 7, view(resource(3))))], LIST: [listed(2)]}
    forged = Answer((update()[:-4] + "AAAA").encode())
    with scripted(answers | {TEMP: [forged, signed(3)], KEY: [Answer(MOTE)]}) as running:
        errors = []
        assert observed(running, 1, refused=errors.append) == [("temp", 3)]
    [error] = errors
    assert isinstance(error, BadSignature) and error.resource == "temp"


@pytest.mark.parametrize("text, seconds", [
    ("0", 0), ("5", 5), ("999999999", 3600), ("9" * 30, 0), ("-1", 0), ("1.5", 0), ("soon", 0), ("Wed, 21 Oct 2026 07:28:00 GMT", 0)
])  # fmt: skip
def test_an_error_has_the_seconds_of_retry_after(text, seconds):
    refusals = [problem(503, Retry_After=text), Answer(status=503, headers={"Retry-After": text})]
    with scripted({LIST: refusals}) as running, Gateway(running.url) as gateway:
        for error in (Refused, Unreachable):
            with pytest.raises(error) as refused:
                gateway.endpoint("mote-1")
            assert refused.value.retry_after == seconds
