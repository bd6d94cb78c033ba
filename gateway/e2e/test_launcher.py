"""The launcher's own decisions, in a separate tree with a Maven and a JDK that only record their calls."""

import fcntl
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import pytest
from processes import REPOSITORY

STAMP = "gateway/target/build.stamp"
MAVEN = """#!/bin/sh
echo built >>maven.calls
started=$(date -u +%Y-%m-%dT%H:%M:%S.%3NZ)
sleep "${BUILD_SECONDS:-0}"
mkdir -p gateway/target
echo jar >gateway/target/vigil-gateway.jar
touch -d 2020-01-01 gateway/target/vigil-gateway.jar
printf 'started=%s\\nui.skip=false\\n' "$started" >gateway/target/build.stamp
"""
# Unpacks the jar, starts a gateway that is ready at once unless BROKEN is set, and writes the requested cache.
JAVA = """#!/bin/bash
echo "java $*"
for word; do
  case $word in
    -XX:AOTCacheOutput=*) [ -n "$BROKEN" ] && exit 1; echo cache >"${word#*=}"; echo 'ready coap://127.0.0.1:9 http://127.0.0.1:9' ;;
    *.fast.*) [ "$last" = --destination ] && mkdir -p "$word/lib" && cp gateway/target/vigil-gateway.jar "$word" ;;
  esac
  last=$word
done
"""


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def tree(tmp_path):
    """Files that the launcher looks at."""
    root = tmp_path / "tree"
    script(root / "mvnw", MAVEN)
    script(tmp_path / "jdk/bin/javac", JAVA)
    script(tmp_path / "jdk/bin/java", JAVA)
    (tmp_path / "jdk/release").write_text('JAVA_VERSION="25.0.1"\n')
    shutil.copy2(REPOSITORY / "vigil", root / "vigil")
    shutil.copytree(REPOSITORY / "gateway/launcher", root / "gateway/launcher")
    for module in ("libraries/one", "resource-directory", "mirror-proxy", "border-bridge", "gateway"):
        (root / module / "src/main").mkdir(parents=True)
        (root / module / "pom.xml").write_text("<project/>")
        (root / module / "src/main/One.java").write_text("class One {}")
    (root / "pom.xml").write_text("<project/>")
    (root / "mote").write_text("mote")
    # A source as old as the build's start counts as changed.
    time.sleep(0.01)
    return root


def environment(tree, **more):
    names = {"JAVA_HOME": str(tree.parent / "jdk"), "VIGIL_MOTE": str(tree / "mote")}
    return {name: value for name, value in os.environ.items() if name != "VIGIL_JAR"} | names | more


def vigil(tree, *verb, **more):
    verb = verb or ("verify", "FILE")
    return subprocess.run(
        [tree / "vigil", *verb], env=environment(tree, **more), cwd=tree, capture_output=True, text=True, timeout=60)


def builds(tree):
    calls = tree / "maven.calls"
    return len(calls.read_text().splitlines()) if calls.exists() else 0


def test_a_jar_is_built_once_until_a_source_changes(tree):
    for expected in (1, 1):
        assert "vigil-gateway.jar verify FILE" in vigil(tree).stdout
        assert builds(tree) == expected
    (tree / "gateway/e2e").mkdir()
    (tree / "gateway/e2e/test.pyc").write_text("not part of the product")
    vigil(tree)
    assert builds(tree) == 1
    (tree / "libraries/one/src/main/One.java").write_text("class One { }")
    vigil(tree)
    assert builds(tree) == 2


def test_a_build_that_did_not_end_is_made_again(tree):
    vigil(tree)
    (tree / STAMP).unlink()
    vigil(tree)
    (tree / "gateway/target/vigil-gateway.jar").unlink()
    vigil(tree)
    assert builds(tree) == 3


def test_a_jar_without_the_web_page_is_built_again(tree):
    vigil(tree)
    (tree / STAMP).write_text((tree / STAMP).read_text().replace("=false", "=true"))
    vigil(tree)
    assert builds(tree) == 2


