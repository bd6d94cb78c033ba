"""An operator's first steps: one command, and clear messages if something is wrong."""

import contextlib
import http.client
import json
import os
import re
import subprocess
import urllib.request
import zipfile

import pytest
from processes import JAR, JAVA, REPOSITORY, SERIAL, SHORT_LIVED, UNOPTIMISED, UNOPTIMISED_VARIABLE, Gateway, Process, only_with_all

VIGIL = os.environ.get("VIGIL", str(REPOSITORY / "vigil"))


def outcome(process, timeout=60):
    process.child.wait(timeout=timeout)
    process._reader.join(timeout=5)
    return process.child.returncode, process.tail()


def one_clear_sentence(text):
    assert not re.search(r"^\s+at |Exception|Caused by", text, re.M), text
    return True


@pytest.fixture(scope="module", autouse=True)
def demo(tmp_path_factory):
    """Runs for fifteen seconds while other tests run; the last test checks the result."""
    folder = tmp_path_factory.mktemp("demo")
    process = Process(
        VIGIL, "demo", "--motes", "3", "--wake", "1", "--for", "15", "--coap-port", "0", "--http-port", "0",
        "--zep-port", "0", "--data-dir", str(folder / "data"), "--pcap", str(folder / "air.pcapng"), env=os.environ | UNOPTIMISED_VARIABLE,
    )
    process.folder = folder
    yield process
    process.stop()


def test_a_wrong_gateway_option_ends_the_demo_with_code_2():
    """RunCommandTest has more wrong options."""
    code, text = outcome(Process(VIGIL, "demo", "--mots", "4", env=os.environ | UNOPTIMISED_VARIABLE), timeout=600)
    assert code == 2 and "--mots" in text and one_clear_sentence(text), text


def test_a_misspelled_variable_is_named_and_its_value_is_not(tmp_path):
    environment = os.environ | UNOPTIMISED_VARIABLE | {"VIGIL_BORDER_LINK_SECURITY_KEYS": "00112233445566778899aabbccddeeff"}
    code, text = outcome(Process(VIGIL, "run", "--data-dir", str(tmp_path / "data"), env=environment), timeout=600)
    assert code == 2 and "VIGIL_BORDER_LINK_SECURITY_KEYS (environment)" in text and one_clear_sentence(text)
    assert "00112233" not in text and not (tmp_path / "data").exists()


def test_version_and_build_number_are_printed_logged_and_reported(network):
    asked = subprocess.run([VIGIL, "--version"], env=os.environ | UNOPTIMISED_VARIABLE, capture_output=True, text=True, timeout=600)
    printed = asked.stdout.strip()
    version, number = re.fullmatch(r"Vigil (\d\S*), build (\d+-[0-9a-f]+\+?|unknown)", printed).groups()
    assert any(line.endswith(printed) for line in network.lines), network.lines
    build = json.loads(network.get("/actuator/info")[2])["build"]
    assert (build["version"], build["number"]) == (version, number)


def assert_json_log(lines):
    """Every line of the log is JSON from the first on; other output stays text."""
    assert json.loads(lines[0])["message"].startswith("Vigil "), lines
    assert all(json.loads(line)["@timestamp"] for line in lines if line.startswith("{"))
    others = [line for line in lines if not line.startswith("{")]
    assert [line for line in others if line.startswith("ready ")] and not [line for line in others if " INFO " in line]


@only_with_all("starts without a cache")
def test_a_json_log_of_the_jar_is_json_from_its_first_line_on(tmp_path):
    """As the launcher starts it: test_install.py. The package and the image have the same test with --all."""
    done = subprocess.run(
        [JAVA, *SHORT_LIVED, "-jar", JAR, "run", "--demo", "--data-dir", tmp_path / "data", "--coap-port", "0", "--coaps-port", "0",
         "--http-port", "0", "--zep-port", "0", "--for", "0"],
        env=os.environ | {"VIGIL_LOG_FORMAT": "json"}, capture_output=True, text=True, timeout=600)
    assert_json_log(done.stdout.splitlines())


# Loaded into a running gateway, because its limits prevent using up its memory from outside.
GLUTTON = """
public class Glutton {
  public static void agentmain(String nothing) {
    for (var all = new java.util.ArrayList<byte[]>(); ; ) all.add(new byte[8 << 20]);
  }
}
"""


def tool(name, *arguments):
    return [os.path.join(os.path.dirname(JAVA), name), *(f"-J{option}" for option in (*UNOPTIMISED, SERIAL)), *map(str, arguments)]


def glutton(folder):
    """An agent that allocates all memory."""
    (folder / "Glutton.java").write_text(GLUTTON)
    subprocess.run(tool("javac", "-proc:none", folder / "Glutton.java"), check=True, timeout=120)
    with zipfile.ZipFile(folder / "glutton.jar", "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nAgent-Class: Glutton\n\n")
        jar.write(folder / "Glutton.class", "Glutton.class")
    return folder / "glutton.jar"


@only_with_all("uses up all memory")
def test_out_of_memory_ends_with_code_3_and_loses_nothing(tmp_path, running):
    data = tmp_path / "data"
    options = ("--anonymous-read", "--coap-port", "0", "--coaps-port", "0", "--http-port", "0")
    gateway = running(Gateway(data, *options, jvm=(*SHORT_LIVED, "-Xmx96m")))
    agent = glutton(tmp_path)  # while it starts
    base = gateway.ready().http
    acknowledged, loading = 0, None
    with contextlib.suppress(http.client.HTTPException, OSError):
        while acknowledged < 100_000:
            request = urllib.request.Request(
                f"{base}/rd?ep=node-{acknowledged}&base=coap://node.example", b"</a>",
                {"Content-Type": "application/link-format"})
            urllib.request.urlopen(request, timeout=60).close()
            acknowledged += 1
            if acknowledged == 50:
                loading = running(Process(*tool("jcmd", gateway.child.pid, "JVMTI.agent_load", agent)))
    code, text = outcome(gateway)
    assert code == 3 and "OutOfMemoryError" in text, (code, text, loading.tail())
    again = running(Gateway(data, *options)).ready()
    listed = again.get(f"/rd-lookup/ep?count={acknowledged + 1}")[2].decode()
    assert set(re.findall(r'ep="?(node-\d+)', listed)) >= {f"node-{number}" for number in range(acknowledged)}


def test_health_answers_without_details(network):
    status, _, body = network.get("/actuator/health")
    assert status == 200 and b"UP" in body and b"diskSpace" not in body


def test_the_demo_shows_motes_and_stops_in_order(demo):
    ready = demo.expect(r"^ready coap://.* http://", timeout=120).string
    assert re.search(r" coap://\[fe80:\S*\]:5683\b", ready) and re.search(r" zep://127\.0\.0\.1:[1-9]", ready), ready
    for number in (1, 2, 3):
        assert any(
            demo.expect(r"mote-\d: .*2\.0[14]", timeout=30) for _ in range(2)
        ), f"mote {number} was silent"
    code, text = outcome(demo)
    assert code == 0, text
    assert one_clear_sentence(text)
    assert not (demo.folder / "data/vigil.db-wal").exists(), "the store was not closed"
    assert (demo.folder / "air.pcapng").stat().st_size > 1000
