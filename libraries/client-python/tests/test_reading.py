import json
import pathlib
import subprocess
import sys
import time
from datetime import UTC, datetime

import pytest
from examples import ED25519, MOTE, update

import vigil_client
from vigil_client import BadSignature, KeyChanged, Replayed
from vigil_client.jose import PublicKey
from vigil_client.memory import Memory
from vigil_client.reading import Verifier

ENDPOINT = {"id": "7", "ep": "mote-1", "d": ""}
KEYS = {PublicKey.of(jwk).thumbprint: jwk for jwk in (MOTE, ED25519)}
FIRST, SECOND = KEYS


SOURCES = str(pathlib.Path(vigil_client.__file__).parents[1])


def eventually(happens):
    deadline = time.monotonic() + 60
    while not happens():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def verifier(path=None):
    return Verifier(Memory(path), KEYS.__getitem__)


def read(own, *updates):
    """The last of the readings, verified in this order."""
    for one in updates:
        original = own.check(ENDPOINT, "temp", one)
        own.check_key(ENDPOINT, "temp", original.kid)
        own.check_number(ENDPOINT, original)
    return own.reading(ENDPOINT, original, "2026-11-26T07:30:25.500Z")


def test_a_reading_says_what_its_signature_does_not_prove():
    reading = read(verifier(), update())
    assert (reading.value, reading.unit, reading.number, reading.key, reading.verified) == (21.5, "Cel", 2, FIRST, True)
    assert reading.time == datetime(2026, 11, 26, 7, 30, 25, 500000, UTC)
    assert [one.partition(":")[0] for one in reading.unproven] == ["key", "time"]


def test_a_compared_key_and_a_signed_time_leave_nothing_unproven():
    own = verifier()
    own.memory.pin("", "mote-1", FIRST, compared=True)
    reading = read(own, update(payload=[{"n": "temp", "v": 1, "t": 1795678225}]))
    assert reading.unproven == () and reading.time == datetime(2026, 11, 26, 7, 30, 25, tzinfo=UTC)


def test_the_number_may_rise_or_stay_but_not_fall():
    own = verifier()
    assert read(own, update(seq=2), update(seq=9)).number == 9
    with pytest.raises(Replayed, match=r"mote-1/temp: reading 8 is older than reading 9"):
        read(own, update(seq=8))


def test_a_repetition_is_accepted_but_no_other_reading_of_its_number():
    own, same = verifier(), update(seq=4)
    assert read(own, same, same).number == 4
    with pytest.raises(Replayed, match="two different readings 4"):
        read(own, update(seq=4, payload=[{"v": 99}]))


def test_numbers_of_different_resources_do_not_compare():
    own = verifier()
    read(own, update(seq=9))
    original = own.check(ENDPOINT, "hum", update(seq=3, res="hum"))
    own.check_number(ENDPOINT, original)


def test_another_key_is_reported_with_both_keys_and_changes_nothing():
    own = verifier()
    read(own, update(seq=2))
    with pytest.raises(KeyChanged, match=rf"mote-1/temp: the key {SECOND}.*trust\('mote-1', '{SECOND}'\)") as changed:
        read(own, update(ED25519, seq=3))
    assert (changed.value.pinned, changed.value.found, changed.value.endpoint) == (FIRST, SECOND, "mote-1")
    assert read(own, update(seq=3)).number == 3
    own.memory.pin("", "mote-1", SECOND, compared=True)
    assert read(own, update(ED25519, seq=4)).unproven[0].startswith("time")


def test_a_reading_of_another_resource_or_without_a_value_is_refused():
    for one, why in ((update(res="hum"), "signed this reading for hum"), (update(payload=[{"n": "temp"}]), "has no value")):
        with pytest.raises(BadSignature, match=f"mote-1/temp: .*{why}"):
            read(verifier(), one)


def test_keys_and_numbers_survive_a_restart(tmp_path):
    file = tmp_path / "memory.json"
    first = verifier(file)
    read(first, update(seq=5))
    eventually(lambda: Memory(file).highest("", "mote-1", "temp") == 5)
    second = verifier(file)
    assert second.memory.key("", "mote-1") == (FIRST, False)
    with pytest.raises(Replayed):
        read(second, update(seq=4))
    with pytest.raises(KeyChanged):
        read(second, update(ED25519, seq=6))


def test_numbers_are_written_when_the_process_exits(tmp_path):
    file = tmp_path / "memory.json"
    lines = "from vigil_client.memory import Memory", f"known = Memory({str(file)!r})"
    lines += "known.pin('', 'mote-1', 'key', True)", "assert known.advance('', 'mote-1', 'temp', 7, 'digest')"
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True, env={"PYTHONPATH": SOURCES})
    assert Memory(file).highest("", "mote-1", "temp") == 7


def test_a_write_that_failed_is_repeated_when_the_process_exits(tmp_path):
    file = tmp_path / "memory.json"
    obstacle = tmp_path / "memory.json.new"
    script = f"""
import pathlib
from vigil_client.memory import Memory
known, obstacle = Memory({str(file)!r}), pathlib.Path({str(obstacle)!r})
known.pin('', 'mote-1', 'key', True)
known.advance('', 'mote-1', 'temp', 7, 'digest')
obstacle.mkdir()
try:
    known.save()
except OSError:
    obstacle.rmdir()
"""
    subprocess.run([sys.executable, "-c", script], check=True, env={"PYTHONPATH": SOURCES})
    assert Memory(file).highest("", "mote-1", "temp") == 7


@pytest.mark.parametrize("content", ["", "[]", "{}", json.dumps({"version": 2, "endpoints": {}})])
def test_a_memory_that_cannot_be_read_is_not_replaced(tmp_path, content):
    file = tmp_path / "memory.json"
    file.write_text(content)
    with pytest.raises(ValueError):
        Memory(file)
    assert file.read_text() == content
