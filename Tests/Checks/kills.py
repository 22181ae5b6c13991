#!/usr/bin/env python3
"""Kills menud at random moments under load, and holds what comes back against what was answered.

After each kill and the start that follows:
- what was answered is there, exactly once, whole, in the order of the answers;
- what was read is there, and at the same revision to the byte;
- what was refused is not there, and of what nobody answered each is there as a whole or not at all,
  and stays so;
- with `--failing-disk`, writes and flushes fail for moments during the load, by a library before the
  program: what was refused meanwhile is not there either, and when the disk is well again, changes
  are accepted without a restart;
- with `--keys`, POSTs that nobody answered are sent again under the same `Idempotency-Key`, and then
  are there exactly once; those that were answered are answered the same, and do nothing.
"""

import argparse
import os
import random
import shutil
import statistics
import sys
import tempfile
import time

from clients import UNKNOWN, Client, World
from failing_disk import MODES, FailingDisk, Weather
from ledger import DONE, REFUSED, SENT, Session, check_catalogue, check_session, planted
from program import APPLICATION, BUILT, Connection, NotListening, Program

SHARED = 3


class Figures:
    """What the table tells."""

    def __init__(self):
        self.kills = self.while_starting = 0
        self.acknowledged = self.refused = self.reads = 0
        self.unanswered = self.found = self.retried = self.replayed = 0
        self.cut_off = self.violations = self.recovered = 0
        self.episodes = {}
        self.starts = []


