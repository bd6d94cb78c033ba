"""Histories that a gateway does not send to the end."""

import json

import pytest
from examples import MOTE, update
from scripted import Answer, problem, scripted

from vigil_client import Gateway, Refused, Unreachable

ENDPOINT = {"id": "7", "ep": "mote-1", "d": "", "high": 9, "resources": []}
EXPORT = "api/endpoints/7/export/temp"
PROBLEM = json.dumps({"type": "/problems/overloaded", "title": "no", "status": 503, "detail": "too many histories are being read."})


def row(seq, **more):
    line = {"seq": seq, "arrived": "2026-11-26T07:30:25.500Z", "marks": "", "senml": [], "jws": update(seq=seq), "jwk": MOTE} | more
    return json.dumps(line) + "\n"


def read(answer):
    """The numbers of the readings, and the error after them."""
    numbers = []
    with scripted({"api/endpoints": [Answer({"endpoints": [ENDPOINT]})], EXPORT: [answer]}) as running, Gateway(running.url) as gateway:
        try:
            for one in gateway.history("mote-1", "temp"):
                numbers.append(one.number)
        except (Unreachable, Refused) as e:
            return numbers, e
    return numbers, None


@pytest.mark.parametrize("numbers", [[], [1], [1, 2, 5]])
def test_a_whole_history_has_all_readings(numbers):
    assert read(Answer("".join(map(row, numbers)).encode())) == (numbers, None)


@pytest.mark.parametrize("text", ["", row(1), row(1) + row(2)[:-1], row(1) + row(2)[:40]], ids=["empty", "line", "no line end", "part"])
def test_an_answer_without_its_last_chunk_is_an_error(text):
    numbers, error = read(Answer(text.encode(), whole=False))
    assert numbers == [1][: text.count("\n")] and isinstance(error, Unreachable)


@pytest.mark.parametrize("last, why", [
    (row(2)[:-1], "its last line is unfinished"),
    (row(2)[:40], "its last line is unfinished"),
    (PROBLEM, "its last line is unfinished"),
    (PROBLEM + "\n", "too many histories are being read"),
    (row(2)[:40] + "\n", "it has a line without a reading"),
    ("null\n", "it has a line without a reading"),
    ("\n", "it has a line without a reading"),
    (row(2, marks=None), "it has a line without a reading"),
])  # fmt: skip
def test_an_answer_whose_last_line_is_no_reading_is_an_error(last, why):
    numbers, error = read(Answer((row(1) + last).encode()))
    assert numbers == [1] and isinstance(error, Unreachable)
    assert str(error).endswith(f" did not send the whole history of mote-1/temp: {why}. Read it again.")


def test_a_refused_history_is_a_refusal():
    numbers, error = read(problem(503, Retry_After="5"))
    assert numbers == [] and isinstance(error, Refused) and error.retry_after == 5
