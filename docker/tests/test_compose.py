"""Loads compose.yaml with the compose specification's own loader, and compares it with the Dockerfile and the
scripts."""

import ipaddress
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent
DOCKER = HERE.parent
ROOT = DOCKER.parent
COMPOSE = DOCKER / "compose.yaml"
DOCKERFILE = (DOCKER / "Dockerfile").read_text()
OURS = ("prepare", "gateway", "mote-1", "mote-2", "mote-3", "ipsec-mote", "ipsec-peer")
AS_ROOT = {"prepare": {"CHOWN", "DAC_READ_SEARCH", "FOWNER", "NET_ADMIN"}, "ipsec-peer": {"DAC_READ_SEARCH", "NET_RAW"}}
GO = (1, 24)


def why_no_loader():
    """Missing tools of the loader; empty if none."""
    if not shutil.which("go"):
        return "the compose specification's loader needs Go (Debian: golang-go)"
    text = subprocess.run(["go", "env", "GOVERSION"], capture_output=True, text=True, check=True).stdout
    if tuple(map(int, re.findall(r"\d+", text)[:2])) < GO:
        return f"the compose specification's loader needs Go 1.24 or newer (Debian 13), this is {text.strip()}"
    return ""


WHY_NOT = why_no_loader()
pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)


@pytest.fixture(scope="session")
def loader():
    program = ROOT / "target" / "compose-loader"
    program.parent.mkdir(exist_ok=True)
    environment = {**os.environ, "GOFLAGS": "-mod=mod"}
    subprocess.run(["go", "build", "-o", program, "."], cwd=HERE, env=environment, check=True, timeout=300)
    return program


def load(program, file=COMPOSE, *profiles, **variables):
    environment = {"PATH": os.environ["PATH"], "HOME": "/", **variables}
    return subprocess.run([program, file, *profiles], capture_output=True, text=True, env=environment, timeout=60)


def project(program, *profiles, **variables):
    done = load(program, COMPOSE, *profiles, **variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="session")
def whole(loader):
    """The project with every profile."""
    return project(loader, "*")


@pytest.fixture(scope="session")
def services(whole):
    return whole["services"]


def stage(name):
    """The instructions of a stage of the Dockerfile, after the instructions of its base stages."""
    base, text = re.search(rf"^FROM (?:--\S+ )?(\S+) AS {name}\n(.*?)(?=^FROM |\Z)", DOCKERFILE, re.M | re.S).groups()
    return (stage(base) if not base.startswith("$") else "") + text.replace("\\\n", " ")


def instruction(name, word):
    """The last one, as JSON where it is."""
    text = re.findall(rf"^{word} (.*)$", stage(name), re.M)[-1]
    return json.loads(text[text.index("["):]) if "[" in text else text


def test_each_profile_starts_the_documented_services(loader):
    always = {"prepare", "gateway"}
    assert set(project(loader)["services"]) == always
    assert set(project(loader, "demo")["services"]) == always | {"mote-1", "mote-2", "mote-3"}
    assert set(project(loader, "metrics")["services"]) == always | {"prometheus", "alertmanager", "grafana"}
    assert set(project(loader, "mqtt")["services"]) == always | {"mosquitto"}
    assert set(project(loader, "ipsec-peer")["services"]) == always | {"ipsec-keys", "ipsec-mote", "ipsec-peer"}
    readme = re.findall(r"^\| `([\w-]+)` \| .* \| .* \|$", (DOCKER / "README.md").read_text(), re.M)
    assert {profile for service in project(loader, "*")["services"].values() for profile in service.get("profiles", [])} <= set(readme)


def test_the_loader_refuses_unknown_properties(loader, tmp_path):
    wrong = tmp_path / "compose.yaml"
    wrong.write_text(COMPOSE.read_text().replace("read_only: true", "readonly: true"))
    refused = load(loader, wrong)
    assert refused.returncode == 1 and "readonly" in refused.stderr


def test_every_service_is_confined(services):
    for name, service in services.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["ulimits"]["nofile"] <= 20000, name
        assert "privileged" not in service and "pid" not in service, name
        assert set(service.get("cap_add", [])) == AS_ROOT.get(name, set()), name
        assert service.get("restart") == (None if name == "prepare" else "on-failure:5"), name


