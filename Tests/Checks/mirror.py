#!/usr/bin/env python3
"""Kills menud again and again while clients mirror a session by its events, and compares what they hold.

Two are the mirrors of menud.py, in a thread and in a task; the others poll, break off, or follow two sessions at once,
and apply events by its `Contents`. Whenever nothing is under way, each must hold what GET answers, to the byte. After a
kill in which it knew everything it must go on without a `reset`; after one in the middle of changes with one at most.
Else there is none.
"""

import argparse
import asyncio
import http.client
import json
import random
import socket
import sys
import tempfile
import threading
import time

from program import BUILT, Connection, Program, free_port

from menud import AsyncClient, Client, Contents, write

COMMANDS = ["copy:", "delete:", "selectAll:", "applyFiveStarRating:", "applyOneStarRating:", "zoomIn:"]
STATES = ["open", "claimed", "cancelling"]
QUERY = f"document=true&menu=root&tools=true&commands={','.join(COMMANDS)}&deliveries={','.join(STATES)}"


class Holder:
    """One that holds contents of a session."""

    contents, fault = Contents(-1, -1), None

    @property
    def revision(self):
        return self.contents.revision

    def held(self):
        contents = self.contents
        return {"document": write(contents.document), "menu": write(contents.menu),
                "items": write([contents.items[command] for command in COMMANDS]),
                "tools": write([*contents.tools]), "deliveries": write([*contents.deliveries])}

    def differences(self, present):
        held = self.held()
        return [f"{name}: {held[name]} is {present[name]}" for name in held if held[name] != present[name]]


