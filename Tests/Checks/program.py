"""The built menud as a process, and one connection to it."""

import contextlib
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
# Checks import menud.py from here.
CLIENT = os.path.join(ROOT, "Sources", "CEmbeddedFiles", "Client")
sys.path.insert(0, CLIENT)
BUILT = os.path.join(ROOT, ".build", "release", "menud")
APPLICATION = os.path.join(ROOT, "Tests", "Checks", "application")


def free_port():
    """A port that nobody has. It is below those that the system gives to clients, which may take it meanwhile."""
    while True:
        with socket.socket() as probe, contextlib.suppress(OSError):
            port = random.randrange(20_000, 32_000)
            probe.bind(("127.0.0.1", port))
            return port


def processor_time(pid):
    """The seconds of the processor that all threads of a process took so far."""
    folder, total = f"/proc/{pid}/task", 0
    for task in os.listdir(folder):
        with open(f"{folder}/{task}/schedstat") as file:
            total += int(file.read().split()[0])
    return total / 1e9


def end_by_signals():
    """Lets signals end this process in order. Who started it may have blocked them."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


class NotListening(Exception):
    """The program ended, or said nothing for a minute."""


class Program:
    """A running menud on a free port, which has written its events to a file."""

    def __init__(self, arguments=(), environment=None, program=BUILT, prefix=()):
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("MENUD_")}
        self.events_file = tempfile.TemporaryFile()
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [*prefix, program, "serve", "--port", "0", "--log-format", "json", *arguments],
            env=inherited | (environment or {}), cwd=ROOT, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=self.events_file)

    @property
    def text(self):
        """All that it wrote so far."""
        file = self.events_file.fileno()
        return os.pread(file, os.fstat(file).st_size, 0).decode(errors="replace")

    @property
    def events(self):
        """Its events so far; what is no event is left out."""
        found = []
        for line in self.text.splitlines():
            try:
                found.append(json.loads(line))
            except ValueError:
                pass
        return found

    def event(self, name):
        """The first event of that name, or None."""
        if name not in self.text:
            return None  # Whoever waits for it asks a thousand times a second.
        return next((event for event in self.events if event.get("event") == name), None)

    def port(self, seconds=60):
        """Waits until it listens."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            event = self.event("listening")
            if event:
                self.listening_after = time.monotonic() - self.started
                return int(event["port"])
            if self.process.poll() is not None:
                break
            time.sleep(0.001)
        raise NotListening(f"exit code {self.process.poll()}: {self.text}")

    def kill(self):
        """Ends it as a crash does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.events_file.close()

    def stop(self):
        """Ends it as an operator does; answers the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)


class Restartable:
    """A menud that can be killed, and started again on the same port with the same journal, which is in a folder."""

    def __init__(self, folder, *arguments, environment=None, program=BUILT, scheme="http"):
        self.port, self.environment, self.built = free_port(), environment, program
        self.url = f"{scheme}://localhost:{self.port}"
        self.arguments = ["--port", str(self.port), "--journal-path", os.path.join(folder, "menud.db"), *arguments]
        self.start()

    def start(self):
        self.process = Program(self.arguments, self.environment, self.built)
        self.process.port()

    def kill(self):
        """Kills it, unless it is killed."""
        if self.process.process.poll() is None:
            self.process.kill()


class Answer:
    """Status, fields and body; the body as JSON on demand."""

    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def problem(self):
        """The type of the problem, or None."""
        if self.headers.get_content_type() != "application/problem+json":
            return None
        return self.json["type"]


class Connection:
    """One connection that is kept alive."""

    TYPES = {"PATCH": "application/json-patch+json"}

    def __init__(self, port, timeout=60):
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)

    def ask(self, method, path, body=None, headers=None):
        """Sends a request and reads the whole answer, or raises: then nothing is known."""
        fields = dict(headers or {})
        if body is not None:
            fields.setdefault("Content-Type", self.TYPES.get(method, "application/json"))
            if not isinstance(body, bytes):
                body = json.dumps(body, separators=(",", ":")).encode()
        self.http.request(method, path, body, fields)
        return Answer(self.http.getresponse())

    def close(self):
        self.http.close()


def patiently(connection, *request):
    """Asks until the answer is not 429. Opening large sessions may get it: their requests are charged to the opener."""
    while True:
        answer = connection.ask(*request)
        if answer.status != 429:
            return answer
        time.sleep(int(answer.headers["Retry-After"]))
