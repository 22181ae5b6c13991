#!/usr/bin/env python3
"""Lets a scripted model do whole jobs by tools alone, and checks what became of the sessions.

The model sees what models are given: names, descriptions, schemas, and the texts of answers. What it cannot do itself it asks
a person for, as the answer that it was given says: to give focus to a responder. In `Config/shop` it orders a kettle, in
`Config/recipes` it adds a recipe. Then menud is killed while a call waits for the application, and the call goes on, as do
tasks; and notifications of a list that changes all the time are counted. At last it orders by plans alone, while a person changes
the cart.
"""

import argparse
import math
import os
import re
import sys
import tempfile
import threading
import time

from agent_client import Agent
from agent_worker import work
from program import BUILT, ROOT, Connection, Program

REVISIONS = ("2025-06-18", "2025-11-25", "2026-07-28")
FAULTS = []


def expect(condition, text):
    """Notes what is not as it must be."""
    if not condition:
        FAULTS.append(text)
        print(f"FAULT {text}", file=sys.stderr)


class Person:
    """Who sits before the application: gives focus, and nothing else."""

    def __init__(self, port, session):
        self.api, self.path = Connection(port), f"/sessions/{session}/first-responder"

    def focus(self, responder):
        answer = self.api.ask("PUT", self.path, {"responder": responder})
        expect(answer.status == 200, f"focus on {responder}: {answer.body[:200]}")


class Model:
    """A model without any knowledge of the application: it follows what it is told, and performs the plans it is given."""

    def __init__(self, agent, person, between=lambda name, text: None):
        self.agent, self.person = agent, person
        # Called between the plan of a tool and its performance.
        self.between = between
        self.refusals, self.plans = [], []

    def find(self, words):
        """The tool whose description has these words."""
        tools = self.agent.ask("tools/list").result["tools"]
        found = [tool["name"] for tool in tools if words in tool["description"]]
        expect(len(found) == 1, f"{words!r} is in the descriptions of {found}")
        return found[0]

    def do(self, words, **arguments):
        """Calls a tool until it is performed, and returns the text; None if no answer says how to go on."""
        return self.call(self.find(words), arguments)

    def call(self, name, arguments, patience=5):
        """Calls a tool, and performs the plans that it answers."""
        text = self.call_once(name, arguments, patience)
        while plan := re.match(r"Nothing was done.*? Call '([^']+)' again with '([^']+)': \"([^\"]+)\"", text or ""):
            self.plans.append(text)
            self.between(name, text)
            text = self.call_once(plan[1], {plan[2]: plan[3]}, 0)
        return text

    def call_once(self, name, arguments, patience):
        result = self.agent.call(name, arguments).result
        text = result["content"][0]["text"]
        expect(len(text.encode()) <= 2048, f"{name}: {len(text.encode())} bytes")
        if not result.get("isError"):
            return text
        self.refusals.append(text)
        if not patience or not self.follow(text, arguments):
            return None
        return self.call(name, arguments, patience - 1)

    def follow(self, text, arguments):
        """Does what a refusal says would help; False if it says nothing of the kind."""
        if tool := re.search(r"^Calling '([^']+)'", text, re.MULTILINE):
            return self.call(tool[1], {}, 0) is not None
        if focus := re.search(r"^'([^']+)' would perform it if it had focus", text, re.MULTILINE):
            self.person.focus(focus[1])
            return True
        if value := re.search(r"^/arguments/(\w+): .*did you mean '([^']+)'", text, re.MULTILINE):
            arguments[value[1]] = value[2]
            return True
        return False


