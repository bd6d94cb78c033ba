"""What a mote measures reaches other systems, though they are away for a while: Debian's mosquitto, over TLS with a
password, is killed in the middle and started again; a webhook's server answers 500, and refuses an event."""

import base64
import hashlib
import hmac
import http.server
import json
import shutil
import signal
import threading
import urllib.request

import paho.mqtt.client as mqtt
import pytest
from certificates import Authority
from jwcrypto import jwk, jws
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from processes import MOTE, Gateway, Process, wait_until
from test_commands import command, make_commander

MOSQUITTO = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
PASSWORD = "a password of the broker"


def free_tcp_port():
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Broker:
    """mosquitto, on the same port each time, with what it keeps in a file."""

    def __init__(self, folder):
        self.port = free_tcp_port()
        self.authority = Authority(folder, "brokers")
        certificate, key = self.authority.issue("localhost", "DNS:localhost")
        passwords, state = folder / "passwords", folder / "state"
        state.mkdir()
        passwords.write_text(f"vigil:{PASSWORD}\nreader:{PASSWORD}\n")
        Process("mosquitto_passwd", "-U", str(passwords)).child.wait(timeout=10)
        self.config = folder / "mosquitto.conf"
        self.config.write_text(
            f"user root\nlistener {self.port} 127.0.0.1\ncertfile {certificate}\nkeyfile {key}\n"
            f"allow_anonymous false\npassword_file {passwords}\n"
            f"persistence true\npersistence_location {state}/\nautosave_on_changes true\nautosave_interval 1\n"
            "max_queued_messages 0\nlog_type all\n"
        )
        self.process = None

    def start(self):
        self.process = Process(MOSQUITTO, "-c", str(self.config))
        self.process.expect(r"mosquitto version .* running")
        return self

    def stop(self, how=signal.SIGTERM):
        if self.process:
            self.process.stop(how)


class Reader:
    """Subscribes to everything, with a session that outlives the broker."""

    def __init__(self, broker):
        self.messages = []
        self.subscribed = threading.Event()
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id="reader", protocol=mqtt.MQTTv5)
        self.client.username_pw_set("reader", PASSWORD)
        self.client.tls_set(str(broker.authority.certificate))
        self.client.reconnect_delay_set(1, 1)
        self.client.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        self.client.on_subscribe = lambda *_: self.subscribed.set()
        self.client.on_message = lambda client, data, message: self.messages.append(message)
        session = Properties(PacketTypes.CONNECT)
        session.SessionExpiryInterval = 3600
        self.client.connect("localhost", broker.port, clean_start=False, properties=session)
        self.client.loop_start()
        assert self.subscribed.wait(20)

    def of(self, topic):
        return [message for message in list(self.messages) if message.topic == topic]

    def last(self, topic):
        found = self.of(topic)
        return found[-1].payload.decode() if found else None

    def numbers(self, topic):
        """The sequence numbers, in the order of their first arrival."""
        return list(dict.fromkeys(
            int(dict(message.properties.UserProperty)["seq"]) for message in self.of(topic) if message.payload))

    def stop(self):
        self.client.disconnect()
        self.client.loop_stop()


