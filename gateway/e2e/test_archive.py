"""An archive of readings, and its verification without a gateway. VerifyArchiveTest has more changes that `vigil verify`
detects, one by one."""

import csv
import io
import json
import subprocess

import pytest
from processes import java_command
from mirror_peer import READING, Endpoint, http, registered
from sleepy import COMPACT, COSE

HOSTILE = '=HYPERLINK("http://x"),\n"quoted"'


def verify(file, *options):
    """(exit code, output)"""
    done = subprocess.run([*java_command(), "verify", *map(str, (file, *options))], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def archived(gateway):
    """An endpoint that has sent each form of reading, and changed its key in between."""
    endpoint = registered(gateway, "archived")
    pack = [{"bn": "urn:dev:x:", "bt": 1.7e9, "bu": "Cel", "n": "a", "v": 1.5}, {"n": "b", "u": "%", "v": -2, "t": -30}]
    assert endpoint.put(endpoint.jws("temp", pack)).code == "2.01"
    assert endpoint.put(endpoint.compact("temp", READING, cbor=True), COMPACT).code == "2.04"
    assert endpoint.put(endpoint.cose("load", READING), COSE, res="load").code == "2.01"
    assert endpoint.put(endpoint.jws("load", [{"n": "s", "vs": HOSTILE}]), res="load").code == "2.04"
    assert endpoint.put(endpoint.jws("load", [{"n": "d", "vd": "aGkgCg"}, {"n": "e", "vb": True}]), res="load").code == "2.04"
    endpoint.old_key = endpoint.key
    new = Endpoint(gateway, "archived", alg="EdDSA")
    new.seq = endpoint.seq
    header = {"alg": "ES256", "typ": "vigil-rotate", "cty": "jose", "kid": endpoint.key.jkt, "seq": new.seq + 1}
    assert new.post(endpoint.key.jws(header, new.registration())).code == "2.01"
    new.path, new.old_key = endpoint.path, endpoint.key
    assert new.update().code == "2.04"
    return new


@pytest.fixture(params=["csv", "jsonl"])
def archive(request, gateway, archived, tmp_path):
    number = archived.path.rsplit("/", 1)[1]
    status, headers, body = gateway.get(f"/api/endpoints/{number}/export?format={request.param}")
    assert status == 200 and f'filename="archived.{request.param}"' in headers["Content-Disposition"]
    file = tmp_path / f"archive.{request.param}"
    file.write_bytes(body)
    return file


def test_an_archive_holds_the_signed_object_of_each_value(archive, archived):
    code, said = verify(archive)
    assert code == 0, said
    assert said.startswith("6 readings checked, all valid\n"), said
    assert "archived/temp: 3 readings, numbers 2 to 8" in said
    assert f"signed by {archived.old_key.jkt}, then {archived.key.jkt}" in said
    assert "the keys come from the archive itself" in said
    if archive.suffix == ".csv":
        rows = list(csv.DictReader(io.StringIO(archive.read_text(), newline="")))
        assert [row["value"] for row in rows if row["res"] == "temp"] == ["1.5", "-2", "21.5", "21.5"]
        assert rows[-3 if rows[0]["res"] == "temp" else 1]["value"] == "'" + HOSTILE, "no spreadsheet runs it"
        assert rows[0]["jwk"].startswith('{"crv"')
    else:
        lines = [json.loads(line) for line in archive.read_text().splitlines()]
        first = next(line for line in lines if line["res"] == "temp")
        assert first["senml"] == [
            {"n": "urn:dev:x:a", "u": "Cel", "v": 1.5, "t": 1700000000},
            {"n": "urn:dev:x:b", "u": "%", "v": -2, "t": 1699999970},
        ]
        assert {tuple(k for k in ("jws", "cose") if k in line) for line in lines} == {("jws",), ("cose",)}


def test_each_changed_value_is_noticed(archive):
    text = archive.read_text()
    named = ('"res":"temp","seq":8', '"res":"load","seq":8') if archive.suffix == ".jsonl" else (",temp,8", ",load,8")
    number = ('"seq":3', '"seq":4') if archive.suffix == ".jsonl" else (",temp,3,", ",temp,4,")
    for old, new in (("1.5", "2.5"), ("aGkgCg", "aGkgCw"), (HOSTILE[:5], "=PLAIN"[:5]), named, number):
        assert old in text
        text = text.replace(old, new, 1)
    archive.write_text(text)
    code, said = verify(archive)
    assert code == 1 and said.count("the archive has") == 3 and "line " in said
    assert "signed for resource temp" in said and "signed with number 3" in said


def test_bare_jws_are_verified_with_keys_from_elsewhere(gateway, archived, tmp_path):
    listed, keys = tmp_path / "list", tmp_path / "keys.json"
    listed.write_bytes(gateway.get(f"{archived.path}/temp?after=0", "application/vnd.vigil.jws-list+json")[2])
    keys.write_text(json.dumps({"keys": [archived.key.jwk, archived.old_key.jwk]}))
    code, said = verify(listed, "--keys", keys)
    assert code == 0 and "temp: 3 readings" in said and "the keys come from" not in said, said


def test_a_non_archive_is_distinguished_from_an_invalid_archive(tmp_path):
    assert verify(tmp_path / "none")[0] == 2


def test_a_single_resource_is_exported_from_a_number_on(gateway, archived):
    number = archived.path.rsplit("/", 1)[1]
    lines = gateway.get(f"/api/endpoints/{number}/export/temp?after=2")[2].decode().splitlines()
    assert [json.loads(line)["seq"] for line in lines] == [3, 8]
    assert gateway.get(f"/api/endpoints/{number}/export/none")[0] == 404
    assert gateway.get(f"/api/endpoints/{number}/export?format=xml")[0] == 400
    assert gateway.get("/api/endpoints/424242/export")[0] == 404
    assert http(gateway, "POST", f"/api/endpoints/{number}/export", b"")[0] == 405
