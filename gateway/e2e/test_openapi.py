"""The OpenAPI document of the build, as third-party tools see it, and clients generated from it."""

import compileall
import importlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.request

import openapi_tools
import pytest
from openapi_tools import DOCUMENT, TOOLS
from processes import JAVA, MOTE, SHORT_LIVED_VARIABLE, Process, only_with_all


@pytest.fixture(scope="module")
def typed(gateway, tmp_path_factory):
    """The address of a gateway whose endpoint `typed` has sent a value, and the operator's token."""
    mote = Process(MOTE, "--ep", "typed", "--mirror", gateway.coap, "--wake", "1", "--sensor", "load",
                   "--state", str(tmp_path_factory.mktemp("typed") / "typed.state"))
    try:
        mote.expect(r"sent load .*2\.0[14]", timeout=60)
        yield gateway.http, (gateway.data_dir / "operator.token").read_text().strip()
    finally:
        mote.stop()


generated = only_with_all("generates a client")


@only_with_all("installs Redocly and Spectral")
def test_redocly_and_spectral_find_nothing():
    checked = openapi_tools.node("lint.mjs", DOCUMENT)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_schemas_with_names_of_their_own_are_complete():
    schemas = json.loads(DOCUMENT.read_text())["components"]["schemas"]
    for name in ("HistoryLimits", "DomainLimits", "StoredLinkSecurity"):
        assert schemas[name]["required"] == list(schemas[name]["properties"]), name
    assert schemas["NetworkSettings"]["required"] == ["fileMembers", "restartNeeded"]
    members = {name: schemas[name]["properties"] for name in ("RadioSettings", "DomainSettings", "NetworkSettings")}
    assert "tunslip6-tcp" in members["RadioSettings"]["kind"]["enum"]
    assert members["DomainSettings"]["trust"]["enum"] == ["first-use", "approve", "listed"]
    assert members["NetworkSettings"]["fileMembers"]["items"]["enum"] == ["radios", "filter", "linkSecurity"]


@generated
def test_a_generated_typescript_client_compiles_and_works(typed, tmp_path):
    openapi_tools.install()
    for file in ("client.ts", "tsconfig.json", "package.json"):
        shutil.copy(TOOLS / file, tmp_path)
    (tmp_path / "node_modules").symlink_to(TOOLS / "node_modules")
    tools = tmp_path / "node_modules/.bin"
    for words in (
        (tools / "openapi-typescript", DOCUMENT, "-o", "schema.d.ts"),
        (tools / "tsc", "-p", "."),
        ("node", "client.js", *typed),
    ):
        done = subprocess.run([str(word) for word in words], cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "typed\n"


@generated
def test_a_generated_python_client_works_as_generated(typed, tmp_path, monkeypatch):
    """By OpenAPI Generator, without options, from the document that the gateway serves."""
    document = tmp_path / "openapi.json"
    with urllib.request.urlopen(typed[0] + "/v3/api-docs", timeout=30) as served:
        document.write_bytes(served.read())
    generator = pathlib.Path(sys.executable).parent / "openapi-generator-cli"
    done = subprocess.run(
        [generator, "generate", "--generator-name", "python", "--input-spec", document, "--output", tmp_path / "made",
         "--package-name", "generated_client"],
        env=os.environ | SHORT_LIVED_VARIABLE | {"PATH": f"{pathlib.Path(JAVA).parent}:{os.environ['PATH']}"},
        capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    made = (tmp_path / "made").joinpath
    assert compileall.compile_dir(made("generated_client"), quiet=1)
    paths = json.loads(document.read_text())["paths"].values()
    operations = {one["operationId"] for path in paths for one in path.values() if "operationId" in one}
    methods = {name for file in made("generated_client/api").glob("*_api.py") for name in re.findall(r"    def ([a-z]\w*)\(", file.read_text())}
    snake = {re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower() for name in operations}
    assert len(operations) > 100 and snake <= methods, snake - methods
    monkeypatch.syspath_prepend(made())
    vigil = importlib.import_module("generated_client")
    url, token = typed
    with vigil.ApiClient(vigil.Configuration(host=url, access_token=token)) as client:
        endpoints = vigil.EndpointsApi(client)
        [endpoint] = endpoints.list_endpoints(ep="typed").endpoints
        assert endpoint.trust == "trusted" and endpoint.heard_at.tzinfo and endpoint.resources[0].path and endpoint.d == ""
        history = vigil.ResourcesApi(client).get_resource_history(endpoint.id, "load", limit=1)
        assert history.values[0].seq > 0 and history.values[0].value.actual_instance > 0
        assert endpoints.set_endpoint_label(endpoint.id, label=vigil.Label(name="Pump")).name == "Pump"
        assert endpoints.get_endpoint(endpoint.id).label.name == "Pump"
        for status, call in ((404, lambda: endpoints.get_endpoint("no-such-id")), (400, lambda: endpoints.list_endpoints(after="no token"))):
            with pytest.raises(vigil.ApiException) as refused:
                call()
            assert refused.value.status == status and json.loads(refused.value.body)["detail"]
