"""The checks of tools for the browser's own agents (docs/client.md), which browser.py runs with its own. The agent is
Chromium's domain WebMCP, by which tools of its own list and call those of a page."""

import json
import os
import tempfile
import threading
import time
import urllib.request

from browser_connection import HIDE
from browser_large import expect
from browser_pages import Pages
from program import Program

import menud

WEB_MCP = "--enable-features=WebMCP"
SECONDS = 30

PAGE = """<!DOCTYPE html><title>A page</title><script type="module">
  import { Client } from 'MENUD/client/menud.js'
  import { expose } from 'MENUD/client/menud-agents.js'
  const { token } = await (await fetch('token.json')).json()
  globalThis.asked = []
  globalThis.failed = []
  globalThis.agrees = new Promise(() => {})
  const session = new Client('MENUD', { token }).session('desk')
  globalThis.mirror = await session.follow({ tools: true })
  const confirm = async (confirmation) => { asked.push(confirmation); return globalThis.agrees }
  const onError = ({ name }) => failed.push(name)
  // A further mirror, which ends: the stream of both begins anew.
  const without = await session.follow({ menu: true })
  try { expose(without) } catch ({ message }) { globalThis.refusal = message }
  without.close()
  globalThis.begin = () => expose(mirror, document.modelContext, { confirm, onError })
  expose(mirror, undefined)()
  globalThis.stop = begin()
</script>"""

WIDTH = {"type": "object", "properties": {"width": {"type": "integer", "minimum": 16}}, "required": ["width"]}
CONFIRMATION = {"title": "Order it?", "message": "It costs 5 €.", "button": "Order"}
COUNT = {"op": "replace", "path": "/count", "value": "state.count + 1"}
APPLICATION = {
    "commands": [
        {"title": "Count", "action": "count:", "description": "Adds one."},
        {"title": "Look", "action": "look:", "hints": {"readOnly": True}},
        {"title": "Erase", "action": "erase:", "attributes": ["destructive"]},
        {"id": "resize-to-fit", "title": "Resize…", "action": "resize:", "parameters": WIDTH},
        {"title": "Order", "action": "order:", "confirmation": CONFIRMATION},
        {"title": "Once", "action": "once:"},
        {"title": "Export", "action": "export:"},
        {"title": "Secret", "action": "secret:", "agents": "hidden"},
    ],
    "menus": [{"identifier": "file", "title": "File", "children": [
        "count:", "look:", "erase:", "resize-to-fit", "order:", "once:", "export:"]}],
    "classes": {"Desk": {"superclass": "UIResponder", "handlers": {
        "count:": {"validate": {"title": "'Count to ' + string(state.count + 1)"}, "perform": [COUNT]},
        "look:": {"perform": [{"op": "answer", "value": "'It is ' + string(state.count)"}]},
        "erase:": {"validate": {"requires": [{"if": "state.isOpen", "else": "Open it first."}]}, "perform": [COUNT]},
        "resize:": {"perform": [{"op": "replace", "path": "/width", "value": "parameters.width"}]},
        "order:": {"perform": [{"op": "replace", "path": "/ordered", "value": "state.ordered + 1"}]},
        "once:": {
            "validate": {"enabled": "!state.isOnce"},
            "perform": [{"op": "replace", "path": "/isOnce", "value": "true"}]},
        "export:": {
            "validate": {"enabled": "size(command.deliveries) == 0"},
            "perform": [{"op": "deliver", "value": "state.count"}]},
        "secret:": {"perform": [COUNT]},
    }}},
    "session": {
        "state": {"count": 0, "width": 0, "ordered": 0, "isOpen": False, "isOnce": False},
        "responders": {"desk": {"kind": "view", "class": "Desk"}}, "firstResponder": "desk"},
}


