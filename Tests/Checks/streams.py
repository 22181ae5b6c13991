#!/usr/bin/env python3
"""Measures streams of events: memory and latency beside many that are idle, and what a delivered event costs.

Four parts: 10,000 idle subscribers, of one session and of a session each, with a client that validates beside
them; 1,000 subscribers of one session with a change each 10 ms, alone and with 100 that read nothing; and what ten
changes of a menu take by events.

Hostile subscribers are in `fairness.py`: that read nothing, ask ever other questions, poll, or come and go. Memory beside
and after those that read nothing is in `unread.py`, and that of all routes in `memory.py`.
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
import time

from figures import cpu
from program import BUILT, Connection, Program
from unread import resident

ITEMS = "copy:,paste:,delete:,selectAll:,applyFiveStarRating:,applyFourStarRating:,zoomIn:,zoomOut:"


def serve(folder, options, environment=None):
    arguments = ["--application", "Config/photo-app", "--session", "demo", "--journal-path",
                 f"{folder}/menud.db", "--journal-durability", "off"]
    environment = {"MENUD_SERVER_MAXIMUM_STREAMS": "12000", "MENUD_LIMITS_SESSIONS": "12000",
                   "MENUD_SERVER_MAXIMUM_STREAMS_PER_ADDRESS": "0", "MENUD_EVENTS_STREAMS_OF_SESSION": "12000",
                   "MENUD_LIMITS_PROCESSOR_TIME": "0"} | (environment or {})
    return Program(arguments, environment, options.program)


def request(path, last=None):
    field = f"Last-Event-ID: {last}\r\n" if last else ""
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{field}\r\n".encode()


def subscribe(port, paths, window=None):
    """Subscribers that have got their first event."""
    clients = []
    for start in range(0, len(paths), 100):
        batch = []
        for path in paths[start:start + 100]:
            client = socket.socket()
            if window:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
            # Addresses of their own, since one has 28,000 ports.
            client.bind((f"127.0.0.{2 + len(clients) // 20000}", 0))
            client.connect(("127.0.0.1", port))
            client.sendall(request(path))
            batch.append(client)
        for client in batch:
            client.settimeout(60)
            text = b""
            while b"event: reset" not in text or not text.endswith(b"\n\r\n"):
                piece = client.recv(1 << 16)
                assert piece, text[:500]
                text += piece
        clients += batch
    return clients


def validate(port, seconds, pause=0.002):
    """The seconds that validations take, one after another, and changes among them."""
    connection, times = Connection(port), []
    end = time.monotonic() + seconds
    number = 0
    while time.monotonic() < end:
        number += 1
        begun = time.perf_counter()
        answer = connection.ask("POST", "/commands/validate", b'{"session":"other","menu":"edit"}')
        times.append(time.perf_counter() - begun)
        assert answer.status == 200, answer.body
        time.sleep(pause)
    return sorted(times)


def at(times, part):
    return 1000 * times[min(len(times) - 1, int(part * len(times)))]


def idle(options):
    """Memory of idle subscribers, and validations with and without them."""
    print(f"{options.idle:,} idle subscribers, and validations of another session beside them for "
          f"{options.seconds} s, heartbeats included\n")
    print("| subscribers | KiB each | processor beside them | p50, ms | p99, ms | most, ms "
          "| without: p50, ms | p99, ms | most, ms |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    kinds = {
        "of one session, revisions": lambda n: "/sessions/demo/events",
        "of one session, its menu": lambda n: "/sessions/demo/events?menu=root",
        "of a session each, revisions": lambda n: f"/sessions/s{n}/events",
        "of a session each, eight items": lambda n: f"/sessions/s{n}/events?commands={ITEMS}",
    }
    for kind, path in kinds.items():
        with tempfile.TemporaryDirectory(prefix="menud-streams-") as folder:
            server = serve(folder, options)
            port = server.port()
            connection = Connection(port)
            assert connection.ask("POST", "/sessions", {"id": "other"}).status == 201
            if "each" in kind:
                for number in range(options.idle):
                    assert connection.ask("POST", "/sessions", {"id": f"s{number}"}).status == 201
            validate(port, 1)
            alone = validate(port, options.seconds)
            before = resident(server)
            clients = subscribe(port, [path(number) for number in range(options.idle)])
            time.sleep(1)
            after, begun = resident(server), cpu(server)
            beside = validate(port, options.seconds)
            share = (cpu(server) - begun) / options.seconds
            each = (after - before) / options.idle / 1024
            print(f"| {kind} | {each:.1f} | {100 * share:.0f} % | {at(beside, .5):.2f} | {at(beside, .99):.2f} "
                  f"| {at(beside, 1):.1f} | {at(alone, .5):.2f} | {at(alone, .99):.2f} "
                  f"| {at(alone, 1):.1f} |", flush=True)
            for client in clients:
                client.close()
            server.kill()


def drain(port, path, count, ready, over, found):
    """Reads what comes, now and then, since reading at once would take the processor from menud."""
    clients = subscribe(port, [path] * count)
    for client in clients:
        client.setblocking(False)
    ready.release()
    total = 0
    while not over.is_set():
        time.sleep(0.2)
        for client in clients:
            total += count_events(client)
    time.sleep(1)
    total += sum(count_events(client) for client in clients)
    found.put(total)


def count_events(client):
    total = 0
    while True:
        try:
            piece = client.recv(1 << 20)
        except BlockingIOError:
            return total
        if not piece:
            return total
        total += piece.count(b"event: change")


def sample(port, path, count, ready, over, found):
    """Notes how long after the sending of its change each event arrives."""
    selector, lags = selectors.DefaultSelector(), []
    for client in subscribe(port, [path] * count):
        client.setblocking(False)
        selector.register(client, selectors.EVENT_READ)
    ready.release()
    while not over.is_set():
        for key, _ in selector.select(0.1):
            text = key.fileobj.recv(1 << 16)
            now = time.monotonic()
            for part in text.split(b'"sent":')[1:]:
                lags.append(now - float(part.split(b"}")[0].split(b",")[0]))
    found.put(lags)


def change(connection, seconds, interval):
    """Changes the session again and again; answers how often."""
    end, number = time.monotonic() + seconds, 0
    due = time.monotonic()
    while due < end:
        time.sleep(max(0, due - time.monotonic()))
        answer = connection.ask("PATCH", "/sessions/demo/state", {"sent": time.monotonic()},
                                {"Content-Type": "application/merge-patch+json"})
        assert answer.status == 200, answer.body
        number += 1
        due += interval
    return number


def busy_round(options, stalled):
    path = "/sessions/demo/events?document=true"
    with tempfile.TemporaryDirectory(prefix="menud-streams-") as folder:
        server = serve(folder, options)
        port = server.port()
        connection = Connection(port)
        change(connection, 1, 0.01)
        begun = cpu(server)
        number = change(connection, options.seconds, 0.01)
        alone = (cpu(server) - begun) / number
        ready, over = multiprocessing.Semaphore(0), multiprocessing.Event()
        drained, sampled = multiprocessing.Queue(), multiprocessing.Queue()
        workers = [
            multiprocessing.Process(
                target=drain, args=(port, path, options.subscribers - 20, ready, over, drained)),
            multiprocessing.Process(target=sample, args=(port, path, 20, ready, over, sampled)),
        ]
        for worker in workers:
            worker.start()
        for _ in workers:
            ready.acquire()
        deaf = subscribe(port, [path] * stalled, window=4096)
        memory = resident(server)
        begun = cpu(server)
        number = change(connection, options.seconds, 0.01)
        taken = cpu(server) - begun
        grown = resident(server) - memory
        over.set()
        lags = sorted(sampled.get())
        total = drained.get() + len(lags)
        for worker in workers:
            worker.join()
        page = connection.ask("GET", "/metrics").body.decode()
        sent = int(next(line.split()[1] for line in page.splitlines()
                        if line.startswith('menud_event_lag_seconds_count')))
        each = (taken - number * alone) / total
        print(f"| {options.subscribers}{f' and {stalled} stalled' if stalled else ''} | {number} "
              f"| {total} | {sent} | {1e6 * each:.1f} | {1e6 * alone:.0f} | {at(lags, .5):.2f} "
              f"| {at(lags, .99):.2f} | {at(lags, 1):.1f} | {grown / 1024 / 1024:.1f} |", flush=True)
        for client in deaf:
            client.close()
        server.kill()


def busy(options):
    print(f"\n{options.subscribers:,} subscribers of one session, a change each 10 ms for {options.seconds} s\n")
    print("| subscribers | changes | events read | events sent | processor each, µs "
          "| of a change without them, µs | lag p50, ms | p99, ms | most, ms | memory grown, MB |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    busy_round(options, 0)
    busy_round(options, options.stalled)


def take(client):
    try:
        return client.recv(1 << 20)
    except BlockingIOError:
        return b""


def leaves(menu):
    return sum(leaves(child) if "children" in child else 1 for child in menu["children"])


def saved(options):
    """Requests and bytes for ten changes of a menu, by events and by polling."""
    with tempfile.TemporaryDirectory(prefix="menud-streams-") as folder:
        server = serve(folder, options)
        port = server.port()
        connection = Connection(port)
        menu = connection.ask("GET", "/sessions/demo/menu").json["menu"]
        client = subscribe(port, ["/sessions/demo/events?menu=root"])[0]
        client.setblocking(False)
        polled, tag, size = 0, None, 0
        received = b""
        stars = ["One", "Two", "Three", "Four", "Five"]
        connection.ask("PATCH", "/sessions/demo/state", {"selectedImage": {"rating": 0}},
                       {"Content-Type": "application/merge-patch+json"})
        time.sleep(0.3)
        take(client)
        for number in range(10):
            command = f"apply{stars[number % 5]}StarRating:"
            body = {"session": "demo", "command": command}
            assert connection.ask("POST", "/commands/perform", body).status == 200
            for _ in range(8):
                answer = connection.ask("GET", "/sessions/demo/menu", headers=tag and {"If-None-Match": tag})
                tag = answer.headers["ETag"]
                polled += 1
                size += len(answer.body) + len(str(answer.headers)) + 17
                time.sleep(0.1)
            received += take(client)
        print(f"\nTen changes in 8 s of a menu with {leaves(menu)} items: events take 1 request and "
              f"{len(received)} bytes ({received.count(b'event: change')} events), polling at 10 Hz "
              f"with ETags {polled} requests and {size} bytes.")
        client.close()
        server.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--idle", type=int, default=10_000)
    parser.add_argument("--subscribers", type=int, default=1000)
    parser.add_argument("--stalled", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--parts", nargs="*", default=["idle", "busy", "saved"],
                        choices=["idle", "busy", "saved"])
    options = parser.parse_args()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    for part in options.parts:
        {"idle": idle, "busy": busy, "saved": saved}[part](options)


if __name__ == "__main__":
    main()
