#!/usr/bin/env python3
"""Counts what a list of tools costs a model, in tokens, by mode and number of commands.

Applications are generated. Half of their commands are enabled, and each third has a description and two parameters. A model is given
the name, the description and the schema of a tool; their tokens are those of Mistral's tokenizer Tekken, which
`mistral-common` brings with it. Bytes are those of the list as it is sent.
"""

import argparse
import functools
import importlib.util
import json
import os
import subprocess
import sys
import tempfile

from agent_client import Agent
from program import BUILT, ROOT, Connection, Program

ENVIRONMENT = os.path.join(ROOT, ".build", "agent-tokens")
COUNTS = (30, 300, 3000)
MODES = ("enabled", "all", "find")
VERBS = """Add Adjust Align Approve Archive Arrange Assign Attach Cancel Check Clear Close Collapse Combine Compare Convert Copy
Create Crop Delete Detach Duplicate Edit Expand Export Filter Find Flag Group Hide Import Insert Join Label Link Lock Merge
Move Open Paste Pin Preview Print Publish Rename Replace Reset Resize Restore Rotate Share Show Sort Split Translate Trim Undock Update""".split()
NOUNS = """Account Album Annotation Appointment Attachment Bookmark Booking Chapter Chart Column Comment Contact Contract
Customer Delivery Diagram Discount Document Draft Event Filter Folder Footnote Frame Heading Image Invoice Item Keyword
Layer Letter Map Meeting Message Note Order Page Paragraph Payment Person Photo Playlist Product Project Query Recipe Reminder
Report Room Row Schedule Section Shipment Slide Table Tag Task Ticket""".split()
PARAMETERS = {
    "type": "object", "additionalProperties": False, "required": ["name"],
    "properties": {"name": {"type": "string", "title": "Name", "minLength": 1},
                   "position": {"type": "integer", "title": "Position", "minimum": 0}}}


def application(folder, count):
    """Writes an application of so many commands."""
    os.makedirs(folder)
    commands, menus = [], {}
    for number in range(count):
        verb, noun = VERBS[number // len(NOUNS)], NOUNS[number % len(NOUNS)]
        command = {"title": f"{verb} {noun}", "action": f"{verb.lower()}{noun}:"}
        if number % 3 == 0:
            command |= {"description": f"{verb}s the selected {noun.lower()}, and says so in its list.", "parameters": PARAMETERS}
        commands.append(command)
        menus.setdefault(noun, []).append(command["action"])
    files = {
        "commands": commands,
        "menus": [{"identifier": noun.lower(), "title": noun, "children": actions} for noun, actions in menus.items()],
        "session": {
            "responders": {
                "application": {"kind": "application"},
                "window": {"kind": "window", "rootViewController": "root"},
                "root": {"kind": "viewController",
                         "handlers": {command["action"]: {} for command in commands[::2]}}},
            "firstResponder": "root", "keyWindow": "window"}}
    for name, content in files.items():
        with open(os.path.join(folder, f"{name}.json"), "w", encoding="utf-8") as file:
            json.dump(content, file)


@functools.cache
def tokenizer():
    from mistral_common.tokens.tokenizers.mistral import MistralTokenizer

    return MistralTokenizer.v3(is_tekken=True).instruct_tokenizer.tokenizer


def tokens(tools):
    """The number of tokens of what a model is given."""
    given = [{name: tool[name] for name in ("name", "description", "inputSchema")} for tool in tools]
    return len(tokenizer().encode(json.dumps(given, ensure_ascii=False, separators=(",", ":")), bos=False, eos=False))


def listed(agent):
    """All pages of tools."""
    tools, pages, cursor = [], 0, None
    while pages == 0 or cursor:
        result = agent.ask("tools/list", {"cursor": cursor} if cursor else None).result
        tools, pages, cursor = tools + result["tools"], pages + 1, result.get("nextCursor")
    return tools, pages


def measure(program, folder, count):
    """Prints the rows of an application, and returns its faults."""
    path, faults = os.path.join(folder, str(count)), []
    application(path, count)
    server = Program(["--journal-path", f"{path}.db", "--application", path], {"MENUD_LIMITS_PROCESSOR_TIME": "0"}, program)
    try:
        port = server.port()
        Connection(port).ask("POST", "/sessions", {"id": "tokens"})
        for mode, expected in zip(MODES, ((count + 1) // 2, count, 6)):
            tools, pages = listed(Agent(port, "2025-11-25", f"/sessions/tokens/mcp?tools={mode}"))
            if len(tools) != expected:
                faults.append(f"{count} commands, {mode}: {len(tools)} tools instead of {expected}")
            size = len(json.dumps(tools, ensure_ascii=False, separators=(",", ":")).encode())
            print(f"| {count:,} | `{mode}` | {len(tools):,} | {pages} | {size:,} | {tokens(tools):,} |")
    finally:
        server.stop()
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--program", default=BUILT, help="the built menud")
    parser.add_argument("--environment", default=ENVIRONMENT, help="where PyPI's mistral-common is")
    options = parser.parse_args()
    if importlib.util.find_spec("mistral_common") is None:
        python = os.path.join(options.environment, "bin", "python3")
        sys.exit(subprocess.run([python, "-B", *sys.argv]).returncode)
    print("| commands | `?tools=` | tools | pages | bytes | tokens |\n|--:|---|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory(prefix="menud-tokens-") as folder:
        faults = [fault for count in COUNTS for fault in measure(options.program, folder, count)]
    for fault in faults:
        print(f"FAULT {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
