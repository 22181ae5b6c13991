"""A client of the Model Context Protocol that shows every byte: requests by hand, answers as they come."""

import base64
import http.client
import itertools
import json
import time

PATH = "/sessions/tools/mcp"
HANDSHAKES = ("2025-06-18", "2025-11-25")
STATELESS = "2026-07-28"
META = "io.modelcontextprotocol/"
NAMES = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri", "tasks/get": "taskId",
         "tasks/update": "taskId", "tasks/cancel": "taskId"}


class Event:
    """An event of a stream: its id, its data and how long to wait before connecting again."""

    def __init__(self, fields):
        self.id, self.retry = fields.get("id"), fields.get("retry")
        self.data = fields.get("data")
        self.message = json.loads(self.data) if self.data else None


class Reply:
    """An answer that has begun: its status, its fields, and what of it has come."""

    def __init__(self, connection, response):
        self.connection, self.response = connection, response
        self.status, self.headers = response.status, response.headers
        self.type = response.headers.get_content_type()

    def events(self, seconds=3600):
        """The events as they come, until the stream ends or so much time has passed."""
        deadline = time.monotonic() + seconds
        fields = {}
        while time.monotonic() < deadline and (line := self.response.readline()):
            line = line.decode().rstrip("\n")
            if not line and fields:
                yield Event(fields)
                fields = {}
            elif line and not line.startswith(":"):
                name, _, value = line.partition(":")
                fields[name] = value.removeprefix(" ")

    def read(self, seconds=3600):
        """Reads it to its end; what JSON-RPC has in it is `messages`, the last one `body`."""
        if self.type == "text/event-stream":
            self.all = list(self.events(seconds))
            self.messages = [event.message for event in self.all if event.message]
        else:
            text = self.response.read()
            self.messages = [json.loads(text)] if text else []
        self.body = self.messages[-1] if self.messages else None
        self.close()
        return self

    @property
    def result(self):
        return self.body.get("result") if isinstance(self.body, dict) else None

    @property
    def code(self):
        """The code of the error; None if it is none."""
        return self.body.get("error", {}).get("code") if isinstance(self.body, dict) else None

    def told(self, method):
        """The parameters of the notifications of a method."""
        return [message["params"] for message in self.messages
                if message.get("method") == f"notifications/{method}"]

    def close(self):
        """Closes the connection, wherever it is."""
        self.response.close()
        self.connection.close()


class Agent:
    """A client of one revision. Each request has a connection of its own."""

    def __init__(self, port, revision, path=PATH, capabilities=None, token=None):
        self.port, self.revision, self.path, self.token = port, revision, path, token
        self.capabilities = capabilities or {}
        self.ids = itertools.count(1)
        self.session = None
        if revision in HANDSHAKES:
            self.initialized = self.ask("initialize", self.handshake(revision, self.capabilities))
            self.session = self.initialized.headers["Mcp-Session-Id"]
            self.accepted = self.notify("notifications/initialized")

    @staticmethod
    def handshake(revision, capabilities=None):
        return {"protocolVersion": revision, "capabilities": capabilities or {},
                "clientInfo": {"name": "agent_client", "version": "1"}}

    @property
    def is_stateless(self):
        return self.revision == STATELESS

    def meta(self, revision=None):
        """The members of `_meta` that each request has."""
        if not self.is_stateless:
            return {}
        return {META + "protocolVersion": revision or self.revision, META + "clientCapabilities": self.capabilities,
                META + "clientInfo": {"name": "agent_client", "version": "1"}}

    def fields(self, method=None, params=None):
        """The fields that go with a message."""
        fields = {"Accept": "application/json, text/event-stream"}
        if method != "initialize":
            fields["MCP-Protocol-Version"] = self.revision
        if self.token:
            fields["Authorization"] = f"Bearer {self.token}"
        if self.session:
            fields["Mcp-Session-Id"] = self.session
        if self.is_stateless and method:
            fields["Mcp-Method"] = method
            if method in NAMES:
                fields["Mcp-Name"] = (params or {}).get(NAMES[method], "")
        return fields

    def send(self, body, fields, seconds=20, method="POST"):
        """Sends bytes or JSON, and returns the reply once it has begun."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        connection.putrequest(
            method, self.path, skip_host="Host" in fields, skip_accept_encoding=True)
        data = body if isinstance(body, bytes) else json.dumps(body).encode() if body else b""
        if data:
            fields = {"Content-Type": "application/json", "Content-Length": str(len(data))} | fields
        for name, value in fields.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(data)
        return Reply(connection, connection.getresponse())

    def request(self, method, params=None, number=None):
        """A request as JSON."""
        params = dict(params or {})
        meta = self.meta() | params.pop("_meta", {})
        if meta:
            params["_meta"] = meta
        number = next(self.ids) if number is None else number
        return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}

    def open(self, method, params=None, number=None, fields=None, seconds=20):
        """Sends a request, whose answer comes as it is read."""
        return self.send(
            self.request(method, params, number), self.fields(method, params) | (fields or {}), seconds)

    def ask(self, method, params=None, number=None, fields=None):
        """Sends a request, and reads its whole answer."""
        return self.open(method, params, number, fields).read()

    def call(self, tool, arguments=None, **rest):
        """Calls a tool; without arguments none are sent."""
        params = {"name": tool} | rest.pop("params", {})
        if arguments is not None:
            params["arguments"] = arguments
        return self.ask("tools/call", params, **rest)

    def answer(self, number, result):
        """Answers a request of the server; returns the status."""
        message = {"jsonrpc": "2.0", "id": number, "result": result}
        return self.send(message, self.fields()).read().status

    def notify(self, method, params=None):
        message = {"jsonrpc": "2.0", "method": method}
        if params:
            message["params"] = params
        return self.send(message, self.fields(method, params)).read()

    def listen(self, last=None, seconds=20):
        """Opens the event stream, after the event of an id."""
        fields = self.fields() | {"Accept": "text/event-stream", "Last-Event-ID": last}
        return self.send(None, fields, seconds, method="GET")

    def subscribe(self, notifications, seconds=20):
        return self.open(
            "subscriptions/listen", {"notifications": notifications}, seconds=seconds)


def encoded(text):
    """A value of a field that is no plain ASCII."""
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="
