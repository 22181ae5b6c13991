#!/usr/bin/env python3
"""Measures over HTTP what durability costs, and how long a recovery takes.

Rounds are interleaved: in each, every kind of journal is measured, so that a busy machine burdens all
alike; the table has medians. Files lie in the folder that is given, which should be on the disk that
is meant.
"""

import argparse
import json
import os
import re
import socket
import statistics
import subprocess
import tempfile

from program import BUILT, Connection, Program, processor_time

KINDS = ["memory", "off", "normal", "full"]
SESSIONS = 64
# Each thread of wrk has a session of its own, or all connections of one spread over all sessions.
SCRIPT = """
local number = 0
local patch = '[{"op":"replace","path":"/zoom","value":100}]'
local question = '{"session":"s%d","menu":"edit"}'
function change()
  return wrk.format("PATCH", "/sessions/s" .. number % SESSIONS .. "/state",
    {["Content-Type"] = "application/json-patch+json"}, patch)
end
function validate()
  return wrk.format("POST", "/commands/validate", {["Content-Type"] = "application/json"},
    question:format(number % SESSIONS))
end
function request()
  number = number + 1
  REQUEST
end
function response(status) if status ~= 200 then print("status " .. status) end end
""".replace("SESSIONS", str(SESSIONS))
LOADS = {
    "mutations/s, 1 at a time": (1, "return change()"),
    "mutations/s, 64 at once": (64, "return change()"),
    "validations/s": (64, "return validate()"),
    "half and half/s": (64, "if number % 2 == 0 then return change() else return validate() end"),
}


def serve(kind, folder, program, every=50):
    arguments = ["--application", "Config/photo-app", "--journal-path", f"{folder}/menud.db"]
    arguments += (["--journal-store", "memory"] if kind == "memory"
                  else ["--journal-durability", kind])
    return Program(arguments, {"MENUD_JOURNAL_SNAPSHOT_EVERY": str(every)}, program)


def open_sessions(port, number=SESSIONS):
    connection = Connection(port)
    for index in range(number):
        answer = connection.ask("POST", "/sessions", {"id": f"s{index}"})
        assert answer.status == 201, answer.body
        answer = connection.ask("PATCH", f"/sessions/s{index}/state",
                                [{"op": "add", "path": "/zoom", "value": 0}])
        assert answer.status == 200, answer.body
    connection.close()


def cpu(server):
    """Seconds of the processor that all its threads took."""
    return processor_time(server.process.pid)


def wrk(server, port, connections, request, seconds):
    """Answers requests in a second, and microseconds of the server's processor for each."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(SCRIPT.replace("REQUEST", request))
        script.flush()
        before = cpu(server)
        output = subprocess.run(
            ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", script.name,
             f"http://127.0.0.1:{port}"], capture_output=True, text=True, check=True).stdout
        used = cpu(server) - before
    assert "status" not in output and "Non-2xx" not in output, output
    requests = int(re.search(r"(\d+) requests in", output).group(1))
    return float(re.search(r"Requests/sec: +([\d.]+)", output).group(1)), 1e6 * used / requests


def durability(options):
    found = {}
    for _ in range(options.rounds):
        for kind in KINDS:
            with tempfile.TemporaryDirectory(prefix="menud-figures-", dir=options.folder) as folder:
                server = serve(kind, folder, options.program)
                port = server.port()
                open_sessions(port)
                for load, (connections, request) in LOADS.items():
                    found.setdefault((load, kind), []).append(
                        wrk(server, port, connections, request, options.seconds))
                server.kill()
    print(f"| | {' | '.join(KINDS)} |\n|---{'|--:' * len(KINDS)}|")
    for load in LOADS:
        print(f"| {load} | " + " | ".join(
            f"{statistics.median(rate for rate, _ in found[load, kind]):,.0f} "
            f"({statistics.median(cost for _, cost in found[load, kind]):.0f} µs)"
            for kind in KINDS) + " |")
    print("\nIn brackets: processor time of menud for each.")


def fill(port, changes, sessions):
    """Makes so many changes, a hundred sent at a time on one connection."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.settimeout(120)
        done = 0
        while done < changes:
            count = min(100, changes - done)
            connection.sendall(b"".join(request(done + i, sessions) for i in range(count)))
            receive(connection, count)
            done += count


def request(number, sessions):
    body = json.dumps([{"op": "replace", "path": "/zoom", "value": number}]).encode()
    return (b"PATCH /sessions/s%d/state HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
            b"application/json-patch+json\r\nContent-Length: %d\r\n\r\n%s"
            % (number % sessions, len(body), body))


def receive(connection, count):
    bytes = b""
    while bytes.count(b"HTTP/1.1 200 ") < count or not bytes.endswith(b"]}"):
        part = connection.recv(1 << 20)
        assert part and b"HTTP/1.1 4" not in part and b"HTTP/1.1 5" not in part, part[:500]
        bytes += part


def recovery(options):
    print("\n| changes | states every | sessions | file, MB | records done again "
          "| recovery, ms | until it listens, ms |")
    print("|--:|--:|--:|--:|--:|--:|--:|")
    for changes in options.sizes:
        for every in [50, 1_000_000]:
            with tempfile.TemporaryDirectory(prefix="menud-figures-", dir=options.folder) as folder:
                recover(changes, every, folder, options)


def recover(changes, every, folder, options, sessions=10):
    server = serve("off", folder, options.program, every)
    port = server.port()
    open_sessions(port, sessions)
    fill(port, changes, sessions)
    server.kill()
    size = sum(os.path.getsize(f"{folder}/{name}") for name in os.listdir(folder))
    times, starts = [], []
    for _ in range(3):
        server = serve("off", folder, options.program, every)
        port = server.port()
        event = server.event("recovered")
        times.append(int(event["milliseconds"]))
        starts.append(server.listening_after * 1000)
        answer = Connection(port).ask("GET", f"/sessions/s{(changes - 1) % sessions}")
        assert answer.json["state"]["zoom"] == changes - 1, answer.body
        server.kill()
    print(f"| {changes:,} | {every:,} | {sessions} | {size / 1e6:.1f} | {event['replayed']} "
          f"| {statistics.median(times)} | {statistics.median(starts):.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=3, help="of each measurement")
    parser.add_argument("--folder", default=".", help="where journals lie")
    parser.add_argument("--sizes", type=int, nargs="*", default=[1000, 10_000, 100_000])
    options = parser.parse_args()
    durability(options)
    recovery(options)
    print(f"\nload of the machine: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
