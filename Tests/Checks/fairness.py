#!/usr/bin/env python3
"""Measures a client that validates beside attackers: large answers, silent connections, long rules, answers
that nobody reads, openings of large sessions, bodies that do not end, and subscribers that ask ever other questions
or read nothing.

Two things are measured: validations on a kept connection, and new connections that ask /health/live on the
port for such questions. Attackers are processes of their own.
"""

import argparse
import json
import multiprocessing
import os
import resource
import selectors
import socket
import sys
import tempfile
import threading
import time

import unread
from program import BUILT, Connection, Program, patiently

MERGE = {"Content-Type": "application/merge-patch+json"}


def many(count, ask):
    """Clients that do the same again and again, each in a thread."""
    def run(number):
        while True:
            try:
                ask(number)
            except Exception:
                time.sleep(0.01)
    threads = [threading.Thread(target=run, args=(n,), daemon=True) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def read(port, request):
    """Sends a request on a new connection and drops the answer, of which Python sees nothing."""
    client = socket.create_connection(("127.0.0.1", port))
    client.sendall(request)
    while client.recv(1 << 20):
        pass
    client.close()


def escaping(port, count):
    """Reads a state of control characters, each from a session of its own."""
    def ask(number):
        read(port, f"GET /sessions/control{number % 8} HTTP/1.1\r\nHost: localhost\r\n"
                   "Connection: close\r\n\r\n".encode())
    many(count, ask)


def silent(port, count):
    """Keeps so many connections open that say nothing, and opens each again that is closed."""
    selector = selectors.DefaultSelector()

    def connect():
        client = socket.socket()
        client.setblocking(False)
        client.connect_ex(("127.0.0.1", port))
        selector.register(client, selectors.EVENT_READ)

    for _ in range(count):
        connect()
    while True:
        for key, _ in selector.select():
            selector.unregister(key.fileobj)
            key.fileobj.close()
            connect()


def rules(port, count):
    """Asks for items whose rules take all the steps that a request may, each in a session of its own."""
    def ask(number):
        connection = Connection(port)
        for time in range(100):
            connection.ask("PATCH", f"/sessions/rules{number}/state", {"time": time}, MERGE)
            connection.ask("POST", "/commands/validate",
                           {"session": f"rules{number}", "commands": COSTLY})
    many(count, ask)


def unread_gets(port, count):
    """Asks for a large answer and does not read it."""
    clients = [unread.unread(port, "GET", "/sessions/large") for _ in range(count)]
    time.sleep(3600)
    return clients


def unread_posts(port, count):
    """Validates commands with long titles and does not read the answers, from an address of its own."""
    clients = [unread.unread_validation(port, number, "127.0.0.2") for number in range(count)]
    time.sleep(3600)
    return clients


def rules_of(number, count=9950):
    """Handlers with so many rules, which no other responder has."""
    return {f"a{n}:": {"validate": {"enabled": f"state.x{number}_{n} == {n}"}} for n in range(count)}


def chain_of(count=9990):
    """Responders, each the next one of the one before."""
    chain = {f"r{n}": {"kind": "view", "next": f"r{n + 1}"} for n in range(count - 1)}
    return chain | {f"r{count - 1}": {"kind": "view"}}


def opening(port, count, responders, first):
    """Opens sessions with such responders, asks each once and closes it, again and again."""
    def ask(number):
        connection, turn = Connection(port, 60), 0
        while True:
            turn += 1
            name = f"opened{number}_{turn}"
            made = responders(number * 1000 + turn)
            answer = connection.ask("POST", "/sessions", {
                "id": name, "template": False, "responders": made, "firstResponder": first})
            if answer.status == 429:
                time.sleep(0.01)
                continue
            connection.ask("POST", "/commands/validate", {"session": name})
            connection.ask("DELETE", f"/sessions/{name}")
    many(count, ask)


def rule_openings(port, count):
    """Opens sessions with 9,950 rules."""
    opening(port, count, lambda number: {"v": {"kind": "view", "handlers": rules_of(number)}}, "v")


def chain_openings(port, count):
    """Opens sessions with a chain of 9,990 responders."""
    opening(port, count, lambda _: chain_of(), "r0")


def rule_puts(port, count):
    """Puts a responder with 9,950 rules, ever others, into a session of its own."""
    def ask(number):
        connection, turn = Connection(port, 60), 0
        while True:
            turn += 1
            connection.ask("PUT", f"/sessions/control{number % 8}/responders/v",
                           {"kind": "view", "handlers": rules_of(number * 1000 + turn)})
    many(count, ask)


def unfinished(port, size, source="127.0.0.1"):
    """A connection that has sent a body but for its end."""
    client = socket.socket()
    client.bind((source, 0))
    client.connect(("127.0.0.1", port))
    client.settimeout(10)
    try:
        client.sendall(f"POST /sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                       f"Content-Length: {size}\r\n\r\n".encode() + b" " * (size - 1))
    except OSError:
        pass  # It was refused.
    return client


def bodies(port, count):
    """Sends bodies of a megabyte but for their ends, and each again that is refused."""
    clients = [unfinished(port, 1_000_000) for _ in range(count)]
    while True:
        for number in range(count):
            clients[number].close()
            clients[number] = unfinished(port, 1_000_000)


def unread_from_here(port, count):
    """Validates commands with long titles from the address of everybody else, and does not read the answers."""
    clients = []
    for number in range(100_000):
        clients.append(unread.unread_validation(port, number))
        if len(clients) > count:
            clients.pop(0).close()


def polls(port, count):
    """Asks for the document and ever other commands of a large session, each client on one connection."""
    def ask(number):
        connection = Connection(port)
        for time in range(1000):
            some = [f"c{(number * 1000 + time) * 10 + other}" for other in range(10)]
            connection.ask("GET", f"/sessions/large/changes?document=true&commands={','.join(some)}")
    many(count, ask)


def follow(port, targets):
    """Streams of which nothing is read."""
    clients = []
    for target in targets:
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", port))
        client.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        clients.append(client)
    return clients


def unread_resets(port, count):
    """Follows a large document, by as many different questions as may be, and reads nothing."""
    clients = follow(port, [f"/sessions/large/events?document=true&commands=c{number % 100}"
                            for number in range(count)])
    time.sleep(3600)
    return clients


def questions(port, count):
    """Follows sessions by twenty other commands each, reads nothing, and changes the sessions again and again."""
    def target(number):
        some = [f"costless{(number * 7 + other) % 200}:" for other in range(20)] + [f"c{number}"]
        return f"/sessions/asked{number % 50}/events?commands={','.join(some)}"
    clients = follow(port, [target(number) for number in range(count)])
    connection = Connection(port)
    for number in range(1_000_000):
        connection.ask("PATCH", f"/sessions/asked{number % 50}/state", {"time": number}, MERGE)
        time.sleep(0.005)
    return clients


def returning(port, count):
    """Follows sessions by as many streams, and comes back with all of them again and again."""
    while True:
        for client in follow(port, [f"/sessions/asked{number % 50}/events?commands=costless{number % 20}:"
                                    for number in range(count)]):
            client.close()


ATTACKS = [
    ("nothing", None, 0), ("10 readers of escapes", escaping, 10),
    ("60 readers of escapes", escaping, 60), ("3,000 silent connections", silent, 3000),
    ("8 askers of long rules", rules, 8), ("800 that do not read", unread_gets, 800),
    ("800 that POST and do not read", unread_posts, 800),
    ("800 that POST from the same address", unread_from_here, 800),
    ("8 openings with 9,950 rules", rule_openings, 8),
    ("8 openings with a chain of 9,990", chain_openings, 8),
    ("8 that put 9,950 rules", rule_puts, 8), ("1,000 bodies without an end", bodies, 1000),
    ("4 polls with ever other parts of 1 MB", polls, 4),
    ("400 streams of 1 MB that do not read", unread_resets, 400),
    ("4,900 streams with other questions that do not read", questions, 4900),
    ("1,000 subscribers that come and go", returning, 1000),
]
# A healthy client waits so long at most, in seconds: the median and the 99th percentile.
BOUNDS = (0.02, 0.05)
# Of these the client shares the address, and so the limits, with who does not read.
SHARED = {"800 that POST from the same address": (0.1, 0.25)}
COSTLY = []


def prepare(connection, options):
    """Opens the sessions of the attackers, as large and as costly as menud lets them be."""
    def open_session(name, responders=None, first=None):
        body = {"id": name, "template": False, "state": {"time": 0}}
        if responders:
            body |= {"responders": responders, "firstResponder": first}
        answer = patiently(connection, "POST", "/sessions", body)
        assert answer.status == 201, answer.body

    def fill(name, text, parts):
        for part in range(parts):
            answer = patiently(connection, "PATCH", f"/sessions/{name}/state", {f"text{part}": text}, MERGE)
            if answer.status != 200:
                break

    for number in range(8):
        open_session(f"control{number}")
        fill(f"control{number}", "\u0001" * 150_000, 28)
    open_session("large")
    fill("large", "x" * 131_072, 8)
    unread.open_titles(connection, 1 << 20)
    loops = "state.l.all(a, state.l.all(b, state.time + a + b >= 0))"
    for number in range(options.rules):
        action = f"costly{number}:"
        patiently(connection, "PUT", f"/commands/{action}", {"title": "Costly", "action": action})
        COSTLY.append(action)
    handlers = {action: {"validate": {"enabled": loops}} for action in COSTLY}
    for number in range(8):
        open_session(f"rules{number}", {"v": {"kind": "view", "handlers": handlers}}, "v")
        patiently(connection, "PATCH", f"/sessions/rules{number}/state", {"l": list(range(130))}, MERGE)
    costless = {}
    for number in range(200):
        action = f"costless{number}:"
        patiently(connection, "PUT", f"/commands/{action}", {"title": "Costless", "action": action})
        costless[action] = {"validate": {"checked": f"state.time % {number + 2} == 0"}}
    for number in range(50):
        open_session(f"asked{number}", {"v": {"kind": "view", "handlers": costless}}, "v")
    size = len(patiently(connection, "GET", "/sessions/control0").body)
    begun = time.perf_counter()
    answer = patiently(connection, "POST", "/commands/validate", {"session": "rules0", "commands": COSTLY})
    took = time.perf_counter() - begun
    print(f"escapes: {size / 1e6:.1f} MB an answer; rules: {answer.status} after {took * 1000:.0f} ms\n",
          flush=True)


def connected(port):
    """A connection that menud has accepted: new ones wait in the system's queue behind those of attackers."""
    connection = Connection(port, 60)
    connection.ask("GET", "/health/live")
    return connection


def measure(connection, port, health, seconds, pause):
    """The seconds that validations and questions for health took, and how many failed."""
    validations, healths, failures = [], [], 0
    end, number = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        number += 1
        begun = time.perf_counter()
        try:
            connection.ask("PATCH", "/sessions/demo/state", {"time": number}, MERGE)
            answer = connection.ask("POST", "/commands/validate", {"session": "demo", "menu": "edit"})
            failures += answer.status != 200
        except OSError:
            failures += 1
            connection = Connection(port, 60)
        validations.append(time.perf_counter() - begun)
        if health and number % 5 == 0:
            begun = time.perf_counter()
            try:
                other = Connection(health, 5)
                failures += other.ask("GET", "/health/live").status != 200
                other.close()
            except OSError:
                failures += 1
            healths.append(time.perf_counter() - begun)
        time.sleep(pause)
    return validations, healths, failures


MEMORY = ["process_resident_memory_bytes", "menud_session_memory_bytes", "menud_http_unsent_bytes"]


# The most that any attack may bring each of them to, in bytes.
MOST = [600e6, 256 << 20, 256 << 20]


def gauge(port, name):
    """The value of a metric without labels."""
    page = Connection(port, 60).ask("GET", "/metrics").body.decode()
    return next((float(line.split()[1]) for line in page.splitlines() if line.startswith(name + " ")), 0)


def figures(times):
    """Median, 99th percentile and maximum in milliseconds."""
    if not times:
        return "– | – | –"
    times = sorted(times)
    return " | ".join(f"{1000 * times[min(len(times) - 1, int(part * len(times)))]:.1f}"
                      for part in [0.5, 0.99, 1])


def part(times, share):
    """A percentile, in seconds."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] if times else 0


def row(name, attack, count, port, health, options):
    """Measures beside an attack, and prints that; answers the aims that are missed."""
    attacker = attack and multiprocessing.Process(target=attack, args=(port, count), daemon=True)
    connection = connected(port)
    if attacker:
        attacker.start()
        begun = time.monotonic()
        while time.monotonic() < begun + 2:
            try:
                connection.ask("GET", "/sessions/demo")
            except OSError:
                connection = Connection(port, 60)
            time.sleep(0.1)
    validations, healths, failures = measure(connection, port, health, options.seconds, options.pause)
    memory = [gauge(health, metric) for metric in MEMORY]
    if attacker:
        attacker.kill()
        attacker.join()
        time.sleep(2)
    sizes = " | ".join(f"{size / 1e6:.0f}" for size in memory)
    print(f"| {name} | {figures(validations)} | {figures(healths)} | {failures} | {sizes} |", flush=True)
    bounds = [bound * options.scale for bound in SHARED.get(name, BOUNDS)]
    missed = [f"{failures} failed"] if failures else []
    missed += [f"p{100 * share:.0f} is {1000 * part(times, share):.0f} ms, not {1000 * bound:.0f} at most"
               for times in (validations, healths) for share, bound in zip((0.5, 0.99), bounds)
               if part(times, share) > bound]
    return missed + [f"{metric} is {size:.0f}" for metric, size, most in zip(MEMORY, memory, MOST) if size > most]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--seconds", type=int, default=10, help="of each measurement")
    parser.add_argument("--pause", type=float, default=0.002, help="seconds between validations")
    parser.add_argument("--only", help="a part of the names of the attacks to measure")
    parser.add_argument("--rules", type=int, default=25, help="commands with a long rule")
    parser.add_argument("--scale", type=float, default=1,
                        help="by which the aims are multiplied, for a machine that has other work")
    options = parser.parse_args()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    folder = tempfile.TemporaryDirectory(prefix="menud-fairness-")
    program = Program(
        ["--config", "Config/menud.json", "--journal-path", f"{folder.name}/menud.db",
         "--journal-durability", "normal"],
        {"MENUD_SERVER_HEALTH_PORT": "0",
         "MENUD_SERVER_MAXIMUM_UNSENT_BYTES_PER_ADDRESS": str(64 << 20)}, program=options.program)
    port = program.port()
    health = program.event("listening").get("healthPort")
    prepare(Connection(port), options)
    print("| beside | change and validation p50, ms | p99 | most | health p50, ms | p99 | most | failed "
          "| resident, MB | kept beside sessions, MB | unsent, MB |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    failed = []
    for name, attack, count in ATTACKS:
        if options.only and options.only not in name:
            continue
        missed = row(name, attack, count, port, health, options)
        if missed:
            # Once more, since other work on the machine may have been to blame.
            missed = row(name, attack, count, port, health, options)
        failed += [f"{name}: {aim}" for aim in missed]
        if program.process.poll() is not None:
            sys.exit(f"menud ended with {program.process.poll()}: {program.text}")
    code = program.stop()
    print(f"\nload of the machine: {os.getloadavg()[0]:.1f}; exit code of menud: {code}")
    for aim in failed:
        print(f"missed beside {aim}")
    sys.exit(1 if code or failed else 0)


if __name__ == "__main__":
    main()
