"""cluster.yaml: its names and ports agree; with `./vigil test --all` its containers run, and are killed and restarted."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from stand_in import ROOT, commands, network_of_its_own, wait_until, why_not
from test_compose import AS_ROOT, load, loader, why_no_loader  # noqa: F401 - a fixture
from test_images import Deployment

DOCKER = ROOT / "docker"
FILE = DOCKER / "cluster.yaml"
PROJECT = "vigilcluster"
GATEWAYS = ("gateway-1", "gateway-2")
SERVERS = ("nats-1", "nats-2", "nats-3")
# The private sockets of the gateways, at which they forward records of CoAPS.
PRIVATE = ("127.0.0.1:5785", "127.0.0.1:5786")
WHY_NO_LOADER = why_no_loader()
WHY_NO_CONTAINERS = "only with ./vigil test --all" if os.environ.get("VIGIL_TEST_ALL") != "1" else why_not()
needs_loader = pytest.mark.skipif(bool(WHY_NO_LOADER), reason=WHY_NO_LOADER)
needs_containers = pytest.mark.skipif(bool(WHY_NO_CONTAINERS), reason=WHY_NO_CONTAINERS)


@pytest.fixture(scope="module")
def project(loader):  # noqa: F811
    done = load(loader, FILE, "*")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@needs_loader
def test_every_service_of_the_cluster_is_confined(project):
    assert set(project["services"]) == {"prepare", *SERVERS, *GATEWAYS, "coap-balancer", "http-balancer", "mote"}
    for name, service in project["services"].items():
        assert service["read_only"] is True and service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"] and service["ulimits"]["nofile"] <= 20000, name
        assert set(service.get("cap_add", [])) == (AS_ROOT[name] - {"NET_ADMIN"} if name == "prepare" else set()), name
        assert service["user"] == ("0:0" if name == "prepare" else "8420:8420"), name


@needs_loader
def test_servers_gateways_and_balancer_use_the_same_ports(project):
    services = project["services"]
    nats, http = (DOCKER / "cluster/nats.conf").read_text(), (DOCKER / "cluster/http_balancer.conf").read_text()
    servers = [services[name]["environment"] for name in SERVERS]
    assert re.findall(r"tls://127.0.0.1:(\d+)", nats) == [one["NATS_ROUTE_PORT"] for one in servers]
    gateways = [services[name]["environment"] for name in GATEWAYS]
    urls = ",".join(f"tls://127.0.0.1:{one['NATS_PORT']}" for one in servers)
    assert {one["VIGIL_CLUSTER_SERVERS"] for one in gateways} == {urls}
    coap, coaps, web = (
        [one[f"VIGIL_{port}"] for one in gateways] for port in ("COAP_PORT", "COAP_SECURE_PORT", "HTTP_PORT"))
    assert re.findall(r"server 127.0.0.1:(\d+) max_fails=0;", http) == web
    assert re.findall(r"proxy_next_upstream (.*);", http) == ["error timeout"], "answers of gateways are no failures"
    assert [one["VIGIL_CLUSTER_COAPS_ADDRESS"] for one in gateways] == list(PRIVATE)
    assert services["coap-balancer"]["entrypoint"][3:] == [",".join(web), "5683=" + ",".join(coap), "5684=" + ",".join(coaps)]
    assert [one["VIGIL_CLUSTER_NAME"] for one in gateways] == list(GATEWAYS)


@needs_loader
def test_secrets_of_the_cluster_are_made_and_mounted(project):
    for service in project["services"].values():
        mounted = {f"/run/secrets/{secret['target']}" for secret in service.get("secrets", [])}
        named = {value for value in service.get("environment", {}).values() if value.startswith("/run/secrets/")}
        assert named <= mounted
        for volume in service.get("volumes", []):
            if volume["type"] == "bind":
                used = set(re.findall(r"/run/secrets/[\w.-]+\w", pathlib.Path(volume["source"]).read_text()))
                assert used == mounted
    script = (DOCKER / "secrets.sh").read_text()
    made = set(re.findall(r"^ *secret (\S+)", script, re.M))
    assert {pathlib.Path(secret["file"]).name for secret in project["secrets"].values()} <= made
    handed = {volume["target"]: volume["source"] for volume in project["services"]["prepare"]["volumes"]}
    assert list(handed) == project["services"]["prepare"]["command"] and set(handed.values()) == set(project["volumes"])


def test_the_script_makes_a_key_and_certificates_that_fit(tmp_path):
    from jwcrypto import jwk

    script = shutil.copy(DOCKER / "secrets.sh", tmp_path)
    subprocess.run([script, "cluster"], check=True, timeout=60)
    folder = tmp_path / "secrets"
    files = {file.name: file.read_bytes() for file in folder.iterdir()}
    key = jwk.JWK(**json.loads(files["identity.jwk"]))
    assert key.has_private and key["crv"] == "P-256"
    signed = key.export_to_pem(private_key=True, password=None)
    assert jwk.JWK.from_pem(signed).thumbprint() == key.thumbprint(), "the point belongs to the secret"
    for name in ("nats", "nats-client"):
        subprocess.run(["openssl", "verify", "-CAfile", folder / "nats-ca.pem", folder / f"{name}.pem"], check=True, timeout=60)
    names = subprocess.run(["openssl", "x509", "-in", folder / "nats.pem", "-noout", "-ext", "subjectAltName"],
                           capture_output=True, text=True, check=True, timeout=60).stdout
    assert "DNS:localhost, IP Address:127.0.0.1" in names
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in folder.iterdir())
    subprocess.run([script, "cluster"], check=True, timeout=60)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == files


def test_the_script_says_why_openssl_refused_a_name(tmp_path):
    script = shutil.copy(DOCKER / "secrets.sh", tmp_path)
    environment = {**os.environ, "VIGIL_SECRETS": str(tmp_path / "own"), "VIGIL_NATS_NAMES": "a-name-without-its-kind"}
    done = subprocess.run([script, "cluster"], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0 and "subjectAltName" in done.stderr, done.stderr
    environment["VIGIL_NATS_NAMES"] = "DNS:nats-0.nats"
    done = subprocess.run([script, "cluster"], env=environment, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


# Reads a value through the balancer until standard input ends: prints the newest number, and every failure. A number
# falls only while the other gateway, to which the balancer has turned, does not have it yet. A request may be repeated
# once, as every HTTP client does when a connection is reset.
READER = """
import json, select, sys, time, urllib.request
url, token = sys.argv[1:]
highest, reads, failures = 0, 0, []
def read():
    request = urllib.request.Request(url, headers={"Authorization": "Bearer " + token})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)["values"][0]["seq"]
