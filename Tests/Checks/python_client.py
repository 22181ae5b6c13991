#!/usr/bin/env python3
"""Checks menud.py: requests and their retries, sessions, mirrors and workers, blocking and for asyncio.

Servers of its own refuse, hang up, hang and talk nonsense; menud answers the rest, also over TLS and with tokens.
"""

import argparse
import asyncio
import contextlib
import datetime
import inspect
import json
import os
import random
import re
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

from program import BUILT, CLIENT, ROOT, Restartable

import menud
from menud import AsyncClient, Cancelled, Client, Problem, Reply, Unreached

TOKEN = "an-administrators-token"
DELIVERING = {"perform": [{"op": "deliver", "value": "{'file': 'lake.jpg'}"}]}


def raised(kind, call, *arguments, **named):
    """The error that a call raises."""
    try:
        call(*arguments, **named)
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} is not raised.")


def eventually(condition, what="it"):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, f"It did not happen within a minute: {what}"
        time.sleep(0.01)


def started(function, *arguments):
    """A thread that nobody waits for if a check fails."""
    thread = threading.Thread(target=function, args=arguments, daemon=True)
    thread.start()
    return thread


# Servers that disturb


class Disturbing:
    """A server that does with each connection what the next of its functions does, and notes the requests."""

    def __init__(self, *acts):
        self.acts, self.requests, self.bodies, self.connections = [*acts], [], [], 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        started(self.run)

    def run(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                self.connections += 1
                started(self.serve, connection)

    def serve(self, connection):
        with connection, contextlib.suppress(OSError):
            data = b""
            while self.acts:
                while b"\r\n\r\n" not in data:
                    piece = connection.recv(65536)
                    if not piece:
                        return
                    data += piece
                head, _, data = data.partition(b"\r\n\r\n")
                fields = dict(re.findall(r"([^:\r\n]+): ([^\r]*)", head.decode()))
                size = int(fields.get("Content-Length", 0))
                while len(data) < size:
                    data += connection.recv(65536)
                self.bodies.append(data[:size].decode())
                data = data[size:]
                self.requests.append((head.decode().split("\r\n")[0], fields))
                if self.acts.pop(0)(connection) is False:
                    return


def answering(status, body="{}", **fields):
    """Answers, and keeps the connection."""
    def act(connection):
        told = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items())
        connection.sendall(f"HTTP/1.1 {status} Told\r\nContent-Length: {len(body)}\r\n{told}\r\n{body}".encode())
    return act


def saying(text):
    """Says something, and hangs up."""
    def act(connection):
        connection.sendall(text.encode())
        return False
    return act


