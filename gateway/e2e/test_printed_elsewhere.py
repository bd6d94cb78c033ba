"""Every command that any README or page of docs/ prints is run by a test, or is named here with the test that runs it in another
form. test_printed_commands.py runs those of README.md, docs/guide, docs/recipes.md and the demo, test_first_week.py those of
docs/guide/first-week.md."""

import functools
import json
import pathlib
import re
import subprocess

import pytest
import test_printed_commands as printed_commands
from processes import REPOSITORY

RUN_THERE = {*printed_commands.DOCUMENTS, printed_commands.FIRST_WEEK, "docs/recipes.md"}
COMMAND = re.compile(
    r"(?:sudo )?(?:\./vigil\b|\./mvnw|\.\./cortex-m/bearssl\.sh|make\b|curl |coap-client|docker |docker/\S+\.sh|build/posix/|openssl |umask |apt|npm |npx |"
    r"pip |python3? |target/venv/bin/|node |export [A-Z]|echo )")
# Commands that no test runs as printed, and the test that runs each in another form.
NOT_RUN = {
    "gateway/web-ui/README.md": {r"npm run (lint|types|build)|npm test": "Maven runs these scripts of package.json (scripts/maven.mjs)"},
    "CHANGELOG.md": {
        r"\./vigil (bench( --growth)?|evaluate)": "measures for minutes; test_bench.py and test_evaluate.py run parts",
        r"\./vigil (completion|manual)": "test_shell.py runs it",
        r"\./vigil label": "LabelCommandTest runs it",
        r"\./vigil release": "test_release.py makes a candidate",
        r"\./vigil test (MODULE|NAME)": "test_launcher.py runs it"},
    "SECURITY.md": {r"\./vigil --version": "test_launcher.py runs it"},
    "CONTRIBUTING.md": {
        r"\./vigil doctor": "test_launcher.py asks it",
        r"\./vigil test \S+": "test_each_test_of_the_contributors_page_is_there; test_launcher.py runs the verb",
        r"\./vigil test --list|\./vigil test MODULE": "test_launcher.py runs it",
        r"target/venv/bin/mkdocs (serve|build --strict) .*": "test_documentation.py builds the site",
        r"python3 -m venv target/venv .*": "test_launcher.py: ./vigil test creates the folder",
        r"npm run (dev|format)|npm ci": "scripts of package.json, test_each_script_of_the_contributors_page_is_there",
        r"\./mvnw com\.spotify\.fmt:.*": "the build checks the layout with the same plugin"},
    "docker/README.md": {
        r"docker/secrets\.sh( +#.*)?": "test_compose.py runs it",
        r"docker compose -f docker/compose\.yaml (--profile demo )?up -d +#.*": "test_images.py runs the same commands from README.md",
        r"export VIGIL_BUILD_NUMBER=.*|docker compose -f docker/compose\.yaml --profile demo build":
            "test_images.py builds with the same argument; test_compose.py has the loader read it",
        r"curl -o ca\.pem .*|curl --cacert ca\.pem .*": "test_images.py fetches it",
        r"docker compose -f docker/cluster\.yaml build": "test_cluster_containers.py builds the images",
        r"\./vigil sa linux": "test_linux_host.py runs it",
        r"\./vigil test.*": "these are its tests",
    },
    "docs/border-bridge-benchmarks.md": {r"\./vigil bench --only bridge": "measures for minutes; test_bench.py runs a part"},
    "docs/border-bridge-conformance.md": {
        r"\./vigil ether": "EtherCommandTest runs it", r"\./vigil sa linux": "test_linux_host.py runs it"},
    "docs/evaluation.md": {
        r"\./vigil evaluate --quick.*": "test_evaluate.py runs its program",
        r"\./vigil evaluate(| +#.*| --only .*)": "needs an emulator; test_evaluate.py runs a part"},
    "docs/gateway-benchmarks.md": {r"\./vigil bench.*": "measures for minutes; test_bench.py runs a part",
        r"openssl s_(server -listen|client)": "test_bench.py runs a part of the benches, which start it"},
    "docs/scaling.md": {r"\./vigil bench( --growth| --only cluster\.cpu_extra_us)?": "measures for minutes; test_bench.py runs a part"},
    "docs/growth.md": {r"\./vigil bench --growth.*": "measures for minutes; CurveTest and GrowthReportTest have its parts"},
    "docs/mirror-proxy-benchmarks.md": {
        r"\./vigil bench.*": "measures for minutes; test_bench.py runs a part",
        r"openssl speed -multi 2": "a figure of the machine, for comparison with the measured ones"},
    "docs/resource-directory-benchmarks.md": {r"\./vigil bench.*": "measures for minutes; test_bench.py runs a part"},
    "docs/mote-firmware-conformance.md": {
        r"build/posix/vigil-mote --ep bench-\d .*": "the same program and options as in test_mirror_forms.py and test_mesh.py",
        r"build/posix/vigil-mote-dtls --ep bench-4 .*": "needs a shared key; test_dtls_mote.py runs it with one"},
    "docs/mote-firmware-benchmarks.md": {r"\./vigil evaluate": "needs emulators; test_evaluate.py runs a part"},
    "libraries/signed-objects/README.md": {r"\./vigil doctor": "test_launcher.py runs it"},
    "docs/testing.md": {
        r"\./vigil evaluate": "needs an emulator; test_evaluate.py runs a part", r"docker/native-libraries\.sh": "test_arm64.py runs it"},
    "docs/release.md": {
        r"\./vigil release( VERSION| 1\.0\.0) --key FILE": "test_release.py makes a candidate"},
    "docs/mirror-proxy-threats.md": {r"\./vigil restore": "test_backup_and_restore.py runs it"},
    "gateway/README.md": {r"\./vigil run --help|\./vigil [a-z]+( --url)?": "a verb; test_launcher.py asks each for its help"},
    "mote-firmware/README.md": {
        r"build/posix/vigil-mote --ep .*": "processes.py starts motes like this",
        r"\./vigil evaluate": "needs an emulator; test_evaluate.py runs a part"},
    "mote-firmware/ports/contiki-ng/README.md": {
        r"make TARGET=.*": "needs a checkout of Contiki-NG; test_contiki.py runs it with one",
        r"make (-C \.\./\.\. )?contiki-(size|test).*": "test_the_makefile_knows_its_targets",
        r"make -C \.\./\.\. test": "./vigil test runs it",
        r"make where": "needs a checkout of Contiki-NG; test_contiki.py runs it with one",
        r"\.\./cortex-m/bearssl\.sh .*": "contiki.sh runs it, with a checkout of Contiki-NG"},
    "docs/protocol.md": {
        r"make SA=FILE": "needs a checkout of Contiki-NG; test_contiki_ipsec.py runs it with one",
        r"\./vigil fetch --mote ADDR --rekey": "test_stored_readings.py runs it",
        r"\./vigil ether": "EtherCommandTest runs it"},
    "packaging/README.md": {
        r"sudo apt install .*|sudo systemctl .*|sudo \./vigil (un)?install": "test_install.py does so in a separate root"},
    "packaging/kubernetes/README.md": {
        r"docker/secrets\.sh cluster": "test_cluster_containers.py runs it",
        r"export VIGIL_(SECRETS|NATS_NAMES)=\S+": "test_cluster_containers.py runs the script with both",
    },
    "libraries/client-js/README.md": {
        r"npm ci && npm pack": "test_clients.py packs the folder",
        r"npm install .*": "test_clients.py unpacks the package", r"npm run types": "a script of package.json; test_clients.py runs its command"},
    "libraries/client-python/README.md": {r"pip install .*": "test_clients.py installs this folder"},
    "libraries/coap-server/README.md": {r"\./mvnw test .*": "./vigil test runs the tests of all modules"},
}
EVERYWHERE = {
    r"\./vigil": "the launcher",
    r"\./vigil test( --all)?": "this is one of its tests",
    r"make [a-z-]+( +\S.*)?|make( +build/.*)?|make [a-z]+, make [a-z]+ .*": "test_the_makefile_knows_its_targets",
}


