#!/usr/bin/env python3
"""Talks to the running program as agents do: by PyPI's `mcp`, in both eras of the Model Context Protocol.

The whole photo application: its tools are listed, and each of its commands is called once. Calls with arguments, with
wrong ones and of disabled commands; changes of the list after focus moved; updates of resources; streams that break;
the administrator's side; and the tools, resources and prompts of `Config/agent-tools`. A person is asked, and agrees,
declines, goes away, or is said to have answered what was not asked.
"""

import argparse
import asyncio
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import threading

from agent_client import Agent
from agent_proxy import Proxy
from agent_worker import work
from program import BUILT, ROOT, Connection, Program

ENVIRONMENT = os.path.join(ROOT, ".build", "agents")
ERAS = ("legacy", "auto")
FAULTS = []
COUNTS = {"calls": 0, "performed": 0, "refused": 0, "asked": 0}


def expect(condition, text):
    """Notes what is not as it must be."""
    if not condition:
        FAULTS.append(text)
        print(f"FAULT {text}", file=sys.stderr)


class Notes:
    """The notifications that a client got."""

    def __init__(self):
        self.seen = []

    async def __call__(self, message):
        self.seen.append(getattr(message, "method", repr(message)))

    async def wait(self, method, count=1, seconds=20):
        """True once so many of a method have come."""
        for _ in range(seconds * 20):
            if self.seen.count(method) >= count:
                return True
            await asyncio.sleep(0.05)
        return False


