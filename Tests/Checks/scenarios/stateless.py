"""Demands that hold only since 2026-07-28: fields that repeat the body, discovery, caching and subscriptions."""

import contextlib
import json

from agent_client import META, STATELESS, encoded
from scenarios.check import MODERN, SESSION, scenario


@scenario("caching", MODERN)
def caching(check):
    agent = check.agent()
    for method, params in [
        ("tools/list", {}), ("prompts/list", {}), ("resources/list", {}),
        ("resources/templates/list", {}), ("resources/read", {"uri": "test://static-text"}),
        ("resources/read", {"uri": SESSION}),
    ]:
        result = agent.ask(method, params).result
        check.expect(type(result["ttlMs"]) is int and result["ttlMs"] >= 0, f"{method}: {result}")
        check.expect(result["cacheScope"] in ("public", "private"), f"{method}: {result}")


@scenario("http-header-validation", MODERN)
def header_validation(check):
    agent = check.agent()
    tool = "test_tool_fast"

    def send(method, fields, params=None):
        own = {"MCP-Protocol-Version": STATELESS}
        return agent.send(agent.request(method, params), own | fields).read()

    call = {"name": tool, "arguments": {}}
    for text, method, fields, params in [
        ("another method", "tools/list", {"Mcp-Method": "prompts/list"}, None),
        ("no method", "tools/list", {}, None),
        ("a method in capitals", "tools/list", {"Mcp-Method": "TOOLS/LIST"}, None),
        ("another name", "tools/call", {"Mcp-Method": "tools/call", "Mcp-Name": "wrong"}, call),
        ("no name", "tools/call", {"Mcp-Method": "tools/call"}, call),
        ("base64 without padding", "tools/call",
         {"Mcp-Method": "tools/call", "Mcp-Name": encoded(tool).replace("=?=", "?=")}, call),
        ("base64 with other characters", "tools/call",
         {"Mcp-Method": "tools/call", "Mcp-Name": "=?base64?dGVz!!!dA==?="}, call),
        ("a version in the body alone", "tools/list",
         {"Mcp-Method": "tools/list", "MCP-Protocol-Version": None}, None),
    ]:
        check.expect_error(send(method, fields, params), 400, -32020, text)
    for text, method, fields, params in [
        ("a field in small letters", "tools/list", {"mcp-method": "tools/list"}, None),
        ("a field in capitals", "tools/list", {"MCP-METHOD": "tools/list"}, None),
        ("spaces around a value", "tools/call",
         {"Mcp-Method": "tools/call", "Mcp-Name": f"  {tool}  "}, call),
        ("an encoded value", "tools/call",
         {"Mcp-Method": "tools/call", "Mcp-Name": encoded(tool)}, call),
    ]:
        reply = send(method, fields, params)
        check.expect(reply.status == 200 and reply.result, f"{text}: {reply.status} {reply.body}")


@scenario("server-stateless: _meta and discovery", MODERN)
def discovery(check):
    agent = check.agent()
    for missing in (None, "protocolVersion", "clientCapabilities"):
        request = agent.request("server/discover", number=101)
        request["params"]["_meta"].pop(META + (missing or ""), None)
        if missing is None:
            del request["params"]["_meta"]
        reply = agent.send(request, agent.fields("server/discover")).read()
        check.expect_error(reply, 400, -32602, f"without {missing or '_meta'}")
        check.expect(reply.body["id"] == 101, f"{reply.body}")
    request = agent.request("server/discover")
    del request["params"]["_meta"][META + "clientInfo"]
    reply = agent.send(request, agent.fields("server/discover")).read()
    check.expect(reply.status == 200 and reply.result, f"without clientInfo: {reply.body}")
    result = agent.ask("server/discover").result
    check.expect(STATELESS in result["supportedVersions"], f"{result}")
    check.expect(result["resultType"] == "complete", f"{result}")
    info = result["_meta"][META + "serverInfo"]
    check.expect(info["name"] and info["version"], f"{result}")
    capabilities = result["capabilities"]
    check.expect("logging" not in capabilities, f"{result}")
    for method, kind in (("tools/list", "tools"), ("prompts/list", "prompts")):
        check.expect(kind in capabilities, f"{result}")
        check.expect(isinstance(agent.ask(method).result[kind], list), f"{kind} are declared")