def test_our_services_run_as_the_user_of_their_images(services):
    for name in OURS:
        target = services[name]["build"]["target"]
        assert services[name]["user"] == ("0:0" if name in AS_ROOT else instruction(target, "USER")), name
    user, group = services["gateway"]["user"].split(":")
    assert re.search(rf"groupadd -g {group} vigil", stage("user")) and f"useradd -u {user} " in stage("user")
    assert services["prepare"]["environment"]["VIGIL_UID"] == user
    assert services["prepare"]["environment"]["VIGIL_GID"] == group
    assert f"user={user} group={group}" in (DOCKER / "secrets.sh").read_text()


def test_another_user_is_the_user_of_all(loader):
    other = project(loader, "*", VIGIL_UID="1000", VIGIL_GID="1001")["services"]
    assert {other[name]["user"] for name in OURS} == {"1000:1001", "0:0"}
    assert other["prepare"]["environment"]["VIGIL_UID"] == "1000"


def test_volumes_are_where_the_images_keep_their_data(services):
    for name in ("gateway", "mote-1", "mote-2", "mote-3"):
        [volume] = services[name]["volumes"]
        assert volume["target"] == instruction(services[name]["build"]["target"], "VOLUME"), name
    assert f"VIGIL_DATA_DIR={instruction('gateway', 'VOLUME')}" in stage("gateway")
    handed = {volume["target"]: volume["source"] for volume in services["prepare"]["volumes"]}
    assert list(handed) == services["prepare"]["command"]
    assert set(handed.values()) == {services[name]["volumes"][0]["source"] for name in ("gateway", "mote-1")} | {"mqtt"}
    assert services["mosquitto"]["user"] == services["gateway"]["user"]


def test_the_broker_and_the_gateway_agree(loader, services):
    prefix = "VIGIL_NORTHBOUND_MQTT_BROKER_"
    settings = {name.removeprefix(prefix): value for name, value in services["gateway"]["environment"].items() if name.startswith(prefix)}
    assert settings["ENABLED"] == "false" and settings["URL"] == "mqtt://127.0.0.1"
    assert project(loader, "mqtt", VIGIL_MQTT="true")["services"]["gateway"]["environment"][prefix + "ENABLED"] == "true"
    configuration = (DOCKER / "mqtt/mosquitto.conf").read_text()
    assert re.findall(r"^listener .*$", configuration, re.M) == ["listener 1883 127.0.0.1"]
    assert "allow_anonymous false" in configuration
    volumes = {volume["target"]: volume for volume in services["mosquitto"]["volumes"]}
    assert volumes["/mosquitto/config"]["source"] == str(DOCKER / "mqtt") and volumes["/mosquitto/config"]["read_only"]
    assert re.search(r"^persistence_location (\S+)/$", configuration, re.M)[1] == volumes["/mosquitto/data"]["target"]
    users = re.findall(r"^user (\w+)$", (DOCKER / "mqtt/acl").read_text(), re.M)
    start = (DOCKER / "mqtt/start.sh").read_text()
    assert users == re.findall(r"printf '(\w+):", start) and users[0] == settings["USERNAME"]
    mounted = {f"/run/secrets/{secret['target']}" for secret in services["mosquitto"]["secrets"]}
    assert set(re.findall(r"/run/secrets/[\w.-]+\w", start)) == mounted and settings["PASSWORDFILE"] in mounted


def test_the_host_and_the_mote_that_talk_esp_agree(services):
    keys, mote, peer = (services["ipsec-" + name] for name in ("keys", "mote", "peer"))
    host, address, file, path = peer["command"]
    said = " ".join(keys["command"])
    assert f"--mote {address} --host {host} --mote-file {pathlib.Path(file).name}" in said
    assert f"--sa={pathlib.Path(file).name}" in mote["command"] and f"--sensor={path}" in mote["command"]
    eui = next(word.split("=")[1] for word in mote["command"] if word.startswith("--eui64="))
    # The interface identifier is the EUI-64 with the universal/local bit inverted (RFC 4944 section 6).
    identifier = bytes.fromhex(eui)
    assert ipaddress.ip_address(address).packed[8:] == bytes([identifier[0] ^ 2]) + identifier[1:]
    assert {service["volumes"][0]["source"] for service in (keys, mote, peer)} == {"motes"}
    assert f"address=${{VIGIL_TUN_ADDRESS:-{host}/64}}" in (DOCKER / "prepare.sh").read_text()


