#!/usr/bin/env python3
"""Talks to the running program by other people's clients of the Model Context Protocol, without a model behind them.

fastmcp in both eras, pydantic-ai and openai-agents with a model that follows a script, and langchain-mcp-adapters: each lists tools,
calls one, is refused, is asked, and cancels. What a library does of its own accord is read from its requests and
compared with what is known of it: its revision, the event stream, and what it makes of a list of tools that changes.

The libraries are installed first. Where PyPI cannot be reached, those that are missing are skipped, and named; whatever
else keeps a library from its check is a fault.
"""

import argparse
import asyncio
import contextlib
import logging
import os
import re
import subprocess
import sys
import tempfile
import warnings

# The library openai-agents is a module `agents`, and this folder has one, too.
sys.path.append(sys.path.pop(0))

from agent_proxy import Proxy
from agent_library_clients import LIBRARIES, Known
from program import BUILT, ROOT, Connection, Program

# The libraries need different versions of `mcp`, and so two environments: where each is, and the list of what it has.
ENVIRONMENTS = {
    os.path.join(ROOT, ".build", f"agent-{name}"): os.path.join(ROOT, "Tests", "Checks", "agents", f"{name}.txt")
    for name in ("libraries", "langchain")}
FIXED = {"describe_session", "find_commands", "explain_command", "perform_command", "undo", "focus"}
FAULTS = []


def expect(condition, text):
    """Notes what is not as it must be."""
    if not condition:
        FAULTS.append(text)
        print(f"FAULT {text}", file=sys.stderr)


class Recorder(Proxy):
    """Reads what clients ask, and what they are told."""

    async def accept(self, reader, writer):
        # The work that is left when the check ends is cancelled.
        with contextlib.suppress(asyncio.CancelledError):
            await super().accept(reader, writer)

    def asked(self, method, since=0):
        """How often a method of the protocol was asked for, or one of HTTP."""
        pattern = rf'{method} /sessions/|"method": ?"{re.escape(method)}"'
        return len(re.findall(pattern.encode(), self.requests[since:]))

    @property
    def revision(self):
        """The revision of the last request."""
        found = re.findall(rb"mcp-protocol-version: ([\d-]+)", self.requests, re.IGNORECASE)
        return found[-1].decode() if found else None


class Check:
    """One library, against the photo application."""

    def __init__(self, library, port):
        self.library, self.port, self.api = library, port, Connection(port)
        self.session = re.sub(r"\W", "-", library.name)
        # The questions to the person.
        self.asked = []

    def expect(self, condition, text):
        expect(condition, f"{self.library.name}: {text}")

    def ask(self, method, path, body=None):
        answer = self.api.ask(method, path, body)
        self.expect(answer.status < 300, f"{method} {path} {answer.status} {answer.body[:200]}")
        return answer.json

    def focus(self, responder):
        self.ask("PUT", f"/sessions/{self.session}/first-responder", {"responder": responder})

    @contextlib.asynccontextmanager
    async def client(self, query=""):
        async with Recorder(self.port) as recorder:
            url = f"http://127.0.0.1:{recorder.port}/sessions/{self.session}/mcp{query}"
            async with self.library.open(url, self.answer) as client:
                yield client, recorder

    async def run(self):
        self.ask("POST", "/sessions", {"id": self.session})
        async with self.client("?tools=find") as (client, _):
            await self.calls(client)
            await self.asking(client)
            await self.cancelling(client)
        seen = Known(*await self.listening(), *await self.changes(), self.cancels, bool(self.asked))
        self.expect(seen == self.library.known, f"does {seen}, and was known for {self.library.known}")
        print(f"{self.library.name} {self.library.version}: "
              + ", ".join(f"{name} {told}" for name, told in seen._asdict().items()))

    async def calls(self, client):
        """Lists the fixed set, calls, and is refused: the model reads why."""
        names = await client.names()
        self.expect(set(names) == FIXED, f"lists {names}")
        text, is_refused = await client.call("perform_command", {"command": "applyFiveStarRating:"})
        self.expect(not is_refused and "★★★★★" in text, f"rated: {text}")
        state = self.ask("GET", f"/sessions/{self.session}")["state"]
        self.expect(state["photos"]["lake"]["rating"] == 5, f"{state}")
        text, is_refused = await client.call("perform_command", {"command": "zoomIn:"})
        self.expect(is_refused is not False, f"{text} is no refusal")
        self.expect("Open a photo first." in text and "viewer" in text, f"refused: {text}")

    async def answer(self, question, schema):
        """Answers as a person would."""
        self.asked.append(question)
        return {"by": 3} if "by" in schema["properties"] else {"confirm": True}

    async def asking(self, client):
        """A person is asked for what is missing, and to agree; where nobody can be asked, the model is told."""
        self.ask("PUT", "/commands/spin:", {
            "title": "Spin", "action": "spin:", "confirmation": {"title": "Spin it?", "button": "Spin"},
            "parameters": {"type": "object", "required": ["by"], "properties": {"by": {"type": "integer"}}}})
        self.ask("PUT", f"/sessions/{self.session}/responders/photoGrid/handlers/spin:", {
            "perform": [{"op": "add", "path": "/spun", "value": "parameters.by"}]})
        text, is_refused = await client.call("explain_command", {"command": "spin:"})
        self.expect(not is_refused and '"required":["by"]' in text.replace(": ", ":"), f"explained: {text}")
        text, _ = await client.call("perform_command", {"command": "spin:"})
        spun = self.ask("GET", f"/sessions/{self.session}")["state"].get("spun")
        if self.asked:
            self.expect(len(self.asked) == 2 and spun == 3, f"asked {self.asked}, spun by {spun}: {text}")
        else:
            self.expect(spun is None and "'by' is missing" in text, f"spun by {spun}: {text}")
            text, _ = await client.call("perform_command", {"command": "spin:", "arguments": {"by": 3}})
            self.expect("Nothing was done yet." in text and "Spin it?" in text, f"planned: {text}")

    async def cancelling(self, client):
        """A call that waits for the application is cancelled as the library cancels."""
        path = f"/sessions/{self.session}/deliveries"
        states = lambda: [one["state"] for one in self.ask("GET", path)["deliveries"]]
        call = asyncio.create_task(client.call("perform_command", {"command": "exportPhotos:"}))
        for _ in range(200):
            if states():
                break
            await asyncio.sleep(0.05)
        self.expect(states() == ["open"], f"deliveries {states()}")
        call.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await call
        for _ in range(60):
            if states() == ["cancelled"]:
                break
            await asyncio.sleep(0.05)
        self.cancels = states() == ["cancelled"]
        self.expect(set(await client.names()) == FIXED, "the client does not go on")

    async def listening(self):
        """The revision that it speaks, and whether it listens. Where the address names no tools it has the commands, since it listens
        or since its lists hold for no time."""
        async with self.client() as (client, recorder):
            await client.names()
            await asyncio.sleep(1)
            names = await client.names()
            self.expect("applyFiveStarRating-" in names and not FIXED & set(names), f"lists {names}")
            return recorder.revision, bool(recorder.asked("GET") or recorder.asked("subscriptions/listen"))

    async def changes(self):
        """Tells if it lists its tools again by itself when they change, and if its next list is the new one."""
        async with self.client("?tools=enabled") as (client, recorder):
            self.expect("zoomIn-" not in await client.names(), "the grid does not zoom")
            await asyncio.sleep(1)
            asked, told = len(recorder.requests), len(recorder.answers)
            self.focus("viewer")
            await asyncio.sleep(2)
            lists = recorder.asked("tools/list", asked)
            is_told = b"notifications/tools/list_changed" in recorder.answers[told:]
            self.expect(is_told == self.library.known.listens, f"the change is {'' if is_told else 'not '}told")
            is_fresh = "zoomIn-" in await client.names()
            self.focus("photoGrid")
            return lists > 0, is_fresh


