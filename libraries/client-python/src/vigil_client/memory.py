"""The client's memory of each endpoint: its key, and the highest number verified of each resource."""

import atexit
import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

WRITE_DELAY = 1.0
"""Seconds between a change of a number and its write."""


class Memory:
    """Kept in a file if there is one: {"version": 1, "endpoints": {domain: {name: {"key", "compared", "numbers"}}}}.

    A key is written at once, a number a second later, by `save`, or when the process exits. Any thread may call."""

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        """Raises OSError or ValueError if the file cannot be read: a client that forgot its keys would trust anyone."""
        self._path = None if path is None else Path(path)
        self._lock = threading.Lock()
        self._waiting: threading.Timer | None = None
        self._changed = False
        self._endpoints: dict[str, dict[str, dict[str, Any]]] = {}
        if self._path is not None and self._path.exists():
            read = json.loads(self._path.read_text())
            if not isinstance(read, dict) or read.get("version") != 1:
                raise ValueError(f"{self._path} is not a file of this client: name another file, or remove it to trust the next keys")
            self._endpoints = read["endpoints"]

    def key(self, domain: str, name: str) -> tuple[str, bool] | None:
        """The thumbprint, and whether somebody compared it."""
        with self._lock:
            known = self._of(domain, name)
            return (known["key"], known["compared"]) if "key" in known else None

    def domains(self, name: str) -> dict[str, str]:
        """The thumbprint for each domain in which an endpoint of this name has a key."""
        with self._lock:
            of_name = {domain: names.get(name, {}) for domain, names in self._endpoints.items()}
            return {domain: known["key"] for domain, known in of_name.items() if "key" in known}

    def pin(self, domain: str, name: str, thumbprint: str, compared: bool) -> None:
        with self._lock:
            known = self._endpoints.setdefault(domain, {}).setdefault(name, {"numbers": {}})
            if known.get("key") == thumbprint and known["compared"] >= compared:
                return
            known |= {"key": thumbprint, "compared": compared}
            self._changed = True
            self._write()

    def advance(self, domain: str, name: str, resource: str, number: int, digest: str) -> bool:
        """Remembers the number if it is the highest; false if it is lower, or belongs to another reading."""
        with self._lock:
            numbers = self._endpoints[domain][name]["numbers"]
            highest, known = numbers.get(resource, (-1, ""))
            if number == highest:
                return bool(digest == known)
            if number > highest:
                numbers[resource] = [number, digest]
                self._changed = True
                self._write_later()
            return bool(number > highest)

    def highest(self, domain: str, name: str, resource: str) -> int:
        with self._lock:
            return int(self._of(domain, name).get("numbers", {}).get(resource, [-1])[0])

    def save(self) -> None:
        """Writes what has changed, also after a write that failed."""
        with self._lock:
            if self._changed:
                self._write()

    def _of(self, domain: str, name: str) -> Mapping[str, Any]:
        return self._endpoints.get(domain, {}).get(name, {})

    def _write_later(self) -> None:
        if self._path is None or self._waiting is not None:
            return
        self._waiting = threading.Timer(WRITE_DELAY, self.save)
        self._waiting.daemon = True
        self._waiting.start()
        atexit.register(self.save)

    def _write(self) -> None:
        """Through a second file: a crash leaves the old one or the new one."""
        if self._path is None:
            return
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        fresh = self._path.with_name(self._path.name + ".new")
        fresh.write_text(json.dumps({"version": 1, "endpoints": self._endpoints}, indent=1))
        os.replace(fresh, self._path)
        self._changed = False
        # Not before: a process that ends now waits for the lock in this handler.
        atexit.unregister(self.save)