def test_launchers_side_by_side_build_once(tree):
    both = [
        subprocess.Popen([tree / "vigil", "verify"], env=environment(tree, BUILD_SECONDS="1"),
                         cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for _ in range(2)
    ]
    printed = [one.communicate(timeout=60)[0] for one in both]
    assert all("vigil-gateway.jar verify" in text for text in printed), printed
    assert builds(tree) == 1


def test_a_jar_that_is_named_is_used_as_it_is(tree):
    (tree / "mine.jar").write_text("jar")
    assert "mine.jar verify FILE" in vigil(tree, VIGIL_JAR=str(tree / "mine.jar")).stdout
    refused = vigil(tree, VIGIL_JAR=str(tree / "other.jar"))
    assert refused.returncode != 0 and "VIGIL_JAR" in refused.stderr and "other.jar" in refused.stderr
    assert builds(tree) == 0


def test_a_build_makes_the_cache_that_starts_use(tree):
    fast = tree / "gateway/target/vigil-gateway.fast"
    printed = vigil(tree).stdout
    assert f"-XX:AOTCache={fast}/vigil.aot" in printed and f"-jar {fast}/vigil-gateway.jar verify" in printed
    made = (fast / "vigil.aot").stat().st_ino
    vigil(tree)
    assert (fast / "vigil.aot").stat().st_ino == made
    assert "fast start" in vigil(tree, "doctor").stderr


def test_the_doctor_says_why_signatures_are_verified_one_by_one(tree):
    target = tree / "libraries/signed-objects/target"
    target.mkdir(parents=True)
    suitable = re.search("avx512ifma|avx_ifma", pathlib.Path("/proc/cpuinfo").read_text())
    expected = "the next build" if suitable else "no AVX-512 IFMA"
    assert f"signatures one by one: {expected}" in vigil(tree, "doctor").stderr.replace("this processor has ", "")
    (target / "native.reason").write_text("there is no C compiler: apt-get install gcc\n")
    expected = "there is no C compiler" if suitable else "no AVX-512 IFMA"
    assert f"signatures one by one: {expected}" in vigil(tree, "doctor").stderr.replace("this processor has ", "")
    script(target / "native/dev/vigil/signed/batch/linux-x86_64/libvigil-p256.so", "")
    assert ("eight signatures at a time" in vigil(tree, "doctor").stderr) == bool(suitable)


def test_a_cache_of_another_jar_or_jdk_is_not_used(tree):
    vigil(tree)
    given = {"VIGIL_JAR": str(tree / "gateway/target/vigil-gateway.jar")}
    assert "AOTCache" in vigil(tree, **given).stdout
    (tree.parent / "jdk/release").write_text('JAVA_VERSION="25.0.2"\nJAVA_RUNTIME_VERSION="25.0.2+1"\n')
    assert "AOTCache" not in vigil(tree, **given).stdout
    assert "AOTCache" in vigil(tree).stdout
    pathlib.Path(given["VIGIL_JAR"]).write_text("another")
    assert "AOTCache" not in vigil(tree, **given).stdout


def test_a_cache_that_was_made_with_other_options_is_not_used(tree):
    vigil(tree)
    given = {"VIGIL_JAR": str(tree / "gateway/target/vigil-gateway.jar")}
    script = tree / "gateway/launcher/java.sh"
    script.write_text(script.read_text().replace("-XX:+UseG1GC", "-XX:+UseSerialGC"))
    assert "-XX:+UseSerialGC" in (started := vigil(tree, **given).stdout) and "AOTCache" not in started
    assert "AOTCache" in vigil(tree).stdout, "the launcher makes another one"


def test_without_a_cache_the_gateway_starts_from_its_jar(tree):
    first = vigil(tree, BROKEN="1")
    assert first.returncode == 0 and "target/vigil-gateway.jar verify" in first.stdout
    assert "no fast start" in first.stderr and "no fast start" not in vigil(tree, BROKEN="1").stderr
    assert "starts from its jar: the gateway did not start" in vigil(tree, "doctor").stderr
    assert [path.name for path in (tree / "gateway/target").glob("*.fast*")] == ["vigil-gateway.fast.failed"]


@pytest.mark.parametrize("verb", ["demo", "run", "test", "doctor", "decode", "encode", "ether", "sa", "verify", "support"])
def test_help_starts_no_build(tree, verb):
    before = vigil(tree, verb, "--help")
    assert before.returncode == 0 and f"vigil {verb}" in before.stdout
    assert builds(tree) == 0 and not (tree / "maven.calls").exists()
    script(tree / "gateway/target/vigil-gateway.jar", "jar")
    after = vigil(tree, verb, "--help")
    own = verb in ("demo", "test", "doctor")
    assert after.returncode == 0 and (before.stdout if own else f"vigil-gateway.jar {verb} --help") in after.stdout
    assert builds(tree) == 0


def test_other_verbs_come_from_the_jar(tree):
    assert "vigil-gateway.jar endpoints --json" in vigil(tree, "endpoints", "--json").stdout
    wrong = vigil(tree, "--verb")
    assert wrong.returncode == 2 and "no option '--verb'" in wrong.stderr


def test_the_version_comes_from_the_existing_jar(tree):
    script(tree / "gateway/target/vigil-gateway.jar", "jar")
    assert "vigil-gateway.jar --version" in vigil(tree, "--version").stdout
    assert builds(tree) == 0


@pytest.mark.parametrize("options, words", [
    ("--motes 0", "1 to 250"), ("--motes 251", "1 to 250"), ("--motes many", "'many'"), ("--motes", "needs a value"),
    ("--wake 0", "0.334 s or more"), ("--wake soon", "'soon'"), ("--wake=700000", "a week"),
    ("--topology nowhere", "'nowhere'"), ("--topology thesis --motes 14", "13 motes"),
    ("--topology line --motes 32", "31 motes"), ("--topology line --motes 31 --wake 5", "55.112 s or more"),
    ("--motes 250 --wake 27", "27.778 s or more"), ("--commander nobody.jwk", "'nobody.jwk'"),
])
def test_a_mistake_in_an_option_ends_the_demo_with_code_2(tree, options, words):
    refused = vigil(tree, "demo", *options.split())
    assert refused.returncode == 2 and words in refused.stderr and len(refused.stderr.splitlines()) == 1, refused.stderr
    assert builds(tree) == 0


def test_maven_writes_the_stamp_that_the_launcher_reads():
    stamp = REPOSITORY / STAMP
    if not stamp.exists():
        pytest.skip(f"the jar was not built here: {stamp} is missing")
    assert re.fullmatch(r"started=\d{4}-\d\d-\d\dT[\d:.]{12}Z\nui.skip=(true|false)\n", stamp.read_text())


# ---- ./vigil test -----------------------------------------------------------------------------

NOTES = """#!/bin/bash
echo "$(basename "$0") $*${VIGIL_TEST:+ VIGIL_TEST=$VIGIL_TEST}" >>"$NOTED"
"""
TESTS = {
    "libraries/one/src/test/java/dev/one/OneTest.java": "class OneTest { @Test void works() {} }",
    "mirror-proxy/src/test/java/dev/two/TwoTest.java": "class TwoTest { @Test void works() {} }",
    "mirror-proxy/src/test/java/dev/two/ThreeTest.java": "class ThreeTest { @Test void works() {} }",
    "mote-firmware/tests/test_base.c": "TEST(reads_both_byte_orders)\n{\n}\n",
    "mote-firmware/tests/peer/test_mote.py": "async def test_it_sends(): pass\n",
    "gateway/web-ui/test/verify.test.ts": "test()",
    "gateway/e2e/test_alarms.py": "def test_a_missing_mote(): pass\n",
    "docker/tests/test_compose.py": "def test_it_loads(): pass\n",
    "libraries/client-js/package.json": "{}",
    "libraries/client-js/package-lock.json": "",
    "libraries/client-js/node_modules/.installed": hashlib.sha256().hexdigest(),
    "libraries/client-js/test/reading.test.mjs": "test()",
    "libraries/client-python/pyproject.toml": "",
    "libraries/client-python/tests/test_jose.py": "def test_a_signature(): pass\n",
}


@pytest.fixture
def tested(tree):
    """The tree with a test of each kind, and tools that only record their calls."""
    for path, text in TESTS.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)
    for path in ("gateway/e2e/requirements.txt", "gateway/web-ui/package-lock.json", "gateway/web-ui/node_modules/.package-lock.json"):
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).touch()
    for name in ("make", "node", "npx", "npm"):
        script(tree.parent / "bin" / name, NOTES)
    script(tree / "mvnw", MAVEN + NOTES.partition("\n")[2])
    for name in ("python", "ruff", "mypy"):
        script(tree / "target/venv/bin" / name, NOTES)
    (tree / "target/venv/stamp").touch()
    script(tree / "mote-firmware/tests/peer/run.sh", NOTES)
    script(tree / "mote-firmware/build/check/bin/test_base", NOTES + "echo '1 passed, 0 failed'\n")
    # No package is checked.
    launcher = tree / "vigil"
    launcher.write_text(launcher.read_text().replace("needs() {", "needs() { return\n", 1))
    return tree