class Journal:
    """One journal, through several kills."""

    def __init__(self, options, durability, figures, seed):
        self.options, self.durability, self.figures = options, durability, figures
        self.random = random.Random(seed)
        self.folder = tempfile.mkdtemp(prefix="menud-kills-", dir=options.folder)
        self.disk = FailingDisk(self.folder) if options.failing_disk else None
        self.every = self.random.choice([1, 5, 50])
        self.program = self.start()
        self.world = World(self.keys(), may_fail=options.failing_disk, plant=options.plant)
        self.open_shared()

    def start(self):
        return Program(
            ["--application", APPLICATION, "--journal-path", f"{self.folder}/menud.db",
             "--journal-durability", self.durability],
            {"MENUD_JOURNAL_SNAPSHOT_EVERY": str(self.every), "MENUD_LIMITS_PROCESSOR_TIME": "0",
             "MENUD_LIMITS_OPENING_TIME": "0"}
            | (self.disk.environment if self.disk else {}), self.options.program)

    def connect(self):
        return Connection(self.program.port())

    def keys(self):
        """Whether POSTs get keys: by default when the program knows of them."""
        if self.options.keys != "auto":
            return self.options.keys == "on"
        return b"Idempotency-Key" in self.connect().ask("GET", "/openapi.json").body

    def open_shared(self):
        connection = self.connect()
        for number in range(SHARED):
            session = Session(f"shared-{number}", f"g-shared-{number}")
            state = {"log": [], "counts": {}, "total": 0, "last": "",
                     "generation": session.generation}
            answer = connection.ask("POST", "/sessions", {"id": session.name, "state": state})
            assert answer.status == 201, answer.body
            session.owner, session.status = None, DONE
            self.world.shared.append(session)

    def run(self):
        """Loads, kills, starts and checks; answers what is wrong."""
        if self.options.is_losing:
            self.lose()
        self.load_and_kill()
        if self.options.is_losing:
            self.put_back()
        self.program = self.restart()
        self.figures.starts.append(self.program.listening_after * 1000)
        connection = self.connect()
        self.check(connection)
        if self.world.keys:
            self.retry(connection)
            self.check(connection)
        return self.world.violations

    def load_and_kill(self):
        port = self.program.port()
        clients = [Client(number, self.world, port, self.random.random())
                   for number in range(self.options.clients)]
        read = self.world.reads
        for client in clients:
            client.start()
        weather = Weather(self.disk, self.random, self.figures.episodes) if self.disk else None
        if weather:
            weather.start()
        time.sleep(self.random.uniform(0.005, self.options.seconds))
        if self.options.expects_violations:
            self.await_reads(read + 20)
        if weather and self.random.random() < 0.5:
            weather.stop()
            self.expect_recovery()
        self.program.kill()
        if weather:
            weather.stop()
        self.figures.kills += 1
        for client in clients:
            client.stopping = True
            client.join(60)
            client.connection.close()

    def await_reads(self, count):
        """Waits until enough was done for a fault to show, however slow the machine is."""
        deadline = time.monotonic() + 60
        while self.world.reads < count and time.monotonic() < deadline:
            time.sleep(0.01)

    def expect_recovery(self):
        """When the disk is well again, changes are accepted soon, without a restart."""
        connection = self.connect()
        path, body = "/sessions/shared-0/responders/well", {"kind": "responder"}
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            answer = connection.ask("PUT", path + "?dryRun=true", body)
            ready = connection.ask("GET", "/health/ready")
            if answer.status < 300 and ready.status == 200:
                self.figures.recovered += 1
                return
            time.sleep(0.01)
        self.world.violations.append(f"not ready again: {ready.status} {ready.body[:300]}")

    def lose(self):
        """Loads once more and keeps a copy of what there is then, as a disk that forgets would."""
        self.load_and_kill()
        shutil.copytree(self.folder, self.folder + ".copy")
        self.program = self.start()
        self.check(self.connect())

    def put_back(self):
        shutil.rmtree(self.folder)
        shutil.move(self.folder + ".copy", self.folder)

    def restart(self):
        """Starts it again, now and then with another kill before it listens."""
        while self.random.random() < 0.2:
            program = self.start()
            time.sleep(self.random.uniform(0, 0.06))
            program.kill()
            self.figures.kills += 1
            self.figures.while_starting += 1
        program = self.start()
        try:
            program.port()
        except NotListening as fault:
            self.world.violations.append(f"does not start: {fault}")
            raise
        self.listen(program)
        return program

    def listen(self, program):
        """A write that the kill cut off was never answered, and is left out: that is said, no more."""
        for event in program.events:
            if "no whole write" in event.get("notice", ""):
                self.figures.cut_off += 1
            elif event.get("level") in ("warning", "error", "critical") and not self.disk:
                self.world.violations.append(f"the start says: {event}")

    def check(self, connection):
        latest = {session.name: session for session in self.world.sessions}
        pending = self.pending()
        for session in latest.values():
            answer = connection.ask("GET", f"/sessions/{session.name}")
            if self.options.plant and answer.status == 200:
                answer = planted(self.options.plant, session, answer)
            self.figures.found += check_session(session, answer, self.world.violations)
        self.figures.found += check_catalogue(
            self.world.commands, self.world.seen_catalogue, connection.ask("GET", "/commands"),
            self.world.violations)
        self.figures.unanswered += pending
        self.world.own = [s for s in self.world.own if s.must_exist()]

    def pending(self):
        return (sum((s.status == SENT) + (s.closing == SENT)
                    + sum(a.status == SENT for a in s.attempts) for s in self.world.sessions)
                + sum(c.status == SENT or c.removal == SENT for c in self.world.commands))

    def retry(self, connection):
        """Sends what nobody answered again, and some of what was answered."""
        keyed, self.world.keyed = self.world.keyed, []
        known = [entry for entry in keyed if entry[1] is not None and entry[1].status < 300]
        for request, before, record in self.random.sample(known, min(10, len(known))):
            again = connection.ask(*request)
            self.figures.replayed += 1
            if (again.status, again.body) != (before.status, before.body):
                self.world.violations.append(
                    f"another answer to {request}: {again.status} {again.body[:200]}, "
                    f"not {before.status} {before.body[:200]}")
        for request, before, record in keyed:
            if before is None:
                self.repeat(connection, request, record)

    def repeat(self, connection, request, record):
        again = connection.ask(*request)
        self.figures.retried += 1
        if record.status == DONE and again.status >= 300:
            self.world.violations.append(
                f"{request} was applied, and then refused: {again.status} {again.body[:200]}")
        is_done = again.status < 300 or record.status == DONE
        record.status = DONE if is_done else REFUSED
        if isinstance(record, Session) and is_done and record not in self.world.own:
            self.world.own.append(record)
        if again.status < 300 and not isinstance(record, Session):
            record.answer = again

    def end(self):
        self.program.kill()
        figures, world = self.figures, self.world
        figures.acknowledged += world.acknowledged
        figures.refused += world.refused
        figures.reads += world.reads
        figures.violations += len(world.violations)
        if world.violations and not self.options.expects_violations:
            print(f"kept: {self.folder}")
        else:
            shutil.rmtree(self.folder)


