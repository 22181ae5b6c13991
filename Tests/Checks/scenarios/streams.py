"""Calls that are cancelled, streams that break, and several at once."""

import time

from agent_client import HANDSHAKES
from scenarios.check import MODERN, NOVEMBER, is_cancelled, is_healthy, scenario, together


@scenario("cancellation", HANDSHAKES)
def cancellation(check):
    agent = check.agent()
    cancelled = "notifications/cancelled"
    for request in ("nonexistent-request-99999", *(f"burst-cancel-{n}" for n in range(5))):
        status = agent.notify(cancelled, {"requestId": request, "reason": "A test."}).status
        check.expect(status == 202, f"{request}: {status}")
    check.expect(is_healthy(agent), "goes on")
    began = time.monotonic()
    reply = agent.open("tools/call", {"name": "test_tool_slow", "arguments": {"durationMs": 10000}}, 77)
    time.sleep(0.5)
    agent.notify(cancelled, {"requestId": 77, "reason": "A test."})
    check.expect(not reply.read().messages, "a cancelled request is not answered")
    check.expect(time.monotonic() - began < 9, "it is stopped at once")
    check.expect(is_cancelled(check), "its work is cancelled")
    check.expect(is_healthy(agent), "goes on")


@scenario("http-stream-cancellation", MODERN)
def stream_cancellation(check):
    agent = check.agent()
    params = {"name": "test_tool_slow", "arguments": {"durationMs": 10000},
              "_meta": {"progressToken": "slow"}}
    for _ in range(6):
        reply = agent.open("tools/call", params)
        check.expect(reply.type == "text/event-stream", reply.type)
        check.expect(next(reply.events()).message["method"] == "notifications/progress", "an event")
        reply.close()
    check.expect(is_healthy(agent), "goes on")
    check.expect(is_cancelled(check), "the work of requests whose streams are closed is cancelled")


@scenario("server-sse-polling", NOVEMBER)
def polling(check):
    agent = check.agent()
    reply = agent.open("tools/call", {"name": "test_reconnection", "arguments": {}}, 1)
    first = next(reply.events())
    check.expect(first.id and first.data == "", f"begins with an id and empty data: {vars(first)}")
    check.expect(first.retry and int(first.retry) > 0, "says when to connect again")
    reply.close()
    resumed = agent.listen(first.id).read(seconds=10)
    check.expect(resumed.status == 200, f"{resumed.status}")
    check.expect(
        [message["id"] for message in resumed.messages if "result" in message] == [1],
        f"the response comes on the stream that goes on: {resumed.messages}")
    ids = [event.id for event in resumed.all]
    check.expect(len({first.id, *ids}) == len(ids) + 1, "ids are unique")
    whole = agent.call("test_reconnection", {})
    check.expect(whole.result["content"][0]["text"] == "Reconnected.", f"{whole.body}")


@scenario("server-sse-polling: the event stream", NOVEMBER)
def event_stream(check):
    agent = check.agent()
    reply = agent.listen()
    first = next(reply.events())
    check.expect(reply.status == 200 and first.id and first.data == "", f"{vars(first)}")
    check.expect(first.retry, "says when to connect again")
    reply.close()


@scenario("server-sse-multiple-streams")
def multiple_streams(check):
    agent = check.agent()
    replies = together([lambda: agent.ask("tools/list") for _ in range(3)])
    check.expect([reply.status for reply in replies] == [200] * 3, "three lists")
    calls = together([
        lambda n=n: agent.call(
            "test_tool_with_progress", {}, params={"_meta": {"progressToken": f"stream-{n}"}})
        for n in range(3)])
    for number, reply in enumerate(calls):
        tokens = {params["progressToken"] for params in reply.told("progress")}
        check.expect(tokens == {f"stream-{number}"} and reply.result, f"told {tokens}")


@scenario("session-isolation, notification-isolation")
def isolation(check):
    one, two = check.agent(), check.agent()
    text, image = together([
        lambda: one.call("test_simple_text", {}, number=2),
        lambda: two.call("test_image_content", {}, number=2)])
    check.expect(text.result["content"][0]["type"] == "text", f"{text.body}")
    check.expect(image.result["content"][0]["type"] == "image", f"{image.body}")
    agents = [check.agent() for _ in range(10)]
    replies = together([
        lambda place=place: agents[place].call(
            "test_tool_with_progress", {}, number=2,
            params={"_meta": {"progressToken": f"client-{place}"}}) for place in range(10)])
    for place, reply in enumerate(replies):
        tokens = {params["progressToken"] for params in reply.told("progress")}
        check.expect(tokens == {f"client-{place}"}, f"client-{place} was told {tokens}")
        check.expect(reply.body["id"] == 2 and reply.result, f"client-{place}: {reply.body}")
