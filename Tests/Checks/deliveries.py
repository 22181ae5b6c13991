#!/usr/bin/env python3
"""Kills menud and its workers at random moments, and checks that each delivery is settled exactly once.

A command delivers again and again, with keys, so that each performing happens once. Three workers of menud.py on one
session, one of which renews its claims too late at times, append the number of the delivery to a list in the state with
each reply. They are killed like menud is, and started again. In the end each delivery is settled, has the result of one
worker, and stands in the list once, whoever and however many worked on it.

With `--plant` workers note what they did by a request of its own, before they reply: then some stand there twice,
and the check must find that out.
"""

import argparse
import asyncio
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

from program import BUILT, Program, free_port

from menud import AsyncClient, Client, Problem, Reply

HANDLER = {"perform": [{"op": "deliver", "value": "parameters"}]}
COMMAND = {"title": "Work", "action": "work:", "parameters": {"type": "object"}}
SESSION = {
    "id": "s", "template": False, "state": {"done": [], "tries": []}, "firstResponder": "v",
    "responders": {"v": {"kind": "view", "handlers": {"work:": HANDLER}}},
}


def work(options):
    """A worker, which ends when it is killed."""
    chance = random.Random(options.seed)
    session = Client(options.work, timeout=10).session("s")
    deliveries = session.deliveries(by=options.name)

    def note(delivery):
        """Works for a while, and returns the mutations of the reply."""
        time.sleep(chance.random() * options.claim)
        mutations = [{"op": "patchState", "patch": [{"op": "add", "path": "/done/-", "value": delivery.id}]}]
        if options.plant:
            session.mutate(mutations)
            time.sleep(chance.random() * options.claim)
            mutations = []
        if chance.randrange(10) == 0:
            raise ValueError("Not today")
        return mutations

    if options.name == "ada":
        return deliveries.work(lambda delivery: Reply("ada", note(delivery)))
    if options.name == "cyd":
        return asyncio.run(work_in_tasks(options.work, note))
    while True:
        delivery = deliveries.next(wait=2)
        try:
            if delivery:
                deliveries.renew(delivery)
                if chance.randrange(10) == 0:
                    time.sleep(options.claim * 1.5)
                deliveries.reply(delivery, options.name, note(delivery))
        except ValueError as error:
            settle_late(lambda: deliveries.fail(delivery, {"title": str(error)}))
        except Problem as problem:
            check_late(problem)


async def work_in_tasks(url, note):
    async def work(delivery):
        return Reply("cyd", await asyncio.to_thread(note, delivery))

    async with AsyncClient(url, timeout=10) as client:
        await client.session("s").deliveries(by="cyd").work(work)


def settle_late(settle):
    try:
        settle()
    except Problem as problem:
        check_late(problem)


def check_late(problem):
    if problem.reason not in ("claimLost", "alreadySettled", "notClaimed", "alreadyClaimed"):
        raise problem


class Check:
    """One run."""

    def __init__(self, options):
        self.options = options
        self.chance = random.Random(options.seed)
        self.folder = tempfile.TemporaryDirectory(prefix="menud-deliveries-")
        self.port = free_port()
        self.client = Client(f"http://127.0.0.1:{self.port}")
        self.session = self.client.session("s")
        self.program = None
        self.workers = {}
        self.kills = {"menud": 0, "workers": 0}
        self.performed = []

    def start(self):
        """Starts menud on the journal."""
        self.program = Program(
            ["--journal-path", f"{self.folder.name}/menud.db", "--port", str(self.port)],
            {"MENUD_DELIVERIES_CLAIM": str(self.options.claim)},
            program=self.options.program)
        self.program.port()

    def start_worker(self, name):
        arguments = ["--name", name, "--seed", str(self.chance.randrange(1 << 30))]
        arguments += ["--claim", str(self.options.claim), "--work", f"http://127.0.0.1:{self.port}"]
        if self.options.plant:
            arguments.append("--plant")
        self.workers[name] = subprocess.Popen([sys.executable, "-B", __file__, *arguments])

    def kill_something(self):
        if self.chance.randrange(2):
            self.program.kill()
            self.kills["menud"] += 1
            self.start()
            return
        name = self.chance.choice(list(self.workers))
        self.workers[name].send_signal(signal.SIGKILL)
        self.workers[name].wait()
        self.kills["workers"] += 1
        self.start_worker(name)

    def perform(self):
        number = len(self.performed)
        answer = self.session.perform("work:", parameters={"n": number})
        self.performed.append((answer["deliveries"][0]["id"], number))

    def run(self):
        self.start()
        self.client.request("PUT", "/commands/work:", body=COMMAND)
        self.client.open(**SESSION)
        for name in ("ada", "bob", "cyd"):
            self.start_worker(name)
        for _ in range(self.options.kills):
            deadline = time.monotonic() + self.chance.random() * self.options.seconds
            while time.monotonic() < deadline:
                self.perform()
                time.sleep(self.chance.random() * 0.2)
            self.kill_something()
        return self.settled()

    def settled(self):
        """Waits until everything is settled, and returns the document of the session."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            document = self.session.document()
            if all(d["settled"] for d in document["deliveries"]):
                return document
            time.sleep(0.1)
        raise SystemExit("not all was settled within two minutes")

    def stop(self):
        for worker in self.workers.values():
            worker.kill()
            worker.wait()
        if self.program:
            self.program.kill()
        self.folder.cleanup()


def violations(check, document):
    """What is not as it must be."""
    found = []
    deliveries, done = document["deliveries"], document["state"]["done"]
    given = [(d["id"], d["value"]["n"]) for d in deliveries]
    if given != check.performed:
        found.append(f"performed {check.performed}, delivered {given}")
    for delivery in deliveries:
        times = done.count(delivery["id"])
        wanted = 1 if delivery["state"] == "replied" else 0
        if times != wanted and not (check.options.plant and times == 1):
            found.append(f"{delivery['id']} is {delivery['state']} and was noted {times} times")
        if delivery["state"] not in ("replied", "failed"):
            found.append(f"{delivery['id']} is {delivery['state']}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=60, help="how often something is killed")
    parser.add_argument("--seconds", type=float, default=1, help="at most between two kills")
    parser.add_argument("--claim", type=float, default=0.5, help="how long a claim lasts")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--plant", action="store_true", help="workers note what they do too early")
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--work", help=argparse.SUPPRESS)
    parser.add_argument("--name", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        return work(options)
    check = Check(options)
    try:
        document = check.run()
        found = violations(check, document)
    finally:
        check.stop()
    for violation in found[:20]:
        print(f"violation: {violation}")
    deliveries = document["deliveries"]
    states = {state: sum(d["state"] == state for d in deliveries) for state in ("replied", "failed")}
    claims = sum(d["claims"] for d in deliveries)
    print(
        f"seed {options.seed}: {len(deliveries)} deliveries, {claims} claims, "
        f"{states['replied']} replied, {states['failed']} failed")
    print(
        f"{check.kills['menud']} kills of menud, {check.kills['workers']} of workers, "
        f"{len(found)} violations")
    return 0 if bool(found) == options.plant else 1


if __name__ == "__main__":
    sys.exit(main())
