"""The faults that may happen to a cluster (cluster_site.py).

Each function causes a fault. Its code after `yield` runs once both gateways accept updates again.
"""

import dataclasses
import os
import shutil
import signal
import time
from collections.abc import Callable

import nats
from cluster_clocks import SERVER_CLOCK_FAULTS, WHY_NO_SERVER_CLOCK, step_the_clock, with_a_clock, with_snapshots
from cluster_site import NAMES
from processes import Process, wait_until

STALL_SECONDS = 12  # longer than the election of a leader, and than a gateway's lease of the duties


def kill_gateway(site):
    site.gateways[site.holder()].signal(signal.SIGKILL)
    yield


def kill_leader(site):
    leader = site.servers.leader()
    site.servers.kill(leader)
    yield
    site.servers.start(leader)


def kill_leader_and_gateway(site):
    leader, name = site.servers.leader(), site.random.choice(NAMES)
    site.servers.kill(leader)
    site.gateways[name].signal(signal.SIGKILL)
    yield
    site.servers.start(leader)


def kill_two_servers(site):
    killed = site.random.sample(range(nats.SERVERS), 2)
    for number in killed:
        site.servers.kill(number)
    site.pause(0, 4)
    for number in killed:
        site.servers.start(number)
    yield


def kill_all_servers(site):
    site.servers.kill_all()
    site.pause(0, 4)
    site.servers.start_all()
    yield


def kill_everything(site):
    site.servers.kill_all()
    for name in NAMES:
        site.gateways[name].signal(signal.SIGKILL)
    site.servers.start_all()
    yield


def stop_leader(site):
    leader = site.servers.leader()
    site.servers.signal(leader, signal.SIGSTOP)
    time.sleep(STALL_SECONDS)
    site.servers.signal(leader, signal.SIGCONT)
    yield


def stop_gateway(site):
    gateway = site.gateways[site.holder()]
    gateway.signal(signal.SIGSTOP)
    time.sleep(STALL_SECONDS)
    gateway.signal(signal.SIGCONT)
    yield


def cut_gateway(site):
    links = site.all_links(site.random.choice(NAMES))
    site.links.every("cut", links)
    time.sleep(STALL_SECONDS)
    site.links.every("heal", links)
    yield


def cut_leader(site):
    links = site.servers.links_of(site.servers.leader())
    site.links.every("cut", links)
    time.sleep(STALL_SECONDS)
    site.links.every("heal", links)
    yield


def delay_everything(site):
    for link in site.links.names:
        site.links.every("delay", [link], site.random.randrange(2, 80))
    site.pause(6, 10)
    site.links.every("delay", site.links.names, 0)
    yield


def reset_connections(site):
    for _ in range(20):
        site.links.every("reset", site.random.sample(site.links.names, 4))
        site.pause(0, 0.6)
    yield


def fill_a_servers_disk(site):
    """The operator makes room and starts the server again."""
    site.servers.lead(1)
    site.disks["n1"].fill()
    site.pause(4, 8)
    site.disks["n1"].make_room()
    site.servers.kill(1)
    site.servers.start(1)
    yield


def fill_a_gateways_disk(site):
    """The operator makes room; the gateway goes on without a restart."""
    site.disks["b"].fill()
    site.pause(4, 8)
    site.disks["b"].make_room()
    yield


def slow_a_disk(site):
    """Each sync of the leader takes up to 60 ms longer."""
    pid = site.servers.children[site.servers.leader()].pid
    delay = site.random.randrange(10_000, 60_000)
    noted = site.folder / "syncs"
    slowing = Process("strace", "-f", "-qq", "-o", noted, "-p", str(pid), "-e", "trace=fsync,fdatasync",
                      "-e", f"inject=fsync,fdatasync:delay_enter={delay}")
    site.pause(6, 10)
    slowing.stop()
    assert noted.read_text().count("DELAYED") > 20, "the server syncs in another way"
    yield


def lose_synced_writes(site):
    """The leader is killed, and its disk has lost the writes of some seconds although they were synced."""
    number = site.servers.leader()
    site.servers.signal(number, signal.SIGSTOP)
    kept = site.servers.folder / "kept"
    shutil.copytree(site.servers.stores[number], kept)
    site.servers.signal(number, signal.SIGCONT)
    site.pause(1, 4)
    site.servers.kill(number)
    shutil.rmtree(site.servers.stores[number])
    kept.rename(site.servers.stores[number])
    site.servers.start(number)
    yield


def empty_a_servers_disk(site):
    number = site.random.randrange(nats.SERVERS)
    site.servers.kill(number)
    shutil.rmtree(site.servers.stores[number])
    site.pause(0, 2)
    site.servers.start(number)
    yield


def replace_a_server(site):
    """A server is removed from the cluster, and one of another name takes its place."""
    servers, number = site.servers, site.random.randrange(nats.SERVERS)
    former = servers.names[number]
    servers.kill(number)
    shutil.rmtree(servers.stores[number])
    servers.names[number] = "n3"
    servers.start(number)

    def removed():
        """the former server is no longer a peer"""
        return (servers.ask("$JS.API.SERVER.REMOVE", {"peer": former}, user="system") or {}).get("success")

    wait_until(removed, timeout=90)
    yield
    servers.await_current()


