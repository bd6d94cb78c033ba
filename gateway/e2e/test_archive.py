"""An archive of readings, and its verification without a gateway: the changes that `vigil verify` detects, and the
changes that nobody can detect."""

import csv
import io
import json
import re
import subprocess

import pytest
from processes import java_command
from mirror_peer import READING, Endpoint, http, registered, sleepy
from sleepy import COMPACT, COSE

HOSTILE = '=HYPERLINK("http://x"),\n"quoted"'


def verify_each(*files_and_options):
    """(exit code, output) of each; in parallel, because most of the time is the start of a process."""
    children = [
        subprocess.Popen([*java_command(), "verify", *map(str, words)], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True)
        for words in files_and_options
    ]
    said = [child.communicate(timeout=120)[0] for child in children]
    return [(child.returncode, text) for child, text in zip(children, said)]


def verify(file, *options):
    return verify_each([file, *options])[0]


def verify_texts(archive, *texts):
    """The same for files like the archive, with these contents."""
    files = [archive.with_stem(f"text-{number}") for number in range(len(texts))]
    for file, text in zip(files, texts):
        file.write_text(text)
    return verify_each(*([file] for file in files))


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


def test_pinned_keys_count_and_no_others(archive, archived, tmp_path):
    both = ["--key", archived.key.jkt, "--key", archived.old_key.jkt]
    keys, others = tmp_path / "keys.json", tmp_path / "others.json"
    keys.write_text(json.dumps({"keys": [archived.key.jwk, archived.old_key.jwk | {"use": "sig"}]}))
    others.write_text(json.dumps(sleepy.Key().jwk))
    pinned, one, given, strange = verify_each(
        [archive, *both], [archive, "--key", archived.key.jkt], [archive, "--keys", keys], [archive, "--keys", others])
    assert pinned[0] == 0
    assert one[0] == 1 and f"key {archived.old_key.jkt}, which is not one of the given keys" in one[1]
    assert given[0] == 0 and "the keys come from" not in given[1]
    assert strange[0] == 1


def test_each_changed_value_is_noticed(archive):
    text = archive.read_text()
    named = ('"res":"temp","seq":8', '"res":"load","seq":8') if archive.suffix == ".jsonl" else (",temp,8", ",load,8")
    number = ('"seq":3', '"seq":4') if archive.suffix == ".jsonl" else (",temp,3,", ",temp,4,")
    for old, new in (("1.5", "2.5"), ("aGkgCg", "aGkgCw"), (HOSTILE[:5], "=PLAIN"[:5]), named, number):
        assert old in text
        text = text.replace(old, new, 1)
    changes = ("%", "K"), ("urn:dev:x:b", "urn:dev:x:c"), ("1699999970", "1700000000")
    (code, said), *others = verify_texts(
        archive, text, *(text.replace("2.5", "1.5", 1).replace(old, new, 1) for old, new in changes))
    assert code == 1 and said.count("the archive has") == 3 and "line " in said
    assert "signed for resource temp" in said and "signed with number 3" in said
    for change, (_, said) in zip(changes, others, strict=True):
        assert said.count("the archive has") == 3, change


def test_a_changed_signature_or_key_is_noticed(archive, archived):
    text = archive.read_text()
    token = json.loads(text.splitlines()[-1])["jws"] if archive.suffix == ".jsonl" else list(
        csv.DictReader(io.StringIO(text)))[-1]["jws"]
    flipped = token[:-10] + ("A" if token[-10] != "A" else "B") + token[-9:]
    forged, other_key = verify_texts(
        archive, text.replace(token, flipped), text.replace(archived.key.jwk["x"], sleepy.Key("EdDSA").jwk["x"]))
    assert forged[0] == 1 and "the signature is invalid" in forged[1] and "1 fault\n" in forged[1]
    assert other_key[0] == 1 and "but the archive has key" in other_key[1]


def test_reordered_rows_are_noticed_and_missing_numbers_are_named(archive):
    text = archive.read_text()
    head, rows = ([], text.splitlines()) if archive.suffix == ".jsonl" else (
        [text[: text.index("\n") + 1].rstrip()], text[text.index("\n") + 1 :].splitlines())
    temp = [row for row in rows if ",temp," in row or '"res":"temp"' in row]
    rest = [row for row in rows if row not in temp]
    reordered, missing, repeated, torn = verify_texts(archive, *(
        "\n".join(lines) + "\n" for lines in (
            head + rest + temp[-1:] + temp[:-1], head + rest + temp[:-2] + temp[-1:], head + rest + temp + temp[-1:],
            head + temp[1:])))
    assert reordered[0] == 1 and "rows were reordered" in reordered[1]
    assert missing[0] == 0, "others may have taken the missing numbers"
    assert re.search(r"^archived: \d+ numbers? between .* missing: .*\b3\b", missing[1], re.M), missing[1]
    assert "occurs twice" in repeated[1]
    if archive.suffix == ".csv":
        assert torn[0] == 1 and "belongs" in torn[1], "a row of a pack is missing"


def test_bare_jws_are_verified_with_keys_from_elsewhere(gateway, archived, tmp_path):
    listed = gateway.get(f"{archived.path}/temp?after=0", "application/vnd.vigil.jws-list+json")[2]
    keys = tmp_path / "keys.json"
    keys.write_text(json.dumps({"keys": [archived.key.jwk, archived.old_key.jwk]}))
    as_list, as_lines = tmp_path / "list", tmp_path / "lines"
    as_list.write_text(listed.decode())
    as_lines.write_text("\n".join(json.loads(listed)) + "\n")
    *without, one, other = verify_each([as_list], [as_lines], [as_list, "--keys", keys], [as_lines, "--keys", keys])
    assert [code for code, _ in without] == [1, 1], "no key is known"
    for code, said in (one, other):
        assert code == 0 and "temp: 3 readings" in said


def test_a_non_archive_is_distinguished_from_an_invalid_archive(tmp_path):
    empty, binary, text, steers = (tmp_path / name for name in ("empty", "binary", "text", "steers"))
    empty.write_bytes(b"")
    binary.write_bytes(b"\xff\xfe\0")
    text.write_text("hello\n")
    steering = {"ep": "\x1b[31m", "res": "a", "seq": 1, "arrived": "2026-11-20T12:00:00Z"}
    steers.write_text(json.dumps(steering | {"senml": [{"n": "a", "v": 1}], "jws": "a.b.c"}))
    *nothing, wrong, (code, said) = verify_each(
        [tmp_path / "none"], [empty], [binary], [text, "--keys", text], [text], [steers])
    assert [code for code, _ in nothing] == [2, 2, 2, 2]
    assert wrong[0] == 1
    assert code == 1 and "(?[31m/a, number 1)" in said, "no archive steers a terminal"


def test_a_single_resource_is_exported_from_a_number_on(gateway, archived):
    number = archived.path.rsplit("/", 1)[1]
    lines = gateway.get(f"/api/endpoints/{number}/export/temp?after=2")[2].decode().splitlines()
    assert [json.loads(line)["seq"] for line in lines] == [3, 8]
    assert gateway.get(f"/api/endpoints/{number}/export/none")[0] == 404
    assert gateway.get(f"/api/endpoints/{number}/export?format=xml")[0] == 400
    assert gateway.get("/api/endpoints/424242/export")[0] == 404
    assert http(gateway, "POST", f"/api/endpoints/{number}/export", b"")[0] == 405
