"""Clients that change sessions and the catalogue, and note what they tried and what was answered."""

import http.client
import random
import threading

from ledger import DONE, REFUSED, SENT, Command, Session, check_freshness
from program import Connection

UNKNOWN = (OSError, http.client.HTTPException)


class World:
    """All that clients share and that outlives a crash."""

    def __init__(self, keys, may_fail=False, plant=None):
        self.plant = plant  # a fault to plant: "lost", "twice" or "stale"
        self.keys = keys
        self.may_fail = may_fail  # changes may be refused since the disk fails
        self.shared = []  # sessions that everybody changes
        self.own = []  # sessions that one client opens, changes and closes
        self.commands = []
        self.seen_catalogue = 0
        self.violations = []
        self.acknowledged = self.refused = self.reads = 0
        self.lock = threading.Lock()
        self.numbers = iter(range(1 << 60))
        self.keyed = []  # POSTs with a key: (request, answer or None)

    @property
    def sessions(self):
        return self.shared + self.own

    def is_failure(self, answer):
        """Whether the disk may have been the reason."""
        return self.may_fail and answer.status in (503, 507)

    def name(self, prefix):
        with self.lock:
            return f"{prefix}{next(self.numbers)}"

    def read_catalogue(self, revision):
        with self.lock:
            self.seen_catalogue = max(self.seen_catalogue, revision)


