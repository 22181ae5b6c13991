"""A server of pages that are not menud's, for the checks in a browser."""

import http.server
import os
import threading

TYPES = {"html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}


class Pages:
    """The files of a folder, on an origin of their own. `menud` is the address that takes the place of `mark` in them."""

    def __init__(self, folder, mark):
        self.folder, self.mark, self.menud = folder, mark, None
        pages = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                name = os.path.basename(self.path.split("?")[0]) or "index.html"
                if name == "favicon.ico":
                    # A browser asks for it of its own accord.
                    self.send_response(204)
                    self.end_headers()
                    return
                body = pages.body(name)
                self.send_response(200)
                fields = {"Content-Type": TYPES.get(name.split(".")[-1], "application/json")} | pages.fields()
                for field in (fields | {"Content-Length": str(len(body))}).items():
                    self.send_header(*field)
                self.end_headers()
                self.wfile.write(body)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def body(self, name):
        with open(os.path.join(self.folder, name), "rb") as file:
            return file.read().replace(self.mark, self.menud.encode())

    def fields(self):
        """Fields of every answer beside the usual ones."""
        return {}

    def close(self):
        self.server.shutdown()
        self.server.server_close()
