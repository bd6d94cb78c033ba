"""Vigil without containers: the unit's hardening, the tree of files, and with --all the package in a separate root."""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess

import pytest
from processes import JAR, REPOSITORY, Gateway, namespace, only_with_all, wait_until
from test_starting_and_stopping import assert_json_log

PACKAGING = REPOSITORY / "packaging"
SCRIPT = REPOSITORY / "gateway/launcher/package.sh"
HOME = os.environ.get("JAVA_HOME") or str(pathlib.Path(shutil.which("java")).resolve().parents[1])
FILES = {
    "etc/vigil/application.yaml", "usr/bin/vigil", "usr/lib/systemd/system/vigil.service", "usr/lib/sysusers.d/vigil.conf",
    "usr/lib/tmpfiles.d/vigil.conf", "usr/lib/udev/rules.d/60-vigil.rules",
    "usr/share/doc/vigil/NOTICE", "usr/share/doc/vigil/copyright",
}


def sh(*command, **more):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, env=os.environ | {"JAVA_HOME": HOME}, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files(root):
    return {str(one.relative_to(root)) for one in root.rglob("*") if one.is_file()}


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_the_units_exposure_is_at_most_two():
    report = sh("systemd-analyze", "security", "--offline=true", "--threshold=20", PACKAGING / "vigil.service")
    assert float(re.search(r"exposure level for vigil.service: ([\d.]+)", report)[1]) <= 2.0


def test_the_unit_restarts_unless_a_setting_is_wrong():
    """With --all the package's unit is started, killed and misconfigured."""
    unit = (PACKAGING / "vigil.service").read_text()
    assert re.findall(r"^(?:Restart|StartLimit).*$", unit, re.M) == [
        "StartLimitIntervalSec=10min", "StartLimitBurst=6", "Restart=on-failure", "RestartPreventExitStatus=2", "RestartSec=5"]


@pytest.mark.parametrize("place, log", [("{folder}/notify", "text"), ("@vigil-test-{pid}", "json")])
def test_a_service_reports_its_state_and_logs_in_its_form(place, log, tmp_path):
    name = place.format(folder=tmp_path, pid=os.getpid())
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(name.replace("@", "\0"))
        manager.settimeout(180)
        gateway = Gateway(tmp_path / "data", "--coap-port", "0", "--http-port", "0", NOTIFY_SOCKET=name, VIGIL_LOG_FORMAT=log)
        try:
            assert manager.recv(4096) == b"READY=1"
            gateway.ready(timeout=10)
        finally:
            gateway.stop()
        assert manager.recv(4096) == b"STOPPING=1"
    if log == "text":
        assert " INFO " in gateway.lines[0] and "Vigil " in gateway.lines[0]
    else:
        assert_json_log(gateway.lines)