def trickling(text):
    """Says something byte by byte, and hangs up."""
    def act(connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in text.encode():
            connection.sendall(bytes([byte]))
        return False
    return act


def hanging(connection):
    time.sleep(60)
    return False


BUSY = '{"type":"/problems/overloaded","title":"The server has too many requests at once","status":503}'


def check_retries():
    """A change is sent again with its key, while the server is busy, hangs up or hangs; a refusal is final."""
    server = Disturbing(answering(503, BUSY), saying(""), saying("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"),
                        answering(200, '{"revision":1}'))
    answer = Client(server.url, timeout=20).session("s").patch({"n": 1})
    assert answer == {"revision": 1}, answer
    keys = {fields["Idempotency-Key"] for _, fields in server.requests}
    assert len(server.requests) == 4 and len(keys) == 1, server.requests

    server = Disturbing(answering(429, BUSY, Retry_After=1), answering(200))
    start = time.monotonic()
    Client(server.url).request("GET", "/sessions")
    assert time.monotonic() - start >= 1 and "Idempotency-Key" not in server.requests[0][1]

    server = Disturbing(*[answering(503, BUSY)] * 9)
    problem = raised(Problem, Client(server.url, attempts=3).request, "POST", "/x")
    assert (problem.status, len(server.requests)) == (503, 3) and "too many" in str(problem)
    server = Disturbing(answering(503, BUSY), answering(503, BUSY, Retry_After=60), answering(200))
    problem = raised(Problem, Client(server.url, timeout=20).request, "POST", "/x")
    assert (problem.retry_after, len(server.requests)) == (60, 2)

    for status in (400, 409, 500):
        server = Disturbing(answering(status, BUSY), answering(200))
        assert raised(Problem, Client(server.url).request, "POST", "/x").status == status
        assert len(server.requests) == 1

    server = Disturbing(hanging, answering(200, '{"n":1}'))
    assert Client(server.url, timeout=6).request("POST", "/x").body == {"n": 1}
    assert len({fields["Idempotency-Key"] for _, fields in server.requests}) == 1 and len(server.requests) == 2
    server = Disturbing(hanging, hanging)
    error = raised(Unreached, Client(server.url, timeout=0.5).request, "GET", "/x")
    assert str(error) == "The server did not answer in time."
    error = raised(Unreached, Client("http://localhost:1", attempts=2).sessions)
    assert "Connection refused" in str(error) and isinstance(error.__cause__, OSError), error


def check_questions():
    """A question has no key."""
    server = Disturbing(answering(200, '{"items":[]}'), answering(204))
    client = Client(server.url)
    assert client.session("s").validate(["a:"]) == []
    assert client.request("POST", "/claim", wait=20).body is None
    assert "Idempotency-Key" not in server.requests[0][1] and server.requests[1][1]["Prefer"] == "wait=20"
    # A session that only the body names is in a field, too, as in a path.
    assert server.requests[0][1]["Menud-Session"] == "s" and "Menud-Session" not in server.requests[1][1]
    server = Disturbing(answering(200, '{"performed":true}'))
    Client(server.url).session("a:é").perform("a:", headers={"X": "y"})
    assert server.requests[0][1].items() >= {"Menud-Session": "a:%C3%A9", "X": "y"}.items(), server.requests
    # A wait is told in whole seconds (RFC 7240).
    server = Disturbing(answering(204), answering(204))
    for wait in (1.5, 1e6):
        Client(server.url).session("s").deliveries().next(wait)
    assert [fields["Prefer"] for _, fields in server.requests] == ["wait=2", "wait=1000000"]
    server = Disturbing(answering(302, "", Location="/y"), answering(200))
    assert raised(Problem, Client(server.url).request, "GET", "/x").status == 302


def check_connections():
    """Connections are kept; one that the server has closed meanwhile is replaced at once."""
    server = Disturbing(*[answering(200)] * 4)
    client = Client(server.url)
    for _ in range(4):
        client.request("GET", "/x")
    assert server.connections == 1

    def last(connection):
        answering(200)(connection)
        return False
    server = Disturbing(last, answering(200), answering(200, Connection="close"), answering(200))
    client = Client(server.url)
    for _ in range(4):
        client.request("POST", "/x")
        time.sleep(0.05)
    assert (server.connections, len(server.requests)) == (3, 4)
    client.close()
    error = raised(Unreached, client.request, "GET", "/x")
    assert str(error) == "The server is not reached: The client is closed."
    raised(Unreached, client.session("s").follow)
    client.session("s").deliveries().work(print)
    assert len(server.requests) == 4


def check_malformed():
    """What is not HTTP, or without an end, is no answer."""
    nonsense = [
        "SSH-2.0\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x5\r\nabcde\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: " + "x" * 100_000 + "\r\n\r\n", "HTTP/1.1 200 OK\r\n" + "X: y\r\n" * 50_000]
    for text in nonsense:
        error = raised(Unreached, Client(Disturbing(saying(text)).url, attempts=1).request, "GET", "/x")
        assert isinstance(error.__cause__, ConnectionError), (text[:60], error)
    chunks = "HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" \
        "3;a=b\r\n[1,\r\nA\r\n2,3,4,5,6]\r\n0\r\nX: y\r\n\r\n"
    for text in (chunks, chunks.replace("chunked", "Chunked"), "HTTP/1.0 200\r\n\r\n[1,2,3,4,5,6]"):
        for act in (saying(text), trickling(text)):
            answer = Client(Disturbing(act).url, attempts=1).request("GET", "/x")
            assert answer.body == [1, 2, 3, 4, 5, 6], answer.text
        answer = asyncio.run(asynchronously(Disturbing(saying(text)).url, lambda client: client.request("GET", "/x")))
        assert answer.body == [1, 2, 3, 4, 5, 6], answer.text
    assert str(raised(Unreached, Client(Disturbing(answering(200, "<html>")).url).commands)) == "The answer is no JSON."
    assert Client(Disturbing(answering(200, "<html>")).url).request("GET", "/x").text == "<html>"
    problem = raised(Problem, Client(Disturbing(answering(400, "<html>")).url).request, "GET", "/x")
    assert (problem.status, str(problem), problem.document) == (400, "The answer was 400.", {})
    client = Client("http://localhost:1")
    for call in (lambda: client.request("GET", "/a b"), lambda: client.request("GET", "/é"),
                 lambda: client.request("GET", "/a\r\nX: y"),
                 lambda: client.request("GET", "/x", headers={"X": "a\nb"}), lambda: Client("ftp://x")):
        raised(ValueError, call)
    error = raised(ValueError, Client, "ftp://bob:hun/ter2@localhost")
    assert str(error) == "'ftp://localhost' is not the address of a server.", error
    assert TOKEN not in repr(Client("localhost:1", token=TOKEN).session("s").__dict__)
    assert menud.path("sessions", "a/b é", "x:") == "/sessions/a%2Fb%20%C3%A9/x:"


async def asynchronously(url, work, **options):
    async with AsyncClient(url, **options) as client:
        return await work(client)


def check_large_bodies(server):
    """A refusal is read although it comes before the whole request is sent."""
    body = "x" * 20_000_000
    problem = raised(Problem, Client(server.url).request, "POST", "/x", body=body)
    assert problem.status == 413, problem
    request = asynchronously(server.url, lambda client: client.request("POST", "/x", body=body))
    assert raised(Problem, asyncio.run, request).status == 413


def check_json(server):
    """JSON is written as menud does, to the byte."""
    session = Client(server.url).open()
    numbers = [5.0, 5, 0.1, 1e300, 1e16, 2.0**53, 2.0**53 + 2, -9.5e15, 9.1e15, 9e15, 1e17, 1e-5, 1e-4, -0.0, 2**53 + 1]
    texts = ["\b\f\n\r\t\"\\/", "\u001f \u007f \u2028 é 😀", "12345678901234567.0", ""]
    session.patch({"numbers": numbers, "texts": texts, "10": 1, "2": {"__proto__": None, "b": {}, "a": []}})
    text = Client(server.url).request("GET", session.path()).text
    assert menud.write(json.loads(text)) == text
    session.close()


# With menud


class Server(Restartable):
    """A menud of the photo application."""

    all = []

    def __init__(self, options, folder, *arguments, environment=None, scheme="http"):
        self.options = options
        self.all.append(self)
        super().__init__(folder, "--application", os.path.join(ROOT, "Config", "photo-app"), "--session", "demo", *arguments,
                         environment=environment, program=options.program, scheme=scheme)

    @classmethod
    def end(cls):
        """Ends those that still run."""
        for server in cls.all:
            server.kill()


def check_sessions(server):
    """Each method asks and changes what it is named after."""
    client = Client(server.url)
    opened = client.open(first_responder=None, state={"a_b": 1})
    assert (opened.document()["firstResponder"], opened.document()["state"]) == (None, {"a_b": 1})
    session = client.open()
    assert session.validate(["zoomIn:"])[0]["reason"] == "noTarget"
    performed = session.perform("applyFiveStarRating:", item=True, headers={"X-Request-Id": "mine"})
    assert (performed["performed"], performed["target"], performed["revision"]) == (True, "photoGrid", 1)
    problem = raised(Problem, session.perform, "zoomIn:")
    assert (problem.status, problem.type, problem.reason, problem.explanation, problem.words, str(problem)) == (
        409, "/problems/not-performed", "noTarget", "Open a photo first.", "Open a photo first.",
        "The command 'zoomIn:' is disabled: Open a photo first."), vars(problem)
    assert session.perform("applyOneStarRating:", dry_run=True, wait=5)["dryRun"] is True
    once = [session.perform("applyOneStarRating:", wait=5, key="once") for _ in range(2)]
    assert once[0] == once[1] and once[0]["performed"]
    key = {"input": "5", "modifiers": ["command"]}
    assert session.press(key, platform="apple")["command"] == "applyFiveStarRating:"
    assert session.press({"input": "UIKeyInputF9"}) is None
    assert session.resolve(key, platform="apple")["action"] == "applyFiveStarRating:"
    assert session.keys("apple", from_="photoGrid")[0]["strokes"][0]["input"] == "UIKeyInputRightArrow"
    assert "not None" in str(raised(TypeError, session.patch, None))
    session.patch({"caption": "L"}, undo="Typing", coalesce="caption")
    session.patch([{"op": "replace", "path": "/caption", "value": "Lake"}], undo="Typing", coalesce="caption")
    assert session.undo()["actionName"] == "Typing" and "caption" not in session.document()["state"]
    assert session.redo()["redone"] is True
    assert session.focus("viewer")["changes"][0]["responder"] == "viewer"
    assert session.mutate([{"op": "becomeFirstResponder", "responder": "photoGrid"}])["outcomes"]
    assert session.target("zoomIn:", from_="viewer")["target"] is not None
    viewing = [[{"op": "becomeFirstResponder", "responder": "viewer"}]]
    assert session.assume(viewing, ["zoomIn:"])[0]["items"][0]["enabled"] is True
    assert session.search("rating", limit=3)["total"] > 3
    assert session.change("PUT", "locale", {"locale": None})["session"] == session.id
    assert session.form("applyFiveStarRating:")["schema"]["type"] == "object"
    items = [*menud.items_in(session.menu())]
    item, titles = next(pair for pair in items if pair[0]["command"] == "applyFiveStarRating:")
    assert len(items) > 20 and titles == ("Image", "Rating") and menud.strokes(item) == [key], (titles, item)
    keys = ({"apple": key}, {"apple": key, "other": [key, key]}, None)
    assert [menud.strokes(item | {"key": each}) for each in keys] == [[], [key, key], []]
    assert menud.strokes(item | {"key": keys[0]}, "apple") == [key]
    revisions = [entry["revision"] for entry in session.entries(limit=2)]
    assert revisions == sorted(revisions, reverse=True) and len(revisions) == session.document()["revision"]
    assert session.history(limit=1)["next"]
    assert [entry["kind"] for entry in session.entries(kind="command")] == ["command"] * 3
    assert len(client.commands()) > 20 and session.id in [one["session"] for one in client.sessions()]
    plan = session.perform("applyOneStarRating:", dry_run=True)
    if "plan" in plan:
        assert session.perform_plan(plan["plan"])["performed"]
    assert client.join(session.id).document()["session"] == session.id
    session.close()
    assert raised(Problem, session.document).type == "/problems/unknown-session"


def check_confirmations(server):
    """A command that needs a confirmation asks for it."""
    client = Client(server.url)
    session = client.open()
    command = {"title": "Wipe", "action": "wipe:", "confirmation": {"title": "Wipe all?"}}
    client.request("PUT", "/commands/wipe:", body=command)
    handler = {"perform": [{"op": "add", "path": "/wiped", "value": "true"}]}
    session.change("PUT", "responders/photoGrid/handlers/wipe:", handler)
    asked = []
    problem = raised(Problem, session.perform, "wipe:", confirm=lambda told: asked.append(told["title"]) or False)
    assert problem.type == "/problems/needs-confirmation" and asked == ["Wipe all?"]
    assert session.perform("wipe:", confirm=lambda _: True)["performed"]
    # Any value agrees or refuses, as in an `if`.
    assert session.perform("wipe:", confirm=lambda _: "yes")["performed"]
    assert raised(Problem, session.perform, "wipe:", confirm=lambda _: None).confirmation
    problem = raised(Problem, session.perform, "wipe:")
    assert problem.confirmation["title"] == problem.words == "Wipe all?"

    async def agree(_):
        await asyncio.sleep(0.01)
        return True

    async def confirmed(client):
        return await client.session(session.id).perform("wipe:", confirm=agree)
    assert asyncio.run(asynchronously(server.url, confirmed))["performed"]
    # A blocking client has nothing to wait with.
    raised(RuntimeError, session.perform, "wipe:", confirm=agree)
    session.close()


def check_fields(server):
    """The mistakes of parameters have their names."""
    client = Client(server.url)
    session = client.open()
    properties = {"name": {"type": "string"}, "n": {"type": "integer"}}
    parameters = {"type": "object", "required": ["name"], "properties": properties}
    client.request("PUT", "/commands/order:", body={"title": "Order", "action": "order:", "parameters": parameters})
    session.change("PUT", "responders/photoGrid/handlers/order:", {"perform": []})
    problem = raised(Problem, session.perform, "order:", parameters={"n": "x"})
    assert problem.status == 422 and set(problem.fields) == {"name", "n"}, problem.fields
    assert problem.words == "name: The member 'name' is missing. n: Expected an integer, found the string 'x'."
    problem = raised(Problem, session.perform, "order:", parameters={})
    assert [*problem.fields] == ["name"] and "fit" not in problem.fields["name"][0], problem.fields
    session.close()


def check_order(server):
    """Changes of a session are made in the order of the calls; one whose turn does not come is not sent."""
    async def in_order(client):
        session = await client.open()
        answers = await asyncio.gather(*(session.patch({"n": n}) for n in range(30)))
        assert [answer["revision"] for answer in answers] == [*range(1, 31)]
        # One that is given up holds up nothing.
        tasks = [asyncio.create_task(session.patch({"n": n})) for n in range(3)]
        await asyncio.sleep(0)
        tasks[1].cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert isinstance(results[1], asyncio.CancelledError) and results[2]["revision"] == 32, results
        await session.close()
    asyncio.run(asynchronously(server.url, in_order))

    async def behind_one_that_hangs(client):
        session = client.session("s")
        first = asyncio.create_task(session.patch({"n": 1}))
        await asyncio.sleep(0)
        try:
            await session.patch({"n": 2}, timeout=0.3)
            raise AssertionError("It was sent.")
        except Unreached as error:
            assert str(error) == "It was not sent: the changes before it had no answer in time."
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
    disturbing = Disturbing(hanging, hanging)
    asyncio.run(asynchronously(disturbing.url, behind_one_that_hangs, timeout=20))
    assert len(disturbing.requests) == 1
    session = Client(server.url).open()
    threads = [threading.Thread(target=lambda t=t: [session.patch({"n": [t, n]}) for n in range(20)]) for t in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert session.document()["revision"] == 80
    session.close()


def check_keys(server):
    """A mirror knows what strokes mean, and which longer keys begin with them, as menud does (K4, K8)."""
    client = Client(server.url)
    session = client.open()
    five, zoom = "applyFiveStarRating:", "zoomIn:"
    entries = [{"key": key, "command": command} for key, command in (
        ("ctrl+k ctrl+5", five), ("ctrl+k ctrl+z", zoom), ("ctrl+g", "copy:"), ("ctrl+g ctrl+\u00c5", five))]
    client.request("PUT", "/keymaps/strokes", body={"entries": entries})
    session.change("PUT", "keymap", {"keymap": "strokes"})

    def strokes(text, *modifiers):
        return [{"input": letter, "modifiers": ["command", *modifiers]} for letter in text]
    with session.follow(keys=True) as held:
        assert len(held.keys) > 5
        for text, modifiers, meaning, longer in (
                ("k", (), None, [five]), ("k5", (), five, []), ("kz", (), None, []), ("g", (), "copy:", [five]),
                ("K5", ("alphaShift",), five, []), ("k5", ("shift",), None, []), (("g", "A\u030a"), (), five, []),
                ("5", ("numericPad",), five, []), ("k55", (), None, []), ("+", (), None, [])):
            found, continuations = held.means(strokes(text, *modifiers))
            assert ((found or {}).get("command"), [key["command"] for key in continuations]) == (meaning, longer), text
            told = session.resolve(strokes(text, *modifiers))
            chosen = [match["command"] for match in told["matches"] if match["outcome"] in ("chosen", "ifFinal")]
            assert (chosen or [None])[0] == meaning and bool(told.get("pending")) == bool(longer), (text, told)
    session.close()


def check_unseen(server):
    """A mirror goes on after a revision in which nothing of it differs, and which has no event."""
    session = Client(server.url).open()
    with session.follow(commands=["applyFiveStarRating:"]) as held:
        told = []
        held.subscribe(lambda event: told.append(event.name))
        for command in ("applyFiveStarRating:", "applyOneStarRating:", "applyFiveStarRating:"):
            session.patch({"unseen": command})
            assert held.reaches(session.perform(command)["revision"], 10)
        assert held.reaches(session.patch({"unseen": None})["revision"], 10)
        assert (told, held.resets) == (["change"] * 3, 1), told
    session.close()


def check_gone(server):
    """A mirror without the responder at which searches begin has no menu, items or keys, until it is back."""
    client = Client(server.url)
    session = client.open()
    commands = ["applyFiveStarRating:", "zoomIn:"]
    origin = {"op": "putResponder", "responder": "extra", "value": {"kind": "view", "next": "photoGrid"}}
    session.mutate([origin])

    def asked():
        items = session.validate(commands, from_="extra")
        return session.menu(from_="extra"), {item["command"]: item for item in items}, session.keys(from_="extra")
    with session.follow(menu=True, commands=commands, keys=True, from_="extra") as held:
        def contents():
            return held.contents.menu, held.contents.items, held.keys
        assert contents() == asked()
        gone = session.mutate([{"op": "removeResponder", "responder": "extra"}])
        assert held.reaches(gone["revision"], 10), held.error
        assert raised(Problem, session.validate, commands, from_="extra").status == 422
        assert contents() == (None, {}, []) and held.means([{"input": "a"}]) == (None, []), contents()
        assert held.reaches(session.mutate([origin])["revision"], 10)
        assert contents() == asked() and (held.resets, held.error) == (1, None)
    nothing = {"document": None, "menu": None, "items": None, "keys": None, "tools": None}
    empty = menud.Contents.reset({"revision": 1, "catalogRevision": 0, **nothing})
    assert (empty.menu, empty.items, empty.keys, empty.tools) == (None, {}, [], []), empty
    session.close()


def listed_tools(client, session):
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = client.request("POST", session.path("mcp"), query={"tools": "enabled"}, body=body, is_question=True)
    return answer.body["result"]["tools"]


def check_mirrors(server):
    """A mirror holds what GET answers, tells its changes, and ends with its session."""
    client = Client(server.url)
    session = client.open()
    with session.follow(document=True, menu=True, commands=["applyFiveStarRating:"], keys=True, tools=True) as held:
        told, revisions = [], []
        stop = held.subscribe(lambda event: told.append((event.name, event.told.get("revision"))))
        assert (held.item("applyFiveStarRating:")["state"], held.is_connected, held.resets) == ("off", True, 1)
        revision = session.perform("applyFiveStarRating:")["revision"]
        assert held.reaches(revision, 10) and held.item("applyFiveStarRating:")["state"] == "on"
        assert held.document_text == client.request("GET", session.path()).text
        assert menud.write(held.menu) == menud.write(session.menu()) and held.keys == session.keys()
        assert held.tools == listed_tools(client, session)
        assert held.state == session.document()["state"] and told == [("change", 1)]
        before = held.contents
        stop()
        watcher = started(lambda: revisions.extend(contents.revision for contents in held))
        eventually(lambda: revisions == [1], "the present contents")
        assert held.reaches(session.focus("viewer")["revision"], 10) and not held.reaches(99, 0.05)
        assert held.contents is not before and before.document["firstResponder"] == "photoGrid"
        # What did not change is shared.
        assert held.contents.document["responders"] is before.document["responders"]
        eventually(lambda: revisions == [1, 2], "a change")
        session.close()
        watcher.join(60)
        assert held.is_closed and held.reason == "sessionClosed" and told == [("change", 1)]
    problem = raised(Problem, client.session("nobody").follow, document=True)
    assert problem.type == "/problems/unknown-session"
    assert raised(Problem, client.session("demo").follow, commands=["no name"]).status == 400
    assert isinstance(raised(Unreached, Client("http://localhost:1", timeout=0.3).session("s").follow), Unreached)
    held = client.session("demo").follow(document=True)
    held.subscribe(lambda event: 1 / 0)
    client.session("demo").patch({"n": 1})
    assert isinstance(raised(ZeroDivisionError, lambda: [*held]), ZeroDivisionError)
    threads = threading.active_count()
    held = client.session("demo").follow(document=True)
    held.close()
    eventually(lambda: threading.active_count() <= threads, "the thread ends")
    held = client.session("demo").follow(document=True)
    client.close()
    eventually(lambda: held.is_closed, "it ends with its client")

    async def followed(client):
        session = await client.open()
        async with await session.follow(document=True, deliveries=["open"]) as held:
            iterator = aiter(held)
            assert (await anext(iterator)).revision == 0
            await session.change("PUT", "responders/photoGrid/handlers/exportPhotos:", DELIVERING)
            revision = (await session.perform("exportPhotos:"))["revision"]
            assert await held.reaches(revision) and held.deliveries[0]["value"] == {"file": "lake.jpg"}
            assert (await anext(iterator)).revision == revision
            assert held.document_text == (await client.request("GET", session.path())).text
            await session.deliveries().cancel(1)
            assert await held.reaches(revision + 1) and held.deliveries == []
            await session.close()
            assert [contents.revision async for contents in iterator] == [revision + 1]
            assert held.reason == "sessionClosed"
    asyncio.run(asynchronously(server.url, followed))


def check_silence():
    """A silent stream is broken, a resumed one goes on, and one that cannot be applied begins anew."""
    head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nretry: 50\n"

    def event(id, name, **data):
        data = {"session": "s", "catalogRevision": 0, **data}
        return f"id: {id}\nevent: {name}\ndata: {json.dumps(data)}\n\n"

    def silent(text):
        def act(connection):
            connection.sendall((head + text).encode())
            time.sleep(3)
            return False
        return act
    reset = event("a.0.0", "reset", revision=0, document={"state": {}, "revision": 0})
    change = event("a.0.1", "change", **{"from": 0}, revision=1, changes=[
        {"change": "state", "op": "add", "path": "/n", "value": 5.0}])
    unfit = event("a.0.2", "change", **{"from": 0}, revision=2, changes=[])
    server = Disturbing(trickling(head + reset), answering(503, BUSY), silent(change), silent(unfit), silent(
        reset.replace("a.0.0", "a.0.7").replace('"revision": 0', '"revision": 7')), answering(204))
    held = Client(server.url).session("s").follow(document=True, silence=1)
    told = []
    held.subscribe(lambda event: told.append(event.name))
    eventually(lambda: "closed" in told, "204 ends it")
    assert [fields.get("Last-Event-ID") for _, fields in server.requests] == [
        None, "a.0.0", "a.0.0", "a.0.1", None, "a.0.7"], server.requests
    assert (held.revision, held.resets, held.reason) == (7, 2, "sessionClosed"), vars(held)
    assert [name for name in told if name != "connection"] == ["change", "reset", "closed"], told


def check_restart(server):
    """The mirror law: random changes, kills and restarts; both mirrors hold what GET answers, to the byte."""
    seed = random.randrange(1 << 30)
    status = subprocess.run(
        [sys.executable, "-B", os.path.join(ROOT, "Tests/Checks/mirror.py"), "--program", server.options.program,
         "--kills", str(server.options.kills), "--seed", str(seed)], check=False, capture_output=True, text=True)
    assert status.returncode == 0, status.stdout + status.stderr


def check_workers(server):
    """A worker replies with what its function returns, and fails a delivery if it raises."""
    client = Client(server.url)
    session = client.open()
    session.change("PUT", "responders/photoGrid/handlers/exportPhotos:", DELIVERING)
    deliveries = session.deliveries(by="worker", commands=["exportPhotos:"])
    worked = []

    def export(work):
        worked.append((work.delivery["title"], work.value["file"], work.session, work.id))
        if len(worked) == 2:
            raise OSError("The disk is full")
        if len(worked) == 3:
            return Reply(1, [{"op": "fail"}])
        return Reply({"pages": 1}, [{"op": "mergeState", "patch": {"exported": work.value["file"]}}])

    thread = started(deliveries.work, export)
    answers = [session.perform("exportPhotos:", wait=20)["deliveries"][0] for _ in range(3)]
    assert [answer["state"] for answer in answers] == ["replied", "failed", "failed"], answers
    assert answers[0]["result"] == {"pages": 1} and answers[1]["problem"] == {"title": "The disk is full"}
    assert "fail" in answers[2]["problem"]["title"], answers[2]
    assert worked[0] == ("Export…", "lake.jpg", session.id, 1) and answers[0]["settledBy"] == "worker"
    assert session.document()["state"]["exported"] == "lake.jpg" and session.undo()["actionName"] == "Export"
    deliveries.stop()
    thread.join(60)
    assert not thread.is_alive()

    # One by one, and after others.
    deliveries = session.deliveries(by="other")
    assert deliveries.next() is None
    session.perform("exportPhotos:")
    work = deliveries.claim(4)
    deliveries.renew(work)
    assert raised(Problem, session.deliveries().claim, 4).reason == "alreadyClaimed"
    assert deliveries.reply(work, 1, undo=False)["state"] == "replied"
    assert raised(Problem, deliveries.fail, work, {"title": "No"}).reason == "alreadySettled"
    assert [one["id"] for one in deliveries.list("replied")] == [1, 4] and deliveries.get(4)["result"] == 1

    async def worked_async(client):
        async with asyncio.TaskGroup() as group:
            async def export(work):
                await asyncio.sleep(0.01)
                return work.id
            task = group.create_task(client.session(session.id).deliveries(by="task").work(export))
            answer = await client.session(session.id).perform("exportPhotos:", wait=20)
            assert answer["deliveries"][0]["result"] == 5 and answer["deliveries"][0]["settledBy"] == "task"
            task.cancel()
    asyncio.run(asynchronously(server.url, worked_async))
    # What cannot be sent fails the delivery, and not the worker.
    def failing(_):
        raise OSError("\udcff")
    def failing_at_length(_):
        raise OSError("é" * 300_000)
    for work in (lambda _: {1}, lambda _: float("nan"), lambda _: "\udcff", failing, failing_at_length,
                 lambda work: work.progress(message="\udcff"), lambda _: "x" * 20_000_000):
        session.perform("exportPhotos:")
        session.deliveries().work(work, count=1)
    told = session.deliveries().list("failed")[-7:]
    assert [one["id"] for one in told] == [*range(6, 13)], told
    assert told[4]["problem"]["title"] == "é" * 4095 + "…", told
    assert "'server.maximumBodySize'" in told[-1]["problem"]["title"], told
    # A worker ends with its session.
    thread = started(session.deliveries().work, print)
    time.sleep(0.2)
    session.close()
    thread.join(60)
    assert not thread.is_alive()


def check_signals(server):
    """A signal handler stops a worker: while it waits at once, while it works after the delivery."""
    session = Client(server.url).open()
    session.change("PUT", "responders/photoGrid/handlers/exportPhotos:", DELIVERING)
    for state in ("waits", "works"):
        deliveries = session.deliveries(by="worker")
        former = signal.signal(signal.SIGTERM, lambda *_, one=deliveries: one.stop())
        if state == "works":
            session.perform("exportPhotos:")
            deliveries.work(lambda work: os.kill(os.getpid(), signal.SIGTERM))
        else:
            threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGTERM)).start()
            deliveries.work(print)
        signal.signal(signal.SIGTERM, former)
    assert session.deliveries().get(1)["state"] == "replied"
    session.close()


