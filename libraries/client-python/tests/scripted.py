"""A gateway whose answers a test writes down."""

import contextlib
import http.server
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass
class Answer:
    body: object = b""
    """Octets as they are, anything else as JSON."""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    whole: bool = True
    """False: the connection ends before the last chunk."""

    @property
    def octets(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


def problem(status: int, name: str = "overloaded", **headers: str) -> Answer:
    body = {"type": f"/problems/{name}", "title": "no", "status": status, "detail": "the test refuses."}
    return Answer(body, status, {one.replace("_", "-"): text for one, text in headers.items()})


class Scripted(http.server.ThreadingHTTPServer):
    """`answers` has those of each path, in their order; after the last one the path is refused with 500."""

    daemon_threads = True

    def __init__(self, answers: dict[str, list[Answer]]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = answers
        self.asked: list[tuple[str, str | None]] = []
        """Path and Last-Event-ID of each request."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Scripted

    def do_GET(self) -> None:
        path = self.path.partition("?")[0].removeprefix("/")
        self.server.asked.append((path, self.headers["Last-Event-ID"]))
        left = self.server.answers.get(path, [])
        answer = left.pop(0) if left else problem(500, "internal-error")
        self.send_response(answer.status)
        for name, text in answer.headers.items():
            self.send_header(name, text)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        if answer.octets:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(answer.octets), answer.octets))
        if answer.whole:
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def scripted(answers: dict[str, list[Answer]]) -> Iterator[Scripted]:
    with Scripted(answers) as running:
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        yield running
        running.shutdown()