class Shop:
    """A webhook's server: answers `status(event)`, and keeps the events that it took."""

    def __init__(self, secret):
        self.events, self.refused = [], 0
        self.status = lambda event: 204
        shop = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                signed = ".".join([self.headers["webhook-id"], self.headers["webhook-timestamp"], ""]).encode() + body
                expected = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
                event = json.loads(body)
                status = shop.status(event) if self.headers["webhook-signature"] == "v1," + expected else 401
                if status == 204:
                    shop.events.append(event)
                else:
                    shop.refused += 1
                self.send_response(status)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/hook"

    def values(self, ep):
        return [event["data"]["seq"] for event in list(self.events)
                if event["type"] == "dev.vigil.value" and (event["data"]["ep"], event["data"]["path"]) == (ep, "load")]

    def stop(self):
        self.server.shutdown()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A broker, a reader of it, and a gateway with one mote whose values it gets."""
    folder = tmp_path_factory.mktemp("northbound")
    site = Site(folder)
    try:
        yield site.start()
    finally:
        site.stop()


@pytest.fixture(autouse=True)
def only_its_own_motes(site):
    yield
    site.silence()


class Site:
    def __init__(self, folder):
        self.folder = folder
        self.broker = Broker(folder)
        self.key, public = make_commander()
        (folder / "commander.jwk").write_text(json.dumps(public))
        password = folder / "password"
        password.write_text(PASSWORD + "\n")
        password.chmod(0o600)
        secret = folder / "secret"
        secret.write_text("the secret of the shop\n")
        secret.chmod(0o600)
        self.shop = Shop(b"the secret of the shop")
        self.config = folder / "application.yaml"
        self.config.write_text(
            "vigil:\n  domains:\n"
            "    lab: {trust: first-use, command: ['mqtt:home'], commanders: ['%s']}\n"
            "    shut: {trust: first-use, command: ['account:nobody'], commanders: ['%s']}\n"
            "  northbound:\n    mqtt:\n      home:\n        url: mqtts://localhost:%d\n"
            "        username: vigil\n        password-file: %s\n        ca: %s\n"
            "        commands: true\n        discovery: homeassistant\n"
            "    webhook:\n      shop: {url: '%s', secret-file: %s}\n"
            % (json.dumps(public), json.dumps(public), self.broker.port, password, self.broker.authority.certificate,
               self.shop.url, secret)
        )
        stranger = Authority(folder, "strangers").certificate
        known = self.broker.authority.certificate
        self.others(password, signed=("localhost", known, "form: jws"), impostor=("localhost", stranger, "form: jws"),
                    plain=("localhost", known, "form: plain, domains: [shut]"), misnamed=("127.0.0.1", known, "form: jws"))
        self.gateway = self.reader = None
        self.motes = []

    def others(self, password, **brokers):
        """More settings of the same broker: the host that they name, whom they trust, and the rest."""
        lines = [
            f"      {name}: {{url: 'mqtts://{host}:{self.broker.port}', username: vigil, password-file: {password},"
            f" ca: {ca}, prefix: {name}, {more}}}\n" for name, (host, ca, more) in brokers.items()]
        text = self.config.read_text()
        self.config.write_text(text.replace("    webhook:\n", "".join(lines) + "    webhook:\n"))

    def start(self):
        self.broker.start()
        self.reader = Reader(self.broker)
        self.gateway = Gateway(self.folder / "data", "--demo", "--coap-port", "0", "--http-port", "0",
                               "--zep-port", "0", "--config", str(self.config))
        self.gateway.ready()
        return self

    def mote(self, name, domain="lab"):
        one = Process(MOTE, "--ep", name, "--domain", domain, "--mirror", self.gateway.coap, "--wake", "0.2",
                      "--sensor", "load", "--actuator", "led", "--commander", str(self.folder / "commander.jwk"),
                      "--state", str(self.folder / f"{name}.state"))
        self.motes.append(one)
        base = one.expect(r"registered at (/ms/\S+)").group(1)
        one.expect(r"sent .*2\.0[14]")
        return base

    def accepted(self, base, path):
        """The sequence numbers that the gateway has accepted, oldest first."""
        numbers, after = [], 0
        while True:
            status, _, body = self.gateway.get(f"{base}/{path}?after={after}&limit=100", "application/vnd.vigil.jws-list+json")
            assert status == 200, body
            page = [number(token) for token in json.loads(body)]
            if not page:
                return numbers
            numbers += page
            after = page[-1]

    def ask(self, method, path, body=None):
        token = (self.folder / "data/operator.token").read_text().strip()
        request = urllib.request.Request(
            self.gateway.http + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": "Bearer " + token, "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.loads(answer.read() or "null")

    def destination(self, name):
        [one] = [one for one in self.ask("GET", "/api/northbound")["destinations"] if one["name"] == name]
        return one

    def silence(self):
        while self.motes:
            self.motes.pop().stop()

    def stop(self):
        self.silence()
        if self.gateway:
            self.gateway.stop()
        if self.reader:
            self.reader.stop()
        self.shop.stop()
        self.broker.stop()


def number(token):
    header = token.split(".")[0]
    return json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))["seq"]


def test_a_broker_that_cannot_prove_its_name_gets_nothing(site):
    for name in ("impostor", "misnamed"):
        error = wait_until(lambda: site.destination("mqtt:" + name).get("error"))
        assert "certification path" in error or "subject alternative" in error, error
        assert PASSWORD not in error
        assert not [message.topic for message in list(site.reader.messages) if message.topic.startswith(name)]
    assert "error" not in site.destination("mqtt:signed")
    assert json.loads(site.gateway.get("/actuator/health")[2])["status"] == "DEGRADED"


def test_readings_outlast_a_killed_broker_in_order(site):
    base = site.mote("meter")
    topic = "vigil/lab/meter/value/load"
    wait_until(lambda: len(site.reader.numbers(topic)) >= 3)
    assert site.reader.last("vigil/status") == "online"

    # A broker that is killed with messages that it has acknowledged and not passed on loses them by itself.
    site.motes[-1].child.send_signal(signal.SIGSTOP)
    wait_until(lambda: site.accepted(base, "load")[-1] == site.reader.numbers(topic)[-1])
    site.broker.stop(signal.SIGKILL)
    site.motes[-1].child.send_signal(signal.SIGCONT)
    at_the_end = len(site.accepted(base, "load"))
    wait_until(lambda: len(site.accepted(base, "load")) >= at_the_end + 5)
    missing = [one for one in site.accepted(base, "load") if one not in site.reader.numbers(topic)]
    assert len(missing) >= 5
    site.broker.start()

    wait_until(lambda: missing[-1] in site.reader.numbers(topic))
    come = site.reader.numbers(topic)
    assert come == sorted(come)
    expected = [one for one in site.accepted(base, "load") if come[0] <= one <= come[-1]]
    assert [one for one in expected if one not in come] == []
    [last] = json.loads(site.reader.last(topic))
    assert last["u"] == "/" and last["t"] > 1e9, "names, units and times are resolved"
    assert site.reader.last("vigil/status") == "online"


def test_values_go_out_signed_or_plain_by_domain(site):
    base = site.mote("sealed")
    site.mote("bare", domain="shut")
    key = site.ask("GET", "/api/endpoints/" + base.rsplit("/", 1)[1])["keyThumbprint"]
    _, _, jwk_json = site.gateway.get("/keys/" + key)
    token = jws.JWS()
    token.deserialize(wait_until(lambda: site.reader.last("signed/lab/sealed/value/load")))
    token.verify(jwk.JWK.from_json(jwk_json))
    assert json.loads(token.payload)[0]["u"] == "/"
    assert site.reader.of("signed/lab/sealed/value/load")[-1].properties.ContentType == "application/jose"
    assert 0 <= float(wait_until(lambda: site.reader.last("plain/shut/bare/value/load"))) < 1000
    assert not [message.topic for message in list(site.reader.messages) if message.topic.startswith("plain/lab")]


def test_home_assistant_finds_a_sensor_by_itself(site):
    site.mote("found")
    found = wait_until(lambda: [
        json.loads(message.payload) for message in list(site.reader.messages)
        if message.topic.startswith("homeassistant/sensor/") and b'"found"' in message.payload and b'"load"' in message.payload])
    config = found[0]
    assert config["state_topic"] == "vigil/lab/found/value/load" and config["availability_topic"] == "vigil/status"
    assert config["state_class"] == "measurement" and config["value_template"] == "{{ value_json[-1].v }}"
    assert len(found) == 1, "once"


def test_a_signed_command_comes_in_and_nothing_else_does(site):
    site.mote("lamp")
    lamp = site.motes[-1]
    site.mote("dark", domain="shut")
    order = command(site.key, "lamp", "led", 1, '[{"n":"led","v":1}]')
    site.reader.client.publish("vigil/lab/lamp/command/led", order, qos=1)
    lamp.expect(r"^led = 1$")
    answers = "vigil/lab/lamp/answer/led"
    assert json.loads(wait_until(lambda: site.reader.last(answers))) == {"code": "2.04", "seq": 1}
    wait_until(lambda: '"state":"confirmed"' in (site.reader.last("vigil/lab/lamp/commands") or ""))

    stranger, _ = make_commander()
    forged = command(stranger, "lamp", "led", 2, '[{"n":"led","v":0}]')
    site.reader.client.publish("vigil/lab/lamp/command/led", forged, qos=1)
    wait_until(lambda: json.loads(site.reader.last(answers)).get("code") == "4.03")
    site.reader.client.publish("vigil/lab/lamp/command/led", b"on", qos=1)
    wait_until(lambda: json.loads(site.reader.last(answers)).get("code") == "4.00")
    # Signed by a commander, but this broker has no right in the domain.
    refused = command(site.key, "dark", "led", 1, '[{"n":"led","v":1}]', d="shut")
    site.reader.client.publish("vigil/shut/dark/command/led", refused, qos=1)
    answer = json.loads(wait_until(lambda: site.reader.last("vigil/shut/dark/answer/led")))
    assert answer["code"] == "4.03" and "commanding" in answer["error"]


def test_a_revoked_mote_leaves_nothing_on_the_broker(site):
    base = site.mote("gone")
    topic = "vigil/lab/gone/value/load"
    wait_until(lambda: site.reader.last(topic))
    key = site.ask("GET", "/api/endpoints/" + base.rsplit("/", 1)[1])["keyThumbprint"]
    site.ask("POST", f"/api/keys/{key}/revoke")
    wait_until(lambda: site.reader.last(topic) == "")
    home = site.destination("mqtt:home")
    assert home["name"] == "mqtt:home" and home["lost"] == 0 and home["delivered"] > 0


def test_a_webhook_gets_what_it_could_not_take_in_order(site):
    base = site.mote("seller")
    wait_until(lambda: site.shop.values("seller"))
    site.shop.refused = 0
    site.shop.status = lambda event: 500
    wait_until(lambda: site.shop.refused >= 2)
    missing = site.accepted(base, "load")[-1]
    site.shop.status = lambda event: 204
    wait_until(lambda: missing in site.shop.values("seller"))
    come = list(dict.fromkeys(site.shop.values("seller")))
    assert come == sorted(come)
    assert [one for one in site.accepted(base, "load") if come[0] <= one <= missing and one not in come] == []
    event = next(event for event in site.shop.events if event["type"] == "dev.vigil.value")
    assert event["specversion"] == "1.0" and event["data"]["jws"].count(".") == 2


def test_an_event_refused_for_good_waits_to_be_replayed(site):
    site.ask("PUT", "/api/alarm-rules/hot", {"kind": "value", "ep": "hot", "path": "load", "above": -100})
    site.shop.status = lambda event: 422 if event["data"].get("rule") == "hot" else 204
    site.mote("hot")
    letters = "/api/webhooks/shop/dead-letters"
    letter = wait_until(lambda: site.ask("GET", letters)["deadLetters"])[0]
    event = json.loads(letter["event"])
    assert event["data"]["state"] == "active" and event["data"]["ep"] == "hot"
    wait_until(lambda: site.shop.values("hot"))
    site.shop.status = lambda event: 204
    site.ask("POST", f"{letters}/{letter['id']}/replay")
    assert event in site.shop.events
    assert site.ask("GET", "/api/webhooks")["webhooks"] == [{"name": "shop", "deadLetters": 0}]
    told = site.ask("GET", "/api/audit")["decisions"][0]
    assert told["what"] == "replayed dead letter " + letter["id"] and told["by"] == "account:operator"
