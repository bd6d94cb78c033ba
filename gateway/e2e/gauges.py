"""Resources of a gateway process, and the kernel's counters of its network namespace."""

import collections
import os
import pathlib
import re
import subprocess

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_by_thread(pid):
    """CPU seconds by thread name, without the threads' numbers."""
    used = collections.Counter()
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            stat = (task / "stat").read_text()
        except OSError:
            continue  # it has just ended
        name, rest = stat[stat.index("(") + 1 : stat.rindex(")")], stat[stat.rindex(")") + 2 :].split()
        used[re.sub(r"[-#\d]+", "", name)] += (int(rest[11]) + int(rest[12])) / TICKS
    return used


def datagrams(inside):
    """UDP datagrams in a namespace: received by sockets, lost because a socket's buffer was full, sent."""
    text = subprocess.run([*inside, "cat", "/proc/net/snmp6", "/proc/net/snmp"], check=True, capture_output=True, text=True).stdout
    found = collections.Counter()
    names, values = [line.split()[1:] for line in text.splitlines() if line.startswith("Udp:")]
    for name, value in zip(names, values):
        found[name] += int(value)
    for line in text.splitlines():
        if line.startswith("Udp6"):
            name, value = line.split()
            found[name.removeprefix("Udp6")] += int(value)
    return {"received": found["InDatagrams"], "lost": found["RcvbufErrors"], "sent": found["OutDatagrams"]}


def backlog_drops():
    """Packets that the machine dropped before any socket because its processors were too slow."""
    lines = pathlib.Path("/proc/net/softnet_stat").read_text().splitlines()
    return sum(int(line.split()[1], 16) for line in lines)


def jcmd(pid, command):
    program = pathlib.Path(os.environ["JAVA_HOME"]) / "bin/jcmd"
    return subprocess.run([program, str(pid), command], check=True, capture_output=True, text=True).stdout


def live_heap(pid):
    """Octets of the live objects after a full collection."""
    return int(re.search(r"^Total\s+\d+\s+(\d+)", jcmd(pid, "GC.class_histogram"), re.M)[1])


def compilation(pid):
    """Seconds that the compilers of the JVM have worked since its start."""
    return int(re.search(r"^java\.ci\.totalTime=(\d+)", jcmd(pid, "PerfCounter.print"), re.M)[1]) / 1e9


def resident(pid):
    """Resident memory of the process in octets."""
    return 1024 * int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1])


def disk(folder):
    """Used octets of a separate file system."""
    state = os.statvfs(folder)
    return (state.f_blocks - state.f_bfree) * state.f_frsize
