"""Two gateways on one cluster of three nats-servers behave as one; any of these processes may be killed."""

import http.client
import http.server
import json
import queue
import re
import shutil
import signal
import subprocess
import threading
import time

import floor_plan
import nats
import pytest
from mirror_peer import api
from processes import MOTE, REPOSITORY, Gateway, Process, java_command, only_with_all, wait_until
from test_dtls_mote import IDENTITY, KEY, Relay, handshakes, key, mote, secure_mote  # noqa: F401 (fixtures)

PATH = "load"


class Receiver:
    """A webhook's server that keeps the events which it accepted."""

    def __init__(self):
        events = self.events = queue.Queue()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(204)
                self.end_headers()
                events.put(json.loads(body))

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Site:
    """Three servers, a webhook's receiver, and gateways `a` and `b` with data folders of their own."""

    def __init__(self, folder):
        self.folder = folder
        self.servers = nats.NatsCluster()
        self.servers.start_all()
        self.receiver = Receiver()
        self.gateways = {}
        self.motes = []
        secret = folder / "webhook.secret"
        secret.touch(0o600)
        secret.write_text("the secret of the webhook")
        self.config = folder / "site.yaml"
        self.config.write_text(
            f"vigil:\n  coap:\n    dtls:\n      psk: {{{IDENTITY}: '{KEY}'}}\n"
            "  northbound:\n    webhook:\n      app:\n"
            f"        url: {self.receiver.url}\n        secret-file: {secret}\n"
            "  cluster:\n    snapshots:\n      every: 3s\n      messages: 100\n"
            "      keep-messages: 20\n      keep-age: 5s\n")
        self.config.chmod(0o600)

    def start(self, name, **settings):
        data = self.folder / name
        if self.gateways and not data.exists():
            data.mkdir(0o700)
            shutil.copy2(next(iter(self.gateways.values())).data_dir / "identity.jwk", data / "identity.jwk")
        # The stream keeps so few messages that it may leave a starting gateway behind. Such a gateway ends, and a supervisor
        # starts it again.
        for last in (False, False, True):
            gateway = self.gateways[name] = Gateway(
                data, "--demo", "--coap-port", "0", "--coaps-port", "0", "--http-port", "0", "--zep-port", "0",
                "--config", str(self.config), "--store", self.servers.urls, VIGIL_CLUSTER_NAME=name,
                VIGIL_CLUSTER_COAPSADDRESS="127.0.0.1:0", **settings)
            try:
                return gateway.ready()
            except AssertionError:
                if last or not any("restart this gateway, which then begins with a snapshot" in line for line in gateway.lines):
                    raise

    def mote(self, name, gateway):
        mote = Process(MOTE, "--ep", name, "--mirror", gateway.coap, "--wake", "1",
                       "--state", str(self.folder / f"{name}.state"), "--sensor", PATH)
        self.motes.append(mote)
        return mote

    def stop(self):
        for process in [*self.motes, *self.gateways.values()]:
            process.stop()
        self.servers.stop()
        self.receiver.stop()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    one = Site(tmp_path_factory.mktemp("cluster"))
    try:
        one.start("a")
        one.start("b")
        yield one
    finally:
        one.stop()


@pytest.fixture
def relay_to():
    """A network between a mote and one of the gateways, or the other."""

    def begin(gateway):
        relay = Relay(gateway)
        closing.append(relay)
        return relay

    closing = []
    yield begin
    for relay in closing:
        relay.close()


def token(gateway):
    return (gateway.data_dir / "operator.token").read_text().strip()


def location(mote):
    return mote.expect(r"registered at (/ms/[0-9a-z]+)", timeout=60).group(1)


def events(gateway, name, last=None):
    """The ids of the events of an endpoint, from a stream of events."""
    address = gateway.http.removeprefix("http://")
    connection = http.client.HTTPConnection(address, timeout=60)
    connection.request("GET", "/api/events", headers={
        "Authorization": "Bearer " + token(gateway), "Accept": "text/event-stream",
        **({"Last-Event-ID": last} if last else {})})
    answer = connection.getresponse()
    assert answer.status == 200
    try:
        for line in answer:
            if line.startswith(b"id:"):
                number = line[3:].strip().decode()
            if line.startswith(b"data:") and json.loads(line[5:]).get("ep") == name:
                yield number
    finally:
        connection.close()


