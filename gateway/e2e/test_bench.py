"""The bench as a user calls it, with its cheapest figures only; a busy machine may distort the values."""

import json
import os
import subprocess

import pytest
from processes import REPOSITORY, UNOPTIMISED_VARIABLE, compiled
from test_starting_and_stopping import VIGIL

LIBRARIES = REPOSITORY / "gateway/bench/target/classes/dev/vigil/gateway/bench"


def bench(*options, **variables):
    if not compiled(LIBRARIES):
        pytest.skip(f"the benches were not compiled here: {LIBRARIES} is missing")
    return subprocess.run([VIGIL, "bench", *options], env=os.environ | variables, capture_output=True, text=True, timeout=300)


def test_a_figure_is_a_line_and_an_entry_of_the_json(tmp_path):
    done = bench("--quick", "--only", "bridge.codec_ns", "--json", str(tmp_path / "bench.json"))
    assert done.returncode == 0, done.stderr
    lines = [line.split(maxsplit=6) for line in done.stdout.splitlines()]
    report = json.loads((tmp_path / "bench.json").read_text())
    assert [line[0] for line in lines] == list(report) == ["bridge.codec_ns", "bridge.codec_ns.esp"]
    for name, value, unit, reference, ratio, target, met in lines:
        entry = report[name]
        assert entry["value"] > 0 and entry["unit"] == unit == "ns" and (reference, ratio) == ("-", "-")
        assert entry["reference"] is None and entry["ratio"] is None and entry["target"] == target == "<=600"
        assert entry["met"] is (met == "met") and len(entry["rounds"]) >= 3


def test_an_unknown_figure_is_refused_with_the_list():
    done = bench("--only", "bridge.codecs", **UNOPTIMISED_VARIABLE)
    assert done.returncode == 2 and not done.stdout
    assert '"bridge.codecs"' in done.stderr and "bridge.codec_ns, " in done.stderr and "boot.ready_ms" in done.stderr


def test_growth_has_its_own_figures():
    done = bench("--growth", "--only", "boot.ready_ms", **UNOPTIMISED_VARIABLE)
    assert done.returncode == 2 and not done.stdout
    assert '"boot.ready_ms"' in done.stderr and "restart.recover" in done.stderr and "gc.pause_ms" in done.stderr
