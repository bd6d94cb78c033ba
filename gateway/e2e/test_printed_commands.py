"""Every command that README.md, the pages of docs/guide and the demo print is run, against one demo of twelve motes."""

import contextlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import time

import pytest
from processes import JAR, REPOSITORY, UNOPTIMISED_VARIABLE, Process

# test_first_week.py runs these on a machine with the package.
FIRST_WEEK = "docs/guide/first-week.md"
GUIDE = sorted({str(page.relative_to(REPOSITORY)) for page in (REPOSITORY / "docs/guide").glob("*.md")} - {FIRST_WEEK})
DOCUMENTS = ("README.md", *GUIDE)
VIGIL = os.environ.get("VIGIL", str(REPOSITORY / "vigil"))
MOTES = 12
PORTS = "--coap-port 0 --coaps-port 0 --http-port 0"
COMMAND = re.compile(r"umask |\./vigil\b|curl |coap-client\S* |jose |sqlite3 |openssl |java\.sh |[a-z]+=[\"$]")

# Commands that no test can run as printed, and their replacements.
NOT_RUN = {
    "./vigil demo": "it is the demo that all others are run against",
    "./vigil demo     # gateway, virtual radio and three motes on this machine, no other hardware needed": "as above",
    **dict.fromkeys((
        "./vigil command --new-key my-key.jwk >my-key.pub                    # the holder of this key may command the motes",
        "./vigil demo --trust approve --commander my-key.pub                 # motes wait until you approve their keys",
        "./vigil verify mote-1.jsonl --key KEY                               # for the last step",
        "./vigil verify",
    ), "test_pages.py runs them with --all, with the steps on the page between them"),
    "./vigil test     # proves it: every test, with real peers": "this is one of its tests",
    **dict.fromkeys((
        "./vigil run                                    # reading needs credentials, new sensors wait for approval",
        "./vigil run",
    ), "docs/guide/backup.md's is run, on a restored folder"),
    "./vigil --version": "test_starting_and_stopping.py runs it",
    "./vigil manual": "test_shell.py runs it",
    "./vigil decode air.pcapng": "test_the_demos_captures_are_decoded runs it",
    "./vigil ether": "runs until it is ended; EtherCommandTest runs it",
    "./vigil bench": "measures for minutes; test_bench.py runs a part",
    "./vigil evaluate": "needs an emulator; test_evaluate.py runs a part",
    "./vigil demo --ipsec": "a second demo; test_ipsec_gateway.py runs one",
    "./vigil demo --commander FILE": "as above",
    "java.sh prepare JAR": "makes an AOT cache for most of a minute; test_launcher.py has it made",
    "./vigil label --list keys.csv --page https://gateway.example:8443/": "needs a list; LabelCommandTest reads one",
    "./vigil package": "makes a Java runtime and packs it for minutes; test_install.py does with --all",
    "./vigil install": "changes the system; test_install.py installs into a root of its own",
    "./vigil command --new-key commander.jwk": "SendCommandTest makes a key; test_commands.py sends a command to a mote that knows one",
    "./vigil command --key commander.jwk --token data/operator.token --wait 60 mote-1 led 1": "as above",
    "./vigil fetch --mote fd00::202:2:2:2 --from 2026-11-20T12:00:00Z --to 2026-11-21T12:00:00Z > readings.csv":
        "needs a mote with an archive; test_stored_readings.py fetches from one",
    "./vigil replace FILE": "gives up a key; test_lost_files.py runs it with each file",
    "curl -X POST": "the first half of a command; README.md has it whole",
    "coap-client-openssl -u node-7 -k KEY coaps://127.0.0.1/.well-known/core":
        "needs a shared key in the settings; test_coaps.py runs it with one",
    "coap-client-gnutls -M key.pem coaps://127.0.0.1/keys/mirror": "needs a key; test_coaps.py runs it with one",
    "coap-client-openssl -c me.pem -j me.key -C ca.pem coaps://localhost/rd-lookup/ep":
        "needs an authority in the settings; test_certificates.py runs it with one",
    "curl -o ca.pem http://127.0.0.1:8080/ca.pem": "the gateway of docker/compose.yaml; docker/tests/test_images.py fetches it",
    'curl --cacert ca.pem -H "$token" https://HOST:8443/ms/1/load': "as above",
    "./vigil verify FILE [--key JKT]... [--keys JWKS]": "a synopsis; README.md has one that is run",
    **dict.fromkeys((
        "./vigil migrate --from data --to nats://nats-1:4222,nats://nats-2:4222,nats://nats-3:4222",
        "./vigil run --data-dir data --store nats://nats-1:4222,nats://nats-2:4222,nats://nats-3:4222",
        "./vigil migrate --from nats://nats-1:4222,nats://nats-2:4222,nats://nats-3:4222 --to data",
    ), "needs NATS servers; test_cluster.py moves a gateway there and back"),
    'sqlite3 vigil.db "DELETE FROM fact WHERE position = 12 AND ord = 0"': "needs a damaged row; DamagedFileTest removes one like this",
    "curl -N ... | wireshark -k -i -": "Wireshark needs a screen; test_the_demos_captures_are_decoded reads the capture",
}

