"""schemathesis requests every operation of the OpenAPI document, with valid values as each role, and with invalid values as an
administrator (with --all as each role). No answer is an internal error, and the document describes each answer and its form."""

import json
import signal
import urllib.request

import pytest
from processes import ALL, MOTE, Gateway, Process, wait_until

ROLES = ("viewer", "operator", "administrator")
# Numbers of valid and invalid requests of an operation, and the roles that send the invalid ones.
FITTING, UNFITTING, UNFITTING_ROLES = (20, 10, ROLES) if ALL else (1, 1, ROLES[-1:])


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A gateway whose endpoint has sent a value, and a token of each role."""
    folder = tmp_path_factory.mktemp("fuzz")
    gateway = Gateway(folder / "data", "--demo", "--coap-port", "0", "--http-port", "0", "--zep-port", "0")
    mote = None
    try:
        gateway.ready()
        mote = Process(MOTE, "--ep", "asked", "--mirror", gateway.coap, "--wake", "1", "--sensor", "load",
                       "--state", str(folder / "asked.state"))
        base = mote.expect(r"registered at (/ms/\S+)").group(1)
        mote.expect(r"sent load .*2\.0[14]")
        yield Site(gateway, (folder / "data/operator.token").read_text().strip(), base.rsplit("/", 1)[1])
    finally:
        if mote:
            mote.stop()
        gateway.stop()


class Site:
    def __init__(self, gateway, token, endpoint):
        self.gateway, self.token, self.endpoint = gateway, token, endpoint
        self.tokens = {role: self.ask("POST", "/api/tokens", {"name": role, "roles": [role]})["token"] for role in ROLES}
        self.real = {"id": endpoint, "path": "load", "thumbprint": self.ask("GET", "/api/endpoints/" + endpoint)["keyThumbprint"]}

    def ask(self, method, path, body=None):
        request = urllib.request.Request(
            self.gateway.http + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": "Bearer " + self.token, "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read() or "null")


def test_each_role_gets_answers_that_the_document_describes(site):
    import openapi_requests as fuzz

    sessions = {role: fuzz.session(site.tokens[role]) for role in ROLES}
    wrong, asked = [], 0
    for operation in fuzz.operations(site.gateway.http):
        fitting = 1 if operation.definition.raw["operationId"] in fuzz.BRIEFLY else FITTING
        for mode, count, roles in ((fuzz.VALID, fitting, ROLES), (fuzz.INVALID, UNFITTING, UNFITTING_ROLES)):
            try:
                asked += fuzz.ask(operation, mode, count, {role: sessions[role] for role in roles}, site.real)
            except AssertionError as failure:
                wrong.append(str(failure))
    assert not wrong, "\n\n".join(wrong)
    assert asked >= 400, asked


def test_a_stack_trace_would_be_noticed(site):
    """The JVM prints one stack trace per thread on request (see `no_stack_trace` in conftest.py)."""
    site.gateway.child.send_signal(signal.SIGQUIT)
    site.gateway.expect(r"^Full thread dump")
    wait_until(lambda: Gateway.traces)
    site.gateway.expect(r"^Heap")
    Gateway.traces.clear()
