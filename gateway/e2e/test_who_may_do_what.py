"""Registering, reading and commanding by domain, over CoAPS and HTTPS: shared keys, raw public keys and
certificates with Debian's two clients, an operator's token with curl."""

import base64
import hashlib
import json
import subprocess

import pytest
from certificates import Authority
from processes import SMALL, Gateway, fresh, wait_until
from coap import PUT, Peer
from mirror_peer import COMMANDER, READING, SENML_JSON, Endpoint, command, http, sleepy
from sleepy import JOSE
from test_certificates import NAMES, curl
from test_coaps import CLIENTS, raw_key

READER, BOSS = "reads0123456789x", "orders0123456789"


def thumbprint(pem):
    """The thumbprint of a P-256 key, as settings name it (RFC 7638)."""
    spki = subprocess.run(["openssl", "ec", "-in", str(pem), "-pubout", "-outform", "DER"],
                          check=True, capture_output=True).stdout
    x, y = (base64.urlsafe_b64encode(half).rstrip(b"=").decode() for half in (spki[-64:-32], spki[-32:]))
    text = json.dumps({"crv": "P-256", "kty": "EC", "x": x, "y": y}, separators=(",", ":"))
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


@pytest.fixture(scope="module")
def plant(tmp_path_factory):
    """Domains of one gateway, each with its own readers; commanding is a separate right."""
    folder = tmp_path_factory.mktemp("rights")
    ours = Authority(folder, "ours")
    certificate, key = ours.issue("gateway", NAMES)
    raw = raw_key(folder)
    config = folder / "mine.yaml"
    config.write_text(f"""
vigil:
  trust: first-use
  coap:
    addresses: [localhost]
    dtls:
      psk: {{reader: {READER}, boss: {BOSS}}}
      certificate: {certificate}
      key: {key}
      client-ca: {ours.certificate}
  http:
    tls: {{certificate: {certificate}, key: {key}}}
  domains:
    plant:
      read: ["psk:reader", "psk:boss", "cert:CN:reader", "rpk:{thumbprint(raw)}"]
      command: ["psk:boss", "cert:CN:boss"]
      commanders: ['{json.dumps(COMMANDER.jwk)}']
    office:
      register: ["psk:boss"]
      read: ["psk:boss"]
    lobby:
      read: [anyone]
      command: [anyone]
      commanders: ['{json.dumps(COMMANDER.jwk)}']
""")
    config.chmod(0o600)
    gateway = Gateway(folder / "data", "--config", str(config), "--coap-port", "0", "--coaps-port", "0",
                      "--http-port", "0", "--https-port", "0", jvm=SMALL)
    try:
        gateway.ready()
        gateway.folder, gateway.ours, gateway.raw = folder, ours, raw
        gateway.token = (gateway.data_dir / "operator.token").read_text().strip()
        gateway.entry = mote(gateway, "plant")
        yield gateway
    finally:
        gateway.stop()
        said = "\n".join(gateway.lines)
        assert READER not in said and BOSS not in said and gateway.token not in said


def mote(gateway, d, ep="mote"):
    endpoint = Endpoint(gateway, fresh(ep), d=d, links="</temp>,</led>")
    assert endpoint.register().code == "2.01"
    assert endpoint.update(READING).code == "2.01"
    return endpoint


def identity(gateway, client, who):
    """Credentials that identify a client."""
    if who in ("reader", "boss"):
        return ["-u", who, "-k", {"reader": READER, "boss": BOSS}[who]]
    if who == "raw key":
        return ["-M", str(gateway.raw)]
    if who == "nobody":
        return ["-R" if client.endswith("openssl") else "-C", str(gateway.ours.certificate)]
    certificate, key = gateway.ours.issue(f"{who.removeprefix('cert ')}", None)
    return ["-c", str(certificate), "-j", str(key), "-C", str(gateway.ours.certificate)]