def test_a_gateway_needs_the_identity_key_of_its_cluster(site, running):
    stranger = running(Gateway(site.folder / "stranger", "--demo", "--coap-port", "0", "--http-port", "0",
                               "--zep-port", "0", "--store", site.servers.urls, VIGIL_CLUSTER_NAME="stranger"))
    line = stranger.expect(r"^vigil: the identity key .*", timeout=180).group(0)
    assert "copy identity.jwk from the data folder of another gateway" in line
    assert stranger.child.wait(60) != 0
    assert not (site.folder / "stranger/identity.jwk").exists()


def test_a_reading_that_one_gateway_accepted_is_read_at_the_other(site):
    a, b = site.gateways["a"], site.gateways["b"]
    mote = site.mote("mote-a", a)
    where = location(mote)
    mote.expect(r"sent .*2\.0[14]", timeout=60)
    status, _, body = wait_until(lambda: (lambda r: r[0] == 200 and r)(b.get(f"{where}/{PATH}", "application/jose")))
    assert status == 200 and body.count(b".") == 2
    links = b.get("/rd-lookup/ep?ep=mote-a")[2].decode()
    assert "ep=mote-a;" in links
    stream = events(b, "mote-a")
    first, second = next(stream), next(stream)
    assert int(first) < int(second)
    # A stream that continues has only the newest change of an endpoint.
    assert int(next(events(a, "mote-a", last=first))) >= int(second), "each gateway continues a stream of the other"


def test_tokens_and_keys_are_the_same_on_both_gateways(site):
    a, b = site.gateways["a"], site.gateways["b"]
    assert token(a) == token(b)
    assert a.get("/keys/mirror")[2] == b.get("/keys/mirror")[2]
    status, _, made = api(a, "POST", "/api/tokens", token(a), {"name": "reader", "roles": ["viewer"]})
    assert status in (200, 201), made
    assert wait_until(lambda: api(b, "GET", "/api/endpoints", made["token"])[0] == 200)
    assert api(a, "DELETE", f"/api/tokens/{made['id']}", token(a))[0] in (200, 204)
    wait_until(lambda: api(b, "GET", "/api/endpoints", made["token"])[0] == 401, timeout=60)


def test_a_floor_plan_is_shown_by_both_gateways(site):
    a, b = site.gateways["a"], site.gateways["b"]
    image, drawing = floor_plan.save(a, token(a))
    wait_until(lambda: floor_plan.shown(b, token(b), image) == drawing)


def test_a_record_at_another_gateway_is_forwarded_to_its_session(site, mote, relay_to):
    a, b = site.gateways["a"], site.gateways["b"]
    relay = relay_to(a)
    before = handshakes(a), handshakes(b)
    one = mote("dtls-1", relay.uri)
    one.expect(r"^sent load seq \d+ 2\.0[14]")
    relay.lead_to(b)
    for _ in range(3):
        one.expect(r"^sent load seq \d+ 2\.04")
        relay.move()
    assert sum(line.startswith("DTLS session") for line in one.lines) == 1
    assert (handshakes(a), handshakes(b)) == (before[0] + 1, before[1])


def test_the_other_gateway_serves_and_delivers_after_kill_9(site):
    a, b = site.gateways["a"], site.gateways["b"]

    def all_servers_follow():
        """each server has the newest message and answers; a busy one may lag behind for a moment"""
        cluster = cluster_of(b)
        return cluster["servers"] == 3 and cluster["silentSeconds"] == 0 and cluster

    cluster = wait_until(all_servers_follow)
    assert cluster["duties"] == "a", "the first one has the duties"
    assert [one["name"] for one in cluster["gateways"]] == ["a", "b"]
    assert all(abs(one["clockAheadSeconds"]) < 30 for one in cluster["gateways"])
    assert (cluster["copies"], cluster["silentSeconds"], cluster["repairs"]) == (3, 0, [])
    site.motes.pop().stop()
    deliveries = delivered(site.receiver)
    assert deliveries == sorted(set(deliveries)), "each reading is delivered once, in order"
    a.stop(signal.SIGKILL)
    b.expect(r"this gateway, b, has the duties", timeout=60)  # the lease ends after 7 s
    mote = site.mote("mote-a", b)
    mote.expect(r"sent .*2\.0[14]", timeout=60)
    last = deliveries[-1]
    more = [number for number in delivered(site.receiver, beyond=last)]
    assert more == sorted(more), "the order of an endpoint is kept"

    def only_a_is_silent():
        """gateway b has reported itself in the last five seconds, and a has not"""
        silent = {one["name"]: one["silentSeconds"] for one in cluster_of(b)["gateways"]}
        return silent["a"] > 5 > silent["b"]

    wait_until(only_a_is_silent)
    site.start("a")
    assert token(site.gateways["a"]) == token(b)


