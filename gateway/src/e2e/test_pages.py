"""Each page of the application in Chromium, as an administrator, against one gateway with motes of every kind."""

import json
import os
import re
import subprocess

from jwcrypto import jwk
from processes import MOTE, REPOSITORY, Gateway, Process, mote

# lab: trusted at first use, with a commander; careful: an operator approves each key.
SETTINGS = """vigil:
  anonymous-read: false
  domains:
    lab: {trust: first-use, commanders: ['%s']}
    careful: {trust: approve}
"""


def test_every_page_does_its_main_task(tmp_path, running):
    commander = jwk.JWK.generate(kty="EC", crv="P-256")
    public = tmp_path / "commander.jwk"
    public.write_text(commander.export_public())
    config = tmp_path / "site.yaml"
    config.write_text(SETTINGS % commander.export_public())
    gateway = running(Gateway(tmp_path / "data", "--demo", "--config", str(config), "--coap-port", "0",
                              "--http-port", "0", "--zep-port", "0"))
    password = gateway.expect(r"^sign in as admin with the one-time password (\S+)$").group(1)
    gateway.ready()

    def over_udp(name, domain, *options):
        return running(Process(MOTE, "--ep", name, "--domain", domain, "--mirror", gateway.coap, "--wake", "1",
                               "--state", str(tmp_path / f"{name}.state"), *options))

    boiler = over_udp("boiler", "lab", "--sensor", "load", "--actuator", "led", "--commander", str(public))
    over_udp("visitor", "careful", "--sensor", "load")
    router = running(mote("mote-1", gateway, tmp_path / "mote-1.state", mirror=gateway.routed))
    sleeper = running(mote("mote-2", gateway, tmp_path / "mote-2.state"))
    for one in (boiler, router, sleeper):
        one.expect(r"sent .*2\.0[14]", timeout=60)

    shots = REPOSITORY / "target/shots"
    shots.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        ["npm", "run", "--silent", "e2e:pages"], cwd=REPOSITORY / "gateway/src/main/ui",
        env={"VIGIL_SHOTS": str(shots)} | os.environ | {
            "VIGIL_URL": gateway.http, "VIGIL_PASSWORD": password,
            "VIGIL_COMMANDER": json.dumps(json.loads(commander.export_private())),
        },
        capture_output=True, text=True, timeout=300,
    )
    print(done.stdout, done.stderr)
    assert done.returncode == 0, done.stdout
    assert re.search(r"^[1-9]\d* passed, 0 failed$", done.stdout, re.M), done.stdout