def launch(tested, *words, **more):
    noted = tested / "noted"
    noted.unlink(missing_ok=True)
    path = f"{tested.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = vigil(tested, "test", *words, **{"NOTED": str(noted), "PATH": path, "CI": ""} | more)
    return done, noted.read_text().splitlines() if noted.exists() else []


JAVA_TEST = "mvnw -q -B -ntp -T 2 -pl {} -am test -Dui.skip -Dtest={} -Dsurefire.failIfNoSpecifiedTests=false"


NODE_TEST = ("node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit "
             "--test-reporter-destination={}/target/client-js.xml test/reading.test.mjs")


SELECTED = {
    "mirror-proxy": ["java mirror-proxy dev.two.ThreeTest", "java mirror-proxy dev.two.TwoTest"],
    "one": ["java libraries/one dev.one.OneTest"],
    "libraries/": ["pytest libraries/client-python/tests", "node libraries/client-js", "java libraries/one dev.one.OneTest"],
    "TwoTest": ["java mirror-proxy dev.two.TwoTest"],
    "dev.two.TwoTest#works": ["java mirror-proxy dev.two.TwoTest#works"],
    "mirror-proxy/src/test/java/dev/two/TwoTest.java": ["java mirror-proxy dev.two.TwoTest"],
    "mote-firmware": ["make"],
    "test_base.c": ["c test_base.c"],
    "reads_both_byte_orders": ["c test_base.c reads_both_byte_orders"],
    "web-ui": ["vitest"],
    "verify.test.ts": ["vitest gateway/web-ui/test/verify.test.ts"],
    "e2e": ["pytest gateway/e2e"],
    "docker": ["pytest docker/tests"],
    "client-js": ["node libraries/client-js"],
    "reading.test.mjs": ["node libraries/client-js test/reading.test.mjs"],
    "client-python": ["pytest libraries/client-python/tests"],
    "test_a_signature": ["pytest libraries/client-python/tests/test_jose.py::test_a_signature"],
    "test_alarms.py": ["pytest gateway/e2e/test_alarms.py"],
    "test_a_missing_mote": ["pytest gateway/e2e/test_alarms.py::test_a_missing_mote"],
    "test_mote.py::test_it_sends": ["pytest mote-firmware/tests/peer/test_mote.py::test_it_sends"],
    "TwoTes": [],
}


