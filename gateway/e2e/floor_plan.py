"""A dashboard with a floor plan, whose image several records hold."""

import json
import os
import struct
import zlib

from mirror_peer import api, http

HALL = "/api/dashboards/hall"


def png(side):
    """An image of random pixels, which do not compress: three octets each."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + os.urandom(3 * side) for _ in range(side))
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def save(gateway, token):
    """Saves a dashboard with a floor plan; returns the path and the octets of its image."""
    tile = {"id": "p", "kind": "plan", "x": 0, "y": 0, "w": 6, "h": 6}
    octets = png(250)
    assert api(gateway, "PUT", HALL, token, {"tiles": [tile]})[0] == 200
    status, _, body = http(gateway, "POST", HALL + "/images", octets, Authorization="Bearer " + token,
                           Content_Type="application/octet-stream")
    assert status == 200, body
    image = json.loads(body)["image"]
    assert api(gateway, "PUT", HALL, token, {"tiles": [tile | {"image": image}]})[0] == 200
    return f"{HALL}/images/{image}", octets


def shown(gateway, token, path):
    """The octets of an image that the dashboard shows, or None."""
    status, _, dashboard = api(gateway, "GET", HALL, token)
    if status != 200 or dashboard["tiles"][0].get("image") != path.rpartition("/")[2]:
        return None
    status, _, octets = http(gateway, "GET", path, Authorization="Bearer " + token)
    return octets if status == 200 else None
