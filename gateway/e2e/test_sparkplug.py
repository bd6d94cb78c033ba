"""A gateway as an edge node of Sparkplug B at Debian's mosquitto, read by a host with Google's protobuf."""

import json
import signal
import threading
import time
import urllib.request

import paho.mqtt.client as mqtt
import pytest
import sparkplug
from processes import MOTE, Gateway, Process, free_port, fresh, wait_until
from test_northbound import MOSQUITTO, number

NODE = "spBv1.0/plant/%s/edge"


class Connected:
    """Marks the host's connection among the messages, because it has missed some."""

    type = device = None


class Host:
    """Subscribes to the group and keeps the messages of one edge node."""

    def __init__(self, port, node="edge"):
        self.messages, self.subscribed, self.node = [], threading.Event(), node
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self.client.reconnect_delay_set(1, 1)
        self.client.on_connect = self.connected
        self.client.on_subscribe = lambda *_: self.subscribed.set()
        self.client.on_message = self.keep
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        assert self.subscribed.wait(60)

    def connected(self, client, *_):
        self.messages.append(Connected())
        client.subscribe("spBv1.0/plant/#", qos=1)

    def keep(self, client, data, message):
        if message.topic.split("/")[3] == self.node and "/NCMD/" not in message.topic:
            assert not message.retain and message.qos == ("NDEATH" in message.topic), message.topic
            self.messages.append(sparkplug.Message(message.topic, message.payload))

    def of(self, kind, device=None):
        return [one for one in list(self.messages) if (one.type, one.device) == (kind, device)]

    def command(self, octets):
        self.client.publish(NODE % "NCMD", octets, qos=0)

    def numbers(self, device, path):
        """The sequence numbers of the device's values, including births, in the order of their first arrival."""
        return list(dict.fromkeys(
            sparkplug.properties(metric)["seq"] for one in list(self.messages) if one.device and one.device == device
            for metric in one.payload.metrics if metric.name == path))

    def check(self):
        """Checks that sequence numbers count up from each birth, that births announce the metrics of later data, and that a
        death certificate names the birth that it ends."""
        seq, births, born = None, None, {}
        for one in list(self.messages):
            if one.type is None:
                seq = None
            elif one.type == "NBIRTH":
                assert one.seq == 0 and one.value("Node Control/Rebirth") is False
                seq, births, born = 0, one.value("bdSeq"), {}
            elif one.type == "NDEATH":
                assert one.seq is None and one.value("bdSeq") == births
                seq = None
            elif seq is None:
                continue
            else:
                assert one.seq == (seq + 1) % 256, (one.type, one.device)
                seq = one.seq
            if one.type == "DBIRTH":
                assert one.metrics
                born[one.device] = {name: metric.datatype for name, metric in one.metrics.items()}
            elif one.type == "DDATA":
                for metric in one.payload.metrics:
                    assert born[one.device][metric.name] == metric.datatype
            elif one.type == "DDEATH":
                del born[one.device]

    def stop(self):
        self.client.disconnect()
        self.client.loop_stop()


class Plant:
    def __init__(self, folder):
        self.folder, self.port, self.gateway_port, self.motes = folder, free_port(), free_port(), []
        self.config = folder / "mosquitto.conf"
        self.config.write_text(f"user root\nlistener {self.port} 127.0.0.1\nallow_anonymous true\n")
        self.settings = folder / "application.yaml"
        self.settings.write_text(
            "vigil:\n  domains: {lab: {trust: first-use}}\n  northbound:\n    mqtt:\n"
            f"      scada: {{url: 'mqtt://127.0.0.1:{self.port}', form: sparkplug-b, prefix: plant, client-id: edge, replay: true}}\n"
            f"      careful: {{url: 'mqtt://127.0.0.1:{self.port}', form: sparkplug-b, prefix: plant, client-id: careful, replay: true,"
            " primary-host: scada}\n")

    def start_broker(self):
        self.broker = Process(MOSQUITTO, "-c", str(self.config))
        self.broker.expect(r"mosquitto version .* running")

    def start_gateway(self):
        self.gateway = Gateway(self.folder / "data", "--demo", "--coap-port", str(self.gateway_port), "--coaps-port", "0",
                               "--http-port", "0", "--zep-port", "0", "--config", str(self.settings)).ready()

    def start(self):
        self.start_broker()
        self.host = Host(self.port)
        self.start_gateway()
        return self

    def mote(self, name):
        one = Process(MOTE, "--ep", name, "--domain", "lab", "--mirror", self.gateway.coap, "--wake", "0.2",
                      "--sensor", "load", "--state", str(self.folder / f"{name}.state"))
        self.motes.append(one)
        base = one.expect(r"registered at (/ms/\S+)").group(1)
        one.expect(r"sent .*2\.0[14]")
        return base

    def accepted(self, base):
        status, _, body = self.gateway.get(f"{base}/load?after=0&limit=1000", "application/vnd.vigil.jws-list+json")
        assert status == 200, body
        return [number(token) for token in json.loads(body)]

    def ask(self, method, path):
        token = (self.folder / "data/operator.token").read_text().strip()
        request = urllib.request.Request(self.gateway.http + path, method=method, headers={"Authorization": "Bearer " + token})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read() or "null")

    def waiting(self):
        return self.destination("mqtt:scada")["waiting"]

    def destination(self, name):
        [one] = [one for one in self.ask("GET", "/api/northbound")["destinations"] if one["name"] == name]
        return one

    def silence(self):
        while self.motes:
            self.motes.pop().stop()

    def stop(self):
        self.silence()
        self.gateway.stop()
        self.host.stop()
        self.broker.stop()


