"""Honest clients and sensors that measure how long they wait.

    python honest_clients.py PLAN.json prepare NAME...   registers sensors, approves their keys, sends first updates
    python honest_clients.py PLAN.json SECONDS           prints waits in milliseconds and wrong answers for each kind of request

Each prints one JSON object, with the sensors' state for the next run.
"""

import json
import os
import subprocess
import sys
import threading
import time
import urllib.request

from cryptography.hazmat.primitives.asymmetric import ec

from coap import ECHO, POST, PUT, Peer
from processes import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "mirror-proxy/src/test/python"))
import sleepy  # noqa: E402

READING = [{"n": "urn:dev:py:temp", "u": "Cel", "v": 21.5}]


class EchoingPeer(Peer):
    """A client that proves its address when asked (RFC 9175), and repeats the received Echo from then on."""

    echo = None

    def verified(self, *args, **more):
        """The answer to a request, after any number of challenges."""
        for _ in range(3):
            answer = self.request(*args, **more, options=[(ECHO, self.echo)] if self.echo else [])
            if (echo := answer.one(ECHO)) is not None:
                self.echo = echo
            if answer.code != "4.01" or echo is None:
                return answer
        return answer


class Sensor:
    """An endpoint with a key that the operator approved; `state` is its persistent state."""

    def __init__(self, plan, state, source):
        self.endpoint = sleepy.Sleepy(None, "coap://x", state["ep"], key=key_of(state["secret"]))
        self.endpoint.seq, self.endpoint.path = state["seq"], state["path"]
        self.secret = state["secret"]
        self.peer = EchoingPeer(plan["coap_uri"], source)

    @property
    def state(self):
        return {"ep": self.endpoint.ep, "secret": self.secret, "seq": self.endpoint.seq, "path": self.endpoint.path}

    def update(self):
        jws = self.endpoint.jws("temp", READING)
        return self.peer.verified(PUT, self.endpoint.path + "/temp", jws, sleepy.JOSE).code in ("2.01", "2.04")

    def register(self):
        return self.peer.verified(POST, "/ms", self.endpoint.registration(), sleepy.JOSE).code in ("2.01", "2.04")


def key_of(secret):
    """The key pair of P-256 with this private number."""
    key = sleepy.Key()
    key.secret = ec.derive_private_key(secret, ec.SECP256R1())
    numbers = key.secret.public_key().public_numbers()
    key.jwk = {"crv": "P-256", "kty": "EC", "x": sleepy.b64(numbers.x.to_bytes(32)), "y": sleepy.b64(numbers.y.to_bytes(32))}
    key.thumbprint = sleepy.sha256(sleepy.compact_json(key.jwk))
    key.jkt = sleepy.b64(key.thumbprint)
    return key


def prepare(plan, names):
    """The sensors' state and an accepted update of each."""
    sensors, updates = [], []
    for number, (ep, source) in enumerate(zip(names, plan["honest"])):
        sensor = Sensor(plan, {"ep": ep, "secret": 1000 + number, "seq": 0, "path": None}, source)
        answer = sensor.peer.verified(POST, "/ms", sensor.endpoint.registration(), sleepy.JOSE)
        assert answer.code == "2.01", answer.text
        sensor.endpoint.path = answer.location
        approval = urllib.request.Request(
            f"{plan['http_uri']}/api/keys/{sensor.endpoint.key.jkt}/approve", b"", {"Authorization": "Bearer " + plan["token"]})
        with urllib.request.urlopen(approval, timeout=30):
            pass
        jws = sensor.endpoint.jws("temp", READING)
        answer = sensor.peer.verified(PUT, sensor.endpoint.path + "/temp", jws, sleepy.JOSE)
        assert answer.code in ("2.01", "2.04"), answer.text
        sensors.append(sensor.state)
        updates.append({"path": sensor.endpoint.path + "/temp", "jws": jws.decode()})
    return {"sensors": sensors, "updates": updates}


def actions(plan, sensors):
    """Name, pause in seconds and function of each honest action; a function returns whether the answer was right."""
    updating, registering = sensors[: len(sensors) // 2], sensors[len(sensors) // 2 :]
    reader = EchoingPeer(plan["coap_uri"], plan["honest"][-1])
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    turn = {"update": 0, "register": 0}

    def next_of(kind, these):
        turn[kind] += 1
        return these[turn[kind] % len(these)]

    def http(path, token=None):
        headers = {"Authorization": "Bearer " + token} if token else {}
        with opener.open(urllib.request.Request(plan["http_uri"] + path, headers=headers), timeout=30) as answer:
            return answer.status == 200 and len(answer.read()) > 0

    def handshake():
        done = subprocess.run(
            ["coap-client-openssl", "-B", "30", "-m", "get", "-u", "reader", "-k", plan["psk"], plan["coaps_uri"] + "/keys/mirror"],
            capture_output=True, timeout=60,
        )
        return b"P-256" in done.stdout

    path = plan["sensors"][0]["path"] + "/temp"
    return [
        ("get", 0.1, lambda: reader.verified(1, path).code == "2.05"),
        ("update", 0.2, lambda: next_of("update", updating).update()),
        ("register", 0.3, lambda: next_of("register", registering).register()),
        ("handshake", 1.0, handshake),
        ("http", 0.2, lambda: http(path)),
        ("operator", 0.5, lambda: http("/api/keys?limit=10", plan["token"])),
    ]


def run(kind, pause, deed, ends, results):
    waits, wrong = results[kind] = [], []
    while time.monotonic() < ends:
        began = time.monotonic()
        try:
            if not deed():
                wrong.append("another answer")
        except Exception as problem:  # noqa: BLE001: reported in the result
            wrong.append(f"{type(problem).__name__}: {problem}")
        waits.append(1000 * (time.monotonic() - began))
        time.sleep(pause)


def main():
    with open(sys.argv[1]) as file:
        plan = json.load(file)
    os.nice(-5)  # measures the gateway, not the client's own wait for a processor
    if sys.argv[2] == "prepare":
        print(json.dumps(prepare(plan, sys.argv[3:])))
        return
    results = {}
    sensors = [Sensor(plan, state, source) for state, source in zip(plan["sensors"], plan["honest"])]
    ends = time.monotonic() + float(sys.argv[2])
    threads = [threading.Thread(target=run, args=(*action, ends, results)) for action in actions(plan, sensors)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kinds = {kind: {"waits": waits, "wrong": wrong} for kind, (waits, wrong) in results.items()}
    print(json.dumps({"kinds": kinds, "sensors": [sensor.state for sensor in sensors]}))


if __name__ == "__main__":
    main()
