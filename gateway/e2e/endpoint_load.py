"""Registers many endpoints with a gateway, then sends updates at a steady rate until it is stopped.

    python endpoint_load.py COAP_URI ENDPOINTS UPDATES_A_SECOND

Each endpoint has its own key and two resources with a value. Prints "registered N" once all have registered, then the
number of sent updates every ten seconds.
"""

import sys
import threading
import time

from coap import POST, PUT, Peer
from processes import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "mirror-proxy/src/test/python"))
import sleepy  # noqa: E402

SENDERS = 8
UNITS = {"temp": "Cel", "load": "/"}


def reading(endpoint, path):
    return endpoint.jws(path, [{"n": path, "u": UNITS[path], "v": 20 + endpoint.seq % 100 / 10}])


def put(peer, endpoint, path):
    answer = peer.request(PUT, f"{endpoint.path}/{path}", reading(endpoint, path), sleepy.JOSE)
    assert answer.code in ("2.01", "2.04"), (endpoint.ep, answer.code, answer.text)


def register(uri, endpoints):
    peer = Peer(uri)
    for endpoint in endpoints:
        answer = peer.request(POST, "/ms", endpoint.registration(wake=300), sleepy.JOSE)
        assert answer.code == "2.01", (endpoint.ep, answer.code, answer.text)
        endpoint.path = answer.location
        for path in UNITS:
            put(peer, endpoint, path)


def update(uri, endpoints, rate, sent):
    """Sends without end, each endpoint in turn; catches up after a pause."""
    peer, number, began = Peer(uri), 0, time.monotonic()
    while True:
        time.sleep(max(0, began + number / rate - time.monotonic()))
        put(peer, endpoints[number % len(endpoints)], "temp")
        number += 1
        sent.append(None)


def in_threads(deed, uri, endpoints, *more):
    threads = [
        threading.Thread(target=deed, args=(uri, endpoints[first::SENDERS], *more), daemon=True) for first in range(SENDERS)
    ]
    for thread in threads:
        thread.start()
    return threads


def main():
    uri, count, rate = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    endpoints = [sleepy.Sleepy(None, "coap://x", f"mote-{number}") for number in range(1, count + 1)]
    for thread in in_threads(register, uri, endpoints):
        thread.join()
    assert all(endpoint.path for endpoint in endpoints), "not all could register"
    print(f"registered {count}", flush=True)
    sent = []
    in_threads(update, uri, endpoints, rate / SENDERS, sent)
    while True:
        before = len(sent)
        time.sleep(10)
        print(f"sent {len(sent) - before}", flush=True)


if __name__ == "__main__":
    main()
