"""Scripted models: programs that do jobs by what models are given of tools, and know nothing of the application.

They see names, descriptions, schemas, and answers. Some clients hand models the texts of answers alone, others the structured
content alone: a model reads one of them.
"""

import json
import re

from program import Connection

PLAN = re.compile(r"Nothing was done.*? Call '([^']+)' again with '([^']+)': \"([^\"]+)\"")
FOCUS = re.compile(r"^'([^']+)' would perform it if it had focus", re.MULTILINE)
VALUE = re.compile(r"^/arguments(?:/arguments)?/(\w+): .*did you mean '([^']+)'", re.MULTILINE)


class Texts:
    """Reads the texts of answers."""

    COMMAND = re.compile(r"^'([^']+)'(?: with the key '([^']*)')? “.*?”", re.MULTILINE)
    SCHEMA = re.compile(r"^The schema of its arguments: (\{.*\})$", re.MULTILINE)
    FROM = re.compile(r"^'[^']+' would perform it: call perform_command with 'from': (\".*\")\.$", re.MULTILINE)
    FOCUS = re.compile(r"^'[^']+' would perform it: call focus with '([^']+)' first", re.MULTILINE)
    FIRST = re.compile(r"^Performing '([^']+)'.* first would make it possible", re.MULTILINE)
    MEMBER = re.compile(r"^(/[^ ]+): (.*)$", re.MULTILINE)

    def __init__(self):
        # The places of the state, as the last answer that has them tells them.
        self.places = {}

    def read(self, result):
        """Reads an answer."""
        self.text = result["content"][0]["text"]
        # A plan tells what would be.
        if not PLAN.match(self.text):
            self.places |= dict(self.MEMBER.findall(self.text))

    def commands(self):
        """The commands that were found, each with the key of its item or nothing."""
        return self.COMMAND.findall(self.text)

    def schema(self):
        """The schema of arguments, if there is one."""
        found = self.SCHEMA.search(self.text)
        return json.loads(found[1]) if found else {}

    def plan(self):
        """The argument that performs the plan of an answer, if there is one."""
        found = PLAN.match(self.text)
        return {found[2]: found[3]} if found else None

    def place(self):
        """The argument that performs from another responder, and the responder that needs focus, as a refusal says; each
        None if it says nothing of it."""
        start, focus = self.FROM.search(self.text), self.FOCUS.search(self.text)
        return start and {"from": json.loads(start[1])}, focus and focus[1]

    def first(self):
        """The command that a refusal says would help."""
        found = self.FIRST.search(self.text)
        return found and found[1]

    def value(self):
        """The argument and its value that a refusal says was meant."""
        found = VALUE.search(self.text)
        return {found[1]: found[2]} if found else None

    def seen(self, place):
        """The value at a place of the state; None if texts have not told it."""
        if place in self.places:
            return json.loads(self.places[place])
        return None


class Structures:
    """Reads the structured content of answers."""

    MEANT = re.compile(r"did you mean '([^']+)'")

    def read(self, result):
        self.content = result.get("structuredContent", {})
        self.state = self.content.get("state") or {}

    def commands(self):
        return [(found["command"], found.get("itemKey", "")) for found in self.content["commands"]]

    def schema(self):
        return self.content.get("arguments", {})

    def plan(self):
        return {"plan": self.content["plan"]} if self.content.get("planned") else None

    def place(self):
        for place in self.content.get("help", {}).get("focus", []):
            return {"from": place["responder"]} if place["from"] else None, place["responder"]
        return None, None

    def first(self):
        return next(iter(self.content.get("help", {}).get("commands", [])), None)

    def value(self):
        for fault in self.content.get("errors", [self.content]):
            if meant := self.MEANT.search(fault.get("detail", "")):
                return {fault["pointer"].removeprefix("/arguments/arguments/"): meant[1]}
        return None

    def seen(self, place):
        value = self.state
        for name in place.split("/")[1:]:
            value = value.get(name, {})
        return value


class Talk:
    """The calls of a model, and what it was told: refusals, plans, and all texts."""

    def __init__(self, agent, expect):
        self.agent, self.expect = agent, expect
        self.refusals, self.plans, self.texts = [], [], []

    def ask(self, name, arguments):
        """Calls a tool once; returns the result."""
        result = self.agent.call(name, arguments).result
        text = result["content"][0]["text"]
        self.expect(len(text.encode()) <= 2048, f"{name}: {len(text.encode())} bytes")
        self.texts.append(text)
        if result.get("isError"):
            self.refusals.append(text)
        if PLAN.match(text):
            self.plans.append(text)
        return result


