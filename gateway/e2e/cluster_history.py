"""Clients of a cluster that record what they asked and what they were answered; faults/checks.go checks the records.

A register is an endpoint's resource, its commands, or the revocation of a key or token. Its numbers only rise.
"""

import datetime
import itertools
import http.client
import json
import random
import threading
import time

import mirror_peer
from coap import ACK, CON, GET, POST, PUT, Answer, Peer
from mirror_peer import sleepy
from processes import wait_until

DOMAIN = "field"
LINKS = b'</temp>;rt="temperature",</led>;rt="led"'
LIFETIME_SECONDS = 40 * 86_400  # longer than any step of a clock
ANSWER_SECONDS = 4  # a gateway may still store a message after that, and refuses it after ten seconds
REPEAT_SECONDS = 1.5
EFFECTIVE_NANOS = 1_000_000_000  # of a revocation, while nothing fails
NOT_REACHED = object()


def ask(gateway, method, path, payload=b"", format=None, accept=None, seconds=ANSWER_SECONDS):
    """The answer to a confirmable request; None if there was none, NOT_REACHED if nobody listens there.

    Each request has a socket of its own, so that a refusal by the kernel belongs to it."""
    peer, token, reached = Peer(gateway.coap), random.randbytes(4), False
    octets = peer.question(method, path, payload, format, accept, token=token)
    deadline = time.monotonic() + seconds
    with peer.socket:
        while (left := deadline - time.monotonic()) > 0:
            try:
                peer.socket.send(octets)
                until = time.monotonic() + min(left, REPEAT_SECONDS)
                while True:
                    peer.socket.settimeout(max(0.001, until - time.monotonic()))
                    answer = Answer(peer.socket.recv(65536))
                    if answer.type == CON:
                        peer.send(ACK, 0, mid=answer.mid)
                    if answer.token == token and answer.code != "0.00":
                        return answer
            except TimeoutError:
                reached = True
            except ConnectionRefusedError:
                return None if reached else NOT_REACHED
    return None


class History:
    """The records of all clients; any thread may add one."""

    def __init__(self):
        self.records = []

    def add(self, kind, key, at, n, v, call, outcome="ok", seen=0, run=None, effective=0):
        record = {"kind": kind, "key": key, "at": at, "n": n, "v": v, "outcome": outcome, "seen": seen, "call": call,
                  "return": time.monotonic_ns(), "run": run, "effective": effective}
        self.records.append(record)
        return record

    def accepted(self, at=None, since=0):
        """The times at which a gateway, or any, acknowledged updates that were sent after a time."""
        return sorted(one["return"] for one in list(self.records) if one["kind"] == "put" and one["outcome"] == "ok"
                      and one["call"] >= since and at in (None, one["at"]) and " " not in one["key"])

    def showing(self, key, since):
        """The gateways that showed a revocation when they were asked after a time."""
        return {one["at"] for one in list(self.records) if one["kind"] == "read" and one["key"] == key and one["n"]
                and one["call"] > since}

    def unknown(self):
        return sum(one.get("outcome") == "unknown" for one in self.records)

    def write(self, file, ended):
        """Writes each record as a line. A refusal with 5.03 certainly had no effect, unless its process has ended."""
        with open(file, "w") as lines:
            for record in self.records:
                record = {**record}
                if record.pop("run", None) in ended and record["outcome"] == "refused":
                    record["outcome"] = "unknown"
                lines.write(json.dumps(record) + "\n")


class Mote:
    """An endpoint's key, and the highest number that its writers know of. Writers that share it are rivals."""

    values = itertools.count(1)

    def __init__(self, name):
        self.name = name
        self.key = sleepy.Key()
        self.high = 0
        self.sent = []
        self.path = None

    @property
    def commands(self):
        return self.name + " commands"

    @property
    def revocation(self):
        return self.name + " revoked"

    def signed(self, number):
        """A value that no other message has, and the message."""
        value = next(self.values)
        header = {"alg": self.key.alg, "cty": sleepy.SENML_JSON, "kid": self.key.jkt, "res": "temp", "seq": number}
        message = self.key.jws(header, sleepy.compact_json([{"n": "temp", "v": value}]))
        self.sent.append((number, str(value), message))
        return str(value), message


def value_of(jws):
    """Number and value of a message."""
    header, payload = (json.loads(sleepy.unb64(part)) for part in jws.decode().split(".")[:2])
    return header["seq"], str(payload[0]["v"])