def coaps(gateway, client, who, path, *options):
    done = subprocess.run(
        [client, "-B", "60", *identity(gateway, client, who), *options, gateway.address(r"coaps://127") + path],
        capture_output=True, timeout=90)
    return (done.stdout + done.stderr).decode(errors="replace").strip()


def put(gateway, client, who, path, octets):
    file = gateway.folder / "octets"
    file.write_bytes(octets)
    return coaps(gateway, client, who, path, "-m", "put", "-t", str(JOSE), "-f", str(file))


# Debian's OpenSSL client has no raw public keys.
READERS = [
    (client, who, code)
    for client in CLIENTS
    for who, code in (
        ("reader", ""), ("boss", ""), ("cert reader", ""), ("cert boss", "4.03"), ("cert other", "4.03"),
        ("nobody", "4.01"), ("raw key", ""),
    )
    if who != "raw key" or client == "coap-client-gnutls"
]


@pytest.mark.parametrize("client, who, code", READERS)
def test_over_coaps_a_domain_is_read_by_the_named_clients(plant, client, who, code):
    answer = coaps(plant, client, who, plant.entry.path + "/temp", "-m", "get", "-A", str(SENML_JSON))
    if code:
        assert answer.startswith(code), answer
    else:
        assert json.loads(answer) == READING


@pytest.mark.parametrize("client", CLIENTS)
def test_over_coaps_readers_may_not_command_nor_commanders_read(plant, client):
    states = plant.entry.path + "?commands"
    last_number = lambda who: coaps(plant, client, who, states, "-m", "get")
    last = int(last_number("boss"))
    order = lambda seq: command(plant.entry, last + seq, d="plant")
    led = plant.entry.path + "/led"
    for who, code in (("reader", "4.03"), ("cert reader", "4.03"), ("nobody", "4.01")):
        assert put(plant, client, who, led, order(1)).startswith(code), who
    assert last_number("reader") == str(last)
    assert put(plant, client, "boss", led, order(1)) == ""
    assert put(plant, client, "cert boss", led, order(2)) == ""
    assert last_number("cert boss") == str(last + 2)
    # The right to queue commands does not replace a commander's signature.
    assert put(plant, client, "boss", led, command(plant.entry, last + 3, d="plant", key=sleepy.Key())).startswith("4.03")
    # Only readers and commanders see the states of commands.
    for who in ("reader", "cert boss"):
        assert '"state":"queued"' in coaps(plant, client, who, states, "-m", "get", "-A", "50")
    for who, code in (("cert other", "4.03"), ("nobody", "4.01")):
        assert last_number(who).startswith(code), who


@pytest.mark.parametrize("client", CLIENTS)
def test_over_coaps_a_domain_is_registered_in_by_the_named_clients(plant, client):
    endpoint = Endpoint(plant, fresh(f"by-{client}"), d="office")
    assert endpoint.register().code == "4.01"
    file = plant.folder / "registration"
    file.write_bytes(endpoint.registration())

    def register(who):
        return coaps(plant, client, who, "/ms", "-m", "post", "-t", str(JOSE), "-f", str(file))

    assert register("reader").startswith("4.03")
    assert not register("boss").startswith("4.")
    found = f"/rd-lookup/ep?ep={endpoint.ep}"
    assert endpoint.ep in coaps(plant, client, "boss", found, "-m", "get")
    assert coaps(plant, client, "reader", found, "-m", "get") == "", "not of a domain that it may not read"