class BrowserAgent:
    """An agent of the browser: the tools of a window's page, and calls of them, by the DevTools protocol."""

    def __init__(self, window):
        import websocket

        address = window.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen(f"http://{address}/json") as answer:
            page = next(target for target in json.load(answer) if target["type"] == "page")
        self.frame = window.driver.execute_cdp_cmd("Page.getFrameTree", {})["frameTree"]["frame"]["id"]
        self.socket = websocket.create_connection(page["webSocketDebuggerUrl"], suppress_origin=True, timeout=120)
        self.tools, self.registered, self.answers, self.results = {}, [], {}, {}
        self.news = threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()
        self.send("WebMCP.enable")

    def listen(self):
        try:
            while text := self.socket.recv():
                with self.news:
                    self.take(json.loads(text))
                    self.news.notify_all()
        except Exception:  # The socket is closed at the end, which each system tells in its own way.
            pass

    def take(self, message):
        params = message.get("params", {})
        if "id" in message:
            self.answers[message["id"]] = message
        elif message["method"] == "WebMCP.toolsAdded":
            for tool in params["tools"]:
                expect(tool["name"] not in self.tools, f"{tool['name']} is there twice")
                self.tools[tool["name"]] = tool
                self.registered.append(tool["name"])
        elif message["method"] == "WebMCP.toolsRemoved":
            for tool in params["tools"]:
                del self.tools[tool["name"]]
        elif message["method"] == "WebMCP.toolResponded":
            self.results[params["invocationId"]] = params

    def until(self, condition, what):
        """Waits until a condition of its news has a value, and answers that."""
        with self.news:
            found = self.news.wait_for(condition, SECONDS)
        expect(found, f"never: {what}; the tools are {list(self.tools)}")
        return found

    def send(self, method, **params):
        number = len(self.answers) + 1
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        answer = self.until(lambda: self.answers.get(number), method)
        expect("error" not in answer, f"{method}: {answer}")
        return answer["result"]

    def start(self, name, given):
        return self.send("WebMCP.invokeTool", frameId=self.frame, toolName=name, input=given)["invocationId"]

    def result(self, invocation):
        """The result of a call."""
        told = self.until(lambda: self.results.get(invocation), "a result")
        expect(told["status"] == "Completed", f"a call ended so: {told}")
        return told["output"]

    def call(self, name, **given):
        """Calls a tool: answers the text, and the rest of the result."""
        result = self.result(self.start(name, given))
        return result["content"][0]["text"], result

    def has(self, *names):
        self.until(lambda: set(names) <= set(self.tools), f"the tools {names}")

    def lacks(self, *names):
        self.until(lambda: not set(names) & set(self.tools), f"no tools {names}")


class Desk:
    """The application above in menud, on one port through restarts, with a page of another origin."""

    def __init__(self, program, token, folder):
        self.program, self.folder = program, folder
        for name, document in APPLICATION.items():
            with open(os.path.join(folder, f"{name}.json"), "w", encoding="utf-8") as file:
                json.dump(document, file)
        with open(os.path.join(folder, "index.html"), "w", encoding="utf-8") as file:
            file.write(PAGE)
        self.pages = Pages(folder, b"MENUD")
        self.settings = {"MENUD_AUTH_ADMINISTRATOR_TOKEN": token, "MENUD_CORS_ORIGINS": self.pages.url}
        self.port = 0
        self.start()
        self.pages.menud = f"http://localhost:{self.port}"
        self.administrator = menud.Client(self.pages.menud, token=token)
        self.session = self.administrator.open("desk")
        limited = {"kind": "person", "label": "Page", "rights": ["items", "perform"]}
        self.owner = menud.Client(self.pages.menud, token=self.session.token)
        made = self.owner.request("POST", self.session.path("tokens"), body=limited).body
        self.client = menud.Client(self.pages.menud, token=made["token"])
        with open(os.path.join(folder, "token.json"), "w", encoding="utf-8") as file:
            json.dump({"token": made["token"]}, file)

    def start(self):
        arguments = ["--application", self.folder, "--journal-path", f"{self.folder}/menud.db"]
        port = ["--port", str(self.port)] if self.port else []
        self.server = Program([*arguments, *port], environment=self.settings, program=self.program)
        self.port = self.server.port()

    def state(self):
        return self.session.document()["state"]

    def patch(self, **members):
        self.session.patch(members)

    def listed(self):
        """The tools as the Model Context Protocol lists them."""
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        path = self.session.path("mcp")
        answer = self.client.request("POST", path, query={"tools": "enabled"}, body=body, is_question=True)
        return answer.body["result"]["tools"]

    def deliveries(self):
        return self.owner.request("GET", self.session.path("deliveries")).body["deliveries"]

    def stop(self):
        self.pages.close()
        self.server.stop()


