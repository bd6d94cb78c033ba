"""The pictures of README.md show the product as it is: gateway/web-ui/e2e/pictures.e2e.mjs takes each again and compares it
with the one in docs/pictures. It shows an estate of made-up endpoints, whose values are the same in each run.

The clock is the machine's. The browser is in a time zone where it is between four and five in the afternoon, so that the
values of a day look the same at each time.
"""

import datetime
import math
import os
import random
import time
from typing import NamedTuple

import pytest
from mirror_peer import Endpoint, api
from processes import ALL, Gateway
from test_pages import chromium

AFTERNOON = 16  # o'clock
SETTINGS = """vigil:
  domains:
    estate: {trust: first-use, max-delay: 2d}
    lab: {trust: approve}
"""
STEP = 600  # seconds between two readings
A_DAY = 150  # readings, and some more


class Sensor(NamedTuple):
    """Values over a day: a mean, a swing with its maximum in the afternoon, and noise of a fixed seed."""

    path: str
    rt: str
    unit: str
    mean: float
    swing: float
    noise: float
    digits: int = 1

    def reading(self, seconds):
        """The value this long ago, in the afternoon."""
        hour = AFTERNOON - seconds / 3600
        more = random.Random(f"{self}/{seconds}").gauss(0, self.noise)
        return round(self.mean + self.swing * math.cos((hour - 15) / 12 * math.pi) + more, self.digits)


def temperature(mean, swing):
    return Sensor("temp", "temperature", "Cel", mean, swing, 0.15)


def humidity(mean, swing):
    return Sensor("rh", "humidity", "%RH", mean, swing, 0.6)


# Name, label, place, tags, sensors. The page of the first endpoint is shown.
ESTATE = [
    ("bay-north", "North greenhouse", "Glasshouse 1", ["growing"], [temperature(23.4, 4.6), humidity(71, -9)]),
    ("bay-south", "South greenhouse", "Glasshouse 1", ["growing"], [temperature(24.8, 5.1), humidity(66, -8)]),
    ("cold-1", "Cold store 1", "Packing hall", ["food", "critical"], [temperature(3.6, 0.4), humidity(88, 1)]),
    ("cold-2", "Cold store 2", "Packing hall", ["food", "critical"], [temperature(8.3, 0.5), humidity(84, 1)]),
    ("mast", "Weather mast", "Roof of hall 2", ["outdoors"], [temperature(18.9, 6.2), Sensor("wind", "wind", "m/s", 3.4, 1.8, 0.5)]),
    ("pump-house", "Pump house", "At the brook", ["water"], [Sensor("flow", "flow", "l/s", 4.1, 0.9, 0.1)]),
    ("rain-tank", "Rain tank", "Behind hall 2", ["water"], [Sensor("level", "level", "m", 2.31, -0.12, 0.01, 2)]),
    ("orchard", "East orchard", "Row 14", ["growing", "outdoors"], [Sensor("soil", "moisture", "%RH", 34, -3, 0.3)]),
]


def registered(gateway, ep, sensors, domain="estate"):
    links = ",".join(f'</{one.path}>;rt="{one.rt}"' for one in sensors)
    endpoint = Endpoint(gateway, ep, d=domain, links=links)
    assert endpoint.register(wake=STEP).code == "2.01"
    return endpoint


def send(endpoint, sensor, readings):
    for seconds in range((readings - 1) * STEP, -1, -STEP):
        record = {"n": f"{endpoint.ep}/{sensor.path}", "u": sensor.unit, "t": time.time() - seconds, "v": sensor.reading(seconds)}
        answer = endpoint.put(endpoint.jws(sensor.path, [record]), res=sensor.path)
        assert answer.code in ("2.01", "2.04"), (endpoint.ep, answer.code, answer.text)


@pytest.fixture
def estate(tmp_path, running):
    """The gateway with all endpoints, and its administrator's one-time password."""
    (tmp_path / "estate.yaml").write_text(SETTINGS)
    gateway = running(Gateway(tmp_path / "data", "--demo", "--config", str(tmp_path / "estate.yaml"), "--coap-port", "0",
                              "--http-port", "0", "--zep-port", "0"))
    gateway.password = gateway.expect(r"^sign in as admin with the one-time password (\S+)$").group(1)
    gateway.ready()
    token = (tmp_path / "data/operator.token").read_text().strip()
    for ep, name, place, tags, sensors in ESTATE:
        endpoint = registered(gateway, ep, sensors)
        for sensor in sensors:
            send(endpoint, sensor, A_DAY if (ep, sensor) == (ESTATE[0][0], sensors[0]) else 1)
        one = "/api/endpoints/" + endpoint.path.removeprefix("/ms/")
        assert api(gateway, "PUT", one + "/label", token, {"name": name, "location": place})[0] == 200
        assert api(gateway, "PUT", one + "/tags", token, {"tags": tags})[0] == 200
    registered(gateway, "press-3", [temperature(40, 5)], domain="lab")
    return gateway


def afternoon():
    """The time zone where it is afternoon. POSIX counts the hours that a zone is behind UTC."""
    behind = datetime.datetime.now(datetime.UTC).hour - AFTERNOON
    return f"Etc/GMT{behind if behind >= -14 else behind + 24:+d}"


@pytest.mark.skipif(not ALL and "PICTURES" not in os.environ,
                    reason="only with ./vigil test --all, or PICTURES=renew: takes the pictures again")
def test_the_pictures_show_the_product(estate):
    chromium("e2e:pictures", VIGIL_URL=estate.http, VIGIL_PASSWORD=estate.password, ZONE=afternoon())
