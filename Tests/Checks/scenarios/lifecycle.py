"""The handshake, revisions, batches and host names."""

import re

from agent_client import HANDSHAKES
from scenarios.check import scenario


@scenario("server-initialize", HANDSHAKES)
def initialize(check):
    agent = check.agent()
    result = agent.initialized.result
    check.expect(result["protocolVersion"] == check.revision, f"agreed on {result}")
    check.expect({"tools", "resources", "completions"} <= result["capabilities"].keys(), f"{result}")
    check.expect(result["serverInfo"]["name"] and result["serverInfo"]["version"], f"{result}")
    check.expect(
        agent.accepted.status == 202 and agent.accepted.body is None, f"{agent.accepted.status}")
    check.expect(re.fullmatch(r"[\x21-\x7E]+", agent.session), f"named {agent.session!r}")
    other = agent.ask("initialize", agent.handshake("2024-11-05")).result["protocolVersion"]
    check.expect(other == HANDSHAKES[-1], f"another revision was answered with {other}")


@scenario("ping", HANDSHAKES)
def ping(check):
    reply = check.agent().ask("ping", number="123")
    check.expect((reply.result, reply.body["id"]) == ({}, "123"), f"{reply.body}")


@scenario("server-session-lifecycle", HANDSHAKES)
def session_lifecycle(check):
    reply = check.agent()
    status = reply.send(None, reply.fields(), method="DELETE").status
    check.expect(status == 405, f"DELETE {status}")


@scenario("server-protocol-version-header", HANDSHAKES)
def protocol_version(check):
    agent = check.agent()
    for session in (None, agent.session):
        for version in ("invalid-protocol-version", "2000-01-01", "2099-01-01"):
            fields = {"MCP-Protocol-Version": version, "Mcp-Session-Id": session}
            reply = agent.ask("tools/list", fields=fields)
            check.expect(reply.status == 400, f"{version}, {session}: {reply.status}")


@scenario("json-rpc-batch-rejection")
def batches(check):
    agent = check.agent()
    methods = ["server/discover", "tools/list"] if agent.is_stateless else ["ping", "ping"]
    batch = [agent.request(method) for method in methods]
    reply = agent.send(batch, agent.fields(methods[0])).read()
    check.expect(
        400 <= reply.status < 500 and isinstance(reply.body, dict) and reply.code is not None,
        f"{reply.status} {reply.body}")


@scenario("dns-rebinding-protection")
def rebinding(check):
    agent = check.agent()
    method = "server/discover" if agent.is_stateless else "initialize"
    params = {} if agent.is_stateless else agent.handshake(check.revision)

    def status(host, method, body):
        fields = {"Host": host, "Origin": f"http://{host}"}
        return agent.send(body, agent.fields(method) | fields).read().status

    own, evil = f"127.0.0.1:{check.port}", "evil.example.com"
    body = agent.request(method, params)
    check.expect(400 <= status(evil, method, body) < 500, "another host and origin are refused")
    check.expect(status(own, method, body) == 200, "its own host and origin are not")
    if not agent.is_stateless:
        method = "notifications/initialized"
        check.expect(status(own, method, {"jsonrpc": "2.0", "method": method}) == 202, "initialized")
