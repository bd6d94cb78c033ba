"""A point whose texts contain every kind of line break, read by two independent parsers of line protocol."""

import pathlib

import pytest
from line_protocol_parser import parse_line
from test_northbound import Database

LINES = (pathlib.Path(__file__).parents[1] / "northbound/src/test/resources/line-protocol.txt").read_bytes()
BREAKS = "%0A%0D%0B%0C%1C%C2%85%E2%80%A8%E2%80%A9"
TEXT = f"x{BREAKS}vigil,ep=other value=1 1{BREAKS}"


@pytest.fixture
def database(tmp_path):
    database = Database(tmp_path)
    try:
        yield database.start()
    finally:
        database.end()


def test_influxdb_reads_one_point(database):
    assert database.ask("POST", "/write?db=vigil", LINES)[0] == 204
    [point] = database.query("SELECT * FROM vigil")
    assert (point["name"], point["text"], point["value"]) == (f"a{BREAKS}b", TEXT, 21.5) and "ep" not in point


def test_a_parser_that_splits_lines_first_reads_one_point():
    [line] = LINES.decode().splitlines()
    point = parse_line(line)
    assert point["measurement"] == "vigil" and point["tags"] == {"name": f"a{BREAKS}b"}
    assert point["fields"] == {"text": TEXT, "value": 21.5} and point["time"] == 1700000000000000000
