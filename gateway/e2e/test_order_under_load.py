"""An observer of a value sees every accepted update or the newest, and never an older one after a
newer: observers over CoAP and event streams over HTTP, while several senders race."""

import concurrent.futures
import contextlib
import json
import socket
import threading
import urllib.request

import coap
import pytest
from coap import ACK, CON, PUT, Peer
from processes import fresh, wait_until
from mirror_peer import JOSE, http, registered, sleepy, view

SENDERS, EACH, WATCHERS = 4, 60, 3


class Observer:
    """Records the number of each notification, in the order of arrival."""

    def __init__(self, gateway, path):
        self.peer, self.numbers, self.order = Peer(gateway.coap), [], []
        first = self.peer.get(path, JOSE, options=[(coap.OBSERVE, 0)], token=b"\x55")
        assert first.one(coap.OBSERVE) is not None
        self.take(first)
        self.ended = False
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()

    def take(self, heard):
        self.numbers.append(number(heard.payload))
        self.order.append(heard.number(coap.OBSERVE))

    def listen(self):
        while not self.ended:
            heard = self.peer.receive(timeout=0.2)
            if heard is None:
                continue
            if heard.type == CON:
                self.peer.send(ACK, 0, mid=heard.mid)
            if heard.token == b"\x55" and heard.code == "2.05":
                self.take(heard)

    def stop(self):
        self.ended = True
        self.thread.join()


class Stream:
    """Records (id, number) of each event of one endpoint; can disconnect and resume."""

    def __init__(self, gateway, ep):
        self.gateway, self.ep, self.seen = gateway, ep, []
        self.open()

    def open(self):
        headers = {"Last-Event-ID": str(self.seen[-1][0])} if self.seen else {}
        self.answer = urllib.request.urlopen(
            urllib.request.Request(self.gateway.http + "/api/events", headers=headers), timeout=60)
        self.thread = threading.Thread(target=self.read, args=(self.answer,), daemon=True)
        self.thread.start()

    def read(self, answer):
        position = None
        try:
            for line in answer:
                name, _, value = line.decode().strip().partition(":")
                if name == "id":
                    position = int(value)
                elif name == "data":
                    reported = json.loads(value)
                    if reported.get("ep") == self.ep:
                        assert reported["resources"][0]["seq"] == reported["high"]
                        self.seen.append((position, reported["high"]))
        except (OSError, ValueError, AttributeError):
            pass  # we have disconnected

    def close(self):
        # Wakes the reader; a plain close would wait for it.
        self.answer.fp.raw._sock.shutdown(socket.SHUT_RDWR)
        self.thread.join()


def number(jws):
    return json.loads(sleepy.unb64(jws.split(b".")[0].decode()))["seq"]


@contextlib.contextmanager
def race(gateway, endpoint):
    """Several senders of one endpoint's numbers, over CoAP and HTTP; the block waits for their end. Returns the
    accepted numbers."""
    lock, accepted = threading.Lock(), []

    def send(index):
        peer = Peer(gateway.coap)
        for _ in range(EACH):
            with lock:
                update = endpoint.jws("temp", [{"n": "t", "v": endpoint.seq}])
            if index % 2:
                answer = peer.request(PUT, f"{endpoint.path}/temp", update, JOSE)
                code, body = answer.code, answer.payload
            else:
                status, _, body = http(gateway, "PUT", f"{endpoint.path}/temp", update, Content_Type="application/jose")
                code = {201: "2.01", 204: "2.04", 409: "4.09"}.get(status, status)
            assert code in ("2.01", "2.04", "4.09"), (code, body)
            if code != "4.09":
                accepted.append(number(update))

    with concurrent.futures.ThreadPoolExecutor(SENDERS) as pool:
        senders = [pool.submit(send, index) for index in range(SENDERS)]
        yield accepted
        for sender in senders:
            sender.result()


def rising(numbers):
    return all(a < b for a, b in zip(numbers, numbers[1:]))


@pytest.fixture
def sensor(gateway):
    endpoint = registered(gateway, fresh("raced"), d="raced", wake=60)
    assert endpoint.update([{"n": "t", "v": 0}]).code in ("2.01", "2.04")
    return endpoint


def test_watchers_never_see_an_older_update_after_a_newer_one(gateway, sensor):
    observers = [Observer(gateway, f"{sensor.path}/temp") for _ in range(WATCHERS)]
    streams = [Stream(gateway, sensor.ep) for _ in range(WATCHERS)]
    with race(gateway, sensor) as accepted:
        # A reader that loses its connection resumes where it was.
        wait_until(lambda: len(streams[0].seen) > 3)
        streams[0].close()
        wait_until(lambda: len(accepted) > EACH)
        streams[0].open()
    newest = max(accepted)
    assert view(gateway, sensor)["high"] == newest and len(accepted) > EACH
    wait_until(lambda: all(one.numbers[-1] == newest for one in observers))
    wait_until(lambda: all(one.seen and one.seen[-1][1] == newest for one in streams))
    for observer in observers:
        observer.stop()
        assert rising(observer.numbers), observer.numbers
        assert all(0 < (b - a) % (1 << 24) < 1 << 23 for a, b in zip(observer.order, observer.order[1:]))
        assert set(observer.numbers[1:]) <= set(accepted), "only what was accepted"
        assert len(observer.numbers) > 3
    for stream in streams:
        stream.close()
        positions, numbers = zip(*stream.seen)
        assert rising(positions), positions
        assert list(numbers) == sorted(numbers), numbers
    history = [0]
    while history[-1] < newest:
        page = sensor.history(f"?after={history[-1]}&limit=1000")
        assert page, history
        history += [number(one.encode()) for one in page]
    assert history[-len(accepted) :] == sorted(accepted)
