"""The images, built, and the compose file, run for real: by Podman, without a registry. For `./vigil test --all`."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from stand_in import ROOT, Engine, network_of_its_own, wait_until, why_not

MEGABYTE = 1_000_000
WHY_NOT = "only with ./vigil test --all" if os.environ.get("VIGIL_TEST_ALL") != "1" else why_not()
pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)


@pytest.fixture(scope="session")
def engine():
    engine = Engine()
    engine.bases()
    for target in ("prepare", "mote", "gateway"):
        engine.build(target)
    return engine


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
    ],
)
def test_each_image_s_program_starts(engine, image, command, shown):
    container = engine.call("buildah", "from", image).strip()
    try:
        assert shown in engine.call("buildah", "run", "--isolation", engine.isolation, "--network", "none", container, "--", *command)
    finally:
        engine.call("buildah", "rm", container)


def test_the_bills_of_materials_are_in_the_gateway_s_image(engine):
    container = engine.call("buildah", "from", "vigil-gateway").strip()
    try:
        run = ("buildah", "run", "--isolation", engine.isolation, "--network", "none", container, "--", "cat")
        folder = "/usr/share/doc/vigil/sbom"
        for name, component in (("gateway", "scandium"), ("page", "react"), ("mote", "bearssl")):
            bill = json.loads(engine.call(*run, f"{folder}/{name}.cdx.json"))
            assert bill["bomFormat"] == "CycloneDX" and component in {one["name"] for one in bill["components"]}
        assert "EPL-2.0" in engine.call(*run, f"{folder}/licences.txt")
    finally:
        engine.call("buildah", "rm", container)


class Deployment:
    """The compose file, run with the profile `demo`."""

    def __init__(self, engine, inside, secrets):
        self.engine, self.inside = engine, inside
        self.token = (secrets / "operator.token").read_text()
        self.variables = {"VIGIL_SECRETS": str(secrets), "COMPOSE_PROJECT_NAME": "vigiltest"}

    def compose(self, *words, **more):
        command = (sys.executable, "-m", "podman_compose", "-f", "docker/compose.yaml", "--profile", "demo", *words)
        return self.engine.call(*command, inside=self.inside, timeout=600, **self.variables, **more)

    def podman(self, *words, check=True):
        return self.engine.call("podman", *words, inside=self.inside, check=check)

    def shell(self, service, command):
        return self.podman("exec", f"vigiltest_{service}_1", "sh", "-c", command, check=False)

    def healthy(self):
        """the health check of the gateway succeeds"""
        name = "vigiltest_gateway_1"
        command = [*self.inside, "podman", "healthcheck", "run", name]
        return subprocess.run(command, env=self.engine.environment, capture_output=True).returncode == 0

    def get(self, path, *options):
        words = ("curl", "-sS", "-m", "20", "-H", f"Authorization: Bearer {self.token}", *options)
        return self.engine.call(*words, "http://127.0.0.1:8080" + path, inside=self.inside)


@pytest.fixture(scope="module")
def deployment(engine, tmp_path_factory):
    if engine.why_no_run:
        pytest.skip(engine.why_no_run)
    script = shutil.copy(ROOT / "docker/secrets.sh", tmp_path_factory.mktemp("deployment"))
    subprocess.run([script], check=True)
    with network_of_its_own() as inside:
        running = Deployment(engine, inside, tmp_path_factory.getbasetemp() / os.path.dirname(script) / "secrets")
        running.compose("down", "-v")
        try:
            running.compose("up", "-d", "--no-build")
            wait_until(running.healthy, timeout=300)
            yield running
        finally:
            print(running.podman("logs", "vigiltest_gateway_1", check=False)[-3000:])
            running.compose("down", "-v")


def test_a_reading_goes_from_the_mote_s_image_to_a_client(deployment):
    def waiting():
        """each mote's key waits for the operator"""
        keys = json.loads(deployment.get("/api/keys?state=pending"))["keys"]
        return len(keys) == 3 and keys

    kids = {key["ep"]: key["thumbprint"] for key in wait_until(waiting, timeout=120)}
    for kid in kids.values():
        deployment.get(f"/api/keys/{kid}/approve", "-X", "POST", "-f")

    def found():
        """a mote's load is in the directory, and its link leads to a JWS"""
        link = re.search(r"(/ms/[^/>]+/load)>", deployment.get("/rd-lookup/res?rt=load&ep=mote-2"))
        jws = deployment.get(link[1]) if link else ""
        return jws.count(".") == 2 and jws

    # A mote that was refused tries again later and later.
    jws = wait_until(found, timeout=300)
    from jwcrypto import jwk, jws as signed

    key = jwk.JWK(**json.loads(deployment.get(f"/keys/{kids['mote-2']}")))
    assert key.thumbprint() == kids["mote-2"]
    reading = signed.JWS()
    reading.deserialize(jws)
    reading.verify(key)
    assert "mote-2" in reading.payload.decode()


