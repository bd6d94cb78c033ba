import json
import math

import cbor2
import pytest
from examples import example

from vigil_client import cbor, senml

JSON = "application/senml+json"


def resolved(*pack):
    return [(one.name, one.unit, one.value, one.time) for one in senml.read(json.dumps(pack).encode(), JSON)]


def test_base_fields_are_resolved_like_in_rfc_8428():
    pack = [
        {"bn": "urn:dev:ow:10e2073a01080063:", "bt": 1.276020076e9, "bu": "A", "bv": 1, "n": "voltage", "u": "V", "v": 119.1},
        {"n": "current", "t": -5, "v": 0.2},
        {"n": "on", "vb": True},
        {"n": "text", "vs": "é"},
        {"n": "octets", "vd": "AQ"},
        {"n": "sum", "s": 2},
        {"n": "base"},
    ]
    name = "urn:dev:ow:10e2073a01080063:"
    assert resolved(*pack) == [
        (name + "voltage", "V", 120.1, 1.276020076e9),
        (name + "current", "A", 1.2, 1.276020071e9),
        (name + "on", "A", True, 1.276020076e9),
        (name + "text", "A", "é", 1.276020076e9),
        (name + "octets", "A", b"\x01", 1.276020076e9),
        (name + "sum", "A", 2.0, 1.276020076e9),
        (name + "base", "A", 1.0, 1.276020076e9),
    ]


@pytest.mark.parametrize(
    "pack",
    [
        "[]", "{}", "[1]", "null", '[{"v":1,"vs":"x"}]', '[{"v":"1"}]', '[{"v":true}]', '[{"vb":1}]', '[{"vs":1}]', '[{"vd":"A"}]',
        '[{"n":1,"v":1}]', '[{"x_":1,"v":1}]', '[{"bver":11,"v":1}]', '[{"v":NaN}]', '[{"v":1e999}]', '[{"t":"0","v":1}]', "[{", "\xff",
    ],
)  # fmt: skip
def test_a_wrong_pack_is_refused(pack):
    with pytest.raises(ValueError):
        senml.read(pack.encode("latin-1"), JSON)


@pytest.mark.parametrize(
    "item",
    [0, 23, 24, 255, 65536, 2**53 - 1, -1, -256, 1.5, -0.0, math.inf, "", "é", b"", b"\x01\x02", True, False, None, [], [1, [2]], {},
     {"a": 1, -1: [1.25]}, {0: "temp", 2: 21.5}],
    ids=repr,
)  # fmt: skip
def test_cbor_reads_what_another_implementation_writes(item):
    for canonical in (False, True):
        assert cbor.decode(cbor2.dumps(item, canonical=canonical)) == item


def test_decimal_fractions_are_the_nearest_number():
    assert cbor.decode(bytes.fromhex("c48221182a")) == 0.42 and cbor.decode(cbor2.dumps(cbor2.CBORTag(4, [-1, 42]))) == 4.2


def test_each_shortened_or_lengthened_pack_is_refused():
    whole = bytes.fromhex(example("senml-cbor"))
    assert senml.read(whole, "application/senml+cbor")[0].value == 21.5
    for octets in [whole[:end] for end in range(len(whole))] + [whole + b"\0"]:
        with pytest.raises(ValueError):
            senml.read(octets, "application/senml+cbor")


@pytest.mark.parametrize("octets", ["9f01ff", "1c", "a201010102", "c101", "f7", "9b7fffffffffffffff",
                                    "61ff", "a1f501", "a18001", "81" * 9 + "00", "c4821a7fffffff01"])  # fmt: skip
def test_cbor_that_senml_does_not_use_is_refused(octets):
    with pytest.raises(ValueError):
        cbor.decode(bytes.fromhex(octets))


@pytest.mark.parametrize("length", [0, 23, 24, 255, 256, 65535, 65536])
def test_heads_are_the_shortest(length):
    assert cbor.head(2, length) == cbor2.dumps(bytes(length))[: len(cbor.head(2, length))]