class Job:
    """A server of one application, and models for it."""

    def __init__(self, program, application, folder, **environment):
        self.environment = {"MENUD_LIMITS_PROCESSOR_TIME": "0"} | environment
        self.arguments = ["--journal-path", f"{folder}/{application}.db", "--application",
                          os.path.join(ROOT, "Config", application)]
        self.program, self.server = program, None
        self.start()

    def start(self):
        self.server = Program(self.arguments, self.environment, self.program)
        self.port = self.server.port()
        self.api = Connection(self.port)

    def ask(self, method, path, body=None):
        answer = self.api.ask(method, path, body)
        expect(answer.status < 300, f"{method} {path}: {answer.status} {answer.body[:200]}")
        return answer.json if answer.body else None

    def model(self, session, revision, **between):
        self.ask("POST", "/sessions", {"id": session})
        agent = Agent(self.port, revision, f"/sessions/{session}/mcp?tools=all")
        return Model(agent, Person(self.port, session), **between)


def shop(program, folder):
    """Orders a kettle: the product is misspelt, and each page has to get focus first."""
    job = Job(program, "shop", folder)
    for revision in REVISIONS:
        session = f"shop-{revision}"
        model = job.model(session, revision)
        job.ask("POST", f"/sessions/{session}/mutations", {
            "mutations": [{"op": "startCoordinator", "coordinator": "appCoordinator"}]})
        expect(model.do("Place Order") is None, "there is nothing to order")
        expect("can perform it" in model.refusals[-1], model.refusals[-1])
        expect(model.do("Shows a product", product="ketle"), f"{model.refusals}")
        expect(any("did you mean 'kettle'" in text for text in model.refusals), f"{model.refusals}")
        bought = model.do("Buy")
        expect(bought and "Performed 'Buy Kettle'" in bought, f"{bought} {model.refusals}")
        expect('/cart/-: "kettle"' in (bought or ""), f"{bought}")
        expect(model.do("Proceed to Checkout"), f"{model.refusals}")
        expect(model.do("Says who buys", user="ada"), f"{model.refusals}")
        expect(not model.plans, f"a command that asks nothing has plans: {model.plans}")
        expect(model.do("Place Order"), f"{model.refusals}")
        # The order asks for a confirmation, so that an agent is shown it first.
        expect(len(model.plans) == 1, f"{model.plans}")
        for shown in ("A person is asked first: “Order 1 product?”", '/orders/-: {"user":"ada","cart":["kettle"]}'):
            expect(shown in model.plans[0], f"{shown!r} is not in {model.plans[0]}")
        state = job.ask("GET", f"/sessions/{session}")["state"]
        expect(state["orders"] == [{"user": "ada", "cart": ["kettle"]}], f"{state}")
        info = model.agent.ask("server/discover" if model.agent.is_stateless else "initialize", (
            None if model.agent.is_stateless else Agent.handshake(revision))).result
        told = info.get("serverInfo") or info["_meta"]["io.modelcontextprotocol/serverInfo"]
        expect(told["name"] == "shop", f"{told}")
        print(f"shop, {revision}: ordered after {len(model.refusals)} refusals, by a plan")
    job.server.stop()


def planned(program, folder):
    """Orders by plans: nothing happens that was not shown first, although a person changes the cart in between."""
    os.makedirs(f"{folder}/planned")
    job = Job(program, "shop", f"{folder}/planned", MENUD_AGENTS_DEFAULT="plan")
    for revision in REVISIONS:
        session = f"planned-{revision}"
        state = lambda: job.ask("GET", f"/sessions/{session}")["state"]
        changed = []

        def between(name, text):
            expect(state()["orders"] == [], "something was ordered before its plan was performed")
            if name.startswith("order") and not changed:
                changed.append(text)
                job.ask("POST", f"/sessions/{session}/mutations", {
                    "mutations": [{"op": "mergeState", "patch": {"cart": ["kettle", "teapot"]}}]})

        model = job.model(session, revision, between=between)
        job.ask("POST", f"/sessions/{session}/mutations", {
            "mutations": [{"op": "startCoordinator", "coordinator": "appCoordinator"}]})
        for words, arguments in [("Shows a product", {"product": "kettle"}), ("Buy", {}), ("Proceed to Checkout", {}),
                                 ("Says who buys", {"user": "ada"}), ("Place Order", {})]:
            expect(model.do(words, **arguments), f"{words}: {model.refusals}")
        stopped = [text for text in model.plans if "would do something else now" in text]
        expect(len(stopped) == 1, f"the change was not told: {model.plans[-2:]}")
        for shown in ("A person is asked first: “Order 2 products?”", "teapot"):
            expect(shown in stopped[0], f"{shown!r} is not in {stopped[0]}")
        expect(state()["orders"] == [{"user": "ada", "cart": ["kettle", "teapot"]}], f"{state()}")
        print(f"planned, {revision}: ordered by {len(model.plans)} plans, one of which a person's change made another")
    job.server.stop()


