#!/bin/sh
# Runs the peer tests: the real binary against other implementations of CoAP, JOSE, CBOR and 6LoWPAN. The
# Python packages go into a virtual environment under build/ (or set PEER_PYTHON to a Python that
# has them). Usage: tests/peer/run.sh [PYTEST OPTION]...
set -eu
cd "$(dirname "$0")"
python=${PEER_PYTHON:-../../build/venv/bin/python}
if [ ! -x "$python" ] && ! command -v "$python" >/dev/null; then
    if ! python3 -m venv ../../build/venv || ! "$python" -m pip install -q -r requirements.txt; then
        rm -rf ../../build/venv
        echo "skipped: the peer tests (Python's venv and the packages of tests/peer/requirements.txt" \
            "cannot be installed here)"
        exit 0
    fi
fi
PYTHONDONTWRITEBYTECODE=1 exec "$python" -m pytest -q -p no:cacheprovider "$@"