async def check(program, folder):
    server = Program(["--journal-path", f"{folder}/photos.db"], {"MENUD_LIMITS_PROCESSOR_TIME": "0"}, program)
    try:
        for library in LIBRARIES:
            if library.version:
                try:
                    await asyncio.wait_for(Check(library, server.port()).run(), 60)
                except Exception as error:
                    expect(False, f"{library.name}: {error!r}")
    finally:
        server.stop()


def install(environment, wanted):
    """Makes an environment, unless it is there; returns why it cannot be used, or None. Without PyPI that is no fault."""
    made = subprocess.run([os.path.join(ROOT, "Tests", "Checks", "install"), environment, wanted],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode == 0:
        return None
    # So pip tells of an attempt that reached nobody.
    if "connection broken by" in made.stdout:
        return "PyPI cannot be reached"
    expect(False, f"{environment} cannot be installed:\n{made.stdout}")
    return "they cannot be installed"


def check_all(given):
    """Checks each library in the environment that has it: in those that are given, or else in those that are made
    here. Ends the program."""
    reasons, output, status = set(), "", 0
    for environment in given or ENVIRONMENTS:
        if not given and (reason := install(environment, ENVIRONMENTS[environment])):
            reasons.add(reason)
            continue
        python = os.path.join(environment, "bin", "python3")
        if not os.path.exists(python):
            expect(False, f"{python} is missing")
            continue
        checked = subprocess.run([python, "-B", *sys.argv, "--here"], stdout=subprocess.PIPE, text=True)
        print(checked.stdout, end="", flush=True)
        output += checked.stdout
        status = max(status, abs(checked.returncode))
    names = [library.name for library in LIBRARIES]
    unchecked = ", ".join(
        f"'{name}'" for name in names if not re.search(rf"^{re.escape(name)} \d", output, re.MULTILINE))
    if unchecked and (given or reasons):
        print(f"SKIPPED: {unchecked}: {' and '.join(reasons) or 'they are in no environment that was given'}")
    elif unchecked:
        expect(False, f"nobody has checked {unchecked}")
    sys.exit(1 if FAULTS else status)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--program", default=BUILT, help="the built menud")
    parser.add_argument("--environment", action="append", help="where libraries from PyPI are; nothing is installed then")
    parser.add_argument("--here", action="store_true", help="check the libraries that this Python has")
    options = parser.parse_args()
    if not options.here:
        check_all(options.environment)
    # Libraries log what ends while they wait for it.
    logging.disable()
    # pydantic-ai warns that nobody can be asked since 2026-07-28, and asks.
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory(prefix="menud-libraries-") as folder:
        asyncio.run(check(options.program, folder))
    print(f"{len(FAULTS)} faults")
    sys.exit(1 if FAULTS else 0)


if __name__ == "__main__":
    main()
