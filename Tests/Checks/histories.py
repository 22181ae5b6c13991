#!/usr/bin/env python3
"""Lets clients work with replicas on one PostgreSQL through HAProxy while all of it fails, and checks histories.

Faults are kills of replicas and of PostgreSQL, stopped processes, connections that are cut, stalled and refused,
wrong clocks and rolling restarts. Afterwards every session and the catalogue must have one order of changes that
explains everything that was answered: see `history.py`. The services are those of `Config/replicas/compose.yaml`.

With `--plant stale` a proxy of this script answers questions from the past, with `--plant double` it repeats
changes without their keys. The check must find that, and fail.
"""

import argparse
import json
import random
import statistics
import sys
import threading
import time
import zlib

from cluster import Cluster
from faults import Faults
from history import DONE, OPEN, REFUSED
from linearizability import READ, WRITE, is_linearizable
from planted import Planted
from program import BUILT, NotListening
from replica_clients import REGISTERS, UNKNOWN, Client, World
from subscribers import Subscriber, check as check_subscriber

SHARED = 4


class Watch(threading.Thread):
    """Asks a replica ten times a second whether it is ready, and notes its reasons."""

    def __init__(self, replica, stop):
        super().__init__(daemon=True)
        self.replica, self.stop, self.reasons = replica, stop, {}

    def run(self):
        while not self.stop.wait(0.1):
            try:
                connection = self.replica.connect(1)
                answer = connection.ask("GET", "/health/ready")
                reasons = [reason["reason"] for reason in answer.json.get("reasons", [])]
            except UNKNOWN:
                reasons = ["no answer"]
            connection.close()
            for reason in reasons:
                self.reasons[reason] = self.reasons.get(reason, 0) + 1


def open_shared(world):
    client = Client("main", world)
    for number in range(SHARED):
        session = world.session(f"first-{number}")
        assert client.open(session, 30), f"{session.name} could not be opened."
        world.active.append(session)
    return client


def final_state(world, cluster, violations):
    """Reads every session and the catalogue at each replica; all must say the same."""
    for session in world.sessions:
        if session.final is not None or session.closed[0] < float("inf"):
            continue
        answers = []
        for replica in cluster.replicas:
            try:
                answer = replica.connect().ask("GET", f"/sessions/{session.name}", None, cluster.authorization)
                answers.append((answer.status, answer.body))
            except UNKNOWN as error:
                answers.append((0, repr(error).encode()))
        if len(set(answers)) > 1:
            violations.append(f"{session.name}: replicas differ: " + "; ".join(
                f"{replica.name}: {status} {body[:120]}"
                for replica, (status, body) in zip(cluster.replicas, answers)))
        status, body = answers[0]
        if status == 200:
            session.final = json.loads(body)
            if session.final["state"].get("generation") != session.generation:
                session.final = None
        elif session.opened[1] < float("inf"):
            violations.append(f"{session.name}: lost: GET answers {status} at the end")
    answers = [replica.connect().ask("GET", "/commands", None, cluster.authorization).json
               for replica in cluster.replicas]
    if any(answer != answers[0] for answer in answers):
        violations.append(f"catalogue: replicas differ: {[answer['catalogRevision'] for answer in answers]}")
    names = {command["id"] for command in answers[0]["commands"]} - {"add:", "add:and:"}
    return answers[0]["catalogRevision"], names


def registers(session):
    """The histories of the registers of a session, without revisions."""
    states = {revision: json.loads(zlib.decompress(body))["state"]["words"]
              for revision, (body, _) in session.bodies.items()}
    for register in REGISTERS:
        operations = [(change.begin, change.end, WRITE, change.words[register]) for change in session.changes
                      if register in change.words and change.status != REFUSED]
        operations += [(read.begin, read.end, READ, states[read.revision][register])
                       for read in session.reads if read.kind == "GET" and not read.is_recent]
        yield register, operations


