"""Each page of the application in Chromium, as an administrator, against one gateway with motes of every kind."""

import http.server
import json
import os
import pathlib
import re
import secrets
import shlex
import subprocess
import sys
import threading

import pytest
from jwcrypto import jwk
from processes import ALL, MOTE, REPOSITORY, Gateway, Process, eui64, java_command, mote, only_with_all

# lab: trusted on first use, with a commander; careful: an operator approves each key; stock: imported keys.
SETTINGS = """vigil:
  anonymous-read: false
  accounts.oidc:
    issuer: %s
    client-id: vigil
    client-secret-file: %s
    name: Plant login
    account-claim: preferred_username
    roles: [{value: crew, roles: [operator]}]
  domains:
    lab: {trust: first-use, commanders: ['%s']}
    careful: {trust: approve}
    stock: {trust: listed}
  automations: {commander-key: %s}
  web-push: {contact: 'mailto:ops@example.org', services: [push.example]}
  northbound.webhook.chat:
    url: %s
    events: [alarm]
    body: '{"text": "{{heading}}: {{text}}"}'
"""


class Chat:
    """A service that receives alarms in its own form."""

    def __init__(self):
        self.texts = texts = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                texts.append(json.loads(self.rfile.read(int(self.headers["Content-Length"])))["text"])
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"ok")

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_port}/chat"


# The password that e2e/accounts.e2e.mjs chooses in place of the one-time one.
PASSWORD = "several words are fine"

# The gateway (0) hears all motes but the third, which only the first one hears.
LINKS = [("0", eui64(1)), ("0", eui64(2)), ("0", eui64(4)), (eui64(1), eui64(3))]


def associations(folder):
    """A file of associations for the gateway and one for the fourth mote."""
    ends = "fd00::56:4947:494c:1004", "fd00::56:4947:494c:1"
    both = [(1, ends, os.urandom(19).hex()), (2, ends[::-1], os.urandom(19).hex())]
    files = []
    for name, ways in (("gateway", ("in", "out")), ("mote-4", ("out", "in"))):
        file = folder / f"{name}.sa"
        file.write_text("".join(
            f"{way} esp ccm8 0x1100000{spi} {source} {destination} {key}\n"
            for way, (spi, (source, destination), key) in zip(ways, both)))
        file.chmod(0o600)
        files.append(file)
    return files


def chromium(script, **variables):
    """Runs tests of the pages in Chromium; takes screenshots if VIGIL_SHOTS names a folder, and with --all."""
    environment = os.environ | {"VIGIL_PYTHON": sys.executable} | variables
    if ALL:
        environment.setdefault("VIGIL_SHOTS", str(REPOSITORY / "target/shots"))
    if "VIGIL_SHOTS" in environment:
        os.makedirs(environment["VIGIL_SHOTS"], exist_ok=True)
    done = subprocess.run(["npm", "run", "--silent", script], cwd=REPOSITORY / "gateway/web-ui", env=environment,
                          capture_output=True, text=True, timeout=900)
    print(done.stdout, done.stderr)
    assert done.returncode == 0, done.stdout
    assert re.search(r"^[1-9]\d* passed, 0 failed$", done.stdout, re.M), done.stdout


