"""Readings that motes store as ESP packets and a running gateway fetches, in modes B and D, from one file or several."""

import contextlib
import csv
import datetime
import json
import re
import signal
import subprocess
import urllib.error
import urllib.parse
import urllib.request
import zlib

import pytest
from processes import MOTE, Gateway, Process, behind, eui64, free_port, java_command, mote, only_with_all, wait_until
from test_secured_mesh import psdus

GATEWAY = "fd00::56:4947:494c:1"
MODES = {1: "b", 2: "d", 3: "b"}
NAMED = {"alarms": "memory", "slow": "disk"}  # further files of mote 3, and the sensor that each keeps
FIRST_ENTRY, SEGMENT, ENTRY = 40, 4096, 64 + 8 + 1  # its offset in a segment; octets


def address(number):
    return f"fd00::56:4947:494c:1{number:03x}"


def key(number, octets=16):
    return f"{number:0{2 * octets}x}"


def associations(number, direction):
    """The lines of one mote's associations, for the mote or the gateway; the archive's line is the same at both."""
    here, there = ("out", "in") if direction == "mote" else ("in", "out")
    keys = [key(100 * number + i) for i in range(6)]
    spi = 0x11000000 + 16 * number
    return (
        f"{here} esp cbc-xcbc 0x{spi:08x} {address(number)} {GATEWAY} {keys[0]} {keys[1]}\n"
        f"{there} esp cbc-xcbc 0x{spi + 1:08x} {GATEWAY} {address(number)} {keys[2]} {keys[3]}\n"
        f"store esp ctr-xcbc 0x{spi + 2:08x} {address(number)} {GATEWAY} {keys[4]}a0a1a2a3 {keys[5]}\n"
    )


def next_key(number):
    """The line of an archive's new key."""
    spi = 0x11000000 + 16 * number + 3
    return f"store esp ctr-xcbc 0x{spi:08x} {address(number)} {GATEWAY} {key(100 * number + 6)}a0a1a2a3 {key(100 * number + 7)}\n"


def named_files():
    """The lines of the named files of mote 3."""
    return "".join(
        f"store={name} esp ctr-xcbc 0x{0x11000034 + i:08x} {address(3)} {GATEWAY} {key(310 + 2 * i)}a0a1a2a3 {key(311 + 2 * i)}\n"
        for i, name in enumerate(NAMED))


def private(path, text):
    path.touch(0o600)
    path.write_text(text)
    return str(path)


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stores")
    own = private(folder / "gateway.sa", "".join(associations(number, "gateway") for number in MODES) + named_files())
    air = folder / "air.pcapng"

    def start(number, gateway, further=""):
        further = named_files() + further if number == 3 else further
        own = private(folder / f"mote-{number}.sa", associations(number, "mote") + further)
        files = [word for name, sensor in NAMED.items() for word in (
            "--store", f"{name}={folder}/mote-3.{name}", "--keep", f"{sensor}={name}", "--sensor", sensor)]
        gateway.folder, gateway.air, gateway.start = folder, air, start
        return mote(
            f"mote-{number}", gateway, folder / f"mote-{number}.state", "--sa", own, "--new-sa", "--nhc",
            "--store", str(folder / f"mote-{number}.store"), "--store-mode", MODES[number],
            "--sensor", "load", *(files + ["--store-mode", "slow=d"] if number == 3 else ["--sensor", "memory"]),
            mirror=gateway.routed, wake=0.3,
        )

    topology = "".join(f"0 {eui64(number)}\n" for number in MODES)
    port = free_port()
    options = "--sa", own, "--new-sa", "--pcap", str(air)
    with behind(topology, folder, len(MODES), start, *options, zep_port=port) as gateway:
        gateway.again = lambda: Gateway(
            folder / "data", "--demo", "--coap-port", "0", "--http-port", "0", "--zep-port", str(port),
            "--topology", str(folder / "air.txt"), "--sa", own)
        yield gateway


def readings_sent(gateway, number):
    return [line for line in gateway.motes[number - 1].lines if line.startswith("sent ")]


def page(gateway, **parameters):
    """Status and body of one page, once the gateway itself is not fetching and the mote answers."""
    return wait_until(lambda: (one := asked(gateway, **parameters))[0] not in (409, 504) and one, timeout=90, every=1)


