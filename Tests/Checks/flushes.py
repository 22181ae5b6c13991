#!/usr/bin/env python3
"""Watches the system calls of menud, and checks that no answer is sent before what it shows is on disk.

Every change has a name of its own, which is in its record, in what is written into the journal, and
in each answer that shows it. In the order of the calls there must be, with durability `full`: the
write of the name, the end of a flush of that file begun after it, and only then an answer with the
name. A journal with durability `normal` is watched as well: there it must not be so, else this would
show nothing.
"""

import argparse
import collections
import os
import re
import shutil
import sys
import tempfile
import threading

from program import APPLICATION, BUILT, Connection, Program

WRITES = "pwrite64,pwritev,write"
FLUSHES = "fdatasync,fsync"
ANSWERS = "sendto,sendmsg,writev"
CALL = re.compile(r"^(\d+) +(?:(\w+)\((\d+)?|<\.\.\. (\w+) resumed>)(.*)$")
NAME = re.compile(r"change-\d+-\d+-")


def serve(durability, folder, program, clients, changes):
    """Runs clients that change a session and read it, under strace; answers the trace's path."""
    trace = f"{folder}/trace"
    server = Program(
        ["--application", APPLICATION, "--journal-path", f"{folder}/menud.db",
         "--journal-durability", durability], {}, program,
        ["strace", "-f", "-y", "-s", "1000000", "-o", trace, "-e",
         f"trace={WRITES},{FLUSHES},{ANSWERS}"])
    port = server.port()
    threads = [threading.Thread(target=change, args=(port, number, changes))
               for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # strace passes the signal on to nobody; the program is its child.
    os.kill(child(server.process.pid), 15)
    server.process.wait(timeout=60)
    return trace


def child(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as children:
        return int(children.read().split()[0])


def change(port, client, changes):
    connection = Connection(port)
    for number in range(changes):
        name = f"change-{client}-{number}-"
        body = [{"op": "add", "path": f"/{name}", "value": name}]
        answer = connection.ask("PATCH", "/sessions/demo/state", body)
        assert answer.status == 200, answer.body
        if number % 5 == 0:
            assert connection.ask("GET", "/sessions/demo").status == 200


class Order:
    """Which names are written, which are flushed, and which were sent too early."""

    def __init__(self):
        self.written = set()  # and not flushed by any flush that has begun since
        self.flushing = {}  # thread → what was written when its flush began
        self.flushed = set()
        self.flushes = 0
        self.names = collections.Counter()
        self.early = []

    def note(self, thread, call, is_resumed, rest):
        if call in FLUSHES.split(","):
            self.flush(thread, is_resumed, rest)
        elif is_resumed:
            return  # A write or an answer counts from where it begins.
        elif "menud.db" in rest.split(",", 1)[0]:
            self.written.update(NAME.findall(rest))
        elif "TCP" in rest.split(",", 1)[0] or "socket" in rest.split(",", 1)[0]:
            self.answer(rest)

    def flush(self, thread, is_resumed, rest):
        if not is_resumed:
            if "menud.db" not in rest.split(")", 1)[0].split("<unfinished", 1)[0]:
                return
            self.flushing[thread] = set(self.written)
        if "unfinished" not in rest and thread in self.flushing:
            self.flushed |= self.flushing.pop(thread)
            self.flushes += 1

    def answer(self, rest):
        for name in set(NAME.findall(rest)):
            self.names[name] += 1
            if name not in self.flushed:
                self.early.append(name)


def order(trace):
    order = Order()
    with open(trace, errors="replace") as lines:
        for line in lines:
            match = CALL.match(line)
            if match:
                thread, begun, descriptor, resumed, rest = match.groups()
                order.note(thread, begun or resumed, bool(resumed), rest)
    return order


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--changes", type=int, default=60, help="of each client")
    options = parser.parse_args()
    asked = options.clients * options.changes
    is_good = True
    print("| durability | changes | flushes | answers with a change | before its flush |")
    print("|---|--:|--:|--:|--:|")
    for durability in ["full", "normal"]:
        folder = tempfile.mkdtemp(prefix="menud-flushes-")
        found = order(serve(durability, folder, options.program, options.clients, options.changes))
        print(f"| {durability} | {len(found.names)} | {found.flushes} "
              f"| {sum(found.names.values())} | {len(found.early)} |", flush=True)
        is_good &= len(found.names) == asked and bool(found.early) == (durability == "normal")
        shutil.rmtree(folder)
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
