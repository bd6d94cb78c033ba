"""A commander's signed command reaches a sleeping mote, which carries it out once and signs a confirmation.

The commander is built with jwcrypto; the mote is the real one, over UDP to the real gateway.
"""

import json
import subprocess
import urllib.request

import pytest
from processes import MOTE, Gateway, Process, fresh, java_command, wait_until
from jwcrypto import jwk, jws


def make_commander():
    key = jwk.JWK.generate(kty="EC", crv="P-256")
    return key, json.loads(key.export_public())


def command(key, ep, res, seq, payload, cty="application/senml+json", **more):
    header = {"alg": "ES256", "typ": "vigil-cmd", "cty": cty, "kid": key.thumbprint(), "ep": ep, "d": "lab",
              "res": res, "seq": seq, **more}
    token = jws.JWS(payload)
    token.add_signature(key, None, json.dumps(header))
    return token.serialize(compact=True)


def put(gateway, path, token):
    """The status of a command."""
    return answer_to(gateway, path, token)[0]


def answer_to(gateway, path, token):
    """(status, type of the problem)."""
    request = urllib.request.Request(
        gateway.http + path, data=token.encode(), method="PUT", headers={"Content-Type": "application/jose"}
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, ""
    except urllib.error.HTTPError as refused:
        return refused.code, json.loads(refused.read())["type"]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A gateway whose domain `lab` has one commander, that commander, and the paths of their files."""
    folder = tmp_path_factory.mktemp("lab")
    key, public = make_commander()
    (folder / "commander.jwk").write_text(json.dumps(public))
    (folder / "application.yaml").write_text(
        "vigil:\n  domains:\n    lab:\n      trust: first-use\n      commanders:\n        - '%s'\n"
        % json.dumps(public)
    )
    gateway = Gateway(
        folder / "data", "--demo", "--coap-port", "0", "--http-port", "0", "--zep-port", "0",
        "--config", str(folder / "application.yaml"),
    )
    try:
        yield gateway.ready(), key, folder
    finally:
        gateway.stop()


@pytest.fixture
def start(lab, running):
    gateway, _, folder = lab

    def one(name, *options, commander="commander.jwk"):
        return running(Process(
            MOTE, "--ep", name, "--domain", "lab", "--mirror", gateway.coap, "--wake", "1", "--sensor", "load",
            "--actuator", "led", "--commander", str(folder / commander),
            "--state", str(folder / f"{name}.state"), *options,
        ))

    return one


def where(mote):
    return mote.expect(r"(?:registered|resuming) at (/ms/\S+)").group(1)


def value(gateway, path):
    status, _, body = gateway.get(path, "application/senml+json")
    return json.loads(body)[0]["v"] if status == 200 else None


def waits(gateway, base):
    status, _, body = gateway.get(base + "?pending")
    assert status == 200, body
    return body.decode()


@pytest.mark.parametrize("form", [("--form", "jws"), ("--form", "compact"), ("--encrypt",)], ids=lambda o: o[-1])
def test_a_command_is_carried_out_once_and_acknowledged(lab, start, form):
    gateway, key, _ = lab
    name = fresh("lamp" + form[-1])
    mote = start(name, *form)
    base = where(mote)
    wait_until(lambda: value(gateway, base + "/led") == 0)
    assert put(gateway, base + "/led", command(key, name, "led", 1, '[{"n":"led","v":1}]')) == 204
    mote.expect(r"^led = 1$")
    mote.expect(r"command 1 done: led")
    wait_until(lambda: value(gateway, base + "/led") == 1)
    wait_until(lambda: waits(gateway, base) == "")
    assert [line for line in mote.lines if line.startswith("led = ")] == ["led = 1"]


def test_a_command_that_the_mote_does_not_trust_stays_undone(lab, start):
    gateway, key, folder = lab
    other, public = make_commander()
    (folder / "other.jwk").write_text(json.dumps(public))
    name = fresh("obstinate")
    mote = start(name, commander="other.jwk")
    base = where(mote)
    wait_until(lambda: value(gateway, base + "/led") == 0)
    assert put(gateway, base + "/led", command(key, name, "led", 1, '[{"v":1}]')) == 204
    mote.expect(r"command 1 not carried out, no configured commander signed it")
    wait_until(lambda: waits(gateway, base) == "")  # The mote reports that it refuses the command.
    assert value(gateway, base + "/led") == 0
    assert answer_to(gateway, base + "/led", command(other, name, "led", 2, '[{"v":1}]')) == (
        403, "/problems/unknown-commander")
    assert answer_to(gateway, base + "/led", command(key, name, "led", 1, '[{"v":0}]')) == (
        409, "/problems/number-used")


def test_commanders_are_replaced_by_a_command_and_survive_a_restart(lab, start):
    gateway, key, _ = lab
    name = fresh("heir")
    mote = start(name)
    base = where(mote)
    wait_until(lambda: value(gateway, base + "/led") == 0)
    successor, public = make_commander()
    keys = json.dumps({"keys": [public]})
    assert put(gateway, base + "/.keys", command(key, name, ".keys", 1, keys, "application/jwk-set+json")) == 204
    mote.expect(r"command 1 done: \.keys")
    mote.stop()
    mote = start(name)
    assert where(mote) == base
    assert put(gateway, base + "/led", command(key, name, "led", 2, '[{"v":1}]')) == 204
    mote.expect(r"command 2 not carried out")


def test_a_command_changes_how_often_the_mote_wakes(lab, start):
    gateway, key, _ = lab
    name = fresh("sleeper")
    mote = start(name, "--actuator", "wake")
    base = where(mote)
    wait_until(lambda: value(gateway, base + "/wake") == 1)
    assert put(gateway, base + "/wake", command(key, name, "wake", 1, "0.25", "text/plain")) == 204
    mote.expect(r"^wake = 0\.25$")
    wait_until(lambda: value(gateway, base + "/wake") == 0.25)


def vigil_command(*words):
    return subprocess.run([*java_command(), "command", *map(str, words)], capture_output=True, text=True, timeout=120)


def test_the_shell_signs_a_command_and_sees_it_confirmed(lab, start):
    gateway, key, folder = lab
    secret = folder / "secret.jwk"
    secret.write_text(key.export_private())
    name = fresh("shell")
    mote = start(name)
    base = where(mote)
    wait_until(lambda: value(gateway, base + "/led") == 0)
    common = ("--url", gateway.http, "--token", folder / "data/operator.token", "--key", secret)
    sent = vigil_command(*common, "--wait", 60, name, "led", 1)
    assert sent.returncode == 0, sent.stderr
    states = sent.stdout.split("\n")[:-1]
    assert states[0] == "command 1 queued" and states[-1] == "command 1 confirmed", states
    assert set(states) <= {"command 1 queued", "command 1 fetched", "command 1 confirmed"}
    mote.expect(r"^led = 1$")


def test_the_mote_says_which_values_its_actuators_take(lab, start):
    gateway, key, folder = lab
    secret = folder / "typed.jwk"
    secret.write_text(key.export_private())
    name = fresh("typed")
    mote = start(name, "--actuator", "level;minimum=0;maximum=100;multipleOf=5", "--actuator", 'fan;enum="0 1"', "--actuator", "wake")
    base = where(mote)
    wait_until(lambda: value(gateway, base + "/level") == 0)
    status, _, body = gateway.get("/api/endpoints/" + base.rsplit("/", 1)[1])
    controls = {one["path"]: one.get("control") for one in json.loads(body)["resources"]}
    assert controls == {
        "load": None,
        "led": {"kind": "number", "declared": False, "values": []},
        "level": {"kind": "number", "declared": True, "minimum": 0, "maximum": 100, "multipleOf": 5, "values": []},
        "fan": {"kind": "switch", "declared": True, "values": [0, 1]},
        "wake": {"kind": "number", "declared": True, "minimum": 0.01, "maximum": 604800, "values": []},
    }
    common = ("--url", gateway.http, "--token", folder / "data/operator.token", "--key", secret)
    refused = vigil_command(*common, name, "level", 103)
    assert refused.returncode == 1 and refused.stderr.startswith("vigil: the gateway refuses, 4"), refused
    assert "level takes a number from 0 up to 100 that is a multiple of 5, not 103" in refused.stderr
    sent = vigil_command(*common, "--wait", 60, name, "fan", "on")
    assert sent.returncode == 0, sent.stderr
    mote.expect(r"^fan = 1$")
    assert put(gateway, base + "/level", command(key, name, "level", 2, '[{"n":"level","v":95}]')) == 204
    mote.expect(r"^level = 95$")