def measure(options, durability, seeds):
    """Kills as often as asked; a new journal every ten times."""
    figures = Figures()
    while figures.kills < options.kills:
        seed = seeds.getrandbits(32)
        journal = Journal(options, durability, figures, seed)
        try:
            for _ in range(10):
                violations = journal.run()
                if violations or figures.kills >= options.kills:
                    break
        except (NotListening, *UNKNOWN) as fault:
            journal.world.violations.append(f"{fault!r}")
        for violation in journal.world.violations[:2 if options.expects_violations else 20]:
            print(f"violation (seed {seed}): {violation}", flush=True)
        journal.end()
        if options.is_verbose:
            print(f"{figures.kills} kills, {figures.violations} violations", flush=True)
        if figures.violations:
            break
    return figures


def row(name, figures):
    starts = figures.starts or [0]
    return (f"| {name} | {figures.kills} | {figures.while_starting} | {figures.acknowledged} "
            f"| {figures.refused} | {figures.reads} | {figures.unanswered} | {figures.found} "
            f"| {figures.retried} | {figures.replayed} | {statistics.median(starts):.0f} "
            f"| {max(starts):.0f} | {figures.cut_off} | {figures.violations} |")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=500, help="for each durability (500)")
    parser.add_argument("--durability", action="append", choices=["full", "normal", "off"])
    parser.add_argument("--clients", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=0.5, help="of load at most before a kill")
    parser.add_argument("--keys", choices=["auto", "on", "off"], default="auto")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--folder", help="where journals lie; by default the temporary folder")
    parser.add_argument("--plant", choices=["lost", "twice", "stale"],
                        help="falsify what is read, to show that violations are found")
    parser.add_argument("--failing-disk", action="store_true",
                        help="let writes and flushes fail for moments during the load")
    parser.add_argument("--is-verbose", action="store_true")
    parser.add_argument("--is-losing", action="store_true",
                        help="forget the last load, to show that violations are found")
    options = parser.parse_args()
    options.expects_violations = options.is_losing or options.plant is not None
    return options


def main():
    options = arguments()
    print(f"seed {options.seed}", flush=True)
    seeds = random.Random(options.seed)
    rows, violations = [], 0
    for durability in options.durability or ["full"]:
        figures = measure(options, durability, seeds)
        violations += figures.violations
        rows.append(row(durability, figures))
        if options.failing_disk:
            print(f"{durability}: episodes " + ", ".join(
                f"{MODES[mode]} {count}" for mode, count in sorted(figures.episodes.items()))
                + f"; ready again without a restart {figures.recovered} times")
    print("| durability | kills | of these while starting | acknowledged | refused | reads "
          "| unanswered | of these found | sent again | asked again | start, ms, median | most "
          "| cut-off writes | violations |")
    print("|---" + "|--:" * 13 + "|")
    print("\n".join(rows))
    if options.expects_violations and violations:
        print(f"{violations} violations were found, as should be")
    sys.exit(0 if bool(violations) == options.expects_violations else 1)


if __name__ == "__main__":
    main()
