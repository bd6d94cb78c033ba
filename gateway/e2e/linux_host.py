"""An unmodified Linux as a host for tests: Debian's kernel under QEMU's translator, on a tap interface.

Its RAM disk has linux_guest.py as process 1 (linux_image.py). It ends with `stop`.
"""

import contextlib
import json
import platform
import signal
import subprocess
import time

import linux_image
from processes import Process, why_no_namespace

LINE = 4096


def why_no_linux_host():
    """Missing tools; empty if none."""
    if platform.machine() != "x86_64":
        return "the Linux host is for x86-64 only"
    if missing := linux_image.missing():
        return f"the Linux host needs {' '.join(missing)}: ./vigil doctor names the packages"
    return why_no_namespace()


class LinuxHost(Process):
    """The guest; `inside`: the network namespace of the tap interface, the guest's only link."""

    def __init__(self, tap, inside=()):
        kernel, disk = linux_image.make()
        # TCG is named explicitly, because a guest may not boot even if /dev/kvm opens.
        super().__init__(
            *inside, "qemu-system-x86_64", "-M", "pc", "-accel", "tcg,tb-size=32", "-cpu", "max", "-m", "128M",
            "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-serial", "stdio",
            "-kernel", str(kernel), "-initrd", str(disk), "-append", "quiet panic=-1 mitigations=off",
            "-netdev", f"tap,id=n0,ifname={tap},script=no,downscript=no,vhost=off",
            "-device", "virtio-net-pci,netdev=n0,romfile=,csum=off,guest_csum=off,gso=off",
            stdin=subprocess.PIPE,
        )
        started = time.monotonic()
        try:
            self.release = self._answer()
            assert self.do("has_algorithms")
        except AssertionError:
            self.stop()  # no caller holds the process yet to stop it
            raise
        self.boot_seconds = time.monotonic() - started

    def _answer(self):
        said = json.loads(self.expect(r"^@(.*)$", timeout=120)[1])
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
        """Powers the guest off."""
        with contextlib.suppress(BrokenPipeError, subprocess.TimeoutExpired):
            self._order("power_off")
            self.child.wait(timeout=30)
        return super().stop(how)
