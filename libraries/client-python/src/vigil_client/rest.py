"""The JSON of the REST API: generated from the OpenAPI document, see pyproject.toml."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class Bucket(TypedDict):
    start: str
    """
    a multiple of the bucket's length since 1970
    """
    count: int
    mean: float
    min: float
    max: float
    last: float
    """
    the value that was measured last
    """
    rate: NotRequired[float]
    """
    change in a second from the last value of the previous bucket to the last value of this one; absent in the first bucket
    """
    recovered: int
    """
    how many of the values were fetched from the mote's block store and are not signed
    """


class Calibration(TypedDict):
    """
    A calibration of the numbers of a resource. Pages show the signed number, times factor, plus offset.
    """

    path: str
    """
    of the resource, percent-encoded, relative to the path of the endpoint
    """
    name: NotRequired[str]
    """
    SenML name of the records to which it applies; absent: all records of the resource that have no calibration of their own
    """
    factor: float
    """
    not 0
    """
    offset: float
    unit: NotRequired[str]
    """
    SenML unit of the result; absent: the signed unit
    """
    note: NotRequired[str]
    """
    for people
    """
    date: NotRequired[str]
    """
    of the calibration
    """


class Command(TypedDict):
    """
    A command to a sleepy endpoint.
    """

    path: str
    """
    of the resource
    """
    seq: int
    """
    number among the commands of the endpoint
    """
    by: str
    """
    thumbprint of the commander's key
    """
    state: Literal['queued', 'fetched', 'confirmed', 'refused', 'expired', 'cancelled']
    """
    queued, fetched, confirmed, refused, expired or cancelled; queued and fetched ones are pending
    """
    queuedAt: str
    expiresAt: NotRequired[str]
    endedAt: NotRequired[str]
    reason: NotRequired[int]
    """
    why the endpoint did not carry it out, a number from 400 to 599 that it signed; absent unless refused
    """


class Commands(TypedDict):
    commands: list[Command]
    last: int
    """
    highest command number of the endpoint; a new command needs a higher one
    """


class Control(TypedDict):
    """
    The values that commands give to a resource.
    """

    kind: Literal['switch', 'number', 'choice', 'text', 'unknown']
    """
    switch, number, choice, text, or unknown
    """
    declared: bool
    """
    whether the resource's link declares them: the gateway then refuses other values of commands. Otherwise they are a guess from its type and its last value
    """
    minimum: NotRequired[float]
    """
    smallest number; absent without a limit
    """
    maximum: NotRequired[float]
    """
    largest number; absent without a limit
    """
    multipleOf: NotRequired[float]
    """
    the number is a multiple of it; absent if every number is possible
    """
    values: list[float | str | bool]
    """
    of a switch: first off, then on; of a choice: all; otherwise empty
    """


class Jwk(TypedDict):
    """
    A public key (RFC 7517)
    """

    kty: Literal['EC', 'OKP']
    crv: str
    x: str
    y: NotRequired[str]
    """
    absent for Ed25519
    """
    ep: NotRequired[str]
    """
    in an import: the only endpoint name that the key may register
    """


class Label(TypedDict):
    """
    The name and the location that operators gave an endpoint.
    """

    name: NotRequired[str]
    """
    at most 100 characters
    """
    location: NotRequired[str]
    """
    at most 200 characters
    """


class Resource(TypedDict):
    path: str
    """
    percent-encoded, relative to the path of the endpoint
    """
    href: str
    rt: NotRequired[str]
    name: NotRequired[str]
    """
    SenML name of the last value
    """
    unit: NotRequired[str]
    value: NotRequired[float | str | bool]
    """
    the last value: number, text, true or false; octets in base64url; absent before the first, and when there is only a sum
    """
    sum: NotRequired[float]
    writable: bool
    """
    whether it takes commands, according to its link and its past commands
    """
    control: NotRequired[Control]
    """
    the values that commands give it; absent if it takes no commands
    """
    seq: int
    """
    sequence number of its update; 0 before the first
    """
    arrivedAt: NotRequired[str]
    delayed: bool
    marks: list[Literal['stale', 'delayed', 'revoked']]
    """
    stale, delayed, revoked
    """


class Series(TypedDict):
    """
    One measured name.
    """

    name: str
    unit: NotRequired[str]
    """
    absent when the measurements have none
    """
    buckets: list[Bucket]


class Value(TypedDict):
    seq: int
    """
    sequence number of the update; for a recovered value, the number of the update that should have carried it, 0 if there was none
    """
    measuredAt: str
    arrivedAt: str
    name: str
    """
    resolved SenML name (RFC 8428 section 4.6)
    """
    unit: NotRequired[str]
    value: NotRequired[float | str | bool]
    """
    number, text, true or false; octets in base64url; absent when there is only a sum
    """
    sum: NotRequired[float]
    delayed: bool
    """
    whether the update arrived long after the measurement
    """
    provenance: Literal['signed', 'recovered']
    """
    signed: the endpoint signed it; recovered: fetched later from the mote's block store, authenticated by ESP between mote and gateway, and not signed
    """


WaitingKey = TypedDict(
    'WaitingKey',
    {
        'thumbprint': str,
        'held': bool,
        'note': NotRequired[str],
        'since': NotRequired[str],
        'from': NotRequired[str],
    },
)


class Problem(TypedDict):
    """
    Problem details (RFC 9457)
    """

    type: str
    """
    the kind of problem, for instance /problems/not-found; docs/guide/rest-problems.md lists them
    """
    title: str
    """
    the status in words
    """
    status: int
    """
    status of the answer
    """
    detail: NotRequired[str]
    """
    what is wrong, and how to fix it
    """
    instance: NotRequired[str]
    """
    path of the request
    """


class Endpoint(TypedDict):
    """
    One endpoint in JSON. Unknown fields are absent.
    """

    id: str
    ep: str
    d: str
    type: NotRequired[str]
    trust: Literal['unproven', 'pending', 'trusted', 'replaced', 'revoked']
    """
    unproven, pending, trusted, replaced or revoked
    """
    keyThumbprint: str
    note: NotRequired[str]
    heldKeyThumbprint: NotRequired[str]
    """
    thumbprint of the first other key that requests the name
    """
    waitingKeys: list[WaitingKey]
    """
    all keys that wait for a decision on the name, oldest first
    """
    registeredAt: str
    expiresAt: str
    heardAt: str
    wakeSeconds: int
    """
    announced wake interval
    """
    freshness: Literal['on-time', 'late', 'missing', 'not-trusted']
    """
    on-time, late or missing; not-trusted while its key is not trusted
    """
    lateAt: NotRequired[str]
    """
    when it becomes late unless it is heard before; absent while its key is not trusted
    """
    missingAt: NotRequired[str]
    """
    when it becomes missing unless it is heard before; absent like lateAt
    """
    high: int
    """
    highest accepted sequence number
    """
    pendingCommands: int
    commands: list[Command]
    """
    the pending and the last ended commands, oldest first
    """
    rejections: dict[str, int]
    """
    number of refused requests since the gateway's start, by reason
    """
    resources: list[Resource]
    label: NotRequired[Label]
    """
    the name and the location that operators gave it
    """
    tags: list[str]
    """
    that operators gave it, in alphabetical order
    """
    calibrations: list[Calibration]
    """
    of its resources; the values are as it signed them
    """
    meshAddress: NotRequired[str]
    """
    address in the mesh that its last message came from
    """
    eui64: NotRequired[str]
    """
    EUI-64 of that address, 16 hexadecimal digits
    """


class Endpoints(TypedDict):
    endpoints: list[Endpoint]
    next: NotRequired[str]
    """
    the after of the next page; absent at the end
    """


class History(TypedDict):
    """
    The history of a resource, as single values or in buckets of time.
    """

    resolution: Literal['values', 'minute', 'hour', 'day']
    """
    what the answer was computed from: values, which the gateway still has as the endpoint signed them (except recovered ones), or the gateway's own aggregates of each minute, hour or day, which nobody signed
    """
    valuesSince: NotRequired[str]
    """
    the oldest measurement among the values that the gateway still has; absent without one
    """
    aggregatesSince: NotRequired[str]
    """
    the start of the oldest aggregate; absent without one
    """
    values: NotRequired[list[Value]]
    """
    in the order that was asked for; absent when buckets were requested
    """
    series: NotRequired[list[Series]]
    """
    buckets by name; absent when values were requested
    """
    next: NotRequired[int]
    """
    the after of the next page; absent at the end
    """
