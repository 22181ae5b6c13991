"""Histories of sessions and of the catalogue, and whether they can be: linearizable, and everything once.

A session's state is made so that it tells its own history. Each change adds a unique entry: to the list `log`, or
to the object `marks`, whose members are in the order in which they came. So an answer to GET tells which changes
came before, and the revision how many these were. `Session.violations` assigns each change its place, which is its
revision, and then holds everything that was answered against that one order:

- each acknowledged change has a place of its own, those that were refused have none, and of those that nobody
  answered each has one or none; no place is left that nobody's change explains;
- a change has a later place than everything that was answered before it was asked for;
- a question shows everything that anybody was answered before it was asked, and is the state that the changes up
  to its revision leave, to the byte.
"""

import bisect
import heapq
import json
import math
import zlib

OPEN, DONE, REFUSED = "open", "done", "refused"


class Change:
    """A mutation that a client asked for; without an answer it is open, and may have happened at any time."""

    __slots__ = ("name", "client", "kind", "begin", "end", "status", "revision", "entries", "mark",
                 "words", "total", "width", "known", "replicas", "key")

    def __init__(self, name, client, kind, begin, entries=(), mark=None, words=None, total=0, width=1,
                 known=None):
        self.name, self.client, self.kind, self.begin = name, client, kind, begin
        self.entries = list(entries)  # what it appends to the log
        self.mark = mark  # the member of `marks` that it adds
        self.words = words or {}  # the registers that it writes
        self.total = total  # what it adds to the counter
        self.width = width  # the number of revisions that it takes
        self.known = known  # the revision that it required
        self.end, self.status, self.revision = math.inf, OPEN, None
        self.replicas, self.key = [], None

    def done(self, end, revision):
        self.end, self.status, self.revision = end, DONE, revision
        return self

    def refused(self, end):
        self.end, self.status = end, REFUSED
        return self

    def __repr__(self):
        times = f"{self.begin:.4f}–{self.end:.4f}" if self.end < math.inf else f"{self.begin:.4f}–?"
        return (f"{self.kind} {self.name} by {self.client} at {times} via {'+'.join(self.replicas) or '?'}: "
                f"{self.status}{'' if self.revision is None else f' at {self.revision}'}")


class Read:
    """An answer that told a revision."""

    __slots__ = ("client", "kind", "begin", "end", "revision", "replica", "known", "is_recent")

    def __init__(self, client, kind, begin, end, revision, replica=None, is_recent=False, known=None):
        self.client, self.kind, self.begin, self.end = client, kind, begin, end
        self.revision, self.replica = revision, replica
        self.is_recent = is_recent  # True if it may be behind
        self.known = known  # the revision whose tag the client sent

    def __repr__(self):
        return (f"{self.kind} by {self.client} at {self.begin:.4f}–{self.end:.4f} via {self.replica}: "
                f"revision {self.revision}")


class Floor:
    """The highest revision that was answered by some moment."""

    def __init__(self, points):
        self.ends, self.tops = [], []
        for end, revision, source in sorted(points, key=lambda point: point[:2]):
            if not self.tops or revision > self.tops[-1][0]:
                self.ends.append(end)
                self.tops.append((revision, source))

    def at(self, moment):
        """That revision and which answer told it; of all that ended before the moment."""
        index = bisect.bisect_left(self.ends, moment)
        return self.tops[index - 1] if index else (0, None)


class Session:
    """The requests of clients to one opening of a session, and their answers."""

    def __init__(self, name, registers=None):
        self.name = name
        self.registers = dict(registers or {})  # as they were when it was opened
        self.changes, self.reads = [], []
        self.bodies = {}  # revision → the answer to GET, compressed, and the read that told it
        self.misses = []  # (begin, end, client, replica, is recent) of answers that there is no such session
        self.opened, self.closed = (-math.inf, -math.inf), (math.inf, math.inf)
        self.faults = []  # found while they were recorded

    def saw(self, read, body=None):
        """Notes an answer; two of one revision must be the same to the byte."""
        self.reads.append(read)
        if body is None:
            return
        known = self.bodies.get(read.revision)
        if known is None:
            self.bodies[read.revision] = (zlib.compress(body, 1), read)
        elif zlib.decompress(known[0]) != body:
            self.faults.append(
                f"{self.name}: two answers at revision {read.revision}: {known[1]!r}: "
                f"{excerpt(zlib.decompress(known[0]), body)}; {read!r}: "
                f"{excerpt(body, zlib.decompress(known[0]))}")

    def violations(self, final, bound=None):
        """The violations; `final` is the document after everything, or None if only answers count."""
        return self.faults + Places(self, final, bound).check()


