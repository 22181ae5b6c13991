"""Subscribers to events through HAProxy, whose replicas are killed."""

import http.client
import threading
import time

from mirror import Follower
from program import Connection
from replica_clients import MERGE, REGISTERS

from menud import write

COMMANDS = ["add:", "add:and:"]
QUERY = "document=true&commands=" + ",".join(COMMANDS)


class Subscriber(Follower):
    """Holds a session by what it is told alone, and knows which replica tells it."""

    query = QUERY

    def __init__(self, cluster, session, stop):
        super().__init__(cluster.port, session, stop)
        self.fields, self.cluster, self.replica, self.joined = cluster.authorization, cluster, None, 0

    def ask(self, path):
        response = super().ask(path)
        self.replica = response.headers.get("X-Replica")
        self.joined += 1
        return response

    def present(self, connection):
        """The answers to GET."""
        items = connection.ask("POST", "/commands/validate",
                               {"session": self.session, "commands": COMMANDS}, self.cluster.authorization)
        document = connection.ask("GET", f"/sessions/{self.session}", None, self.cluster.authorization)
        return document.json["revision"], {
            "document": document.body.decode(), "items": write(items.json["items"])}

    def held(self):
        contents = self.contents
        return {"document": write(contents.document),
                "items": write([contents.items[command] for command in COMMANDS])}

    def catch_up(self, seconds=30):
        """Waits until it holds what GET answers; what is wrong, if it does not."""
        deadline = time.monotonic() + seconds
        connection = Connection(self.port)
        revision, present = None, {}
        while True:
            if self.fault:
                return [f"subscriber of {self.session}: {self.fault}"]
            try:
                revision, present = self.present(connection)
                if self.revision == revision and not self.differences(present):
                    return []
            except (OSError, http.client.HTTPException, KeyError, ValueError):
                connection.close()
            if time.monotonic() > deadline:
                break
            time.sleep(0.05)
        if self.revision != revision:
            return [f"subscriber of {self.session} is at {self.revision}, not {revision}"]
        return [f"subscriber of {self.session}: {difference}" for difference in self.differences(present)]


class Writer(threading.Thread):
    """Changes a session again and again, each change once."""

    def __init__(self, cluster, session, stop):
        super().__init__(daemon=True)
        self.cluster, self.session, self.stop, self.made = cluster, session, stop, 0

    def run(self):
        connection = Connection(self.cluster.port, 5)
        while not self.stop.is_set():
            fields = self.cluster.authorization | {
                "Content-Type": MERGE, "Idempotency-Key": f'"{self.session}-{self.made}"'}
            try:
                answer = connection.ask("PATCH", f"/sessions/{self.session}/state",
                                        {"last": f"change {self.made}"}, fields)
                self.made += answer.status == 200
            except (OSError, http.client.HTTPException):
                connection.close()
            time.sleep(0.01)


def check(cluster, kills):
    """Kills the replica that tells a subscriber; answers what is wrong, and figures."""
    state = {"log": [], "marks": {}, "words": REGISTERS, "total": 0, "last": "", "generation": "subscribed"}
    answer = Connection(cluster.port).ask(
        "POST", "/sessions", {"id": "subscribed", "state": state}, cluster.authorization)
    assert answer.status == 201, answer.body
    stop, faults, gaps, moved = threading.Event(), [], [], 0
    subscriber = Subscriber(cluster, "subscribed", stop)
    writer = Writer(cluster, "subscribed", stop)
    subscriber.start()
    writer.start()
    for number in range(kills):
        time.sleep(0.3)
        faults += await_events(subscriber, 3)
        if faults:
            break
        before, resets, replica = subscriber.joined, subscriber.resets, subscriber.replica
        victim = next(one for one in cluster.replicas if one.name == replica)
        begin = time.monotonic()
        victim.kill()
        if len(cluster.replicas) == 1:
            victim.start()
        deadline = begin + 30
        while subscriber.joined == before and time.monotonic() < deadline:
            time.sleep(0.005)
        faults += await_events(subscriber, 3)
        gaps.append(time.monotonic() - begin)
        moved += subscriber.replica != replica
        if subscriber.resets != resets:
            faults.append(f"kill {number}: the subscriber went from {replica} to {subscriber.replica} "
                          f"with {subscriber.resets - resets} resets")
        if len(cluster.replicas) > 1:
            victim.start()
            cluster.await_ready()
    stop.set()
    writer.join()
    faults += subscriber.catch_up()
    return faults, {"kills": kills, "moved": moved, "changes": writer.made, "told": subscriber.changes,
                    "resets": subscriber.resets, "gap": max(gaps, default=0)}


def await_events(subscriber, count, seconds=30):
    """Waits until it was told so many more changes."""
    told, deadline = subscriber.changes, time.monotonic() + seconds
    while subscriber.changes < told + count:
        if subscriber.fault or time.monotonic() > deadline:
            return [f"the subscriber is told nothing by {subscriber.replica}: {subscriber.fault}"]
        time.sleep(0.005)
    return []