def delivered(receiver, beyond=0):
    """The numbers of mote-a's readings, at least two beyond a given one."""
    numbers = []
    deadline = time.monotonic() + 60
    while len([number for number in numbers if number > beyond]) < 2:
        event = receiver.events.get(timeout=max(0.1, deadline - time.monotonic()))["data"]
        if (event.get("ep"), event.get("path")) == ("mote-a", PATH):
            numbers.append(event["seq"])
    return numbers


def test_reading_goes_on_without_servers_and_updates_resume(site):
    b = site.gateways["b"]
    mote = site.motes[-1]
    site.servers.kill_all()
    wait_until(lambda: status_of_store(b) == "DOWN")
    status, headers, body = b.get("/rd-lookup/res?ep=mote-a")
    assert status == 200 and b"load" in body
    assert int(headers["Vigil-Stale"]) >= 1, "the answer says that it may be old"
    assert b.get("/actuator/health/serving")[0] == 200, "a balancer goes on sending readers"
    site.servers.start_all()
    wait_until(lambda: status_of_store(b) == "UP")
    # A busy server may be silent for a moment.
    wait_until(lambda: "Vigil-Stale" not in b.get("/rd-lookup/res?ep=mote-a")[1])
    mote.expect(r"sent .*2\.0[14]", timeout=60)


@only_with_all("all servers lose data")
def test_a_gateway_stores_again_what_all_servers_have_lost(site):
    a, b = site.gateways["a"], site.gateways["b"]
    a.stop()
    site.servers.kill_all()
    site.servers.keep_disks()
    site.servers.start_all()
    wait_until(lambda: status_of_store(b) == "UP")
    on_kept_disks = wait_until(site.servers.stream)["state"]["last_seq"]
    wait_until(lambda: cluster_of(b)["position"] > on_kept_disks)
    number = registered(b)[1]
    newest = wait_until(lambda: (lambda now: now[1] > number and now)(registered(b)))
    site.motes[-1].stop()
    site.servers.kill_all()
    site.servers.put_disks_back()
    site.servers.start_all()
    assert ended(b) == 1, "the gateway ends, so that its supervisor starts it again"
    b = site.start("b")
    assert registered(b)[0] == newest[0] and registered(b)[1] >= newest[1]
    decisions = api(b, "GET", "/api/audit", token(b))[2]["decisions"]
    assert any("repaired the cluster" in one["what"] for one in decisions), decisions
    alarm = wait_until(lambda: next(iter(api(b, "GET", "/api/alarms?kind=cluster-repaired", token(b))[2]["alarms"]), None))
    assert alarm["part"] == "b" and "gateway" not in alarm and "check the servers' disks" in alarm["text"]
    mote = site.mote("mote-a", b)
    mote.expect(r"sent .*2\.0[14]", timeout=60)


def test_a_new_gateway_begins_with_a_snapshot(site):
    b = site.gateways["b"]
    before = registered(b)
    snapshot = wait_until(lambda: cluster_of(b)["firstPosition"] > 1 and cluster_of(b).get("snapshot"))
    assert snapshot["position"] > 0 and snapshot["octets"] > 0 and snapshot["ageSeconds"] < 60
    c = site.start("c")
    assert any("the replica begins with the snapshot of position" in line for line in c.lines), c.tail()
    assert registered(c)[0] == before[0] and registered(c)[1] >= before[1]
    assert token(c) == token(b)
    c.stop()


