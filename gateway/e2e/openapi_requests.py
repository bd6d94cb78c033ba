"""Requests of schemathesis to operations of the OpenAPI document. Its import takes a second, so tests import this module when
they run."""

import json

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.errors import Unsatisfiable
from openapi_tools import DOCUMENT
from processes import REPOSITORY
from schemathesis import GenerationMode
from schemathesis.specs.openapi import checks as openapi_checks

set_hypothesis_home_dir(REPOSITORY / "target/hypothesis")
VALID, INVALID = GenerationMode.POSITIVE, GenerationMode.NEGATIVE
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
            case.call_and_validate(session=session, checks=CHECKS, timeout=60)

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
