"""Prompts: their list, and their messages."""

import base64

from scenarios.check import scenario


@scenario("prompts-list")
def listing(check):
    listed = check.agent().ask("prompts/list").result["prompts"]
    check.expect(len(listed) >= 4, f"{listed}")
    check.expect(all(one["name"] and one["description"] for one in listed), f"{listed}")
    arguments = [one.get("arguments", []) for one in listed]
    check.expect(all(one["name"] for some in arguments for one in some), f"{listed}")


def messages(check, name, arguments=None):
    params = {"name": name} | ({"arguments": arguments} if arguments else {})
    made = check.agent().ask("prompts/get", params).result["messages"]
    check.expect(all(one["role"] == "user" for one in made), f"{made}")
    return [one["content"] for one in made]


@scenario("prompts-get-simple")
def simple(check):
    made = messages(check, "test_simple_prompt")
    check.expect(
        made == [{"type": "text", "text": "This is a simple prompt for testing."}], f"{made}")


@scenario("prompts-get-with-args")
def with_arguments(check):
    made = messages(
        check, "test_prompt_with_arguments", {"arg1": "testValue1", "arg2": "testValue2"})
    check.expect(
        made[0]["text"] == "Prompt with arguments: arg1='testValue1', arg2='testValue2'", f"{made}")


@scenario("prompts-get-embedded-resource")
def embedded(check):
    uri = "test://example-resource"
    made = messages(check, "test_prompt_with_embedded_resource", {"resourceUri": uri})
    check.expect(
        made[0] == {"type": "resource", "resource": {
            "uri": uri, "mimeType": "text/plain",
            "text": "Embedded resource content for testing."}}, f"{made}")
    check.expect(made[1]["text"] == "Please process the embedded resource above.", f"{made}")


@scenario("prompts-get-with-image")
def image(check):
    made = messages(check, "test_prompt_with_image")
    check.expect(made[0]["type"] == "image" and made[0]["mimeType"] == "image/png", f"{made}")
    check.expect(base64.b64decode(made[0]["data"])[1:4] == b"PNG", f"{made}")
    check.expect(made[1]["text"] == "Please analyze the image above.", f"{made}")


@scenario("prompts-get: errors")
def errors(check):
    agent = check.agent()
    status = 400 if agent.is_stateless else 200
    for params in (
        {"name": "none"}, {"name": "test_prompt_with_arguments"},
        {"name": "test_prompt_with_arguments", "arguments": {"arg1": "a"}},
    ):
        check.expect_error(agent.ask("prompts/get", params), status, -32602, f"{params}")