class Follower(Holder, threading.Thread):
    """A client of its own, which applies what it is told by menud.py."""

    def __init__(self, port, session, stop):
        super().__init__(daemon=True)
        self.port, self.session, self.stop = port, session, stop
        self.id, self.resets, self.changes = None, 0, 0

    def run(self):
        while not self.stop.is_set() and self.fault is None:
            try:
                self.follow()
            except (OSError, http.client.HTTPException):
                pass
            except Exception as fault:  # What it was told cannot be applied.
                self.fault = repr(fault)
            time.sleep(0.02)

    # The parts of the session that it follows, and the fields of its requests.
    query, fields = QUERY, {}

    def ask(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        fields = self.fields | ({"Last-Event-ID": self.id} if self.id else {})
        connection.request("GET", path, headers=fields)
        response = connection.getresponse()
        if response.status != 200:
            connection.close()
            raise OSError(response.status)
        self.socket = connection.sock or response.fp.raw._sock
        return response

    def follow(self):
        response = self.ask(f"/sessions/{self.session}/events?{self.query}")
        event = {}
        for line in response:
            line = line.decode().rstrip("\n")
            if line:
                name, _, value = line.partition(": ")
                event[name] = value
                continue
            self.take(event)
            event = {}

    def take(self, event):
        name, data = event.get("event"), json.loads(event.get("data", "null"))
        if name == "reset":
            self.resets += 1
            self.contents = Contents.reset(data)
        elif name == "change":
            self.changes += 1
            self.contents = self.contents.changed(data)
        self.id = event.get("id", self.id)


class Poller(Follower):
    """One that polls instead of streaming."""

    def follow(self):
        response = self.ask(f"/sessions/{self.session}/changes?{QUERY}&wait=2")
        body = response.read()
        if not body.strip():
            # A poll that waits sends spaces, and a kill ends it.
            raise OSError("cut off")
        for event in json.loads(body):
            self.take({"id": event["id"], "event": event["event"], "data": json.dumps(event["data"])})


class Breaker(Follower):
    """One whose connection breaks again and again."""

    def take(self, event):
        super().take(event)
        if random.random() < 0.2:
            raise OSError("broken")


class Multiplexer(Follower):
    """One that follows another session over the same connection."""

    def follow(self):
        response = self.ask(f"/events?sessions=other,{self.session}&{QUERY}")
        event = {}
        for line in response:
            line = line.decode().rstrip("\n")
            if line:
                name, _, value = line.partition(": ")
                event[name] = value
                continue
            if "data" in event and json.loads(event["data"])["session"] == "other":
                self.id = event["id"]
            else:
                self.take(event)
            event = {}


class Blocking(Holder):
    """The mirror of menud.py in a thread."""

    changes = 0
    parts = {"document": True, "menu": True, "tools": True, "commands": COMMANDS, "deliveries": STATES}

    def __init__(self, port, session, stop):
        self.url, self.session = f"http://127.0.0.1:{port}", session

    def start(self):
        self.observe(Client(self.url).session(self.session).follow(**self.parts))

    def observe(self, mirror):
        self.mirror = mirror
        mirror.subscribe(self.count)

    def count(self, event):
        self.changes += event.name == "change"

    @property
    def contents(self):
        return self.mirror.contents

    @property
    def resets(self):
        return self.mirror.resets

    @property
    def fault(self):
        return repr(self.mirror.error or self.mirror.reason) if self.mirror.is_closed else None


class Suspending(Blocking):
    """The mirror of menud.py in a task."""

    def start(self):
        begun = threading.Event()

        async def follow():
            async with AsyncClient(self.url) as client:
                self.observe(await client.session(self.session).follow(**self.parts))
                begun.set()
                async for _ in self.mirror:
                    pass

        threading.Thread(target=lambda: asyncio.run(follow()), daemon=True).start()
        assert begun.wait(30), "The mirror does not begin."


NAMES = ["zoom", "10", "2", "a/b", "m~n", "\u00e9", "__proto__", "z"]
NUMBERS = [5.0, 0.1, 1e300, 9007199254740993, 9.5e15, -0.0, 7, 1e-7]
TEXTS = ["", "text", '"\\/\b\f\n\r\t', "\u001f \u00e9 \U0001f600", "{}"]


def value_of(choose, depth=0):
    """A value that a careless client would spoil: by its numbers, its names or their order."""
    kind = choose.randrange(5 if depth > 2 else 7)
    if kind < 2:
        return choose.choice([None, True, False])
    if kind == 2:
        return choose.choice(TEXTS)
    if kind < 5:
        return choose.choice(NUMBERS)
    parts = [value_of(choose, depth + 1) for _ in range(choose.randrange(4))]
    return parts if kind == 5 else {choose.choice(NAMES): part for part in parts}


def mutation(choose, responders):
    """A random mutation; some are refused."""
    def pointer():
        return "/" + choose.choice(NAMES).replace("~", "~0").replace("/", "~1")

    def albums():
        # Items from data leave, move and come (M12); the second of two alike has none.
        names = ["Alps", "Coast", "Owls", "Lakes", "Snow"]
        some = choose.choice([choose.sample(names, k=choose.randrange(6)), choose.choices(names, k=4), None])
        return {"op": "mergeState", "patch": {"albums": some}}

    def effects():
        effect = {"op": "add", "path": "/" + choose.choice(["zoom", "10", "z"]), "value": choose.choice(["5.0", "'x'"])}
        return [choose.choice([effect, effect, {"op": "deliver", "value": "'work'"}])]

    responder, selector = choose.choice(responders), choose.choice([*COMMANDS, "other:"])
    extra, late = choose.choice(["extra", "7", "more"]), choose.choice(["viewer", "root"])
    keys = choose.choice([[], [{"input": choose.choice(["a", "UIKeyInputHome"]), "action": selector}]])
    added = {"kind": "responder", "properties": {"10": value_of(choose), "2": 1}, "coordinator": {"handlers": {}}}
    return choose.choice([
        {"op": "patchState", "patch": [{"op": "add", "path": pointer(), "value": value_of(choose)}]},
        {"op": "patchState", "patch": [{"op": "remove", "path": pointer()}]},
        {"op": "patchState", "patch": [{"op": "move", "from": pointer(), "path": pointer()},
                                       {"op": "copy", "from": "/photos", "path": pointer()}]},
        {"op": "mergeState", "patch": {choose.choice(NAMES): value_of(choose), choose.choice(NAMES): value_of(choose)}},
        {"op": "mergeState", "patch": {"selectedImage": choose.choice([None, {"rating": choose.randrange(6)}])}},
        *[albums() for _ in range(6)],
        *[{"op": "perform", "command": choose.choice(COMMANDS)} for _ in range(2)],
        *[{"op": "becomeFirstResponder", "responder": responder} for _ in range(2)],
        {"op": "undo"}, {"op": "redo"},
        *[{"op": "putHandler", "responder": responder, "selector": selector, "handler": {"perform": effects()}}
          for _ in range(2)],
        {"op": "removeHandler", "responder": responder, "selector": selector},
        {"op": "mergeProperties", "responder": responder, "properties": {choose.choice(NAMES): value_of(choose)}},
        {"op": "putKeyCommands", "responder": responder, "keyCommands": keys},
        {"op": "putResponder", "responder": extra, "value": added},
        {"op": "removeResponder", "responder": extra},
        *[{"op": "registerHandler", "responder": choose.choice(["extra", "photoHost"]), "selector": selector,
           "handler": {"perform": effects()}} for _ in range(2)],
        {"op": "registerLateResponder", "responder": late, "lateResponder": extra},
        {"op": "deregisterLateResponder", "responder": late, "lateResponder": extra},
        {"op": "message", "message": "hello:", "from": "viewer", "queue": True}, {"op": "processMessages"},
        {"op": "claimDelivery", "delivery": choose.randrange(1, 5), "until": 4102444800000},
        {"op": "cancelDelivery", "delivery": choose.randrange(1, 5)},
        {"op": "makeKeyWindow", "window": choose.choice(["window", None])},
    ])


def load(connection, choose, responders):
    """A change, which may be refused."""
    if choose.random() < 0.2:
        command = choose.choice(COMMANDS)
        return connection.ask("POST", "/commands/perform", {"session": "demo", "command": command})
    mutations = [mutation(choose, responders) for _ in range(choose.choice([1, 1, 1, 3]))]
    return connection.ask("POST", "/sessions/demo/mutations", {"mutations": mutations})


def present(connection):
    """What GET answers, and agents list, as texts."""
    items = connection.ask("POST", "/commands/validate", {"session": "demo", "commands": COMMANDS})
    menu = connection.ask("GET", "/sessions/demo/menu").json
    document = connection.ask("GET", "/sessions/demo")
    deliveries = connection.ask("GET", f"/sessions/demo/deliveries?state={','.join(STATES)}").json["deliveries"]
    listed = connection.ask(
        "POST", "/sessions/demo/mcp?tools=enabled", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    return document.json["revision"], {
        "document": document.body.decode(), "menu": write(menu["menu"]),
        "items": write(items.json["items"]), "tools": write(listed.json["result"]["tools"]),
        "deliveries": write(deliveries)}


def compare(connection, mirrors, faults, moment):
    revision, expected = present(connection)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and any(
            mirror.revision != revision and mirror.fault is None for mirror in mirrors):
        time.sleep(0.01)
    for mirror in mirrors:
        name = f"{moment}, {type(mirror).__name__}"
        if mirror.fault or mirror.revision != revision:
            faults.append(f"{name}: at {mirror.revision}, not {revision}: {mirror.fault}")
        else:
            faults += [f"{name}: {found}" for found in mirror.differences(expected)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--changes", type=int, default=60, help="between two kills")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    choose = random.Random(options.seed)
    port, faults, quiet_resets, busy_resets, made = free_port(), [], 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="menud-mirror-") as folder:
        arguments = ["--application", "Config/photo-app", "--session", "demo", "--session", "other",
                     "--port", str(port), "--journal-path", f"{folder}/menud.db"]
        environment = {"MENUD_LIMITS_PROCESSOR_TIME": "0"}
        server = Program(arguments, environment, options.program)
        assert server.port() == port, "The port is another one."
        connection = Connection(port)
        responders = list(connection.ask("GET", "/sessions/demo").json["responders"])
        stop = threading.Event()
        mirrors = [kind(port, "demo", stop) for kind in (Blocking, Suspending, Poller, Breaker, Multiplexer)]
        for mirror in mirrors:
            mirror.start()
        resets = [1] * len(mirrors)
        for number in range(options.kills):
            is_quiet = number % 2 == 0
            for index in range(options.changes):
                made += load(connection, choose, responders).status == 200
                if index % 20 == 0:
                    compare(connection, mirrors, faults, f"kill {number}, change {index}")
            if is_quiet:
                compare(connection, mirrors, faults, f"before kill {number}")
                # The ids that moved without an event come with a heartbeat; a last event brings them too.
                connection.ask("PATCH", "/sessions/demo/state", {"last": number},
                               {"Content-Type": "application/merge-patch+json"})
                compare(connection, mirrors, faults, f"at kill {number}")
            known, resets = resets, [mirror.resets for mirror in mirrors]
            if resets != known:
                faults.append(f"before kill {number} there were {resets} resets, not {known}")
            server.kill()
            server = Program(arguments, environment, options.program)
            server.port()
            connection = Connection(port)
            compare(connection, mirrors, faults, f"after kill {number}")
            new = [mirror.resets - before for mirror, before in zip(mirrors, resets)]
            resets = [mirror.resets for mirror in mirrors]
            if is_quiet and any(new):
                faults.append(f"kill {number} was quiet, and there were {new} resets")
            if not is_quiet:
                busy_resets += sum(new)
                if max(new) > 1:
                    faults.append(f"after kill {number} there were {new} resets")
        stop.set()
        changes = sum(mirror.changes for mirror in mirrors)
        server.kill()
    for fault in faults[:10]:
        print(fault[:2000])
    print(f"seed {options.seed}: {options.kills} kills, {made} changes made, {changes} told, "
          f"{busy_resets} resets after kills in the middle of changes, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
