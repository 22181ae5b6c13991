#!/usr/bin/env python3
"""Kills menud again and again while clients mirror a session by its events, and compares what they hold.

Each client begins with `reset` and applies every `change`. Whenever nothing is under way, it must hold what GET
answers, to the byte. After a kill in which it knew everything it must go on without a `reset`; after one in the
middle of changes with one at most.
"""

import argparse
import http.client
import json
import random
import socket
import sys
import tempfile
import threading
import time

from program import BUILT, Connection, Program

COMMANDS = ["copy:", "delete:", "selectAll:", "applyFiveStarRating:", "applyOneStarRating:", "zoomIn:"]
QUERY = "document=true&menu=root&commands=" + ",".join(COMMANDS)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def text(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def merge(target, patch):
    """RFC 7396."""
    for name, value in patch.items():
        if value is None:
            target.pop(name, None)
        elif isinstance(value, dict):
            if not isinstance(target.get(name), dict):
                target[name] = {}
            merge(target[name], value)
        else:
            target[name] = value


def steps(pointer):
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def operate(document, change, path):
    """An operation of a JSON Patch (RFC 6902) on a value; answers the value afterwards."""
    path = path + steps(change["path"])
    if not path:
        return change["value"]
    place = document
    for step in path[:-1]:
        place = place[int(step)] if isinstance(place, list) else place[step]
    last = path[-1]
    if isinstance(place, list):
        index = len(place) if last == "-" else int(last)
        if change["op"] == "add":
            place.insert(index, change["value"])
        elif change["op"] == "replace":
            place[index] = change["value"]
        else:
            del place[index]
    elif change["op"] == "remove":
        del place[last]
    else:
        place[last] = change["value"]
        if change["op"] == "add" and "position" in change:
            members = [member for member in place.items() if member[0] != last]
            members.insert(change["position"], (last, change["value"]))
            place.clear()
            place.update(members)
    return document


def name_of(child):
    """The identity of an item in a menu: its command, and its key if it is from data."""
    return child.get("command"), child.get("itemKey")


def rearranged(children, edit):
    """The children after items from data left, moved and came."""
    moved = edit.get("moved", [])
    taken = {name_of(place) for place in edit.get("removed", []) + moved}
    items = {name_of(child): child for child in children}
    placed = [(place["at"], items[name_of(place)]) for place in moved]
    placed += [(place["at"], place["item"]) for place in edit.get("inserted", [])]
    children = [child for child in children if name_of(child) not in taken]
    for at, item in sorted(placed, key=lambda place: place[0]):
        children.insert(at, item)
    return children


def edited(menu, edit):
    """A menu with an edit of it or of a menu below it."""
    if menu.get("identifier") == edit["menu"]:
        if "value" in edit:
            return edit["value"]
        items = {name_of(item): item for item in edit.get("items", [])}
        children = [items.get(name_of(child), child) for child in rearranged(menu["children"], edit)]
    else:
        children = [child if "command" in child else edited(child, edit) for child in menu["children"]]
    return {**menu, "children": children}


class Mirror(threading.Thread):
    """A client that holds what it is told, and nothing else."""

    def __init__(self, port, session, stop):
        super().__init__(daemon=True)
        self.port, self.session, self.stop = port, session, stop
        self.id, self.revision, self.resets, self.changes = None, -1, 0, 0
        self.document, self.menu, self.items = None, None, {}
        self.lock, self.fault = threading.Lock(), None

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
        with self.lock:
            self.id = event.get("id", self.id)
            if "data" in event:
                self.apply(event["event"], json.loads(event["data"]))

    def apply(self, event, data):
        if event == "closed":
            return
        if event == "reset":
            self.resets += 1
            self.document, self.menu = data["document"], data.get("menu")
            self.items = {}
        else:
            self.changes += 1
            assert data["from"] == self.revision, (data["from"], self.revision)
            for change in data.get("changes", []):
                self.apply_change(change)
            self.document["revision"] = data["revision"]
            self.menu = data.get("menu", self.menu)
            for edit in data.get("menuEdits", []):
                self.menu = edited(self.menu, edit)
        self.revision = data["revision"]
        for item in data.get("items", []):
            self.items[item["command"]] = item

    def apply_change(self, change):
        kind = change["change"]
        if kind == "mergedState":
            merge(self.document["state"], change["patch"])
        elif kind == "firstResponder":
            self.document["firstResponder"] = change["responder"]
        elif kind == "properties":
            merge(self.document["responders"][change["responder"]]["properties"], change["patch"])
        elif kind == "state":
            operate(self.document, change, ["state"])
        elif "op" in change:
            operate(self.document, change, [])
        else:
            assert kind in ("responderAppearance", "invocation"), change

    def differences(self, present):
        with self.lock:
            held = {"document": text(self.document), "menu": text(self.menu),
                    "items": text([self.items[command] for command in COMMANDS])}
        return [f"{name}: {held[name]} is {present[name]}" for name in held if held[name] != present[name]]


class Poller(Mirror):
    """One that polls instead of streaming."""

    def follow(self):
        response = self.ask(f"/sessions/{self.session}/changes?{QUERY}&wait=2")
        body = response.read()
        if not body.strip():
            # A poll that waits sends spaces, and a kill ends it.
            raise OSError("cut off")
        for event in json.loads(body):
            self.take({"id": event["id"], "event": event["event"], "data": json.dumps(event["data"])})


class Breaker(Mirror):
    """One whose connection breaks again and again."""

    def take(self, event):
        super().take(event)
        if random.random() < 0.2:
            raise OSError("broken")


class Multiplexer(Mirror):
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
                with self.lock:
                    self.id = event["id"]
            else:
                self.take(event)
            event = {}


def mutation(choose, responders):
    kind = choose.random()
    if kind < 0.4:
        value = choose.choice([None, 1, "x", True, {"deep": choose.randrange(9)}, [1, 2]])
        return {"op": "mergeState", "patch": {choose.choice("abc"): value}}
    if kind < 0.6:
        return {"op": "patchState", "patch": [
            {"op": "add", "path": f"/{choose.choice('defg')}", "value": choose.randrange(99)}]}
    if kind < 0.8:
        return {"op": "becomeFirstResponder", "responder": choose.choice(responders)}
    if kind < 0.9:
        # Items from data leave, move and come (M12); the second of two alike has none.
        albums = choose.choices(["Alps", "Coast", "Owls", "Lakes", "Snow"], k=choose.randrange(6))
        return {"op": "mergeState", "patch": {"albums": choose.choice([albums, albums, None])}}
    return {"op": "mergeState", "patch": {"selectedImage": choose.choice(
        [None, {"rating": choose.randrange(6)}])}}


def load(connection, choose, responders):
    """A change, which may be refused."""
    if choose.random() < 0.2:
        command = choose.choice(COMMANDS)
        return connection.ask("POST", "/commands/perform", {"session": "demo", "command": command})
    mutations = [mutation(choose, responders) for _ in range(choose.randrange(1, 4))]
    return connection.ask("POST", "/sessions/demo/mutations", {"mutations": mutations})


def present(connection):
    """What GET answers, as texts."""
    items = connection.ask("POST", "/commands/validate", {"session": "demo", "commands": COMMANDS})
    menu = connection.ask("GET", "/sessions/demo/menu").json
    document = connection.ask("GET", "/sessions/demo")
    return document.json["revision"], {
        "document": document.body.decode(), "menu": text(menu["menu"]),
        "items": text(items.json["items"])}


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
        mirrors = [kind(port, "demo", stop) for kind in (Mirror, Mirror, Poller, Breaker, Multiplexer)]
        for mirror in mirrors:
            mirror.start()
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
            resets = [mirror.resets for mirror in mirrors]
            server.kill()
            server = Program(arguments, environment, options.program)
            server.port()
            connection = Connection(port)
            compare(connection, mirrors, faults, f"after kill {number}")
            new = [mirror.resets - before for mirror, before in zip(mirrors, resets)]
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