def test_a_module_or_a_name_selects_its_tests(tested):
    script = 'set -euo pipefail; here=$PWD; . gateway/launcher/test.sh; for name; do echo "== $name"; selected "$name"; done'
    done = subprocess.run(["bash", "-c", script, "bash", *SELECTED], cwd=tested, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = dict(block.split("\n", 1) for block in done.stdout.split("== ")[1:])
    assert {name: lines.splitlines() for name, lines in found.items()} == SELECTED


PYTEST = "python -m pytest -q -rfEs -p no:cacheprovider --junitxml={0}/target/"


@pytest.mark.parametrize("name, call", [
    ("mirror-proxy", JAVA_TEST.format("mirror-proxy", "dev.two.ThreeTest,dev.two.TwoTest")),
    ("mote-firmware", "run.sh -rfEs --junitxml={}/target/peer.xml"),
    ("reads_both_byte_orders", "test_base  VIGIL_TEST=reads_both_byte_orders"),
    ("verify.test.ts", "npx vitest run test/verify.test.ts --reporter=default --reporter=junit --outputFile.junit={}/target/ui.xml"),
    ("e2e", PYTEST + "e2e.xml gateway/e2e -m not measures -n {1} --dist loadfile --no-loadscope-reorder"),
    ("docker", PYTEST + "docker.xml docker/tests"),
    ("client-js", NODE_TEST),
    ("test_a_signature", PYTEST + "client.xml libraries/client-python/tests/test_jose.py::test_a_signature"),
    ("test_a_missing_mote", PYTEST + "e2e.xml gateway/e2e/test_alarms.py::test_a_missing_mote"),
    ("test_mote.py::test_it_sends", "run.sh -rfEs --junitxml={}/target/peer.xml test_mote.py::test_it_sends"),
])
def test_selected_tests_run_with_their_tool(tested, name, call):
    done, noted = launch(tested, name)
    assert done.returncode == 0, done.stdout + done.stderr
    assert noted[-1] == call.format(tested, (os.cpu_count() or 1) + 2), noted
    assert re.search(r"^passed in \d+ s: \d+ passed, 0 failed, 0 skipped$", done.stdout.splitlines()[-1])


def test_only_the_web_ui_needs_a_new_node(tested):
    given = {"NOTED": str(tested / "noted"), "PATH": f"{tested.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    vigil(tested, **given)
    script(tested.parent / "bin/node", "#!/bin/sh\necho v18.19.0\n")
    for name in ("test_base.c", "TwoTest"):
        done, _ = launch(tested, name)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "verify FILE" in vigil(tested, **given).stdout, "the jar exists"
    (tested / "mote-firmware/build/posix").mkdir()
    jar = str(tested / "gateway/target/vigil-gateway.jar")
    assert "verify FILE" in vigil(tested, VIGIL_JAR=jar, VIGIL_MOTE="", **given).stdout, "only motes are built"
    for words in ((), ("verify.test.ts",)):
        refused, noted = launch(tested, *words)
        assert refused.returncode != 0 and "node v18.19.0 is too old" in refused.stderr and noted == []
    before = builds(tested)
    (tested / "libraries/one/src/main/One.java").write_text("class One { }")
    refused = vigil(tested, **given)
    assert refused.returncode != 0 and "node v18.19.0 is too old" in refused.stderr and builds(tested) == before


@pytest.mark.parametrize("name, words", [
    ("TwoTes", "TwoTest"), ("alarms", "test_alarms.py"), ("test_alarms.py::test_nothing", "test_alarms.py"),
    ("test_bas", "test_base.c"), ("nowhere", "docker gateway gateway/e2e gateway/web-ui libraries/client-js libraries/client-python libraries/one mirror-proxy mote-firmware"),
])
def test_an_unknown_name_is_refused_with_the_known_ones(tested, name, words):
    refused, noted = launch(tested, name)
    assert refused.returncode == 2 and noted == [] and refused.stdout == ""
    assert f"no module or test '{name}'" in refused.stderr and words in refused.stderr and "--list" in refused.stderr


@pytest.mark.parametrize("words", [("--quick",), ("TwoTest", "OneTest")])
def test_other_words_are_refused(tested, words):
    refused, noted = launch(tested, *words)
    assert refused.returncode == 2 and noted == [] and "--all, --list, or one module or test" in refused.stderr


def test_the_list_names_modules_and_files_of_tests(tested):
    listed, noted = launch(tested, "--list")
    assert {"libraries/one", "libraries/client-python", "docker", "OneTest", "test_jose.py", "reading.test.mjs", "test_base.c", "verify.test.ts", "test_alarms.py"} <= set(listed.stdout.split())
    assert listed.returncode == 0 and noted == []


def test_with_all_measuring_tests_run_alone_at_the_end(tested):
    done, noted = launch(tested, "--all")
    assert done.returncode == 0, done.stdout + done.stderr
    # The clients' tests run beside others.
    pytests = [line for line in noted if line.startswith("python -m pytest") and not re.search("client.xml|--collect-only", line)]
    assert len([line for line in noted if "target/client.xml" in line or line.startswith(("ruff", "mypy"))]) == 4
    assert NODE_TEST.format(tested) in noted
    assert [re.search(r"target/(\w+)\.xml", line)[1] for line in pytests] == ["e2e", "docker", "benches", "measuring", "images"]
    assert "-m not measures -n " in pytests[0] and pytests[1].endswith("docker/tests -m not measures")
    for file in ("gateway/e2e/test_bench.py", "gateway/e2e/test_evaluate.py"):
        assert f" --ignore={file} " in pytests[0] and f" {file} " in pytests[2]
    assert pytests[3].endswith("gateway/e2e -m measures") and pytests[4].endswith("docker/tests -m measures")
    # Compilation in the background may note its call at any time.
    assert pytests[3:] == [line for line in noted if "--collect-only" not in line][-2:]
    assert all("--reruns 1" in line for line in pytests) and "rerunFailingTestsCount=1" in "".join(noted)
    assert done.stdout.splitlines()[-1].startswith("passed in ")


@pytest.mark.parametrize("ci", ["", "true"])
def test_only_ci_repeats_tests_of_the_everyday_suite(tested, ci):
    done, noted = launch(tested, CI=ci)
    assert done.returncode == 0, done.stdout + done.stderr
    assert bool(ci) == ("--reruns 1" in "".join(noted)) == ("rerunFailingTestsCount=1" in "".join(noted))
    assert "measures" not in "".join(noted).replace("-m not measures", "")


FLAKY = '<testsuite tests="2"><testcase classname="A" name="races"><flakyFailure message="too late"/></testcase><testcase name="b"/></testsuite>'
RACES = """
import pytest

tries = []

@pytest.mark.parametrize("case", ["1 - a"])
def test_races(case):
    tries.append(case)
    assert len(tries) == 2

def test_fails():
    tries.append("fails")
    assert tries == "nothing"
"""


def output_of_pytest(folder):
    """What pytest prints about RACES with the options of CI."""
    (folder / "test_x.py").write_text(RACES)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rfEs", "--reruns", "1", "-p", "first_attempts", "-p", "no:cacheprovider", "test_x.py"],
        cwd=folder, env=dict(os.environ, PYTHONPATH=str(REPOSITORY / "gateway/launcher")), capture_output=True, text=True, timeout=120)
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("all_of_them", ["", "--all"])
@pytest.mark.parametrize("where", ["Java", "pytest"])
def test_a_flaky_test_is_named_and_fails_all(tested, tmp_path, where, all_of_them):
    if where == "Java":
        report = "libraries/one/target/surefire-reports"
        script(tested / "mvnw", f"{MAVEN}mkdir -p {report}; echo '{FLAKY}' >{report}/TEST-a.xml\n")
        name = "A.races: too late"
    else:
        script(tested / "target/venv/bin/python", f"{NOTES}cat <<'END'\n{output_of_pytest(tmp_path)}END\n")
        name = "test_x.py::test_races[1 - a]: AssertionError: assert 1 == 2 + where 1 = len(['1 - a'])"
    done, _ = launch(tested, *all_of_them.split(), CI="true")
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.startswith("FLAKY")] == [f"FLAKY {name}"]
    first = {line for line in lines if line.startswith("FAILED at the first attempt ")}
    if where == "pytest":
        [line] = first
        assert "attempt test_x.py::test_fails: AssertionError: assert ['1 - a', '1 - a', 'fails'] ==" in line
    if all_of_them:
        assert done.returncode == 1 and re.search(r"^FAILED in \d+ s: .*; see: flaky tests$", lines[-1])
    else:
        assert done.returncode == 0 and lines[-1].startswith("passed in ")


def test_two_runs_of_tests_wait_for_each_other(tested):
    with open(tested / "target/test.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        path = f"{tested.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
        waiting = subprocess.Popen([tested / "vigil", "test", "TwoTest"], cwd=tested, stderr=subprocess.PIPE, text=True,
                                   env=environment(tested, NOTED=str(tested / "noted"), PATH=path))
        assert waiting.stderr.readline() == "waiting for other tests\n" and not (tested / "noted").exists()
    assert waiting.communicate(timeout=60) and waiting.returncode == 0 and "TwoTest" in (tested / "noted").read_text()


def test_the_last_line_names_the_steps_that_failed(tested):
    script(tested / "mvnw", "#!/bin/sh\nexit 1\n")
    failed, _ = launch(tested)
    assert failed.returncode == 1 and re.search(r"^FAILED in \d+ s: .*; see: Java and the web UI", failed.stdout.splitlines()[-1])
