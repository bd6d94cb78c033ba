"""Signing in on the page in Chromium, with the one-time password that a demo prints."""

import os
import re
import subprocess

from processes import REPOSITORY, Gateway, mote


def test_an_administrator_signs_in_with_the_printed_password(tmp_path, running):
    config = tmp_path / "closed.yaml"
    config.write_text("vigil.anonymous-read: false\n")
    gateway = running(Gateway(tmp_path / "data", "--demo", "--config", str(config), "--coap-port", "0",
                              "--http-port", "0", "--zep-port", "0"))
    password = gateway.expect(r"^sign in as admin with the one-time password (\S+)$").group(1)
    assert (tmp_path / "data/admin.password").read_text().strip() == password
    gateway.ready()
    one = running(mote("mote-1", gateway, tmp_path / "mote-1.state"))
    one.expect(r"sent .*2\.0[14]", timeout=60)
    done = subprocess.run(
        ["npm", "run", "--silent", "e2e:accounts"], cwd=REPOSITORY / "gateway/src/main/ui",
        env=os.environ | {"VIGIL_URL": gateway.http, "VIGIL_PASSWORD": password},
        capture_output=True, text=True, timeout=300,
    )
    print(done.stdout, done.stderr)
    assert done.returncode == 0, done.stdout
    assert re.search(r"^[1-9]\d* passed, 0 failed$", done.stdout, re.M), done.stdout
    assert not (tmp_path / "data/admin.password").exists()
