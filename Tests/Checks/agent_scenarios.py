#!/usr/bin/env python3
"""Sends the built program what the scenarios of the protocol's conformance suite send a server, and demands what they
demand, in every revision that has the scenario. The names are the suite's; the requests are made by hand.

`SKIPPED` says what is left out, and why.
"""

import argparse
import os
import sys
import tempfile
import threading

from agent_worker import work
from program import BUILT, ROOT, Connection, Program
# Each registers its scenarios.
from scenarios import lifecycle, tools, streams, resources, prompts, questions, stateless, tasks  # noqa: F401
from scenarios.check import SCENARIOS, Check

SKIPPED = {
    "logging-set-level, tools-call-with-logging, per-request-loglevel":
        "there is no log for agents, and so no level",
    "tools-call-sampling; input-required-result-basic-sampling, -basic-list-roots, -multiple-input-requests and "
    "-capability-check; server-stateless: test_missing_capability":
        "sampling and roots are deprecated, and menud asks for neither",
    "elicitation-sep1036-url-mode": "menud asks by forms, and sends nobody to a page",
    "elicitation-sep1330-enums: enumNames": "it is deprecated, and no keyword of the schemas of parameters",
    "input-required-result-basic-elicitation and -ignore-extra-params, by the key user_name":
        "a server chooses its keys; menud's one question has another, and no answer is taken before it is asked",
    "input-required-result-multi-round: two forms":
        "one form asks for all that is missing, and is asked again as a whole",
    "input-required-result-non-tool-request": "a prompt that lacks an argument is an error, and asks nobody",
    "sep-2106: output schemas": "a command does not declare the schema of its result",
    "server-stateless: test_trigger_prompt_change": "prompts change with the application's folder, by no command",
    "http-stream-cancellation: an event without a progressToken":
        "progress without a token must not be told; with one it is",
    "tasks-lifecycle: protocol_error_job":
        "errors of the protocol are answered before there is a task; a delivery that fails completes it with isError",
    "tasks-mrtr-input": "questions are asked before there is a task, and it asks nothing",
    "tasks-required-task-error": "no tool needs tasks: who does not declare them waits for the result",
    "auth/*, scope-challenge, auth-token-audience": "OAuth is the business of a proxy",
    "sep-2640-skills-*, events, server-legacy-extensions": "these extensions are not offered",
}


def run(port):
    """Runs every scenario in each of its revisions; returns the demands and the faults."""
    demands, faults = 0, 0
    for name, revisions, function in SCENARIOS:
        checks = [Check(port, name, revision) for revision in revisions]
        for check in checks:
            try:
                function(check)
            except Exception as error:  # A reply that has not what a scenario reads is a fault of its own.
                check.expect(False, f"{type(error).__name__}: {error}")
        demands += sum(check.demands for check in checks)
        faults += sum(len(check.faults) for check in checks)
        marks = ", ".join(
            f"{check.revision} {'FAILED' if check.faults else check.demands}" for check in checks)
        print(f"{name}: {marks}")
    return demands, faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--program", default=BUILT, help="the built menud")
    options = parser.parse_args()
    stopped = threading.Event()
    with tempfile.TemporaryDirectory(prefix="menud-scenarios-") as folder:
        server = Program(
            ["--journal-path", f"{folder}/tools.db", "--application",
             os.path.join(ROOT, "Config", "agent-tools")],
            {"MENUD_LIMITS_PROCESSOR_TIME": "0"}, options.program)
        try:
            port = server.port()
            Connection(port).ask("POST", "/sessions", {"id": "tools"})
            workers = [threading.Thread(target=work, args=(port, "tools", stopped, 0.05), daemon=True)
                       for _ in range(8)]
            for worker in workers:
                worker.start()
            demands, faults = run(port)
        finally:
            stopped.set()
            server.stop()
    for names, reason in SKIPPED.items():
        print(f"left out: {names}: {reason}")
    print(f"{len(SCENARIOS)} scenarios, {demands} demands, {faults} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