class Model(Talk):
    """A model with the fixed set of tools.

    An intention is a person's words, and values by name. The model searches for the words, takes the best command, has it
    explained, fills its arguments, and does what answers say, until it is performed.
    """

    # The uses of tools to the model, and the words of the descriptions by which it knows them.
    NEEDS = {"look": "Begin here", "find": "Finds", "explain": "the schema of its arguments", "perform": "Performs a command"}
    FOCUS = "Gives focus"
    # Words that name nothing.
    SMALL = {"a", "an", "the", "it", "its", "to", "of"}

    def __init__(self, agent, reader, expect):
        super().__init__(agent, expect)
        self.reader = reader
        self.tools = {tool["name"]: tool for tool in agent.ask("tools/list").result["tools"]}
        self.names = {}
        for need, words in self.NEEDS.items():
            names = self.described(words)
            self.expect(len(names) == 1, f"{words!r} is in the descriptions of {names}")
            self.names[need] = names[0]

    def described(self, words):
        """The tools whose descriptions have these words."""
        return [name for name, tool in self.tools.items() if words in tool["description"]]

    def call(self, name, **arguments):
        """Calls a tool, and reads the answer; False if it is a refusal."""
        unknown = arguments.keys() - self.tools[name]["inputSchema"]["properties"].keys()
        self.expect(not unknown, f"{name} has no arguments {unknown}")
        result = self.ask(name, arguments)
        self.reader.read(result)
        return not result.get("isError")

    def look(self):
        """Looks at the session."""
        return self.call(self.names["look"])

    def do(self, words, values=None):
        """Fulfils an intention; False if no answer says how to go on."""
        tool = next((name for name, tool in self.tools.items() if tool["title"] == words.capitalize()), None)
        if tool:
            return self.call(tool)
        command = self.find(words)
        if not command:
            return False
        self.call(self.names["explain"], command=command["command"])
        if "itemKey" not in command:
            command["arguments"] = filled(self.reader.schema(), values or {})
        return self.perform(command)

    def find(self, words):
        """The command that the words mean, as arguments of a call: the best for all words, or else for most of them."""
        words = [word for word in words.split() if word not in self.SMALL]
        if all_of_them := self.found(" ".join(words)):
            best = all_of_them[0]
        else:
            points = {}
            for word in words:
                commands = [command for form in (word, word.removesuffix("s")) for command in self.found(form)]
                for place, command in enumerate(dict.fromkeys(commands)):
                    count, gained = points.get(command, (0, 0))
                    points[command] = count + 1, gained + 1 / (1 + place)
            if not points:
                return None
            best = max(points, key=points.get)
        command, key = best
        return {"command": command} | ({"itemKey": key} if key else {})

    def found(self, query):
        self.call(self.names["find"], query=query)
        return self.reader.commands()

    def perform(self, command, patience=5):
        """Performs a command, with what its refusals and plans ask for."""
        is_done = self.call(self.names["perform"], **command)
        plan = self.reader.plan()
        if is_done and not plan:
            return True
        again = command | plan if plan else self.follow(command)
        return bool(again and patience) and self.perform(again, patience - 1)

    def follow(self, command):
        """Does what a refusal says would help; returns the call to try then, or None if it says nothing of the kind."""
        start, responder = self.reader.place()
        if responder and (tools := self.described(self.FOCUS)):
            return command if self.call(tools[0], responder=responder) else None
        if start:
            return command | start
        if first := self.reader.first():
            return command if self.perform({"command": first}, 0) else None
        if value := self.reader.value():
            return command | {"arguments": command["arguments"] | value}
        return None


def filled(schema, values):
    """The arguments of a schema by values that a person names as the schema or its titles do."""
    arguments = {}
    given = {name.lower(): value for name, value in values.items()}
    for name, member in schema.get("properties", {}).items():
        names = [known for known in (name.lower(), member.get("title", "").lower()) if known in given]
        if not names:
            continue
        value = given[names[0]]
        titled = [choice["const"] for choice in member.get("oneOf", []) if choice.get("title") == value]
        arguments[name] = titled[0] if titled else value
    return arguments


class Person:
    """Sits before the application, and gives focus."""

    def __init__(self, port, session, expect):
        self.api, self.path, self.expect = Connection(port), f"/sessions/{session}/first-responder", expect

    def focus(self, responder):
        answer = self.api.ask("PUT", self.path, {"responder": responder})
        self.expect(answer.status == 200, f"focus on {responder}: {answer.body[:200]}")


class ToolModel(Talk):
    """A model with a tool for each command. It asks a person for focus, and performs the plans it is given."""

    FIRST = re.compile(r"^Calling '([^']+)'", re.MULTILINE)

    def __init__(self, agent, expect, person, between):
        super().__init__(agent, expect)
        # Called between the plan of a tool and its performance.
        self.person, self.between = person, between

    def do(self, words, values=None):
        """Calls a tool until it is performed, and returns the text; None if no answer says how to go on."""
        tools = self.agent.ask("tools/list").result["tools"]
        found = [tool["name"] for tool in tools if words in tool["description"]]
        self.expect(len(found) == 1, f"{words!r} is in the descriptions of {found}")
        return self.call(found[0], values or {})

    def call(self, name, arguments, patience=5):
        """Calls a tool, and performs the plans that it answers."""
        result = self.ask(name, arguments)
        text = self.texts[-1]
        if result.get("isError"):
            again = self.follow(text, arguments) if patience else None
            return None if again is None else self.call(name, again, patience - 1)
        if plan := PLAN.match(text):
            self.between(name, text)
            return self.call(plan[1], {plan[2]: plan[3]}, 0)
        return text

    def follow(self, text, arguments):
        """Does what a refusal says would help; returns the arguments to try then, or None if it says nothing of the kind."""
        if tool := self.FIRST.search(text):
            return arguments if self.call(tool[1], {}, 0) else None
        if focus := FOCUS.search(text):
            self.person.focus(focus[1])
            return arguments
        if value := VALUE.search(text):
            return arguments | {value[1]: value[2]}
        return None
