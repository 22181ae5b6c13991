"""Clients that change and read sessions and the catalogue through HAProxy, and record what they did and saw."""

import http.client
import random
import threading
import time

from history import DONE, OPEN, REFUSED, Catalogue, Change, Read, Session
from program import Connection

UNKNOWN = (OSError, http.client.HTTPException)
# Problems that say that nothing was done. HAProxy may have repeated a request with a key, so they say so only of
# requests without one.
UNDONE = {f"/problems/{name}" for name in ("recovering", "overloaded", "not-kept", "too-many-sessions")}
# Changes that are refused only by a replica that is behind, as it may be with recent reads.
SURE = ("open", "close", "PUT", "DELETE")
MERGE, PATCH = "application/merge-patch+json", "application/json-patch+json"
REGISTERS = {f"{kind}{number}": "" for kind in "rw" for number in range(3)}
LENGTH = 150  # revisions of a shared session, after which another one takes its place


class World:
    """All that clients share."""

    def __init__(self, port, authorization, options, seed):
        self.port, self.authorization, self.options = port, authorization, options
        self.random = random.Random(seed)
        self.lock = threading.Lock()
        self.numbers = iter(range(1 << 60))
        self.catalogue = Catalogue()
        self.sessions, self.active, self.own = [], [], {}  # own: name → the newest opening
        self.generations = {}
        self.faults, self.failures, self.times = [], [], {}
        self.answered = self.repeated = self.replayed = 0
        self.stopping = threading.Event()

    def name(self, prefix):
        with self.lock:
            return f"{prefix}{next(self.numbers)}"

    def fault(self, text):
        with self.lock:
            self.faults.append(text)

    def session(self, name):
        """A new opening of that name, which is not asked for yet."""
        session = Session(name, REGISTERS)
        session.generation = self.name("g")
        session.final, session.is_abandoned = None, False
        with self.lock:
            self.sessions.append(session)
            self.generations[session.generation] = session
        return session


