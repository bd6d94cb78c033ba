"""The names in answers: keys, numbers and signed commands belong to a name, so the gateway must not choose it."""

from . import rest
from .errors import WrongEndpoint

NAMELESS = "-"
"""The domain without a name, in queries."""


def require(answer: rest.Endpoint, name: str | None, domain: str | None) -> rest.Endpoint:
    """The answer, if it has this name and domain; None stands for any. Raises WrongEndpoint."""
    ep, d = answer["ep"], answer["d"]
    if name in (None, ep) and ("" if domain == NAMELESS else domain) in (None, d):
        return answer
    place = "" if domain is None else f" in the domain {domain!r}"
    asked = f"any endpoint{place}" if name is None else f"{name}{place}"
    raise WrongEndpoint(
        f"{asked}: the gateway answers with the endpoint {ep!r} in the domain {d!r}. Do not use the answer, and report it to the "
        "operator of the gateway.",
        ep if name is None else name,
        "",
    )


def require_same(answer: rest.Endpoint, known: rest.Endpoint) -> rest.Endpoint:
    """The answer, if it has the name and domain of an endpoint that was found before. Raises WrongEndpoint."""
    return require(answer, known["ep"], known["d"])