def check_pool(options):
    """D5, D6: a worker serves all sessions with a token for that alone, tells progress, and can be asked to stop."""
    with tempfile.TemporaryDirectory(prefix="menud-python-") as folder:
        # Without the right `perform` it cannot agree to a cancellation, which then waits for the end of the claim.
        environment = {"MENUD_AUTH_ADMINISTRATOR_TOKEN": TOKEN, "MENUD_DELIVERIES_CLAIM": "3"}
        server = Server(options, folder, environment=environment)
        administrator = Client(server.url, token=TOKEN)
        right = {"kind": "worker", "label": "exporter", "rights": ["work"]}
        made = administrator.request("POST", "/tokens", body=right)
        sessions = [administrator.open(name) for name in ("one", "other")]
        for session in sessions:
            session.change("PUT", "responders/photoGrid/handlers/exportPhotos:", DELIVERING)
        goes_on = threading.Event()

        def export(work):
            work.progress(0.5, "half")
            while not goes_on.wait(0.05):
                work.progress(message="still half")
            return work.session

        pool = Client(server.url, token=made.body["token"]).deliveries(by="pool")
        thread = started(pool.work, export, 3)
        for session in sessions:
            session.perform("exportPhotos:")
        claims = [lambda session=session: session.deliveries().get(1)["claim"] or {} for session in sessions]
        eventually(lambda: any(claim().get("message") == "still half" for claim in claims), "a progress")
        assert max(claim().get("progress") or 0 for claim in claims) == 0.5
        goes_on.set()
        for session in sessions:
            eventually(lambda: session.deliveries().get(1)["state"] == "replied")
            assert session.deliveries().get(1)["result"] == session.id
        goes_on.clear()
        sessions[1].perform("exportPhotos:")
        eventually(lambda: sessions[1].deliveries().get(2)["state"] == "claimed")
        assert sessions[1].deliveries().cancel(2)["state"] == "cancelling"
        eventually(lambda: sessions[1].deliveries().get(2)["state"] == "cancelled")
        thread.join(60)
        assert not thread.is_alive()

        async def serve(client):
            async def export(work):
                work.progress(1)
                await asyncio.sleep(0.3)
                return work.id
            await client.deliveries(by="task").work(export, count=1)
        sessions[0].perform("exportPhotos:")
        asyncio.run(asynchronously(server.url, serve, token=made.body["token"]))
        assert sessions[0].deliveries().get(2)["settledBy"] == "task"
        sessions[0].perform("exportPhotos:")
        raised(ValueError, sessions[0].deliveries().claim(3).progress, 1.5)


