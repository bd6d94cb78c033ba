"""The npm packages that check the OpenAPI document or build the client, installed from their lock file when that has changed."""

import fcntl
import hashlib
import os
import pathlib
import subprocess

from processes import REPOSITORY

TOOLS = REPOSITORY / "gateway/app/src/test/openapi"
DOCUMENT = pathlib.Path(os.environ.get("VIGIL_OPENAPI", REPOSITORY / "gateway/target/openapi/openapi.json"))


def install(folder=TOOLS):
    with open(folder / "package-lock.json", "rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = hashlib.sha256(lock.read()).hexdigest()
        stamp = folder / "node_modules/.installed"
        if not stamp.exists() or stamp.read_text() != wanted:
            subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=folder, check=True)
            stamp.write_text(wanted)


def node(*words, **more):
    install()
    return subprocess.run(["node", *map(str, words)], cwd=TOOLS, capture_output=True, text=True, timeout=120, **more)
