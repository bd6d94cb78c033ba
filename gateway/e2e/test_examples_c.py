"""The endpoint of docs/examples in C, on the mote core's public headers, with a real gateway."""

import json
import re
import subprocess
import urllib.parse

import pytest
from processes import REPOSITORY

SOURCE = REPOSITORY / "docs/examples/sleepy_endpoint.c"
FIRMWARE = REPOSITORY / "mote-firmware"


@pytest.fixture(scope="module")
def example():
    """The example as `make examples` builds it, with the core that is built for the motes."""
    subprocess.run(["make", "-s", "-C", FIRMWARE, "examples"], check=True, timeout=300)
    return FIRMWARE / "build/examples/sleepy_endpoint"


def run(example, gateway, name, value):
    mirror = urllib.parse.urlsplit(gateway.coap)
    return subprocess.run(
        [example, mirror.hostname, str(mirror.port), name, value], capture_output=True, text=True, timeout=60
    )


def test_the_c_example_registers_and_its_reading_is_mirrored(gateway, example):
    done = run(example, gateway, "c-example", "21.5")
    assert done.returncode == 0, done.stdout + done.stderr
    path = "/" + re.search(r"\bms/\S+", done.stdout).group()
    assert gateway.get(f"{path}/temp", "text/plain")[2] == b"21.5"
    status, _, pack = gateway.get(f"{path}/temp", "application/senml+json")
    [record] = json.loads(pack)
    assert (status, record["n"], record["u"], record["v"]) == (200, "c-example/temp", "Cel", 21.5)


def test_the_c_example_reports_a_mirror_that_refuses(gateway, example):
    assert run(example, gateway, "two words", "21.5").returncode == 3
    done = run(example, gateway, "c-refused", "no number")
    assert done.returncode == 1, done.stdout


def test_the_c_example_is_short_and_uses_public_headers_only():
    lines = [line.strip() for line in re.sub(r"(?s)/\*.*?\*/", "", SOURCE.read_text()).splitlines()]
    includes = re.findall(r'#include "([^"]+)"', SOURCE.read_text())
    assert includes and all((FIRMWARE / "include" / header).exists() for header in includes)
    assert len([line for line in lines if line.strip("{}") and not line.startswith("#include")]) <= 50