class Check:
    """One era, against one session."""

    def __init__(self, port, era, session):
        self.port, self.era, self.session = port, era, session
        self.api = Connection(port)
        self.url = f"http://127.0.0.1:{port}/sessions/{session}/mcp"
        self.is_legacy = era == "legacy"

    def name(self, text):
        return f"{self.era}: {text}"

    def expect(self, condition, text):
        expect(condition, self.name(text))

    def ask(self, method, path, body=None):
        answer = self.api.ask(method, path, body)
        self.expect(answer.status < 300, f"{method} {path} {answer.status} {answer.body[:200]}")
        return answer

    def focus(self, responder):
        self.ask("PUT", f"/sessions/{self.session}/first-responder", {"responder": responder})

    def client(self, url=None, notes=None, **rest):
        from mcp import Client

        return Client(url or self.url, mode=self.era, message_handler=notes, cache=None, **rest)

    async def until(self, condition, text):
        for _ in range(400):
            if condition():
                return
            await asyncio.sleep(0.05)
        self.expect(False, text)

    async def run(self):
        await self.tools()
        await self.parameters()
        await self.resources()
        await self.changes()
        await self.reconnecting()
        await self.deliveries()
        await self.broken_calls()
        await self.questions()
        self.tampering()
        if not self.is_legacy:
            await self.tasks()
        await self.every_command()

    async def tools(self):
        """What is listed is what is enabled, and a call that is refused says why."""
        async with self.client() as client:
            self.expect(client.server_info.name == "photo-app", "server info")
            version = "2025-11-25" if self.is_legacy else "2026-07-28"
            self.expect(client.protocol_version == version, f"spoke {client.protocol_version}")
            listed = [tool.name for tool in (await client.list_tools()).tools]
            body = {"session": self.session}
            items = self.ask("POST", "/commands/validate", body).json["items"]
            enabled = {item["command"].replace(":", "-") for item in items if item["enabled"]}
            self.expect(set(listed) == enabled, f"listed {set(listed) ^ enabled}")
            self.expect("applyFiveStarRating-" in listed, "the rating is a tool")
            result = await client.call_tool("applyFiveStarRating-")
            self.expect(not result.is_error, f"rated: {result}")
            self.expect(result.structured_content["performed"] is True, f"rated: {result}")
            again = await client.call_tool("undo-")
            self.expect(not again.is_error, f"undone: {again}")
            refused = await client.call_tool("zoomIn-")
            self.expect(refused.is_error, "a disabled command is refused")
            self.expect(refused.structured_content["reason"] == "noTarget", f"refused: {refused}")
            await self.fails(-32602, client.call_tool("nobody"))

    async def fails(self, code, call):
        from mcp import MCPError

        try:
            await call
            self.expect(False, f"no error {code}")
        except MCPError as error:
            self.expect(error.code == code, f"code {error.code} instead of {code}")

    async def parameters(self):
        """Arguments are parameters, completed and checked by their schema."""
        import mcp_types as types

        schema = {
            "type": "object", "additionalProperties": False, "required": ["width"],
            "properties": {
                "width": {"type": "integer", "minimum": 16}, "fit": {"enum": ["crop", "pad"]}}}
        self.ask("PUT", "/commands/resize:", {
            "title": "Resize…", "action": "resize:", "parameters": schema})
        self.ask("PUT", f"/sessions/{self.session}/responders/photoGrid/handlers/resize:", {
            "perform": [{"op": "add", "path": "/size", "value": "parameters"}]})
        async with self.client() as client:
            tool = next(t for t in (await client.list_tools()).tools if t.name == "resize-")
            self.expect(tool.input_schema == schema, f"schema {tool.input_schema}")
            result = await client.call_tool("resize-", {"width": 640, "fit": "crop"})
            self.expect(not result.is_error, f"resized: {result}")
            wrong = await client.call_tool("resize-", {"width": 8, "fit": "crap"})
            self.expect(wrong.is_error, "wrong arguments are refused")
            places = [error["pointer"] for error in wrong.structured_content["errors"]]
            self.expect(places == ["/arguments/width", "/arguments/fit"], f"faults at {places}")
            uri = f"menud://sessions/{self.session}/commands/resize:"
            found = await client.complete(
                types.ResourceTemplateReference(uri=uri), {"name": "fit", "value": "c"})
            self.expect(found.completion.values == ["crop"], f"completed {found}")

    async def resources(self):
        async with self.client() as client:
            uris = [str(resource.uri) for resource in (await client.list_resources()).resources]
            self.expect(len(uris) == 4, f"resources {uris}")
            for uri in uris:
                text = (await client.read_resource(uri)).contents[0].text
                path = uri.removeprefix("menud:/")
                self.expect(json.loads(text) == self.ask("GET", path).json, f"read {uri}")
            templates = (await client.list_resource_templates()).resource_templates
            self.expect(len(templates) == 2, f"templates {templates}")
            command = await client.read_resource(
                f"menud://sessions/{self.session}/commands/zoomIn:")
            self.expect("noTarget" in command.contents[0].text, "a command as a resource")
            expanded = await client.read_resource(
                f"menud://sessions/{self.session}/commands/zoomIn%3A")
            self.expect(expanded.contents[0].text == command.contents[0].text, "as RFC 6570 expands it")
            await self.fails(
                -32002 if self.is_legacy else -32602, client.read_resource("menud://nowhere"))

    async def changes(self):
        """The list of tools changes as focus moves, and a resource as its session does."""
        uri = f"menud://sessions/{self.session}"
        if self.is_legacy:
            notes = Notes()
            async with self.client(notes=notes) as client:
                await client.subscribe_resource(uri)
                # The event stream is opened in the background.
                await asyncio.sleep(0.5)
                self.focus("viewer")
                self.expect(
                    await notes.wait("notifications/tools/list_changed"), f"told {notes.seen}")
                self.expect(
                    await notes.wait("notifications/resources/updated"), f"told {notes.seen}")
                names = [tool.name for tool in (await client.list_tools()).tools]
                self.expect("zoomIn-" in names, "the viewer zooms")
                await client.unsubscribe_resource(uri)
        else:
            from mcp.client.subscriptions import ResourceUpdated, ToolsListChanged

            async with self.client() as client:
                async with client.listen(
                        tools_list_changed=True, resource_subscriptions=[uri]) as events:
                    self.expect(events.honored.tools_list_changed is True, "honored")
                    self.focus("viewer")
                    seen = {await asyncio.wait_for(anext(events), 20) for _ in range(2)}
                    self.expect(seen == {ToolsListChanged(), ResourceUpdated(uri)}, f"told {seen}")
        self.focus("photoGrid")

    async def reconnecting(self):
        """A stream that breaks tells what happened meanwhile; since 2026-07-28 the client knows that it broke."""
        async with Proxy(self.port) as proxy:
            url = f"http://127.0.0.1:{proxy.port}/sessions/{self.session}/mcp"
            if self.is_legacy:
                notes = Notes()
                async with self.client(url, notes) as client:
                    await asyncio.sleep(0.5)
                    proxy.cut()
                    self.focus("viewer")
                    self.expect(
                        await notes.wait("notifications/tools/list_changed"),
                        f"told after the break: {notes.seen}")
                    self.focus("photoGrid")
                    self.expect(
                        await notes.wait("notifications/tools/list_changed", 2),
                        f"told after that: {notes.seen}")
                    names = [tool.name for tool in (await client.list_tools()).tools]
                    self.expect("zoomIn-" not in names, "the grid does not zoom")
            else:
                from mcp.client.subscriptions import SubscriptionLost

                async with self.client(url) as client:
                    try:
                        async with client.listen(tools_list_changed=True) as events:
                            proxy.cut()
                            await asyncio.wait_for(anext(events), 20)
                            self.expect(False, "a broken stream is noticed")
                    except SubscriptionLost:
                        pass
                    async with client.listen(tools_list_changed=True) as events:
                        self.focus("viewer")
                        await asyncio.wait_for(anext(events), 20)
        self.focus("photoGrid")

    async def deliveries(self):
        """A call waits for the application, tells its progress, and cancels what it delivered."""
        self.ask("PUT", "/commands/export:", {"title": "Export Photos…", "action": "export:"})
        self.ask("PUT", f"/sessions/{self.session}/responders/photoGrid/handlers/export:", {
            "perform": [{"op": "deliver", "value": "state.selection"}]})
        path = f"/sessions/{self.session}/deliveries"
        import anyio

        told = []

        async def progress(count, total, message):
            told.append((count, message))

        async with self.client() as client:
            call = asyncio.create_task(
                client.call_tool("export-", progress_callback=progress))
            await self.until(lambda: told, "progress of what is open")
            claimed = self.ask("POST", f"{path}/claim", {"by": "worker"}).json["delivery"]
            await self.until(lambda: len(told) > 1, "progress of what is claimed")
            self.ask("POST", f"{path}/{claimed['id']}/reply", {"claim": 1, "result": "Exported."})
            result = await asyncio.wait_for(call, 20)
            self.expect(result.content[0].text == "Exported.", f"delivered: {result}")
            self.expect([count for count, _ in told] == sorted({count for count, _ in told}), f"{told}")
            self.expect("'worker' works on it." in [message for _, message in told], f"{told}")

            with anyio.move_on_after(1.5):
                await client.call_tool("export-")
                self.expect(False, "nobody works on it")
            self.expect(len(self.ask("GET", path).json["deliveries"]) == 2, "delivered")
            await self.until(lambda: self.ask("GET", path).json["deliveries"][-1]["state"] == "cancelled",
                             "a cancelled call cancels what it delivered")
            self.expect((await client.list_tools()).tools, "the client goes on")

    async def broken_calls(self):
        """A call whose stream breaks goes on by another one; since 2026-07-28 it is cancelled."""
        if not self.is_legacy:
            return
        told = []

        async def progress(count, total, message):
            told.append(count)

        path = f"/sessions/{self.session}/deliveries"
        async with Proxy(self.port) as proxy:
            url = f"http://127.0.0.1:{proxy.port}/sessions/{self.session}/mcp"
            async with self.client(url) as client:
                call = asyncio.create_task(
                    client.call_tool("export-", progress_callback=progress))
                await self.until(lambda: told, "progress of what is open")
                proxy.cut()
                claimed = self.ask("POST", f"{path}/claim", {"by": "worker"}).json["delivery"]
                self.ask("POST", f"{path}/{claimed['id']}/reply", {"claim": 1, "result": "Exported."})
                result = await asyncio.wait_for(call, 20)
                self.expect(result.content[0].text == "Exported.", f"after the break: {result}")
                self.expect(told == sorted(set(told)) and len(told) > 1, f"told {told}")

    def spin(self):
        """Declares a command that needs a parameter, and asks before it is performed."""
        self.ask("PUT", "/commands/spin:", {
            "title": "Spin", "action": "spin:", "confirmation": {"title": "Spin it?", "button": "Spin"},
            "parameters": {"type": "object", "required": ["by"], "properties": {
                "by": {"type": "integer", "minimum": 1}, "how": {"type": "string"}}}})
        self.ask("PUT", f"/sessions/{self.session}/responders/photoGrid/handlers/spin:", {
            "perform": [{"op": "add", "path": "/spun", "value": "parameters.by"}]})

    def spun(self):
        return self.ask("GET", f"/sessions/{self.session}").json["state"].get("spun")

    async def questions(self):
        """A person is asked for what is missing, and to agree; says no, goes away, and errs."""
        from mcp_types import ElicitResult

        self.spin()
        asked, answers = [], []

        async def person(_, params):
            asked.append(params)
            action, *content = answers.pop(0)
            return ElicitResult(action=action, content=content[0] if content else None)

        yes, no = ("accept", {"confirm": True}), ("accept", {"confirm": False})
        async with self.client(elicitation_callback=person) as client:
            for name, given, done in [
                ("agrees", [("accept", {"by": 3}), yes], 3), ("declines", [("accept", {"by": 4}), ("decline",)], 3),
                ("goes away", [("cancel",)], 3), ("says no", [("accept", {"by": 4}), no], 3),
                ("errs", [("accept", {"by": 0}), ("accept", {"by": 5}), yes], 5),
                ("errs for ever", [("accept", {"by": 0})] * 4, 5),
            ]:
                asked.clear()
                answers[:] = given
                result = await asyncio.wait_for(client.call_tool("spin-"), 20)
                self.expect(len(asked) == len(given) and not answers, f"{name}: {len(asked)} questions")
                self.expect(asked[0].message == "“Spin” needs: by.", f"{name}: {asked[0]}")
                self.expect(self.spun() == done, f"{name}: {self.spun()} {result}")
                performed = result.structured_content["performed"]
                self.expect(performed is (given[-1] == yes), f"{name}: {result}")
            answers[:] = [yes]
            given = await client.call_tool("spin-", {"by": 7})
            self.expect(given.structured_content["performed"] is True and self.spun() == 7, f"given: {given}")
            self.expect(asked[-1].requested_schema["properties"]["confirm"]["title"] == "Spin", f"{asked[-1]}")
        async with self.client() as client:
            planned = await client.call_tool("spin-", {"by": 8})
            self.expect(planned.structured_content["planned"] is True, f"who cannot be asked: {planned}")
            self.expect(self.spun() == 7, f"a plan does nothing: {self.spun()}")
        COUNTS["asked"] += 6

    def tampering(self):
        """An answer is good once, and for what was asked."""
        path = f"/sessions/{self.session}/mcp"
        yes = {"action": "accept", "content": {"confirm": True}}
        for revision in ("2025-06-18", "2025-11-25") if self.is_legacy else ("2026-07-28",):
            before = self.spun()
            agent = Agent(self.port, revision, path, {"elicitation": {}})
            call = {"name": "spin-", "arguments": {"by": before + 1}}
            if self.is_legacy:
                stream = agent.open("tools/call", call)
                events = stream.events()
                asked = next(event.message for event in events if event.message)
                other = Agent(self.port, revision, path, {"elicitation": {}})
                self.expect(other.answer(asked["id"], yes) == 400, "who was not asked answers")
                self.expect(agent.answer("no such", yes) == 400, "what was not asked is answered")
                self.expect(self.spun() == before, "nobody has agreed")
                self.expect(agent.answer(asked["id"], yes) == 202, "the answer is taken")
                self.expect(agent.answer(asked["id"], yes) == 400, "the answer is taken once")
                result = next(event.message for event in events if event.message)["result"]
                stream.close()
            else:
                state = agent.ask("tools/call", call).result["requestState"]
                answer = {"inputResponses": {"question": yes}}
                place = len(state) // 3
                altered = state[:place] + ("A" if state[place] != "A" else "B") + state[place + 1:]
                for name, wrong in [
                    ("altered", call | answer | {"requestState": altered}),
                    ("of other arguments", call | answer | {"requestState": state, "arguments": {"by": 99}}),
                    ("of another tool", answer | {"requestState": state, "name": "copy-"}),
                ]:
                    self.expect(agent.ask("tools/call", wrong).code == -32602, name)
                    self.expect(self.spun() == before, name)
                result = agent.ask("tools/call", call | answer | {"requestState": state}).result
                again = agent.ask("tools/call", call | answer | {"requestState": state})
                self.expect(again.code == -32602, f"repeated: {again.body}")
            self.expect(result["structuredContent"]["performed"] is True, f"{revision}: {result}")
            self.expect(self.spun() == before + 1, f"{revision}: {self.spun()}")
        self.ask("DELETE", "/commands/spin:")

    async def tasks(self):
        """PyPI's client takes a task for a call, asks for it until it is done, and cancels one."""
        from typing import Literal

        from mcp.client.extension import ClientExtension, ResultClaim
        from mcp_types import CallToolResult, Result

        agent = Agent(self.port, "2026-07-28", f"/sessions/{self.session}/mcp",
                      {"extensions": {"io.modelcontextprotocol/tasks": {}}})
        made = []

        class Created(Result):
            result_type: Literal["task"] = "task"
            task_id: str

        async def resolve(created, _):
            made.append(created.task_id)
            for _ in range(200):
                told = await asyncio.to_thread(
                    lambda: agent.ask("tasks/get", {"taskId": created.task_id}).result)
                if told["status"] == "completed":
                    return CallToolResult.model_validate(told["result"])
                await asyncio.sleep(0.05)
            raise TimeoutError(told)

        class Tasks(ClientExtension):
            identifier = "io.modelcontextprotocol/tasks"

            def claims(self):
                return [ResultClaim(result_type="task", model=Created, resolve=resolve)]

        path = f"/sessions/{self.session}/deliveries"
        async with self.client(extensions=[Tasks()]) as client:
            call = asyncio.create_task(client.call_tool("export-"))
            await self.until(lambda: made, "a task is made")
            claimed = self.ask("POST", f"{path}/claim", {"by": "worker"}).json["delivery"]
            self.ask("POST", f"{path}/{claimed['id']}/reply", {"claim": 1, "result": "Exported."})
            result = await asyncio.wait_for(call, 20)
            self.expect(result.content[0].text == "Exported.", f"task: {result}")
        task = agent.call("export-").result
        self.expect(agent.ask("tasks/cancel", {"taskId": task["taskId"]}).result["resultType"] == "complete",
                    "cancelling is acknowledged")
        told = agent.ask("tasks/get", {"taskId": task["taskId"]}).result
        self.expect(told["status"] == "cancelled", f"{told}")
        unaware = Agent(self.port, "2026-07-28", f"/sessions/{self.session}/mcp")
        self.expect(unaware.ask("tasks/get", {"taskId": task["taskId"]}).code == -32021, "who follows no tasks")
        self.expect(agent.ask("tasks/get", {"taskId": task["taskId"][:-2]}).code == -32602, "an altered name")

    def key(self, session, command):
        """The key of the first item from data of a command."""
        found = self.ask("POST", "/commands/search", {
            "session": session, "query": "", "disabled": True, "limit": 100}).json["items"]
        return next(item["itemKey"] for item in found if item["command"] == command and "itemKey" in item)

    async def every_command(self):
        """Each command of the application is called once, in a session of its own."""
        commands = self.ask("GET", "/commands").json["commands"]
        session = f"every-{self.session}"
        self.ask("POST", "/sessions", {"id": session})
        url = f"http://127.0.0.1:{self.port}/sessions/{session}/mcp?tools=all"
        # Some commands are the application's to carry out.
        stopped = threading.Event()
        worker = threading.Thread(target=work, args=(self.port, session, stopped, 0), daemon=True)
        worker.start()
        async with self.client(url) as client:
            tools = (await client.list_tools()).tools
            self.expect(
                {tool.meta["menud/command"] for tool in tools} == {c["id"] for c in commands},
                f"{len(tools)} tools of {len(commands)} commands")
            self.expect(all(tool.description for tool in tools), "every tool has a description")
            for tool in tools:
                items = self.ask("POST", "/commands/validate", {
                    "session": session, "commands": [tool.meta["menud/command"]]}).json["items"]
                if tool.name == "export-":
                    continue
                arguments = {"width": 64} if tool.name == "resize-" else {}
                if "key" in tool.input_schema.get("required", []):
                    arguments = {"key": self.key(session, items[0]["command"])}
                result = await client.call_tool(tool.name, arguments)
                COUNTS["calls"] += 1
                COUNTS["refused" if result.is_error else "performed"] += 1
                self.expect(
                    result.is_error != items[0]["enabled"], f"{tool.name}: {result} {items[0]}")
        stopped.set()
        worker.join()
        self.ask("DELETE", f"/sessions/{session}")