def recipes(program, folder):
    """Adds a recipe: without a name there is nothing to be done, which the refusal says."""
    job = Job(program, "recipes", folder)
    for revision in REVISIONS:
        session = f"recipes-{revision}"
        model = job.model(session, revision)
        expect(model.do("Add Recipe"), f"{model.refusals}")
        # The page is not the one with focus, and its rule says no: nobody would perform it.
        expect(model.do("Done") is None, "a recipe without a name")
        expect(model.do("Names the recipe", name="Crêpes"), f"{model.refusals}")
        refused = len(model.refusals)
        expect(model.do("Done"), f"{model.refusals[refused:]}")
        state = job.ask("GET", f"/sessions/{session}")["state"]
        expect({"name": "Crêpes"} in state["recipes"], f"{state}")
        print(f"recipes, {revision}: added after {len(model.refusals)} refusals")
    job.server.stop()


def killed(program, folder):
    """A call waits for the application while menud is killed; its delivery is a resource, and the call goes on."""
    job = Job(program, "agent-tools", folder)
    for revision in REVISIONS:
        session = f"killed-{revision}"
        job.ask("POST", "/sessions", {"id": session})
        path = f"/sessions/{session}/mcp"
        key = {"Idempotency-Key": f"once-{revision}"}
        parameters = {"name": "test_tool_slow", "arguments": {"durationMs": 30},
                      "_meta": {"progressToken": "p"}}
        waiting = Agent(job.port, revision, path).open("tools/call", parameters, fields=key)
        told = next(event.message for event in waiting.events() if event.message)["params"]
        uri = re.search(r"'(menud://[^']+)'", told["message"])
        expect(uri, f"{told}")
        job.server.kill()
        waiting.close()
        job.start()
        agent = Agent(job.port, revision, path)
        text = agent.ask("resources/read", {"uri": uri[1]}).result["contents"][0]["text"]
        expect('"state":"open"' in text, text)
        stopped = threading.Event()
        worker = threading.Thread(target=work, args=(job.port, session, stopped, 0))
        again = agent.open("tools/call", parameters | {"_meta": {"progressToken": 9}}, fields=key)
        worker.start()
        result = again.read().result
        stopped.set()
        worker.join()
        expect(result and result["structuredContent"]["result"] == {"durationMs": 30}, f"{result}")
        expect('"open"' not in str(result), f"{result}")
        listed = job.ask("GET", f"/sessions/{session}/deliveries")["deliveries"]
        expect([one["state"] for one in listed] == ["replied"], f"{listed}")
        print(f"killed, {revision}: {uri[1]} went on")
    job.server.stop()