def check_outage(options):
    """Claims are renewed during the work, which outlasts a restart of menud; what is late is given up."""
    with tempfile.TemporaryDirectory(prefix="menud-python-") as folder:
        server = Server(options, folder, environment={"MENUD_DELIVERIES_CLAIM": "4"})
        session = Client(server.url).session("demo")
        session.change("PUT", "responders/photoGrid/handlers/exportPhotos:", DELIVERING)
        given, begun = [], threading.Event()

        def export(work):
            begun.set()
            deadline = time.monotonic() + 5
            while time.monotonic() < deadline:
                time.sleep(0.05)
                try:
                    work.check()
                except Cancelled as error:
                    given.append(str(error))
                    raise
            return "done"

        deliveries = session.deliveries(by="worker")
        thread = started(deliveries.work, export)
        session.perform("exportPhotos:")
        begun.wait(60)
        # It is renewed, since the work takes longer than a claim lasts.
        eventually(lambda: session.deliveries().get(1)["state"] == "replied")
        assert session.deliveries().get(1)["claims"] == 1
        begun.clear()
        session.perform("exportPhotos:")
        begun.wait(60)
        server.kill()
        time.sleep(0.3)
        server.start()
        eventually(lambda: session.deliveries().get(2)["state"] == "replied")
        # A start that takes longer than a claim lasts has lost it.
        given.clear()
        begun.clear()
        session.perform("exportPhotos:")
        begun.wait(60)
        session.deliveries().cancel(3)
        eventually(lambda: given, "the worker gives it up")
        eventually(lambda: session.deliveries().get(3)["state"] == "cancelled")
        assert given == ["The delivery 3 is to be given up."], given
        deliveries.stop()
        thread.join(60)
        assert not thread.is_alive()