def excerpt(text, other, width=60):
    """The text around where it begins to differ."""
    index = next((i for i, pair in enumerate(zip(text, other)) if pair[0] != pair[1]),
                 min(len(text), len(other)))
    return text[max(0, index - width):index + width].decode(errors="replace")


class Places:
    """The place of each change of a session."""

    def __init__(self, session, final, bound):
        self.session, self.final, self.bound = session, final, bound
        self.found = []
        self.places = {}  # change → its last revision

    def say(self, text):
        self.found.append(f"{self.session.name}: {text}")

    def check(self):
        self.check_existence()
        if self.final is None:
            return self.found
        state = self.final["state"]
        self.log, self.marks = state["log"], list(state["marks"])
        self.by_entry = {entry: change for change in self.session.changes for entry in change.entries}
        self.by_mark = {change.mark: change for change in self.session.changes if change.mark}
        self.check_once()
        if not self.found:
            self.place()
        if not self.found:
            self.check_real_time()
            self.check_bodies()
        return self.found

    def check_existence(self):
        opened, closed = self.session.opened, self.session.closed
        for begin, end, client, replica, is_recent in self.session.misses:
            if opened[1] < begin - (self.bound if is_recent else 0) and end < closed[0]:
                self.say(f"an open session is not there for {client} at {begin:.4f}–{end:.4f} via {replica}")
        for read in self.session.reads:
            if read.end < opened[0] or read.begin - (self.bound if read.is_recent else 0) > closed[1]:
                self.say(f"stale read: {read!r}, of an opening that was from {opened[0]:.4f} to {closed[1]:.4f}")

    # Once

    def check_once(self):
        repeated = {entry for entry in self.log if self.log.count(entry) > 1} \
            if len(set(self.log)) != len(self.log) else ()
        for entry in repeated:
            self.say(f"happened twice: {self.by_entry.get(entry, entry)!r}")
        unknown = [x for x in self.log if x not in self.by_entry] \
            + [x for x in self.marks if x not in self.by_mark]
        if unknown:
            self.say(f"nobody asked for {unknown[:5]}")
        entries, marks = set(self.log), set(self.marks)
        for change in self.session.changes:
            parts = [entry in entries for entry in change.entries]
            if change.mark:
                parts.append(change.mark in marks)
            if any(parts) and not all(parts):
                self.say(f"half applied: {change!r}")
            elif change.status == DONE and not all(parts):
                self.say(f"lost: {change!r}")
            elif change.status == REFUSED and any(parts):
                self.say(f"refused, and it happened: {change!r}")
            elif all(parts):
                self.places[change] = change.revision
        total = sum(change.total for change in self.places)
        if self.final["state"]["total"] != total:
            self.say(f"the counter is {self.final['state']['total']}, not {total}")

    # Places

    def place(self):
        """Gives each change that happened its place: the one it was answered, or a free one."""
        top = self.final["revision"]
        taken = {}
        for change, revision in self.places.items():
            if revision is None:
                continue
            for place in range(revision - change.width + 1, revision + 1):
                if place in taken:
                    self.say(f"two at revision {place}: {taken[place]!r}, {change!r}")
                taken[place] = change
            if revision > top or revision - change.width < 0:
                self.say(f"the last revision is {top}: {change!r}")
        free = [place for place in range(1, top + 1) if place not in taken]
        waiting = [change for change, revision in self.places.items() if revision is None]
        units = sum(change.width for change in waiting)
        if len(free) != units:
            self.say(f"{len(free)} revisions are of no change that was answered, {free[:5]}, and "
                     f"{units} are of changes that were not: something happened twice, or is lost: {waiting[:4]}")
        elif not self.found:
            self.fill(free, waiting)
        self.check_chain(self.log, self.by_entry, "log")
        self.check_chain(self.marks, self.by_mark, "marks")

    def fill(self, free, waiting):
        """Earliest deadline first is exact for units with a release and a deadline."""
        if not waiting:
            return
        floor = Floor(self.points())
        bounds = {}
        for change in waiting:
            release, deadline = floor.at(change.begin)[0] + 1, self.final["revision"]
            bounds[change] = [release, deadline - change.width + 1]
        for revision, (body, _) in self.session.bodies.items():
            state = json.loads(zlib.decompress(body))["state"]
            shown = set(state["log"]) | set(state["marks"])
            for change in waiting:
                if (change.entries[-1] if change.entries else change.mark) in shown:
                    bounds[change][1] = min(bounds[change][1], revision - change.width + 1)
                else:
                    bounds[change][0] = max(bounds[change][0], revision + 1)
        for chain, owner in ((self.log, self.by_entry), (self.marks, self.by_mark)):
            self.narrow([owner[entry] for entry in chain], bounds)
        released, queue, index = sorted(bounds, key=lambda change: bounds[change][0]), [], 0
        current, left = None, 0
        for place in free:
            while index < len(released) and bounds[released[index]][0] <= place:
                heapq.heappush(queue, (bounds[released[index]][1], index, released[index]))
                index += 1
            if not left:
                if not queue:
                    return self.say(f"no change that was not answered can have been at revision {place}: "
                                    f"{[(change, bounds[change]) for change in released[index:index + 3]]}")
                deadline, _, current = heapq.heappop(queue)
                left = current.width
                if place > deadline:
                    return self.say(f"must have been at revision {deadline}, which others took: {current!r}")
            left -= 1
            self.places[current] = place

    def narrow(self, chain, bounds):
        """Each comes after the one before it in its chain, and before the next one."""
        least = 1
        for change in dict.fromkeys(chain):
            if change in bounds:
                bounds[change][0] = max(bounds[change][0], least)
                least = bounds[change][0] + change.width
            else:
                least = change.revision + 1
        most = self.final["revision"] + 1
        for change in reversed(list(dict.fromkeys(chain))):
            if change in bounds:
                bounds[change][1] = min(bounds[change][1], most - change.width)
                most = bounds[change][1]
            else:
                most = change.revision - change.width + 1

    def check_chain(self, chain, owner, name):
        before = None
        for entry in chain:
            change = owner[entry]
            if before and before is not change and self.places.get(change) is not None \
                    and self.places.get(before) is not None and self.places[change] <= self.places[before]:
                self.say(f"{name} has another order than the revisions: {before!r}, then {change!r}")
            before = change

    # Real time

    def points(self):
        """Whatever told a revision: (end, revision, source)."""
        yield from ((change.end, change.revision, change) for change in self.session.changes
                    if change.status == DONE)
        yield from ((read.end, read.revision, read) for read in self.session.reads)

    def check_real_time(self):
        floor = Floor(self.points())
        for change, place in self.places.items():
            known, source = floor.at(change.begin)
            if known > place - change.width:
                self.say(f"too early: {change!r} is at {place}, and was asked for after {source!r}")
            if change.known is not None and change.status == DONE and change.known != place - change.width:
                self.say(f"required revision {change.known}: {change!r}")
        for read in self.session.reads:
            if read.revision > self.final["revision"]:
                self.say(f"taken back: the last revision is {self.final['revision']}: {read!r}")
            known, source = floor.at(read.begin - (self.bound if read.is_recent else 0))
            if read.revision < known:
                self.say(f"stale read: {read!r}, though it was asked after {source!r}")
            if read.known is not None and read.revision < read.known:
                self.say(f"stale read: {read!r}, though its client sent revision {read.known}")
        self.check_replicas([read for read in self.session.reads if read.is_recent])

    def check_replicas(self, reads):
        """A replica does not fall behind what it has answered itself, be it recent or not."""
        for replica in {read.replica for read in reads}:
            own = [read for read in reads if read.replica == replica]
            floor = Floor([(read.end, read.revision, read) for read in own])
            for read in own:
                known, source = floor.at(read.begin)
                if read.revision < known:
                    self.say(f"stale read: {read!r}, though it was asked after {source!r}")

    # States

    def check_bodies(self):
        """Each answer is the state that the changes up to its revision leave."""
        bodies = sorted(self.session.bodies.items()) + [(self.final["revision"], (None, None))]
        log = iter([(self.places[self.by_entry[entry]], entry) for entry in self.log])
        marks = iter([(self.places[self.by_mark[mark]], mark) for mark in self.marks])
        next_entry, next_mark = next(log, None), next(marks, None)
        model = {"log": [], "marks": [], "words": dict(self.session.registers), "total": 0, "last": ""}
        for revision, (body, read) in bodies:
            while next_entry and next_entry[0] <= revision:
                entry, change = next_entry[1], self.by_entry[next_entry[1]]
                model["log"].append(entry)
                model["last"] = entry
                model["total"] += change.total / max(1, len(change.entries))
                if entry == change.entries[-1]:
                    model["words"] |= change.words
                next_entry = next(log, None)
            while next_mark and next_mark[0] <= revision:
                model["marks"].append(next_mark[1])
                model["words"] |= self.by_mark[next_mark[1]].words
                next_mark = next(marks, None)
            document = json.loads(zlib.decompress(body)) if body else self.final
            state = document["state"]
            told = {"log": state["log"], "marks": list(state["marks"]), "words": state["words"],
                    "total": state["total"], "last": state["last"]}
            if document["revision"] != revision:
                self.say(f"revision {document['revision']} in an answer at {revision}: {read!r}")
            for name in told:
                if told[name] != model[name]:
                    self.say(f"{name} at revision {revision} {differences(told[name], model[name])}: {read!r}")
                    return


