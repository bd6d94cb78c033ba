"""An operator's workflow: a mote's key is approved, and the mote is read, commanded and revoked, with curl, Debian's
coap-client, and an endpoint that shares no code with ours."""

import asyncio
import json
import os
import shutil
import stat
import subprocess
import sys
import threading
import urllib.error
import urllib.request

import aiocoap
import pytest
from processes import REPOSITORY, Gateway, coap_get, wait_until
from jwcrypto import jwk, jws

sys.path.insert(0, str(REPOSITORY / "mirror-proxy/src/test/python"))
import sleepy  # noqa: E402

READING = [{"n": "urn:dev:py:temp", "u": "Cel", "v": 21.5}]
LINKS = '</temp>;rt="temperature",</led>;rt="led"'
SHARED = "0123456789abcdef"


class Http:
    """A request by curl, with or without the token."""

    def __init__(self, gateway, token=None):
        self.gateway, self.token = gateway, token

    def ask(self, method, path, body=None, content_type=None):
        """(status, body, parsed if it is JSON)."""
        headers = {"Authorization": "Bearer " + self.token} if self.token else {}
        if content_type:
            headers["Content-Type"] = content_type
        request = urllib.request.Request(self.gateway.http + path, data=body, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                status, text = answer.status, answer.read()
        except urllib.error.HTTPError as refused:
            status, text = refused.code, refused.read()
        try:
            return status, json.loads(text)
        except ValueError:
            return status, text.decode()

    def get(self, path):
        status, body = self.ask("GET", path)
        assert status == 200, (path, status, body)
        return body

    def events(self, seen):
        """Collects the endpoints of events until the gateway ends."""
        request = urllib.request.Request(
            self.gateway.http + "/api/events", headers={"Authorization": "Bearer " + self.token})
        answer = urllib.request.urlopen(request, timeout=120)

        def read():
            try:
                for line in answer:
                    if line.startswith(b"data:"):
                        seen.append(json.loads(line[5:]))
            except (OSError, ValueError):
                pass  # the gateway has ended

        threading.Thread(target=read, daemon=True).start()


@pytest.fixture
def site(tmp_path, running):
    """A gateway with the defaults of `run`, one commander and one client with a shared key."""
    commander = jwk.JWK.generate(kty="EC", crv="P-256")
    config = tmp_path / "site.yaml"
    config.write_text(f"""vigil:
  coap:
    addresses: [localhost]
    dtls.psk.reader: "{SHARED}"
  default-domain:
    read: ["psk:reader"]
    command: ["account:operator"]
    commanders: ['{commander.export_public()}']
""")
    gateway = running(Gateway(tmp_path / "data", "--trust", "approve", "--config", str(config),
                              "--coap-port", "0", "--http-port", "0"))
    file = gateway.expect(r"^operator token in (.*)").group(1)
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    gateway.ready()
    token = open(file).read().strip()
    assert not any(token in line for line in gateway.lines), "the token is never said"
    return gateway, Http(gateway, token), commander


def command(commander, ep, res, seq, value):
    """A command as a JOSE library signs it (docs/protocol.md section 8)."""
    token = jws.JWS(json.dumps([{"n": res, "vb": value}]))
    header = {"alg": "ES256", "typ": "vigil-cmd", "cty": "application/senml+json", "kid": commander.thumbprint(),
              "ep": ep, "res": res, "seq": seq}
    token.add_signature(commander, None, json.dumps(header))
    return token.serialize(compact=True).encode()


def coaps_get(gateway, path):
    """Answer to Debian's coap-client with the shared key."""
    base = gateway.address(r"coaps://127")
    done = subprocess.run(
        ["coap-client-openssl", "-B", "60", "-m", "get", "-A", "0", "-u", "reader", "-k", SHARED, base + path],
        capture_output=True, timeout=90)
    return (done.stdout + done.stderr).decode(errors="replace").strip()


def test_an_operator_admits_commands_and_revokes_a_mote(site):
    gateway, operator, commander = site
    anyone = Http(gateway)
    seen = []
    operator.events(seen)

    def reported(what):
        wait_until(lambda: any(what(event) for event in seen), timeout=30)

    async def monday():
        context = await aiocoap.Context.create_client_context()
        try:
            await day(sleepy.Sleepy(context, gateway.coap, "monday-1", links=LINKS))
        finally:
            await context.shutdown()

    async def off(work, *arguments):
        """Runs blocking work outside of the endpoint's loop."""
        return await asyncio.to_thread(work, *arguments)

    async def states(path):
        return [c["state"] for c in (await off(operator.get, path))["commands"]]

    async def day(mote):
        await mote.register(wake=60)
        endpoint, key = mote.path.removeprefix("/ms/"), mote.key.jkt
        with pytest.raises(sleepy.Refused) as waiting:
            await mote.put("temp", mote.jws("temp", READING), sleepy.JOSE)
        assert waiting.value.code == "4.03"
        # Nobody else may see that it waits, or approve it.
        assert (await off(anyone.ask, "GET", "/api/keys"))[0] == 401
        assert (await off(anyone.ask, "POST", f"/api/keys/{key}/approve"))[0] == 401
        assert (await off(Http(gateway, "x" * 43).ask, "GET", "/api/keys"))[0] == 401
        assert "4.01" in await off(coap_get, gateway.coap + "/rd-lookup/ep")

        pending = (await off(operator.get, "/api/keys?state=pending"))["keys"]
        assert [(k["thumbprint"], k["ep"]) for k in pending] == [(key, "monday-1")]
        assert (await off(operator.ask, "POST", f"/api/keys/{key}/approve"))[0] == 200
        await off(reported, lambda e: e.get("id") == endpoint and e.get("trust") == "trusted")
        assert await mote.put("temp", mote.jws("temp", READING), sleepy.JOSE) == "2.01"
        assert (await off(operator.ask, "GET", f"{mote.path}/temp"))[0] == 200
        assert (await off(anyone.ask, "GET", f"{mote.path}/temp"))[0] == 401
        if shutil.which("coap-client-openssl"):
            assert await off(coaps_get, gateway, f"{mote.path}/temp") == "21.5"
        past = await off(operator.get, f"/api/endpoints/{endpoint}/resources/temp/history?bucket=1h")
        assert [(b["count"], b["mean"]) for s in past["series"] for b in s["buckets"]] == [(1, 21.5)]

        orders = f"/api/endpoints/{endpoint}/resources/led/commands"
        order = command(commander, "monday-1", "led", 7, True)
        status, queued = await off(operator.ask, "POST", orders, order, "application/jose")
        assert status == 201 and queued["state"] == "queued", queued
        stranger = command(jwk.JWK.generate(kty="EC", crv="P-256"), "monday-1", "led", 8, True)
        assert (await off(operator.ask, "POST", orders, stranger, "application/jose"))[0] == 403
        assert (await off(anyone.ask, "PUT", f"{mote.path}/led", order, "application/jose"))[0] == 401
        await off(reported, lambda e: [c["state"] for c in e.get("commands", [])] == ["queued"])

        # The mote wakes, fetches the command, checks the commander's signature, acts, and signs a confirmation.
        links = (await mote.request(aiocoap.GET, mote.path + "?pending")).payload.decode()
        fetched = (await mote.request(aiocoap.GET, links[1:links.index(">")])).payload
        checked = jws.JWS()
        checked.deserialize(fetched.decode())
        checked.verify(commander)
        await off(reported, lambda e: [c["state"] for c in e.get("commands", [])] == ["fetched"])
        assert await states(orders) == ["fetched"]
        await mote.put("led", mote.jws("led", [{"n": "led", "vb": True}], ack=7), sleepy.JOSE)
        assert await states(orders) == ["confirmed"]
        await off(reported, lambda e: [c["state"] for c in e.get("commands", [])] == ["confirmed"])
        # Another command is cancelled.
        await off(operator.ask, "PUT", orders, command(commander, "monday-1", "led", 9, False), "application/jose")
        assert (await off(operator.ask, "DELETE", orders + "/9"))[0] == 204
        assert await states(orders) == ["confirmed", "cancelled"]
        assert not (await mote.request(aiocoap.GET, mote.path + "?pending")).payload

        assert (await off(operator.ask, "POST", f"/api/keys/{key}/revoke"))[0] == 204
        await off(reported, lambda e: e.get("id") == endpoint and e.get("trust") == "revoked")
        assert (await off(operator.ask, "GET", f"{mote.path}/temp"))[0] == 403
        assert (await off(operator.ask, "GET", f"/api/endpoints/{endpoint}/resources/temp/history"))[0] == 403
        with pytest.raises(sleepy.Refused) as gone:
            await mote.put("temp", mote.jws("temp", READING), sleepy.JOSE)
        assert gone.value.code == "4.03"
        if shutil.which("coap-client-openssl"):
            assert "4.03" in await off(coaps_get, gateway, f"{mote.path}/temp")
        refused = (await off(operator.get, f"/api/endpoints/{endpoint}"))["rejections"]
        assert refused["not-trusted"] >= 3, refused

        trail = (await off(operator.get, "/api/audit?ep=monday-1&after=0"))["decisions"]
        assert [d["what"] for d in trail] == [
            "held: waits for approval", "approved", "queued command 7 for led", "fetched command 7",
            "confirmed command 7", "queued command 9 for led", "cancelled command 9", "revoked"]
        assert [d["by"] for d in trail if d["what"] in ("approved", "cancelled command 9", "revoked")] == \
            ["account:operator"] * 3
        assert trail[2]["by"] == "account:operator" and trail[2]["key"] == commander.thumbprint()
        assert (await off(anyone.ask, "GET", "/api/audit"))[0] == 401

    asyncio.run(monday())