def check_claims(options):
    """A claim is renewed whatever becomes of the news: those that menud refuses are dropped."""
    with tempfile.TemporaryDirectory(prefix="menud-python-") as folder:
        server = Server(options, folder, environment={"MENUD_DELIVERIES_CLAIM": "2"})
        session = Client(server.url).session("demo")
        session.change("PUT", "responders/photoGrid/handlers/exportPhotos:", DELIVERING)
        session.perform("exportPhotos:")

        def export(work):
            deadline = time.monotonic() + 5
            while time.monotonic() < deadline:
                work.progress(0.5, "x" * 1025)
                time.sleep(0.1)

        Client(server.url).deliveries().work(export, count=1)
        told = session.deliveries().get(1)
        assert (told["state"], told["claims"]) == ("replied", 1), told


def renewals(*acts, gives_up=False):
    """The bodies of a worker's renewals, to which a server answers so, whether the worker gives up then or replies."""
    until = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=1.5)
    claimed = {"id": 1, "state": "claimed", "claims": 1, "claim": {"until": until.isoformat()}}
    answer = answering(200, json.dumps({"session": "s", "delivery": claimed}))
    server = Disturbing(answering(200, "<html>"), answer, *acts, answer)

    def export(work):
        work.progress(0.5, "half")
        eventually(lambda: len(server.requests) == 2 + len(acts) and work.is_cancelled == gives_up)
        work.check()
    Client(server.url).session("s").deliveries().work(export, count=1)
    assert server.requests[-1][0].endswith("/cancel HTTP/1.1" if gives_up else "/reply HTTP/1.1"), server.requests
    return [json.loads(body) for body in server.bodies[2:-1]]


