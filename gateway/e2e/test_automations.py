"""An automation reads a mote's signed values. When one crosses the limit, the gateway signs a command, which the mote
verifies, carries out and confirms, and sends an event to a webhook and a message to Debian's mosquitto.
"""

import json
import signal
import urllib.error
import urllib.request

import paho.mqtt.client as mqtt
import pytest
from jwcrypto import jwk
from processes import MOTE, Gateway, Process, free_port, free_ports, wait_until
from test_northbound import MOSQUITTO, Shop

SETTINGS = """vigil:
  domains:
    lab: {trust: first-use, commanders: ['%s']}
  automations: {commander-key: %s}
  northbound:
    mqtt:
      home: {url: 'mqtt://127.0.0.1:%d'}
    webhook:
      shop: {url: '%s', secret-file: %s, events: [alarm]}
"""
FAN = {
    "name": "Fan",
    "d": "lab",
    "conditions": [{"kind": "value", "ep": "hall", "path": "temp", "above": 30, "hysteresis": 2}],
    "cooldownSeconds": 0,
    "actions": [
        {"kind": "command", "ep": "hall", "path": "led", "value": 1},
        {"kind": "webhook", "destination": "shop", "text": "Hall too hot"},
        {"kind": "mqtt", "destination": "home", "topic": "hall/fan", "payload": "ON"},
    ],
}


