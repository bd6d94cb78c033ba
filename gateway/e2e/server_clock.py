"""Moves the wall clock of a running nats-server, as it is installed.

A static program in Go calls `clock_gettime` of the vDSO, the code that the kernel maps into each process. A copy of this
code in one process can be replaced from outside, as a debugger sets a breakpoint. Intervals are not moved, and neither
are times that the kernel itself notes, such as those of files.
"""

import ctypes
import os
import platform
import re
import signal
import struct

MACHINE = "x86_64"
CODE = bytes.fromhex(
    "b8 e4000000"  # mov eax, SYS_clock_gettime
    "0f05"  # syscall
    "85ff"  # test edi, edi
    "75 0a"  # jne end; other clocks than CLOCK_REALTIME
    "48 8b0d 06000000"  # mov rcx, [step]
    "48 010e"  # add [rsi], rcx; the seconds
    "c3"  # end: ret
    "9090"  # step: the next eight octets
)


def why_not():
    """The reason why this machine cannot step clocks; empty if it can."""
    return "" if platform.machine() == MACHINE else f"code of the clock for {platform.machine()}"


class ServerClock:
    """The clock of a child of this process."""

    def __init__(self, pid):
        self.pid = pid
        function = ctypes.CDLL("linux-vdso.so.1").__getattr__("__vdso_clock_gettime")
        # The kernel maps the same code into each process, at different addresses.
        offset = ctypes.cast(function, ctypes.c_void_p).value - code_of("self").start
        self.code = code_of(pid)
        self.place = self.code.start + offset
        self._write(self.place, CODE + bytes(8))

    def step(self, seconds):
        """Makes the clock differ by a time from the machine's."""
        self._write(self.place + len(CODE), struct.pack("@q", seconds))

    def _write(self, place, octets):
        """Writes while no thread runs, and none is within the code."""
        while True:
            os.kill(self.pid, signal.SIGSTOP)
            os.waitid(os.P_PID, self.pid, os.WSTOPPED)
            try:
                if not any(self._place_of(task) in self.code for task in os.listdir(f"/proc/{self.pid}/task")):
                    with open(f"/proc/{self.pid}/mem", "r+b", buffering=0) as memory:
                        memory.seek(place)
                        memory.write(octets)
                    return
            finally:
                os.kill(self.pid, signal.SIGCONT)

    def _place_of(self, task):
        """The address at which a stopped thread continues."""
        with open(f"/proc/{self.pid}/task/{task}/syscall") as state:
            return int(state.read().split()[-1], 16)


def code_of(process):
    """The addresses of the vDSO in a process."""
    with open(f"/proc/{process}/maps") as maps:
        found = re.search(r"^(\w+)-(\w+) .*\[vdso\]$", maps.read(), re.M)
    return range(int(found[1], 16), int(found[2], 16))