@pytest.mark.skipif(not shutil.which("systemd-sysusers"), reason="systemd-sysusers is not installed")
def test_the_user_and_its_data_folder_are_made(tmp_path):
    sh("bash", SCRIPT, "files", tmp_path)
    (tmp_path / "etc/group").write_text("root:x:0:\ndialout:x:20:\n")
    (tmp_path / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/sh\n")
    sh("systemd-sysusers", f"--root={tmp_path}", "vigil.conf")
    user = re.search(r"^vigil:x:\d+:\d+:.*:/var/lib/vigil:.*nologin$", (tmp_path / "etc/passwd").read_text(), re.M)
    assert user and re.search(r"^dialout:x:20:vigil$", (tmp_path / "etc/group").read_text(), re.M)
    if os.geteuid() == 0:
        sh("systemd-tmpfiles", f"--root={tmp_path}", "--create", "vigil.conf")
        assert (tmp_path / "var/lib/vigil").stat().st_mode & 0o777 == 0o700


def test_the_tree_is_complete_and_goes_away_but_for_the_settings(tmp_path):
    sh("bash", SCRIPT, "files", tmp_path)
    documents = {one for one in files(tmp_path) if one.endswith((".md", ".py", ".c"))}
    assert files(tmp_path) - documents == FILES
    assert {one for one in documents if "/guide/" in one} == {
        f"usr/share/doc/vigil/docs/guide/{page.name}" for page in (REPOSITORY / "docs/guide").glob("*.md")}
    lost = [
        f"{one}: {link}" for one in sorted(documents) if one.endswith(".md")
        for link in re.findall(r"\]\((?![a-z]+:)([^)#\s]+)", (tmp_path / one).read_text())
        if not (tmp_path / one).parent.joinpath(link).exists()]
    assert lost == [], "installed documents have the files that they link to"
    sh("bash", SCRIPT, "uninstall", tmp_path)
    assert files(tmp_path) == {"etc/vigil/application.yaml"}


def test_an_upgrade_that_fails_says_so_and_keeps_the_settings(tmp_path):
    sh("bash", SCRIPT, "files", tmp_path / "root")
    settings = tmp_path / "root/etc/vigil/application.yaml"
    settings.write_text("vigil.http.port: 80\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/jlink").symlink_to("/bin/false")
    done = subprocess.run(["bash", SCRIPT, "install", JAR, tmp_path / "root"], env=os.environ | {"JAVA_HOME": str(tmp_path)})
    assert done.returncode != 0 and settings.read_text() == "vigil.http.port: 80\n"


@pytest.mark.parametrize("arguments, added", [
    ("backup a.backup", " --config {}/etc/vigil/application.yaml"), ("backup a.backup --config=mine.yaml", ""),
    ("support", " --config {}/etc/vigil/application.yaml"), ("run", "")])
def test_a_backup_has_the_settings_of_the_service(tmp_path, arguments, added):
    sh("bash", SCRIPT, "files", tmp_path)
    script = tmp_path / "usr/bin/vigil"
    script.write_text(script.read_text().replace("/etc/vigil", f"{tmp_path}/etc/vigil").replace("/usr/lib/vigil/runtime/bin/java", "echo"))
    assert sh(script, *arguments.split()) == f"@/usr/lib/vigil/java.options {arguments}{added.format(tmp_path)}\n"


everything = only_with_all()


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    return pathlib.Path(sh("bash", SCRIPT, "package", JAR, folder, cwd=folder).strip())


@everything
def test_the_package_has_no_lintian_errors(package):
    if not shutil.which("lintian"):
        pytest.skip("lintian is not installed")
    done = subprocess.run(["lintian", "--fail-on", "error", "--allow-root", package], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@everything
def test_the_package_runs_in_a_separate_root(package, tmp_path):
    """A gateway on the package's own runtime, as the package's user, in a Debian without Java."""
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        pytest.skip("needs root and debootstrap")
    root = tmp_path / "root"
    sh("debootstrap", "--variant=minbase", "--include=systemd", "bookworm", root, timeout=900)
    shutil.copy(package, root / "vigil.deb")
    with namespace("package") as network:
        inside = [*network, "unshare", "--mount", "--pid", "--fork", f"--mount-proc={root}/proc", "chroot", root]
        sh(*inside, "dpkg", "-i", "/vigil.deb", timeout=300)
        options = (root / "usr/lib/vigil/java.options").read_text().splitlines()
        assert options[-2:] == ["-jar", "/usr/lib/vigil/vigil-gateway.fast/vigil-gateway.jar"]
        assert "-XX:+ExitOnOutOfMemoryError" in options and "-XX:AOTCache=/usr/lib/vigil/vigil-gateway.fast/vigil.aot" in options
        # The JVM ends if it cannot use the cache.
        inside += ["env", "JDK_JAVA_OPTIONS=-XX:AOTMode=on"]
        assert "Vigil" in sh(*inside, "vigil", "--version", timeout=120)
        printed = sh(*inside, "setpriv", "--reuid=vigil", "--regid=vigil", "--init-groups", "vigil", "run", "--for", "1", "--config",
                  "/etc/vigil/application.yaml", "--coap-port", "0", "--http-port", "0", timeout=300)
        assert re.search(r"^ready coap://.* https://", printed, re.M), printed
        printed = sh(*inside, "env", "VIGIL_LOG_FORMAT=json", "setpriv", "--reuid=vigil", "--regid=vigil", "--init-groups", "vigil", "run",
                  "--for", "0", "--config", "/etc/vigil/application.yaml", "--coap-port", "0", "--http-port", "0", timeout=300)
        assert json.loads(printed.splitlines()[0])["message"].startswith("Vigil "), printed
        assert (root / "var/lib/vigil/identity.jwk").stat().st_mode & 0o777 == 0o600
        sh(*inside, "dpkg", "--purge", "vigil", timeout=120)
    assert (root / "var/lib/vigil/identity.jwk").exists() and not (root / "usr/lib/vigil").exists()


@pytest.fixture
def machine(package, tmp_path):
    """A Debian with systemd in a container, and the package installed; runs a command there."""
    missing = [tool for tool in ("podman", "runc", "debootstrap") if not shutil.which(tool)]
    if os.geteuid() != 0 or missing:
        pytest.skip("needs root, podman, runc and debootstrap")
    root, name = tmp_path / "root", f"vigil-unit-{os.getpid()}"
    sh("debootstrap", "--variant=minbase", "--include=systemd,systemd-sysv", "bookworm", root, timeout=900)
    shutil.copy(package, root / "vigil.deb")
    sh("podman", "--runtime", "runc", "run", "--rm", "--detach", "--name", name, "--privileged", "--systemd", "always",
       "--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096", "--network", "none", "--rootfs", root, "/sbin/init", timeout=120)
    try:
        inside = ("podman", "exec", name)
        wait_until(lambda: "running" in subprocess.run([*inside, "systemctl", "is-system-running"], capture_output=True, text=True).stdout, timeout=120)
        sh(*inside, "dpkg", "-i", "/vigil.deb", timeout=300)
        yield lambda *command: sh(*inside, *command, timeout=120)
    finally:
        subprocess.run(["podman", "rm", "--force", "--time", "5", name], capture_output=True, timeout=60)


@everything
def test_systemd_restarts_a_killed_but_no_misconfigured_gateway(machine):
    def state(*names):
        shown = machine("systemctl", "show", "vigil", *(f"--property={name}" for name in names), "--value")
        return shown.split()

    def ready(times):
        return machine("journalctl", "--unit=vigil", "--output=cat").count("ready coap://") == times

    machine("systemctl", "start", "vigil")
    assert ready(1), "start returns when the gateway is ready"
    for restarts, signal in enumerate(("SIGKILL", "SIGABRT"), 1):
        machine("systemctl", "kill", f"--signal={signal}", "vigil")
        wait_until(lambda: ready(restarts + 1), timeout=120)
        assert state("NRestarts") == [str(restarts)]
    for line in ("vigil.log.format: loud", "vigil: ["):
        machine("sh", "-c", f"cp -p /etc/vigil/application.yaml /saved && echo '{line}' >>/etc/vigil/application.yaml && ! systemctl restart vigil")
        wait_until(lambda: state("ActiveState") == ["failed"], timeout=120)
        assert state("NRestarts", "ExecMainStatus") == ["0", "2"]
        machine("cp", "-p", "/saved", "/etc/vigil/application.yaml")
    machine("systemctl", "restart", "vigil")
    assert ready(4)
