#!/usr/bin/env python3
"""Measures over HTTP what more threads bring, when all requests are about one session and when they are about many.

It shows what requests wait for: a question for the plan of its session, a change for the turn of its session, and
all of them for the store's lock; with a journal, changes wait for the journal's thread too. Rounds are interleaved;
the table has medians.
"""

import argparse
import os
import re
import statistics
import subprocess
import tempfile

from figures import cpu, open_sessions
from program import BUILT, Program

SESSIONS = 64
SCRIPT = """
local number = 0
local patch = '[{"op":"replace","path":"/zoom","value":%d}]'
local question = '{"session":"s%d","menu":"edit"}'
function change(session)
  return wrk.format("PATCH", "/sessions/s" .. session .. "/state",
    {["Content-Type"] = "application/json-patch+json"}, patch:format(number))
end
function validate(session)
  return wrk.format("POST", "/commands/validate", {["Content-Type"] = "application/json"},
    question:format(session))
end
function request()
  number = number + 1
  local session = number % SESSIONS
  REQUEST
end
function response(status) if status ~= 200 then print("status " .. status) end end
"""
LOADS = {
    "validations": "return validate(session)",
    "changes": "return change(session)",
    "half and half": "if number % 2 == 0 then return change(0) else return validate(session) end",
}
JOURNALS = {"": ["--journal-store", "memory"], ", journal": ["--journal-durability", "normal"]}


def measure(server, port, sessions, request, options):
    """Answers requests in a second, microseconds of processor time for each, and the 99th percentile in ms."""
    script = SCRIPT.replace("SESSIONS", str(sessions)).replace("REQUEST", request)
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        file.write(script)
        file.flush()
        before = cpu(server)
        output = subprocess.run(
            ["wrk", "-t1", f"-c{options.connections}", f"-d{options.seconds}s", "--latency", "-s",
             file.name, f"http://127.0.0.1:{port}"], capture_output=True, text=True, check=True).stdout
        used = cpu(server) - before
    assert "status" not in output and "Non-2xx" not in output, output
    requests = int(re.search(r"(\d+) requests in", output).group(1))
    value, unit = re.search(r"99% +([\d.]+)(us|ms|s)", output).groups()
    return (float(re.search(r"Requests/sec: +([\d.]+)", output).group(1)), 1e6 * used / requests,
            float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", default="/dev/shm", help="where journals are written")
    options = parser.parse_args()
    found = {}
    for _ in range(options.rounds):
        for suffix, journal in JOURNALS.items():
            for threads in options.threads:
                with tempfile.TemporaryDirectory(prefix="menud-threads-", dir=options.folder) as folder:
                    server = Program(
                        ["--application", "Config/photo-app", "--threads", str(threads),
                         "--journal-path", f"{folder}/menud.db", *journal], program=options.program)
                    port = server.port()
                    open_sessions(port, SESSIONS)
                    for load, request in LOADS.items():
                        for sessions in [1, SESSIONS]:
                            name = f"{load}, {sessions} session{'s' * (sessions > 1)}{suffix}"
                            found.setdefault(name, {}).setdefault(threads, []).append(
                                measure(server, port, sessions, request, options))
                    server.kill()
    print(f"On {os.cpu_count()} processors, one of which the client takes.\n")
    print("| requests/s (processor time, 99th percentile) | "
          + " | ".join(f"{threads} thread{'s' * (threads > 1)}" for threads in options.threads)
          + f" |\n|---{'|--:' * len(options.threads)}|")
    for name, results in found.items():
        print(f"| {name} | " + " | ".join(
            "{:,.0f} ({:.0f} µs, {:.1f} ms)".format(
                *(statistics.median(values) for values in zip(*results[threads])))
            for threads in options.threads) + " |")


if __name__ == "__main__":
    main()
