"""SenML packs (RFC 8428), resolved."""

import json
import math
from dataclasses import dataclass
from typing import Any

from . import cbor, jose

Value = float | str | bool | bytes
NEWEST_VERSION = 10
RELATIVE_BELOW = 2**28
# Names of the integer labels in CBOR (RFC 8428 table 6).
BASE_LABELS = dict(zip(range(-1, -7, -1), ("bver", "bn", "bt", "bu", "bv", "bs"), strict=True))
LABELS: dict[int, str] = BASE_LABELS | dict(enumerate(("n", "u", "v", "vs", "vb", "s", "t", "ut", "vd")))


@dataclass(frozen=True, slots=True)
class Record:
    """One resolved record (RFC 8428 section 4.6)."""

    name: str
    unit: str
    value: Value | None
    """The sum if the record has no value; None if it has neither."""
    time: float
    """Unix time in seconds, or below 2^28 relative to arrival; 0 if absent."""


def read(payload: bytes, content_type: str) -> list[Record]:
    """Raises ValueError if the payload is not a pack of the content type."""
    pack = cbor.decode(payload) if content_type == "application/senml+cbor" else json.loads(payload)
    if not isinstance(pack, list) or not pack or not all(isinstance(one, dict) for one in pack):
        raise ValueError("not a SenML pack")
    if content_type == "application/senml+cbor":
        pack = [{LABELS.get(key, str(key)): value for key, value in one.items()} for one in pack]
    else:
        pack = [one | {"vd": jose.decode(one["vd"])} if isinstance(one.get("vd"), str) else one for one in pack]
    return _resolved(pack)


def _resolved(pack: list[dict[str, Any]]) -> list[Record]:
    base: dict[str, Any] = {"bn": "", "bu": "", "bv": None, "bs": None, "bt": 0}
    records = []
    for one in pack:
        if unknown := next((name for name in one if name.endswith("_")), None):
            raise ValueError(f"the unknown mandatory field {unknown}")
        if _number(one, "bver", NEWEST_VERSION) > NEWEST_VERSION:
            raise ValueError("a SenML version newer than this client knows")
        for name in ("bn", "bu"):
            base[name] = _text(one, name, base[name])
        for name in ("bv", "bs", "bt"):
            base[name] = _number(one, name, base[name])
        name, unit = base["bn"] + _text(one, "n", ""), _text(one, "u", base["bu"])
        records.append(Record(name, unit, _value(one, base), base["bt"] + _number(one, "t", 0)))
    return records


def _value(one: dict[str, Any], base: dict[str, Any]) -> Value | None:
    given = [name for name in ("v", "vs", "vb", "vd") if name in one]
    if len(given) > 1:
        raise ValueError("a SenML record with two values")
    for name, kind in (("vs", str), ("vb", bool), ("vd", bytes)):
        if name in one:
            value = one[name]
            if not isinstance(value, kind):
                raise ValueError(f"a SenML {name} of the wrong kind")
            return value
    for name, its_base in (("v", "bv"), ("s", "bs")):
        if name in one:
            return float(_number(one, name, 0) + (base[its_base] or 0))
    known = base["bs"] if base["bv"] is None else base["bv"]
    return None if known is None else float(known)


def _number(one: dict[str, Any], name: str, otherwise: Any) -> Any:
    value = one.get(name, otherwise)
    if name in one and (isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value)):
        raise ValueError(f"a SenML {name} of the wrong kind")
    return value


def _text(one: dict[str, Any], name: str, otherwise: str) -> str:
    value = one.get(name, otherwise)
    if not isinstance(value, str):
        raise ValueError(f"a SenML {name} of the wrong kind")
    return value