async def administration(port, era):
    """The administrator's side opens, explains, checks and finds."""
    from mcp import Client

    async with Client(f"http://127.0.0.1:{port}/mcp", mode=era, cache=None) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        expect("explain_item" in tools, f"{era}: {tools}")
        opened = await client.call_tool("open_session", {"id": "helped"})
        expect(opened.structured_content["session"] == "helped", f"{era}: {opened}")
        item = await client.call_tool("explain_item", {"session": "helped", "command": "zoomIn:"})
        expect(item.structured_content["items"][0]["reason"] == "noTarget", f"{era}: {item}")
        rule = await client.call_tool("check_rule", {"rule": "1 + 1 == 2"})
        expect(rule.structured_content["value"] is True, f"{era}: {rule}")
        found = await client.call_tool("search_commands", {"query": "stars"})
        expect(found.structured_content["total"] > 0, f"{era}: {found}")
        wrong = await client.call_tool("explain_item", {"session": "helped"})
        expect(wrong.is_error, f"{era}: a command is missing")
        await client.call_tool("close_session", {"session": "helped"})


async def content(port, era):
    """The tools of the sample answer texts, images, links, errors, and nothing."""
    from mcp import Client

    async with Client(f"http://127.0.0.1:{port}/sessions/tools/mcp", mode=era, cache=None) as client:
        async def call(name, arguments=None):
            return await client.call_tool(name, arguments)

        text = await call("test_simple_text")
        expect(
            text.content[0].text == "This is a simple text response for testing.", f"{era}: {text}")
        image = await call("test_image_content")
        expect(image.content[0].type == "image", f"{era}: {image}")
        link = await call("test_image_link")
        expect(link.content[0].type == "resource_link", f"{era}: {link}")
        audio = await call("test_audio_content")
        expect(audio.content[0].type == "audio", f"{era}: {audio}")
        several = await call("test_multiple_content_types")
        expect([block.type for block in several.content] == ["text", "image", "resource"],
               f"{era}: {several}")
        error = await call("test_error_handling")
        expect(error.is_error and error.content[0].text, f"{era}: {error}")
        empty = await call("test_empty_content")
        expect(empty.content == [] and not empty.is_error, f"{era}: {empty}")
        total = await call("add_numbers", {"a": 2, "b": 3})
        expect(total.content[0].text == "The sum of 2 and 3 is 5.", f"{era}: {total}")
        told = []

        async def progress(count, *_):
            told.append(count)

        stopped = threading.Event()
        worker = threading.Thread(target=work, args=(port, "tools", stopped))
        worker.start()
        slow = await client.call_tool("test_tool_with_progress", progress_callback=progress)
        longer = await call("test_tool_slow", {"durationMs": 300})
        stopped.set()
        worker.join()
        expect(longer.structured_content["result"] == {"durationMs": 300}, f"{era}: {longer}")
        expect(slow.content[0].text.startswith("Tool with progress"), f"{era}: {slow}")
        expect(len(told) >= 3 and told == sorted(set(told)), f"{era}: told {told}")
        fast = await call("test_tool_fast")
        expect(fast.content[0].text == "Fast tool completed.", f"{era}: {fast}")
        known = await call("json_schema_2020_12_tool", {"contactMethod": "phone", "phone": "1"})
        expect(known.structured_content["result"]["phone"] == "1", f"{era}: {known}")
        for tool, arguments in [
            ("json_schema_2020_12_tool", {"contactMethod": "phone", "email": "a@example.org"}),
            ("sep_2106_oneof_input_tool", {"id": "1", "name": "one"}),
        ]:
            wrong = await call(tool, arguments)
            expect(wrong.is_error, f"{era}: {tool} takes {arguments}")
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        schema = listed["json_schema_2020_12_tool"].input_schema
        expect({"$schema", "$defs", "allOf", "if", "then", "else"} <= schema.keys(), f"{era}: {schema}")
        hints = listed["test_simple_text"].annotations
        expect(hints.read_only_hint and not hints.destructive_hint, f"{era}: {hints}")
        counted = await call("count")
        expect(counted.structured_content["performed"] is True, f"{era}: {counted}")
        undone = await call("undo-")
        expect(undone.structured_content["performed"] is True, f"{era}: {undone}")