def described(tool, is_read_only, is_consequential):
    """The parts of a tool that Chromium tells as the Model Context Protocol does."""
    return *(tool[name] for name in ["name", "description", "inputSchema"]), is_read_only, is_consequential


def as_listed(tool):
    hints = tool.get("annotations", {})
    return described(tool, hints.get("readOnlyHint", False), hints.get("destructiveHint", False))


def as_registered(tool):
    return described(tool, tool["annotations"]["readOnly"], tool["annotations"]["consequential"])


class AgentChecks:
    """Checks of what an agent of the browser finds and calls."""

    def at_desk(self, use):
        with tempfile.TemporaryDirectory() as folder:
            desk = Desk(self.options.program, self.token, folder)
            window = self.new_window(desk.pages.url, WEB_MCP)
            try:
                window.driver.get(desk.pages.url)
                window.wait("'stop' in globalThis", SECONDS)
                agent = BrowserAgent(window)
                agent.has("count-", "look-")
                use(desk, window, agent)
                failed = window.run("return failed")
                expect(not failed, f"the page is told of {failed}")
            finally:
                window.close()
                desk.stop()

    def same(self, desk, agent):
        """Waits until the browser has the tools that the Model Context Protocol lists, in every part."""
        listed = sorted(as_listed(tool) for tool in desk.listed())
        agent.until(lambda: sorted(map(as_registered, agent.tools.values())) == listed, f"the tools {listed}")

    def check_browsers_agents(self):
        """Tools are those of the Model Context Protocol; calls perform once, and are refused in words."""

        def use(desk, window, agent):
            expect("follow({ tools: true })" in window.run("return refusal"), "a mirror without tools is taken")
            names = {"count-", "look-", "resize--to--fit", "order-", "once-", "export-"}
            agent.until(lambda: set(agent.tools) == names, f"the tools {names}")
            self.same(desk, agent)
            expect(agent.tools["look-"]["annotations"]["readOnly"], "what only reads is not told so")
            # What becomes enabled is there, what becomes disabled is not, and nothing else is registered again.
            agent.registered.clear()
            desk.patch(isOpen=True)
            agent.has("erase-")
            expect(agent.tools["erase-"]["annotations"]["consequential"], "what destroys is not told so")
            self.same(desk, agent)
            desk.patch(isOpen=False)
            agent.lacks("erase-")
            expect(agent.registered == ["erase-"], f"registered again: {agent.registered}")
            text, result = agent.call("count-")
            expect("Performed 'Count to 1'" in text and result["structuredContent"]["performed"], result)
            expect(desk.state()["count"] == 1, "it is not performed once")
            renamed = lambda: "Count to 2" in agent.tools.get("count-", {}).get("description", "")
            agent.until(renamed, "a tool with its new title")
            self.same(desk, agent)
            expect(agent.call("look-")[0].startswith("It is 1"), "a tool does not answer")
            # An agent reads refusals: of arguments, and of a command that was disabled while the page was hidden.
            text, result = agent.call("resize--to--fit", width=8)
            expect(result.get("isError") and "at least 16" in text, result)
            agent.call("resize--to--fit", width=80)
            expect(desk.state()["width"] == 80, "arguments are no parameters")
            desk.patch(isOpen=True)
            agent.has("erase-")
            window.run(HIDE, "hidden")
            window.wait("mirror.isPaused")
            desk.patch(isOpen=False)
            text, result = agent.call("erase-")
            expect(result.get("isError") and "Open it first." in text, result)
            window.run(HIDE, "visible")
            agent.lacks("erase-")
            agent.call("once-")
            agent.lacks("once-")
            # A tool of a command that is in no menu, at a revision of the session that was told before.
            again = {"title": "Again", "action": "count:", "propertyList": 1}
            desk.administrator.request("PUT", "/commands/again", body=again)
            agent.has("again")
            self.same(desk, agent)
            desk.session.close()
            agent.until(lambda: not agent.tools, "no tools of a session that is closed")
            messages = window.messages()
            expect(not messages, "the browser's console says:\n" + "\n".join(messages))

        self.at_desk(use)

    def check_browsers_agents_ask_the_person(self):
        def use(desk, window, agent):
            window.run("globalThis.agrees = false")
            text, result = agent.call("order-")
            expect("“Order it?”" in text and result["structuredContent"]["reason"] == "decline", result)
            expect("plan" not in json.dumps(result), "an agent has the plan that the person refused")
            window.run("globalThis.agrees = true")
            expect(agent.call("order-")[1]["structuredContent"]["performed"], "it is not performed")
            expect(desk.state()["ordered"] == 1, "what was refused is performed, or what was agreed to is not")
            expect(window.run("return asked") == [CONFIRMATION, CONFIRMATION], "the person was asked something else")
            # While the person thinks, somebody else orders: what was tried would be something else now.
            window.run("globalThis.agrees = new Promise((resolve) => { globalThis.agree = resolve })")
            invocation = agent.start("order-", {})
            window.wait("asked.length === 3")
            desk.patch(ordered=7)
            window.run("agree(true)")
            expect(agent.result(invocation)["structuredContent"]["performed"], "it is not performed")
            expect(window.run("return asked.length") == 4, "the person agreed to something else")
            expect(desk.state()["ordered"] == 8, "it is not performed once")
            window.run("stop()")
            agent.until(lambda: not agent.tools, "no tools after the end")
            # A tool of the page's own keeps its name.
            own = "{ name: 'look-', description: 'Its own', execute: async () => 'own' }"
            window.run(f"document.modelContext.registerTool({own}); globalThis.stop = begin()")
            agent.has("count-", "order-", "export-")
            expect(agent.result(agent.start("look-", {})) == "own", "the page's own tool is replaced")
            expect(window.run("return failed.splice(0)") == ["InvalidStateError"], "the page is not told")

        self.at_desk(use)

    def check_browsers_agents_wait_for_work(self):
        """A call waits for what it delivers, though its tool is withdrawn meanwhile; cancelling it cancels the work."""

        def use(desk, window, agent):
            invocation = agent.start("export-", {})
            agent.lacks("export-")
            deliveries = desk.session.deliveries(by="worker")
            work = deliveries.next(wait=20)
            expect(work, "nothing is delivered")
            expect(invocation not in agent.results, "a call does not wait")
            deliveries.reply(work, "twelve pages")
            result = json.dumps(agent.result(invocation))
            expect("twelve pages" in result, f"the result of the work is not that of the call: {result}")
            agent.has("export-")
            cancelled = agent.start("export-", {})
            agent.lacks("export-")
            agent.send("WebMCP.cancelInvocation", invocationId=cancelled)
            agent.has("export-")
            states = [one["state"] for one in desk.deliveries()]
            expect(states == ["replied", "cancelled"], f"the deliveries are {states}")

        self.at_desk(use)

    def check_browsers_agents_through_a_restart(self):
        def use(desk, window, agent):
            desk.server.kill()
            text, result = agent.call("count-")
            expect(result.get("isError") and "not reached" in text and "not known" in text, result)
            invocation = agent.start("count-", {})
            time.sleep(1)
            expect("look-" in agent.tools, "tools are withdrawn while the server is away")
            desk.start()
            expect(agent.result(invocation)["structuredContent"]["performed"], "a call does not wait for the server")
            expect(desk.state()["count"] == 1, "a call is not performed once")
            desk.patch(isOpen=True)
            agent.has("erase-")
            self.same(desk, agent)

        self.at_desk(use)

    def check_browsers_agents_with_ten_changes_a_second(self):
        def use(desk, window, agent):
            done = threading.Event()

            def change():
                for number in range(51):
                    desk.patch(isOpen=number % 2 == 0)
                    done.wait(0.1)
                done.set()

            changing = threading.Thread(target=change)
            changing.start()
            calls = 0
            while not done.is_set():
                agent.has("count-")
                # Its title has its count: between two titles it is withdrawn.
                text, result = agent.call("look-")
                expect("isError" not in result, text)
                calls += 1
                agent.until(lambda: "count-" in agent.tools, "a tool that is always enabled")
            changing.join()
            expect(calls >= 5, f"{calls} calls are no check")
            agent.has("erase-")
            self.same(desk, agent)
            times = agent.registered.count("erase-")
            expect(times >= 5, f"a tool that comes and goes 26 times was seen {times} times")
            expect(agent.registered.count("look-") == 1, "a tool that never changes is registered again")
            self.note("browser's agents: a tool that comes 26 times in 5 seconds", f"is registered {times} times")

        self.at_desk(use)
