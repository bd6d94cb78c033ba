"""Vigil without containers: the unit's hardening, the tree of files, and with --all the package in a root of its own."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest
from processes import JAR, REPOSITORY, namespace

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
    told = sh("systemd-analyze", "security", "--offline=true", "--threshold=20", PACKAGING / "vigil.service")
    assert float(re.search(r"exposure level for vigil.service: ([\d.]+)", told)[1]) <= 2.0


def test_the_unit_restarts_on_exit_code_3_alone():
    unit = (PACKAGING / "vigil.service").read_text()
    assert re.findall(r"^Restart.*$", unit, re.M) == ["Restart=no", "RestartForceExitStatus=3", "RestartSec=5"]


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


everything = pytest.mark.skipif(os.environ.get("VIGIL_TEST_ALL") != "1", reason="only with ./vigil test --all")


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    return pathlib.Path(sh("bash", SCRIPT, "package", JAR, folder).strip())


@everything
def test_the_package_has_no_lintian_errors(package):
    if not shutil.which("lintian"):
        pytest.skip("lintian is not installed")
    done = subprocess.run(["lintian", "--fail-on", "error", "--allow-root", package], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@everything
def test_the_package_runs_in_a_root_of_its_own(package, tmp_path):
    """A gateway of the package's own runtime, as the package's user, in a Debian without Java."""
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
        # The JVM ends where it cannot use the cache.
        inside += ["env", "JDK_JAVA_OPTIONS=-XX:AOTMode=on"]
        assert "Vigil" in sh(*inside, "vigil", "--version", timeout=120)
        told = sh(*inside, "setpriv", "--reuid=vigil", "--regid=vigil", "--init-groups", "vigil", "run", "--for", "1", "--config",
                  "/etc/vigil/application.yaml", "--coap-port", "0", "--http-port", "0", timeout=300)
        assert re.search(r"^ready coap://.* https://", told, re.M), told
        assert (root / "var/lib/vigil/identity.jwk").stat().st_mode & 0o777 == 0o600
        sh(*inside, "dpkg", "--purge", "vigil", timeout=120)
    assert (root / "var/lib/vigil/identity.jwk").exists() and not (root / "usr/lib/vigil").exists()
