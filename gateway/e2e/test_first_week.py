"""docs/guide/first-week.md: its commands are run as printed, in their order, on one machine, from the installation to an
upgrade. The radio is a pseudo-terminal with a slip-radio, behind which vigil-mote is on the air.

Without root and systemd, service_machine.py stands for apt, systemctl and journalctl. A test has neither a board nor
the name gateway.example nor a mail server of another machine: the addresses belong to this machine."""

import contextlib
import json
import re
import shutil

import pytest
from certificates import Authority
from processes import REPOSITORY, mote, wait_until
from serial_radio import Air, slip_radio
from service_machine import ServiceMachine
from test_northbound import PASSWORD, Mail, number

PAGE = REPOSITORY / "docs/guide/first-week.md"
DAYS = re.findall(r"^## Day \d: (.*)\n((?:(?!^## ).*\n)*)", PAGE.read_text(), re.M)


def blocks(day):
    return re.findall(r"^```sh\n(.*?)^```", DAYS[day - 1][1], re.M | re.S)


def missing():
    return [tool for tool in ("curl", "openssl", "coap-client-openssl") if not shutil.which(tool)]


MIRROR = "coap://[fd00::56:4947:494c:1]"  # of an image for Contiki-NG that names no other
TOKEN = 'token="Authorization: Bearer $(sudo cat /var/lib/vigil/operator.token)"'


def sign_in(machine, password):
    """As the page does; the one-time password must be changed."""
    answer = machine.run(
        "curl --cacert ca.pem -H 'Content-Type: application/json' https://gateway.example:8443/api/session "
        f"-d '{json.dumps({'account': 'admin', 'password': password})}'")
    assert json.loads(answer)["passwordChangeNeeded"], answer


def newest(machine):
    """The number of the mote's newest reading."""
    return number(machine.run(f'{TOKEN}\ncurl -H "$token" http://127.0.0.1:8080/ms/1/load').strip())


@pytest.fixture
def machine(tmp_path):
    with contextlib.ExitStack() as stack:
        machine = ServiceMachine(tmp_path)
        stack.callback(machine.stop)
        machine.air = Air()
        stack.callback(machine.air.stop)
        machine.mail = Mail(authority := Authority(tmp_path, "authority"))
        stack.callback(machine.mail.controller.stop)
        machine.replaced |= {
            "/dev/vigil-radio": stack.enter_context(slip_radio(machine.air)),
            "smtp://mail.example": f"smtp://localhost:{machine.mail.controller.port}\n  ca: {authority.certificate}",
        }
        yield machine


@pytest.mark.skipif(bool(missing()), reason=f"not installed: {missing()}")
def test_an_operator_gets_through_the_first_week(machine, running, tmp_path):
    first, second, third, fourth, fifth, sixth, seventh = map(blocks, range(1, 8))
    assert '"status":"UP"' in machine.run(*first)
    assert re.search(r"slip-radio 02127401\S* is up", machine.run(*second))

    printed = machine.run(*third)
    *_, password, account = printed.splitlines()
    assert json.loads(account)["oneTimePassword"], printed
    sign_in(machine, password)

    vigil_mote = running(mote("mote-1", machine.air, tmp_path / "mote-1.state", "--sensor", "load", mirror=MIRROR))
    fingerprint = vigil_mote.expect(r"^new key (\S+)")[1]
    machine.replaced["THUMBPRINT"] = fingerprint
    wait_until(lambda: f'"thumbprint":"{fingerprint}"' in machine.run(fourth[0]), timeout=180, every=0.5)
    printed = machine.run(fourth[1])
    assert re.search(r'/ms/1/load>;rt="load".*?[\d.]+\n\d+ readings? checked, all valid$', printed, re.M), printed

    assert '"accepted":true' in machine.run(*fifth, stdin=PASSWORD + "\n")
    assert "[Vigil] test" in [message["subject"] for _, message in machine.mail.taken]
    # On a busy machine the restart may raise other alarms before, and the mote repeats its update late.
    receivers, message = wait_until(
        lambda: next((one for one in list(machine.mail.taken) if "above -1" in one[1].get_content()), None), timeout=180)
    assert receivers == ["ops@example.org"] and "https://gateway.example:8443/#/" in message.get_content()

    printed = machine.run(*sixth)
    assert "settings/application.yaml" in printed and "all valid" in printed, printed
    assert not (machine.work / "proof").exists()

    before = newest(machine)
    assert re.search(r"^ok +Vigil \d", machine.run(*seventh), re.M)
    wait_until(lambda: newest(machine) > before, timeout=180, every=0.5)