@pytest.fixture(scope="module")
def plant(tmp_path_factory):
    one = Plant(tmp_path_factory.mktemp("plant"))
    try:
        yield one.start()
    finally:
        one.stop()


@pytest.fixture(autouse=True)
def in_order(plant):
    yield
    plant.silence()
    plant.host.check()


def test_births_come_before_data_and_numbers_in_order(plant):
    base = plant.mote("meter")
    # The mirror may know newer values than the first ones when the device is born.
    data = wait_until(lambda: [one for one in plant.host.of("DDATA", "lab:meter") if not one.metrics["load"].is_historical][2:])
    birth = plant.host.of("DBIRTH", "lab:meter")[0]
    assert plant.host.messages[1].type == "NBIRTH" and plant.host.messages[1].seq == 0
    [metric] = birth.payload.metrics
    assert metric.name == "load" and metric.datatype == 10 and not metric.is_historical
    assert sparkplug.properties(metric)["engUnit"] == "/"
    assert 0 <= data[-1].value("load") < 1000 and data[-1].metrics["load"].timestamp > 1.7e12
    numbers = plant.host.numbers("lab:meter", "load")
    assert len(numbers) >= 4 and set(numbers) <= set(plant.accepted(base))


def test_a_host_that_asks_gets_all_births_anew(plant):
    plant.mote("asked")
    wait_until(lambda: plant.host.of("DDATA", "lab:asked"))
    before = len(plant.host.of("NBIRTH"))
    plant.host.command(b"\x12\xff no payload")
    plant.gateway.expect("ignored a command that is not a Sparkplug payload")
    plant.host.command(sparkplug.rebirth())
    wait_until(lambda: len(plant.host.of("NBIRTH")) > before)
    first, again = plant.host.of("NBIRTH")[-2:]
    assert first.value("bdSeq") == again.value("bdSeq")
    wait_until(lambda: [one for one in plant.host.messages[plant.host.messages.index(again):] if (one.type, one.device) == ("DBIRTH", "lab:asked")])


def test_a_flood_of_wrong_commands_does_not_fill_the_log(plant):
    born, logged = len(plant.host.of("NBIRTH")), len(plant.gateway.lines)
    for _ in range(300):
        plant.host.command(b"\x12\xff no payload")
    plant.host.command(sparkplug.rebirth())
    wait_until(lambda: len(plant.host.of("NBIRTH")) > born)
    skipped = lambda start: [line for line in plant.gateway.lines[start:] if "ignored a command that is not a Sparkplug payload" in line]
    # A first attempt may have used up this minute's lines.
    wait_until(lambda: len(skipped(0)) >= 25)
    assert len(skipped(logged)) <= 60, "30 in a minute, and two minutes may meet here"


def test_a_killed_broker_misses_nothing(plant):
    base = plant.mote("through")
    wait_until(lambda: plant.host.of("DDATA", "lab:through"))
    first = plant.host.of("NBIRTH")[-1].value("bdSeq")
    # A killed broker loses messages that it has not forwarded.
    plant.motes[-1].child.send_signal(signal.SIGSTOP)
    wait_until(lambda: sorted(plant.host.numbers("lab:through", "load")) == plant.accepted(base))
    plant.broker.stop(signal.SIGKILL)
    plant.motes[-1].child.send_signal(signal.SIGCONT)
    at_the_end = len(plant.accepted(base))
    wait_until(lambda: len(plant.accepted(base)) >= at_the_end + 5)
    before = len(plant.host.messages)
    plant.host.subscribed.clear()
    # QoS 0: a host that subscribes after a publication misses it.
    plant.gateway.child.send_signal(signal.SIGSTOP)
    plant.start_broker()
    assert plant.host.subscribed.wait(60)
    plant.gateway.child.send_signal(signal.SIGCONT)
    wait_until(lambda: [one for one in plant.host.messages[before:] if one.type == "NBIRTH"])
    assert plant.host.of("NBIRTH")[-1].value("bdSeq") > first
    plant.silence()
    wait_until(lambda: plant.waiting() == 0)
    wait_until(lambda: sorted(plant.host.numbers("lab:through", "load")) == plant.accepted(base))
    historical = [metric for one in plant.host.messages[before:] if one.type == "DDATA" for metric in one.payload.metrics if metric.is_historical]
    assert historical, "readings of the broker's absence do not replace the newest"