def tasks(program, folder):
    """A task is made, menud is killed, and the task is found again: told, done, cancelled, and of nobody else."""
    os.makedirs(f"{folder}/tasks")
    job = Job(program, "agent-tools", f"{folder}/tasks")
    job.ask("POST", "/sessions", {"id": "tasks"})
    capabilities = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
    client = lambda: Agent(job.port, "2026-07-28", "/sessions/tasks/mcp", capabilities)
    made = [client().call("test_tool_slow", {"durationMs": 30}).result for _ in range(2)]
    expect([task["resultType"] for task in made] == ["task", "task"], f"{made}")
    told = [client().ask("tasks/get", {"taskId": task["taskId"]}).result for task in made]
    job.server.kill()
    job.start()
    agent = client()
    for task, before in zip(made, told):
        after = agent.ask("tasks/get", {"taskId": task["taskId"]}).result
        expect(after["status"] == "working" and after == before, f"{before} {after}")
    expect(agent.ask("tasks/cancel", {"taskId": made[1]["taskId"]}).result is not None, "cancelled")
    following = agent.open("subscriptions/listen", {"notifications": {"taskIds": [made[0]["taskId"]]}})
    stopped = threading.Event()
    worker = threading.Thread(target=work, args=(job.port, "tasks", stopped, 0))
    worker.start()
    seen = []
    for event in following.events(20):
        if event.message and event.message.get("method") == "notifications/tasks":
            seen.append(event.message["params"]["status"])
            if seen[-1] == "completed":
                result = event.message["params"]["result"]
                break
    stopped.set()
    worker.join()
    following.close()
    expect(seen[0] == "working" and seen[-1] == "completed", f"{seen}")
    expect(result["structuredContent"]["result"] == {"durationMs": 30}, f"{result}")
    told = [agent.ask("tasks/get", {"taskId": task["taskId"]}).result for task in made]
    expect([task["status"] for task in told] == ["completed", "cancelled"], f"{told}")
    job.server.kill()
    job.start()
    again = [client().ask("tasks/get", {"taskId": task["taskId"]}).result for task in made]
    expect(again == told, f"{told} {again}")
    job.ask("POST", "/sessions", {"id": "other"})
    other = Agent(job.port, "2026-07-28", "/sessions/other/mcp", agent.capabilities)
    expect(other.ask("tasks/get", {"taskId": made[0]["taskId"]}).code == -32602, "a task of another session")
    print(f"tasks: found again after two kills, {', '.join(task['status'] for task in again)}")
    job.server.stop()


def notified(program, folder):
    """Counts what a client is told while ratings and focus change all the time."""
    job = Job(program, "photo-app", folder)

    def rate(session):
        for number in range(50):
            stars = ("applyFourStarRating:", "applyFiveStarRating:")[number % 2]
            job.ask("POST", "/commands/perform", {"session": session, "command": stars})

    def focus(session):
        for number in range(400):
            job.ask("PUT", f"/sessions/{session}/first-responder",
                    {"responder": ("viewer", "photoGrid")[number % 2]})

    for name, changes in (("50 ratings", rate), ("400 moves of focus", focus)):
        for query in ("", "?tools=all"):
            session = f"busy-{changes.__name__}{len(query)}"
            job.ask("POST", "/sessions", {"id": session})
            # From now on there is something to undo.
            rate(session)
            told, passed = count(job, session, query, changes)
            most = 0 if query or changes is rate else math.ceil(passed) + 2
            expect(told <= most, f"{name}{query}: {told} notifications in {passed:.1f} s")
            if most:
                expect(told > 0, f"{name}: nothing is told")
            print(f"{name}{query}: {told} notifications in {passed:.2f} s")
    job.server.stop()


def count(job, session, query, changes):
    """The number of notifications while changes are made, and the seconds that they took."""
    stream = Agent(job.port, "2025-11-25", f"/sessions/{session}/mcp{query or '?tools=enabled'}").listen(seconds=30)
    events = []
    reader = threading.Thread(target=lambda: events.extend(
        event for event in stream.events() if event.message))
    reader.start()
    start = time.monotonic()
    changes(session)
    passed = time.monotonic() - start
    time.sleep(2)
    # The stream ends with its session.
    job.ask("DELETE", f"/sessions/{session}")
    reader.join(30)
    stream.close()
    return len(events), passed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--program", default=BUILT, help="the built menud")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="menud-jobs-") as folder:
        for job in (shop, recipes, killed, tasks, notified, planned):
            job(options.program, folder)
    print(f"6 jobs, {len(FAULTS)} faults")
    sys.exit(1 if FAULTS else 0)


if __name__ == "__main__":
    main()
