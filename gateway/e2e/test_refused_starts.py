"""A gateway that cannot start gives the reason in one sentence on stderr, and changes nothing. StoreFaultTest has more data
folders, BridgeLifecycleTest a port in use, StartupErrorsTest and SettingsFileTest more wrong settings."""

import contextlib
import socket
import subprocess

import pytest
from processes import java_command

DEMO = ("--demo", "--coap-port", "0", "--http-port", "0", "--zep-port", "0")


def refusal(folder, *options, data=None):
    """Returns the sentence. `folder` is the working folder, where the gateway looks for settings."""
    done = subprocess.run([*java_command(), "run", "--data-dir", data or folder / "data", *options], cwd=folder,
                          capture_output=True, text=True, timeout=60)
    said = done.stdout + done.stderr
    assert done.returncode != 0 and "Exception" not in said and "\tat " not in said and "ready coap" not in said, said
    [sentence] = done.stderr.splitlines()
    assert sentence.startswith("vigil: ")
    return sentence


@contextlib.contextmanager
def taken(kind):
    """A port of loopback that is in use."""
    with socket.socket(socket.AF_INET, kind) as holder:
        holder.bind(("127.0.0.1", 0))
        if kind == socket.SOCK_STREAM:
            holder.listen()
        yield str(holder.getsockname()[1])


@pytest.mark.parametrize("option, kind, words", [
    ("--http-port", socket.SOCK_STREAM, ["in use", "--http-port"]), ("--coap-port", socket.SOCK_DGRAM, ["coap"])])
def test_a_port_in_use_is_named(tmp_path, option, kind, words):
    with taken(kind) as port:
        sentence = refusal(tmp_path, *DEMO, option, port)
    assert all(word in sentence for word in [port, *words]), sentence


def test_a_second_gateway_in_the_folder_reports_the_holders_pid(tmp_path, network):
    sentence = refusal(tmp_path, data=network.data_dir)
    assert f"{network.data_dir} is in use by process {network.child.pid}" in sentence and "--data-dir" in sentence, sentence
    assert network.get("/actuator/health")[0] == 200


@pytest.mark.parametrize("file, text, words", [
    ("mine.yaml", "vigil:\n  domains:\n    plant:\n      trust: everyone\n",
     ["vigil.domains.plant.trust", "everyone", "mine.yaml, line 4", "first-use, approve, listed"]),
    ("mine.yaml", "vigil:\n  domains:\n    plant:\n      limits:\n        resources: 0\n",
     ["vigil.domains.plant.limits.resources must be 1 to 4096, not 0", "mine.yaml, line 5"]),
    ("mine.yaml", "vigil:\n  northbound.webhook.chat:\n    url: http://127.0.0.1:9/\n    body: |\n      {\n        \"text\": \"{{txt}}\"\n      }\n",
     ["vigil.northbound.webhook.chat.body is wrong in line 2, column 12: there is no name \"txt\"; the names are [", " text, ", "mine.yaml, line"]),
    ("application.yaml", "server:\n  port: 9091\n", ["server.port (application.yaml, line 2) is not a setting of Vigil"]),
], ids=["value", "limit", "template", "foreign"])
def test_a_wrong_setting_is_named_with_file_and_line(tmp_path, file, text, words):
    (tmp_path / file).write_text(text)
    sentence = refusal(tmp_path, *DEMO, *(() if file == "application.yaml" else ("--config", file)))
    assert all(word in sentence for word in words), sentence