def check_renewals():
    """Refused news are dropped at once, other news are kept for the next renewal, and a lost claim ends the work."""
    news, bare = {"claim": 1, "progress": 0.5, "message": "half"}, {"claim": 1}
    renewed = answering(200, '{"delivery":{"id":1,"state":"claimed","claims":1,"claim":null}}')
    assert renewals(answering(422), renewed) == [news, bare]
    for act in (answering(429, Retry_After=60), answering(200, "<html>")):
        assert renewals(act, renewed) == [news, news]
    for status in (401, 403, 404, 409):
        assert renewals(answering(status), gives_up=True) == [news]


def check_tls(options):
    """TLS needs a certificate that the context trusts; sessions opened with a token have their own."""
    with tempfile.TemporaryDirectory(prefix="menud-python-") as folder:
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"],
            check=True, capture_output=True)
        server = Server(options, folder, "--tls-certificate", f"{folder}/cert.pem", "--tls-key", f"{folder}/key.pem",
                        environment={"MENUD_AUTH_ADMINISTRATOR_TOKEN": TOKEN}, scheme="https")
        context = ssl.create_default_context(cafile=f"{folder}/cert.pem")
        error = raised(Unreached, Client(server.url, token=TOKEN).sessions)
        assert "certificate verify failed" in str(error), error
        raised(Unreached, Client(server.url, token=TOKEN).deliveries().work, print)
        start = time.monotonic()
        raised(Unreached, Client(server.url, token=TOKEN, timeout=200).session("demo").follow)
        assert time.monotonic() - start < 150, "It was tried again."
        assert raised(Problem, Client(server.url, context=context).sessions).status == 401
        client = Client(server.url, token=TOKEN, context=context)
        session = client.open("tablet")
        assert session.token not in (None, TOKEN)
        with session.follow(document=True) as held:
            assert held.reaches(session.focus("viewer")["revision"], 10)
            assert held.document_text == client.request("GET", session.path()).text
        assert raised(Problem, session.change, "DELETE", "nothing").status == 404
        assert raised(Problem, Client(server.url, token=session.token, context=context).open, "b").status == 403

        async def followed(client):
            session = await client.open("phone")
            async with await session.follow(document=True) as held:
                assert await held.reaches((await session.focus("viewer"))["revision"], 10)
                assert held.document_text == (await client.request("GET", session.path())).text
        asyncio.run(asynchronously(server.url, followed, token=TOKEN, context=context))