def test_the_health_check_is_the_image_s_own(services):
    check = services["gateway"]["healthcheck"]
    assert check["test"] == ["CMD", *instruction("gateway", "HEALTHCHECK")]
    options = re.search(r"^HEALTHCHECK (.*?) CMD", stage("gateway"), re.M)[1]
    assert options == "--interval=30s --timeout=5s --start-period=60s --retries=3"
    assert (check["interval"], check["timeout"], check["start_period"], check["retries"]) == ("30s", "5s", "1m0s", 3)
    assert re.search(rf"^COPY docker/health.sh {check['test'][1]}$", stage("gateway"), re.M)


def test_files_that_a_stage_copies_exist():
    for sources in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.M):
        for source in sources.split():
            assert (ROOT / source).exists(), source


def test_secrets_are_named_alike(whole):
    gateway = whole["services"]["gateway"]
    mounted = {secret["source"]: secret["target"] for secret in gateway["secrets"]}
    assert set(mounted) | {"mqtt_client_password"} == set(whole["secrets"])
    files = {value for value in gateway["environment"].values() if value.startswith("/run/secrets/")}
    settings = {f"/run/secrets/{target}" for target in mounted.values() if target.startswith("vigil.")}
    named = {f"/run/secrets/{target}" for target in mounted.values() if target != "backup.passphrase"}
    assert named == files | settings
    manual = (ROOT / "docs/guide/backup.md").read_text()
    assert manual.count("--passphrase-file /run/secrets/" + mounted["backup_passphrase"]) == 2
    assert "configtree:/run/secrets/" in (DOCKER / "java.options").read_text()
    made = set(re.findall(r"^secret (\S+)", (DOCKER / "secrets.sh").read_text(), re.M))
    assert made == {pathlib.Path(secret["file"]).name for secret in whole["secrets"].values()}


def test_the_tun_interface_and_the_radio_are_named_alike(loader, services):
    prepare, gateway = services["prepare"], services["gateway"]
    assert prepare["environment"]["VIGIL_TUN"] == gateway["environment"]["VIGIL_BORDER_TUN_DEVICE"] == "vigil0"
    devices = {device["target"] for device in gateway["devices"]}
    assert devices == {"/dev/net/tun", gateway["environment"]["VIGIL_BORDER_RADIOS_0_DEVICE"]}
    serial = project(loader, VIGIL_RADIO="serial", VIGIL_RADIO_DEVICE="/dev/ttyUSB0", VIGIL_TUN="")["services"]
    assert serial["gateway"]["environment"]["VIGIL_BORDER_RADIOS_0_KIND"] == "serial"
    assert serial["gateway"]["environment"]["VIGIL_BORDER_TUN_DEVICE"] == ""
    assert "/dev/ttyUSB0" in {device["source"] for device in serial["gateway"]["devices"]}


def test_mounted_files_are_there_and_ports_agree(services):
    for service in services.values():
        for volume in service.get("volumes", []):
            assert volume["type"] == "volume" or pathlib.Path(volume["source"]).exists(), volume
    port = services["gateway"]["environment"]["VIGIL_HTTP_PORT"]
    assert f"127.0.0.1:{port}" in (DOCKER / "metrics/prometheus.yaml").read_text()
    assert f" {port}/tcp" in stage("gateway")


def test_every_variable_is_in_the_readme():
    readme = (DOCKER / "README.md").read_text()
    for variable in set(re.findall(r"\$\{(\w+)", COMPOSE.read_text())):
        assert f"`{variable}`" in readme, variable


