"""Builds the images and runs the compose file with Podman, without a registry. For `./vigil test --all`."""

import json
import os
import re
import shutil
import subprocess
import sys
import time

import pytest
from stand_in import NUMBER, ROOT, commands, network_of_its_own, wait_until, why_not

MEGABYTE = 1_000_000
WHY_NOT = "only with ./vigil test --all" if os.environ.get("VIGIL_TEST_ALL") != "1" else why_not()
pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)


def test_the_gateway_s_image_has_at_most_250_megabytes(engine):
    size = engine.compressed_size("vigil-gateway")
    print(f"vigil-gateway: {size / MEGABYTE:.0f} MB compressed")
    assert size <= 250 * MEGABYTE


@pytest.mark.parametrize(
    ("image", "command", "shown"),
    [
        ("vigil-gateway", ["/opt/java/runtime/bin/java", "@/usr/lib/vigil/java.options", "--help"], "verify"),
        ("vigil-mote", ["/usr/bin/vigil-mote", "--help"], "--mirror URI"),
        ("vigil-prepare", ["ip", "-V"], "iproute2"),
        ("vigil-ipsec-peer", ["python3", "-c", "import scapy.layers.ipsec as ipsec; print(sorted(ipsec.CRYPT_ALGOS))"], "AES-CBC"),
    ],
)
def test_each_image_s_program_starts(engine, image, command, shown):
    container = engine.call("buildah", "from", image).strip()
    try:
        assert shown in engine.call("buildah", "run", "--isolation", engine.isolation, "--network", "none", container, "--", *command)
    finally:
        engine.call("buildah", "rm", container)


def test_label_and_program_tell_the_same_build(engine):
    for target in ("prepare", "mote", "ipsec-peer", "gateway"):
        labels = json.loads(engine.call("podman", "image", "inspect", "--format", "{{json .Labels}}", f"vigil-{target}"))
        assert labels["org.opencontainers.image.revision"] == NUMBER
    container = engine.call("buildah", "from", "vigil-gateway").strip()
    try:
        program = ("/opt/java/runtime/bin/java", "@/usr/lib/vigil/java.options", "--version")
        printed = engine.call("buildah", "run", "--isolation", engine.isolation, "--network", "none", container, "--", *program)
        assert printed.splitlines()[-1] == f"Vigil {labels['org.opencontainers.image.version']}, build {NUMBER}"
    finally:
        engine.call("buildah", "rm", container)


def test_the_bills_of_materials_are_in_the_gateway_s_image(engine):
    container = engine.call("buildah", "from", "vigil-gateway").strip()
    try:
        run = ("buildah", "run", "--isolation", engine.isolation, "--network", "none", container, "--", "cat")
        folder = "/usr/share/doc/vigil/sbom"
        for name, component in (("gateway", "scandium"), ("page", "react"), ("mote", "bearssl"),
                                ("batch-verifier", "cryptography-primitives")):
            bill = json.loads(engine.call(*run, f"{folder}/{name}.cdx.json"))
            assert bill["bomFormat"] == "CycloneDX" and component in {one["name"] for one in bill["components"]}
        assert "EPL-2.0" in engine.call(*run, f"{folder}/licences.txt")
    finally:
        engine.call("buildah", "rm", container)


