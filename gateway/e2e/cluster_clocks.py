"""Faults of clocks in a cluster (cluster_faults.py): of a gateway, and of servers while they run."""

import struct
import subprocess
import time

import nats
import server_clock
from processes import REPOSITORY

DAY_SECONDS = 86_400
WHY_NO_SERVER_CLOCK = server_clock.why_not()


def step_the_clock(site):
    """The clock of gateway a is ahead by a day, then behind by a day."""
    for days in (1, -1, 0):
        step_to(site.folder / "clock", days)
        site.pause(3, 5)
    yield


def step_the_leaders_clock(site):
    yield from step_clocks_of(site, [site.servers.leader()])


def step_a_followers_clock(site):
    yield from step_clocks_of(site, [(site.servers.leader() + 1) % nats.SERVERS])


def step_all_servers_clocks(site):
    yield from step_clocks_of(site, range(nats.SERVERS))


def step_clocks_of(site, servers):
    """The clocks of servers are ahead by a day, then behind by a day. Only their clock differs from an installed server."""
    clocks = [server_clock.ServerClock(site.servers.children[number].pid) for number in servers]
    for days in (1, -1, 0):
        for clock in clocks:
            clock.step(days * DAY_SECONDS)
        for number in servers:
            ahead = site.servers.time(number) - time.time()
            assert abs(ahead - days * DAY_SECONDS) < 60, f"the clock of server {number} is {ahead} s ahead"
        site.pause(3, 5)
    yield
    assert site.servers.stream()["state"]["first_seq"] > 1, "no message was removed meanwhile"


def with_snapshots(_):
    """The settings of a gateway that often removes messages by their age."""
    return {f"VIGIL_CLUSTER_SNAPSHOTS_{name}": value for name, value in (
        ("EVERY", "2s"), ("KEEPMESSAGES", "50"), ("KEEPAGE", "2s"))}


def step_to(file, days):
    """In place, because the gateway has mapped the file."""
    with open(file, "r+b" if file.exists() else "wb") as step:
        step.write(struct.pack("@q", days * DAY_SECONDS))


def with_a_clock(folder):
    """The settings of a gateway whose clock the file `clock` moves."""
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", folder / "clock_step.so",
                    REPOSITORY / "gateway/e2e/clock_step.c"], check=True)
    step_to(folder / "clock", 0)
    return {"LD_PRELOAD": str(folder / "clock_step.so"), "CLOCK_STEP_FILE": str(folder / "clock")}


SERVER_CLOCK_FAULTS = (step_the_leaders_clock, step_a_followers_clock, step_all_servers_clocks)