class Client(threading.Thread):
    """One of many that work at the same time, until the program is gone."""

    def __init__(self, number, world, port, seed):
        super().__init__(daemon=True)
        self.number, self.world = f"c{number}", world
        self.random = random.Random(seed)
        self.connection = Connection(port, timeout=30)
        self.tags = {}
        self.stopping = False

    def run(self):
        try:
            while not self.stopping:
                self.do_something()
        except UNKNOWN:
            pass  # What was sent last stays SENT: nobody knows.
        except Exception as error:
            self.world.violations.append(f"client failed: {error!r}")

    def do_something(self):
        mine = [s for s in self.world.own if s.owner is self.number or s.owner == self.number]
        live = [s for s in mine if s.must_exist()]
        session = self.random.choice(self.world.shared + live)
        self.random.choices(
            [lambda: self.patch(session), lambda: self.mutate(session),
             lambda: self.perform(session), lambda: self.put_responder(session),
             lambda: self.read(session), lambda: self.validate(session),
             lambda: self.open_or_close(live), self.declare],
            [30, 14, 14, 6, 12, 8, 8, 6])[0]()

    # Requests, and what became of them

    def send(self, record, request):
        """Sends; the record says what is known afterwards: DONE, REFUSED, or SENT as before."""
        method, path, body, fields = request
        keyed = None
        if method == "POST" and self.world.keys:
            fields = fields | {"Idempotency-Key": self.world.name("key-")}
            keyed = [(method, path, body, fields), None, record]
            self.world.keyed.append(keyed)
        answer = self.connection.ask(method, path, body, fields)
        if keyed:
            keyed[1] = answer
        if answer.status < 300:
            with self.world.lock:
                self.world.acknowledged += 1
            return answer, DONE
        if answer.status >= 500 and answer.status != 507 and not self.world.is_failure(answer):
            self.world.violations.append(f"{method} {path}: {answer.status} {answer.body[:300]}")
        if answer.problem == "/problems/outcome-unknown":
            return answer, SENT
        with self.world.lock:
            self.world.refused += 1
        return answer, REFUSED

    def attempt(self, session, name, request, expected=(200,), **details):
        attempt = session.attempt(name, request, **details)
        answer, status = self.send(attempt, request)
        attempt.answer, attempt.status = answer if status == DONE else None, status
        if answer.status not in expected and not self.world.is_failure(answer):
            self.world.violations.append(
                f"{request[0]} {request[1]}: {answer.status} {answer.body[:300]}")
        if status == DONE:
            self.tags[session.name] = answer.headers["ETag"]
            session.answered(answer.json["revision"])
        return attempt

    # What they do

    def patch(self, session):
        """Adds one to the client's own count, sometimes from a stale number or revision."""
        name = self.world.name("p")
        known = self.count(session)
        is_stale = self.random.random() < 0.1
        old = known - 1 if is_stale else known
        test = [{"op": "test", "path": f"/counts/{self.number}", "value": old}] if known else []
        if is_stale and not known:
            test = [{"op": "test", "path": "/last", "value": "nothing"}]
        body = test + [
            {"op": "add", "path": "/log/-", "value": name},
            {"op": "add", "path": f"/counts/{self.number}", "value": old + 1},
            {"op": "replace", "path": "/last", "value": name}]
        fields = {}
        if session.name in self.tags and self.random.random() < 0.15:
            fields = {"If-Match": self.tags[session.name]}
        self.attempt(
            session, name, ("PATCH", f"/sessions/{session.name}/state", body, fields),
            (409,) if is_stale and not fields else (409, 412) if is_stale else
            (200, 412) if fields else (200,),
            entries=[name], count=(self.number, old + 1))

    def count(self, session):
        """What the client left of its count."""
        return max((a.count[1] for a in session.attempts
                    if a.count and a.count[0] == self.number and a.status == DONE), default=0)

    def mutate(self, session):
        """Several mutations, of which the last may be refused, and so all."""
        names = [self.world.name("m") for _ in range(self.random.randint(2, 5))]
        mutations = [
            {"op": "patchState", "patch": [
                {"op": "add", "path": "/log/-", "value": name},
                {"op": "replace", "path": "/last", "value": name}]} for name in names]
        is_bad = self.random.random() < 0.15
        if is_bad:
            mutations.append({"op": "patchState", "patch": [
                {"op": "test", "path": "/last", "value": "something else"}]})
        self.attempt(
            session, names[0],
            ("POST", f"/sessions/{session.name}/mutations", {"mutations": mutations}, {}),
            (409,) if is_bad else (200,), entries=names, revisions=len(names))

    def perform(self, session):
        """A command, whose handler has rules for effects; or one that sends another twice."""
        if self.random.random() < 0.5:
            names, action = [self.world.name("d")], "add:"
        else:
            names, action = [self.world.name("d"), self.world.name("d")], "add:and:"
        self.attempt(
            session, names[0],
            ("POST", "/commands/perform",
             {"session": session.name, "action": action, "arguments": names}, {}),
            entries=names)

    def put_responder(self, session):
        name = self.world.name("r")
        self.attempt(
            session, name,
            ("PUT", f"/sessions/{session.name}/responders/{name}", {"kind": "responder"}, {}),
            (201,), responder=name)

    def moment(self, session):
        """The revisions that somebody was answered by now, of a session and of the catalogue."""
        return session.acknowledged, self.world.seen_catalogue

    def validate(self, session):
        """A question about a session and the catalogue together, maybe of a command of its own."""
        mine = [c for c in self.world.commands if c.owner == self.number and c.status == DONE]
        command = self.random.choice(mine) if mine else None
        before = self.moment(session)
        answer = self.connection.ask(
            "POST", "/commands/validate",
            {"session": session.name, "commands": [command.name] if command else ["add:"]})
        if answer.status != 200:
            if not self.world.is_failure(answer):
                self.world.violations.append(f"validate {session.name}: {answer.status}")
            return
        body = answer.json
        check_freshness(session.name, before, (body["revision"], body["catalogRevision"]),
                        self.world.violations)
        session.answered(body["revision"])
        self.world.read_catalogue(body["catalogRevision"])
        if command and command.removal in (None, DONE):
            is_known = body["items"][0]["reason"] != "unknownCommand"
            if is_known != (command.removal is None):
                self.world.violations.append(
                    f"{command.name} is {'known' if is_known else 'unknown'} to its own client")

    def read(self, session):
        before = self.moment(session)
        answer = self.connection.ask("GET", f"/sessions/{session.name}")
        if answer.status == 200:
            told = answer.json["revision"]
            if self.world.plant == "stale":
                told = min(session.bodies, default=told)
            check_freshness(session.name, before, (told, None), self.world.violations)
            session.saw(answer, self.world.violations)
        elif not self.world.is_failure(answer):
            self.world.violations.append(f"GET {session.name}: {answer.status}")
        with self.world.lock:
            self.world.reads += 1

    def open_or_close(self, live):
        if live and self.random.random() < 0.5:
            self.close(self.random.choice(live))
        else:
            self.open()

    def open(self):
        """Opens a session under one of few names, so that names come again."""
        free = [f"{self.number}-{i}" for i in range(3)]
        taken = {s.name for s in self.world.own if not s.must_not_exist()}
        free = [name for name in free if name not in taken]
        if not free:
            return
        session = Session(self.random.choice(free), self.world.name("g"))
        session.owner = self.number
        self.world.own.append(session)
        state = {"log": [], "counts": {}, "total": 0, "last": "", "generation": session.generation}
        request = ("POST", "/sessions", {"id": session.name, "state": state}, {})
        answer, session.status = self.send(session, request)
        if answer.status != 201 and not self.world.is_failure(answer):
            self.world.violations.append(f"POST /sessions: {answer.status} {answer.body[:300]}")

    def close(self, session):
        session.closing = SENT
        answer, status = self.send(session, ("DELETE", f"/sessions/{session.name}", None, {}))
        session.closing = None if status == REFUSED else status
        if status == REFUSED and not self.world.is_failure(answer):
            self.world.violations.append(f"DELETE {session.name} was refused")

    def declare(self):
        """Declares a command, removes one of its own, or reads them all."""
        which = self.random.random()
        mine = [c for c in self.world.commands if c.owner == self.number and c.status == DONE
                and c.removal is None]
        if which < 0.3:
            answer = self.connection.ask("GET", "/commands")
            if answer.status == 200:
                self.world.read_catalogue(answer.json["catalogRevision"])
        elif which < 0.55 and mine:
            command = self.random.choice(mine)
            command.removal = SENT
            _, status = self.send(command, ("DELETE", f"/commands/{command.name}", None, {}))
            command.removal = None if status == REFUSED else status
        else:
            command = Command(self.world.name("k") + ":")
            command.owner = self.number
            self.world.commands.append(command)
            body = {"title": command.name, "action": command.name}
            _, status = self.send(command, ("PUT", f"/commands/{command.name}", body, {}))
            command.status = status
