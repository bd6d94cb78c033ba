"""A Prometheus on loopback reads a running gateway and evaluates every query of every dashboard."""

import json
import re
import shutil
import urllib.error
import urllib.parse
import urllib.request

import pytest
from processes import REPOSITORY, Process, free_port, wait_until

METRICS = REPOSITORY / "docker" / "metrics"
DASHBOARDS = sorted((METRICS / "grafana" / "dashboards").glob("*.json"))


def panels(board):
    """Title, query and legend of every query; the panels of a row that is closed are below it."""
    for panel in json.loads(board.read_text())["panels"]:
        for one in [panel, *panel.get("panels", [])]:
            assert one["type"] == "row" or one["targets"], one["title"]
            for target in one.get("targets", []):
                yield one["title"], target["expr"], target.get("legendFormat", "")


class Prometheus(Process):
    def __init__(self, folder, target):
        """The configuration of docker/metrics, with other addresses, files and intervals."""
        text = (METRICS / "prometheus.yaml").read_text()
        text = text.replace("127.0.0.1:8080", target).replace("/etc/prometheus/rules", str(METRICS / "rules"))
        text = re.sub(r"scrape_interval: \w+", "scrape_interval: 1s\n  evaluation_interval: 1s", text)
        text = text[: text.index("alerting:")] + text[text.index("rule_files:"):]
        (folder / "prometheus.yaml").write_text(text)
        self.address = f"127.0.0.1:{free_port()}"
        super().__init__(
            "prometheus", f"--config.file={folder / 'prometheus.yaml'}", f"--storage.tsdb.path={folder / 'data'}",
            f"--web.listen-address={self.address}", "--log.level=warn",
        )

    def ask(self, path, **query):
        address = f"http://{self.address}/api/v1/{path}?{urllib.parse.urlencode(query)}"
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as refused:
            if refused.code == 503:
                return None  # it is loading its stored data
            raise AssertionError(f"{query}: {refused.read().decode()}") from None
        except urllib.error.URLError:
            return None  # it is still starting

    def value(self, expr):
        reported = self.ask("query", query=expr)
        return float(reported["result"][0]["value"][1]) if reported and reported["result"] else 0


@pytest.fixture(scope="module")
def prometheus(network, tmp_path_factory):
    if not shutil.which("prometheus"):
        pytest.skip("needs Prometheus (Debian: prometheus)")
    one = Prometheus(tmp_path_factory.mktemp("prometheus"), network.http.removeprefix("http://"))
    try:
        # A rate needs samples before and after some of the motes' updates.
        wait_until(lambda: one.value('delta(vigil_mirror_accepted_total{kind="update"}[1m])') > 0, timeout=60)
        yield one
    finally:
        one.stop()


@pytest.mark.parametrize("board", DASHBOARDS, ids=lambda file: file.stem)
def test_no_panel_of_a_dashboard_is_empty(prometheus, board):
    asked = 0
    for title, expr, legend in panels(board):
        concrete = expr.replace("$__rate_interval", "1m").replace("$instance", ".*")
        assert "$" not in concrete, f"{title}: {expr}"

        def rows(query=concrete):
            return [row for row in prometheus.ask("query", query=query)["result"] if row["value"][1] != "NaN"]

        rows.__doc__ = f"{title}: {concrete}"
        # Some series begin with the first scrape after an event.
        found = wait_until(rows, timeout=30)
        named = set(re.findall(r"{{(\w+)}}", legend))
        assert all(named <= set(row["metric"]) for row in found), f"{title}: {legend} names a label that is not there"
        asked += 1
    assert asked >= 10


@pytest.mark.parametrize("board", DASHBOARDS, ids=lambda file: file.stem)
def test_a_dashboard_finds_the_gateways_to_choose_from(prometheus, board):
    [variable] = json.loads(board.read_text())["templating"]["list"]
    series, label = re.fullmatch(r"label_values\((\w+), (\w+)\)", variable["query"]).groups()
    assert variable["name"] == "instance" and prometheus.ask(f"label/{label}/values", **{"match[]": series})


def test_every_rule_is_evaluated_and_none_fires(prometheus):
    def rules():
        return [rule for group in prometheus.ask("rules")["groups"] for rule in group["rules"]]

    wait_until(lambda: all(rule["health"] == "ok" for rule in rules()), timeout=30)
    assert len(rules()) >= 10
    assert not [rule["name"] for rule in rules() if rule["state"] == "firing"]