def flip(site, files, bits, skip=0):
    """Changes random bits of random files that have content, after the first octets to skip."""
    files = [file for file in files if file.stat().st_size]
    assert files, "nothing to damage"
    for _ in range(bits):
        file = site.random.choice(files)
        with open(file, "r+b") as octets:
            place = site.random.randrange(skip, file.stat().st_size)
            octets.seek(place)
            octet = octets.read(1)[0]
            octets.seek(place)
            octets.write(bytes([octet ^ 1 << site.random.randrange(8)]))


def damage_blocks(site):
    """One server's messages have wrong bits, or their ends are missing; then this server leads."""
    number = site.random.randrange(nats.SERVERS)
    site.servers.kill(number)
    files = site.servers.files(number, "jetstream/USERS/streams/vigil/msgs/*.blk")
    if site.random.random() < 0.5:
        flip(site, files, 4)
    else:
        size = files[-1].stat().st_size
        os.truncate(files[-1], size - site.random.randrange(1, size // 2))
    site.servers.start(number)
    site.servers.await_current()
    site.servers.lead(number)
    yield


def damage_metadata(site):
    """One server's files have wrong bits, except its messages: those of the stream, its consumers, and Raft's snapshots."""
    number = site.random.randrange(nats.SERVERS)
    site.servers.kill(number)
    found = [file for file in site.servers.files(number, "jetstream/**/*") if file.is_file() and file.suffix != ".blk"]
    flip(site, found, 12)
    site.servers.start(number)
    yield


SQLITE_HEADER = 100


def damage_a_replica(site):
    """A gateway's database has wrong bits behind its header. A start that finds them may end; the next one fills it again."""
    gateway = site.gateways[site.random.choice(NAMES)]
    gateway.hold()
    flip(site, [gateway.folder / "vigil.db"], 20, skip=SQLITE_HEADER)
    gateway.want()
    yield
    assert len(gateway.failed_starts) <= 1, gateway.failed_starts


def store_a_foreign_message(site):
    """Gateways end at a message that is no change. Then the operator deletes the stream and adopts a new one."""
    running = [site.gateways[name].runs[-1] for name in NAMES]
    answer = site.servers.ask("vigil.e.=.foreign", {"not": "a change"})
    assert answer and answer.get("seq"), answer
    unreadable = f"unreadable message at position {answer['seq']}"

    def ended():
        """each gateway has ended at the message, and its next start was refused"""
        return all(any(unreadable in line for line in run.lines) for run in running) and all(
            any(unreadable in end for end in site.gateways[name].failed_starts) for name in NAMES)

    wait_until(ended, timeout=120)
    assert [run.child.returncode for run in running] == [1, 1]
    for name in NAMES:
        site.gateways[name].hold()
    assert site.servers.ask("$JS.API.STREAM.DELETE.vigil")["success"]
    for name in NAMES:
        site.gateways[name].settings = {"VIGIL_CLUSTER_ADOPT": "true"}
        site.gateways[name].want()
        site.gateways[name].await_ready()
    yield


def restart_everything_in_turn(site):
    for number in range(nats.SERVERS):
        site.servers.signal(number, signal.SIGTERM)
        site.servers.children[number].wait(60)
        site.servers.start(number)
        site.servers.await_current()
    for name in NAMES:
        site.gateways[name].signal(signal.SIGTERM)
        site.gateways[name].await_ready()
    yield


@dataclasses.dataclass(frozen=True)
class Fault:
    """`ends`: whether a gateway may end by itself, to repair what the servers have lost.

    `refused`: whether starts of a gateway may fail, until the operator acts.
    `small`: servers and gateways whose disk is small; `settings`: of gateway a, for the round's folder; `missing`: what this
    machine lacks for it."""

    run: Callable
    small: tuple = ()
    ends: bool = False
    refused: bool = False
    settings: Callable = lambda _: {}
    missing: str = ""

    @property
    def name(self):
        return self.run.__name__


FAULTS = {fault.name: fault for fault in (
    Fault(kill_gateway), Fault(kill_leader), Fault(kill_leader_and_gateway), Fault(kill_two_servers), Fault(kill_all_servers),
    Fault(kill_everything), Fault(stop_leader), Fault(stop_gateway), Fault(cut_gateway), Fault(cut_leader),
    Fault(delay_everything), Fault(reset_connections), Fault(fill_a_servers_disk, small=("n1",)),
    Fault(fill_a_gateways_disk, small=("b",)), Fault(slow_a_disk, missing="" if shutil.which("strace") else "strace"),
    Fault(lose_synced_writes, ends=True),
    Fault(step_the_clock, settings=with_a_clock), Fault(empty_a_servers_disk), Fault(replace_a_server), Fault(damage_blocks, ends=True),
    Fault(damage_metadata, ends=True), Fault(damage_a_replica, ends=True, refused=True),
    Fault(store_a_foreign_message, ends=True, refused=True),
    Fault(restart_everything_in_turn),
    *(Fault(step, settings=with_snapshots, missing=WHY_NO_SERVER_CLOCK) for step in SERVER_CLOCK_FAULTS))}
