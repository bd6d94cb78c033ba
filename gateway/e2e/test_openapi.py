"""The OpenAPI document that the build wrote, as other people's tools see it, and clients generated from it."""

import compileall
import importlib
import json
import os
import re
import shutil
import subprocess
import sys

import openapi_tools
import pytest
from openapi_tools import DOCUMENT, TOOLS
from processes import MOTE, Gateway, Process


@pytest.fixture(scope="module")
def typed(tmp_path_factory):
    """A gateway whose endpoint `typed` has sent a value, and the operator's token."""
    folder = tmp_path_factory.mktemp("typed")
    gateway = Gateway(folder / "data", "--demo", "--coap-port", "0", "--http-port", "0", "--zep-port", "0")
    mote = None
    try:
        gateway.ready()
        mote = Process(MOTE, "--ep", "typed", "--mirror", gateway.coap, "--wake", "1", "--sensor", "load",
                       "--state", str(folder / "typed.state"))
        mote.expect(r"sent load .*2\.0[14]", timeout=60)
        yield gateway.http, (folder / "data/operator.token").read_text().strip()
    finally:
        if mote:
            mote.stop()
        gateway.stop()


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


def mend(models):
    """openapi-python-client reads a model from a variable `d`, which the member of that name overwrites."""
    for file in models.glob("*.py"):
        text = file.read_text().replace("d = dict(src_dict)", "source = dict(src_dict)", 1)
        text = re.sub(r"\bd\.pop\(", "source.pop(", text)
        file.write_text(text.replace(".additional_properties = d\n", ".additional_properties = source\n"))


def test_a_generated_python_client_compiles_and_works(typed, tmp_path, monkeypatch):
    generator = os.path.join(os.path.dirname(sys.executable), "openapi-python-client")
    done = subprocess.run(
        [generator, "generate", "--path", DOCUMENT, "--config", TOOLS / "python-client.yaml", "--meta", "none",
         "--output-path", tmp_path / "vigil_client"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "will not be generated" not in done.stdout + done.stderr, done.stdout
    mend(tmp_path / "vigil_client/models")
    assert compileall.compile_dir(tmp_path / "vigil_client", quiet=1)
    monkeypatch.syspath_prepend(tmp_path)
    vigil = lambda name: importlib.import_module("vigil_client." + name)
    url, token = typed
    client = vigil("client").AuthenticatedClient(base_url=url, token=token)
    listed = vigil("api.endpoints.list_endpoints").sync(client=client, ep="typed")
    endpoint = listed.endpoints[0]
    assert endpoint.trust.value == "trusted" and endpoint.heard_at.tzinfo and endpoint.resources[0].path
    history = vigil("api.resources.get_resource_history").sync(endpoint.id, "load", client=client, limit=1)
    assert history.values[0].seq > 0 and history.values[0].value > 0
    label = vigil("models.label").Label(name="Pump")
    assert vigil("api.endpoints.set_endpoint_label").sync(endpoint.id, client=client, body=label).name == "Pump"
    refused = vigil("api.endpoints.list_endpoints").sync(client=client, limit=5000)
    assert refused.status == 400 and refused.detail.startswith("limit")
    unknown = vigil("api.endpoints.get_endpoint").sync("no-such-id", client=client)
    assert unknown.status == 404
