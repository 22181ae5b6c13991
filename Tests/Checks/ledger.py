"""The requests and answers of clients, and the content that must therefore be there after a crash.

Every attempt has an id of its own, which its change appends to the list `log` of a session's state,
so that what is there tells which attempts were applied, how often and in which order. The whole state
follows from that list, and is compared with what is there.
"""

import json
import threading

SENT, DONE, REFUSED, GONE = "sent", "done", "refused", "gone"


class Attempt:
    """One change that a client tried."""

    def __init__(self, name, request, entries=(), count=None, responder=None, revisions=1):
        self.name = name
        self.request = request  # method, path, body, fields
        self.entries = list(entries)  # what it appends to the log
        self.count = count  # (client, value) that it leaves in `counts`
        self.responder = responder  # the responder that it puts
        self.revisions = revisions
        self.status = SENT
        self.answer = None

    @property
    def is_performance(self):
        return self.request[1] == "/commands/perform"


class Session:
    """A session that one client opened; others may change it."""

    def __init__(self, name, generation):
        self.name = name
        self.generation = generation
        self.status = SENT  # of the opening
        self.closing = None  # status of the closing
        self.attempts = []
        self.bodies = {}  # revision → the answer to GET
        self.acknowledged = 0  # the highest revision that anybody was answered
        self.lock = threading.Lock()

    def attempt(self, *arguments, **named):
        attempt = Attempt(*arguments, **named)
        self.attempts.append(attempt)
        return attempt

    def saw(self, answer, violations):
        """Notes an answer to GET, which no crash may take back any more."""
        revision = answer.json["revision"]
        self.answered(revision)
        with self.lock:
            before = self.bodies.setdefault(revision, answer.body)
        if before != answer.body:
            violations.append(f"{self.name}: two answers at revision {revision}")

    def answered(self, revision):
        """Notes a revision that an answer told; no question asked afterwards may tell an earlier one."""
        with self.lock:
            self.acknowledged = max(self.acknowledged, revision)

    def must_exist(self):
        return self.status == DONE and self.closing in (None, REFUSED)

    def must_not_exist(self):
        return self.status in (REFUSED, GONE) or self.closing == DONE


class Command:
    """A command of the catalogue, which one client declares and removes."""

    def __init__(self, name):
        self.name = name
        self.status = SENT
        self.removal = None


def check_freshness(name, before, after, violations):
    """Holds what a question was answered against what others were answered before it was asked.

    Both are pairs of the session's revision and the catalogue's: a session is never seen under a
    catalogue that is older than one that was acknowledged, nor the other way round.
    """
    for part, known, told in zip(("revision", "catalogue"), before, after):
        if told is not None and told < known:
            violations.append(f"stale read: {name} at {part} {told}, after {known} was acknowledged")


def planted(kind, session, answer):
    """The answer to GET of a session, with a fault in it that a checker must find."""
    body = answer.json
    log = body["state"]["log"]
    done = next((a for a in session.attempts if a.status == DONE and a.entries), None)
    if kind == "lost" and done:
        body["state"]["log"] = [entry for entry in log if entry not in done.entries]
    if kind == "twice" and log:
        log.append(log[0])
    answer.body = json.dumps(body).encode()
    return answer


def check_session(session, answer, violations):
    """Holds what is there against what was answered; settles what nobody knew."""
    say = lambda text: violations.append(f"{session.name}: {text}")
    if answer.status == 404:
        if session.must_exist():
            say("an open session is lost")
        elif max(session.bodies, default=-1) >= 0 and session.closing is None:
            say("a session that was read is lost")
        if session.closing == SENT:
            session.closing = DONE
        else:
            session.status = GONE
        return 0
    if answer.status != 200:
        return say(f"GET answers {answer.status}") or 0
    body = answer.json
    state = body["state"]
    if state["generation"] != session.generation:
        return say(f"is of opening {state['generation']}, not {session.generation}") or 0
    if session.must_not_exist():
        return say("is there, though it was closed, refused or gone") or 0
    if session.closing == SENT:
        session.closing = None
    found = session.status == SENT
    session.status = DONE
    return found + check_log(session, body, answer.body, say)