@only_with_all("waits for three periods")
def test_snapshots_that_fail_are_an_alarm(site):
    b, bucket = site.gateways["b"], "OBJ_vigil-snapshots"
    wait_until(lambda: cluster_of(b).get("snapshot"))

    def limit(octets):
        settings = site.servers.ask(f"$JS.API.STREAM.INFO.{bucket}")["config"]
        answer = site.servers.ask(f"$JS.API.STREAM.UPDATE.{bucket}", settings | {"max_bytes": octets})
        assert "error" not in answer, answer

    def state():
        alarms = api(b, "GET", "/api/alarms?kind=cluster-snapshot-old", token(b))[2]["alarms"]
        return alarms and alarms[0]["state"]

    limit(1)
    rule = {"kind": "cluster-snapshot-old", "holdSeconds": 0}
    assert api(b, "PUT", "/api/alarm-rules/cluster-snapshot-old", token(b), rule)[0] == 200
    wait_until(lambda: state() == "active")
    limit(-1)
    wait_until(lambda: state() == "cleared")


def test_a_gateway_that_cannot_read_the_stream_ends(site):
    # A busy server may answer late.
    wait_until(lambda: (site.servers.ask("vigil.e.=.stranger", {"nothing": "of this kind"}) or {}).get("seq"))
    b = site.gateways["b"]
    assert ended(b) == 1
    b.expect(r"the stream vigil has an unreadable message at position \d+ \(.*\): upgrade this gateway")
    guide = (REPOSITORY / "docs/guide/cluster-operation.md").read_text()
    way_out = guide[guide.index("An unreadable message"):].split("\n\n", 1)[0]
    assert "upgrade the gateways" in way_out and "`nats stream rm vigil`" in way_out


@only_with_all("starts three gateways")
def test_a_gateway_moves_into_a_cluster_and_back(site, tmp_path, running):
    options = ["--demo", "--coap-port", "0", "--coaps-port", "0", "--http-port", "0", "--zep-port", "0"]
    urls = site.servers.urls
    single = running(Gateway(tmp_path / "data", *options)).ready()
    status, _, made = api(single, "POST", "/api/tokens", token(single), {"name": "reader", "roles": ["viewer"]})
    assert status in (200, 201), made
    mirror = single.get("/keys/mirror")[2]
    single.stop()
    into = migrate("--from", tmp_path / "data", "--to", urls, "--stream", "moved")
    assert re.search(r"both sides have \d+ names, \d+ facts", into), into
    shared = running(Gateway(tmp_path / "data", *options, "--store", urls, VIGIL_CLUSTER_NAME="a",
                             VIGIL_CLUSTER_STREAM="moved")).ready()
    assert api(shared, "GET", "/api/endpoints", made["token"])[0] == 200
    assert shared.get("/keys/mirror")[2] == mirror
    second = tmp_path / "second"
    second.mkdir(0o700)
    shutil.copy2(tmp_path / "data/identity.jwk", second / "identity.jwk")
    assert "still writes" in migrate("--from", urls, "--to", second, "--stream", "moved", fails=True)
    shared.stop()
    migrate("--from", urls, "--to", second, "--stream", "moved")
    back = running(Gateway(second, *options)).ready()
    assert api(back, "GET", "/api/endpoints", made["token"])[0] == 200
    assert back.get("/keys/mirror")[2] == mirror


def migrate(*arguments, fails=False):
    done = subprocess.run([*java_command(), "migrate", *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert (done.returncode != 0) == fails, done.stderr
    return done.stdout + done.stderr


def cluster_of(gateway):
    return api(gateway, "GET", "/api/system", token(gateway))[2]["cluster"]


def ended(gateway):
    """The exit code of a gateway that ends by itself."""
    try:
        return gateway.child.wait(120)
    except subprocess.TimeoutExpired:
        raise AssertionError(f"it runs on, with {cluster_of(gateway)}:\n{gateway.tail(4000)}") from None


def registered(gateway):
    """Location and newest number of the mote."""
    endpoint = api(gateway, "GET", "/api/endpoints?ep=mote-a", token(gateway))[2]["endpoints"][0]
    return endpoint["id"], endpoint["high"]


def status_of_store(gateway):
    parts = api(gateway, "GET", "/api/system", token(gateway))[2]["parts"]
    return next(part["status"] for part in parts if part["name"] == "store")