def check_methods():
    """Both classes have the same methods, with their documentation."""
    for name in ("Client", "Session", "Mirror", "Deliveries", "Pool"):
        one, other = getattr(menud, name), getattr(menud, f"Async{name}")
        public = [set(filter(lambda word: not word.startswith("_"), dir(kind))) for kind in (one, other)]
        assert public[0] == public[1], public[0] ^ public[1]
        for kind in (one, other):
            assert inspect.getdoc(kind), kind
            for word in public[0]:
                assert inspect.getdoc(getattr(kind, word)), f"{name}.{word}"


def check_example(server):
    """The program of docs/python.md prints what is shown."""
    with open(os.path.join(ROOT, "docs", "python.md")) as file:
        page = file.read()
    program, expected = re.search(r"```python\n(.*?)```", page, re.S)[1], re.search(r"```text\n(.*?)```", page, re.S)[1]
    outcome = subprocess.run(
        [sys.executable, "-B", "-c", program.replace("http://localhost:8080", server.url)], capture_output=True,
        text=True, env=os.environ | {"PYTHONPATH": CLIENT}, timeout=60, check=False)
    assert outcome.stdout == expected, outcome.stdout + outcome.stderr


def check_wheel():
    """The wheel is the same each time, and can be installed without anything else."""
    with tempfile.TemporaryDirectory(prefix="menud-wheel-") as folder:
        wheels = []
        for name in ("one", "other"):
            command = [sys.executable, os.path.join(ROOT, ".ci", "wheel"), "1.2.3", f"{folder}/{name}"]
            subprocess.run(command, check=True, capture_output=True)
            path = f"{folder}/{name}/menud-1.2.3-py3-none-any.whl"
            with open(path, "rb") as file:
                wheels.append(file.read())
        assert wheels[0] == wheels[1]
        subprocess.run([sys.executable, "-m", "venv", f"{folder}/venv"], check=True)
        python = f"{folder}/venv/bin/python"
        install = ["-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check"]
        subprocess.run([python, *install, path], check=True)
        program = "import importlib.metadata as m, menud, os; print(m.version('menud'), menud.Client.__name__, " \
            "os.path.exists(os.path.join(os.path.dirname(menud.__file__), 'py.typed')))"
        told = subprocess.run([python, "-c", program], cwd=folder, check=True, capture_output=True, text=True)
        assert told.stdout == "1.2.3 Client True\n", told.stdout


