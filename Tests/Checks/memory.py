#!/usr/bin/env python3
"""Asks every GET and POST of the OpenAPI document again and again with other parameters, about one large session, with
clients that read and clients that do not, and opens streams that nobody reads.

Fails when menud takes more resident memory than the bounds of its caches and of what is unsent explain, when too much
stays after all clients are gone, or when health is not answered.
"""

import argparse
import json
import os
import random
import resource
import socket
import sys
import tempfile
import threading
import time

from program import BUILT, Connection, Program
from unread import resident

MIB = 1 << 20
METHODS = ["get", "post"]
# Beside the live memory: three caches of 64 MiB, what is kept for the subscribers of a session, and what is unsent.
PEAK = 3 * 64 * MIB + 32 * MIB + 256 * MIB
# The unsent bytes are gone.
REST = 3 * 64 * MIB + 32 * MIB
SESSION = "large"
TEXT = "x" * 131_072


class Health:
    """Asks for health twice a second; `missing` tells how often it was not answered within five seconds."""

    def __init__(self, port):
        self.port, self.missing, self.longest, self.is_over = port, 0, 0.0, False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.is_over:
            begun = time.monotonic()
            try:
                connection = Connection(self.port, 5)
                self.missing += connection.ask("GET", "/health/live").status != 200
                connection.close()
            except OSError:
                self.missing += 1
            self.longest = max(self.longest, time.monotonic() - begun)
            time.sleep(0.5)

    def end(self):
        self.is_over = True
        self.thread.join()


class Requests:
    """Requests of the routes that a document describes, with parameters that differ each time."""

    def __init__(self, document, seed):
        self.document, self.random = document, random.Random(seed)
        self.routes = [(method.upper(), path, operation) for path, item in document["paths"].items()
                       for method, operation in item.items() if method in METHODS]

    def resolved(self, part):
        while "$ref" in part:
            name = part["$ref"].split("/")
            part = self.document[name[1]][name[2]][name[3]]
        return part

    def word(self):
        return f"w{self.random.randrange(1 << 30)}"

    def selection(self, number):
        """A selection of a stream: the document, or a menu and commands that hardly any other has."""
        if self.random.random() < 0.5:
            return f"s{number};document"
        return f"s{number};menu=root;commands={self.word()}:,{self.word()}:"

    def value(self, parameter):
        """A value of a parameter; None to leave it out."""
        name, schema = parameter["name"], self.resolved(parameter["schema"])
        if name in ("session", "sessions"):
            return SESSION
        if name in ("ticket", "wait"):
            return None
        if not parameter.get("required") and self.random.random() < 0.4:
            return None
        if name in ("action", "command", "commands"):
            return ",".join(self.word() + ":" for _ in range(10 if name == "commands" else 1))
        if "enum" in schema:
            return str(self.random.choice(schema["enum"]))
        if schema.get("type") == "boolean":
            return self.random.choice(["true", "false"])
        if schema.get("type") == "integer":
            return str(self.random.randrange(1, 100))
        if name == "modifiers":
            words = ["command", "shift", "alternate", "control"]
            return ",".join(self.random.sample(words, self.random.randrange(1, 4)))
        if "example" in parameter and self.random.random() < 0.7:
            return str(parameter["example"])
        return self.word() if parameter["in"] == "path" else None

    def target(self, path, operation):
        query = []
        for parameter in map(self.resolved, operation.get("parameters", [])):
            if parameter["name"] == "select":
                query += [f"select={self.selection(n)}" for n in range(self.random.randrange(17))]
            elif parameter["in"] in ("path", "query"):
                value = self.value(parameter)
                if parameter["in"] == "path":
                    path = path.replace("{%s}" % parameter["name"], value)
                elif value is not None:
                    query.append(f"{parameter['name']}={value}")
        return path + ("?" + "&".join(query) if query else "")

    def body(self, operation):
        """An example of the body, about the large session; long lists of commands, and a large text now and then."""
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if content is None:
            return b""
        examples = [content["example"]] if "example" in content else \
            [example["value"] for example in content["examples"].values()]
        body = self.varied(self.random.choice(examples))
        if isinstance(body, dict) and "mutations" in body:
            body = {"mutations": [{"op": "mergeState", "patch": {f"text{self.random.randrange(4)}": TEXT}}]}
        return json.dumps(body).encode()

    def varied(self, value):
        if not isinstance(value, dict):
            return value
        value = {name: self.varied(member) for name, member in value.items()}
        if "session" in value:
            value["session"] = SESSION
        if "id" in value:
            value["id"] = self.word()
        if isinstance(value.get("commands"), list):
            value["commands"] = [self.word() + ":" for _ in range(self.random.choice([1, 100, 3000]))]
        return value

    def message(self, method, path, operation):
        """A request as it is sent."""
        body = self.body(operation) if method == "POST" else b""
        fields = [f"{method} {self.target(path, operation)} HTTP/1.1", "Host: localhost"]
        if method == "POST":
            fields += ["Content-Type: application/json", f"Content-Length: {len(body)}",
                       "Accept: application/json, text/event-stream"]
            if self.random.random() < 0.5:
                fields.append(f"Idempotency-Key: {self.word()}")
        return "\r\n".join(fields + ["", ""]).encode() + body


def is_stream(operation):
    return "text/event-stream" in operation["responses"].get("200", {}).get("content", {})


