"""schemathesis requests every operation of the OpenAPI document, with valid values as each role, and with invalid values as an
administrator (with --all as each role). No answer is an internal error, and the document describes each answer and its form."""

import json
import os
import signal
import urllib.request

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.errors import Unsatisfiable
from openapi_tools import DOCUMENT
from processes import MOTE, REPOSITORY, Gateway, Process, wait_until
from schemathesis import GenerationMode
from schemathesis.specs.openapi import checks as openapi_checks

set_hypothesis_home_dir(REPOSITORY / "target/hypothesis")
ROLES = ("viewer", "operator", "administrator")
# Numbers of valid and invalid requests of an operation, and the roles that send the invalid ones.
FITTING, UNFITTING, UNFITTING_ROLES = (20, 10, ROLES) if os.environ.get("VIGIL_TEST_ALL") == "1" else (1, 1, ROLES[-1:])
CHECKS = [
    schemathesis.checks.not_a_server_error, openapi_checks.status_code_conformance, openapi_checks.content_type_conformance,
    openapi_checks.response_headers_conformance, openapi_checks.response_schema_conformance,
]
# Operations that other tests request.
NOT_ASKED = {
    "streamEvents": "an endless answer; EventsTest reads it",
}
# Operations that take long by default.
BRIEFLY = {"captureNetwork": {"seconds": 1}}
SEED = 20


@schemathesis.serializer(*sorted({
    kind for path in json.loads(DOCUMENT.read_text())["paths"].values() for operation in path.values() if isinstance(operation, dict)
    for kind in operation.get("requestBody", {}).get("content", {}) if not kind.endswith("json")}))
def as_it_is(context, value):
    """Bodies that are neither JSON nor a form: texts and octets unchanged, everything else as JSON."""
    if isinstance(value, bytes):
        return value
    return (value if isinstance(value, str) else json.dumps(value)).encode(errors="replace")


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
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.loads(answer.read() or "null")


def operations(url):
    schema = schemathesis.openapi.from_path(DOCUMENT)
    schema.config.update(base_url=url)
    for result in schema.get_all_operations():
        operation = result.ok()
        if operation.definition.raw["operationId"] not in NOT_ASKED:
            yield operation


def ask(operation, mode, count, sessions, real):
    """Sends `count` requests of an operation in each session, the lowest role first; returns their number."""
    # Requests for existing objects reveal more than requests for missing ones.
    known = {one: value for one, value in real.items() if f"{{{one}}}" in operation.path and operation.method == "get"}
    asked = []

    @seed(SEED)
    @settings(max_examples=count, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode, path_parameters=known or None))
    def send(case):
        if operation.definition.raw["operationId"] in BRIEFLY:
            case.query = (case.query or {}) | BRIEFLY[operation.definition.raw["operationId"]]
        for role, session in sessions.items():
            asked.append(role)
            case.call_and_validate(session=session, checks=CHECKS, timeout=20)

    try:
        send()
    except Unsatisfiable:
        pass  # no value of the operation's can be wrong
    except (AssertionError, schemathesis.checks.FailureGroup) as failure:
        raise AssertionError(f"{operation.label} as {asked[-1]}: {failure}") from None
    return len(asked)


def session(token):
    one = requests.Session()
    one.headers["Authorization"] = "Bearer " + token
    return one


def test_each_role_gets_answers_that_the_document_describes(site):
    sessions = {role: session(site.tokens[role]) for role in ROLES}
    wrong, asked = [], 0
    for operation in operations(site.gateway.http):
        fitting = 1 if operation.definition.raw["operationId"] in BRIEFLY else FITTING
        for mode, count, roles in ((GenerationMode.POSITIVE, fitting, ROLES), (GenerationMode.NEGATIVE, UNFITTING, UNFITTING_ROLES)):
            try:
                asked += ask(operation, mode, count, {role: sessions[role] for role in roles}, site.real)
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