class Deployment:
    """A folder with the compose file, and a Compose project that the documents' commands create from it."""

    def __init__(self, engine, inside, folder, project):
        self.engine, self.inside, self.folder, self.project = engine, inside, folder, project
        self.prelude = 'curl() { command curl --fail-with-body -sS -m 20 "$@"; }'

    def shell(self, command, check=True):
        """Output of a shell in the folder; `docker compose` is podman-compose there."""
        script = f"set -euo pipefail; cd {self.folder}\n{self.prelude}\n{command}"
        more = {"COMPOSE_PROJECT_NAME": self.project, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        return self.engine.call("bash", "-c", script, inside=self.inside, check=check, timeout=600, **more)

    @property
    def token(self):
        return (self.folder / "docker/secrets/operator.token").read_text()

    def podman(self, *words, check=True):
        return self.engine.call("podman", *words, inside=self.inside, check=check)

    def inspect(self, service, form):
        return self.podman("inspect", "--format", form, f"{self.project}_{service}_1").strip()

    def execute(self, service, command):
        return self.podman("exec", f"{self.project}_{service}_1", "sh", "-c", command, check=False)

    def logs(self, service):
        return self.podman("logs", f"{self.project}_{service}_1", check=False)

    def healthy(self):
        """the health check of the gateway succeeds"""
        command = [*self.inside, "podman", "healthcheck", "run", f"{self.project}_gateway_1"]
        return subprocess.run(command, env=self.engine.environment, capture_output=True).returncode == 0

    def get(self, path, *options, base="http://127.0.0.1:8080"):
        words = ("curl", "-sS", "-m", "20", "-H", f"Authorization: Bearer {self.token}", *options)
        return self.engine.call(*words, base + path, inside=self.inside)

    def down(self, *more, check=True):
        profiles = " ".join(f"--profile {profile}" for profile in ("demo", "ipsec-peer", "mqtt", "metrics"))
        self.shell(" ".join(["docker compose -f docker/compose.yaml", profiles, "down", *more]), check=check)

    def remove(self):
        self.down("-v", check=False)


def output_with(command, wanted, run):
    """The command's output, once it succeeds and contains the text."""
    texts = []

    def succeeded():
        try:
            texts.append(run())
        except AssertionError:
            return False
        return wanted in texts[-1]

    succeeded.__doc__ = f"{command} succeeds and prints {wanted}"
    wait_until(succeeded, timeout=300)
    return texts[-1]


@pytest.fixture(scope="module")
def deployment(engine, tmp_path_factory):
    """As the commands of README.md leave it."""
    if engine.why_no_run:
        pytest.skip(engine.why_no_run)
    folder = tmp_path_factory.mktemp("deployment")
    shutil.copytree(ROOT / "docker", folder / "docker", ignore=shutil.ignore_patterns(".env", "secrets", "tests"))
    (folder / "bin").mkdir()
    docker = folder / "bin/docker"
    docker.write_text(f'#!/bin/sh\n[ "$1" = compose ] || exit 2\nshift\nexec {sys.executable} -m podman_compose "$@"\n')
    docker.chmod(0o755)
    with network_of_its_own() as inside:
        running = Deployment(engine, inside, folder, "vigiltest")
        running.remove()
        try:
            for line in commands("README.md", "## Run it for real"):
                running.shell(line)
            wait_until(running.healthy, timeout=300)
            yield running
        finally:
            print(running.logs("gateway")[-3000:])
            running.remove()


def test_the_manual_leads_to_a_reading_that_is_verified(deployment):
    """The mote's image signs it, the gateway's image serves it, and a client checks it."""
    kid = link = ""
    for line in commands("docs/guide/install-containers.md", "## Start the gateway"):
        wanted = {"state=pending": '"ep":"mote-1"', "/rd-lookup/": "/load>", "/ms/1/load": "."}
        wanted = next((text for part, text in wanted.items() if part in line), "")
        line = line.replace("THUMBPRINT", kid).replace("/ms/1/load", link or "/ms/1/load")
        if line.startswith("token="):
            deployment.prelude += "\n" + line
            continue
        text = output_with(line, wanted, lambda line=line: deployment.shell(line))
        if "state=pending" in line:
            kid = next(key["thumbprint"] for key in json.loads(text)["keys"] if key["ep"] == "mote-1")
        if "/rd-lookup/" in line:
            link = re.search(r"(/ms/[^/>]+/load)>", text)[1]
    from jwcrypto import jwk, jws as signed

    key = jwk.JWK(**json.loads(deployment.get(f"/keys/{kid}")))
    assert key.thumbprint() == kid
    reading = signed.JWS()
    reading.deserialize(text)
    reading.verify(key)
    assert "mote-1" in reading.payload.decode()


@pytest.mark.parametrize("service", ["gateway", "mote-1"])
def test_root_is_read_only_and_no_rights_are_left(deployment, service):
    shown = deployment.execute(service, "id -u; grep -E '^(Cap|NoNewPrivs)' /proc/self/status; touch /usr/x /x 2>&1")
    assert shown.startswith("8420\n") and "NoNewPrivs:\t1" in shown
    for capabilities in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert f"{capabilities}:\t0000000000000000" in shown
    assert shown.count("Read-only file system") == 2


def test_secrets_are_read_from_files_of_the_gateway_alone(deployment):
    listed = deployment.execute("gateway", "stat -c '%U %a %n' /run/secrets/*")
    assert listed.count("vigil 600 ") == 6
    everything = deployment.podman("inspect", "vigiltest_gateway_1")
    assert deployment.token not in everything
    assert deployment.execute("mote-1", "cat /run/secrets/operator.token").count("No such file") == 1
    assert "operator token in /run/secrets/operator.token" in deployment.logs("gateway")


def test_https_is_on_with_a_generated_certificate(deployment, tmp_path):
    authority = tmp_path / "ca.pem"
    authority.write_text(deployment.get("/ca.pem"))
    curl = ("curl", "-sS", "-m", "20", "--cacert", authority, "https://localhost:8443/actuator/health")
    assert '"UP"' in deployment.engine.call(*curl, inside=deployment.inside)
    assert "curl: (60)" in deployment.engine.call("curl", "-sS", "-m", "20", curl[-1], inside=deployment.inside, check=False)


def test_native_libraries_are_used_from_the_image(deployment):
    mapped = deployment.execute("gateway", "grep -o '/.*[.]so' /proc/1/maps | sort -u")
    libraries = ["libsqlitejdbc.so", "libamazonCorrettoCryptoProvider.so"]
    libraries += [name for name in ("libvigil-p256.so",) if name in deployment.execute("gateway", "ls /usr/lib/vigil/native")]
    for library in libraries:
        assert f"/usr/lib/vigil/native/{library}" in mapped
    assert "/var/lib/vigil" not in mapped and "/tmp/" not in mapped


def test_the_gateway_runs_from_the_cache_of_its_image(deployment):
    """With AOTMode=on the JVM ends if it cannot use the cache; otherwise it would continue silently."""
    assert "/usr/lib/vigil/vigil-gateway.fast/vigil.aot" in deployment.execute("gateway", "grep -o '/.*[.]aot' /proc/1/maps | sort -u")
    java = "/opt/java/runtime/bin/java -XX:AOTMode=on @/usr/lib/vigil/java.options --version"
    assert deployment.execute("gateway", java).startswith("Vigil ")


def test_the_json_log_of_the_image_begins_with_json(deployment):
    command = "run --demo --data-dir /tmp/data --coap-port 0 --coaps-port 0 --http-port 0 --zep-port 0 --for 0"
    printed = deployment.podman("run", "--rm", "--no-healthcheck", "--network", "none", "--tmpfs", "/tmp", "-e", "VIGIL_LOG_FORMAT=json",
                                "vigil-gateway", *command.split())
    assert json.loads(printed.splitlines()[0])["message"].startswith("Vigil "), printed


def test_the_gateway_uses_the_interface_that_was_made_for_it(deployment):
    shown = deployment.engine.call("ip", "-6", "-o", "address", "show", "dev", "vigil0", inside=deployment.inside)
    assert "fd00::1/64" in shown
    assert "prepared: vigil0 fd00::1/64 for user 8420" in deployment.logs("prepare")
    details = deployment.engine.call("ip", "-d", "link", "show", "dev", "vigil0", inside=deployment.inside)
    assert re.search(r"tun type tun .*persist on .*user (8420|vigil)", details), details


@pytest.mark.measures
def test_at_idle_it_holds_at_most_250_mebibytes(deployment):
    """The maximum of ten samples more than a minute after a start: an idle gateway collects every half minute."""
    for word in ("stop", "start"):
        deployment.podman(word, "vigiltest_gateway_1")
    wait_until(deployment.healthy, timeout=60)
    time.sleep(75)
    looks = []
    for _ in range(10):
        looks.append(int(deployment.execute("gateway", "grep VmRSS /proc/1/status").split()[1]) / 1024)
        time.sleep(2)
    print("vigil-gateway: MiB resident:", ", ".join(f"{one:.0f}" for one in looks))
    assert max(looks) <= 250


# Sends a CoAP ping (RFC 7252 section 4.3) until a Reset comes, and prints the time of day.
PING = """
import socket, time
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
    client.settimeout(0.02)
    client.connect(("127.0.0.1", 5683))
    for number in range(6000):
        try:
            client.send(bytes([0x40, 0, number >> 8, number & 255]))
            client.recv(100)
            break
        except OSError:
            time.sleep(0.01)
print(time.time())
"""


@pytest.mark.measures
def test_it_answers_coap_within_two_and_a_half_seconds(deployment):
    """The best of three starts, measured from the start of the process, because other load slows a start."""
    seconds = []
    for _ in range(3):
        deployment.podman("stop", "vigiltest_gateway_1")
        with subprocess.Popen([*deployment.inside, sys.executable, "-c", PING], stdout=subprocess.PIPE, text=True) as ping:
            deployment.podman("start", "vigiltest_gateway_1")
            answered = float(ping.communicate(timeout=120)[0])
        seconds.append(answered - float(deployment.inspect("gateway", "{{.State.StartedAt.UnixMilli}}")) / 1000)
        wait_until(deployment.healthy, timeout=60)
    measured = ", ".join(f"{one:.2f}" for one in seconds)
    print(f"vigil-gateway: CoAP after {measured} s at a load of {os.getloadavg()[0]:.1f}")
    assert min(seconds) <= 2.5


def test_a_host_reads_a_mote_in_esp(deployment):
    for line in commands("docker/README.md", "## IPsec"):
        text = output_with(line, ' 2.05 [{"' if " logs " in line else "", lambda line=line: deployment.shell(line))
    assert '"n":"mote-4/load"' in text and "in ESP" in text
    # A restarted host continues with higher numbers, which the mote accepts.
    for word in ("stop", "start"):
        answers = deployment.logs("ipsec-peer").count(" 2.05 ")
        deployment.podman(word, "vigiltest_ipsec-peer_1")
    wait_until(lambda: deployment.logs("ipsec-peer").count(" 2.05 ") > answers, timeout=120)


# Prints the topic and the content of the first message of a topic filter, or a refusal.
SUBSCRIBER = """
import sys, paho.mqtt.client as mqtt
user, password, topic = sys.argv[1:]
client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
client.username_pw_set(user, password)
def connected(client, data, flags, reason, properties):
    if reason.is_failure:
        print("refused:", reason)
        client.disconnect()
    client.subscribe(topic, qos=1)
def received(client, data, message):
    print(message.topic, message.payload.decode())
    client.disconnect()
client.on_connect, client.on_message = connected, received
client.connect("127.0.0.1")
client.loop_forever()
"""


def test_readings_reach_the_broker_of_the_profile_mqtt(deployment):
    setting, up = commands("docker/README.md", "## MQTT")
    deployment.shell(setting)
    deployment.down()  # unlike Docker, podman-compose does not recreate a running gateway because a variable changed
    deployment.shell(up)
    deployment.shell("docker compose -f docker/compose.yaml --profile demo up -d")
    wait_until(deployment.healthy, timeout=300)
    secrets = deployment.folder / "docker/secrets"

    def first(topic, user="client", password=(secrets / "mqtt-client.password").read_text()):
        return deployment.engine.call(
            "timeout", "60", sys.executable, "-c", SUBSCRIBER, user, password, topic, inside=deployment.inside)

    assert '"u":"/"' in first("vigil/-/mote-1/value/load")
    assert "mote-1" in first("homeassistant/#")
    assert first("vigil/status") == "vigil/status online\n"
    assert first("#", password="wrong").startswith("refused: Not authorized")


def test_prometheus_reads_the_gateway_and_knows_the_alertmanager(deployment):
    [line] = commands("docker/README.md", "## Metrics")
    deployment.shell(line + " prometheus alertmanager")  # Grafana's image is not available here
    base = "http://127.0.0.1:9090/api/v1"
    output_with("Prometheus", '"health":"up"', lambda: deployment.get("/targets", base=base))
    output_with("Prometheus", "127.0.0.1:9093", lambda: deployment.get("/alertmanagers", base=base).split("dropped")[0])
    rules = [rule for group in json.loads(deployment.get("/rules", base=base))["data"]["groups"] for rule in group["rules"]]
    assert len(rules) >= 10
    assert "vigil_mirror_accepted_total" in output_with(
        "Prometheus", "mirror_accepted", lambda: deployment.get("/query?query=vigil_mirror_accepted_total", base=base))
    alert = '[{"labels": {"alertname": "Tried", "instance": "here"}}]'
    alertmanager = "http://127.0.0.1:9093/api/v2"
    deployment.get("/alerts", "-f", "-H", "Content-Type: application/json", "-d", alert, base=alertmanager)
    assert '"alertname":"Tried"' in deployment.get("/alerts", base=alertmanager)


def test_a_backup_is_restored_on_another_machine(deployment):
    """Another Compose project with separate volumes stands for the other machine."""
    lines = commands("docs/guide/backup.md", "## Back up and restore with Compose")
    there = next(number for number, line in enumerate(lines) if line.startswith("# on the new machine"))
    identity, rules = deployment.get("/keys/mirror"), "/api/alarm-rules/warm"
    reading = re.search(r"(/ms/[^/>]+/load)>", deployment.get("/rd-lookup/res?ep=mote-1&rt=load"))[1]
    deployment.get(rules, "-f", "-X", "PUT", "-H", "Content-Type: application/json", "-d", '{"kind": "value", "path": "load", "above": 80}')
    for line in lines[:there]:
        deployment.shell(line)
    backup = (deployment.folder / "vigil.backup").read_bytes()
    assert backup.startswith(b'{"kind":"vigil-backup"') and deployment.inspect("gateway", "{{.State.Running}}") == "false"
    other = Deployment(deployment.engine, deployment.inside, deployment.folder, "vigilother")
    other.remove()
    try:
        for line in lines[there + 1:]:
            other.shell(line)
        wait_until(other.healthy, timeout=300)
        assert other.get("/keys/mirror") == identity
        assert '"above":80' in other.get(rules)
        assert '"u":"/"' in other.get(reading, "-f", "-H", "Accept: application/senml+json")
        assert "restored from the backup of" in other.get("/api/audit")
    finally:
        print(other.logs("gateway")[-3000:])
        other.remove()
