#!/usr/bin/env python3
"""Counts the files of menud that a request passes: those with a function that it calls, by callgrind.

    Tests/Checks/journeys.py [--files TEXT] [PROGRAM]

The program must be a debug build, in which nothing is inlined: .build/debug/menud by default. Each kind of request is
sent several times. A file counts if every one of them calls a function of it, in a thread that does more than it does
without requests. `Kit` is the number of these files that know no menus. --files lists them.
"""

import argparse
import glob
import itertools
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time

from agent_client import Agent
from instructions import Client, control, counted
from program import ROOT

TIMES = 6
BUILT = os.path.join(ROOT, ".build", "debug", "menud")


def places(program):
    """The source files of the functions of a program, by their symbols."""
    lines = subprocess.run(["nm", program], check=True, capture_output=True, text=True).stdout.splitlines()
    symbols = [line.split() for line in lines if re.search(r" [tTwW] \$s", line)]
    asked = "".join(f"0x{address}\n" for address, _, _ in symbols)
    told = subprocess.run(["llvm-symbolizer", f"--obj={program}", "--functions=none", "--no-inlines"], input=asked,
                          check=True, capture_output=True, text=True).stdout.split("\n\n")
    found = {}
    for (_, _, symbol), place in zip(symbols, told):
        if source := re.match(rf"{re.escape(ROOT)}/(Sources/[^:]*\.swift)", place.strip()):
            found[symbol] = source[1]
    return found


def passed(process, base, sources, send):
    """The source files of the functions that each thread calls while a function runs."""
    control("--zero", process)
    send()
    control("--dump", process)
    dumps = [file.rsplit(".", 1)[1].split("-") for file in glob.glob(base + ".*-*")]
    last = max(int(number) for number, _ in dumps)
    found = {}
    for thread in [thread for number, thread in dumps if int(number) == last]:
        with open(f"{base}.{last}-{thread}") as file:
            symbols = re.findall(r"^c?fn=\(\d+\)(?: (\S+))?", file.read(), re.M)
        # Callgrind numbers what calls itself.
        names = {name.split("'")[0] for name in symbols}
        found[thread] = {sources[name] for name in names if name in sources}
    return found


def kinds(port):
    """What is sent: the name, and the function that sends it."""
    client = Client(port)
    client.ask("POST", "/sessions", '{"id":"one"}', 201)
    client.ask("POST", "/sessions", '{"id":"followed"}', 201)
    events = socket.create_connection(("127.0.0.1", port))
    events.sendall(b"GET /sessions/followed/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    agent = Agent(port, "2025-11-25", "/sessions/one/mcp")
    tool = agent.ask("tools/list", {}).result["tools"][0]["name"]
    numbers = itertools.count()
    choice = lambda: json.dumps({"group1": {"choice": next(numbers) % 2 + 1}})

    def await_event(kind):
        received = b""
        while b"event: " + kind not in received:
            piece = events.recv(1 << 20)
            assert piece, "the stream of events ended"
            received += piece

    await_event(b"reset")

    def told():
        client.ask("PATCH", "/sessions/followed/state", choice())
        await_event(b"change")

    def ask(path, body, fields=()):
        client.ask("POST", path, body, fields=fields)

    validate = lambda: ask("/commands/validate", '{"session":"one"}')
    return {
        "validate, warm": (validate, validate),
        "validate after a change of state": (
            lambda: client.ask("PATCH", "/sessions/one/state", choice()), validate),
        "PATCH, journal and event": (told, told),
        "perform with a key": (lambda: None, lambda: ask(
            "/commands/perform", '{"session":"one","command":"command10:"}', [f'Idempotency-Key: "{next(numbers)}"'])),
        "an agent's tools/call": (lambda: None, lambda: agent.call(tool, {})),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", metavar="TEXT", help="name the files of the kinds whose names contain this")
    parser.add_argument("program", nargs="?", default=BUILT)
    options = parser.parse_args()
    sources = places(options.program)
    if not sources:
        sys.exit(f"journeys: '{options.program}' has no debugging information; 'swift build' makes one that has")
    with tempfile.TemporaryDirectory() as folder:
        journal = ["--journal-store", "sqlite", "--journal-path", os.path.join(folder, "menud.journal")]
        with counted(options.program, folder, journal, ["--separate-threads=yes"]) as (program, base):
            print_counts(program, options, base, sources)


def print_counts(program, options, base, sources):
    process = str(program.process.pid)
    print(f"{'files of one request':36}{'all':>6}{'Kit':>6}")
    senders, idle = kinds(program.port(600)), {}
    for _ in range(TIMES):
        for thread, files in passed(process, base, sources, lambda: time.sleep(0.5)).items():
            idle[thread] = idle.get(thread, set()) | files
    for name, (prepare, send) in senders.items():
        files = set(sources.values())
        for number in range(2 * TIMES):
            prepare()
            if number < TIMES:  # Until it is warm.
                send()
                continue
            time.sleep(0.3)  # For what other threads still do.
            threads = passed(process, base, sources, send).items()
            files &= set().union(*[more for thread, more in threads if more - idle.get(thread, set())])
        kit = [file for file in files if file.startswith("Sources/Kit/")]
        print(f"{name:36}{len(files):6}{len(kit):6}", flush=True)
        if options.files is not None and options.files in name:
            print("".join(f"  {file}\n" for file in sorted(files)), end="")


if __name__ == "__main__":
    main()
