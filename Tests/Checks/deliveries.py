#!/usr/bin/env python3
"""Kills menud and two workers at random moments, and checks that each delivery is settled exactly once.

A command delivers again and again, with keys, so that each performing happens once. Two workers on one session
claim, work, renew and reply; with each reply they append the number of the delivery to a list in the state. They
are killed like menud is, and started again. In the end each delivery is settled, has the result of one worker,
and stands in the list once, whoever and however many worked on it.

With `--plant` workers note what they did by a request of its own, before they reply: then some stand there twice,
and the check must find that out.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import uuid

from program import BUILT, Program

HANDLER = {"perform": [{"op": "deliver", "value": "parameters"}]}
COMMAND = {"title": "Work", "action": "work:", "parameters": {"type": "object"}}
SESSION = {
    "id": "s", "template": False, "state": {"done": [], "tries": []}, "firstResponder": "v",
    "responders": {"v": {"kind": "view", "handlers": {"work:": HANDLER}}},
}


def ask(port_file, method, path, body=None, wait=0):
    """Sends a request until it is answered, with one key, wherever menud listens by then."""
    fields = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
    if wait:
        fields["Prefer"] = f"wait={wait}"
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            with open(port_file) as file:
                url = f"http://127.0.0.1:{int(file.read())}{path}"
            request = urllib.request.Request(url, data, fields, method=method)
            with urllib.request.urlopen(request, timeout=10) as response:
                return response.status, json.loads(response.read() or "null")
        except urllib.error.HTTPError as error:
            if error.code < 500:
                return error.code, json.load(error)
        except (OSError, ValueError):
            pass
        time.sleep(0.02)


def work(options):
    """A worker, which ends when it is killed."""
    chance = random.Random(options.seed)
    deliveries = "/sessions/s/deliveries"
    while True:
        status, answer = ask(
            options.work, "POST", deliveries + "/claim", {"by": options.name}, wait=2)
        if status != 200:
            continue
        delivery = answer["delivery"]
        path, claim = f"{deliveries}/{delivery['id']}", {"claim": delivery["claim"]["number"]}
        note = {"op": "patchState", "patch": [
            {"op": "add", "path": "/done/-", "value": delivery["id"]}]}
        for _ in range(chance.randrange(3)):
            time.sleep(chance.random() * options.claim * 0.3)
            ask(options.work, "POST", path + "/renew", claim)
        if chance.randrange(10) == 0:
            time.sleep(options.claim * 1.5)
        mutations = [note]
        if options.plant:
            ask(options.work, "POST", "/sessions/s/mutations", {"mutations": mutations})
            time.sleep(chance.random() * options.claim)
            mutations = []
        if chance.randrange(10) == 0:
            problem = claim | {"problem": {"title": "Not today", "by": options.name}}
            ask(options.work, "POST", path + "/fail", problem)
            continue
        reply = claim | {"result": options.name, "mutations": mutations}
        status, answer = ask(options.work, "POST", path + "/reply", reply)
        if status == 409 and answer["reason"] not in ("claimLost", "alreadySettled", "notClaimed"):
            raise SystemExit(f"an unknown refusal: {answer}")


class Check:
    """One run."""

    def __init__(self, options):
        self.options = options
        self.chance = random.Random(options.seed)
        self.folder = tempfile.TemporaryDirectory(prefix="menud-deliveries-")
        self.port_file = os.path.join(self.folder.name, "port")
        self.program = None
        self.workers = {}
        self.kills = {"menud": 0, "workers": 0}
        self.performed = []

    def start(self):
        """Starts menud on the journal, and tells where it listens."""
        self.program = Program(
            ["--journal-path", f"{self.folder.name}/menud.db"],
            {"MENUD_DELIVERIES_CLAIM": str(self.options.claim)},
            program=self.options.program)
        port = self.program.port()
        with open(self.port_file + ".new", "w") as file:
            file.write(str(port))
        os.rename(self.port_file + ".new", self.port_file)

    def start_worker(self, name):
        arguments = ["--name", name, "--seed", str(self.chance.randrange(1 << 30))]
        arguments += ["--claim", str(self.options.claim), "--work", self.port_file]
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
        body = {"session": "s", "command": "work:", "parameters": {"n": number}}
        status, answer = ask(self.port_file, "POST", "/commands/perform", body)
        if status != 200:
            raise SystemExit(f"not performed: {answer}")
        self.performed.append((answer["deliveries"][0]["id"], number))

    def run(self):
        self.start()
        ask(self.port_file, "PUT", "/commands/work:", COMMAND)
        ask(self.port_file, "POST", "/sessions", SESSION)
        for name in ("ada", "bob"):
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
            document = ask(self.port_file, "GET", "/sessions/s")[1]
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
