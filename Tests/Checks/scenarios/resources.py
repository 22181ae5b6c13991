"""Resources, subscriptions to them, and completion."""

import base64
import contextlib
import json
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
        check.expect(content["uri"] == uri and content["mimeType"], f"{content}")
        check.expect("text" in content or "blob" in content, f"{content}")
    check.expect("test_tool_fast" in content["text"], "the template's parameter is told")


@scenario("resources-read-text, resources-read-binary, resources-templates-read: the suite's own")
def own(check):
    agent = check.agent()

    def read(uri):
        return agent.ask("resources/read", {"uri": uri}).result["contents"]

    check.expect(
        read("test://static-text") == [{
            "uri": "test://static-text", "mimeType": "text/plain",
            "text": "This is the content of the static text resource."}], "test://static-text")
    binary = read("test://static-binary")[0]
    check.expect(binary["mimeType"] == "image/png", f"{binary}")
    check.expect(base64.b64decode(binary["blob"])[1:4] == b"PNG", f"{binary}")
    listed = agent.ask("resources/templates/list").result["resourceTemplates"]
    check.expect("test://template/{id}/data" in [one["uriTemplate"] for one in listed], f"{listed}")
    data = read("test://template/123/data")[0]
    check.expect(data["uri"] == "test://template/123/data", f"{data}")
    check.expect(data["mimeType"] == "application/json", f"{data}")
    check.expect(
        json.loads(data["text"]) == {"id": "123", "templateTest": True, "data": "Data for ID: 123"},
        f"{data}")


@scenario("resources-subscribe, resources-unsubscribe", HANDSHAKES)
def subscriptions(check):
    for uri in (SESSION, "test://watched-resource"):
        follow_updates(check, uri)


def follow_updates(check, resource):
    agent = check.agent()
    reply = agent.listen()
    told = queue.Queue()

    def follow():
        for event in reply.events():
            if event.message and event.message["method"] == "notifications/resources/updated":
                told.put(event.message["params"]["uri"])

    follower = threading.Thread(target=follow, daemon=True)
    follower.start()
    for method, uri in (("subscribe", resource), ("unsubscribe", None)):
        answer = agent.ask(f"resources/{method}", {"uri": resource})
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
