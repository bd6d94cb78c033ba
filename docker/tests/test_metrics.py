"""Tests the alert rules with Prometheus' promtool, and the dashboards with Grafana's foundation SDK."""

import json
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from grafana_foundation_sdk.models.dashboard import Dashboard

HERE = pathlib.Path(__file__).resolve().parent
METRICS = HERE.parent / "metrics"
DASHBOARDS = METRICS / "grafana" / "dashboards"
DOCUMENTED = set(re.findall(r"`(vigil_\w+)`", (HERE.parents[1] / "docs/metrics.md").read_text()))
needs_promtool = pytest.mark.skipif(not shutil.which("promtool"), reason="needs promtool (Debian: prometheus)")


def promtool(*words):
    done = subprocess.run(["promtool", *words], capture_output=True, text=True, cwd=HERE, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def names(text):
    """Our metrics in an expression, under the names of the document."""
    return {re.sub(r"(_seconds)_(sum|count)$", r"\1", name) for name in re.findall(r"\bvigil_\w+", text)}


@needs_promtool
def test_promtool_accepts_the_configuration_and_the_rules():
    promtool("check", "config", "--syntax-only", str(METRICS / "prometheus.yaml"))
    assert "SUCCESS" in promtool("check", "rules", str(METRICS / "rules" / "vigil.yaml"))


@needs_promtool
def test_every_alert_fires_when_it_should_and_not_before():
    assert "SUCCESS" in promtool("test", "rules", "rules-test.yaml")
    alerts = set(re.findall(r"- alert: (\w+)", (METRICS / "rules" / "vigil.yaml").read_text()))
    tests = (HERE / "rules-test.yaml").read_text()
    assert alerts == set(re.findall(r"alertname: (\w+)\n +exp_alerts", tests)), "each fires in a test"
    assert alerts == set(re.findall(r"alertname: (\w+)}", tests)), "each is quiet in a test"


def test_rules_and_dashboards_use_documented_metrics():
    for file in (METRICS / "rules" / "vigil.yaml", *DASHBOARDS.glob("*.json")):
        text = file.read_text()
        used = names("\n".join(re.findall(r'"expr": "(.*)"', text)) if file.suffix == ".json" else text)
        assert used and used <= DOCUMENTED, file


def test_the_dashboards_match_the_generator(tmp_path):
    subprocess.run([sys.executable, str(METRICS / "dashboards.py"), str(tmp_path)], check=True, timeout=60)
    made = {file.name: file.read_text() for file in tmp_path.iterdir()}
    assert len(made) == 3
    assert made == {file.name: file.read_text() for file in DASHBOARDS.iterdir()}, "run docker/metrics/dashboards.py"


def test_grafana_s_sdk_reads_the_dashboards():
    source = re.search(r"uid: (\w+)", (METRICS / "grafana/datasources/prometheus.yaml").read_text())[1]
    for file in DASHBOARDS.glob("*.json"):
        read = Dashboard.from_json(json.loads(file.read_text()))
        panels = [panel for panel in read.panels if panel.type_val != "row"]
        assert len(panels) >= 10, file
        assert {panel.datasource.uid for panel in panels} == {source}
        assert all(panel.targets and panel.title and panel.description for panel in panels)
