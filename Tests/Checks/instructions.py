#!/usr/bin/env python3
"""Counts the instructions of menud for one request of each kind, and its allocations and retains, by callgrind.

    Tests/Checks/instructions.py [--requests 100] [--only TEXT] [--annotate FOLDER] [--times] [PROGRAM]

One connection sends each request that many times once it is warm. Fails when an opening with twice as many rules that
nobody else has, or twice as long a chain, takes more than `MOST` times the instructions. With --annotate, callgrind's
files of the kinds stay in a folder; `callgrind_annotate --inclusive=yes FILE | swift demangle` reads them. With
--times, it measures milliseconds instead, without callgrind: until the client has the answer, and of the processor.
"""

import argparse
import contextlib
import glob
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time

from program import BUILT, ROOT, Program, processor_time

CONFIGURATION = os.path.join("Benchmarks", "hundred-commands", "menud.json")
COUNTED = {"malloc": ("malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"),
           "retain": ("swift_retain", "swift_retain_n", "swift_bridgeObjectRetain"),
           "allocObject": ("swift_allocObject",)}
OWN = """{"id":"own%d","state":{"photos":{"count":3,"selected":null}},"responders":{
"application":{"kind":"application"},"window":{"kind":"window","rootViewController":"root"},
"root":{"kind":"viewController","view":"rootView","handlers":{"copy:":{"perform":[]}}},
"rootView":{"kind":"view"},"groups":{"kind":"view","class":"Groups","superview":"rootView"}},
"firstResponder":"groups","keyWindow":"window"}"""
# One whose responders handle commands whose rules read its state, as in `make bench`.
HANDLING = """{"id":"handling%d","state":{"document":"%d",""" + ",".join(
    f'"group{group}":{{"count":{group % 3},"choice":0}}' for group in range(10)) + """},
"firstResponder":"list","keyWindow":"window","responders":{"application":{"kind":"application"},
"window":{"kind":"window","class":"Window","rootViewController":"browser"},
"browser":{"kind":"viewController","class":"Browser","view":"content"},
"content":{"kind":"view","class":"Content"},"list":{"kind":"view","class":"List","superview":"content"},
"place":{"kind":"view","class":"Place","superview":"list"}}}"""

# Under callgrind every request would be a long one, and be left to the thread for those. So no thread takes
# processor time.
CLOCK = """
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *time) {
  if (clock != CLOCK_THREAD_CPUTIME_ID) return (int)syscall(SYS_clock_gettime, clock, time);
  time->tv_sec = time->tv_nsec = 0;
  return 0;
}
"""


# A menu of items from data, and the rows that they are made of.
LISTED = {"identifier": "listed", "title": "Listed", "children": [
    {"forEach": "state.rows", "key": "item.id", "command": "command10:",
     "title": "state.prefix + item.title", "parameters": "{}"}]}
ROWS = {"prefix": "", "rows": [{"id": f"row{number}", "title": f"Row {number}"} for number in range(1000)]}

# Of openings that are large, so that few of them are sent; each pair has the same twice as often.
LARGE = 3
PAIRS = [("open, 2,000 rules", "open, 4,000 rules"), ("open, a chain of 2,000", "open, a chain of 4,000")]
MOST = 2.5


def rules_of(number, count):
    """A session with so many rules, which no other one has."""
    handlers = {f"a{n}:": {"validate": {"enabled": f"state.x{number}_{n} == {n}"}} for n in range(count)}
    return json.dumps({"id": f"rules{count}_{number}", "template": False, "firstResponder": "v",
                       "responders": {"v": {"kind": "view", "handlers": handlers}}})


def chain_of(number, count):
    """A session whose responders are each the next one of the one before."""
    chain = {f"r{n}": {"kind": "view", "next": f"r{n + 1}"} for n in range(count - 1)}
    return json.dumps({"id": f"chain{count}_{number}", "template": False, "firstResponder": "r0",
                       "responders": chain | {f"r{count - 1}": {"kind": "view"}}})


