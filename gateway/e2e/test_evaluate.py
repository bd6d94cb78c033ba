"""The papers' tables as a user creates them: only tables that need no emulator."""

import collections
import json
import subprocess

import pytest
from processes import REPOSITORY, compiled, only_with_all
from test_starting_and_stopping import VIGIL

COMPILED = REPOSITORY / "gateway/bench/target/classes/dev/vigil/gateway/evaluate"


# Conditions that do not hold, by table; docs/evaluation.md gives the reasons.
SHORT = {
    "raza-1": 4,
    "thesis-39": 1,
    "bagci-tmote": 10,
    "bagci-energy": 5,
    "dtls-size": 2,
    "sethi-2": 1,
    "sethi-atmega": 2,
}


def evaluate(*options, timeout=300):
    if not compiled(COMPILED):
        pytest.skip(f"the experiments were not compiled here: {COMPILED} is missing")
    return subprocess.run([VIGIL, "evaluate", *options], capture_output=True, text=True, timeout=timeout)


def test_every_condition_of_the_quick_tables_holds(tmp_path):
    done = evaluate("--quick", "--strict", "--output", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    rows = json.loads((tmp_path / "evaluation.json").read_text())
    assert {row["table"] for row in rows} >= {"raza-2", "bagci-3", "alharby-5", "alharby-6", "alharby-7", "sethi-energy"}
    for row in rows:
        assert set(row) == {"table", "row", "theirs", "ours", "unit", "must", "met", "how"}
        assert (row["met"] is None) is (row["must"] == "")
    report = (tmp_path / "evaluation.md").read_text()
    assert "## raza-2" in report and "(alharby-5.svg)" in report
    assert (tmp_path / "alharby-5.svg").read_text().startswith("<svg")
    assert "AH, compressed" in done.stdout


@only_with_all("builds images for an emulator")
def test_the_document_names_every_condition_that_does_not_hold(tmp_path):
    """A run repeats its figures exactly: instructions and octets are counted, and each network has three seeds."""
    done = evaluate("--output", str(tmp_path), timeout=1800)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = json.loads((tmp_path / "evaluation.json").read_text())
    assert collections.Counter(row["table"] for row in rows if row["met"] is False) == SHORT
    document = (REPOSITORY / "docs/evaluation.md").read_text()
    for table in SHORT:
        assert any("**short**" in line for line in document.splitlines() if line.startswith(f"| {table}")), table


def test_an_unknown_table_is_refused_with_the_list():
    done = evaluate("--only", "nobody")
    assert done.returncode == 2
    assert 'there is no table "nobody"' in done.stderr and "raza-2" in done.stderr
