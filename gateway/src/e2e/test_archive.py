"""An archive of readings, and its verification when there is no gateway any more: what `vigil verify`
notices, and what nobody could."""

import csv
import io
import json
import subprocess

import pytest
from processes import java_command
from mirror_peer import READING, Endpoint, http, registered, sleepy
from sleepy import COMPACT, COSE

HOSTILE = '=HYPERLINK("http://x"),\n"quoted"'


def verify(file, *options):
    """(exit code, what is said)"""
    done = subprocess.run(
        [*java_command(), "verify", str(file), *options], capture_output=True, text=True, timeout=120)
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


def test_an_archive_holds_what_was_signed_beside_each_value(archive, archived):
    code, said = verify(archive)
    assert code == 0, said
    assert "6 readings checked, all valid" in said
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


def test_pinned_keys_count_and_no_others(archive, archived, tmp_path):
    both = ["--key", archived.key.jkt, "--key", archived.old_key.jkt]
    assert verify(archive, *both)[0] == 0
    code, said = verify(archive, "--key", archived.key.jkt)
    assert code == 1 and f"key {archived.old_key.jkt}, which is not one of the given keys" in said
    keys = tmp_path / "keys.json"
    keys.write_text(json.dumps({"keys": [archived.key.jwk, archived.old_key.jwk | {"use": "sig"}]}))
    code, said = verify(archive, "--keys", str(keys))
    assert code == 0 and "the keys come from" not in said
    keys.write_text(json.dumps(sleepy.Key().jwk))
    assert verify(archive, "--keys", str(keys))[0] == 1


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
    for old, new in (("%", "K"), ("urn:dev:x:b", "urn:dev:x:c"), ("1699999970", "1700000000")):
        archive.write_text(text.replace("2.5", "1.5", 1).replace(old, new, 1))
        assert verify(archive)[1].count("the archive has") == 3, (old, new)


def test_a_changed_signature_or_key_is_noticed(archive, archived):
    text = archive.read_text()
    token = json.loads(text.splitlines()[-1])["jws"] if archive.suffix == ".jsonl" else list(
        csv.DictReader(io.StringIO(text)))[-1]["jws"]
    flipped = token[:-10] + ("A" if token[-10] != "A" else "B") + token[-9:]
    archive.write_text(text.replace(token, flipped))
    code, said = verify(archive)
    assert code == 1 and "the signature is invalid" in said and "1 fault\n" in said
    archive.write_text(text.replace(archived.key.jwk["x"], sleepy.Key("EdDSA").jwk["x"]))
    code, said = verify(archive)
    assert code == 1 and "but the archive has key" in said


def test_reordered_rows_are_noticed_and_missing_ones_cannot_be(archive):
    text = archive.read_text()
    head, rows = ([], text.splitlines()) if archive.suffix == ".jsonl" else (
        [text[: text.index("\n") + 1].rstrip()], text[text.index("\n") + 1 :].splitlines())
    temp = [row for row in rows if ",temp," in row or '"res":"temp"' in row]
    rest = [row for row in rows if row not in temp]
    archive.write_text("\n".join(head + rest + temp[-1:] + temp[:-1]) + "\n")
    code, said = verify(archive)
    assert code == 1 and "rows were reordered" in said
    archive.write_text("\n".join(head + rest + temp[:-2] + temp[-1:]) + "\n")
    assert verify(archive)[0] == 0, "others may have taken the missing numbers"
    archive.write_text("\n".join(head + rest + temp + temp[-1:]) + "\n")
    assert "occurs twice" in verify(archive)[1]
    if archive.suffix == ".csv":
        archive.write_text("\n".join(head + temp[1:]) + "\n")
        code, said = verify(archive)
        assert code == 1 and "belongs" in said, "a row of a pack is missing"


def test_bare_jws_are_verified_with_keys_from_elsewhere(gateway, archived, tmp_path):
    listed = gateway.get(f"{archived.path}/temp?after=0", "application/vnd.vigil.jws-list+json")[2]
    keys = tmp_path / "keys.json"
    keys.write_text(json.dumps({"keys": [archived.key.jwk, archived.old_key.jwk]}))
    for text in (listed.decode(), "\n".join(json.loads(listed)) + "\n"):
        file = tmp_path / "readings"
        file.write_text(text)
        assert verify(file)[0] == 1, "no key is known"
        code, said = verify(file, "--keys", str(keys))
        assert code == 0 and "temp: 3 readings" in said


def test_a_file_that_is_no_archive_is_told_from_a_false_one(tmp_path):
    file = tmp_path / "file"
    assert verify(file)[0] == 2
    file.write_bytes(b"")
    assert verify(file)[0] == 2
    file.write_bytes(b"\xff\xfe\0")
    assert verify(file)[0] == 2
    file.write_text("hello\n")
    assert verify(file)[0] == 1
    assert verify(file, "--keys", str(file))[0] == 2
    steering = {"ep": "\x1b[31m", "res": "a", "seq": 1, "arrived": "2026-11-20T12:00:00Z"}
    file.write_text(json.dumps(steering | {"senml": [{"n": "a", "v": 1}], "jws": "a.b.c"}))
    code, said = verify(file)
    assert code == 1 and "(?[31m/a, number 1)" in said, "no archive steers a terminal"


def test_one_resource_is_exported_alone_from_a_number_on(gateway, archived):
    number = archived.path.rsplit("/", 1)[1]
    lines = gateway.get(f"/api/endpoints/{number}/export/temp?after=2")[2].decode().splitlines()
    assert [json.loads(line)["seq"] for line in lines] == [3, 8]
    assert gateway.get(f"/api/endpoints/{number}/export/none")[0] == 404
    assert gateway.get(f"/api/endpoints/{number}/export?format=xml")[0] == 400
    assert gateway.get("/api/endpoints/424242/export")[0] == 404
    assert http(gateway, "POST", f"/api/endpoints/{number}/export", b"")[0] == 405
