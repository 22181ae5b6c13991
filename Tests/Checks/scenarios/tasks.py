"""The extension of tasks: what makes one, what is told of it, and how it ends."""

import datetime
import time

from agent_client import META
from scenarios.check import MODERN, accepted, converse, scenario, within

EXTENSION = META + "tasks"
TASKS = {"extensions": {EXTENSION: {}}}
METHODS = {"tasks/get": {}, "tasks/update": {"inputResponses": {}}, "tasks/cancel": {}}
# What only a task has.
OF_A_TASK = {"taskId", "status", "result", "error", "inputRequests"}


def begin(agent, seconds, **rest):
    """A task that takes so long."""
    return agent.call("slow_compute", {"seconds": seconds, "label": "sums"}, **rest).result


def look(agent, task):
    return agent.ask("tasks/get", {"taskId": task["taskId"]}).result


def settled(agent, task):
    """The task once it is done."""
    seen = {}

    def is_settled():
        seen.update(look(agent, task))
        return seen["status"] != "working"

    within(10, is_settled)
    return seen


def expect_acknowledged(check, reply, text):
    """A result that says nothing of the task."""
    check.expect(
        reply.result and reply.result["resultType"] == "complete" and not OF_A_TASK & reply.result.keys(),
        f"{text}: {reply.body}")


def cancel(check, agent, task):
    expect_acknowledged(check, agent.ask("tasks/cancel", {"taskId": task["taskId"]}), "cancelled")


@scenario("tasks-capability-negotiation", MODERN)
def negotiation(check):
    agent, other = check.agent(TASKS), check.agent()
    offered = agent.ask("server/discover").result["capabilities"]
    check.expect("tasks" not in offered and EXTENSION in offered["extensions"], f"{offered}")
    for method, params in METHODS.items():
        reply = other.ask(method, {"taskId": "gate-test"} | params)
        check.expect_error(reply, 400, -32021, method)
        data = reply.body["error"]["data"]
        check.expect(EXTENSION in data["requiredCapabilities"]["extensions"], f"{method}: {data}")
    check.expect_error(other.ask("subscriptions/listen", {"notifications": {"taskIds": ["gate-test"]}}),
                       400, -32021, "following a task")
    # The capability of before SEP-2663 is another one.
    for waiting in (other, check.agent({"tasks": {}})):
        result = begin(waiting, 0)
        check.expect(result["resultType"] == "complete" and result["content"], f"{result}")
        check.expect(not {"taskId", "task"} & result.keys(), f"{result}")
    task = begin(other, 1, params={"_meta": {META + "clientCapabilities": TASKS}})
    check.expect(task["resultType"] == "task" and task["taskId"] and "task" not in task, f"{task}")
    cancel(check, agent, task)


@scenario("tasks-lifecycle: all but protocol_error_job", MODERN)
def lifecycle(check):
    agent = check.agent(TASKS)
    greeted = agent.call("greet", {"name": "World"}).result
    check.expect(greeted["resultType"] == "complete" and "taskId" not in greeted, f"{greeted}")
    check.expect("Hello, World!" in greeted["content"][0]["text"], f"{greeted}")
    task = begin(agent, 2)
    check.expect(task["resultType"] == "task" and task["taskId"] and task["status"], f"{task}")
    check.expect(not {"task", "result", "error", "inputRequests"} & task.keys(), f"{task}")
    for name in ("createdAt", "lastUpdatedAt"):
        check.expect(datetime.datetime.fromisoformat(task[name]).tzinfo, f"{name}: {task[name]}")
    seen = look(agent, task)
    check.expect((seen["taskId"], seen["status"]) == (task["taskId"], "working"), f"{seen}")
    check.expect(not {"result", "error"} & seen.keys(), f"{seen}")
    seen = settled(agent, task)
    check.expect(seen["status"] == "completed", f"{seen}")
    check.expect("Computed: sums" in seen["result"]["content"][0]["text"], f"{seen}")
    failed = settled(agent, agent.call("failing_job", {}).result)
    check.expect(failed["status"] == "completed" and failed["result"]["isError"] is True, f"{failed}")
    check.expect("The job failed" in str(failed["result"]), f"{failed}")
    long = begin(agent, 60)
    cancel(check, agent, long)
    check.expect(settled(agent, long)["status"] == "cancelled", f"{look(agent, long)}")
    for done in (task, long):
        cancel(check, agent, done)
    check.expect(look(agent, task)["status"] == "completed", "what is done stays as it is")


@scenario("tasks-wire-fields", MODERN)
def wire_fields(check):
    agent = check.agent(TASKS)
    task = begin(agent, 1)
    for name, is_optional in (("ttlMs", True), ("pollIntervalMs", False)):
        value = task[name]
        check.expect(is_optional and value is None or type(value) is int and value > 0, f"{name}: {value}")
    check.expect(not {"ttl", "pollInterval"} & task.keys(), f"{task}")
    check.expect(settled(agent, task)["status"] == "completed", f"{look(agent, task)}")
    time.sleep(0.5)
    seen = look(agent, task)
    check.expect(seen["taskId"] == task["taskId"], f"{seen}")
    check.expect(META + "related-task" not in seen["result"].get("_meta", {}), f"{seen}")


