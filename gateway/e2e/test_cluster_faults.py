"""Faults happen to a cluster of three servers and two gateways under load. Clients record what they were answered, and
faults/checks.go checks that nothing acknowledged is lost, and no replay is accepted. The servers are unmodified, except
that some faults step their clocks (server_clock.py).

`./vigil test --all` plays a round of each fault. A round can be repeated, with another seed too:

    CLUSTER_FAULT_ROUNDS='kill_leader:7 cut_gateway:3' ./vigil test test_cluster_faults.py
"""

import json
import os
import random
import subprocess
import threading
import time

import cluster_site
import pytest
from cluster_faults import FAULTS
from cluster_history import EFFECTIVE_NANOS
from cluster_site import NAMES, Site
from processes import ALL, wait_until

WHY_NOT = cluster_site.why_no_program()
pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)


def rounds():
    named = os.environ.get("CLUSTER_FAULT_ROUNDS", "").split()
    if named:
        return [(name, int(seed)) for name, _, seed in (one.partition(":") for one in named)]
    if ALL:
        return [(name, seed) for seed, name in enumerate(FAULTS, 1)]
    return [pytest.param(None, None, marks=pytest.mark.skip(reason="only with ./vigil test --all: plays rounds of faults"))]


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return cluster_site.build(tmp_path_factory.mktemp("program"))


@pytest.mark.parametrize("name, seed", rounds())
def test_nothing_acknowledged_is_lost(name, seed, program, tmp_path, capsys):
    fault = FAULTS[name]
    if fault.missing:
        pytest.skip(f"{fault.missing} is missing")
    site = Site(tmp_path, program, seed, fault.small, fault.settings(tmp_path))
    try:
        said = play(site, fault, seed, program, tmp_path / "history.json")
        with capsys.disabled():
            print(f"\n{said}")
    except BaseException:
        kept = site.keep(f"{name}-{seed}")
        print(f"repeat with: CLUSTER_FAULT_ROUNDS='{name}:{seed}' ./vigil test test_cluster_faults.py\nhistory and logs: {kept}")
        raise
    finally:
        site.clients.stop()
        site.stop()


def play(site, fault, seed, program, file):
    """Plays a round and checks its history; returns one line of figures."""
    clients = site.clients
    clients.register()
    clients.start()
    site.pause(2, 4)
    began = time.monotonic_ns()
    revoking = Revoking(clients, clients.victims[0], site.random.choice(NAMES))
    steps = fault.run(site)
    next(steps)
    over = time.monotonic_ns()
    recovered = site.await_recovery(over)
    for _ in steps:
        raise AssertionError("a fault has one yield")
    again = site.await_recovery(time.monotonic_ns())
    revoking.effective(again)
    later = [Revoking(clients, victim, at) for victim, at in zip(clients.victims[1:], NAMES)]
    for one in later:
        one.effective()
        assert one.record["outcome"] == "ok", "nothing disturbs this revocation"
    clients.revoke_a_token(*site.random.sample(NAMES, 2))

    def refused():
        """each gateway refuses the motes whose keys are revoked"""
        return all(one.is_shown() for one in (revoking, *later))

    wait_until(refused)
    clients.stop()
    wait_until(clients.are_equal, timeout=60)
    clients.replay(site.random)
    clients.record_ends()
    ended = set().union(*(gateway.ended for gateway in site.gateways.values()))
    clients.history.write(file, ended)
    checked = subprocess.run([program, "check", file], capture_output=True, text=True, timeout=120)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    unexpected = [end for gateway in site.gateways.values() for end in gateway.unexpected]
    assert fault.ends or not unexpected, unexpected
    failed = [start for gateway in site.gateways.values() for start in gateway.failed_starts]
    assert fault.refused or not failed, failed
    accepted = [began, *(one for one in clients.history.accepted() if began < one <= again)]
    gap = max(later - earlier for earlier, later in zip(accepted, accepted[1:]))
    return (f"{fault.name}, seed {seed}: no update accepted for {gap / 1e9:.1f} s; both gateways accept updates "
            f"{(recovered - over) / 1e9:.1f} s after the fault; gateways ended {len(unexpected)} times, and {len(failed)} starts failed; "
            f"{checked.stdout.strip()}, {clients.history.unknown()} unknown; load {os.getloadavg()[0]:.0f}")


class Revoking(threading.Thread):
    """Revokes a key while faults may delay the answer."""

    def __init__(self, clients, victim, at):
        super().__init__()
        self.clients, self.victim, self.at = clients, victim, at
        self.start()

    def run(self):
        self.record = self.clients.revoke(self.victim, self.at)

    def effective(self, since=0):
        """Requires that the revocation is effective one second after it was acknowledged, and after a time."""
        self.join()
        if self.record["outcome"] == "ok":
            self.record["effective"] = max(self.record["return"], since) + EFFECTIVE_NANOS

    def is_shown(self):
        """Whether each gateway has shown it after that. The checker rejects records that do not show it then."""
        effective = self.record["effective"]
        return not effective or self.clients.history.showing(self.victim.revocation, effective) == set(NAMES)


# ---- the checker itself ---------------------------------------------------------------------------------------------------


def put(n, v="x", at="a", call=0, took=1, outcome="ok", kind="put", **more):
    return {"kind": kind, "key": "m", "at": at, "n": n, "v": v, "call": call, "return": call + took, "outcome": outcome, **more}


def read(n, v="x", at="a", call=0, **more):
    return put(n, v, at, call, kind="read", **more)


