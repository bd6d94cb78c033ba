"""Fixtures that the end-to-end tests share; the processes behind them are in processes.py."""

import contextlib
import http.server
import threading

import mirror_peer
import pytest
from processes import Gateway, mote

# The files run in parallel: a file that takes minutes must not start last. A file of TOGETHER brings the others with it.
LONGEST_FIRST = [
    "test_release.py", "test_cluster_faults.py", "test_arm64.py", "test_pages.py", "test_clients.py", "test_archive.py",
    "test_printed_commands.py", "test_first_week.py", "test_dtls_mote.py", "test_cluster.py", "test_linux_host.py",
    "test_launcher.py", "test_stored_readings.py", "test_automations.py",
    "test_backup_and_restore.py", "test_northbound.py", "test_sparkplug.py", "test_misbehaving_node.py",
    "test_openapi_fuzz.py", "test_coaps.py", "test_lost_files.py", "test_secured_mesh.py",
]

# They wait for Maven.
LAST = ["test_bench.py", "test_evaluate.py"]

# Files that share a fixture run in one worker: another worker would start a second gateway, which runs until the end.
TOGETHER = {
    "network": {
        "test_clients.py", "test_crash_and_replay.py", "test_found_read_and_verified.py", "test_mesh.py",
        "test_metrics.py", "test_refused_starts.py", "test_starting_and_stopping.py", "test_web_page.py",
    },
    "gateway": {
        "test_archive.py", "test_examples_c.py", "test_examples_python.py", "test_mirror_forms.py",
        "test_mirror_reading.py", "test_mirror_registration.py", "test_openapi.py", "test_order_under_load.py",
        "test_trusting_nobody.py",
    },
}


def pytest_collection_modifyitems(items):
    order = {name: place for place, name in enumerate(LONGEST_FIRST)} | dict.fromkeys(LAST, 1000)
    items.sort(key=lambda item: order.get(item.path.name, len(LONGEST_FIRST)))
    for fixture, files in TOGETHER.items():
        users = {item.path.name for item in items if fixture in item.fixturenames and not hasattr(item.module, fixture)}
        assert users <= files, f"put all of {users} into TOGETHER"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Gives each file to one worker, and the files of TOGETHER too."""
    from xdist.scheduler import LoadFileScheduling

    groups = {file: fixture for fixture, files in TOGETHER.items() for file in files}

    class ByFixture(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = super()._split_scope(nodeid)
            return groups.get(file.rpartition("/")[2], file)

    return ByFixture(config, log)


@pytest.fixture(autouse=True, scope="session")
def no_stack_trace_at_the_end():
    """Stops gateways that a whole file shares after the last of its tests."""
    yield
    assert not Gateway.traces, Gateway.traces


@pytest.fixture(autouse=True)
def no_stack_trace(no_stack_trace_at_the_end):
    """No request, datagram or fault may make a gateway print a stack trace, which a stranger could use to fill the
    log."""
    yield
    traces, Gateway.traces[:] = list(Gateway.traces), []
    assert not traces, "\n".join(traces)


@pytest.fixture
def running():
    """Stops everything that a test adds, last first."""
    with contextlib.ExitStack() as stack:

        def keep(process):
            stack.callback(process.stop)
            return process

        yield keep


class Sink(http.server.BaseHTTPRequestHandler):
    """A database that accepts every point and stores none."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.send_header("Connection", "close")
        self.end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def sink():
    """The address of a database that accepts every point and stores none."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Sink) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/write?db=vigil"
        server.shutdown()


@pytest.fixture(scope="session")
def network(tmp_path_factory):
    """A gateway and three motes on its radio, each with an accepted value."""
    folder = tmp_path_factory.mktemp("network")
    pcap = folder / "air.pcapng"
    with contextlib.ExitStack() as stack:
        gateway = Gateway(
            folder / "data", "--demo", "--coap-port", "0", "--http-port", "0", "--zep-port", "0",
            "--pcap", str(pcap), VIGIL_HTTP_TLS_GENERATE="true",
            VIGIL_NORTHBOUND_INFLUXDB_SINK_URL=stack.enter_context(sink()),
        )
        stack.callback(gateway.stop)
        gateway.ready()
        gateway.pcap = pcap
        gateway.motes = []
        for number in (1, 2, 3):
            one = mote(f"mote-{number}", gateway, folder / f"mote-{number}.state")
            stack.callback(one.stop)
            gateway.motes.append(one)
        for one in gateway.motes:
            one.expect(r"registered", timeout=60)
            one.expect(r"sent .*2\.0[14]", timeout=60)
        yield gateway


@pytest.fixture(scope="session")
def gateway(tmp_path_factory):
    """A gateway whose domains differ in policy (see mirror_peer.py)."""
    running = mirror_peer.start(tmp_path_factory.mktemp("gateway"))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def wary(tmp_path_factory):
    """The same gateway, for which loopback addresses may be forged."""
    running = mirror_peer.start(tmp_path_factory.mktemp("wary"), proxy=True)
    yield running
    running.stop()
