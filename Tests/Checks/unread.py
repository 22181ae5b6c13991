#!/usr/bin/env python3
"""Measures menud's memory before, beside and after clients that ask for a large answer and do not read it, that
send large bodies without their ends, that follow events and read none, and that open, ask and close sessions.

Fails when more than a quarter of what was live remains afterwards, or when the budgets of unsent and received
bytes do not hold.
"""

import argparse
import json
import os
import random
import resource
import socket
import sys
import tempfile
import time

from program import BUILT, Connection, Program, patiently

MIB = 1 << 20
REVISION = "a revision each"
POST = "a POST each"
# Of a validation with a long answer; a title is 64 KiB at most.
TITLES = 20
SESSIONS = 40
BODY = "a body without an end each"
STREAM = "a stream each, of a revision each"
KINDS = ["one revision", REVISION, POST, BODY, STREAM]


def resident(program):
    """The resident memory of the program, in bytes."""
    with open(f"/proc/{program.process.pid}/statm") as figures:
        return int(figures.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def unread(port, method, path, body=b"", source="127.0.0.1"):
    """A connection that has asked, and takes as little of the answer as the system allows."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.bind((source, 0))
    client.connect(("127.0.0.1", port))
    head = (f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n")
    try:
        client.sendall(head.encode() + body)
    except ConnectionError:
        pass  # It was refused before it was read.
    return client


def change(connection, number):
    """Makes the next answer differ from those before."""
    connection.ask("PATCH", "/sessions/large/state", {"number": number},
                   {"Content-Type": "application/merge-patch+json"})


def peak(program, seconds):
    """The most resident memory within some seconds."""
    end, most = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        most = max(most, resident(program))
        time.sleep(0.01)
    return most


def titled(number):
    """The name of a command whose title is long."""
    return f"titled{number}:"


def open_titles(connection, size):
    """Opens sessions in which a validation of `TITLES` commands is an answer of that size.

    They are many, since the time that a session's long requests take is bounded too.
    """
    for number in range(2 * TITLES):
        patiently(connection, "PUT", f"/commands/{titled(number)}",
                  {"title": "Title", "action": titled(number)})
    handlers = {titled(n): {"validate": {"title": "state.title"}} for n in range(2 * TITLES)}
    for number in range(SESSIONS):
        answer = patiently(connection, "POST", "/sessions", {
            "id": f"titles{number}", "template": False, "state": {"title": "x" * (size // TITLES)},
            "responders": {"v": {"kind": "view", "handlers": handlers}}, "firstResponder": "v"})
        assert answer.status == 201, answer.body
        # What menud keeps of validations is there from now on.
        for _ in range(3):
            answer = patiently(connection, "POST", "/commands/validate", validation(number))
        assert answer.status == 200 and len(answer.body) > size, answer.body[:300]


def validation(number):
    """A body whose answer hardly any other has."""
    commands = random.Random(number).sample(range(2 * TITLES), TITLES)
    return {"session": f"titles{number % SESSIONS}", "commands": [titled(n) for n in commands]}


def unread_validation(port, number, source="127.0.0.1"):
    """A connection that has asked for a validation with a long answer, and does not read it."""
    body = json.dumps(validation(number)).encode()
    return unread(port, "POST", "/commands/validate", body, source)


def ask(connection, port, kind, number):
    """A reader of the session, of a revision of its own, or of a validation of its own."""
    if kind == BODY:
        return unfinished(port, MIB)
    if kind == POST:
        return unread_validation(port, number)
    if kind in (REVISION, STREAM):
        change(connection, number)
    if kind == STREAM:
        return unread(port, "GET", "/sessions/large/events?document=true")
    return unread(port, "GET", "/sessions/large")


def unfinished(port, size):
    """A connection that has sent a body but for its end."""
    client = socket.create_connection(("127.0.0.1", port))
    client.settimeout(10)
    try:
        client.sendall(b"POST /sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                       b"Content-Length: %d\r\n\r\n" % size + b" " * (size - 1))
    except OSError:
        pass  # It was refused.
    return client


def close_sessions(program, port, count):
    """Opens sessions, asks each once and closes it; answers the memory afterwards."""
    connection = Connection(port)
    for number in range(count):
        name = f"closed{number}"
        answer = connection.ask("POST", "/sessions", {"id": name})
        assert answer.status == 201, answer.body
        connection.ask("POST", "/commands/validate", {"session": name})
        connection.ask("DELETE", f"/sessions/{name}")
    return resident(program)


def round_of(program, port, options, kind):
    """Asks, waits, hangs up and waits again; answers the memory beside the readers and afterwards."""
    connection = Connection(port)
    readers = [ask(connection, port, kind, n) for n in range(options.readers)]
    during = peak(program, 2)
    for reader in readers:
        reader.close()
    time.sleep(options.wait)
    return during, resident(program)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--readers", type=int, default=800)
    parser.add_argument("--size", type=int, default=MIB, help="bytes of the state")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sessions", type=int, default=20_000, help="that are opened, asked and closed")
    parser.add_argument("--wait", type=float, default=2, help="seconds after the readers are gone")
    options = parser.parse_args()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    folder = tempfile.TemporaryDirectory(prefix="menud-unread-")
    # The memory for answers is full from the beginning, so that it is no part of the memory that remains.
    program = Program(["--config", "Config/menud.json", "--journal-path", f"{folder.name}/menud.db"],
                      environment={"MENUD_LIMITS_MEMORY": str(16 * MIB)}, program=options.program)
    port = program.port()
    connection = Connection(port)
    connection.ask("POST", "/sessions", {"id": "large", "template": False, "state": {"number": 0}})
    for part in range(8):
        connection.ask("PATCH", "/sessions/large/state",
                       {f"text{part}": "x" * (options.size // 8)},
                       {"Content-Type": "application/merge-patch+json"})
    assert len(connection.ask("GET", "/sessions/large").body) > options.size
    open_titles(connection, options.size)
    live = resident(program)
    failed = False
    print("| readers of | live, MB | beside them at most, MB | when they are gone, MB |")
    print("|---|--:|--:|--:|")
    for kind in KINDS * options.rounds:
        during, after = round_of(program, port, options, kind)
        print(f"| {kind} | {live / 1e6:.0f} | {during / 1e6:.0f} | {after / 1e6:.0f} |", flush=True)
        failed |= after > live * 1.25 + 8e6 or during > live + 400e6
    close_sessions(program, port, options.sessions // 10)
    before = resident(program)
    after = close_sessions(program, port, options.sessions)
    print(f"| {options.sessions} sessions, closed | {before / 1e6:.0f} | | {after / 1e6:.0f} |", flush=True)
    failed |= after > before + 16e6
    code = program.stop()
    print(f"\n{options.readers} readers; exit code of menud: {code}")
    sys.exit(1 if code or failed else 0)


if __name__ == "__main__":
    main()