def documents():
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=REPOSITORY, capture_output=True, text=True)
    found = listed.stdout.split() or [str(one.relative_to(REPOSITORY)) for one in REPOSITORY.glob("*/README.md")]
    return sorted(set(found) - RUN_THERE)


def printed(document):
    """Commands in blocks without a language, or of a shell, and between backticks."""
    text = (REPOSITORY / document).read_text()
    fenced = re.findall(r"^```(?:sh)?\n(.*?)^```", text, re.M | re.S)
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    lines = [line for block in fenced for line in block.splitlines()] + spans
    return [line for line in dict.fromkeys(lines) if COMMAND.match(line) and not re.fullmatch(r"docker/\S+/\S+", line)]


@functools.cache
def blocks_under_test():
    """The lines that the tests of the images take from documents."""
    source = "".join((REPOSITORY / "docker/tests" / file).read_text() for file in ("test_images.py", "test_cluster_containers.py"))
    lines = set()
    for document, heading in re.findall(r'commands\("([^"]+)", "([^"]+)"\)', source):
        text = (REPOSITORY / document).read_text()
        section = re.split(r"^## ", text[text.index(heading) + len(heading):], maxsplit=1, flags=re.M)[0]
        block = next(one for one in re.findall(r"^```sh\n(.*?)^```", section, re.M | re.S) if "docker compose" in one)
        lines |= set(block.splitlines())
    return lines