def connected(port, message, window=4096):
    """A connection that has sent a request, and takes as little of the answer as the system allows."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
    client.settimeout(60)
    client.connect(("127.0.0.1", port))
    try:
        client.sendall(message)
    except OSError:
        pass  # It was refused by its head.
    return client


def read(port, message):
    """Reads an answer to its end; the connection is closed behind it."""
    head, _, body = message.partition(b"\r\n\r\n")
    client = connected(port, head + b"\r\nConnection: close\r\n\r\n" + body, window=1 << 20)
    while True:
        try:
            if not client.recv(1 << 20):
                break
        except OSError:
            break
    client.close()


def prepare(port, size):
    """Opens the session, as large as it is to be."""
    connection = Connection(port)
    answer = connection.ask("POST", "/sessions", {"id": SESSION})
    assert answer.status == 201, answer.body
    for part in range(size // len(TEXT)):
        answer = connection.ask("PATCH", f"/sessions/{SESSION}/state", {f"text{part}": TEXT},
                                {"Content-Type": "application/merge-patch+json"})
        assert answer.status == 200, answer.body


def begin_peak(program):
    """Lets the system note the most resident memory from now on."""
    with open(f"/proc/{program.process.pid}/clear_refs", "w") as file:
        file.write("5")


def peak(program):
    """The most resident memory since then, in bytes."""
    with open(f"/proc/{program.process.pid}/status") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith("VmHWM"))


class Round:
    """All routes asked, with the most memory of each of them."""

    def __init__(self, program, port, requests, options):
        self.program, self.port, self.requests, self.options = program, port, requests, options
        self.peak, self.grown, self.unread = 0, {}, []
        self.connection = Connection(port)

    def run(self):
        for method, path, operation in self.requests.routes:
            before = resident(self.program)
            begin_peak(self.program)
            for number in range(self.times(method, operation)):
                self.ask(method, path, operation, is_read=number % 3 < 2)
            most = peak(self.program)
            self.peak = max(self.peak, most)
            self.grown[f"{method} {path}"] = most - before
            self.close_opened(path)

    def times(self, method, operation):
        return self.options.streams if self.is_endless(method, operation) else self.options.times

    def is_endless(self, method, operation):
        return method == "GET" and is_stream(operation)

    def ask(self, method, path, operation, is_read):
        if is_read and not self.is_endless(method, operation):
            return read(self.port, self.requests.message(method, path, operation))
        # Each of these then has an answer of its own.
        self.connection.ask("PATCH", f"/sessions/{SESSION}/state", {"n": len(self.unread)},
                            {"Content-Type": "application/merge-patch+json"})
        self.unread.append(connected(self.port, self.requests.message(method, path, operation)))

    def close_opened(self, path):
        """Closes the sessions that were opened, which are no leak."""
        if path != "/sessions":
            return
        connection = Connection(self.port)
        for session in connection.ask("GET", "/sessions?limit=1000").json["sessions"]:
            if session["session"] not in (SESSION, "demo"):
                connection.ask("DELETE", f"/sessions/{session['session']}")

    def hang_up(self):
        for client in self.unread:
            client.close()
        self.unread = []


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--state", type=int, default=3_800_000, help="bytes of the session's state")
    parser.add_argument("--times", type=int, default=60, help="that each route is asked in a round")
    parser.add_argument("--streams", type=int, default=1500, help="of each kind that are not read")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--wait", type=float, default=4, help="seconds after the clients are gone")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--is-sanitized", action="store_true",
                        help="of a build in which neither memory nor times say anything")
    options = parser.parse_args()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    folder = tempfile.TemporaryDirectory(prefix="menud-memory-")
    # Neither budgets of processor time nor the number of subscriptions protect the memory.
    program = Program(
        ["--config", "Config/menud.json", "--journal-path", f"{folder.name}/menud.db",
         "--journal-durability", "off"],
        {"MENUD_SERVER_HEALTH_PORT": "0", "MENUD_LIMITS_PROCESSOR_TIME": "0", "MENUD_LIMITS_OPENING_TIME": "0",
         "MENUD_EVENTS_SUBSCRIPTIONS": "10000",
         "MENUD_SERVER_MAXIMUM_UNSENT_BYTES_PER_ADDRESS": str(256 * MIB)}, program=options.program)
    port = program.port()
    health = Health(program.event("listening").get("healthPort"))
    prepare(port, options.state)
    requests = Requests(Connection(port).ask("GET", "/openapi.json").json, options.seed)
    live, failed = resident(program), False
    print(f"{len(requests.routes)} routes, {options.state / 1e6:.1f} MB of state\n\n| round | live, MB | at most, MB "
          "| when all are gone, MB | health at most, ms |\n|---|--:|--:|--:|--:|")
    for number in range(options.rounds):
        part = Round(program, port, requests, options)
        part.run()
        part.hang_up()
        time.sleep(options.wait)
        rest = resident(program)
        print(f"| {number + 1} | {live / 1e6:.0f} | {part.peak / 1e6:.0f} | {rest / 1e6:.0f} "
              f"| {1000 * health.longest:.0f} |", flush=True)
        failed |= part.peak > live + PEAK or rest > live + REST
        if program.process.poll() is not None:
            sys.exit(f"menud ended with {program.process.poll()}: {program.text}")
    most = sorted(part.grown.items(), key=lambda item: -item[1])[:5]
    print("\nmost in the last round: " + ", ".join(f"{name} {size / 1e6:.0f} MB" for name, size in most))
    health.end()
    code = program.stop()
    print(f"health was not answered {health.missing} times; exit code of menud: {code}")
    sys.exit(1 if code or (failed or health.missing) and not options.is_sanitized else 0)


if __name__ == "__main__":
    main()
