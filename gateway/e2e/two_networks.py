"""A network namespace for the gateway and one for the world, which owns every address of the prefixes of attackers and
honest clients."""

import contextlib
import ctypes
import os
import subprocess

from processes import namespace

GATEWAY = {"6": "fd00:77::1", "4": "10.77.0.1"}
HOSTILE = {"6": "fd00:bad::/56", "4": "10.66.0.0/16"}
HONEST = "fd00:600d::/32"
FORGED = {"6": "2000::/3", "4": "96.0.0.0/4"}  # a forger of sources has all of them
CLONE_NEWNET = 0x40000000


def run(inside, *command):
    subprocess.run([*inside, *command], check=True)


@contextlib.contextmanager
def two_networks():
    """(command prefix for the gateway's namespace, prefix for the world's namespace)."""
    with namespace("gateway") as gateway, namespace("world") as world:
        run([], "ip", "link", "add", "gw0", "netns", gateway[-1], "type", "veth", "peer", "name", "w0", "netns", world[-1])
        for inside, link, end in ((gateway, "gw0", 1), (world, "w0", 2)):
            run(inside, "ip", "link", "set", link, "up")
            run(inside, "ip", "-6", "addr", "add", f"fd00:77::{end}/64", "dev", link, "nodad")
            run(inside, "ip", "addr", "add", f"10.77.0.{end}/24", "dev", link)
        for prefix in (HONEST, HOSTILE["6"], FORGED["6"]):
            run(gateway, "ip", "-6", "route", "add", prefix, "via", "fd00:77::2")
            run(world, "ip", "-6", "route", "add", "local", prefix, "dev", "lo")
        for prefix in (HOSTILE["4"], FORGED["4"]):
            run(gateway, "ip", "route", "add", prefix, "via", "10.77.0.2")
            run(world, "ip", "route", "add", "local", prefix, "dev", "lo")
        # Otherwise Linux lets IPv6 sockets bind only to addresses of interfaces.
        run(world, "sysctl", "-q", "-w", "net.ipv6.ip_nonlocal_bind=1")
        yield gateway, world


@contextlib.contextmanager
def being_in(network):
    """The calling thread creates its sockets in this namespace; they stay there."""
    libc = ctypes.CDLL(None, use_errno=True)

    def enter(file):
        if libc.setns(file.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "cannot enter the network namespace")

    with open("/proc/thread-self/ns/net") as before, open(os.path.join("/run/netns", network[-1])) as there:
        enter(there)
        try:
            yield
        finally:
            enter(before)