async def contents(port, era):
    """The sample's own resources and prompts are listed, read, made, completed and followed."""
    from mcp import Client, MCPError, types

    url = f"http://127.0.0.1:{port}/sessions/tools/mcp"
    watched = "test://watched-resource"
    notes = Notes()
    async with Client(url, mode=era, message_handler=notes, cache=None) as client:
        uris = [str(one.uri) for one in (await client.list_resources()).resources]
        expect(uris[4:] == ["test://static-text", "test://static-binary", watched,
                            "test://example-resource"], f"{era}: {uris}")
        binary = (await client.read_resource("test://static-binary")).contents[0]
        expect(binary.mime_type == "image/png" and binary.blob, f"{era}: {binary}")
        data = (await client.read_resource("test://template/1%2F2/data")).contents[0]
        expect(json.loads(data.text)["id"] == "1/2", f"{era}: {data}")
        listed = (await client.list_prompts()).prompts
        expect(len(listed) == 4 and listed[1].arguments[0].required, f"{era}: {listed}")
        made = await client.get_prompt("test_prompt_with_arguments", {"arg1": "a", "arg2": "b"})
        text = made.messages[0].content.text
        expect(text == "Prompt with arguments: arg1='a', arg2='b'", f"{era}: {made}")
        image = await client.get_prompt("test_prompt_with_image")
        expect(image.messages[0].content.type == "image", f"{era}: {image}")
        embedded = await client.get_prompt(
            "test_prompt_with_embedded_resource", {"resourceUri": watched})
        expect(embedded.messages[0].content.resource.text.startswith("The count is"), f"{embedded}")
        for name in ("none", "test_prompt_with_arguments"):
            try:
                await client.get_prompt(name)
                expect(False, f"{era}: {name} was made")
            except MCPError as error:
                expect(error.error.code == -32602, f"{era}: {error}")
        for reference, argument, values in [
            (types.PromptReference(name="test_prompt_with_arguments"), "arg1", ["test two"]),
            (types.ResourceTemplateReference(uri="test://template/{id}/data"), "id", []),
        ]:
            found = await client.complete(reference, {"name": argument, "value": "two"})
            expect(found.completion.values == values, f"{era}: {found}")
        if era == "legacy":
            await client.subscribe_resource(watched)
            # The event stream is opened in the background.
            await asyncio.sleep(0.5)
            await client.call_tool("count")
            expect(await notes.wait("notifications/resources/updated"), f"told {notes.seen}")
        else:
            from mcp.client.subscriptions import ResourceUpdated

            async with client.listen(
                    prompts_list_changed=True, resources_list_changed=True,
                    resource_subscriptions=[watched]) as events:
                expect(events.honored.prompts_list_changed is True, f"{era}: {events.honored}")
                await client.call_tool("count")
                told = await asyncio.wait_for(anext(events), 20)
                expect(told == ResourceUpdated(watched), f"{era}: told {told}")


