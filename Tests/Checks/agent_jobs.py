#!/usr/bin/env python3
"""Lets a scripted model do whole jobs by tools alone, and checks the sessions afterwards.

The model (`agent_models.py`) sees what models are given: names, descriptions, schemas, and answers. In each sample of `Config`
it does a job of at least five steps by the fixed set of tools, which a person would ask of it in words. Then
menud is killed while a call waits for the application, and the call goes on, as do tasks; notifications of a list
that changes all the time are counted; and an order is made by plans alone, while a person changes the cart.
"""

import argparse
import math
import os
import re
import sys
import tempfile
import threading
import time

from agent_client import HANDSHAKES, Agent
from agent_models import Model, Person, Structures, Texts, ToolModel
from agent_worker import work
from program import BUILT, ROOT, Connection, Program

REVISIONS = ("2025-06-18", "2025-11-25", "2026-07-28")
ADMINISTRATOR = "0123456789abcdef" * 4
FAULTS = []

# The jobs: intentions in a person's words, with values, and members of the state that the job leads to.
JOBS = {
    "bird-sightings": (
        [("add a sighting",), ("enter the sighting", {"name": "Heron", "location": "The pond"}), ("done",),
         ("delete the sighting",), ("undo",)],
        {"/sightings": [{"name": "Heron", "location": "The pond"}, {"name": "Pigeon", "location": "Everywhere"},
                        {"name": "Owl", "location": "The old barn"}]}),
    "recipes": (
        [("add a recipe",), ("name the recipe", {"name": "Crêpes"}), ("done",), ("open the recipe", {"recipe": "Crêpes"}),
         ("show its photo",)],
        {"/recipes": [{"name": "Chocolate Cake"}, {"name": "Gaufres de Liège"}, {"name": "Crêpes"}]}),
    "shop": (
        [("open the product", {"product": "ketle"}), ("buy it",), ("proceed to checkout",), ("sign in", {"user": "ada"}),
         ("place the order",)],
        {"/cart": [], "/orders": [{"user": "ada", "cart": ["kettle"]}]}),
    "photo-app": (
        [("rate five stars",), ("add to the album Owls",), ("rotate left",), ("undo",), ("zoom in",), ("sort by rating",)],
        {"/photos/lake/rating": 5, "/photos/lake/albums": ["Alps", "Owls"], "/photos/lake/rotation": 0, "/zoom": 200,
         "/sortedBy": "rating"}),
    "master-detail": (
        [("mark as done",), ("filter by done",), ("previous row",), ("delete the row",), ("undo",), ("next row",)],
        {"/tasks": ["Water the plants", "Write to Ada", "Mend the bicycle"], "/row": 1,
         "/done": ["Water the plants", "Write to Ada"], "/showsDoneOnly": True}),
    "text-editor": (
        [("find the text", {"text": "Violets"}), ("make it upper case",), ("cut the line",), ("undo",), ("wrap lines",),
         ("save",)],
        {"/lines": ["Roses are red", "VIOLETS ARE BLUE"], "/saved": ["Roses are red", "VIOLETS ARE BLUE"],
         "/clipboard": "VIOLETS ARE BLUE", "/wraps": False}),
    "control-room": (
        [("preview monitor camera 2",), ("rehearsal salvo",), ("vision mixer 1 outside broadcast",), ("undo",),
         ("start recording",), ("stop recording",)],
        {"/routes/mixer1": "camera1", "/routes/monitor": "camera2", "/routes/recorder": "camera2", "/recording": None,
         "/onAir": False}),
}


def expect(condition, text):
    """Notes what is not as it must be."""
    if not condition:
        FAULTS.append(text)
        print(f"FAULT {text}", file=sys.stderr)


class Job:
    """A server of one application, and models for it."""

    def __init__(self, program, application, folder, name="jobs", **environment):
        self.environment = {"MENUD_LIMITS_PROCESSOR_TIME": "0"} | environment
        self.arguments = ["--journal-path", f"{folder}/{application}-{name}.db", "--application",
                          os.path.join(ROOT, "Config", application)]
        self.program, self.server = program, None
        self.start()

    def start(self):
        self.server = Program(self.arguments, self.environment, self.program)
        self.port = self.server.port()
        self.api = Connection(self.port)

    def ask(self, method, path, body=None, token=None):
        fields = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self.api.ask(method, path, body, fields)
        expect(answer.status < 300, f"{method} {path}: {answer.status} {answer.body[:200]}")
        return answer.json if answer.body else None