def asked(gateway, **parameters):
    """Status and body of one request for a page of the API."""
    token = (gateway.data_dir / "operator.token").read_text().strip()
    request = urllib.request.Request(
        f"{gateway.http}/api/network/stored-readings?{urllib.parse.urlencode(parameters)}", method="POST",
        headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        return refused.code, json.load(refused)


def everything_stored(gateway, number, **file):
    """The readings of all pages; none while the mote cannot be asked."""
    readings, after = [], 0
    while after is not None:
        status, one = asked(gateway, mote=address(number), after=after, **file)
        if status in (409, 504):  # the gateway itself is fetching, or the mote has no route yet
            return []
        assert status == 200 and not one["missing"], one
        readings, after = readings + one["readings"], one.get("next")
    return readings


def stored(gateway, number, **file):
    """The readings of all pages, once the mote can be asked and has some."""
    return wait_until(lambda: everything_stored(gateway, number, **file), timeout=90, every=1)


def fetch(gateway, *options):
    """The command's result, once the gateway itself is not fetching and the mote answers."""
    def done():
        one = subprocess.run(
            [*java_command(), "fetch", "--gateway", gateway.http, "--data-dir", str(gateway.data_dir), *options],
            capture_output=True, text=True, timeout=120)
        return not re.search("is being asked already|does not answer", one.stderr) and one

    return wait_until(done, timeout=90, every=1)


def test_the_command_prints_the_readings_that_the_mote_sent(stores):
    wait_until(lambda: len(readings_sent(stores, 1)) >= 14, timeout=90)
    sent = [line.split() for line in readings_sent(stores, 1)]
    done = fetch(stores, "--mote", address(1))
    assert done.returncode == 0, done.stdout + done.stderr
    rows = list(csv.DictReader(done.stdout.splitlines()))
    fetched = {(row["sensor"], int(row["sequence"])) for row in rows}
    assert {(words[1], int(words[3])) for words in sent} <= fetched
    numbers = [row["sequence"] for row in rows if row["sequence"] != "0"]  # 0: measured before there was a route
    assert len(numbers) == len(set(numbers)) >= 14
    assert [row["time"] for row in rows] == sorted(row["time"] for row in rows)
    assert all(float(row["value"]) >= 0 for row in rows)
    assert not any(b"store" in psdu for psdu in psdus(stores.air))


def test_a_range_of_times_has_its_readings_only(stores):
    status, everything = page(stores, mote=address(1))
    assert status == 200 and everything["readings"] and not everything["missing"]
    moment = everything["readings"][6]["time"]
    status, some = page(stores, mote=address(1), **{"from": moment, "to": moment})
    assert status == 200
    assert [one["time"] for one in some["readings"]] == [moment] * len(some["readings"])
    assert len(some["readings"]) == sum(one["time"] == moment for one in everything["readings"])
    assert page(stores, mote=address(1), to="1999-01-01T00:00:00Z")[1]["readings"] == []


def test_mode_d_delivers_the_same_blocks_again_and_again(stores):
    wait_until(lambda: len(readings_sent(stores, 2)) >= 14, timeout=90)
    first, second = (page(stores, mote=address(2)) for _ in range(2))
    assert first[0] == second[0] == 200 and not first[1]["missing"] and not second[1]["missing"]
    assert len(first[1]["readings"]) >= 14
    assert second[1]["readings"][: len(first[1]["readings"])] == first[1]["readings"]


def stored_in(gateway, name):
    """The readings of a file of mote 3."""
    found, after = set(), 0
    while after is not None:
        status, one = page(gateway, mote=address(3), file=name, after=after)
        assert status == 200 and not one["missing"] and not one["corrupted"], one
        found |= {(reading["sensor"], reading["sequence"]) for reading in one["readings"]}
        after = one.get("next")
    return found


def test_each_file_of_a_mote_has_the_readings_of_its_sensors(stores):
    wait_until(lambda: len(readings_sent(stores, 3)) >= 15, timeout=90)
    sent = {(words[1], int(words[3])) for words in map(str.split, readings_sent(stores, 3))}
    files = {name: stored_in(stores, name) for name in ("", *NAMED)}
    assert {name: {sensor for sensor, _ in readings} for name, readings in files.items()} == {
        "": {"load"}, "alarms": {"memory"}, "slow": {"disk"}}
    assert sent <= set().union(*files.values())
    done = fetch(stores, "--file", "alarms", "--mote", address(3))
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert done.returncode == 0 and {row["sensor"] for row in rows} == {"memory"}, done.stdout + done.stderr
    unknown = fetch(stores, "--file", "other", "--mote", address(3))
    assert unknown.returncode == 1 and "no line `store=other` for it" in unknown.stderr, unknown.stderr


def first_entry(file, icv=0):
    """The content of the first entry of a file, without its commit octet."""
    return file.read_bytes()[FIRST_ENTRY : FIRST_ENTRY + ENTRY - 1 + icv]


def put_first_entry(file, entry):
    """Stores an entry as block 1, so that the mote finds it intact."""
    commit = {0xFF: 0xFE, 0: 1}.get(zlib.crc32(entry, 1) & 0xFF, zlib.crc32(entry, 1) & 0xFF)
    with open(file, "r+b") as out:
        out.seek(FIRST_ENTRY)
        out.write(entry + bytes([commit]))


def test_a_block_copied_into_another_file_is_refused(stores):
    unnamed, alarms, slow = (stores.folder / f"mote-3.{name}" for name in ("store", *NAMED))
    for name in NAMED:
        wait_until(lambda: max(one["block"] for one in page(stores, mote=address(3), file=name)[1]["readings"]) >= 3)
    block = first_entry(unnamed)[:64]
    put_first_entry(alarms, block + first_entry(alarms)[64:])  # mode B: the mote seals the block anew
    put_first_entry(slow, block + first_entry(slow, icv=12)[64:])  # mode D: it sends the stored ICV
    for name, sensor in NAMED.items():
        status, one = page(stores, mote=address(3), file=name)
        assert status == 200 and one["corrupted"] == [1] and not one["missing"], (name, one)
        assert {(reading["sensor"], reading["block"] > 1) for reading in one["readings"]} == {(sensor, True)}
    assert page(stores, mote=address(3))[1]["corrupted"] == [], "the file that the block belongs to still has it"


@only_with_all("a mote joins again")
def test_a_named_file_changes_its_key_alone(stores):
    file, second = stores.folder / "gateway.sa", next_key(3).replace("store ", "store=slow ")
    unnamed, before = stored(stores, 3), stored(stores, 3, file="slow")
    stores.motes[2].stop()
    file.write_text(file.read_text() + second)
    stores.motes[2] = stores.start(3, stores, second)
    stored(stores, 3, file="slow")
    done = fetch(stores, "--mote", address(3), "--file", "slow", "--rekey")
    assert done.returncode == 0 and "none is left under the previous key" in done.stdout, done.stdout + done.stderr
    file.write_text(file.read_text().replace(named_files().splitlines(keepends=True)[1], ""))
    after = stored(stores, 3, file="slow")
    assert after[: len(before)] == before, "the same blocks, under the new key alone"
    assert stored(stores, 3)[: len(unnamed)] == unnamed


def test_what_cannot_be_fetched_is_said_in_one_line(stores):
    reversed_range = fetch(stores, "--mote", address(1), "--from", "2026-01-02T00:00:00Z", "--to", "2026-01-01T00:00:00Z")
    assert reversed_range.returncode == 2 and reversed_range.stderr.count("\n") == 1, reversed_range.stderr
    empty = fetch(stores, "--mote", address(1), "--to", "1999-01-01T00:00:00Z")
    assert empty.returncode == 0 and empty.stdout.count("\n") == 1, "the header alone"
    assert empty.stderr == f"vigil: {address(1)} has stored nothing in this range\n", empty.stderr
    unknown = fetch(stores, "--mote", "fd00::5")
    assert unknown.returncode == 1 and not unknown.stdout and "no line `store`" in unknown.stderr, unknown.stderr
    assert page(stores, mote=address(1), **{"from": "2026-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z"})[0] == 400
    assert page(stores, mote=address(1), **{"from": "yesterday"})[0] == 400
    assert page(stores, mote="mote-1")[0] == 400


@only_with_all("a mote joins again")
def test_a_mote_reencrypts_stored_readings_under_a_new_key(stores):
    file, (first, second) = stores.folder / "gateway.sa", (associations(2, "gateway").splitlines()[2], next_key(2))
    before = stored(stores, 2)
    stores.motes[1].stop()
    file.write_text(file.read_text() + second)
    stores.motes[1] = stores.start(2, stores, second)
    both = stored(stores, 2)
    assert both[: len(before)] == before, "the blocks of the first key are still read"
    done = fetch(stores, "--mote", address(2), "--rekey")
    assert done.returncode == 0 and "none is left under the previous key" in done.stdout, done.stdout + done.stderr
    assert int(done.stdout.split(": ")[1].split()[0]) >= 3
    file.write_text(file.read_text().replace(first, ""))
    after = stored(stores, 2)
    assert after[: len(both)] == both, "the same blocks, under the new key alone"
    again = fetch(stores, "--mote", address(2), "--rekey", "--from", "2026-01-01T00:00:00Z")
    assert again.returncode == 2 and "--rekey is for all blocks" in again.stderr, again.stderr


def test_a_damaged_block_is_named_and_the_rest_delivered(stores):
    file = stores.folder / "mote-1.store"
    # A second attempt must not repair the block.
    intact = vars(stores).setdefault("intact", first_entry(file))
    with open(file, "r+b") as store:  # the mote reads what is there
        store.seek(FIRST_ENTRY)
        store.write(bytes([intact[0] ^ 1]))
    done = fetch(stores, "--mote", address(1))
    assert done.returncode == 3 and "block 1 is damaged" in done.stderr, done.stdout + done.stderr
    assert {row["block"] for row in csv.DictReader(done.stdout.splitlines())} >= {"2", "3"}


def test_another_key_is_distinguished_from_damaged_blocks(stores):
    file = stores.folder / "gateway.sa"
    file.write_text(file.read_text().replace(f" {key(104)}a0a1a2a3 ", f" {key(999)}a0a1a2a3 ").replace(key(105), key(998)))
    wait_until(lambda: page(stores, mote=address(1))[0] == 502, timeout=60, every=1)
    assert "line 3" in page(stores, mote=address(1))[1]["detail"]


def stored_times(file):
    """The times of committed blocks in the first segment."""
    octets = file.read_bytes()[FIRST_ENTRY:SEGMENT] if file.exists() else b""
    entries = [octets[at : at + ENTRY] for at in range(0, len(octets) - ENTRY + 1, ENTRY)]
    return [int.from_bytes(entry[-5:-1]) for entry in entries if entry[-1] != 0xFF]


def test_a_reading_without_a_mirror_survives_the_loss_of_power(tmp_path):
    own = private(tmp_path / "mote.sa", associations(9, "mote"))
    file = tmp_path / "mote.store"
    one = Process(MOTE, "--ep", "mote-9", "--mesh", "--zep", f"127.0.0.1:{free_port()}", "--mirror", f"coap://[{GATEWAY}]",
                  "--state", str(tmp_path / "mote.state"), "--sa", own, "--new-sa", "--store", str(file),
                  "--sensor", "load", "--wake", "1")
    wait_until(lambda: len(stored_times(file)) >= 3)
    before = stored_times(file)
    one.stop(signal.SIGKILL)
    times = stored_times(file)
    assert times[: len(before)] == before and times == sorted(times), "a block for each reading"


def history(gateway, endpoint, path):
    return json.loads(gateway.get(f"/api/endpoints/{endpoint}/resources/{path}/history?limit=1000")[2])["values"]


def second(moment):
    return moment[:19]


def now():
    return second(datetime.datetime.now(datetime.UTC).isoformat())


@only_with_all("a mote waits long")
def test_a_killed_gateway_recovers_missed_readings(stores, tmp_path):
    file, damaged = stores.folder / "gateway.sa", 1
    endpoint = next(e["id"] for e in json.loads(stores.get("/api/endpoints")[2])["endpoints"] if e["ep"] == "mote-1")
    keys = next_key(2), named_files(), next_key(3).replace("store ", "store=slow ")  # of the tests before
    file.write_text("".join([*(associations(number, "gateway") for number in MODES), *keys]))
    one = stores.motes[0]
    before = len(one.lines)
    stores.stop(signal.SIGKILL)
    killed = now()
    # A busy gateway may have left a request unanswered earlier.
    wait_until(lambda: any(re.search(r"lost the route to the root|did not answer", line) for line in one.lines[before:]), timeout=120)
    kept = len(one.lines)
    with contextlib.ExitStack() as stack:
        again = stores.again()
        stack.callback(again.stop)
        again.ready()
        wait_until(lambda: any(line.startswith("sent ") for line in one.lines[kept:]), timeout=120)
        back, state = now(), {}

        def complete():
            """everything that the mote has stored is in the histories, signed or recovered"""
            values = {path: history(again, endpoint, path) for path in ("load", "memory")}
            if not any(one["provenance"] == "recovered" for one in values["load"]):
                return False  # asking the mote now would prevent the gateway from fetching
            stored = everything_stored(again, 1)
            has = {
                (path, kind): {one["seq"] & 0xFFFF if kind == "signed" else second(one["measuredAt"])
                               for one in values[path] if one["provenance"] == kind}
                for path in values for kind in ("signed", "recovered")
            }
            lacking = [
                one for one in stored
                if one["block"] != damaged and killed < second(one["time"]) < back
                and one["sequence"] not in has[one["sensor"], "signed"]
                and second(one["time"]) not in has[one["sensor"], "recovered"]
            ]
            state.update(lacking=lacking, stored=len(stored), recovered=len(has["load", "recovered"]))
            return has["load", "recovered"] and stored and not lacking

        try:
            wait_until(complete, timeout=90, every=2)
        except AssertionError:
            raise AssertionError(f"from {killed} to {back}: {state}\n{again.tail()}\n{one.tail()}") from None
        archive = tmp_path / "archive.jsonl"
        archive.write_bytes(again.get(f"/api/endpoints/{endpoint}/export")[2])
        said = subprocess.run([*java_command(), "verify", str(archive)], capture_output=True, text=True, timeout=60)
        assert said.returncode == 0 and "recovered from a mote's block store: not signed" in said.stdout, said.stdout