class Client:
    """One connection that is kept alive, and adds little to what is measured."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, method, path, body=None, status=200, fields=()):
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *fields]
        if body is not None:
            merge = "merge-patch+" if method == "PATCH" and body[0] == "{" else ""
            kind = "json-patch+json" if method == "PATCH" and not merge else f"{merge}json"
            lines += [f"Content-Type: application/{kind}", f"Content-Length: {len(body)}"]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n" + (body or "")).encode())
        head, text = b"", b""
        while b"\r\n\r\n" not in head:
            head += self.socket.recv(1 << 16)
        head, text = head.split(b"\r\n\r\n", 1)
        assert f" {status} ".encode() in head, (head, text)
        length = re.search(rb"(?i)content-length: (\d+)", head)
        size = int(length[1]) if length and status != 304 else 0
        while len(text) < size:
            text += self.socket.recv(1 << 16)
        return head.decode()


def kinds(client, count):
    """What is sent: the name, and a function of the number of the request, of which there are `count`."""
    client.ask("POST", "/sessions", '{"id":"still"}', 201)
    client.ask("POST", "/sessions", '{"id":"changing"}', 201)
    tag = re.search("(?i)etag: (.*)", client.ask("GET", "/sessions/still/menu"))[1].strip()
    state = "/sessions/changing/state"

    def validate(session="still", more=""):
        client.ask("POST", "/commands/validate", f'{{"session":"{session}"{more}}}')

    def patch(number):
        client.ask("PATCH", state, f'{{"group1":{{"choice":{number % 2 + 1}}}}}')

    def patch_and_validate(number):
        patch(number)
        validate("changing")

    def patch_and_menu(number):
        patch(number)
        client.ask("GET", "/sessions/changing/menu")

    def perform(session, number):
        client.ask("POST", "/commands/perform", f'{{"session":"{session}","command":"command{number % 2 + 10}:"}}')

    def perform_deep(number):
        if number == 0:
            client.ask("POST", "/sessions", '{"id":"deep"}', 201)
            for earlier in range(1100):
                perform("deep", earlier)
        perform("deep", number)

    def first(number):
        if number == 0:
            for own in range(count):
                client.ask("POST", "/sessions", HANDLING % (own, own), 201)
        validate(f"handling{number}")

    def assuming(lists):
        commands = ",".join(f'"command{number}:"' for number in range(10, 20))
        assumed = ",".join(
            f'[{{"op":"patchState","patch":[{{"op":"replace","path":"/group1/choice","value":{n}}}]}}]'
            for n in range(lists))
        validate(more=f',"commands":[{commands}],"assuming":[{assumed}]')

    def listed(number, patch):
        # The last kinds, so that the others do not have the menu.
        if not lists:
            lists.append(client.ask("POST", "/menus/edits", json.dumps(
                {"edits": [{"op": "insertChild", "atEndOfMenu": "root", "menu": LISTED}]})))
            client.ask("POST", "/sessions", '{"id":"listed"}', 201)
            client.ask("PATCH", "/sessions/listed/state", json.dumps(ROWS))
        client.ask("PATCH", "/sessions/listed/state", patch)
        client.ask("GET", "/sessions/listed/menu?menu=listed")

    lists = []
    return {
        "GET /health": lambda _: client.ask("GET", "/health"),
        "304": lambda _: client.ask(
            "GET", "/sessions/still/menu", status=304, fields=[f"If-None-Match: {tag}"]),
        "validate, nothing changed": lambda _: validate(),
        "PATCH state (merge patch)": patch,
        "PATCH state (JSON Patch)": lambda n: client.ask(
            "PATCH", state, f'[{{"op":"replace","path":"/group1/choice","value":{n % 2 + 1}}}]'),
        "PATCH and validate": patch_and_validate,
        "PATCH and menu": patch_and_menu,
        "perform": lambda n: perform("changing", n),
        "perform, 1,024 groups to undo": perform_deep,
        "open, from the template": lambda n: client.ask(
            "POST", "/sessions", f'{{"id":"brief{n}"}}', 201),
        "open, of its own": lambda n: client.ask("POST", "/sessions", OWN % n, 201),
        "first validation of its own": first,
        "keys now": lambda _: client.ask("GET", "/sessions/still/keys"),
        "assuming 1": lambda _: assuming(1),
        "assuming 256": lambda _: assuming(256),
    } | {
        name: lambda n, make=make, size=size: client.ask("POST", "/sessions", make(n, size), 201)
        for make, names, sizes in [(rules_of, PAIRS[0], (2000, 4000)), (chain_of, PAIRS[1], (2000, 4000))]
        for name, size in zip(names, sizes)
    } | {
        "1,000 items, another value": lambda n: listed(
            n, f'{{"group1":{{"choice":{n % 2 + 1}}}}}'),
        "1,000 items, one inserted": lambda n: listed(
            n, f'[{{"op":"remove","path":"/rows/0"}},{{"op":"add","path":"/rows/500","value":{{"id":"new{n}","title":"New"}}}}]'),
        "1,000 items, all renamed": lambda n: listed(n, f'{{"prefix":"{n} "}}'),
    }


def control(*arguments):
    subprocess.run(["callgrind_control", *arguments], check=True, capture_output=True, timeout=60)


def figures(file):
    """The instructions of a callgrind file, and how often the functions that are counted were called."""
    names, calls, total = {}, dict.fromkeys(COUNTED, 0), 0
    callee = None
    for line in open(file):
        if found := re.match(r"c?fn=\((\d+)\)(?: (.*))?", line):
            if found[2]:
                names[found[1]] = found[2]
            callee = names[found[1]]
        elif found := re.match(r"calls=(\d+)", line):
            for name, functions in COUNTED.items():
                if callee in functions:
                    calls[name] += int(found[1])
        elif found := re.match(r"(?:summary|totals): (\d+)", line):
            total = int(found[1])
    return total, calls


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=100)
    parser.add_argument("--only", default="", help="the kinds whose names contain this")
    parser.add_argument("--annotate", metavar="FOLDER", help="keep callgrind's files there")
    parser.add_argument("--times", action="store_true", help="milliseconds instead of instructions")
    parser.add_argument("program", nargs="?", default=BUILT)
    options = parser.parse_args()
    if options.times:
        program = Program(["--config", os.path.join(ROOT, CONFIGURATION)], program=options.program)
        try:
            return time_all(program, options)
        finally:
            program.stop()
    with tempfile.TemporaryDirectory() as temporary:
        with counted(options.program, os.path.abspath(options.annotate or temporary)) as (program, base):
            is_linear = measure(program, options, base)
    sys.exit(0 if is_linear else 1)


@contextlib.contextmanager
def counted(program, folder, arguments=(), options=()):
    """Runs a program under callgrind: the program, and how the names of callgrind's files in the folder begin."""
    os.makedirs(folder, exist_ok=True)
    base = os.path.join(folder, "out")
    with tempfile.TemporaryDirectory() as temporary:
        stripped, clock = os.path.join(temporary, "menud"), os.path.join(temporary, "clock.so")
        # Valgrind cannot read the debugging information of Swift.
        subprocess.run(["strip", "--strip-debug", "-o", stripped, program], check=True)
        subprocess.run(["clang", "-x", "c", "-shared", "-fPIC", "-O2", "-o", clock, "-"],
                       input=CLOCK.encode(), check=True)
        # Otherwise dictionaries differ from run to run.
        running = Program(
            ["--config", os.path.join(ROOT, CONFIGURATION), *arguments],
            environment={"SWIFT_DETERMINISTIC_HASHING": "1", "LD_PRELOAD": clock}, program=stripped,
            prefix=["valgrind", "--tool=callgrind", f"--callgrind-out-file={base}", *options])
        try:
            yield running, base
        finally:
            running.stop()