MAY_END_WITH_1 = {
    "./vigil doctor": "this machine may lack what it looks for",
}

# A refusal ends the script, like a failure. libcoap's client prints its code, such as 4.04, on stderr; a reading may look
# like one.
PRELUDE = """
curl() { command curl --fail-with-body -sS --max-time 60 "$@"; }
coap-client-notls() {
  local answer
  answer=$(command coap-client-notls -B 30 "$@" 2>refusal)
  printf '%s\\n' "$answer"
  cat refusal >&2
  ! grep -qE '^[45]\\.[0-9]{2}([^0-9.]|$)' refusal && [ -n "$answer" ]
}
"""


def blocks(document):
    """Its fenced blocks whose first word is a command, each a list of lines."""
    fenced = re.findall(r"^```(?:sh)?\n(.*?)^```", (REPOSITORY / document).read_text(), re.M | re.S)
    return [block.splitlines() for block in fenced
            if COMMAND.match(next((line for line in block.splitlines() if line and line[0] != "#"), ""))]


def inline(document):
    """Commands between backticks, outside of fenced blocks."""
    text = re.sub(r"^```.*?^```", "", (REPOSITORY / document).read_text(), flags=re.M | re.S)
    return sorted({span for span in re.findall(r"`([^`\n]+)`", text) if COMMAND.match(span)})


def printed():
    return {line for document in DOCUMENTS for block in blocks(document) for line in block} | {
        command for document in DOCUMENTS for command in inline(document)}


