#!/usr/bin/env python3
"""Measures how much memory sessions take while they live, and after a restart.

Sessions are opened over HTTP, menud is stopped as an operator stops it and is started again from its
journal. Four kinds of sessions are measured: those that are opened as the catalogue's template says,
those that then change their state, those that bring a responder with rules of their own, equal in all
sessions, and those whose rules differ from session to session.
"""

import argparse
import os
import tempfile
import time

from figures import cpu
from program import BUILT, Connection, Program
from unread import resident

RULES = ["state.zoom > {0} && has(state.selectedImage)",
         "state.?a{0}.orValue(0) > 3 ? 'Zoom out' : 'Zoom'"]


def own(number):
    """A responder that answers an action by rules with a number in them."""
    return {"kind": "responder", "handlers": {"zoomTo:": {
        "validate": {"enabled": RULES[0].format(number), "title": RULES[1].format(number)},
        "perform": [{"op": "add", "path": "/zoom", "value": f"{number}"}]}}}


KINDS = {
    "as the template says": lambda connection, index: [],
    "with a change of the state": lambda connection, index: [
        ("PATCH", f"/sessions/q{index}/state", [{"op": "add", "path": "/zoom", "value": index}])],
    "with equal rules of their own": lambda connection, index: [
        ("PUT", f"/sessions/q{index}/responders/own", own(0))],
    "with rules that differ": lambda connection, index: [
        ("PUT", f"/sessions/q{index}/responders/own", own(index))],
}


def figures(server):
    """Resident memory in MB, and seconds of the processor."""
    return resident(server) / (1 << 20), cpu(server)


def recovered(server):
    """The event that tells of the recovery."""
    server.port()
    while not server.event("recovered"):
        time.sleep(0.005)
    return server.event("recovered")


def measure(kind, options, folder):
    arguments = ["--application", "Config/photo-app", "--journal-path", f"{folder}/menud.db",
                 "--journal-durability", "off"]
    environment = {"MENUD_LIMITS_SESSIONS": str(options.sessions + 1000)}
    server = Program(arguments, environment, options.program)
    connection = Connection(server.port())
    empty, _ = figures(server)
    for index in range(options.sessions):
        requests = [("POST", "/sessions", {"id": f"q{index}"}), *KINDS[kind](connection, index)]
        for method, path, body in requests:
            answer = connection.ask(method, path, body)
            assert answer.status in (200, 201), answer.body
    time.sleep(1)
    live, _ = figures(server)
    last = connection.ask("GET", f"/sessions/q{options.sessions - 1}").body
    started = time.monotonic()
    assert server.stop() == 0, server.text
    stopping = time.monotonic() - started
    size = os.path.getsize(f"{folder}/menud.db") / 1e6
    server = Program(arguments, environment, options.program)
    event = recovered(server)
    again, processor = figures(server)
    connection = Connection(server.port())
    while connection.ask("GET", "/health/ready").status != 200:
        time.sleep(0.01)
    assert connection.ask("GET", f"/sessions/q{options.sessions - 1}").body == last
    server.kill()
    print(f"| {kind} | {empty:.0f} | {live:.0f} | {again:.0f} | {again / live:.2f} "
          f"| {event['milliseconds']} | {processor:.2f} | {stopping:.2f} | {size:.1f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--sessions", type=int, default=9990)
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=list(KINDS))
    options = parser.parse_args()
    print(f"{options.sessions:,} sessions of the photo application\n")
    print("| sessions | empty, MB | live, MB | after a restart, MB | ratio | recovery, ms "
          "| processor, s | stop, s | journal, MB |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for kind in options.kinds:
        with tempfile.TemporaryDirectory(prefix="menud-restart-", dir=".") as folder:
            measure(kind, options, folder)


if __name__ == "__main__":
    main()
