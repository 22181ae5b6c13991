"""Resources, subscriptions to them, and completion."""

import contextlib
import queue
import threading

from agent_client import HANDSHAKES
from scenarios.check import SESSION, scenario


@scenario("resources-list, resources-read-text, resources-templates-read")
def resources(check):
    agent = check.agent()
    listed = agent.ask("resources/list").result["resources"]
    check.expect(listed and all(one["uri"] and one["name"] for one in listed), f"{listed}")
    templates = agent.ask("resources/templates/list").result["resourceTemplates"]
    check.expect(templates and all(one["uriTemplate"] and one["name"] for one in templates), "")
    template = templates[0]["uriTemplate"].replace("{command}", "test_tool_fast")
    for uri in [*(one["uri"] for one in listed), template]:
        content = agent.ask("resources/read", {"uri": uri}).result["contents"][0]
        check.expect(content["uri"] == uri and content["mimeType"] and content["text"], f"{content}")
    check.expect("test_tool_fast" in content["text"], "the template's parameter is told")


@scenario("resources-subscribe, resources-unsubscribe", HANDSHAKES)
def subscriptions(check):
    agent = check.agent()
    reply = agent.listen()
    told = queue.Queue()

    def follow():
        for event in reply.events():
            if event.message and event.message["method"] == "notifications/resources/updated":
                told.put(event.message["params"]["uri"])

    follower = threading.Thread(target=follow, daemon=True)
    follower.start()
    for method, uri in (("subscribe", SESSION), ("unsubscribe", None)):
        answer = agent.ask(f"resources/{method}", {"uri": SESSION})
        check.expect(answer.result == {}, f"{method}: {answer.body}")
        agent.call("count", {})
        seen = None
        with contextlib.suppress(queue.Empty):
            seen = told.get(timeout=2)
        check.expect(seen == uri, f"{method}: told {seen}")


@scenario("sep-2164-resource-not-found")
def not_found(check):
    agent = check.agent()
    uri = "test://nonexistent-resource-for-conformance-testing"
    reply = agent.ask("resources/read", {"uri": uri})
    status, code = (400, -32602) if agent.is_stateless else (200, -32002)
    check.expect_error(reply, status, code, "a resource that is not there")
    check.expect(reply.result is None and reply.body["error"]["data"]["uri"] == uri, f"{reply.body}")


@scenario("completion-complete")
def completion(check):
    agent = check.agent()
    ref = {"type": "ref/prompt", "name": "test_prompt_with_arguments"}
    argument = {"name": "arg1", "value": "test"}
    reply = agent.ask("completion/complete", {"ref": ref, "argument": argument})
    check.expect(
        reply.result["completion"] == {
            "values": ["test one", "test two"], "total": 2, "hasMore": False}, f"{reply.body}")
