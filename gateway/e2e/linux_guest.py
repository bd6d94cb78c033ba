#!/usr/bin/python3 -ISB
"""Process 1 of the Linux guest of linux_host.py: starts the network, then answers each order on the serial line.

An order and its answer are one line of JSON each; the answer begins with `@`, which distinguishes it from messages of
the kernel.
"""

import ctypes
import errno
import json
import os
import select
import socket
import subprocess
import time
import traceback
import tty

MODULES = "virtio_pci virtio_net esp6 ah6 xfrm_user ctr ccm xcbc authenc echainiv seqiv drbg sha512_generic".split()
WIRE = "wire0"
FINIT_MODULE, REBOOT_POWER_OFF = 313, 0x4321FEDC  # a system call of x86-64; a command of reboot(2)
IPV6_UNICAST_HOPS, ETHERNET_ALL = 16, 3
LIBC = ctypes.CDLL(None, use_errno=True)


def mount_kernel_file_systems():
    for kind, place in (("proc", "/proc"), ("sysfs", "/sys"), ("devtmpfs", "/dev"), ("tmpfs", "/run")):
        if LIBC.mount(kind.encode(), place.encode(), kind.encode(), 0, None) != 0 and not os.path.ismount(place):
            raise OSError(ctypes.get_errno(), f"mount {place}")


def load(names):
    """Loads kernel modules and what they depend on. A module that is part of the kernel is in no list."""
    folder = f"/lib/modules/{os.uname().release}"
    paths = {}
    with open(f"{folder}/modules.dep") as list_of_all:
        for line in list_of_all:
            path, _, others = line.partition(":")
            paths[os.path.basename(path).split(".")[0].replace("-", "_")] = [*reversed(others.split()), path]
    for path in [path for name in names for path in paths.get(name, ())]:
        file = os.open(f"{folder}/{path}", os.O_RDONLY)
        if LIBC.syscall(FINIT_MODULE, file, b"", 0) != 0 and ctypes.get_errno() != errno.EEXIST:
            raise OSError(ctypes.get_errno(), f"load {path}")
        os.close(file)


def ip(commands):
    """Commands of `ip`, one per line."""
    done = subprocess.run(["ip", "-force", "-batch", "-"], input=commands, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)


def has_algorithms():
    """Whether the kernel has the algorithms: adds an association with one of them, and deletes it."""
    ends = "src fd00:: dst fd00::1 proto ah spi 0xffff"
    try:
        ip(f"xfrm state add {ends} mode transport auth-trunc hmac(sha1) 0x{'00' * 20} 96\nxfrm state delete {ends}\n")
    except RuntimeError:
        return False
    return True


def read(arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def udp(source, options):
    """A socket; `options`: a whole destination options header, which goes before ESP and AH."""
    sock = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    if options:
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_DSTOPTS, bytes.fromhex(options))
    sock.bind(tuple(source))
    return sock


def talk(source, to, payload, frames=(), options="", timeout=60):
    """Sends frames unchanged, then a datagram; returns the payloads that came back up to the datagram's."""
    came = []
    with udp(source, options) as sock, packets() as wire:
        for frame in frames:
            wire.send(bytes.fromhex(frame))
        sock.sendto(bytes.fromhex(payload), tuple(to))
        end = time.monotonic() + timeout
        while payload not in came:
            if not select.select([sock], [], [], max(0, end - time.monotonic()))[0]:
                break
            came.append(sock.recv(2000).hex())
    return came


def exchange(source, to, payload, count, timeout=60):
    """Sends a datagram; returns the first `count` answers."""
    came = []
    with udp(source, "") as sock:
        sock.sendto(bytes.fromhex(payload), tuple(to))
        end = time.monotonic() + timeout
        while len(came) < count and select.select([sock], [], [], max(0, end - time.monotonic()))[0]:
            came.append(sock.recv(2000).hex())
    return came


def packets():
    """A socket for all frames: a socket for one protocol would not see outgoing frames."""
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETHERNET_ALL))
    wire.bind((WIRE, ETHERNET_ALL))
    return wire


def frame_that_goes_no_further(source, to, payload, options=""):
    """The frame of a datagram that the first router drops because of its hop limit."""
    with udp(source, options) as sock, packets() as wire:
        sock.setsockopt(socket.IPPROTO_IPV6, IPV6_UNICAST_HOPS, 1)
        sock.sendto(bytes.fromhex(payload), tuple(to))
        end = time.monotonic() + 60
        while select.select([wire], [], [], max(0, end - time.monotonic()))[0]:
            frame, address = wire.recvfrom(2000)
            if address[2] == socket.PACKET_OUTGOING and frame[38:54] == socket.inet_pton(socket.AF_INET6, to[0]):
                return frame.hex()
    raise TimeoutError("the datagram did not leave")


LISTENERS = []


def listen(source):
    """Keeps datagrams that arrive at an address and port from now on."""
    LISTENERS.append(udp(source, ""))


def heard(count, timeout=60):
    """Payloads in the order of the listeners, once enough have arrived, or fewer after the timeout."""
    came, end = [], time.monotonic() + timeout
    while len(came) < count:
        ready = select.select(LISTENERS, [], [], max(0, end - time.monotonic()))[0]
        if not ready:
            break
        came += [sock.recv(2000).hex() for sock in ready]
    return came


def power_off():
    LIBC.reboot(REBOOT_POWER_OFF)


ORDERS = {
    order.__name__: order
    for order in (ip, has_algorithms, read, talk, exchange, frame_that_goes_no_further, listen, heard, power_off)
}


def answer(line):
    try:
        order = json.loads(line)
        return {"result": ORDERS[order["order"]](**order["arguments"])}
    except Exception:  # the caller has to see any error
        return {"failed": traceback.format_exc()}


def main():
    os.environ.update(PATH="/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL="C")
    mount_kernel_file_systems()
    load(MODULES)
    ip(f"link set eth0 name {WIRE}\n")
    for name in ("accept_dad", "accept_ra", "autoconf", "router_solicitations"):
        with open(f"/proc/sys/net/ipv6/conf/{WIRE}/{name}", "w") as setting:
            setting.write("0")
    line = os.open("/dev/ttyS0", os.O_RDWR | os.O_NOCTTY)
    tty.setraw(line)
    with open(line, "r", closefd=False) as orders, open(line, "w", closefd=False) as answers:
        print("@" + json.dumps({"result": os.uname().release}), file=answers, flush=True)
        for order in orders:
            print("@" + json.dumps(answer(order)), file=answers, flush=True)


main()
