"""Scenarios by their names in the protocol's conformance suite, and the demands of each."""

import sys
import threading
import time

from agent_client import HANDSHAKES, STATELESS, Agent
from program import Connection

ALL = (*HANDSHAKES, STATELESS)
NOVEMBER = ("2025-11-25",)
SINCE_NOVEMBER = ("2025-11-25", STATELESS)
MODERN = (STATELESS,)
SESSION = "menud://sessions/tools"

SCENARIOS = []


def scenario(name, revisions=ALL):
    """Registers a scenario under its name in the suite."""

    def register(function):
        SCENARIOS.append((name, revisions, function))
        return function

    return register


class Check:
    """One scenario in one revision."""

    def __init__(self, port, name, revision):
        self.port, self.name, self.revision = port, name, revision
        self.demands, self.faults = 0, []

    def expect(self, condition, text):
        self.demands += 1
        if not condition:
            self.faults.append(text)
            print(f"FAULT {self.name}, {self.revision}: {text}", file=sys.stderr)

    def agent(self, capabilities=None):
        return Agent(self.port, self.revision, capabilities=capabilities)

    def expect_error(self, reply, status, code, text):
        number = reply.body.get("id") if isinstance(reply.body, dict) else None
        self.expect(
            (reply.status, reply.code) == (status, code) and number is not None,
            f"{text}: {reply.status} {reply.body}")


def accepted(content):
    """The answer of a person who fills in a form."""
    return {"action": "accept", "content": content}


def converse(agent, tool, arguments, *answers):
    """Calls a tool that asks the person, and answers each question; returns the questions and the result."""
    questions = []
    if agent.is_stateless:
        result = agent.call(tool, arguments).result
        for answer in answers:
            [(key, question)] = result["inputRequests"].items()
            questions.append(question)
            result = agent.call(tool, arguments, params={
                "requestState": result["requestState"], "inputResponses": {key: answer}}).result
    else:
        stream = agent.open("tools/call", {"name": tool, "arguments": arguments})
        messages = (event.message for event in stream.events() if event.message)
        for answer in answers:
            questions.append(next(messages))
            agent.answer(questions[-1]["id"], answer)
        result = next(messages)["result"]
        stream.close()
    return questions, result


def within(seconds, condition):
    """True once a condition holds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return False


def together(functions):
    """Runs functions at the same time, and returns what they return."""
    results = [None] * len(functions)

    def run(place):
        results[place] = functions[place]()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(functions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def is_cancelled(check):
    """True once all the work of slow tools is cancelled."""
    def states():
        listed = Connection(check.port).ask("GET", "/sessions/tools/deliveries").json["deliveries"]
        return {one["state"] for one in listed if one["command"] == "test_tool_slow"}

    return within(10, lambda: states() == {"cancelled"})


def is_healthy(agent):
    return bool(agent.call("test_tool_fast").result["content"])