def check(world, final, options, violations):
    """All checks of histories; answers how many registers were searched, and how many without an end."""
    violations += world.faults
    for session in world.sessions:
        violations += session.violations(session.final, options.bound)
    violations += world.catalogue.violations(final, options.bound)
    searched = undecided = 0
    deadline = time.monotonic() + 120
    for session in world.sessions:
        for register, operations in registers(session):
            if time.monotonic() > deadline:
                break
            outcome = is_linearizable(operations, "", 50_000)
            searched += 1
            undecided += outcome is None
            if outcome is False:
                violations.append(f"{session.name}: no order explains the register {register}")
    return searched, undecided


def run(options):
    chance = random.Random(options.seed)
    environment = {
        "MENUD_LIMITS_PROCESSOR_TIME": "0", "MENUD_LIMITS_OPENING_TIME": "0", "MENUD_SERVER_THREADS": "2",
        "MENUD_REPLICAS_READS": options.reads,
        "MENUD_JOURNAL_SNAPSHOT_EVERY": str(chance.choice([1, 5, 50])),
        # Replicas let go of all sessions twice a second, but for those that they were just asked for.
        "MENUD_REPLICAS_UNLOAD_AFTER": options.unload_after or chance.choice(["0.001", "0.1", "300"])}
    cluster = Cluster(options, options.replicas, environment, has_clocks=not options.no_clocks,
                      is_sticky=options.is_sticky)
    violations, faults, figures = [], Faults(cluster, chance), {}
    stop = threading.Event()
    try:
        cluster.await_ready()
        planted = Planted(options.plant, cluster.port, chance.random()) if options.plant else None
        world = World(planted.port if planted else cluster.port, cluster.authorization, options, chance.random())
        open_shared(world)
        subscribers = [Subscriber(cluster, f"first-{number}", stop) for number in range(3)]
        clients = [Client(number, world) for number in range(options.clients)]
        watches = [Watch(replica, stop) for replica in cluster.replicas]
        for thread in (*subscribers, *clients, *watches):
            thread.start()
        inject(faults, options, chance)
        deadline = time.monotonic() + 60
        while planted and planted.count < 5 and time.monotonic() < deadline:
            time.sleep(0.1)
        faults.mend()
        cluster.await_ready()
        world.stopping.set()
        for client in clients:
            client.join(90)
            if client.is_alive():
                violations.append(f"{client.number} did not end")
        time.sleep(1)  # Requests whose clients have given up end.
        violations += faults.complaints
        for subscriber in subscribers:
            violations += subscriber.catch_up()
        stop.set()
        if options.kills_of_subscribers:
            found, figures = check_subscriber(cluster, options.kills_of_subscribers)
            violations += found
        final = final_state(world, cluster, violations)
        searched = check(world, final, options, violations)
        report(options, cluster, world, faults, subscribers, figures, searched, planted, watches)
    except NotListening as error:
        violations.append(str(error))
    finally:
        stop.set()
        cluster.end(keeps=options.keeps or bool(violations) and not options.plant)
    return violations


def inject(faults, options, chance):
    started = time.monotonic()
    if options.faults == 0:
        time.sleep(options.pace)
    while faults.total < options.faults:
        faults.inject()
        if sum(len(replica.ends) for replica in faults.cluster.replicas) > 50:
            return  # They do not start any more, which is found then.
        if options.is_verbose:
            begin, end, kind = faults.spans[-1]
            print(f"{begin - started:.1f}–{end - started:.1f} s: {kind}", flush=True)
        # As fast as the goal is, and sometimes at once.
        ahead = started + faults.total * options.pace - time.monotonic()
        time.sleep(max(0, min(2, ahead)) + chance.choice([0, 0.3 * options.pace]) * chance.random())