def fixed(program, folder):
    """Does the job of each sample by the fixed set of tools, which the address asks for."""
    for application in JOBS:
        job = Job(program, application, folder)
        for revision in REVISIONS:
            for reader in (Texts, Structures):
                session = f"{reader.__name__}-{revision}"
                job.ask("POST", "/sessions", {"id": session})
                launch(job, application, session)
                agent = Agent(job.port, revision, f"/sessions/{session}/mcp?tools=find")
                model = done(application, agent, reader())
                checked(job.ask("GET", f"/sessions/{session}"), application, model)
                print(f"{application}, {revision}, {reader.__name__.lower()}: done by {len(model.texts)} calls with "
                      f"{len(model.refusals)} refusals and {len(model.plans)} plans")
        job.server.stop()


def unasked(program, folder):
    """Clients that open no event stream have the fixed set without asking for it."""
    job = Job(program, "recipes", folder, "unasked")
    for revision in HANDSHAKES:
        session = f"unasked-{revision}"
        job.ask("POST", "/sessions", {"id": session})
        model = done("recipes", Agent(job.port, revision, f"/sessions/{session}/mcp"), Texts())
        checked(job.ask("GET", f"/sessions/{session}"), "recipes", model)
        print(f"unasked, {revision}: done by {len(model.tools)} tools")
    job.server.stop()


def unfocused(program, folder):
    """An agent whose token does not move focus performs from elsewhere, and leaves focus where it is."""
    job = Job(program, "photo-app", folder, "unfocused", MENUD_AUTH_ADMINISTRATOR_TOKEN=ADMINISTRATOR)
    for revision in REVISIONS:
        session = f"unfocused-{revision}"
        job.ask("POST", "/sessions", {"id": session}, ADMINISTRATOR)
        token = job.ask("POST", f"/sessions/{session}/tokens", {
            "kind": "agent", "label": "Model", "rights": ["items", "read", "perform"]}, ADMINISTRATOR)["token"]
        agent = Agent(job.port, revision, f"/sessions/{session}/mcp?tools=find", token=token)
        model = done("photo-app", agent, Texts())
        document = job.ask("GET", f"/sessions/{session}", token=ADMINISTRATOR)
        checked(document, "photo-app", model)
        expect(document["firstResponder"] == "photoGrid", f"focus moved to {document['firstResponder']}")
        print(f"unfocused, {revision}: done by {len(model.tools)} tools")
    job.server.stop()


def launch(job, application, session):
    """Does what the front end of a sample does at its launch."""
    if application == "shop":
        job.ask("POST", f"/sessions/{session}/mutations", {
            "mutations": [{"op": "startCoordinator", "coordinator": "appCoordinator"}]})


def done(application, agent, reader):
    """Returns the model that has done a job."""
    model = Model(agent, reader, expect)
    expect(model.look(), f"{application}: nothing is described")
    for intention in JOBS[application][0]:
        is_done = model.do(*intention)
        expect(is_done, f"{application}, {agent.revision}: {intention}: {model.texts[-4:]}")
    model.look()
    return model


def checked(document, application, model):
    """Checks what the job led to: in the session, and in what the model sees of it."""
    for place, wanted in JOBS[application][1].items():
        value = document["state"]
        for name in place.split("/")[1:]:
            value = value[name]
        expect(value == wanted, f"{application}: {place} is {value}")
        seen = model.reader.seen(place)
        expect(seen == wanted, f"{application}: the model sees {seen} at {place}")


def planned(program, folder):
    """Orders by plans: nothing happens that was not shown first, although a person changes the cart in between."""
    job = Job(program, "shop", folder, "planned", MENUD_AGENTS_DEFAULT="plan")
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

        job.ask("POST", "/sessions", {"id": session})
        launch(job, "shop", session)
        agent = Agent(job.port, revision, f"/sessions/{session}/mcp?tools=all")
        model = ToolModel(agent, expect, Person(job.port, session, expect), between)
        for words, arguments in [("Shows a product", {"product": "kettle"}), ("Buy", {}), ("Proceed to Checkout", {}),
                                 ("Says who buys", {"user": "ada"}), ("Place Order", {})]:
            expect(model.do(words, arguments), f"{words}: {model.refusals}")
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
        # Its rule says no, and nobody else would perform it.
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
    job = Job(program, "agent-tools", folder, "tasks")
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
        for check in (fixed, unasked, unfocused, killed, tasks, notified, planned):
            check(options.program, folder)
    print(f"{len(JOBS)} jobs, {len(FAULTS)} faults")
    sys.exit(1 if FAULTS else 0)


if __name__ == "__main__":
    main()