@scenario("tasks-request-state-removal", MODERN)
def no_request_state(check):
    agent = check.agent(TASKS)
    task = begin(agent, 60)
    check.expect("requestState" not in task, f"{task}")
    check.expect("requestState" not in look(agent, task), f"{look(agent, task)}")
    cancel(check, agent, task)
    check.expect("requestState" not in settled(agent, task), f"{look(agent, task)}")


@scenario("tasks-request-headers", MODERN)
def headers(check):
    agent = check.agent(TASKS)
    greeted = agent.call("greet", {"name": "sep-2243"}).result
    check.expect(greeted["content"][0]["text"].startswith("Hello, sep-2243!"), f"{greeted}")
    task = begin(agent, 60)
    check.expect(look(agent, task)["status"] == "working", "the fields agree")
    wrong = agent.call("greet", {"name": "a"}, fields={"Mcp-Method": "tasks/get"})
    check.expect_error(wrong, 400, -32020, "another method")
    for method, params in METHODS.items():
        reply = agent.ask(method, {"taskId": task["taskId"]} | params, fields={"Mcp-Name": "another"})
        check.expect_error(reply, 400, -32020, f"{method} of another")
    check.expect(look(agent, task)["status"] == "working", "nothing was cancelled")
    cancel(check, agent, task)


@scenario("tasks-dispatch-and-envelope", MODERN)
def dispatch(check):
    agent = check.agent(TASKS | {"elicitation": {}})
    for method, params in (("tasks/result", {"taskId": "any"}), ("tasks/list", {})):
        check.expect_error(agent.ask(method, params), 404, -32601, method)
    made = agent.call("failing_job", {}).result
    check.expect(made["resultType"] == "task" and made["taskId"], f"{made}")
    greeted = agent.call(
        "greet", {"name": "legacy-hint"}, params={"task": {"ttl": 60000, "pollInterval": 100}}).result
    check.expect(greeted["resultType"] == "complete" and greeted["content"], f"{greeted}")
    check.expect("taskId" not in greeted, f"{greeted}")
    instant = begin(agent, 0)
    check.expect(settled(agent, instant)["resultType"] == "complete", f"{look(agent, instant)}")
    task = begin(agent, 60)
    check.expect(look(agent, task)["taskId"] == task["taskId"], "a task is there at once")
    unknown = {"unknown-key": {"ignored": True}}
    reply = agent.ask("tasks/update", {"taskId": task["taskId"], "inputResponses": unknown})
    expect_acknowledged(check, reply, "updated")
    cancel(check, agent, task)
    asked = agent.call("confirm_delete", {"filename": "rt.txt"}).result
    check.expect(asked["resultType"] == "input_required" and "taskId" not in asked, f"{asked}")
    for method, params in METHODS.items():
        reply = agent.ask(method, {"taskId": "tasks-conformance-nonexistent-12345"} | params)
        check.expect_error(reply, 400, -32602, f"{method} of an unknown task")


@scenario("tasks-status-notifications", MODERN)
def notifications(check):
    agent = check.agent(TASKS)
    reply = agent.call("slow_compute", {"seconds": 1}, params={"_meta": {"progressToken": "task"}})
    check.expect(len(reply.messages) == 1, f"a task is the answer alone: {reply.messages}")
    task = reply.result
    told = []
    stream = agent.subscribe({"taskIds": [task["taskId"]]})
    for event in stream.events(10):
        told.append(event.message)
        if told[-1].get("params", {}).get("status") == "completed":
            break
    stream.close()
    methods = {message["method"] for message in told[1:]}
    check.expect(methods == {"notifications/tasks"}, f"told {methods}")
    for message in told[1:]:
        params = message["params"]
        check.expect(params["taskId"] == task["taskId"] and params["status"], f"{params}")
        check.expect("requestState" not in params, f"{params}")
    check.expect(told[-1]["params"]["result"]["content"], f"{told[-1]}")


@scenario("tasks-mrtr-composition", MODERN)
def composition(check):
    agent = check.agent(TASKS | {"elicitation": {}})
    first = agent.call("test_tool_with_task", {}).result
    check.expect(first["resultType"] == "input_required" and "taskId" not in first, f"{first}")
    _, task = converse(agent, "test_tool_with_task", {}, accepted({"name": "Alice"}))
    check.expect(task["resultType"] == "task" and task["taskId"], f"{task}")
    check.expect(not {"requestState", "inputRequests"} & task.keys(), f"{task}")
    seen = settled(agent, task)
    check.expect(seen["status"] == "completed", f"{seen}")
    check.expect("Alice" in seen["result"]["content"][0]["text"], f"{seen}")