def end(*values, at="a"):
    return {"kind": "end", "key": "m", "at": at, "values": [{"n": n, "v": v} for n, v in values]}


RIGHT = {
    "an update is read and stays": [put(1), read(1, call=5), end((1, "x")), end((1, "x"), at="b")],
    "a repetition of the newest message": [put(1), put(1, at="b", call=5), end((1, "x"))],
    "a replica that is behind": [put(1), put(2, "y", call=5), read(1, at="b", call=9), read(2, "y", at="b", call=11)],
    "an unknown update that was stored": [put(1, outcome="unknown"), read(1, call=5), end((1, "x"))],
    "an unknown update that was never stored": [put(1, outcome="unknown"), put(1, "y", call=5), end((1, "y"))],
    "an unknown update that came late": [put(2, outcome="unknown"), put(1, "y", call=5), put(2, call=9), end((1, "y"), (2, "x"))],
    "an update that is acknowledged when others have overtaken it": [
        put(1, at="b", outcome="unknown"), put(2, "y", call=5), put(1, at="b", call=9), end((1, "x"), (2, "y"))],
    "an old replica's highest number": [put(2), put(1, "y", "b", call=5, outcome="used", seen=1)],
    "a used number": [put(2), put(1, "y", call=5, outcome="used", seen=2)],
    "rivals of which one wins": [put(1, took=9), put(1, "y", "b", took=9, outcome="used", seen=1)],
    "a registration renews": [put(1, kind="raise"), put(2, "y", call=5), put(1, kind="raise", call=9)],
    "a refused update": [put(1, outcome="refused"), put(1, "y", call=5), end((1, "y"))],
    "the newest message again": [put(1), put(2, "y", call=5), end((1, "x"), (2, "y")), put(2, "y", kind="replay")],
    "a revocation in time": [put(1, effective=50), read(0, "", "b", call=20), read(1, at="b", call=60)],
}
WRONG = {
    "a lost update": ([put(1), end()], "has lost"),
    "an update that one gateway lost": ([put(1), end((1, "x")), end(at="b")], "different values"),
    "an update that was shown and lost": ([put(1, outcome="unknown"), read(1, call=5), end()], "has lost"),
    "one number for two updates": ([put(1), put(1, "y", "b", call=5)], "not linearisable"),
    "one number twice in a history": ([put(1), end((1, "x"), (1, "x"))], "after"),
    "two values of rivals": ([put(1, took=9), put(1, "y", "b", took=9), end((1, "x"), (1, "y"))], "not linearisable"),
    "a number below the highest": ([put(2), put(1, "y", "b", call=5)], "not linearisable"),
    "a highest number that fell": ([put(2), put(1, "y", call=5, outcome="used", seen=1)], "as the highest number"),
    "a repetition that comes before its first answer": (
        [put(2, "y"), put(1, call=5, outcome="unknown"), put(1, "x", "b", call=9)], "not linearisable"),
    "a number that was never used": ([put(2, "y", outcome="used", seen=2)], "not linearisable"),
    "a fresh number refused": ([put(1), put(3, "y", call=5, outcome="used", seen=1)], "not linearisable"),
    "a registration with a used number": ([put(2), put(1, kind="raise", call=5)], "not linearisable"),
    "an old value after a newer one": ([put(1), put(2, "y", call=5), read(2, "y", "b", call=9), read(1, at="b", call=11)], "s after"),
    "an old value after its own answer": ([put(1), put(2, "y", call=5), read(1, call=9)], "s after"),
    "a value that nobody sent": ([put(1), read(1, "y", call=5)], "nobody had sent"),
    "a value before it was sent": ([read(1), put(1, call=5)], "nobody had sent"),
    "a stored value that nobody sent": ([put(1), end((1, "x"), (2, "y"))], "nobody sent"),
    "a refused update that was stored": ([put(1, outcome="refused"), end((1, "x"))], "which was refused"),
    "an accepted replay": ([put(1), put(2, "y", call=5), end((1, "x"), (2, "y")), put(1, kind="replay")], "replay was accepted"),
    "a late revocation": ([put(1, effective=50), read(0, "", "b", call=60)], "s after"),
}


def checked(program, folder, records):
    file = folder / "history.json"
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    done = subprocess.run([program, "check", file], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("what", RIGHT)
def test_the_checker_accepts(what, program, tmp_path):
    assert checked(program, tmp_path, RIGHT[what])[0] == 0, checked(program, tmp_path, RIGHT[what])


@pytest.mark.parametrize("what", WRONG)
def test_the_checker_finds(what, program, tmp_path):
    records, words = WRONG[what]
    code, said = checked(program, tmp_path, records)
    assert code == 1 and words in said, (code, said)


def test_the_checker_decides_long_histories_with_unknown_outcomes(program, tmp_path):
    source, sent = random.Random(7), []
    for number in range(1, 2000):
        outcome = source.choice(["ok"] * 9 + ["unknown"])
        sent.append(put(number, str(number), source.choice(NAMES), 10 * number, 5, outcome))
    stored = [(one["n"], one["v"]) for one in sent if one["outcome"] == "ok" or source.random() < 0.5]
    assert checked(program, tmp_path, [*sent, *(end(*stored, at=at) for at in NAMES)])[0] == 0
    lost = next((one["n"], one["v"]) for one in sent if one["outcome"] == "ok")
    fewer = [one for one in stored if one != lost]
    code, said = checked(program, tmp_path, [*sent, *(end(*fewer, at=at) for at in NAMES)])
    assert code == 1 and "has lost" in said