@pytest.mark.parametrize("document", documents())
def test_a_printed_command_is_run_or_excused(document):
    excuses = NOT_RUN.get(document, {})
    run = blocks_under_test()
    unknown = [line for line in printed(document) if line not in run
               and not any(re.fullmatch(one, line) for one in [*excuses, *EVERYWHERE])]
    assert unknown == []
    assert [one for one in excuses if not any(re.fullmatch(one, line) for line in printed(document))] == [], "an excuse for nothing"


def test_commands_of_compose_are_run_with_the_images():
    excused = printed_commands.NOT_RUN
    run = blocks_under_test()
    for document in printed_commands.DOCUMENTS:
        blocks = re.findall(r"^```(?:sh)?\n(.*?)^```", (REPOSITORY / document).read_text(), re.M | re.S)
        lines = [line for block in blocks if re.match(r"docker[ /]", block) for line in block.splitlines()]
        assert [line for line in lines if line not in run and line not in excused and not line.startswith("./vigil")] == []


def test_each_excuse_names_a_test_that_is_there():
    tables = [printed_commands.NOT_RUN, EVERYWHERE, *NOT_RUN.values()]
    files = {one.name for one in REPOSITORY.glob("gateway/e2e/*.py")} | {one.name for one in REPOSITORY.glob("docker/tests/*.py")}
    files |= {one.name for one in (REPOSITORY / "mote-firmware").glob("**/*.sh")}
    assert set(NOT_RUN) <= set(documents())
    here = "".join(pathlib.Path(module).read_text() for module in (__file__, printed_commands.__file__))
    for reason in [reason for table in tables for reason in table.values()]:
        assert set(re.findall(r"\w+\.(?:py|sh)\b", reason)) <= files, reason
        for function in re.findall(r"\btest_\w+\b(?!\.py)", reason):
            assert f"def {function}(" in here, reason


def test_each_test_of_the_contributors_page_is_there():
    names = re.findall(r"`\./vigil test '?([^-`'A-Z][^`']*|\w+Test[^`']*)'?`", (REPOSITORY / "CONTRIBUTING.md").read_text())
    assert len(names) >= 16
    script = 'set -euo pipefail; here=$PWD; . gateway/launcher/test.sh; for name; do selected "$name"; echo "== $name"; done'
    found = subprocess.run(["bash", "-c", script, "bash", *names], cwd=REPOSITORY, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    lines = found.stdout.splitlines()
    assert [line for before, line in zip(["==", *lines], lines) if line.startswith("==") and before.startswith("==")] == []
    assert [line.removeprefix("== ") for line in lines if line.startswith("==")] == names


def test_each_script_of_the_contributors_page_is_there():
    scripts = json.loads((REPOSITORY / "gateway/web-ui/package.json").read_text())["scripts"]
    assert set(re.findall(r"npm run (\w+)", (REPOSITORY / "CONTRIBUTING.md").read_text())) <= set(scripts)


def test_the_makefile_knows_its_targets():
    text = "".join((REPOSITORY / document).read_text() for document in documents())
    targets = set(re.findall(r"(?:^|`|^make [a-z]+, )make (?:-C \.\./\.\. )?([a-z][a-z-]+)\b", text, re.M)) - {"where"}
    assert len(targets) >= 10
    known = subprocess.run(["make", "-pnq", "-C", REPOSITORY / "mote-firmware"], capture_output=True, text=True).stdout
    known = set(re.findall(r"^([a-z][a-z-]*):(?!=)", known, re.M))
    assert targets <= known, targets - known
