"""The examples of docs/protocol.md, which the mirror's own tests rebuild, and motes of these tests."""

import json
import pathlib
import re
from typing import Any

from vigil_client import jose

PROTOCOL = pathlib.Path(__file__).parents[3] / "docs/protocol.md"
SECRETS = {
    "P-256": "Z4Fx3ApNRfrUbMaiH7s4MbyXk9L7JauXkOIvvuGXNaw",
    # RFC 8037 appendix A.1.
    "Ed25519": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
}


def example(name: str) -> str:
    found = re.search(rf"<!-- example: {name} -->\n```\w*\n(.*?)\n```", PROTOCOL.read_text(), re.S)
    assert found, name
    return "".join(found[1].splitlines())


def key(name: str) -> dict[str, Any]:
    jwk: dict[str, Any] = json.loads(example(name))
    return jwk


MOTE = key("key-mote")
ED25519 = {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "d": SECRETS["Ed25519"]}


def update(signer: dict[str, Any] = MOTE, payload: object = ({"n": "temp", "u": "Cel", "v": 21.5},), **header: object) -> str:
    """A signed update; a member that is None is left out."""
    members = {"cty": "application/senml+json", "res": "temp", "seq": 2} | header
    octets = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return jose.CommanderKey(signer).jws({name: one for name, one in members.items() if one is not None}, octets)
