"""A gateway that cannot be trusted: it relays requests to a real one and changes the answers."""

import contextlib
import http.server
import threading
import urllib.error
import urllib.request

KEPT = ("Content-Type", "ETag", "Date")


class Relay(http.server.ThreadingHTTPServer):
    """`change(path, body)` returns the body to answer with, or another one with status 200;
    `asked` has path and headers of each request, `sent` the bodies of commands, which are not relayed.
    `files` is a folder that it serves below /client/, as a page of its site."""

    daemon_threads = True

    def __init__(self, target):
        super().__init__(("127.0.0.1", 0), Handler)
        self.target = target
        self.change = lambda path, body: body
        self.asked = []
        self.sent = []
        self.cut_streams = 0
        self.missed = 0
        self.files = None

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        relay = self.server
        if relay.files and self.path.startswith("/client/"):
            self._file(relay.files / self.path.removeprefix("/client/"))
            return
        relay.asked.append((self.path, dict(self.headers)))
        headers = {name: one for name, one in self.headers.items() if name in ("Accept", "Authorization", "Last-Event-ID")}
        try:
            answer = urllib.request.urlopen(urllib.request.Request(relay.target + self.path, headers=headers), timeout=60)
        except urllib.error.HTTPError as refused:
            answer = refused
        with answer:
            events = self.path.startswith("/api/events")
            body = b"" if events else answer.read()
            changed = relay.change(self.path, body)
            self.send_response(answer.status if changed is body else 200)
            for name in KEPT:
                if name in answer.headers:
                    self.send_header(name, answer.headers[name])
            self.send_header("Connection", "close")
            self.end_headers()
            if events:
                self._stream(answer)
            else:
                self.wfile.write(changed)

    def do_PUT(self):
        self.server.sent.append(self.rfile.read(int(self.headers["Content-Length"])))
        self._body("application/json", b'{"state":"queued"}')

    do_POST = do_PUT

    def _stream(self, answer):
        """The first streams end after their second event, in the middle of a line, or skip an event and say so."""
        ends = 0
        with contextlib.suppress(OSError):
            for line in answer:
                if self.server.missed and line.startswith(b"event:endpoint"):
                    self.server.missed -= 1
                    line = b"event:missed\n"
                if self.server.cut_streams and line.startswith(b"event:endpoint"):
                    ends += 1
                    if ends == 2:
                        self.server.cut_streams -= 1
                        self.wfile.write(line[:5])
                        return
                self.wfile.write(line)
                self.wfile.flush()

    def _file(self, file):
        self._body("text/html" if file.suffix == ".html" else "text/javascript", file.read_bytes())

    def _body(self, kind, octets):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(octets)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def relay(target):
    with Relay(target) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()