def test_the_will_tells_of_a_killed_gateway(plant):
    plant.mote("left")
    wait_until(lambda: plant.host.of("DDATA", "lab:left"))
    born = plant.host.of("NBIRTH")[-1].value("bdSeq")
    deaths = len(plant.host.of("NDEATH"))
    plant.gateway.stop(signal.SIGKILL)
    [death] = wait_until(lambda: plant.host.of("NDEATH")[deaths:])
    assert death.value("bdSeq") == born
    births = len(plant.host.of("DBIRTH", "lab:left"))
    plant.start_gateway()
    # The mote sends again only when its repetitions to the killed gateway have ended.
    wait_until(lambda: plant.host.of("DBIRTH", "lab:left")[births:], timeout=180)
    assert plant.host.of("NBIRTH")[-1].value("bdSeq") == (born + 1) % 256


def test_values_wait_for_the_primary_host(plant):
    name, began = fresh("waiting"), time.time_ns() // 1_000_000
    say = lambda online, at: plant.host.client.publish(
        "spBv1.0/STATE/scada", json.dumps({"online": online, "timestamp": began + at}), qos=1, retain=True)
    base = plant.mote(name)
    careful = Host(plant.port, "careful")
    try:
        wait_until(lambda: "scada is not online" in plant.destination("mqtt:careful").get("error", ""))
        assert careful.messages[1:] == []
        say(True, 2)
        wait_until(lambda: careful.of("DDATA", f"lab:{name}"), timeout=120)
        # The will of the host's previous session arrives late.
        say(False, 1)
        say(False, 3)
        wait_until(lambda: careful.of("NDEATH"))
        seen = len(careful.messages)
        at_the_end = len(plant.accepted(base))
        wait_until(lambda: len(plant.accepted(base)) >= at_the_end + 3)
        assert len(careful.messages) == seen
        say(True, 4)
        plant.silence()
        wait_until(lambda: plant.destination("mqtt:careful")["waiting"] == 0, timeout=120)
        wait_until(lambda: sorted(careful.numbers(f"lab:{name}", "load")) == plant.accepted(base))
        careful.check()
    finally:
        say(False, 5)
        careful.stop()


def test_a_device_dies_with_the_trust_in_its_key(plant):
    name = fresh("gone")
    base = plant.mote(name)
    wait_until(lambda: plant.host.of("DDATA", f"lab:{name}"))
    key = plant.ask("GET", "/api/endpoints/" + base.rsplit("/", 1)[1])["keyThumbprint"]
    plant.ask("POST", f"/api/keys/{key}/revoke")
    wait_until(lambda: plant.host.of("DDEATH", f"lab:{name}"))
    plant.silence()
    seen = len(plant.host.of("DDATA", f"lab:{name}"))
    before = len(plant.host.of("NBIRTH"))
    plant.host.command(sparkplug.rebirth())
    wait_until(lambda: len(plant.host.of("NBIRTH")) > before)
    assert len(plant.host.of("DDATA", f"lab:{name}")) == seen


def test_a_mote_that_falls_silent_dies_and_is_born_again(plant):
    plant.mote("silent")
    wait_until(lambda: plant.host.of("DDATA", "lab:silent"))
    deaths = len(plant.host.of("DDEATH", "lab:silent"))
    plant.motes[-1].child.send_signal(signal.SIGSTOP)
    wait_until(lambda: plant.host.of("DDEATH", "lab:silent")[deaths:])
    births = len(plant.host.of("DBIRTH", "lab:silent"))
    plant.motes[-1].child.send_signal(signal.SIGCONT)
    wait_until(lambda: plant.host.of("DBIRTH", "lab:silent")[births:])


def test_a_gateway_that_ends_says_so(plant):
    """The last test: it stops the gateway."""
    born = plant.host.of("NBIRTH")[-1].value("bdSeq")
    deaths = len(plant.host.of("NDEATH"))
    plant.gateway.stop()
    [death] = wait_until(lambda: plant.host.of("NDEATH")[deaths:])
    assert death.value("bdSeq") == born
