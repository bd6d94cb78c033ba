"""The part of the gateway's OpenAPI document that both clients use: a few operations and the schemas that they need.

    python3 libraries/openapi_excerpt.py gateway/target/openapi/openapi.json >excerpt.json
"""

import json
import pathlib
import sys

OPERATIONS = {
    "cancelCommand", "exportResource", "getEndpoint", "getPublicKey", "getResource", "getResourceHistory", "listCommands", "listEndpoints",
    "putCommand", "readResource", "streamEvents",
}


def references(node):
    """Names of the components that a part of the document refers to, as (kind, name)."""
    if isinstance(node, dict):
        if "$ref" in node:
            yield tuple(node["$ref"].split("/")[2:])
        for member in node.values():
            yield from references(member)
    elif isinstance(node, list):
        for member in node:
            yield from references(member)


def excerpt(document):
    paths = {}
    for path, item in document["paths"].items():
        kept = {method: one for method, one in item.items() if isinstance(one, dict) and one.get("operationId") in OPERATIONS}
        if kept:
            paths[path] = {name: one for name, one in item.items() if name == "parameters"} | kept
    components = {}
    waiting = list(references(paths))
    while waiting:
        kind, name = waiting.pop()
        if name not in components.setdefault(kind, {}):
            components[kind][name] = document["components"][kind][name]
            waiting += references(components[kind][name])
    # In the document's order, so that the generated code changes only with its content.
    ordered = {kind: {name: one for name, one in all_of_kind.items() if name in components[kind]}
               for kind, all_of_kind in document["components"].items() if kind in components}
    return {"openapi": document["openapi"], "info": document["info"], "paths": paths, "components": ordered}


if __name__ == "__main__":
    json.dump(excerpt(json.loads(pathlib.Path(sys.argv[1]).read_text())), sys.stdout, indent=1)
