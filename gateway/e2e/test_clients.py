"""The client packages (libraries/client-python, libraries/client-js) against a real gateway and real motes, and against a gateway
that cannot be trusted."""

import contextlib
import itertools
import json
import os
import re
import subprocess
import sys
import tarfile
import urllib.request
from datetime import UTC, datetime, timedelta

import mirror_peer
import openapi_tools
import pytest
from jwcrypto import jwk, jws
from mirror_peer import JOSE
from openapi_tools import DOCUMENT
from processes import MOTE, REPOSITORY, Process, java_command, only_with_all, wait_until
from untrusted_gateway import relay

COSE = 18
PYTHON = REPOSITORY / "libraries/client-python"
JAVASCRIPT = REPOSITORY / "libraries/client-js"
sys.path.insert(0, str(PYTHON / "src"))

import vigil_client  # noqa: E402
from vigil_client import Gateway, jose  # noqa: E402


def token(network):
    return (network.data_dir / "operator.token").read_text().strip()


def ask(network, method, path, body=None):
    headers = {"Authorization": "Bearer " + token(network), "Content-Type": "application/json"}
    request = urllib.request.Request(network.http + path, body and json.dumps(body).encode(), headers, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read()


@pytest.fixture(scope="module")
def folder(network, tmp_path_factory):
    """A folder with a commander's key that the gateway and the mote `lamp` know; the mote is forgotten at the end."""
    folder = tmp_path_factory.mktemp("clients")
    key = jwk.JWK.generate(kty="EC", crv="P-256")
    (folder / "commander.jwk").write_text(key.export_private())
    (folder / "commander.pub").write_text(key.export_public())
    path = f"/api/domains/-/commanders/{key.thumbprint()}"
    ask(network, "PUT", path, {"jwk": json.loads(key.export_public())})
    lamp = Process(
        MOTE, "--ep", "lamp", "--mirror", network.coap, "--wake", "0.5", "--sensor", "memory", "--actuator", "led", "--payload", "cbor",
        "--commander", str(folder / "commander.pub"), "--state", str(folder / "lamp.state"))
    lamp.expect(r"sent led .*2\.0[14]")
    yield folder
    lamp.stop()
    [found] = json.loads(ask(network, "GET", "/api/endpoints?ep=lamp"))["endpoints"]
    ask(network, "DELETE", "/api/endpoints/" + found["id"])
    ask(network, "DELETE", path)


@pytest.fixture
def gateway(network):
    with Gateway(network.http) as own:
        yield own


@pytest.fixture
def untrusted(network):
    with relay(network.http) as running:
        yield running


def run_python(network, folder, document):
    """The output of the document's code."""
    blocks = re.findall(r"^```python\n(.*?)^```", document.read_text(), re.M | re.S)
    code = "\n".join(blocks).replace("http://127.0.0.1:8080", network.http).replace("TOKEN", token(network))
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=os.environ | {"PYTHONPATH": str(folder / "site")}, capture_output=True, text=True,
        timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_code_of_the_readme_runs_with_the_installed_package(network, folder):
    """As printed, with the test's address and token; with the dependencies of the tests."""
    install = ("install", "--no-build-isolation", "--no-deps", "--no-compile", "--target", folder / "site", PYTHON)
    subprocess.run([sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", *install], check=True, timeout=120)
    printed = run_python(network, folder, PYTHON / "README.md")
    lines = printed.splitlines()
    assert re.fullmatch(r"[\d.]+ / 20\S+ \S+\+00:00 True", lines[0]) and lines[-1] == "confirmed True"
    assert "mote-2 ['load'" in printed and len(lines) > 8
    assert (folder / "site/vigil_client/py.typed").exists() and "mote-1" in (folder / "keys.json").read_text()
    (folder / "keys.json").unlink()
    first, changed = run_python(network, folder, REPOSITORY / "docs/guide/clients.md").splitlines()
    assert first.endswith(" True") and "not the pinned T3_rghQvB0fx" in changed


def test_the_clients_have_the_version_of_the_project():
    project = re.search("<version>(.*?)</version>", (REPOSITORY / "pom.xml").read_text())[1]
    assert f'version = "{project.replace("-SNAPSHOT", ".dev0")}"' in (PYTHON / "pyproject.toml").read_text()
    for name in ("package.json", "package-lock.json"):
        assert json.loads((JAVASCRIPT / name).read_text())["version"] == project


@pytest.mark.parametrize("client, generator, made, command", [
    (PYTHON, [sys.executable, "-m", "datamodel_code_generator"], "src/vigil_client/rest.py", "the command in pyproject.toml"),
    (JAVASCRIPT, ["node_modules/.bin/openapi-typescript"], "src/rest.ts", "npm run types"),
], ids=["Python", "JavaScript"])
def test_the_types_of_a_client_are_current(tmp_path, client, generator, made, command):
    if client == JAVASCRIPT:
        openapi_tools.install(JAVASCRIPT)
    excerpt = subprocess.run([sys.executable, REPOSITORY / "libraries/openapi_excerpt.py", DOCUMENT], check=True, capture_output=True)
    subprocess.run([*generator, "--output", tmp_path / "rest"], input=excerpt.stdout, cwd=client, check=True, capture_output=True)
    assert (tmp_path / "rest").read_text() == (client / made).read_text(), f"not current: {command}"


def test_another_library_verifies_what_the_client_returns(network, gateway):
    reading = wait_until(lambda: gateway.read("mote-1", "load"))
    public = jwk.JWK.from_json(network.get("/keys/" + reading.key)[2].decode())
    original = jws.JWS()
    original.deserialize(reading.original)
    original.verify(public)
    [senml] = json.loads(original.payload)
    assert (senml["v"], senml["u"], senml["t"]) == (reading.value, reading.unit, reading.time.timestamp())
    assert reading.key == public.thumbprint() and len(reading.unproven) == 1
    assert gateway.read("mote-1", "load", pin=" ".join(re.findall("....?", reading.key))).unproven == ()


def test_endpoints_are_found_by_type_name_domain_and_tags(network, folder, gateway):
    assert {"mote-1", "mote-2", "mote-3"} == {one["ep"] for one in gateway.endpoints(type="load")}
    assert [one["ep"] for one in gateway.endpoints(name="lamp", domain="", trust="trusted")] == ["lamp"]
    assert list(gateway.endpoints(domain="elsewhere")) == []
    [mote] = gateway.endpoints(name="mote-2")
    path = f"/api/endpoints/{mote['id']}/tags"
    ask(network, "PUT", path, {"tags": ["hall", "kind:load"]})
    assert [one["ep"] for one in gateway.endpoints(tag=["kind:load", "hall"])] == ["mote-2"]
    assert next(gateway.endpoints(tag="hall"))["tags"] == ["hall", "kind:load"]
    ask(network, "PUT", path, {"tags": []})
    assert list(gateway.endpoints(tag="hall")) == []


@pytest.mark.parametrize("alg", ["ES256", "ES384", "EdDSA"])
@pytest.mark.parametrize("form", [JOSE, COSE])
def test_each_algorithm_and_form_verifies_without_proving_arrival(network, gateway, alg, form):
    name = f"signed-{alg}-{form}"
    endpoint = mirror_peer.Endpoint(network, name, alg=alg, links="</temp>")
    assert endpoint.register().code == "2.01"
    signed = endpoint.jws("temp", mirror_peer.READING) if form == JOSE else endpoint.cose("temp", mirror_peer.READING)
    assert endpoint.put(signed, form).code == "2.01"
    reading = gateway.read(name, "temp")
    assert (reading.value, reading.unit, reading.key, reading.number) == (21.5, "Cel", endpoint.key.jkt, endpoint.seq)
    assert abs(reading.time - datetime.now(UTC)) < timedelta(minutes=1)
    assert [one.partition(":")[0] for one in reading.unproven] == ["key", "time"]
    assert [one.original for one in gateway.history(name, "temp")] == [reading.original]
    ask(network, "DELETE", "/api/endpoints/" + endpoint.path.rpartition("/")[2])


def test_an_observation_gives_last_values_then_rising_numbers(gateway):
    readings = list(itertools.islice(gateway.observe("mote-2", "load"), 3))
    assert [one.endpoint for one in readings] == ["mote-2"] * 3
    assert readings[0].number < readings[1].number < readings[2].number


def test_an_observation_resumes_after_a_broken_connection(untrusted):
    untrusted.cut_streams = 2
    with Gateway(untrusted.url) as gateway:
        readings = list(itertools.islice(gateway.observe(), 20))
    resumed = [headers.get("Last-Event-ID") for path, headers in untrusted.asked if path.startswith("/api/events")]
    assert resumed[0] is None and len(resumed) >= 3 and int(resumed[1]) < int(resumed[2])
    numbers = {}
    for one in readings:
        assert one.verified and one.number > numbers.get((one.endpoint, one.resource), -1)
        numbers[one.endpoint, one.resource] = one.number
    assert {one.endpoint for one in readings} >= {"mote-1", "mote-2", "mote-3"}


def test_an_observation_reads_the_list_again_after_missed_changes(untrusted):
    untrusted.missed = 1
    with Gateway(untrusted.url) as gateway:
        readings = list(itertools.islice(gateway.observe(), 20))
    assert [path for path, _ in untrusted.asked].count("/api/endpoints") >= 2 and all(one.verified for one in readings)


def test_the_history_has_every_kept_value_of_the_span(network, gateway):
    since = datetime.now(UTC) - timedelta(seconds=4)
    kept = wait_until(lambda: len(found := list(gateway.history("mote-3", "load", since=since))) >= 3 and found)
    endpoint = gateway.endpoint("mote-3")
    path = f"/api/endpoints/{endpoint['id']}/resources/load/history?from={since.timestamp():.6f}&limit={len(kept)}"
    stored = json.loads(network.get(path)[2])["values"]
    assert [(one.number, one.value) for one in kept] == [(one["seq"], one["value"]) for one in stored]
    assert all(one.verified and one.time >= since for one in kept)


def test_a_command_is_confirmed_by_the_motes_signature(network, folder):
    with Gateway(network.http, token(network)) as gateway:
        command = gateway.command("lamp", "led", 0, key=folder / "commander.jwk")
        assert (command.state, command.verified, command.ended) == ("confirmed", True, True)
        assert command.confirmation.endpoint == "lamp" and command.confirmation.number > command.endpoint["high"]
        refused = gateway.command("lamp", "led", "bright", key=json.loads((folder / "commander.jwk").read_text()))
        assert (refused.state, refused.reason, refused.verified) == ("refused", 400, False)
        # A mote without an actuator lets a command wait.
        waiting = gateway.command("mote-1", "load", 1, key=folder / "commander.jwk", timeout=0)
        assert waiting.state == "queued" and not waiting.ended
        gateway.cancel(waiting)
        assert [one.state for one in gateway.follow(waiting)][-1] in ("cancelled", "refused")


class Wrong:
    """Bad input, the error it causes, and what its sentence says."""

    def __init__(self, call, error, sentence):
        self.call, self.error, self.sentence = call, error, sentence


@pytest.mark.parametrize("wrong", [
    Wrong(lambda url, key: Gateway(url).read("nobody", "load"), vigil_client.UnknownEndpoint, r"has no endpoint nobody .*endpoints\(\)"),
    Wrong(lambda url, key: Gateway(url).read("mote-1", "wind"), vigil_client.UnknownResource, "mote-1 has no resource wind; it has: load"),
    Wrong(lambda url, key: Gateway(url, "wrong").read("mote-1", "load"), vigil_client.NotAllowed, "credentials are not valid.*token="),
    Wrong(lambda url, key: Gateway(url).command("mote-1", "load", 1, key=key), vigil_client.NotAllowed, "not a commander key.*token="),
    Wrong(lambda url, key: Gateway("http://127.0.0.1:9").read("mote-1", "load"), vigil_client.Unreachable, "127.0.0.1:9 does not answer"),
    Wrong(lambda url, key: next(Gateway("http://127.0.0.1:9").observe()), vigil_client.Unreachable, "127.0.0.1:9 does not answer"),
    Wrong(lambda url, key: Gateway(url + "/page").read("mote-1", "load"), vigil_client.VigilError, "/page"),
    Wrong(lambda url, key: Gateway(url).read("mote-1", "load", pin="A" * 43), vigil_client.KeyChanged, r"pinned A{43}.*trust\('mote-1'"),
], ids=lambda wrong: wrong.error.__name__)
def test_bad_input_has_its_own_error_and_a_way_out(network, wrong):
    with pytest.raises(wrong.error, match=wrong.sentence):
        wrong.call(network.http, json.loads(jwk.JWK.generate(kty="EC", crv="P-256").export_private()))


def test_an_https_gateway_needs_its_certificate(network):
    url = network.address("https://")
    with pytest.raises(vigil_client.Unreachable, match="is not trusted.*ca="):
        Gateway(url).read("mote-1", "load")
    ca = network.data_dir / "ca.pem"
    ca.write_bytes(network.get("/ca.pem")[2])
    assert Gateway(url, ca=str(ca)).read("mote-1", "load").verified


def swapped(part):
    """Another first letter; the last one of base64url may have bits that do not count."""
    return (b"A" if part[:1] != b"A" else b"B") + part[1:]


def test_a_changed_reading_is_refused_whichever_part_was_changed(untrusted):
    with Gateway(untrusted.url) as gateway:
        assert gateway.read("mote-1", "load").verified
        for at in range(3):
            def change(path, body, at=at):
                parts = body.split(b".")
                return b".".join(swapped(part) if n == at else part for n, part in enumerate(parts)) if path.startswith("/ms/") else body
            untrusted.change = change
            with pytest.raises(vigil_client.BadSignature, match="mote-1/load: .*Do not use it"):
                gateway.read("mote-1", "load")
        untrusted.change = lambda path, body: b"<html>" if path.startswith("/ms/") else body
        with pytest.raises(vigil_client.BadSignature):
            gateway.read("mote-1", "load")


def test_an_old_reading_is_refused_also_after_a_restart(untrusted, tmp_path):
    with Gateway(untrusted.url, memory=tmp_path / "memory.json") as gateway:
        old = gateway.read("mote-1", "load")
        wait_until(lambda: gateway.read("mote-1", "load").number > old.number)
        place = f"/ms/{gateway.endpoint('mote-1')['id']}/load"
    untrusted.change = lambda path, body: old.original.encode() if path == place else body
    with Gateway(untrusted.url, memory=tmp_path / "memory.json") as gateway:
        with pytest.raises(vigil_client.Replayed, match=f"mote-1/load: reading {old.number} is older than reading"):
            gateway.read("mote-1", "load")
        refusals = []
        with contextlib.closing(gateway.observe(refused=refusals.append)) as readings:
            assert next(one for one in readings if one.endpoint in ("mote-2", "mote-3")).verified
        assert isinstance(refusals[0], vigil_client.Replayed)


def test_another_key_is_accepted_only_when_the_caller_says_so(network, untrusted):
    forger = jwk.JWK.generate(kty="EC", crv="P-256")
    key = jose.CommanderKey(json.loads(forger.export_private()))
    forged = key.jws({"cty": "application/senml+json", "res": "load", "seq": 2**40}, b'[{"n":"load","u":"/","v":-1}]')

    def change(path, body):
        if path.startswith("/keys/"):
            return forger.export_public().encode()
        return forged.encode() if path.startswith("/ms/") else body

    with Gateway(untrusted.url) as gateway:
        pinned = gateway.read("mote-1", "load").key
        untrusted.change = change
        with pytest.raises(vigil_client.KeyChanged, match="mote-1/load") as changed:
            gateway.read("mote-1", "load")
        assert (changed.value.pinned, changed.value.found) == (pinned, forger.thumbprint())
        gateway.trust("mote-1", changed.value.found)
        assert gateway.read("mote-1", "load").value == -1
        untrusted.change = lambda path, body: network.get("/keys/" + pinned)[2] if path.startswith("/keys/") else change(path, body)
    with Gateway(untrusted.url) as gateway, pytest.raises(vigil_client.BadSignature, match="another key than the reading names"):
        gateway.read("mote-1", "load")


RENAMES = pytest.mark.parametrize("names", [{"ep": "mote-2"}, {"d": "elsewhere"}], ids=["ep", "d"])


def renaming(names):
    """The untrusted gateway gives every endpoint these names."""
    def change(path, body):
        if not re.fullmatch(r"/api/endpoints(\?.*|/[^/]*)?", path):
            return body
        answer = json.loads(body)
        changed = {"endpoints": [one | names for one in answer["endpoints"]]} if "endpoints" in answer else answer | names
        return json.dumps(changed).encode()
    return change


@RENAMES
def test_a_renamed_endpoint_is_neither_trusted_nor_commanded(untrusted, folder, tmp_path, names):
    file = tmp_path / "memory.json"
    with Gateway(untrusted.url, memory=file) as gateway:
        key = gateway.read("mote-1", "load").key
        known = gateway.endpoint("mote-1")
    before = file.read_text()
    untrusted.change = renaming(names)
    with Gateway(untrusted.url, memory=file) as gateway:
        for mote, place in (("mote-1", {"domain": ""}), (known, {})):
            for call in (
                lambda mote, **place: gateway.read(mote, "load", **place),
                lambda mote, **place: gateway.read(mote, "load", pin=key[::-1], **place),
                lambda mote, **place: next(gateway.history(mote, "load", **place)),
                lambda mote, **place: next(gateway.observe(mote, "load", **place)),
                lambda mote, **place: gateway.command(mote, "load", 1, key=folder / "commander.jwk", timeout=0, **place),
            ):
                with pytest.raises(vigil_client.WrongEndpoint, match="mote-1 in the domain '': .*" + next(iter(names.values()))):
                    call(mote, **place)
        # Without a domain, the memory says which one is meant.
        expected = vigil_client.WrongEndpoint if "ep" in names else vigil_client.KeyChanged
        with pytest.raises(expected):
            gateway.command("mote-1", "load", 1, key=folder / "commander.jwk", timeout=0)
    assert file.read_text() == before and untrusted.sent == []


@RENAMES
def test_the_shell_signs_for_no_other_endpoint(network, untrusted, folder, names):
    untrusted.change = renaming(names)
    words = ("--url", untrusted.url, "--token", network.data_dir / "operator.token", "--key", folder / "commander.jwk", "--domain", "-")
    done = subprocess.run(
        [*java_command(), "command", *map(str, words), "mote-1", "load", "1"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "mote-1 in the domain -: the gateway answers with the endpoint" in done.stderr, done.stderr
    assert untrusted.sent == []


# ---- JavaScript -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def javascript(folder):
    """A function that runs a module with the packed client, and returns the lines that it prints."""
    openapi_tools.install(JAVASCRIPT)
    subprocess.run(["npm", "pack", "--silent", "--pack-destination", folder], cwd=JAVASCRIPT, check=True, capture_output=True, timeout=120)
    # It has no dependencies, so npm would do no more than this.
    (folder / "node_modules").mkdir()
    [packed] = folder.glob("vigil-client-*.tgz")
    with tarfile.open(packed) as files:
        files.extractall(folder / "node_modules", filter="data")
    (folder / "node_modules/package").rename(folder / "node_modules/vigil-client")

    def run(code, **environment):
        done = subprocess.run(
            ["node", "--input-type=module", "-e", code], cwd=folder, env=os.environ | environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run


def of_document(document, network):
    blocks = re.findall(r"^```js\n(.*?)^```", document.read_text(), re.M | re.S)
    return [block.replace("http://127.0.0.1:8080", network.http).replace("TOKEN", token(network)) for block in blocks]


def test_the_readmes_javascript_runs_with_the_installed_package(network, folder, javascript):
    read, found, commanded = of_document(JAVASCRIPT / "README.md", network)
    assert re.fullmatch(r"[\d.]+ / 20\S+Z true", javascript(read)[0])
    lines = javascript(found)
    assert any(line.startswith("mote-2 load") for line in lines) and len(lines) > 7
    assert "mote-1" in (folder / "keys.json").read_text()
    assert javascript(commanded) == ["confirmed true"]
    (folder / "keys.json").unlink()
    assert [line for block in of_document(REPOSITORY / "docs/guide/clients.md", network) for line in javascript(block)][0].endswith(" true")


IN_JAVASCRIPT = """
import { readFileSync } from "node:fs";
import { Gateway } from "vigil-client";
const [url, other, token, forger] = JSON.parse(process.env.GIVEN);
const key = JSON.parse(readFileSync("commander.jwk", "utf8"));
async function refused(call) {
  try { await call(); console.log("nothing was refused"); } catch (problem) { console.log(`${problem.name}: ${problem.message}`); }
}
"""


def in_javascript(javascript, code, *given, **environment):
    return javascript(IN_JAVASCRIPT + code, GIVEN=json.dumps([*given, None, None, None, None][:4]), **environment)


def test_both_clients_read_the_same(network, javascript, gateway):
    """The order of the observed values of one resource, the last of which Python then finds in the history."""
    lines = in_javascript(javascript, """
const gateway = new Gateway(url);
const seen = [];
for await (const one of gateway.observe("mote-2", "load")) if (seen.push(one) === 3) break;
for (const { number, value, time, key, original } of seen) {
  console.log(JSON.stringify([number, value, time.getTime() / 1000, key, original]));
}
""", network.http)
    seen = [json.loads(line) for line in lines]
    kept = {one.number: one for one in gateway.history("mote-2", "load")}
    assert len(seen) == 3 and seen[0][0] < seen[1][0] < seen[2][0]
    assert [[one, kept[one].value, kept[one].time.timestamp(), kept[one].key, kept[one].original] for one, *_ in seen] == seen


def test_a_javascript_observation_resumes_after_a_broken_connection(untrusted, javascript):
    untrusted.cut_streams = 2
    lines = in_javascript(javascript, """
const readings = [];
for await (const one of new Gateway(url).observe()) if (readings.push(one) === 20) break;
for (const { endpoint, resource, number, verified } of readings) console.log(JSON.stringify([`${endpoint}/${resource}`, number, verified]));
""", untrusted.url)
    resumed = [headers.get("Last-Event-ID") for path, headers in untrusted.asked if path.startswith("/api/events")]
    assert resumed[0] is None and len(resumed) >= 3 and int(resumed[1]) < int(resumed[2])
    numbers = {}
    for name, number, verified in map(json.loads, lines):
        assert verified and number > numbers.get(name, -1)
        numbers[name] = number


def test_javascript_commands_are_confirmed_refused_and_cancelled(network, javascript):
    assert in_javascript(javascript, """
const gateway = new Gateway(url, { token });
for (const value of [0, "bright"]) {
  const { state, reason, verified, confirmation } = await gateway.command("lamp", "led", value, { key });
  console.log(state, reason, verified, confirmation?.endpoint);
}
const waiting = await gateway.command("mote-1", "load", 1, { key, timeout: 0 });
console.log(waiting.state);
await gateway.cancel(waiting);
for await (const { state, ended } of gateway.follow(waiting)) console.log(ended && ["cancelled", "refused"].includes(state));
""", network.http, None, token(network)) == ["confirmed undefined true lamp", "refused 400 false undefined", "queued", "true"]


def test_bad_input_has_the_same_errors_in_javascript(network, javascript):
    lines = in_javascript(javascript, """
const gateway = new Gateway(url);
await refused(() => gateway.read("nobody", "load"));
await refused(() => gateway.read("mote-1", "wind"));
await refused(() => new Gateway(url, { token: "wrong" }).read("mote-1", "load"));
await refused(() => gateway.command("mote-1", "load", 1, { key: JSON.parse(forger) }));
await refused(() => new Gateway("http://127.0.0.1:4").read("mote-1", "load"));
await refused(() => new Gateway("http://127.0.0.1:4").observe().next());
await refused(() => new Gateway(url).read("mote-1", "load", { pin: "A".repeat(43) }));
await refused(() => new Gateway(other).read("mote-1", "load"));
""", network.http, network.address("https://"), None, jwk.JWK.generate(kty="EC", crv="P-256").export_private())
    for line, pattern in zip(lines, (
        r"UnknownEndpoint: .*has no endpoint nobody .*endpoints\(\)", "UnknownResource: mote-1 has no resource wind; it has: load",
        "NotAllowed: .*credentials are not valid.*token", "NotAllowed: .*not a commander key.*commander",
        "Unreachable: .*127.0.0.1:4 does not answer", "Unreachable: .*127.0.0.1:4 does not answer", r'KeyChanged: mote-1/load: .*pinned A{43}.*trust\("mote-1"',
        "Unreachable: https.*certificate is trusted here"), strict=True):
        assert re.match(pattern, line), line


def test_node_trusts_the_authority_that_it_is_given(network, folder, javascript):
    (folder / "ca.pem").write_bytes(network.get("/ca.pem")[2])
    code = "console.log((await new Gateway(url).read('mote-1', 'load')).verified);"
    assert in_javascript(javascript, code, network.address("https://"), NODE_EXTRA_CA_CERTS="ca.pem") == ["true"]


PAGE = """<!DOCTYPE html><p id="shown"></p><script type="module">
import { Gateway } from "/client/dist/libraries/client-js/src/index.js";
const gateway = new Gateway(location.origin, { memory: localStorage });
for await (const { verified, number } of gateway.observe("mote-1", "load")) {
  document.getElementById("shown").textContent = `verified ${verified}, remembered ${localStorage.length}`;
  break;
}
</script>"""


@only_with_all("starts Chromium")
def test_the_javascript_client_verifies_in_a_browser(untrusted, folder, javascript):
    untrusted.files = folder / "node_modules/vigil-client"
    (untrusted.files / "page.html").write_text(PAGE)
    shown = subprocess.run(
        ["chromium", "--headless", "--no-sandbox", f"--user-data-dir={folder / 'chromium'}", "--virtual-time-budget=20000", "--dump-dom",
         untrusted.url + "/client/page.html"], capture_output=True, text=True, timeout=120)
    assert "verified true, remembered 1" in shown.stdout, shown.stdout + shown.stderr


def test_an_untrusted_gateway_is_caught_in_javascript(network, untrusted, javascript):
    """A changed, an old and a forged reading, one after the other."""
    forger = jwk.JWK.generate(kty="EC", crv="P-256")
    key = jose.CommanderKey(json.loads(forger.export_private()))
    forged = key.jws({"cty": "application/senml+json", "res": "load", "seq": 2**40}, b'[{"n":"load","u":"/","v":-1}]')
    kept = []

    def change(path, body):
        if path == "/keys/" + forger.thumbprint():
            return forger.export_public().encode()
        if not path.startswith("/ms/"):
            return body
        kept.append(body)
        first, payload, signature = body.split(b".")
        return [body, body, swapped(first) + b"." + payload + b"." + signature, first + b"." + swapped(payload) + b"." + signature,
                first + b"." + payload + b"." + swapped(signature), kept[0], forged.encode()][len(kept) - 1]

    untrusted.change = change
    lines = in_javascript(javascript, """
const gateway = new Gateway(url);
const first = await gateway.read("mote-1", "load");
// The next reading has a higher number.
for await (const { number } of new Gateway(other).observe("mote-1", "load")) if (number > first.number) break;
await gateway.read("mote-1", "load");
for (let n = 0; n < 5; n++) await refused(() => gateway.read("mote-1", "load"));
""", untrusted.url, network.http)
    assert [line.split(":")[0] for line in lines] == ["BadSignature"] * 3 + ["Replayed", "KeyChanged"], lines


@RENAMES
def test_a_renamed_endpoint_is_refused_in_javascript_too(untrusted, folder, javascript, names):
    first = """
import { fileMemory } from "vigil-client/node";
const memory = fileMemory("names.json");
const gateway = new Gateway(url, { memory });
"""
    in_javascript(javascript, first + "await gateway.read('mote-1', 'load');", untrusted.url)
    before = (folder / "names.json").read_text()
    untrusted.change = renaming(names)
    lines = in_javascript(javascript, first + """
const domain = "";
await refused(() => gateway.read("mote-1", "load", { domain }));
await refused(() => gateway.read("mote-1", "load", { domain, pin: "A".repeat(43) }));
await refused(() => gateway.observe("mote-1", "load", { domain }).next());
await refused(() => gateway.command("mote-1", "load", 1, { key, domain, timeout: 0 }));
await refused(() => gateway.command("mote-1", "load", 1, { key, timeout: 0 }));
""", untrusted.url)
    last = "WrongEndpoint" if "ep" in names else "KeyChanged"
    assert [line.split(":")[0] for line in lines] == ["WrongEndpoint"] * 4 + [last], lines
    assert (folder / "names.json").read_text() == before and untrusted.sent == []
    (folder / "names.json").unlink()