def check_log(session, body, bytes, say):
    log, present = body["state"]["log"], set(body["responders"])
    places = {entry: place for place, entry in enumerate(log)}
    if len(places) != len(log):
        say(f"applied twice: {sorted({x for x in log if log.count(x) > 1})[:5]}")
    known = {entry for attempt in session.attempts for entry in attempt.entries}
    if not known.issuperset(log):
        say(f"nobody sent {sorted(set(log) - known)[:5]}")
    found = revision = 0
    for attempt in session.attempts:
        parts = [entry in places for entry in attempt.entries]
        if attempt.responder:
            parts.append(attempt.responder in present)
        if any(parts) and not all(parts):
            say(f"half applied: {attempt.name}")
        applied = all(parts)
        revision += attempt.revisions * applied
        found += settle(attempt, applied, say)
    if revision != body["revision"]:
        say(f"the revision is {body['revision']}, not {revision}")
    check_order(session, places, say)
    check_state(session, body["state"], places, say)
    check_bodies(session, body, bytes, say)
    return found


def settle(attempt, applied, say):
    """Answers 1 when an attempt that nobody answered turns out to have happened."""
    if attempt.status == SENT:
        attempt.status = DONE if applied else GONE
        return int(applied)
    if attempt.status == DONE and not applied:
        say(f"lost: {attempt.name}, answered {attempt.answer.body[:80]}" if attempt.answer else
            f"lost: {attempt.name}, found after an earlier crash")
    if attempt.status in (REFUSED, GONE) and applied:
        say(f"applied though {attempt.status}: {attempt.name}")
    return 0


def check_order(session, places, say):
    """Revisions that were answered are in the order of the log."""
    done = [(attempt.answer.json["revision"], places[entry]) for attempt in session.attempts
            if attempt.status == DONE and attempt.answer
            for entry in attempt.entries if entry in places]
    if [place for _, place in sorted(done)] != sorted(place for _, place in done):
        say("the order of the log is not that of the revisions")


def check_state(session, state, places, say):
    """The state is what those in the log leave, in their order, and nothing else."""
    by_entry = {attempt.entries[-1]: attempt for attempt in session.attempts if attempt.entries}
    counts, total = {}, 0
    for entry in sorted(places, key=places.get):
        attempt = by_entry.get(entry)
        if attempt and attempt.count:
            counts[attempt.count[0]] = attempt.count[1]
    for attempt in session.attempts:
        if attempt.is_performance:
            total += sum(entry in places for entry in attempt.entries)
    last = max(places, key=places.get, default="")
    for name, value in (("counts", counts), ("total", total), ("last", last)):
        if state[name] != value:
            say(f"{name} is {state[name]}, not {value}")
    if set(state) != {"log", "counts", "total", "last", "generation"}:
        say(f"members {sorted(state)}")


def check_bodies(session, body, bytes, say):
    """Whatever was read is a beginning of what is there, and the same where it is the same."""
    if session.bodies and max(session.bodies) > body["revision"]:
        say(f"revision {max(session.bodies)} was read, and is gone")
    if session.bodies.get(body["revision"], bytes) != bytes:
        say(f"another answer at revision {body['revision']}")
    if session.bodies:
        log = json.loads(session.bodies[max(session.bodies)])["state"]["log"]
        if body["state"]["log"][:len(log)] != log:
            say("what was read is no beginning of what is there")


def check_catalogue(commands, seen, answer, violations):
    """The same for the commands; `seen` is the highest revision that was read or answered."""
    body = answer.json
    present = {command["id"] for command in body["commands"]}
    found = revision = 0
    for command in commands:
        there = command.name in present
        if command.removal == SENT:
            found += not there
            command.removal = None if there else DONE
            command.status = DONE
        elif command.status == SENT:
            found += there
            command.status = DONE if there else GONE
        elif there != (command.status == DONE and command.removal != DONE):
            violations.append(f"command {command.name}: {'there' if there else 'lost'}")
        revision += (command.status == DONE) + (command.removal == DONE)
    if revision != body["catalogRevision"] or seen > revision:
        violations.append(f"catalogue at {body['catalogRevision']}, not {revision}; seen {seen}")
    return found