def test_an_administrator_signs_in_and_every_page_does_its_task(tmp_path, running):
    commander = jwk.JWK.generate(kty="EC", crv="P-256")
    public = tmp_path / "commander.jwk"
    public.write_text(commander.export_public())
    config = tmp_path / "site.yaml"
    secret = tmp_path / "client.secret"
    secret.touch(0o600)
    secret.write_text(secrets.token_hex())
    provider = running(Process("node", REPOSITORY / "gateway/web-ui/e2e/provider.mjs", secret.read_text()))
    issuer = provider.expect(r"^issuer (\S+)").group(1)
    chat = Chat()
    private = tmp_path / "automations.jwk"
    private.touch(0o600)
    private.write_text(commander.export_private())
    config.write_text(SETTINGS % (issuer, secret, commander.export_public(), private, chat.url))
    air = tmp_path / "air.txt"
    air.write_text("".join(f"{one} {other}\n" for one, other in LINKS))
    ours, theirs = associations(tmp_path)
    gateway = running(Gateway(tmp_path / "data", "--demo", "--config", str(config), "--coap-port", "0",
                              "--http-port", "0", "--zep-port", "0", "--topology", str(air), "--sa", str(ours),
                              "--new-sa"))
    password = gateway.expect(r"^sign in as admin with the one-time password (\S+)$", timeout=180).group(1)
    gateway.ready()

    def over_udp(name, domain, *options, state=None):
        return running(Process(MOTE, "--ep", name, "--domain", domain, "--mirror", gateway.coap, "--wake", "1",
                               "--state", str(tmp_path / f"{state or name}.state"), *options))

    def key(process):
        return process.expect(r"^new key (\S+)").group(1)

    boiler = over_udp("boiler", "lab", "--sensor", "load", "--actuator", "led",
                      "--actuator", "level;minimum=0;maximum=100;multipleOf=5", "--actuator", 'mode;enum="1 2 4"',
                      "--actuator", 'valve;enum="0 1"', "--commander", str(public))
    over_udp("visitor", "careful", "--sensor", "load")
    # A mote whose key waits, and which the test of the approval starts again: by then it would retry once a minute.
    guest = [MOTE, "--ep", "guest", "--domain", "careful", "--mirror", gateway.coap, "--wake", "1", "--sensor", "load",
             "--state", str(tmp_path / "guest.state")]
    refused = running(Process(*guest))
    refused.expect(r"refused .* 4\.03")
    refused.stop()
    # A mote that the test of its label starts: until then it has a key, and no gateway.
    arrival = [MOTE, "--ep", "arrival", "--domain", "careful", "--wake", "1", "--sensor", "load",
               "--state", str(tmp_path / "arrival.state")]
    unborn = running(Process(*arrival, "--mirror", "coap://127.0.0.1:9", "--count", "1"))
    printed = key(unborn)
    unborn.stop()
    sheet = tmp_path / "arrival.svg"
    # A thumbprint may begin with a hyphen.
    subprocess.run([*java_command(), "label", "arrival", "--domain=careful", f"--key={printed}", f"--page={gateway.http}",
                    f"--out={sheet}"], check=True, timeout=60)
    newcomer = over_udp("newcomer", "careful", "--sensor", "load")
    pump = over_udp("pump", "lab", "--sensor", "load")
    leaver = over_udp("leaver", "lab", "--sensor", "load")
    router = running(mote("mote-1", gateway, tmp_path / "mote-1.state", mirror=gateway.routed))
    sleeper = running(mote("mote-2", gateway, tmp_path / "mote-2.state"))
    protected = running(mote("mote-4", gateway, tmp_path / "mote-4.state", "--sa", str(theirs), "--new-sa", "--nhc",
                             mirror=gateway.routed))
    for one in (boiler, pump, leaver, router, sleeper, protected):
        one.expect(r"sent .*2\.0[14]", timeout=60)
    leaver.stop()
    running(mote("mote-3", gateway, tmp_path / "mote-3.state", mirror=gateway.routed))
    impostor = over_udp("pump", "lab", "--sensor", "load", state="impostor")

    # The one-time password is printed and kept in a file until it is replaced.
    file = tmp_path / "data/admin.password"
    assert file.read_text().strip() == password
    chromium("e2e:accounts", VIGIL_URL=gateway.http, VIGIL_PASSWORD=password, VIGIL_ISSUER=issuer,
             VIGIL_PROVIDER=str(provider.child.pid))
    assert not file.exists()
    chromium("e2e:pages", VIGIL_URL=gateway.http, VIGIL_PASSWORD=PASSWORD, VIGIL_ASSOCIATIONS=ours.read_text(),
             VIGIL_COMMANDER=json.dumps(json.loads(commander.export_private())),
             VIGIL_NEWCOMER=key(newcomer), VIGIL_IMPOSTOR=key(impostor), VIGIL_LABEL=str(sheet), VIGIL_ARRIVAL=printed,
             VIGIL_ARRIVAL_MOTE=json.dumps([*arrival, "--mirror", gateway.coap]), VIGIL_GUEST_MOTE=json.dumps(guest),
             VIGIL_CAMERA=str(tmp_path / "film.mjpeg"))
    assert [text for text in chat.texts if text.startswith("test: This is a test")], chat.texts


@only_with_all()
def test_a_new_user_walks_through_the_readmes_five_minutes(tmp_path, running):
    words = re.search(r"^## Five minutes.*?^```sh\n(.*?)^```", (REPOSITORY / "README.md").read_text(), re.M | re.S)[1]
    made, begun, verified = (line.partition("#")[0].strip() for line in words.splitlines())
    vigil = os.environ.get("VIGIL", str(REPOSITORY / "vigil"))
    subprocess.run(made.replace("./vigil", vigil), shell=True, cwd=tmp_path, check=True, timeout=120)
    demo = running(Process(*shlex.split(begun.replace("./vigil", vigil)), "--data-dir", str(tmp_path / "data"),
                           "--coap-port", "0", "--coaps-port", "0", "--http-port", "0", "--zep-port", "0", cwd=tmp_path))
    password = demo.expect(r"^sign in as admin with the one-time password (\S+)$", timeout=300).group(1)
    http = demo.expect(r"^ready .*?(http://127\S+)").group(1)
    key = demo.expect(r"^mote-1: new key (\S+)").group(1)
    chromium("e2e:walk", VIGIL_URL=http, VIGIL_PASSWORD=password, VIGIL_KEY=key,
             VIGIL_COMMANDER=(tmp_path / "my-key.jwk").read_text(), VIGIL_EXPORT=str(tmp_path / "mote-1.jsonl"))
    checked = subprocess.run(verified.replace("./vigil", vigil).replace("KEY", key), shell=True, cwd=tmp_path,
                             capture_output=True, text=True, timeout=120)
    print(checked.stdout, checked.stderr)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.measures
@only_with_all()
def test_250_nodes_keep_the_network_page_smooth(tmp_path, running):
    gateway = running(Gateway(tmp_path / "data", "--demo", "--anonymous-read", "--coap-port", "0", "--http-port", "0",
                              "--zep-port", "0", jvm=())).ready()
    running(mote("mote-1", gateway, tmp_path / "mote-1.state")).expect(r"registered", timeout=60)
    chromium("e2e:mesh", VIGIL_URL=gateway.http)


@pytest.mark.measures
@only_with_all()
def test_ten_thousand_endpoints_keep_overview_and_list_smooth(tmp_path, running):
    config = tmp_path / "site.yaml"
    config.write_text("vigil:\n  trust: first-use\n  default-domain.limits.names-per-minute: 1000000\n")
    gateway = running(Gateway(tmp_path / "data", "--anonymous-read", "--coap-port", "0", "--http-port", "0",
                              "--config", str(config), jvm=())).ready()
    program = pathlib.Path(__file__).with_name("endpoint_load.py")
    load = running(Process(sys.executable, str(program), gateway.coap, "10000", "100"))
    load.expect(r"^registered 10000$", timeout=300)
    chromium("e2e:many", VIGIL_URL=gateway.http)
    print(load.tail(), f"load of the machine: {os.getloadavg()}")
    # Ten seconds with all updates; otherwise the page received fewer updates than the test requires.
    assert max(int(line.split()[1]) for line in load.lines if line.startswith("sent ")) >= 950, load.tail()
