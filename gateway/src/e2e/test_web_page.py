"""The operator's page in Chromium, against the gateway and the motes of the other tests."""

import os
import re
import subprocess

from processes import REPOSITORY


def test_the_web_page_verifies_motes_and_warns_of_forgeries(network):
    folder = REPOSITORY / "gateway/src/main/ui"
    environment = os.environ | {"VIGIL_URL": network.http, "VIGIL_ENDPOINTS": "3"}
    done = subprocess.run(
        ["npm", "run", "--silent", "e2e"], cwd=folder, env=environment, capture_output=True, text=True, timeout=600
    )
    print(done.stdout, done.stderr)
    assert done.returncode == 0, done.stdout
    assert re.search(r"^[1-9]\d* passed, 0 failed$", done.stdout, re.M), done.stdout
