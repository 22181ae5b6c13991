"""A proxy before HAProxy that does what a cluster must not do: answers from the past, or repeats a change."""

import http.client
import random
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def tag(answer):
    # HAProxy writes the names of fields in small letters.
    return next((value for name, value in answer[1] if name.lower() == "etag"), None)


class Planted:
    """Plants `stale` reads or `double` changes, now and then."""

    def __init__(self, kind, port, seed):
        self.kind, self.random, self.count = kind, random.Random(seed), 0
        self.old = {}  # path → answers to GET
        self.lock = threading.Lock()
        planted = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = 1 << 16  # Fields and body leave together.

            def setup(self):
                super().setup()
                self.upstream = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

            def handle_any(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length) if length else None
                fields = {name: value for name, value in self.headers.items() if name != "Host"}
                try:
                    answer = planted.answer(self.upstream, self.command, self.path, body, fields)
                except (OSError, http.client.HTTPException):
                    self.upstream.close()
                    self.close_connection = True
                    return
                status, headers, content = answer
                self.send_response_only(status)
                for name, value in headers:
                    if name.lower() not in ("transfer-encoding", "content-length", "connection"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, upstream, method, path, body, fields):
        answer = self.forward(upstream, method, path, body, fields)
        with self.lock:
            is_chosen = self.random.random() < (0.1 if self.kind == "stale" else 0.03)
            known = self.old.setdefault(path, [])
        if self.kind == "stale" and method == "GET" and path.startswith("/sessions/") and answer[0] == 200:
            if is_chosen and len(known) > 5 and tag(known[-5]) != tag(known[-1]):
                self.count += 1
                return known[-5]
            known.append(answer)
        if self.kind == "double" and is_chosen and answer[0] == 200 and self.is_change(method, path):
            self.count += 1
            self.forward(upstream, method, path, body, {
                name: value for name, value in fields.items() if name != "Idempotency-Key"})
        return answer

    def is_change(self, method, path):
        return method == "PATCH" or method == "POST" and path != "/commands/validate"

    def forward(self, upstream, method, path, body, fields):
        upstream.request(method, path, body, fields)
        answer = upstream.getresponse()
        return answer.status, answer.getheaders(), answer.read()
