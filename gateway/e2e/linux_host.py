"""An unmodified Linux as a host for tests: Debian's user-mode-linux, a kernel that runs as a process, on a tap interface.

Its root is this machine's file system, read-only; process 1 is linux_guest.py. It ends with `stop`.
"""

import contextlib
import json
import os
import pathlib
import platform
import shutil
import signal
import subprocess
import time

import pytest
from processes import Process, why_no_namespace

KERNEL = shutil.which("linux.uml")
GUEST = pathlib.Path(__file__).with_name("linux_guest.py")
LINE = 4096
# A kernel of 6.1 keeps no room for the registers of AMX, so that the first program it runs makes it panic.
REGISTERS = "ptrace set fp regs failed"
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp"


def why_no_linux_host():
    """Tools that it lacks; empty if none."""
    if platform.machine() != "x86_64":
        return "user-mode-linux is for x86-64 only"
    if not KERNEL:
        return "the Linux host needs user-mode-linux: apt-get install user-mode-linux"
    return why_no_namespace()


def boot_linux_host(tap, inside=()):
    """A guest that finds its cryptographic algorithms: in one boot of three user-mode-linux finds none until it ends."""
    for _ in range(6):
        guest = LinuxHost(tap, inside)
        if guest.do("has_algorithms"):
            return guest
        guest.stop()
    raise AssertionError("no boot of six found hmac(sha1)")


class LinuxHost(Process):
    """The guest; `inside`: the network namespace of the tap interface that its only wire ends at."""

    def __init__(self, tap, inside=()):
        super().__init__(
            *inside, KERNEL, "mem=64M", "rootfstype=hostfs", "rootflags=/", "ro", f"init={GUEST}",
            "quiet", "panic=1", f"vec0:transport=tap,ifname={tap},depth=64,gro=0", "con=null", "con0=null,fd:2",
            "ssl=null", "ssl0=fd:0,fd:1",
            env=os.environ | {"TMPDIR": MEMORY}, stdin=subprocess.PIPE, start_new_session=True,
        )
        started = time.monotonic()
        try:
            self.release = self._answer()
        except AssertionError:
            self.stop()  # nobody holds it yet who could
            if any(REGISTERS in line for line in self.lines):
                pytest.skip(f"user-mode-linux runs no program on this processor: {REGISTERS}")
            raise
        self.boot_seconds = time.monotonic() - started

    def _answer(self):
        said = json.loads(self.expect(r"^@(.*)$", timeout=60)[1])
        assert "result" in said, said.get("failed")
        return said["result"]

    def _order(self, order, **arguments):
        line = json.dumps({"order": order, "arguments": arguments}) + "\n"
        assert len(line) < LINE, "the guest's serial line would lose some of it"
        self.child.stdin.write(line)
        self.child.stdin.flush()

    def do(self, order, **arguments):
        """The result of a function of linux_guest.py."""
        self._order(order, **arguments)
        return self._answer()

    def stop(self, how=signal.SIGTERM):
        """Powers the guest off and ends the rest of the processes that its kernel consists of."""
        with contextlib.suppress(BrokenPipeError, subprocess.TimeoutExpired):
            self._order("power_off")
            self.child.wait(timeout=10)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.child.pid, signal.SIGKILL)
        return super().stop(how)