def report(options, cluster, world, faults, subscribers, figures, searched, planted, watches):
    changes = [change for session in world.sessions for change in session.changes]
    status = lambda wanted: sum(change.status == wanted for change in changes)
    opens = [change for change in changes if change.status == OPEN]
    happened = sum(session.final is not None and is_there(change, session.final)
                   for session in world.sessions for change in session.changes if change.status == OPEN)
    reads = sum(len(session.reads) for session in world.sessions)
    print("| fault | times |\n|---|--:|")
    for kind, count in sorted(faults.counts.items()):
        print(f"| {kind} | {count} |")
    print(f"| all | {faults.total} |\n")
    print(f"{options.replicas} replicas, reads {options.reads}: {len(world.sessions)} sessions; "
          f"{status(DONE)} changes answered, {status(REFUSED)} refused, {len(opens)} not answered, "
          f"of which {happened} happened; {world.repeated} sent again, {world.replayed} asked again; "
          f"{reads} reads, {len(world.catalogue.reads)} of the catalogue with "
          f"{len(world.catalogue.declared)} commands")
    print(f"{searched[0]} registers searched by Wing and Gong's way, {searched[1]} without an end")
    if planted:
        print(f"planted: {planted.count} × {planted.kind}")
    times = sorted(t for times in world.times.values() for t in times)
    if times:
        print(f"answers took {1000 * statistics.median(times):.1f} ms, "
              f"99% at most {1000 * times[int(len(times) * 0.99)]:.0f} ms")
    causes = {}
    for begin, end, what in list(world.failures):
        causes.setdefault(what, []).append((begin, end))
    for what, spans in sorted(causes.items(), key=lambda item: -len(item[1])):
        print(f"  {len(spans)} × {what}")
    rolling = [(begin, end) for begin, end, kind in faults.spans if kind.startswith("rolling") and not any(
        begin < last and first < end and other != kind for first, last, other in faults.spans)]
    failed = [what for begin, end, what in world.failures
              if any(first < begin and end < last for first, last in rolling)]
    if rolling:
        print(f"during {len(rolling)} rolling restarts with no other fault {len(failed)} attempts failed: "
              f"{sorted(set(failed))}")
    reasons = {}
    for watch in watches:
        for reason, count in watch.reasons.items():
            reasons[reason] = reasons.get(reason, 0) + count
    print("not ready, of ten questions a second: " + ", ".join(
        f"{count} × {reason}" for reason, count in sorted(reasons.items())))
    ends = [end for replica in cluster.replicas for end in replica.ends]
    print(f"ended by themselves, and started again: {len(ends)}")
    for code, event in ends[:5]:
        print(f"  exit code {code}: {event[:300]}")
    print(f"subscribers: {sum(s.joined for s in subscribers)} connections, "
          f"{sum(s.changes for s in subscribers)} changes told, "
          f"{sum(s.resets for s in subscribers) - len(subscribers)} resets")
    if figures:
        print("subscriber whose replica is killed: {kills} kills, {moved} times at another replica, {changes} "
              "changes in {told} events, {resets} reset, which is the first event; told again after {gap:.2f} s "
              "at most".format(**figures))


def is_there(change, final):
    state = final["state"]
    return change.mark in state["marks"] if change.mark else change.entries[0] in state["log"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--faults", type=int, default=500)
    parser.add_argument("--replicas", type=int, default=3)
    parser.add_argument("--reads", choices=["linearizable", "recent"], default="linearizable")
    parser.add_argument("--bound", type=float, default=1, help="seconds that recent reads may be behind")
    parser.add_argument("--is-sticky", action="store_true",
                        help="send the requests of a session to one replica, as the shipped HAProxy does")
    parser.add_argument("--unload-after", help="seconds until a replica lets go of a session; by chance by default")
    parser.add_argument("--ignores-tags", action="store_true",
                        help="let recent reads be behind the tag that their client sent")
    parser.add_argument("--clients", type=int, default=10)
    parser.add_argument("--think", type=float, default=0.02, help="seconds between two requests of a client")
    parser.add_argument("--pace", type=float, default=1.6, help="seconds for each fault, on average")
    parser.add_argument("--kills-of-subscribers", type=int, default=10)
    parser.add_argument("--plant", choices=["stale", "double"], help="faults that the check must find")
    parser.add_argument("--no-clocks", action="store_true", help="leave the clocks alone")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--folder", help="where everything lies; by default the temporary folder")
    parser.add_argument("--keeps", action="store_true", help="keep logs and database")
    parser.add_argument("--is-verbose", action="store_true")
    return parser.parse_args()


def main():
    options = arguments()
    started = time.monotonic()
    print(f"seed {options.seed}", flush=True)
    violations = run(options)
    for violation in violations[:30]:
        print(f"violation: {violation[:1500]}")
    print(f"{len(violations)} violations, {time.monotonic() - started:.0f} s")
    sys.exit(1 if violations else 0)


if __name__ == "__main__":
    main()