@scenario("server-stateless: versions", MODERN)
def versions(check):
    agent = check.agent()
    supported = agent.ask("server/discover").result["supportedVersions"]
    other = {"_meta": {META + "protocolVersion": "v999.0.0"}}
    reply = agent.ask(
        "server/discover", other, 301, fields={"MCP-Protocol-Version": "v999.0.0"})
    check.expect_error(reply, 400, -32022, "another revision")
    check.expect(
        reply.body["error"]["data"] == {"supported": supported, "requested": "v999.0.0"},
        f"{reply.body}")
    check.expect_error(agent.ask("server/discover", other), 400, -32020, "two revisions")


@scenario("server-stateless: methods", MODERN)
def methods(check):
    agent = check.agent()
    for method in ("initialize", "ping", "logging/setLevel", "resources/subscribe",
                   "resources/unsubscribe", "unknown/method"):
        fields = {"MCP-Protocol-Version": STATELESS}
        check.expect_error(agent.ask(method, fields=fields), 404, -32601, method)
    for level in (None, "debug"):
        params = {"_meta": {META + "logLevel": level}} if level else {}
        reply = agent.call("test_logging_tool", {}, params=params)
        check.expect(reply.result and not reply.told("message"), f"nothing is logged: {reply.messages}")
    reply = agent.call("test_tool_with_progress", {}, params={"_meta": {"progressToken": 1}})
    requests = [message for message in reply.messages if "method" in message and "id" in message]
    check.expect(len(reply.messages) > 1 and not requests, f"no requests on a stream: {requests}")
    for method in ("tools/list", "resources/list"):
        result = agent.ask(method).result
        check.expect(result["resultType"] == "complete", f"{method}: {result['resultType']}")


@scenario("server-stateless: subscriptions", MODERN)
def listening(check):
    agent = check.agent()

    def told(notifications, seconds):
        """The messages on a stream after the tools changed, until nothing comes for a while."""
        seen = []
        reply = agent.subscribe(notifications, seconds)
        with contextlib.suppress(TimeoutError):
            for event in reply.events():
                seen.append(event.message)
                if len(seen) == 1:
                    agent.call("test_trigger_tool_change", {})
        reply.close()
        return seen

    seen = told({"toolsListChanged": True}, 2)
    names = [message["method"] for message in seen]
    check.expect(
        names == ["notifications/subscriptions/acknowledged", "notifications/tools/list_changed"],
        f"told {names}")
    tags = {json.dumps(one["params"]["_meta"].get(META + "subscriptionId")) for one in seen}
    check.expect(len(tags) == 1 and tags != {"null"}, f"tagged {tags}")
    seen = told({"promptsListChanged": True}, 2)
    wanted = {"promptsListChanged": True}
    check.expect(len(seen) == 1 and seen[0]["params"]["notifications"] == wanted, f"told {seen}")


@scenario("server-sessionless", MODERN)
def sessionless(check):
    agent = check.agent()
    reply = agent.ask("server/discover", fields={"Mcp-Session-Id": "stale", "Last-Event-ID": "9"})
    check.expect(reply.status == 200 and reply.result, f"{reply.status} {reply.body}")
    check.expect(reply.headers["Mcp-Session-Id"] is None, "no session id is made")
    for method, kind, name in (("tools/list", "tools", "name"), ("resources/list", "resources", "uri")):
        lists = []
        for _ in range(2):
            lists.append([one[name] for one in agent.ask(method).result[kind]])
            agent.ask("server/discover")
            agent.ask("resources/list")
        check.expect(lists[0] == lists[1], f"{method} depends on nothing")
    status = agent.send(None, agent.fields(), method="GET").status
    check.expect(status == 405, f"GET {status}")