def differences(told, expected):
    if isinstance(told, dict):
        names = [name for name in told | expected if told.get(name) != expected.get(name)]
        return f"differs in {names}: {[told.get(name) for name in names]}, not {[expected.get(name) for name in names]}"
    if isinstance(told, list):
        extra = [x for x in told if x not in expected]
        lacks = [x for x in expected if x not in told]
        return f"has {extra[:3]}, lacks {lacks[:3]}, of {len(expected)}"
    return f"is {told!r}, not {expected!r}"


class Catalogue:
    """The commands that clients declare and remove, each under a name of its own and once."""

    def __init__(self):
        self.declared, self.removed = {}, {}  # name → Change
        self.reads = []  # (Read, names or None, known names, unknown names)
        self.listed = {}  # revision → names

    def saw(self, read, names=None, known=(), unknown=()):
        self.reads.append((read, names, known, unknown))

    def violations(self, final, bound=None):
        """`final` is the revision at the end and all names then."""
        found = []
        floor = Floor([(read.end, read.revision, read) for read, *_ in self.reads])
        top, names = final
        effective = 0
        for name, change in self.declared.items():
            removal = self.removed.get(name)
            is_there = name in names
            if change.status == DONE and not is_there and removal is None:
                found.append(f"catalogue: lost: {change!r}")
            if change.status == REFUSED and is_there:
                found.append(f"catalogue: refused, and it happened: {change!r}")
            if removal is not None and removal.status == DONE and is_there:
                found.append(f"catalogue: removed, and it is there: {removal!r}")
            effective += is_there or change.status == DONE
            effective += removal is not None and not is_there
        if top != effective:
            found.append(f"catalogue: the last revision is {top}, not {effective}: something happened twice or is lost")
        for read, told, known, unknown in self.reads:
            least, source = floor.at(read.begin - (bound or 0 if read.is_recent else 0))
            if read.revision < least:
                found.append(f"catalogue: stale read: {read!r}, though it was asked after {source!r}")
            elif read.revision > top:
                found.append(f"catalogue: taken back: the last revision is {top}: {read!r}")
            if told is not None and self.listed.setdefault(read.revision, told) != told:
                found.append(f"catalogue: two lists at revision {read.revision}: {read!r}")
            if not read.is_recent:
                found += self.contradictions(read, told, known, unknown)
        return found

    def contradictions(self, read, told, known, unknown):
        absent = set(unknown)
        present = set(known)
        if told is not None:
            present |= told & self.declared.keys()
            absent |= self.declared.keys() - told
        for name in absent:
            change, removal = self.declared.get(name), self.removed.get(name)
            if change and change.status == DONE and change.end < read.begin \
                    and (removal is None or removal.begin > read.end):
                yield f"catalogue: stale read: {read!r} does not know {change!r}"
        for name in present:
            removal = self.removed.get(name)
            if removal and removal.status == DONE and removal.end < read.begin:
                yield f"catalogue: stale read: {read!r} still knows {removal!r}"
            if name in self.declared and self.declared[name].begin > read.end:
                yield f"catalogue: {read!r} knows {self.declared[name]!r}"