async def check(program, folder):
    """Everything, in both eras."""
    server = Program(
        ["--journal-path", f"{folder}/photos.db"], {"MENUD_LIMITS_PROCESSOR_TIME": "0"}, program)
    sample = Program(
        ["--journal-path", f"{folder}/tools.db", "--application",
         os.path.join(ROOT, "Config", "agent-tools")], program=program)
    try:
        port = server.port()
        for number, era in enumerate(ERAS):
            session = f"era{number}"
            Connection(port).ask("POST", "/sessions", {"id": session})
            await Check(port, era, session).run()
            await administration(port, era)
        port = sample.port()
        Connection(port).ask("POST", "/sessions", {"id": "tools"})
        for era in ERAS:
            await content(port, era)
            await contents(port, era)
    finally:
        server.stop()
        sample.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=BUILT, help="the built menud")
    parser.add_argument("--environment", default=ENVIRONMENT, help="where PyPI's mcp is")
    options = parser.parse_args()
    if importlib.util.find_spec("mcp") is None:
        python = os.path.join(options.environment, "bin", "python3")
        sys.exit(subprocess.run([python, "-B", *sys.argv]).returncode)
    with tempfile.TemporaryDirectory(prefix="menud-agents-") as folder:
        asyncio.run(asyncio.wait_for(check(options.program, folder), 240))
    figures = ", ".join(f"{count} {name}" for name, count in COUNTS.items())
    print(f"{len(ERAS)} eras, {figures}, {len(FAULTS)} faults")
    sys.exit(1 if FAULTS else 0)


if __name__ == "__main__":
    main()
