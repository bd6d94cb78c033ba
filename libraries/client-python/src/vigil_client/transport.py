"""Requests to the gateway; their failures become this package's errors."""

import json
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from .errors import NotAllowed, Refused, UnknownResource, Unreachable, VigilError

SIGNED = "application/jose, application/cose;q=0.9"
# Longer than the pause between two heartbeats of an event stream.
STREAM_SILENCE = 40.0
LONGEST_RETRY_AFTER = 3600.0


class Transport:
    def __init__(self, url: str, token: str | None, ca: str | None, timeout: float) -> None:
        """Raises OSError or ValueError if the certificate cannot be read."""
        self.url = url.rstrip("/")
        headers = {"User-Agent": "vigil-client (Python)"} | ({"Authorization": f"Bearer {token}"} if token else {})
        trust = ssl.create_default_context(cafile=ca)
        self._client = httpx.Client(base_url=self.url + "/", headers=headers, timeout=timeout, verify=trust)

    def close(self) -> None:
        self._client.close()

    def json(self, path: str, **query: object) -> Any:
        """The query without members that are None; a list repeats its parameter."""
        response = self._request("GET", path, params=_parameters(query))
        return self._read_json(response)

    def original(self, path: str) -> str | bytes:
        """The text of a JWS, or the octets of a COSE_Sign1."""
        response = self._request("GET", path, headers={"Accept": SIGNED})
        if response.headers.get("Content-Type", "").partition(";")[0].strip().lower() == "application/cose":
            return response.content
        # Latin-1, because decoding as UTF-8 could change octets before they are verified.
        return response.content.decode("latin-1")

    def send(self, method: str, path: str, jose: str | None = None) -> Any:
        headers = {} if jose is None else {"Content-Type": "application/jose"}
        response = self._request(method, path, content=jose, headers=headers)
        return self._read_json(response) if response.content else None

    @contextmanager
    def stream(self, path: str, headers: dict[str, str] | None = None, **query: object) -> Iterator[httpx.Response]:
        timeout = httpx.Timeout(self._client.timeout.connect, read=STREAM_SILENCE)
        params = _parameters(query)
        with self._failures():
            with self._client.stream("GET", path, headers=headers, params=params, timeout=timeout) as response:
                if response.is_error:
                    response.read()
                    raise self._problem(response)
                yield response

    def _request(self, method: str, path: str, **more: Any) -> httpx.Response:
        with self._failures():
            response = self._client.request(method, path, **more)
        if not response.is_success:
            raise self._problem(response)
        return response

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except httpx.TransportError as e:
            if isinstance(e.__cause__, ssl.SSLError) or "CERTIFICATE" in str(e):
                raise Unreachable(f"{self.url} is not trusted: {e}. Give ca= the file with the certificate of its authority.") from e
            why = str(e) or type(e).__name__
            raise Unreachable(f"{self.url} does not answer: {why}. Check the address, and that the gateway runs.") from e

    def _read_json(self, response: httpx.Response) -> Any:
        try:
            return response.json()
        except ValueError as e:
            raise Unreachable(f"{self.url} does not answer like a Vigil gateway: check the address.") from e

    def _problem(self, response: httpx.Response) -> VigilError:
        problem = self._refusal(response)
        seconds = response.headers.get("Retry-After", "")
        if re.fullmatch("[0-9]{1,9}", seconds):
            problem.retry_after = min(LONGEST_RETRY_AFTER, float(seconds))
        return problem

    def _refusal(self, response: httpx.Response) -> VigilError:
        try:
            problem = json.loads(response.content)
            kind, detail = str(problem["type"]), str(problem.get("detail") or problem.get("title")).removesuffix(".")
        except (ValueError, KeyError, TypeError, AttributeError):
            return Unreachable(f"{self.url} does not answer like a Vigil gateway (status {response.status_code}): check the address.")
        what = f"{response.request.method} {response.request.url.path}: {detail}."
        if response.status_code in (401, 403) and kind != "/problems/not-trusted":
            way_out = "Give token= the token of an account that may do this (docs/guide/accounts.md)."
            if response.request.method != "GET":
                way_out += " A command also needs the key of a commander of the domain (docs/guide/commands.md)."
            return NotAllowed(f"{self.url} refuses {what} {way_out}")
        if response.status_code == 404:
            return UnknownResource(f"{self.url}{response.request.url.path}: {detail}.")
        return Refused(f"{self.url} refuses {what}", response.status_code, kind)


def _parameters(query: dict[str, object]) -> dict[str, str | list[str]]:
    given = ((name, value) for name, value in query.items() if value is not None)
    return {name: [str(one) for one in value] if isinstance(value, list) else str(value) for name, value in given}
