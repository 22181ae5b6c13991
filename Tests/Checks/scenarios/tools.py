"""Lists of tools, their schemas, and what calls answer."""

import json
import re

from agent_client import encoded
from scenarios.check import MODERN, scenario


@scenario("tools-list")
def tools_list(check):
    agent = check.agent()
    tools = agent.ask("tools/list").result["tools"]
    for tool in tools:
        check.expect(
            tool["name"] and tool["description"] and tool["inputSchema"]["type"] == "object", f"{tool}")
        check.expect(re.fullmatch(r"[A-Za-z0-9_.-]{1,128}", tool["name"]), f"named {tool['name']}")
    names = [tool["name"] for tool in tools]
    check.expect(len(set(names)) == len(names), "names are unique")
    for _ in range(2):
        again = [tool["name"] for tool in agent.ask("tools/list").result["tools"]]
        check.expect(again == names, "the order is the same")


@scenario("tools-call-simple-text")
def simple_text(check):
    content = check.agent().call("test_simple_text").result["content"]
    check.expect(
        content[0] == {"type": "text", "text": "This is a simple text response for testing."},
        f"{content}")


@scenario("tools-call-image, -audio, -embedded-resource, -mixed-content")
def contents(check):
    agent = check.agent()
    for tool, mime_type in (("test_image_content", "image/png"), ("test_audio_content", "audio/wav")):
        block = agent.call(tool, {}).result["content"][0]
        check.expect(
            block["type"] == mime_type.split("/")[0] and block["data"]
            and block["mimeType"] == mime_type, f"{block}")
    block = agent.call("test_embedded_resource", {}).result["content"][0]
    resource = block["resource"]
    check.expect(
        block["type"] == "resource" and resource["uri"] and resource["mimeType"]
        and resource["text"], f"{block}")
    blocks = agent.call("test_multiple_content_types", {}).result["content"]
    check.expect([block["type"] for block in blocks] == ["text", "image", "resource"], f"{blocks}")


@scenario("tools-call-error")
def error(check):
    agent = check.agent()
    result = agent.call("test_error_handling", {}).result
    check.expect(result["isError"] is True and result["content"][0]["text"], f"{result}")
    unknown = agent.call("no_such_tool", {})
    status = 400 if agent.is_stateless else 200
    check.expect_error(unknown, status, -32602, "a tool that is not there")


@scenario("tools-call-with-progress, progress-notifications")
def progress(check):
    agent = check.agent()
    for token in ("progress-test-1", 42):
        reply = agent.call("test_tool_with_progress", {}, params={"_meta": {"progressToken": token}})
        told = reply.told("progress")
        values = [params["progress"] for params in told]
        check.expect(len(values) >= 3 and values == sorted(set(values)), f"told {values}")
        check.expect({params["progressToken"] for params in told} == {token}, f"told {told}")
        check.expect(reply.messages[-1].get("result"), "the response is the last message")
    check.expect(not agent.call("test_tool_with_progress", {}).told("progress"), "no token")


@scenario("json-schema-2020-12, sep-2106 inputs")
def schemas(check):
    agent = check.agent()
    # A client that listens has a tool for each command.
    stream = None if agent.is_stateless else agent.listen()
    tools = {tool["name"]: tool for tool in agent.ask("tools/list").result["tools"]}
    schema = tools["json_schema_2020_12_tool"]["inputSchema"]
    check.expect(
        schema["$schema"] == "https://json-schema.org/draft/2020-12/schema", f"{schema}")
    check.expect(schema["$defs"]["address"]["$anchor"] == "addressDef", f"{schema}")
    check.expect(schema["additionalProperties"] is False, f"{schema}")
    check.expect(schema["allOf"][0]["anyOf"] and {"if", "then", "else"} <= schema.keys(), f"{schema}")
    one_of = tools["sep_2106_oneof_input_tool"]["inputSchema"]
    check.expect(one_of["type"] == "object" and len(one_of["oneOf"]) == 2, f"{one_of}")
    result = agent.call("list_numbers", {}).result
    text = next(block["text"] for block in result["content"] if block["type"] == "text")
    check.expect(json.loads(text) == [1, 2, 3], f"{result}")
    # Before, structured content is an object.
    structured = [1, 2, 3] if agent.is_stateless else None
    check.expect(result.get("structuredContent") == structured, f"{result}")
    if stream:
        stream.close()


@scenario("http-custom-header-server-validation", MODERN)
def custom_headers(check):
    agent = check.agent()
    schema = next(tool["inputSchema"] for tool in agent.ask("tools/list").result["tools"]
                  if tool["name"] == "test_x_mcp_header")
    mirrored = {name: one["x-mcp-header"] for name, one in schema["properties"].items()}
    check.expect(mirrored == {"region": "Region", "count": "Count"}, f"{schema}")
    name, arguments = "test_x_mcp_header", {"region": "eu", "count": 42}
    fields = {"Mcp-Param-Region": "eu", "Mcp-Param-Count": "42"}
    check.expect(not agent.call(name, arguments, fields=fields).result.get("isError"), "they agree")
    check.expect(not agent.call(name, {"region": "é"}, fields={
        "Mcp-Param-Region": encoded("é")}).result.get("isError"), "encoded")
    check.expect(not agent.call(name, {}).result.get("isError"), "nothing is repeated")
    for text, wrong in (("missing", {"Mcp-Param-Count": "42"}),
                        ("another value", fields | {"Mcp-Param-Region": "us"}),
                        ("another number", fields | {"Mcp-Param-Count": "43"}),
                        ("no Base64", fields | {"Mcp-Param-Region": "=?base64?%?="})):
        check.expect_error(agent.call(name, arguments, fields=wrong), 400, -32020, text)