def test_secrets_are_made_once_and_only_their_owner_can_read_them(tmp_path):
    script = shutil.copy(DOCKER / "secrets.sh", tmp_path)
    subprocess.run([script], check=True, timeout=60)
    folder = tmp_path / "secrets"
    files = {file.name: file.read_text() for file in folder.iterdir()}
    random = {"operator.token", "metrics.token", "backup.passphrase", "mqtt.password", "mqtt-client.password"}
    assert set(files) == random | {"link.key", "psk.keys"}
    assert all(re.fullmatch(r"[0-9a-f]{64}", files[name]) for name in random) and len({files[name] for name in random}) == 5
    owner = 8420 if os.geteuid() == 0 else os.geteuid()
    for file in folder.iterdir():
        assert file.stat().st_mode & 0o777 == 0o600 and file.stat().st_uid == owner, file
    assert folder.stat().st_mode & 0o777 == 0o700
    assert f"VIGIL_UID={owner}\n" in (tmp_path / ".env").read_text()
    subprocess.run([script], check=True, timeout=60)
    assert {file.name: file.read_text() for file in folder.iterdir()} == files


def ignored(path):
    """Whether .dockerignore excludes a file from a build's context: the last rule that matches it or a folder above it
    decides."""
    found = False
    for rule in (ROOT / ".dockerignore").read_text().split():
        wanted, rule = rule.startswith("!"), rule.removeprefix("!")
        form = re.escape(rule).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")
        if re.fullmatch(form + "(?:/.*)?", path):
            found = not wanted
    return found


def test_the_build_context_is_small_and_has_all_copied_files():
    """Built files, third-party packages, tests and secrets are excluded."""
    files = {}
    for folder, folders, names in os.walk(ROOT):
        inside = pathlib.Path(folder).relative_to(ROOT)
        folders[:] = [name for name in folders if not ignored(str(inside / name)) or name in ("docker", "e2e")]
        files |= {str(inside / name): (ROOT / inside / name).lstat().st_size for name in names}
    context = {path: size for path, size in files.items() if not ignored(path)}
    assert sum(context.values()) < 12_000_000, sorted(context, key=context.get)[-10:]
    for sources in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.M):
        for source in sources.split():
            assert source == "." or any(f"{path}/".startswith(source.rstrip("/") + "/") for path in context), source
    for script in re.findall(r"(?<![/\w])docker/[\w-]+\.\w+", DOCKERFILE.split("ARG DEBIAN")[1]):
        assert script in context, script
    assert not [path for path in context if "secret" in path and not path.endswith(".sh") and path.startswith("docker/")]
    assert {"pom.xml", "mvnw", "gateway/app/pom.xml", "mote-firmware/Makefile"} <= set(context)


def test_each_image_has_the_version_and_the_number_of_its_build(services):
    version = re.search(r"<artifactId>vigil</artifactId>\s*<version>(.*?)</version>", (ROOT / "pom.xml").read_text())[1]
    assert f'org.opencontainers.image.version="{version}"' in stage("user")
    for name in OURS:
        target = services[name]["build"]["target"]
        assert 'org.opencontainers.image.revision="$VIGIL_BUILD_NUMBER"' in stage(target), target
        assert services[name]["build"]["args"] == {"VIGIL_BUILD_NUMBER": "unknown"}
    assert re.search(r"^ARG VIGIL_BUILD_NUMBER\nRUN \./mvnw", DOCKERFILE, re.M), "the jar's number"


def test_the_number_of_a_build_is_named_from_outside(loader):
    script = ROOT / "gateway/launcher/build-info.sh"
    number = subprocess.run(["sh", script, "number"], capture_output=True, text=True, check=True, env={**os.environ, "VIGIL_BUILD_NUMBER": ""}).stdout
    assert re.fullmatch(r"\d+-[0-9a-f]{9,}\+?\n|unknown\n", number)
    written = subprocess.run(["sh", script, "1.2"], capture_output=True, text=True, check=True, env={**os.environ, "VIGIL_BUILD_NUMBER": "7-abc"}).stdout
    assert written == "build.version=1.2\nbuild.number=7-abc\n"
    built = project(loader, VIGIL_BUILD_NUMBER="7-abc")["services"]["gateway"]["build"]
    assert built["args"] == {"VIGIL_BUILD_NUMBER": "7-abc"}