class Site:
    def __init__(self, folder):
        self.folder, self.ports = folder, free_ports(2)
        key = jwk.JWK.generate(kty="EC", crv="P-256")
        self.public = folder / "commander.jwk"
        self.public.write_text(key.export_public())
        private = self.secret("automations.jwk", key.export_private())
        secret = self.secret("secret", "the secret of the shop\n")
        self.port = free_port()
        mosquitto = folder / "mosquitto.conf"
        mosquitto.write_text(f"user root\nlistener {self.port} 127.0.0.1\nallow_anonymous true\n")
        self.broker = Process(MOSQUITTO, "-c", str(mosquitto))
        self.broker.expect(r"mosquitto version .* running")
        self.shop = Shop(b"the secret of the shop")
        self.messages = []
        self.reader = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self.reader.on_connect = lambda client, *_: client.subscribe("hall/#", qos=1)
        self.reader.on_message = lambda client, data, message: self.messages.append(message.payload.decode())
        self.reader.connect("127.0.0.1", self.port)
        self.reader.loop_start()
        self.config = folder / "site.yaml"
        self.config.write_text(SETTINGS % (key.export_public(), private, self.port, self.shop.url, secret))
        self.readings = folder / "hall.csv"
        self.gateway = self.mote = None

    def secret(self, name, text):
        file = self.folder / name
        file.touch(0o600)
        file.write_text(text)
        return file

    def start(self):
        coap, http = map(str, self.ports)
        self.gateway = Gateway(self.folder / "data", "--demo", "--coap-port", coap, "--coaps-port", "0", "--http-port", http,
                               "--zep-port", "0", "--config", str(self.config)).ready()

    def restart(self):
        """The gateway ends without warning and starts again at the same addresses."""
        self.gateway.stop(signal.SIGKILL)
        self.start()

    def measure(self, value):
        """The mote reads the file again for each value."""
        if self.mote is None:
            self.readings.write_text(f"time,temp (Cel)\n0,{value:5.2f}\n")
            self.start_mote()
        else:
            with self.readings.open("r+") as file:
                file.write(f"time,temp (Cel)\n0,{value:5.2f}\n")
        # A mote pauses for up to a minute after failures, for example while the gateway started again.
        wait_until(lambda: self.value("temp") == value, timeout=180)

    def start_mote(self):
        self.mote = Process(
            MOTE, "--ep", "hall", "--domain", "lab", "--mirror", self.gateway.coap, "--wake", "0.2", "--sensor",
            f"csv:{self.readings}", "--actuator", "led", "--commander", str(self.public), "--state",
            str(self.folder / "hall.state"))
        self.base = self.mote.expect(r"registered at (/ms/\S+)").group(1)

    def value(self, path):
        status, _, body = self.gateway.get(f"{self.base}/{path}", "application/senml+json")
        return json.loads(body)[0]["v"] if status == 200 else None

    def ask(self, method, path, body=None):
        """(status, JSON)."""
        token = (self.folder / "data/operator.token").read_text().strip()
        request = urllib.request.Request(
            self.gateway.http + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": "Bearer " + token, "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.loads(answer.read() or "null")
        except urllib.error.HTTPError as refused:
            return refused.code, json.loads(refused.read())

    def runs(self):
        return self.ask("GET", "/api/automations/fan/runs")[1]["runs"]

    def state(self):
        return self.ask("GET", "/api/automations/fan")[1]["status"]["state"]

    def events(self):
        return [event["data"] for event in list(self.shop.events) if event["type"] == "dev.vigil.automation"]

    def stop(self):
        for process in (self.mote, self.gateway):
            if process is not None:
                process.stop()
        self.reader.disconnect()
        self.reader.loop_stop()
        self.broker.stop()
        self.shop.stop()


@pytest.fixture
def site(tmp_path):
    one = Site(tmp_path)
    try:
        one.start()
        yield one
    finally:
        one.stop()


def test_a_value_above_the_limit_acts_once(site):
    site.measure(20)
    wait_until(lambda: site.value("led") == 0)
    wrong = {**FAN, "actions": [{"kind": "mqtt", "destination": "home", "topic": "vigil/lab/hall/command/led"}]}
    status, problem = site.ask("PUT", "/api/automations/fan", wrong)
    assert (status, problem["detail"]) == (400, "actions[0].topic: only the gateway itself publishes below this level")
    status, answer = site.ask("PUT", "/api/automations/fan", FAN)
    assert status == 200, answer

    site.measure(31.5)
    site.mote.expect(r"^led = 1$")
    wait_until(lambda: site.value("led") == 1)

    def confirmed():
        """the run's command is confirmed"""
        runs = site.runs()
        return runs and runs[0]["results"][0].get("commandState") == "confirmed" and runs

    [run] = wait_until(confirmed)
    assert run["text"] == "temp of hall is 31.5 Cel"
    assert [result["outcome"] for result in run["results"]] == ["done", "done", "done"]
    wait_until(lambda: site.messages == ["ON"])
    [event] = wait_until(site.events)
    assert (event["automation"], event["run"], event["text"]) == ("fan", 1, "Hall too hot: temp of hall is 31.5 Cel")

    # Neither further values above the limit nor a crash of the gateway repeat the actions.
    wait_until(lambda: site.state() == "acted")
    site.restart()
    site.measure(33)
    wait_until(lambda: site.state() == "acted")
    assert len(site.runs()) == 1
    # Within the hysteresis it does not act again, below it does.
    site.measure(29)
    site.measure(32)
    assert len(site.runs()) == 1
    site.measure(20)
    wait_until(lambda: site.state() == "waiting")
    site.measure(31)
    wait_until(lambda: len(site.events()) == 2)
    assert [run["number"] for run in site.runs()] == [2, 1]
    wait_until(lambda: site.messages == ["ON", "ON"])

    # A dry run with the same values finds the same two times, and sends nothing.
    status, dry = site.ask("POST", "/api/automations/dry-run", {"automation": FAN, "days": 1})
    assert (status, dry["count"], [one["source"] for one in dry["sources"]]) == (200, 2, ["values"])
    assert len(site.events()) == 2


def test_an_action_is_sent_when_its_receiver_returns(site):
    site.measure(20)
    body = {**FAN, "actions": FAN["actions"][1:2]}
    assert site.ask("PUT", "/api/automations/fan", body)[0] == 200
    answers = iter([503, 503])
    site.shop.status = lambda event: next(answers, 204)
    site.measure(31)
    wait_until(lambda: site.events() and site.runs()[0]["results"][0]["outcome"] == "done")
    assert len(site.events()) == 1
