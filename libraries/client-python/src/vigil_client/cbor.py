"""CBOR (RFC 8949) of the types that SenML and COSE use: integers, strings, arrays, maps, simple values, floats, decimal fractions."""

import math
import struct
from typing import Any

MAX_DEPTH = 8
FLOATS = {25: ">e", 26: ">f", 27: ">d"}
SIMPLE: dict[int, bool | None] = {20: False, 21: True, 22: None}


def decode(octets: bytes) -> Any:
    """One item.

    Raises ValueError for other types, indefinite lengths, repeated keys, left-over octets and nesting beyond 8."""
    cursor = _Cursor(octets)
    item = _item(cursor, 0)
    if cursor.left:
        raise ValueError("CBOR with left-over octets")
    return item


def head(major: int, argument: int) -> bytes:
    """The head of an item in its shortest form (RFC 8949 section 4.2.1)."""
    if argument < 24:
        return bytes([major << 5 | argument])
    size = 1 if argument < 0x100 else 2 if argument < 0x10000 else 4
    return bytes([major << 5 | 23 + size.bit_length()]) + argument.to_bytes(size)


class _Cursor:
    """The only index arithmetic on received octets."""

    def __init__(self, octets: bytes) -> None:
        self._octets = octets
        self._at = 0

    @property
    def left(self) -> int:
        return len(self._octets) - self._at

    def take(self, count: int) -> bytes:
        if count > self.left:
            raise ValueError("CBOR that ends too early")
        self._at += count
        return self._octets[self._at - count : self._at]


def _item(cursor: _Cursor, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise ValueError("CBOR nested too deep")
    initial = cursor.take(1)[0]
    major, info = initial >> 5, initial & 31
    if major == 7:
        return _simple(cursor, info)
    if info > 27:
        raise ValueError("CBOR of an indefinite or reserved length")
    argument = info if info < 24 else int.from_bytes(cursor.take(1 << info - 24))
    match major:
        case 0:
            return argument
        case 1:
            return -1 - argument
        case 2:
            return cursor.take(argument)
        case 3:
            return cursor.take(argument).decode("utf-8")
        case 4:
            # Each item has at least one octet, so a forged count ends with the octets.
            return [_item(cursor, depth + 1) for _ in range(argument)]
        case 5:
            return _map(cursor, argument, depth)
        case _:
            return _decimal(argument, _item(cursor, depth + 1))


def _simple(cursor: _Cursor, info: int) -> Any:
    if info in FLOATS:
        return struct.unpack(FLOATS[info], cursor.take(1 << info - 24))[0]
    if info in SIMPLE:
        return SIMPLE[info]
    raise ValueError("a CBOR simple value that SenML does not use")


def _map(cursor: _Cursor, count: int, depth: int) -> dict[Any, Any]:
    items: dict[Any, Any] = {}
    for _ in range(count):
        key, value = _item(cursor, depth + 1), _item(cursor, depth + 1)
        if not isinstance(key, int | str) or isinstance(key, bool):
            raise ValueError("a CBOR map with a key that is neither number nor text")
        if key in items:
            raise ValueError("a CBOR map with a key twice")
        items[key] = value
    return items


def _decimal(tag: int, content: Any) -> float:
    """A decimal fraction, through text: 42e-2 becomes the number nearest to 0.42, which a product would miss."""
    if tag != 4 or not isinstance(content, list) or [type(one) for one in content] != [int, int]:
        raise ValueError("a CBOR tag that SenML does not use")
    exponent, mantissa = content
    number = float(f"{mantissa}e{exponent}")
    if not math.isfinite(number):
        raise ValueError("a CBOR number too large")
    return number