class Clients:
    """All clients of one round. `site` has the gateways, the numbers of their runs and the operator's token."""

    def __init__(self, site, seed):
        self.site, self.seed = site, seed
        self.history = History()
        self.motes = [Mote(f"mote-{number}") for number in range(4)]
        self.victims = [Mote(f"victim-{number}") for number in range(2)]
        self.commander = sleepy.Key()
        self.ended = threading.Event()
        self.threads = []

    def register(self):
        for mote in (*self.motes, *self.victims):
            assert self.raised(mote, random.choice(self.site.names), seconds=60) == "ok", mote.name

    def start(self):
        """Each sender has a gateway to which it sends first. Every second mote has two senders, which are rivals."""
        for number, mote in enumerate(self.motes):
            for at in self.site.names if number % 2 else self.site.names[number // 2:][:1]:
                self._run(0.15, self.update, mote, at)
        for victim in self.victims:
            for at in self.site.names:
                self._run(0.5, self.update, victim, at)
        for at in self.site.names:
            self._run(0.1, self.read, at)
        self._run(0.7, self.order)
        self._run(0.5, self.look_up)

    def _run(self, every, deed, *arguments):
        source = random.Random(f"{self.seed} {len(self.threads)}")

        def run():
            while not self.ended.wait(every * source.uniform(0.5, 1.5)):
                deed(source, *arguments)

        self.threads.append(threading.Thread(target=run))
        self.threads[-1].start()

    def stop(self):
        self.ended.set()
        for thread in self.threads:
            thread.join()

    def _put(self, kind, key, at, n, v, method, path, message, seconds=ANSWER_SECONDS):
        """Sends a message with a number; returns its outcome and the answer."""
        run, call = self.site.run(at), time.monotonic_ns()
        answer = ask(self.site.gateways[at], method, path, message, sleepy.JOSE, seconds=seconds)
        seen = 0
        if answer is NOT_REACHED:
            return "refused", None
        if answer is None:
            outcome = "unknown"
        elif answer.code == "4.09":
            outcome, seen = "used", int(answer.payload)
        else:
            outcome = "ok" if answer.code.startswith("2.") else "refused"
        self.history.add(kind, key, at, n, v, call, outcome, seen, run)
        return outcome, answer

    def _api(self, at, method, path, token=None, body=None):
        """The status and the parsed answer; (None, None) if the outcome is unknown."""
        try:
            status, _, answer = mirror_peer.api(self.site.gateways[at], method, path, token or self.site.token(), body)
        except (OSError, http.client.HTTPException):
            return None, None
        return status, answer

    def update(self, source, mote, at):
        """Sends one number, and repeats it anywhere while the outcome is unknown."""
        number = mote.high + 1
        value, message = mote.signed(number)
        for _ in range(3):
            call = time.monotonic_ns()
            outcome, answer = self._put("put", mote.name, at, number, value, PUT, mote.path + "/temp", message)
            if mote in self.victims and answer is not None and (outcome == "ok" or answer.code == "4.03"):
                revoked = int(outcome != "ok")
                self.history.add("read", mote.revocation, at, revoked, str(revoked or ""), call)
            if outcome == "ok":
                mote.high = max(mote.high, number)
            elif outcome == "used":
                mote.high = max(mote.high, int(answer.payload))
            elif answer is not None and answer.code == "4.04":
                self.raised(mote, at)
            if outcome != "unknown":
                return
            at = source.choice(self.site.names)

    def raised(self, mote, at, seconds=ANSWER_SECONDS):
        """Registers, as after the end of the registration; returns the outcome."""
        number = mote.high + 1
        header = {"alg": mote.key.alg, "typ": "vigil-reg", "cty": "application/link-format",
                  "jwk": mote.key.jwk, "ep": mote.name, "seq": number, "d": DOMAIN, "lt": LIFETIME_SECONDS}
        message = mote.key.jws(header, LINKS)
        outcome, answer = self._put("raise", mote.name, at, number, "registration", POST, "/ms", message, seconds)
        if outcome == "ok":
            mote.path, mote.high = answer.location, max(mote.high, number)
        return outcome

    def read(self, source, at):
        mote = source.choice(self.motes)
        call, answer = time.monotonic_ns(), ask(self.site.gateways[at], GET, mote.path + "/temp", accept=sleepy.JOSE)
        if answer in (None, NOT_REACHED):
            return
        if answer.code == "2.05":
            self.history.add("read", mote.name, at, *value_of(answer.payload), call)
        elif answer.code == "4.04":
            self.history.add("read", mote.name, at, 0, "", call)

    def order(self, source):
        """Sends a command with the next number, then reads the commands anywhere."""
        mote, at = source.choice(self.motes), source.choice(self.site.names)
        number, last = self.commands(mote, at)
        if number is None:
            return
        # Each command expires at another time, by which it is known again.
        expires = int(time.time()) + 40 * 86_400 + next(Mote.values)
        header = {"alg": "ES256", "typ": "vigil-cmd", "cty": sleepy.SENML_JSON, "kid": self.commander.jkt, "ep": mote.name,
                  "d": DOMAIN, "res": "led", "seq": number + 1, "exp": expires}
        value = datetime.datetime.fromtimestamp(expires, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        message = self.commander.jws(header, b'[{"n":"led","vb":true}]')
        at = source.choice(self.site.names)
        self._put("put", mote.commands, at, number + 1, value, PUT, mote.path + "/led", message)
        self.commands(mote, source.choice(self.site.names))

    def commands(self, mote, at):
        """Number and value of the newest command that a gateway shows; (None, None) without an answer."""
        call, shown = time.monotonic_ns(), self.shown_commands(mote, at)
        if shown is None:
            return None, None
        newest = shown[-1] if shown else (0, "")
        self.history.add("read", mote.commands, at, *newest, call)
        return newest

    def shown_commands(self, mote, at):
        """Number and value of all commands that a gateway shows; None without an answer."""
        status, answer = self._api(at, "GET", mote.path + "?commands")
        return [(one["seq"], one["expiresAt"]) for one in answer["commands"]] if status == 200 else None

    def look_up(self, source):
        """Registers a new endpoint at one gateway and looks it up at all."""
        mote, at = Mote(f"new-{next(Mote.values)}"), source.choice(self.site.names)
        call, outcome = time.monotonic_ns(), self.raised(mote, at)
        key = mote.name + " directory"
        self.history.add("put", key, at, 1, "1", call, outcome if outcome in ("ok", "unknown") else "refused", run=self.site.run(at))
        for name in (at, *self.site.names):
            call, answer = time.monotonic_ns(), ask(self.site.gateways[name], GET, f"/rd-lookup/ep?ep={mote.name}")
            if answer not in (None, NOT_REACHED) and answer.code == "2.05":
                found = int(f'ep="{mote.name}"' in answer.text or f"ep={mote.name}" in answer.text)
                self.history.add("read", key, name, found, str(found or ""), call)

    def revoke(self, victim, at):
        """Revokes a victim's key; the caller sets the time after which this must be effective."""
        run, call = self.site.run(at), time.monotonic_ns()
        status, _ = self._api(at, "POST", f"/api/keys/{victim.key.jkt}/revoke")
        outcome = {204: "ok", None: "unknown"}.get(status, "refused")
        return self.history.add("put", victim.revocation, at, 1, "1", call, outcome, run=run)

    def revoke_a_token(self, at, other):
        """Makes a token, has both gateways accept it, revokes it at one and asks the other until it is refused."""
        status, made = self._api(at, "POST", "/api/tokens", body={"name": "reader", "roles": ["viewer"]})
        assert status in (200, 201), made
        key = f"token {made['id']}"
        wait_until(lambda: self._shows(key, other, made["token"]) == 0)
        call = time.monotonic_ns()
        status, _ = self._api(at, "DELETE", f"/api/tokens/{made['id']}")
        assert status in (200, 204), status
        record = self.history.add("put", key, at, 1, "1", call)
        record["effective"] = record["return"] + EFFECTIVE_NANOS
        wait_until(lambda: self._shows(key, other, made["token"], record=True) == 1, every=0.02)

    def _shows(self, key, at, token, record=False):
        call = time.monotonic_ns()
        status, _ = self._api(at, "GET", "/api/endpoints?limit=1", token)
        shown = {200: 0, 401: 1}.get(status)
        if record and shown is not None:
            self.history.add("read", key, at, shown, str(shown or ""), call)
        return shown

    def values(self, mote, at):
        """All values that a gateway keeps of a mote, oldest first."""
        found, after = [], 0
        while True:
            status, _, answer = mirror_peer.http(
                self.site.gateways[at], "GET", f"{mote.path}/temp?after={after}&limit=1000",
                Accept="application/vnd.vigil.jws-list+json")
            assert status in (200, 404), (status, answer)
            page = [value_of(jws.encode()) for jws in json.loads(answer)] if status == 200 else []
            if not page:
                return found
            found += page  # a page is limited in octets too
            after = page[-1][0]

    def are_equal(self):
        """Whether all gateways have the same values."""
        try:
            return all(len({tuple(self.values(mote, at)) for at in self.site.names}) == 1 for mote in self.motes)
        except OSError:
            return False

    def replay(self, source):
        """Sends recorded messages again to each gateway; no message has a number above the highest one."""
        for mote in self.motes:
            recorded = [one for one in mote.sent if one[0] <= mote.high]
            for number, value, message in source.sample(recorded, min(40, len(recorded))) + recorded[-1:]:
                for at in self.site.names:
                    call, answer = time.monotonic_ns(), ask(
                        self.site.gateways[at], PUT, mote.path + "/temp", message, sleepy.JOSE, seconds=60)
                    assert answer not in (None, NOT_REACHED), at
                    outcome = "ok" if answer.code.startswith("2.") else "used" if answer.code == "4.09" else "refused"
                    self.history.add("replay", mote.name, at, number, value, call, outcome)

    def record_ends(self):
        """Records what each gateway has after the round."""
        for at in self.site.names:
            for mote in self.motes:
                values = [{"n": n, "v": v} for n, v in self.values(mote, at)]
                self.history.records.append({"kind": "end", "key": mote.name, "at": at, "values": values})
                shown = [{"n": n, "v": v} for n, v in self.shown_commands(mote, at)]
                self.history.records.append({"kind": "end", "key": mote.commands, "at": at, "values": shown})