class Client(threading.Thread):
    """One that does one thing after the other."""

    def __init__(self, number, world):
        super().__init__(daemon=True)
        self.number, self.world = f"c{number}", world
        self.random = random.Random(world.random.random())
        self.connection = None
        self.tags = {}  # path → the newest ETag that it knows
        self.current = None  # its own session
        self.abandoned = 0  # names of sessions of whose opening or closing it does not know

    def run(self):
        try:
            while not self.world.stopping.is_set():
                self.do_something()
                time.sleep(self.random.expovariate(1 / self.world.options.think))
        except Exception as error:  # A defect of this script.
            self.world.fault(f"{self.number} failed: {error!r}")
            raise

    def do_something(self):
        shared = self.random.choice(self.world.active)
        if len(shared.reads) and shared.reads[-1].revision > LENGTH:
            self.replace(shared)
            return
        self.random.choices(
            [lambda: self.change(shared), lambda: self.read(shared), lambda: self.validate(shared),
             self.work_on_own, self.read_anothers, self.declare],
            [34, 22, 16, 14, 6, 8])[0]()

    # Requests

    def ask(self, method, path, body=None, headers=None, timeout=4):
        """An answer, or None if there is none."""
        if self.connection is None:
            self.connection = Connection(self.world.port, timeout)
        begin = time.monotonic()
        try:
            answer = self.connection.ask(method, path, body, self.world.authorization | (headers or {}))
        except UNKNOWN as error:
            self.connection.close()
            self.connection = None
            self.world.failures.append((begin, time.monotonic(), type(error).__name__))
            return None
        if answer.headers.get("Connection", "").lower() == "close":
            self.connection.close()
            self.connection = None
        if answer.status >= 500:
            who = "menud" if "X-Replica" in answer.headers and answer.problem else "HAProxy"
            problem = (answer.problem or "").removeprefix("/problems/")
            self.world.failures.append((begin, time.monotonic(), f"{who} {answer.status} {problem}".strip()))
            if answer.problem in UNDONE and "Retry-After" not in answer.headers:
                self.world.fault(f"{method} {path}: {answer.status} {answer.body[:200]} without Retry-After")
            if answer.status == 500:
                self.world.fault(f"{method} {path}: {answer.status} {answer.body[:300]}")
        else:
            self.world.answered += 1
            self.world.times.setdefault(method, []).append(time.monotonic() - begin)
        return answer

    def send(self, change, method, path, body, headers=None, patience=None, has_key=None):
        """Sends a change until its outcome is known or patience ends; answers the last answer."""
        headers = dict(headers or {})
        if has_key if has_key is not None else self.random.random() < 0.85:
            change.key = self.world.name("key-")
            headers["Idempotency-Key"] = f'"{change.key}"'
        if patience is None:
            patience = self.random.choice([0, 20, 20, 20, 20])
        change.begin = time.monotonic()
        is_lost = False
        while True:
            answer = self.ask(method, path, body, headers)
            now = time.monotonic()
            if answer is not None:
                change.replicas.append(answer.headers.get("X-Replica", "HAProxy"))
            if answer is not None and answer.status < 300:
                change.end, change.status = now, DONE
                if change.key and self.random.random() < 0.05:
                    self.ask_again(change, answer, method, path, body, headers)
                return answer
            if answer is not None and answer.status < 500:
                if self.is_recent and change.kind in SURE and now - change.begin < self.world.options.bound:
                    time.sleep(0.02)
                    continue
                change.refused(now)
                return answer
            is_undone = answer is not None and answer.problem in UNDONE and change.key is None
            is_lost = is_lost or not is_undone
            if change.key is None or now - change.begin > patience:
                if not is_lost:
                    change.refused(now)
                return answer
            self.world.repeated += 1
            time.sleep(self.random.uniform(0.02, 0.25))

    def ask_again(self, change, before, *request):
        """The same request with its key is answered the same, and does nothing."""
        again = self.ask(*request)
        if again is None or again.status >= 500 or again.problem == "/problems/over-budget":
            return
        self.world.replayed += 1
        if (again.status, again.body) != (before.status, before.body):
            self.world.fault(f"{change!r} was answered {before.status} {before.body[:200]}, and then, with its key, "
                             f"{again.status} {again.body[:200]}")

    # Changes

    def change(self, session, patience=None, has_key=None):
        """Makes a change of a random kind."""
        path = f"/sessions/{session.name}"
        name = self.world.name("e")
        kind = self.random.choices(
            ["write", "merge", "perform", "two", "list", "conditional", "conflict"],
            [24, 20, 20, 8, 10, 10, 8])[0]
        change = Change(name, self.number, kind, 0, [name])
        method, headers = "PATCH", {"Content-Type": PATCH}
        word = f"r{self.random.randrange(3)}"
        operations = [{"op": "add", "path": "/log/-", "value": name},
                      {"op": "replace", "path": f"/words/{word}", "value": name},
                      {"op": "replace", "path": "/last", "value": name}]
        if kind in ("write", "conditional", "conflict"):
            change.words, path, body = {word: name}, path + "/state", operations
            if kind == "conditional":
                tag, revision = self.tags.get(session.generation, (None, None))
                if tag is None:
                    self.read(session)
                    return None
                headers["If-Match"], change.known = tag, revision
            if kind == "conflict":
                body = [{"op": "test", "path": "/last", "value": "never"}, *operations]
        elif kind == "merge":
            word = f"w{self.random.randrange(3)}"
            change.entries, change.mark, change.words = [], name, {word: name}
            path, headers = path + "/state", {"Content-Type": MERGE}
            body = {"marks": {name: 1}, "words": {word: name}}
        elif kind == "list":
            change.entries = [f"{name}.{part}" for part in range(self.random.randint(2, 3))]
            change.width = len(change.entries)
            method, path, headers = "POST", path + "/mutations", {}
            body = {"mutations": [
                {"op": "patchState", "patch": [{"op": "add", "path": "/log/-", "value": entry},
                                               {"op": "replace", "path": "/last", "value": entry}]}
                for entry in change.entries]}
        else:
            change.entries = [name] if kind == "perform" else [f"{name}.1", f"{name}.2"]
            change.total = len(change.entries)
            method, path, headers = "POST", "/commands/perform", {}
            body = {"session": session.name, "action": "add:" if kind == "perform" else "add:and:",
                    "arguments": change.entries}
        with self.world.lock:
            session.changes.append(change)
        answer = self.send(change, method, path, body, headers, patience, has_key)
        self.settle(session, change, answer)
        return change

    def settle(self, session, change, answer):
        if change.status == DONE:
            change.revision = answer.json["revision"]
            self.know(session, answer, change.revision)
            if change.kind == "conflict":
                self.world.fault(f"a test that fails was passed: {change!r}")
        if change.status != REFUSED or answer.status >= 500:
            return
        replica = answer.headers.get("X-Replica")
        if answer.status == 404:
            session.misses.append((change.begin, change.end, self.number, replica, self.is_recent))
        elif answer.status == 412 and change.kind == "conditional":
            revision = answer.json["revision"]
            session.saw(Read(
                self.number, "412", change.begin, change.end, revision, replica, self.is_recent))
            if revision == change.known and answer.headers["ETag"] == self.tags[session.generation][0]:
                self.world.fault(f"refused with 412, and it is at that revision: {change!r}")
        elif not (answer.status == 409 and change.kind == "conflict"):
            self.world.fault(f"{change!r}: {answer.status} {answer.body[:300]}")

    def know(self, session, answer, revision):
        if "ETag" in answer.headers and revision >= self.tags.get(session.generation, ("", -1))[1]:
            self.tags[session.generation] = (answer.headers["ETag"], revision)

    # Questions

    def question(self, method, path, body=None, headers=None, patience=0):
        """Asks until there is an answer or patience ends; (begin, end, answer)."""
        start = time.monotonic()
        while True:
            begin = time.monotonic()
            answer = self.ask(method, path, body, headers)
            if answer is not None and answer.status < 500:
                return begin, time.monotonic(), answer
            if time.monotonic() - start > patience:
                return begin, time.monotonic(), None
            time.sleep(0.05)

    def read(self, session, patience=0):
        """The document; None if there is none, or if it is what the client knows already."""
        tag, known = self.tags.get(session.generation, (None, None))
        if patience or self.random.random() < 0.5:
            tag = known = None
        begin, end, answer = self.question(
            "GET", f"/sessions/{session.name}", None, {"If-None-Match": tag} if tag else None, patience)
        if answer is None:
            return None
        replica = answer.headers.get("X-Replica")
        if answer.status == 304:
            session.saw(Read(self.number, "304", begin, end, known, replica, self.is_recent))
            return None
        if answer.status == 404:
            session.misses.append((begin, end, self.number, replica, self.is_recent))
            return None
        document = answer.json
        told = self.world.generations.get(document["state"].get("generation"))
        if told is None or told.name != session.name:
            self.world.fault(f"GET {session.name} by {self.number} shows nobody's: {answer.body[:200]}")
            return None
        told.saw(Read(self.number, "GET", begin, end, document["revision"], replica, self.is_recent,
                      known if told is session and not self.ignores_tags else None), answer.body)
        self.know(told, answer, document["revision"])
        return document

    @property
    def is_recent(self):
        return self.world.options.reads == "recent"

    @property
    def ignores_tags(self):
        return self.is_recent and self.world.options.ignores_tags

    def validate(self, session):
        """A question about a session and a command that somebody declared."""
        names = self.some_names()
        begin, end, answer = self.question(
            "POST", "/commands/validate", {"session": session.name, "commands": ["add:", *names]})
        if answer is None:
            return
        replica = answer.headers.get("X-Replica")
        if answer.status == 404:
            session.misses.append((begin, end, self.number, replica, self.is_recent))
            return
        body = answer.json
        session.saw(Read(self.number, "validate", begin, end, body["revision"], replica, self.is_recent))
        unknown = {item["command"] for item in body["items"] if item["reason"] == "unknownCommand"}
        self.world.catalogue.saw(
            Read(self.number, "validate", begin, end, body["catalogRevision"], replica, self.is_recent), None,
            [name for name in names if name not in unknown], [name for name in names if name in unknown])

    def some_names(self):
        declared = list(self.world.catalogue.declared)[-6:]
        return self.random.sample(declared, min(2, len(declared)))

    def read_anothers(self):
        """A session that another client opens and closes under the same name."""
        with self.world.lock:
            sessions = list(self.world.own.values())
        if sessions:
            self.read(self.random.choice(sessions))

    # Sessions

    def open(self, session, patience):
        state = {"log": [], "marks": {}, "words": REGISTERS, "total": 0, "last": "",
                 "generation": session.generation}
        opening = Change(session.name, self.number, "open", 0)
        session.opened = (time.monotonic(), float("inf"))
        answer = self.send(opening, "POST", "/sessions", {"id": session.name, "state": state},
                           patience=patience, has_key=True)
        session.opened = (opening.begin, opening.end)
        if opening.status == REFUSED:
            self.world.fault(f"{opening!r}: {answer.status} {answer.body[:300]}")
        session.is_abandoned = opening.status != DONE
        return opening.status == DONE

    def replace(self, session):
        """Lets a new session take the place of one that has become long."""
        with self.world.lock:
            if session not in self.world.active or len(self.world.active) < 2:
                return
            self.world.active.remove(session)
        new = self.world.session(self.world.name("shared-"))
        if self.open(new, patience=60):
            with self.world.lock:
                self.world.active.append(new)
        else:
            with self.world.lock:
                self.world.active.append(session)

    def work_on_own(self):
        """Opens, changes and closes a session under a name that comes again."""
        if self.current is None:
            name = f"own-{self.number}-{self.abandoned}"
            session = self.world.session(name)
            with self.world.lock:
                self.world.own[name] = session
            if self.open(session, patience=60):
                self.current = session
            else:
                self.abandoned += 1
        elif self.random.random() < 0.1:
            self.close()
        else:
            change = self.change(self.current, patience=60, has_key=True)
            if change and change.status == OPEN:
                self.current.is_abandoned = True

    def close(self):
        session, self.current = self.current, None
        while True:
            session.final = self.read(session, patience=60)
            _, known = self.tags.get(session.generation, (None, -1))
            if not self.is_recent or session.final is None or session.final["revision"] >= known:
                break
        closing = Change(session.name, self.number, "close", 0)
        session.closed = (time.monotonic(), float("inf"))
        answer = self.send(closing, "DELETE", f"/sessions/{session.name}", None, patience=60, has_key=True)
        session.closed = (closing.begin, closing.end)
        if closing.status == REFUSED:
            self.world.fault(f"{closing!r}: {answer.status} {answer.body[:300]}")
        if closing.status != DONE:
            session.is_abandoned = True
            self.abandoned += 1

    # The catalogue

    def declare(self):
        catalogue = self.world.catalogue
        which = self.random.random()
        mine = [name for name, change in list(catalogue.declared.items())
                if change.client == self.number and change.status == DONE and name not in catalogue.removed]
        if which < 0.3:
            begin, end, answer = self.question("GET", "/commands")
            if answer is not None:
                body = answer.json
                names = {command["id"] for command in body["commands"]} - {"add:", "add:and:"}
                catalogue.saw(Read(self.number, "GET /commands", begin, end, body["catalogRevision"],
                                   answer.headers.get("X-Replica"), self.is_recent), names)
        elif which < 0.6 and mine:
            name = self.random.choice(mine)
            change = catalogue.removed[name] = Change(name, self.number, "DELETE", time.monotonic())
            answer = self.send(change, "DELETE", f"/commands/{name}", None, patience=60, has_key=True)
            if change.status == REFUSED:
                self.world.fault(f"{change!r}: {answer.status} {answer.body[:300]}")
        else:
            name = self.world.name("k") + ":"
            change = catalogue.declared[name] = Change(name, self.number, "PUT", time.monotonic())
            answer = self.send(change, "PUT", f"/commands/{name}", {"title": name, "action": name},
                               patience=60, has_key=True)
            if change.status == REFUSED:
                self.world.fault(f"{change!r}: {answer.status} {answer.body[:300]}")