def test_over_https_named_accounts_read_and_command_a_domain(plant):
    """Checks that nobody may do in the lobby what only the operator may do in the plant."""
    trusting = ["--cacert", plant.ours.certificate, "-w", "\n%{http_code}"]
    token = ["-H", f"Authorization: Bearer {plant.token}"]
    lobby, file = mote(plant, "lobby"), plant.folder / "command"

    def ask(path, *arguments):
        code, said = curl(*trusting, *arguments, plant.address("https://") + path)
        assert code == 0, said
        body, _, status = said.rpartition("\n")
        return int(status), body

    def order(endpoint, *who):
        last = int(ask(endpoint.path + "?commands", *token)[1])
        file.write_bytes(command(endpoint, last + 1, d=endpoint.d))
        return ask(endpoint.path + "/led", *who, "-X", "PUT", "-H", "Content-Type: application/jose",
                   "--data-binary", f"@{file}")[0]

    senml = ["-H", "Accept: application/senml+json"]
    reading = (200, json.dumps(READING, separators=(",", ":")))
    assert ask(lobby.path + "/temp", *senml) == reading
    assert ask(plant.entry.path + "/temp", *senml)[0] == 401
    assert ask(plant.entry.path + "/temp", "-H", "Authorization: Bearer " + "x" * 43)[0] == 401
    assert ask(plant.entry.path + "/temp", *senml, *token) == reading
    assert order(lobby) == 204
    assert order(plant.entry) == 401
    assert order(plant.entry, *token) == 204
    assert ask(plant.entry.path + "?commands", "-H", "Accept: application/json")[0] == 401
    status, states = ask(plant.entry.path + "?commands", "-H", "Accept: application/json", *token)
    assert status == 200 and json.loads(states)["commands"][-1]["state"] == "queued"


def queued(gateway, d, operator):
    """A mote with one waiting command, and the path of that command."""
    endpoint = mote(gateway, d, "commanded")
    status, _, said = http(gateway, "PUT", endpoint.path + "/led", command(endpoint, 1, d=d),
                           Content_Type="application/jose", **operator)
    assert status == 204, said
    return endpoint, f"{endpoint.path}/led?command=1"


def state(gateway, endpoint, operator):
    path = f"/api/endpoints/{endpoint.path.rsplit('/', 1)[1]}/resources/led/commands"
    return json.loads(http(gateway, "GET", path, **operator)[2])["commands"][-1]["state"]


def test_in_a_closed_domain_only_the_mote_sees_its_commands(plant):
    operator = {"Authorization": f"Bearer {plant.token}"}
    endpoint, path = queued(plant, "plant", operator)
    stranger = Peer(plant.address("coap://127"))
    update = endpoint.jws("temp", READING)
    assert endpoint.put(update).code == "2.04"
    assert stranger.request(PUT, endpoint.path + "/temp", update, JOSE).code == "2.04", "a mere repetition"
    assert stranger.get(endpoint.path + "?pending").code == "4.03"
    assert stranger.get(path).code == "4.03"
    assert stranger.get(endpoint.path + "?commands").code == "4.01"
    assert http(plant, "GET", path)[0] == 403
    forged = Endpoint(plant, endpoint.ep, d="plant")
    forged.key.jkt, forged.seq = endpoint.key.jkt, 0
    answer = stranger.request(PUT, endpoint.path + "/temp", forged.jws("temp", READING), JOSE)
    assert answer.code == "4.01" and str(endpoint.seq) not in answer.text
    assert state(plant, endpoint, operator) == "queued"
    # The mote itself asks after its update, from the same address.
    assert path.removeprefix(endpoint.path) in endpoint.peer.get(endpoint.path + "?pending").text
    assert endpoint.peer.get(path).code == "2.05"
    wait_until(lambda: state(plant, endpoint, operator) == "fetched")


def test_only_the_mote_marks_a_command_fetched(plant):
    operator = {"Authorization": f"Bearer {plant.token}"}
    endpoint, path = queued(plant, "lobby", operator)
    assert Peer(plant.address("coap://127")).get(path).code == "2.05", "an open domain"
    cross = http(plant, "GET", path, Origin="https://evil.example", Sec_Fetch_Site="cross-site")
    assert cross[0] in (200, 403)
    assert state(plant, endpoint, operator) == "queued"
    assert endpoint.peer.get(path).code == "2.05"
    wait_until(lambda: state(plant, endpoint, operator) == "fetched")