while not select.select([sys.stdin], [], [], 0.05)[0]:
    for attempt in (1, 2):
        try:
            seen = read()
            patience = time.monotonic() + 10
            while seen < highest and time.monotonic() < patience:
                seen = read()
            if seen < highest:
                failures.append(f"{seen} after {highest}")
            highest, reads = max(highest, seen), reads + 1
            break
        except OSError as reason:
            if attempt == 2:
                failures.append(repr(reason))
print(json.dumps({"reads": reads, "highest": highest, "failures": failures}))
"""


class Cluster(Deployment):
    """The containers that the README's commands start."""

    thumbprint = ""

    def container(self, service):
        return f"{self.project}_{service}_1"

    def ready(self, gateway):
        """the health check of the gateway succeeds"""
        if self.podman("inspect", "--format", "{{.State.Status}}", self.container(gateway)).strip() == "exited":
            # Podman, unlike Docker, starts no container again by itself if one that it depends on has ended.
            self.podman("start", self.container(gateway), check=False)
        command = [*self.inside, "podman", "healthcheck", "run", self.container(gateway)]
        return subprocess.run(command, env=self.engine.environment, capture_output=True).returncode == 0

    def await_ready(self, *gateways):
        for gateway in gateways or GATEWAYS:
            wait_until(lambda: self.ready(gateway), timeout=240)

    def restart(self, service):
        """By a stop and a start: `podman restart` refuses containers that depend on one that has ended."""
        self.podman("stop", "-t", "20", self.container(service))
        self.podman("start", self.container(service))

    def at(self, gateway, path, *options):
        """Asks one gateway, without the balancer."""
        return self.get(path, *options, base=f"http://127.0.0.1:808{gateway[-1]}")

    def down(self, *more, check=True):
        self.shell(" ".join(["docker compose -f docker/cluster.yaml --profile demo down", *more]), check=check)

    def endpoint(self):
        return json.loads(self.get("/api/endpoints?ep=mote-1"))["endpoints"][0]

    def newest(self):
        return self.endpoint()["high"]

    def await_updates(self, number=2, timeout=120):
        """Waits for more updates of the mote than there are now."""
        wanted = self.newest() + number

        def come():
            """more updates of the mote are stored"""
            try:
                return self.newest() >= wanted
            except (AssertionError, json.JSONDecodeError, KeyError, IndexError):
                return False

        wait_until(come, timeout=timeout)

    def servers_missing(self):
        """no server lacks messages of the stream"""
        metrics = self.at(GATEWAYS[0], "/actuator/prometheus")
        return float(re.search(r"^vigil_cluster_servers_missing (\S+)", metrics, re.M)[1])

    def reader(self):
        path = f"/api/endpoints/{self.endpoint()['id']}/resources/load/history?limit=1&order=newest"
        return subprocess.Popen([*self.inside, sys.executable, "-c", READER, f"http://127.0.0.1:8080{path}", self.token],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def cluster(podman, tmp_path_factory):
    if podman.why_no_run:
        pytest.skip(podman.why_no_run)
    podman.others_of_cluster()
    folder = tmp_path_factory.mktemp("cluster")
    shutil.copytree(DOCKER, folder / "docker", ignore=shutil.ignore_patterns(".env", "secrets", "tests"))
    (folder / "bin").mkdir()
    docker = folder / "bin/docker"
    docker.write_text(f'#!/bin/sh\n[ "$1" = compose ] || exit 2\nshift\nexec {sys.executable} -m podman_compose "$@"\n')
    docker.chmod(0o755)
    with network_of_its_own() as inside:
        running = Cluster(podman, inside, folder, PROJECT)
        running.down("-v", check=False)
        try:
            for line in commands("docker/README.md", "## Cluster"):
                running.shell(line)
            running.await_ready()
            yield running
        finally:
            for service in (*GATEWAYS, *SERVERS, "coap-balancer", "http-balancer", "mote"):
                print(f"== {service}\n{running.logs(service)[-2500:]}")
            running.down("-v", check=False)


@pytest.fixture(scope="module")
def reading(cluster):
    """The path of the mote's value, once the mote that registered through the balancer is trusted."""
    waiting = wait_until(lambda: json.loads(cluster.get("/api/keys?state=pending"))["keys"], timeout=120)
    assert [one["ep"] for one in waiting] == ["mote-1"]
    cluster.thumbprint = waiting[0]["thumbprint"]
    cluster.get(f"/api/keys/{cluster.thumbprint}/approve", "-f", "-X", "POST")

    def link():
        """the mote's value is in the directory"""
        return re.search(r"(/ms/[^/>]+/load)>", cluster.get("/rd-lookup/res?rt=load"))

    path = wait_until(link, timeout=180)[1]
    wait_until(lambda: cluster.get(path).count(".") == 2, timeout=180)
    return path


@needs_containers
def test_both_gateways_have_what_came_through_the_balancer(cluster, reading):
    from jwcrypto import jwk, jws

    key = jwk.JWK(**json.loads(cluster.get(f"/keys/{cluster.thumbprint}")))
    assert key.thumbprint() == cluster.thumbprint
    for gateway in GATEWAYS:
        wait_until(lambda: cluster.at(gateway, reading).count(".") == 2, timeout=60)
    for answer in (cluster.get(reading), *(cluster.at(gateway, reading) for gateway in GATEWAYS)):
        signed = jws.JWS()
        signed.deserialize(answer)
        signed.verify(key)
        assert "mote-1" in signed.payload.decode()
    system = json.loads(cluster.get("/api/system"))["cluster"]
    assert [one["name"] for one in system["gateways"]] == list(GATEWAYS)
    listening = cluster.engine.call("ss", "-Hlun", inside=cluster.inside).split()
    assert {*PRIVATE} <= {address.removeprefix("[::ffff:").replace("]:", ":") for address in listening}
    metrics = ("curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "http://127.0.0.1:8080/actuator/prometheus")
    token = (cluster.folder / "docker/secrets/metrics.token").read_text()
    assert cluster.engine.call(*metrics, "-H", f"Authorization: Bearer {token}", inside=cluster.inside) == "200"
    assert cluster.engine.call(*metrics, inside=cluster.inside) == "401", "the balancer is no way around the token"


@needs_containers
def test_https_of_the_balancer_serves_both(cluster, reading):
    authority = cluster.folder / "docker/secrets/balancer.pem"
    body = cluster.get(reading, "--cacert", authority, base="https://localhost:8443")
    assert body.count(".") == 2


# Whether a server lets a client in that shows no certificate: its connection ends before it is asked anything.
STRANGER = """
import socket, ssl, sys
context = ssl.create_default_context(cafile=sys.argv[1])
with socket.create_connection(("127.0.0.1", 4222), timeout=10) as plain:
    plain.recv(4096)
    try:
        with context.wrap_socket(plain, server_hostname="localhost") as secure:
            secure.sendall(b'CONNECT {"verbose":true}\\r\\nPING\\r\\n')
            print("answered" if b"+OK" in secure.recv(4096) else "refused")
    except OSError as reason:
        print("refused:", reason)
"""


@needs_containers
def test_servers_refuse_clients_without_a_certificate(cluster):
    authority = cluster.folder / "docker/secrets/nats-ca.pem"
    shown = cluster.engine.call(sys.executable, "-c", STRANGER, authority, inside=cluster.inside)
    assert shown.startswith("refused"), shown


@needs_containers
def test_gateways_restart_while_a_client_reads_and_a_mote_updates(cluster, reading):
    reader = cluster.reader()
    try:
        for gateway in GATEWAYS:
            cluster.restart(gateway)
            cluster.await_ready(gateway)
            cluster.await_updates()
    finally:
        result = json.loads(reader.communicate("\n", timeout=60)[0])
    assert result["failures"] == [] and result["reads"] > 50, result


@needs_containers
def test_servers_restart_while_a_client_reads_and_a_mote_updates(cluster, reading):
    reader = cluster.reader()
    try:
        for server in SERVERS:
            cluster.restart(server)
            cluster.await_updates()
            wait_until(lambda: cluster.servers_missing() == 0, timeout=120)
    finally:
        result = json.loads(reader.communicate("\n", timeout=60)[0])
    assert result["failures"] == [] and result["reads"] > 50, result


@needs_containers
def test_reading_and_updates_go_on_after_a_gateway_is_killed(cluster, reading):
    for gateway in GATEWAYS:
        cluster.podman("kill", "-s", "KILL", cluster.container(gateway))
        assert cluster.get(reading).count(".") == 2
        cluster.await_updates()
        cluster.podman("start", cluster.container(gateway), check=False)
        cluster.await_ready(gateway)


# Names an endpoint, which needs the servers; prints the status last.
LABEL = ("-X", "PUT", "-H", "Content-Type: application/json", "-d", '{"name": "hall"}', "-w", "\\n%{http_code}")


@needs_containers
def test_answers_are_marked_while_two_servers_are_stopped(cluster, reading):
    stopped = [cluster.container(server) for server in SERVERS[:2]]
    cluster.podman("stop", "-t", "20", stopped[0])
    cluster.await_updates()
    cluster.podman("stop", "-t", "20", stopped[1])

    def header():
        """answers say that they may be stale"""
        return re.search(r"(?im)^vigil-stale: (\d+)", cluster.get(reading, "-D", "-", "-o", "/dev/null"))

    assert int(wait_until(header, timeout=60)[1]) >= 1
    # A change that no server has answered yet may be stored, so it is refused only after the 30 s of each request.
    refused = cluster.get(f"/api/endpoints/{cluster.endpoint()['id']}/label", *LABEL, "-m", "40")
    assert refused.endswith("\n503"), refused
    assert cluster.get(reading).count(".") == 2, "the balancer passes the refusal on, and leaves no gateway out for it"
    cluster.podman("start", *stopped)
    wait_until(lambda: not header(), timeout=60)
    cluster.await_updates()