def warmed(client, options):
    """The kinds that are measured, each warm: the name, the function that sends a request, and their numbers."""
    for name, send in kinds(client, 20 + options.requests).items():
        if options.only not in name:
            continue
        warm, count = (1, LARGE) if any(name in pair for pair in PAIRS) else (20, options.requests)
        for number in range(warm):
            send(number)
        yield name, send, range(warm, warm + count)


def time_all(program, options):
    client, pid = Client(program.port()), program.process.pid
    print(f"{'for one request, ms':28}{'median':>10}{'least':>10}{'processor':>10}")
    for name, send, numbers in warmed(client, options):
        times, before = [], processor_time(pid)
        for number in numbers:
            start = time.perf_counter()
            send(number)
            times.append(1000 * (time.perf_counter() - start))
        spent = 1000 * (processor_time(pid) - before) / len(numbers)
        print(f"{name:28}{statistics.median(times):10.3f}{min(times):10.3f}{spent:10.3f}", flush=True)


def measure(program, options, base):
    client = Client(program.port(180))
    process, totals = str(program.process.pid), {}
    print(f"{'for one request':28}{'instructions':>14}" + "".join(f"{n:>13}" for n in COUNTED))
    for name, send, numbers in warmed(client, options):
        control("--zero", process)
        for number in numbers:
            send(number)
        control("--dump", process)
        dump = max(glob.glob(base + ".*"), key=lambda file: int(file.rsplit(".", 1)[1]))
        (total, calls), count = figures(dump), len(numbers)
        kept = f"{base}-{re.sub('[^a-zA-Z0-9]+', '-', name)}"
        os.rename(dump, kept)
        totals[name] = total / count
        print(f"{name:28}{total / count:14,.0f}"
              + "".join(f"{calls[n] / count:13.1f}" for n in COUNTED), flush=True)
    ratios = {twice: totals[twice] / totals[once] for once, twice in PAIRS if twice in totals}
    for name, ratio in ratios.items():
        print(f"{name}: {ratio:.2f} times the instructions of half of it")
    return max(ratios.values(), default=0) <= MOST


if __name__ == "__main__":
    main()
