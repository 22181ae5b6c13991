#!/usr/bin/env python3
"""Measures a client that validates, alone and beside each of slowhttptest's four attacks.

Rounds are interleaved: in each, the client is measured alone and beside every attack, so that a busy
machine burdens all alike.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time

from program import BUILT, Connection, Program

# The answer to a slow reader has to be larger than what the kernel takes off the server's hands.
ATTACKS = {
    "slow headers": ["-H", "-i", "2"],
    "slow body": ["-B", "-i", "2", "-s", "8192", "-t", "POST", "-f", "application/json"],
    "slow read": ["-X", "-w", "10", "-y", "20", "-n", "5", "-z", "32", "-k", "3"],
    "range": ["-R", "-t", "GET", "-a", "10", "-b", "3000"],
}
PATHS = {"slow body": "/commands/validate", "slow read": "/openapi.json", "range": "/openapi.json"}


def attack(name, port, options):
    """Starts slowhttptest; None is no attack."""
    if name is None:
        return None
    url = f"http://127.0.0.1:{port}{PATHS.get(name, '/commands')}"
    return subprocess.Popen(
        ["slowhttptest", *ATTACKS[name], "-c", str(options.connections), "-r", "500",
         "-l", str(options.seconds + 3), "-u", url, "-p", "5", "-v", "1"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)


def connections(port):
    """How many sockets the server holds: established ones on its port."""
    suffix = f":{port:04X}"
    with open("/proc/net/tcp") as lines:
        rows = [line.split() for line in lines][1:]
    return sum(row[1].endswith(suffix) and row[3] == "01" for row in rows)


def validate(connection, seconds, pause):
    """Validates one after another; answers the seconds that each took, and how many failed."""
    times, failures = [], 0
    body = b'{"session":"demo","menu":"edit"}'
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        begun = time.perf_counter()
        answer = connection.ask("POST", "/commands/validate", body)
        times.append(time.perf_counter() - begun)
        failures += answer.status != 200
        time.sleep(pause)
    return times, failures


def round_of(server, port, options, found):
    for name in [None, *ATTACKS]:
        attacker = attack(name, port, options)
        # Not until its connections are there.
        if attacker:
            time.sleep(2)
        held = connections(port)
        times, failures = validate(Connection(port), options.seconds, options.pause)
        row = found.setdefault(name, {"times": [], "failures": 0, "held": 0})
        row["times"] += times
        row["failures"] += failures
        row["held"] = max(row["held"], held, connections(port))
        if attacker:
            attacker.terminate()
            attacker.wait()
        if server.process.poll() is not None:
            sys.exit(f"menud ended with {server.process.poll()}: {server.text}")


def table(found):
    print("| beside | connections held at most | validations | failed | p50, ms | p99, ms | most, ms |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name, row in found.items():
        times = sorted(row["times"])
        at = lambda part: 1000 * times[min(len(times) - 1, int(part * len(times)))]
        print(f"| {name or 'nothing'} | {row['held']} | {len(times)} | {row['failures']} "
              f"| {at(0.5):.2f} | {at(0.99):.2f} | {at(1):.1f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--connections", type=int, default=400, help="of each attack")
    parser.add_argument("--seconds", type=int, default=8, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pause", type=float, default=0.002, help="seconds between validations")
    options = parser.parse_args()
    folder = tempfile.TemporaryDirectory(prefix="menud-slow-")
    server = Program(["--config", "Config/menud.json", "--journal-path", f"{folder.name}/menud.db"],
                     program=options.program)
    port = server.port()
    found = {}
    for _ in range(options.rounds):
        round_of(server, port, options, found)
    code = server.stop()
    table(found)
    print(f"\nload of the machine: {os.getloadavg()[0]:.1f}; exit code of menud: {code}")
    sys.exit(1 if code or any(row["failures"] for row in found.values()) else 0)


if __name__ == "__main__":
    main()