def check_types(environment):
    """menud.py, and a program that uses it, have no finding of mypy and pyright, both strict."""
    sample = os.path.join(ROOT, "Tests", "Checks", "python", "sample.py")
    with tempfile.TemporaryDirectory(prefix="menud-types-") as folder:
        configuration = os.path.join(folder, "pyrightconfig.json")
        with open(configuration, "w") as file:
            json.dump({"typeCheckingMode": "strict", "pythonVersion": "3.11", "extraPaths": [CLIENT],
                       "include": [CLIENT, sample], "reportUnnecessaryTypeIgnoreComment": True}, file)
        paths = [os.path.join(CLIENT, "menud.py"), sample]
        for command in (["mypy", "--strict", "--python-version", "3.11", "--cache-dir", folder, *paths],
                        ["basedpyright", "--project", configuration]):
            command[0] = os.path.join(environment, "bin", command[0])
            outcome = subprocess.run(command, capture_output=True, text=True, check=False,
                                     env=os.environ | {"MYPYPATH": CLIENT})
            assert outcome.returncode == 0, outcome.stdout + outcome.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--only", default="", help="a part of the names of checks")
    parser.add_argument("--types", help="a folder with mypy and basedpyright; only the types are checked")
    options = parser.parse_args()
    # Whoever starts this may have blocked what the workers here are stopped by.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    if options.types:
        check_types(os.path.abspath(options.types))
        print("ok: types")
        return
    checks = {name.removeprefix("check_"): check for name, check in globals().items() if name.startswith("check_")}
    del checks["types"]
    with tempfile.TemporaryDirectory(prefix="menud-python-") as folder, contextlib.ExitStack() as stack:
        stack.callback(Server.end)
        server = Server(options, folder)
        given = {"server": server, "options": options}
        checks = {name: check for name, check in checks.items() if options.only in name}
        for name, check in checks.items():
            start = time.monotonic()
            try:
                check(*[given[parameter] for parameter in inspect.signature(check).parameters])
            except BaseException as error:
                print(f"failed: {name}: {error!r}", flush=True)
                raise
            print(f"ok: {name} ({time.monotonic() - start:.1f} s)", flush=True)
    print(f"{len(checks)} checks passed")


if __name__ == "__main__":
    main()
