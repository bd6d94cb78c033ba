"""The gateway is killed during its work: nothing acknowledged is lost, no replay is accepted."""

import asyncio
import base64
import json
import re
import signal
import time

import aiocoap
import coap
import mirror_peer
from processes import Gateway, free_port, mote, wait_until

JSON = 50


def put(uri, payload, content_format=65100):
    """Code and diagnostic of a CoAP PUT."""

    async def run():
        context = await aiocoap.Context.create_client_context()
        try:
            request = aiocoap.Message(code=aiocoap.PUT, uri=uri, payload=payload, content_format=content_format)
            answer = await asyncio.wait_for(context.request(request).response, 60)
            return answer.code.dotted, answer.payload.decode(errors="replace")
        finally:
            await context.shutdown()

    return asyncio.run(run())


def sequence(jws):
    return json.loads(base64.urlsafe_b64decode(jws.split(b".")[0] + b"=="))["seq"]


def test_kill_9_loses_nothing_acknowledged_and_allows_no_replay(tmp_path, running):
    ports = ["--coap-port", str(free_port()), "--coaps-port", "0", "--http-port", "0", "--zep-port", str(free_port())]
    gateway = running(Gateway(tmp_path / "data", "--demo", *ports)).ready()
    motes = [
        running(mote(f"mote-{n}", gateway, tmp_path / f"mote-{n}.state", wake=0.5)) for n in (1, 2, 3)
    ]
    for one in motes:
        one.expect(r"sent load seq \d+ 2\.0[14]")
    endpoints = {
        e["ep"]: e["id"] for e in json.loads(gateway.get("/api/endpoints")[2])["endpoints"]
    }
    assert len(endpoints) == 3
    captured = {ep: gateway.get(f"/ms/{id}/load", "application/jose")[2] for ep, id in endpoints.items()}

    def all_past_the_captured():
        """each endpoint has a newer value than the captured one, which is then a replay"""
        return all(
            sequence(gateway.get(f"/ms/{id}/load", "application/jose")[2]) > sequence(captured[ep])
            for ep, id in endpoints.items()
        )

    wait_until(all_past_the_captured)
    gateway.stop(signal.SIGKILL)
    acknowledged = {}
    for number, one in enumerate(motes, 1):
        for line in list(one.lines):
            if found := re.search(r"sent load seq (\d+) 2\.0[14]", line):
                acknowledged[f"mote-{number}"] = int(found[1])

    again = running(Gateway(tmp_path / "data", "--demo", *ports)).ready()
    for ep, id in endpoints.items():
        status, _, jws = again.get(f"/ms/{id}/load", "application/jose")
        assert status == 200, (ep, jws)
        assert sequence(jws) >= acknowledged[ep], ep
        before = sequence(jws)
        code, said = put(f"{again.coap}/ms/{id}/load", captured[ep])
        assert code == "4.09" and int(said) >= before, (code, said)
        assert sequence(again.get(f"/ms/{id}/load", "application/jose")[2]) >= before

    def all_moved_on():
        """each mote's value is newer than before the crash"""
        return all(
            sequence(again.get(f"/ms/{id}/load", "application/jose")[2]) > acknowledged[ep]
            for ep, id in endpoints.items()
        )

    # A mote that heard nothing for long waits up to a minute before its next attempt.
    wait_until(all_moved_on, timeout=180)


def test_commands_and_their_states_survive_kill_9(tmp_path, running):
    gateway = running(mirror_peer.start(tmp_path))
    endpoint = mirror_peer.led(gateway, "patient")
    orders = [mirror_peer.command(endpoint, seq, exp=int(time.time()) + 3600) for seq in range(1, 5)]

    def reported(gateway):
        over_coap = json.loads(coap.Peer(gateway.coap).get(endpoint.path + "?commands", JSON).payload)
        number = endpoint.path.rsplit("/", 1)[1]
        over_rest = json.loads(gateway.get(f"/api/endpoints/{number}/resources/led/commands")[2])
        return over_coap, over_rest

    def states(gateway):
        """The values of both, once they agree."""
        over_coap, _ = wait_until(lambda: (both := reported(gateway)) and both[0] == both[1] and both)
        return [command["state"] for command in over_coap["commands"]]

    watcher = coap.Peer(gateway.coap)
    path = endpoint.path + "?commands"
    assert json.loads(watcher.get(path, JSON, options=[(coap.OBSERVE, 0)]).payload) == {"commands": [], "last": 0}
    for order in orders[:3]:
        assert endpoint.put(order, res="led").code == "2.04"
    assert endpoint.peer.get(f"{endpoint.path}/led?command=1").payload == orders[0]
    wait_until(lambda: states(gateway) == ["fetched", "queued", "queued"])
    seen = []
    while seen != ["fetched", "queued", "queued"]:
        heard = watcher.receive()
        assert heard is not None, seen
        if heard.type == coap.CON:
            watcher.send(coap.ACK, 0, mid=heard.mid)
        seen = [command["state"] for command in json.loads(heard.payload)["commands"]]
    gateway.stop(signal.SIGKILL)

    again = running(mirror_peer.start(tmp_path))
    endpoint.peer = coap.Peer(again.coap)
    assert states(again) == ["fetched", "queued", "queued"]
    used = endpoint.put(mirror_peer.command(endpoint, 3), res="led")
    assert (used.code, used.payload) == ("4.09", b"3"), "a number that was used stays used"
    assert endpoint.put(orders[3], res="led").code == "2.04"
    # The mote's address is known again after its first new message.
    assert endpoint.put(endpoint.jws("temp", mirror_peer.READING, ack=1)).code.startswith("2.")
    assert endpoint.peer.get(f"{endpoint.path}/led?command=2").payload == orders[1]
    wait_until(lambda: states(again) == ["confirmed", "fetched", "queued", "queued"])


def test_a_wrong_signature_does_not_change_the_cached_value(network):
    endpoint = json.loads(network.get("/api/endpoints?ep=mote-1")[2])["endpoints"][0]
    uri, path = f"{network.coap}/ms/{endpoint['id']}/load", f"/ms/{endpoint['id']}/load"
    jws = network.get(path, "application/jose")[2]
    header, payload, signature = jws.split(b".")
    raised = json.loads(base64.urlsafe_b64decode(header + b"=="))
    raised["seq"] += 50
    forged = base64.urlsafe_b64encode(json.dumps(raised, separators=(",", ":")).encode()).rstrip(b"=")
    code, said = put(uri, b".".join((forged, payload, signature)))
    assert code == "4.01" and said and "\n" not in said
    assert sequence(network.get(path, "application/jose")[2]) < raised["seq"]


def test_bad_payloads_get_the_right_code_and_one_line(network):
    id = json.loads(network.get("/api/endpoints?ep=mote-1")[2])["endpoints"][0]["id"]
    cases = [
        (f"/ms/{id}/load", b"not a jws", 65100, "4.00"),
        (f"/ms/{id}/load", b"{}", 50, "4.15"),
        (f"/ms/{id}/load", b"", 65100, "4.00"),
        ("/ms/nosuchid/load", b"a.b.c", 65100, "4.04"),
        (f"/ms/{id}/load", b"x" * 200_000, 65100, "4.13"),
    ]
    for path, payload, content_format, wanted in cases:
        code, said = put(network.coap + path, payload, content_format)
        assert code == wanted, (path, payload[:20], code, said)
        assert "Exception" not in said and "\n" not in said