@pytest.mark.parametrize("service", ["gateway", "mote-1"])
def test_root_is_read_only_and_no_rights_are_left(deployment, service):
    shown = deployment.shell(service, "id -u; grep -E '^(Cap|NoNewPrivs)' /proc/self/status; touch /usr/x /x 2>&1")
    assert shown.startswith("8420\n") and "NoNewPrivs:\t1" in shown
    for capabilities in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert f"{capabilities}:\t0000000000000000" in shown
    assert shown.count("Read-only file system") == 2


def test_secrets_are_read_from_files_of_the_gateway_alone(deployment):
    listed = deployment.shell("gateway", "stat -c '%U %a %n' /run/secrets/*")
    assert listed.count("vigil 600 ") == 4
    everything = deployment.podman("inspect", "vigiltest_gateway_1")
    assert deployment.token not in everything
    assert deployment.shell("mote-1", "cat /run/secrets/operator.token").count("No such file") == 1
    assert "operator token in /run/secrets/operator.token" in deployment.podman("logs", "vigiltest_gateway_1")


def test_https_is_on_with_a_certificate_of_its_own(deployment, tmp_path):
    authority = tmp_path / "ca.pem"
    authority.write_text(deployment.get("/ca.pem"))
    curl = ("curl", "-sS", "-m", "20", "--cacert", authority, "https://localhost:8443/actuator/health")
    assert '"UP"' in deployment.engine.call(*curl, inside=deployment.inside)
    assert "curl: (60)" in deployment.engine.call("curl", "-sS", "-m", "20", curl[-1], inside=deployment.inside, check=False)


def test_native_libraries_are_used_from_the_image(deployment):
    mapped = deployment.shell("gateway", "grep -o '/.*[.]so' /proc/1/maps | sort -u")
    for library in ("libsqlitejdbc.so", "libamazonCorrettoCryptoProvider.so"):
        assert f"/usr/lib/vigil/native/{library}" in mapped
    assert "/var/lib/vigil" not in mapped and "/tmp/" not in mapped


def test_the_gateway_uses_the_interface_that_was_made_for_it(deployment):
    shown = deployment.engine.call("ip", "-6", "-o", "address", "show", "dev", "vigil0", inside=deployment.inside)
    assert "fd00::1/64" in shown
    assert "prepared: vigil0 fd00::1/64 for user 8420" in deployment.podman("logs", "vigiltest_prepare_1")
    details = deployment.engine.call("ip", "-d", "link", "show", "dev", "vigil0", inside=deployment.inside)
    assert re.search(r"tun type tun .*persist on .*user (8420|vigil)", details), details


def test_at_idle_it_holds_at_most_250_mebibytes(deployment):
    resident = int(deployment.shell("gateway", "grep VmRSS /proc/1/status").split()[1])
    print(f"vigil-gateway: {resident / 1024:.0f} MiB resident")
    assert resident <= 250 * 1024