class Demo(Process):
    """A demo in a separate folder, which is the working folder of the commands."""

    def __init__(self, folder):
        super().__init__(
            VIGIL, "demo", "--motes", str(MOTES), "--wake", "5", "--data-dir", str(folder / "data"), "--zep-port", "0",
            "--pcap", str(folder / "air.pcapng"), *PORTS.split(), cwd=folder,
            env=os.environ | UNOPTIMISED_VARIABLE)
        self.folder = folder

    def address(self, pattern):
        ready = next(line for line in self.lines if line.startswith("ready"))
        return re.search(pattern, ready)[0]

    def prepared(self, command):
        """The command with this demo's addresses, and with values for its words in capitals."""
        for pattern, text in (
            (r"^\./vigil run --data-dir restored$", f"timeout 300 {VIGIL} run --data-dir restored {PORTS} --for 0"),
            (r"^\./vigil\b", VIGIL),
            (r"^java\.sh\b", f"bash {REPOSITORY}/gateway/launcher/java.sh"),
            (r"\bJAR\b", JAR),
            (r"\bTHUMBPRINT\b", '"$kid"'),
            (r" -s 60 ", " -s 2 "),
            (r"http://127\.0\.0\.1:8080", self.address(r"http://127\.0\.0\.1:\d+")),
            (r"coap://127\.0\.0\.1(?=/)", self.address(r"coap://127\.0\.0\.1:\d+")),
        ):
            command = re.sub(pattern, lambda _: text, command)
        return command

    def run(self, commands):
        script = "\n".join([PRELUDE, "set -euxo pipefail", *map(self.prepared, commands)])
        home = os.environ.get("JAVA_HOME") or str(pathlib.Path(shutil.which("java")).resolve().parents[1])
        done = subprocess.run(
            ["bash", "-c", script], cwd=self.folder, env=os.environ | UNOPTIMISED_VARIABLE | {"JAVA_HOME": home}, text=True, timeout=300,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """Waits until every mote has registered and sent its readings."""
    with contextlib.ExitStack() as stack:
        running = Demo(tmp_path_factory.mktemp("demo"))
        stack.callback(running.stop)
        running.expect(r"^ready", timeout=300)
        waiting, deadline = set(range(1, MOTES + 1)), time.monotonic() + 120
        while waiting:
            waiting.discard(int(running.expect(r"^mote-(\d+): sent .*2\.04", timeout=deadline - time.monotonic())[1]))
        yield running


def need_tools(command):
    for tool in re.findall(r"(?:^|[|(] *)(curl|coap-client-notls|jose|sqlite3|openssl)\b", command, re.M):
        if not shutil.which(tool):
            pytest.skip(f"{tool} is not installed")


def test_all_motes_register_and_the_first_is_the_first(demo):
    registered = {found[1]: found[2] for line in demo.lines
                  if (found := re.match(r"(mote-\d+): registered at (/ms/\w+)", line))}
    assert len(registered) == MOTES and registered["mote-1"] == "/ms/1"


def test_no_two_motes_read_the_same_sensors(demo):
    read = {}
    for line in list(demo.lines):
        if found := re.match(r"(mote-\d+): sent (\S+) seq", line):
            read.setdefault(found[1], set()).add(found[2])
    assert len({frozenset(sensors) for sensors in read.values()}) == MOTES, read
    assert set().union(*read.values()) >= {"load", "memory", "disk", "network"}


def test_the_commands_of_the_readme_run_in_their_order(demo):
    lines = [line for block in blocks("README.md") for line in block if line not in NOT_RUN]
    assert len([line for line in lines if COMMAND.match(line)]) >= 15
    need_tools("\n".join(lines))
    code, text = demo.run(lines)
    assert code == 0, text
    assert '"u":"/"' in text, "the mote's signed SenML"


@pytest.mark.parametrize("command", sorted(
    {command for document in DOCUMENTS for command in inline(document)} - set(NOT_RUN)))
def test_a_command_within_a_sentence_runs(demo, command):
    need_tools(command)
    code, text = demo.run([command])
    assert code == 0 or code == 1 and command in MAY_END_WITH_1, text


def test_the_commands_that_the_demo_prints_run(demo):
    commands = [found[1].strip() for line in demo.lines
                if (found := re.match(r"  .{14}((?:curl|coap-client-notls) .*?)(?:  |$)", line))]
    assert len(commands) == 5, demo.lines
    need_tools("\n".join(commands))
    for command in commands:
        code, text = demo.run([command])
        assert code == 0, text


def runnable(document):
    return [line for block in blocks(document) for line in block if line not in NOT_RUN]


# The output of each page's commands, or the file that they create.
PAGES = {
    "docs/guide/accounts.md": r'"name":"ann".*"oneTimePassword":"',
    "docs/guide/backup.md": "restored/vigil.db",
    "docs/guide/ipsec.md": "gateway.sa",
    "docs/guide/passkeys.md": r'"passkeys":\[\]',
    "docs/guide/repair.md": "support.zip",
}


def test_each_page_with_a_block_of_commands_is_run():
    assert [page for page in GUIDE if runnable(page)] == list(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_run_in_their_order(demo, page):
    lines = runnable(page)
    need_tools("\n".join(lines))
    code, text = demo.run(lines)
    assert code == 0, text
    assert (demo.folder / PAGES[page]).exists() or re.search(PAGES[page], text), text


def test_the_recipes_run_in_their_order(demo):
    fenced = re.findall(r"^```sh\n(.*?)^```", (REPOSITORY / "docs/recipes.md").read_text(), re.M | re.S)
    assert len(fenced) == 11
    need_tools("\n".join(fenced))
    code, text = demo.run([line for block in fenced for line in block.splitlines()])
    assert code == 0, text


def test_each_exception_is_printed():
    assert set(NOT_RUN) <= printed()


def test_the_demos_captures_are_decoded(demo):
    url = demo.address(r"http://127\.0\.0\.1:\d+") + "/api/network/capture?seconds=6"
    token = (demo.folder / "data/operator.token").read_text().strip()
    code, text = demo.run([f"curl -o live.pcapng -H {shlex.quote('Authorization: Bearer ' + token)} '{url}'"])
    assert code == 0, text
    for capture in ("air.pcapng", "live.pcapng"):
        # The first capture goes on: its last packet may lack fragments.
        code, text = demo.run([f"./vigil decode {capture} >packets 2>errors"])
        packets, errors = ((demo.folder / file).read_text() for file in ("packets", "errors"))
        assert code in (0, 1) and len(packets.splitlines()) > 10, text + errors
        assert all(" > " in packet for packet in packets.splitlines())
        assert len([packet for packet in packets.splitlines() if "UDP" in packet]) > 10
        assert "link type" not in errors and "capture file" not in errors
