"""Discovery by multicast, with Debian's coap-client and aiocoap on a separate link.

A network namespace with a veth pair stands for the link: nothing leaves the machine, and nothing has to be configured
on it. This needs root, or the right to create user namespaces.
"""

import os
import shutil
import subprocess
import sys

import pytest

from processes import COAP_CLIENT, Gateway

LINK = """
set -e
ip link set lo up
ip link add air type veth peer name end
ip link set end up
ip link set air multicast on up
ip -6 address add fe80::2/64 dev air nodad
ip -6 address add fd12::2/64 dev air nodad
ip -6 route add multicast ff05::/16 dev air table local
ip address add 192.0.2.2/24 dev air
ip route add 224.0.0.0/4 dev air
exec "$@"
"""


def unshare():
    """The command that starts another command in a separate network, or None."""
    for how in (["unshare", "--net"], ["unshare", "--map-root-user", "--net"]):
        if shutil.which("unshare") and shutil.which("ip"):
            tried = subprocess.run([*how, "sh", "-c", LINK, "sh", "true"], capture_output=True)
            if tried.returncode == 0:
                return [*how, "sh", "-c", LINK, "sh"]
    return None


class Inside(Gateway):
    """A gateway in a network namespace, and the other processes there."""

    def __init__(self, data_dir, *options):
        prefix = unshare()
        if prefix is None:
            pytest.skip("cannot make a network namespace here (needs root or user namespaces, and iproute2)")
        super().__init__(data_dir, *options, inside=prefix)

    def start(self, *command):
        """A client on the same link."""
        enter = ["nsenter", f"--target={self.child.pid}", "--net"]
        if os.geteuid() != 0:
            enter += ["--user", "--preserve-credentials"]
        return subprocess.Popen(
            [*enter, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        )

    def coap(self, uri):
        """Waits somewhat longer than the leisure time of a server (RFC 7252 section 8.2)."""
        return self.start(COAP_CLIENT, "-N", "-B", "15", "-m", "get", uri)


def said(client, patience=60):
    try:
        return client.communicate(timeout=patience)[0].strip()
    finally:
        client.kill()


@pytest.fixture(scope="module")
def inside(tmp_path_factory):
    gateway = Inside(tmp_path_factory.mktemp("multicast"), "--http-port", "0")
    try:
        gateway.expect(r"^ready", timeout=120)
        yield gateway
    finally:
        gateway.stop()


GROUPS = ("[ff02::fd%air]", "[ff02::fe%air]", "[ff05::fd]", "[ff05::fe]", "224.0.1.187", "224.0.1.190")
THREE = ('</rd>;rt="core.rd"', 'rt="core.rd-lookup-ep"', 'rt="core.rd-lookup-res"')


def test_each_multicast_group_finds_the_directory(inside):
    asked = {group: inside.coap(f"coap://{group}/.well-known/core?rt=core.rd*") for group in GROUPS}
    nothing = inside.coap("coap://224.0.1.190/.well-known/core?rt=no-such-type")
    # Reading needs credentials: a unicast request gets an error, a multicast request gets no answer.
    refused = inside.coap("coap://192.0.2.2/rd-lookup/ep")
    silent = inside.coap("coap://224.0.1.190/rd-lookup/ep")
    for group, client in asked.items():
        answer = said(client)
        for link in THREE:
            assert answer.count(link) == 1, (group, answer)
    assert said(nothing) == ""
    assert "4.01" in said(refused)
    assert said(silent) == ""


AIOCOAP = """
import asyncio, sys
from aiocoap import Context, Message, GET, NON

async def main():
    client = await Context.create_client_context()
    request = Message(code=GET, mtype=NON, uri=sys.argv[1])
    try:
        answer = await asyncio.wait_for(client.request(request).response, 20)
        print(answer.code, answer.mtype, answer.remote.hostinfo, answer.payload.decode())
    finally:
        await client.shutdown()

asyncio.run(main())
"""


def test_aiocoap_is_answered_from_a_unicast_address(inside):
    pytest.importorskip("aiocoap")
    uri = "coap://224.0.1.190/.well-known/core?rt=core.rd"
    answer = said(inside.start(sys.executable, "-c", AIOCOAP, uri))
    assert "2.05" in answer and "192.0.2.2" in answer and '</rd>;rt="core.rd"' in answer, answer
