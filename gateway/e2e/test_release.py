"""`./vigil release`: what it refuses, and with --all a whole release candidate that is checked as a user would."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile

import pytest
from processes import REPOSITORY, only_with_all

IDENTITY = {name: "Release Test" for name in ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME")} | {
    name: "release@vigil.invalid" for name in ("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL")}


def sh(*command, cwd, check=True, **more):
    environment = os.environ | IDENTITY | {"VIGIL_BUILD_NUMBER": "1-former"}
    done = subprocess.run([*map(str, command)], cwd=cwd, env=environment, capture_output=True, text=True, **more)
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture
def clone(tmp_path):
    """A clone with the last commit, and a key."""
    sh("git", "clone", "-q", REPOSITORY, tmp_path / "clone", cwd=tmp_path)
    sh("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "release", "-f", tmp_path / "key", cwd=tmp_path)
    return tmp_path / "clone"


def note(clone, version, date="2026-11-25"):
    changelog = clone / "CHANGELOG.md"
    changelog.write_text(changelog.read_text().replace("## [", f"## [{version}] - {date}\n\n- A candidate.\n\n## [", 1))
    sh("git", "commit", "-qam", "Describe the candidate", cwd=clone)


@pytest.mark.parametrize("words, sentence", [
    ([], "takes a version such as"),
    (["1.0"], "takes a version such as"),
    (["9.9.9", "--loud"], "no option '--loud'"),
    (["9.9.9", "9.9.8"], "takes one version"),
    (["9.9.9", "--key", "nothing"], "CHANGELOG.md has no line '## [9.9.9] - YYYY-MM-DD'"),
])
def test_a_wrong_call_is_explained_and_changes_nothing(clone, words, sentence):
    before = sh("git", "rev-parse", "HEAD", cwd=clone).stdout
    done = sh("./vigil", "release", *words, cwd=clone, check=False)
    assert done.returncode == 1 and sentence in done.stderr, done.stderr
    assert sh("git", "rev-parse", "HEAD", cwd=clone).stdout == before and not (clone / "target").exists()


def test_a_release_needs_a_clean_tree_a_new_tag_and_a_key(clone):
    note(clone, "9.9.9")
    for words, sentence in (([], "--key FILE"), (["--key", clone / "none"], "cannot be read"), (["--key", "pom.xml"], "does not sign")):
        assert sentence in sh("./vigil", "release", "9.9.9", *words, cwd=clone, check=False).stderr
    sh("git", "tag", "v9.9.9", cwd=clone)
    assert "v9.9.9 already exists" in sh("./vigil", "release", "9.9.9", cwd=clone, check=False).stderr
    (clone / "new").write_text("not committed")
    assert "uncommitted" in sh("./vigil", "release", "9.9.9", cwd=clone, check=False).stderr


@only_with_all("builds twice")
def test_a_candidate_is_built_reproducibly_tagged_and_signed(clone, tmp_path):
    note(clone, "9.9.9-rc.1")
    version = re.search("<version>(.*)</version>", (clone / "pom.xml").read_text())[1]
    sh("./vigil", "release", "9.9.9-rc.1", "--key", "../key", cwd=clone, timeout=7200)
    made = clone / "target/release/9.9.9-rc.1"
    sums = dict(reversed(line.split("  ")) for line in (made / "SHA256SUMS").read_text().splitlines())
    assert {"vigil-gateway-9.9.9-rc.1.jar", "vigil-9.9.9-rc.1.tar.gz", "gateway.cdx.json", "page.cdx.json", "mote.cdx.json",
            "batch-verifier.cdx.json", "licences.txt", "vigil_client-9.9.9rc1-py3-none-any.whl",
            "vigil-client-9.9.9-rc.1.tgz"} < set(sums) and any(name.endswith(".deb") for name in sums)
    for name, digest in sums.items():
        assert hashlib.sha256((made / name).read_bytes()).hexdigest() == digest
    bills = [json.loads(bill.read_text())["metadata"]["component"] for bill in made.glob("*.cdx.json")]
    assert {bill["version"] for bill in bills} == {"9.9.9-rc.1"} and len(bills) == 4, bills
    (tmp_path / "signers").write_text("release@vigil.invalid " + (tmp_path / "key.pub").read_text())
    with (made / "SHA256SUMS").open() as text:
        sh("ssh-keygen", "-Y", "verify", "-f", tmp_path / "signers", "-I", "release@vigil.invalid", "-n", "vigil-release",
           "-s", made / "SHA256SUMS.sig", cwd=tmp_path, stdin=text)
    # The tag has the version; the branch continues with the previous one.
    assert "<version>9.9.9-rc.1</version>" in sh("git", "show", "v9.9.9-rc.1:pom.xml", cwd=clone).stdout
    assert f"<version>{version}</version>" in (clone / "pom.xml").read_text() and not sh("git", "status", "--porcelain", cwd=clone).stdout
    java = pathlib.Path(os.environ.get("JAVA_HOME") or pathlib.Path(shutil.which("java")).resolve().parents[1]) / "bin/java"
    printed = sh(java, "-jar", made / "vigil-gateway-9.9.9-rc.1.jar", "--version", cwd=tmp_path).stdout
    assert re.match(r"Vigil 9\.9\.9-rc\.1, build \d+-[0-9a-f]{9}$", printed), printed
    with tarfile.open(made / "vigil-9.9.9-rc.1.tar.gz") as source:
        assert "vigil-9.9.9-rc.1/pom.xml" in source.getnames()
