"""Alarms from an operator's view: a mote falls silent, returns, measures too high a value; the gateway restarts in
between."""

import json
import pathlib
import signal
import urllib.error
import urllib.request

import pytest
from processes import Gateway, mote, wait_until


PATH = "load"


class Site:
    """A gateway that can restart, and its only mote."""

    def __init__(self, folder):
        self.folder = folder
        self.gateway = self.mote = None

    def start(self):
        self.gateway = Gateway(self.folder / "data", "--demo", "--coap-port", "0", "--http-port", "0",
                               "--zep-port", "0")
        self.gateway.ready()

    def wake(self):
        # It is missing after three intervals, which must be longer than a pause of a busy machine.
        self.mote = mote("mote-1", self.gateway, self.folder / "mote-1.state", wake=5)
        self.mote.expect(r"sent .*2\.0[14]", timeout=60)

    def stop(self):
        for process in (self.mote, self.gateway):
            if process:
                process.stop()

    def ask(self, method, path, body=None):
        token = pathlib.Path(self.gateway.data_dir, "operator.token").read_text().strip()
        request = urllib.request.Request(
            self.gateway.http + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": "Bearer " + token, "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.loads(answer.read() or "null")
        except urllib.error.HTTPError as refused:
            raise AssertionError(f"{method} {path}: {refused.code} {refused.read()}") from None

    def alarms(self, query):
        return self.ask("GET", "/api/alarms?ep=mote-1&" + query)["alarms"]

    def alarm(self, query):
        return wait_until(lambda: self.alarms(query), timeout=60)[0]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    one = Site(tmp_path_factory.mktemp("alarms"))
    try:
        one.start()
        one.wake()
        yield one
    finally:
        one.stop()


def test_a_value_over_its_limit_is_an_alarm(site):
    rule = {"kind": "value", "severity": "critical", "ep": "mote-*", "path": PATH, "above": -100, "unit": "/"}
    site.ask("PUT", "/api/alarm-rules/hot", rule)
    alarm = site.alarm("state=active&kind=value")
    assert alarm["part"] == PATH and "above -100" in alarm["text"]
    site.ask("PUT", "/api/alarm-rules/hot", rule | {"above": 1000})
    assert site.alarm("state=cleared&kind=value")["id"] == alarm["id"]


def test_an_acknowledged_alarm_survives_a_restart(site):
    site.mote.stop(signal.SIGKILL)
    alarm = site.alarm("state=active&kind=missing")
    reported = f"alarm: missing: {alarm['text']}"
    wait_until(lambda: any(reported in line for line in site.gateway.lines))
    site.ask("POST", f"/api/alarms/{alarm['id']}/acknowledge", {"note": "battery is on its way"})

    site.gateway.stop()
    site.start()
    after = site.alarm("state=open&kind=missing")
    assert (after["id"], after["state"], after["count"]) == (alarm["id"], "acknowledged", 1)
    assert after["acknowledged"]["note"] == "battery is on its way"
    assert len(site.alarms("kind=missing")) == 1
    assert not any("alarm: missing" in line for line in site.gateway.lines), "it is not reported again"

    site.wake()
    cleared = site.alarm("state=cleared&kind=missing")
    assert cleared["id"] == alarm["id"] and cleared["acknowledged"]["by"] == "account:operator"
