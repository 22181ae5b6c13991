"""Other people's clients of the Model Context Protocol, each behind the same few methods.

A client is opened with a person to ask: a function of a question and the schema of its answer. `names()` are the tools as a model gets them; `call()` returns the text that a model gets, and whether the library calls it an error,
or None if it does not say so.
"""

import contextlib
import importlib.metadata
import json
import typing


class Library:
    """A library of PyPI, and what is known of it."""

    def __init__(self, package, open_client, known, name=None):
        self.package, self.open, self.known = package, open_client, known
        self.name = name or package

    @property
    def version(self):
        """The installed version, or None."""
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            return importlib.metadata.version(self.package)


class FastMCP:
    """The client of fastmcp."""

    def __init__(self, client):
        self.client = client

    async def names(self):
        return [tool.name for tool in await self.client.list_tools()]

    async def call(self, name, arguments):
        from fastmcp.exceptions import ToolError

        try:
            result = await self.client.call_tool(name, arguments)
        except ToolError as error:
            return str(error), True
        return result.content[0].text, False

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls, url, person, mode="auto"):
        from fastmcp import Client

        async with Client(url, mode=mode, elicitation_handler=form(person)) as client:
            yield cls(client)

    @classmethod
    def open_legacy(cls, url, person):
        return cls.open(url, person, "legacy")


class ScriptedAgent:
    """An agent whose model calls one tool and ends; `run` asks the model until it does."""

    def __init__(self):
        self.seen, self.next, self.told = [], None, None

    async def names(self):
        self.next = None
        await self.run()
        return self.seen

    async def call(self, name, arguments):
        self.next = (name, arguments)
        await self.run()
        return self.told


class PydanticAI(ScriptedAgent):
    """An agent of pydantic-ai, whose model calls one tool and ends."""

    def __init__(self, toolset):
        super().__init__()
        self.toolset = toolset

    async def run(self):
        from pydantic_ai import Agent
        from pydantic_ai.models.function import FunctionModel

        await Agent(FunctionModel(self.respond), toolsets=[self.toolset]).run("Go on.")

    def respond(self, messages, info):
        from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart

        self.seen = [tool.name for tool in info.function_tools]
        for part in messages[-1].parts:
            if isinstance(part, ToolReturnPart):
                self.told = part.model_response_str(), part.outcome != "success"
        if not self.next:
            return ModelResponse(parts=[TextPart("Done.")])
        (name, arguments), self.next = self.next, None
        return ModelResponse(parts=[ToolCallPart(name, arguments)])

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls, url, person, caches=True):
        from pydantic_ai.mcp import MCPToolset

        async with MCPToolset(url, cache_tools=caches, elicitation_handler=form(person)) as toolset:
            yield cls(toolset)

    @classmethod
    def open_uncached(cls, url, person):
        return cls.open(url, person, False)


class OpenAIAgents(ScriptedAgent):
    """An agent of openai-agents, whose model calls one tool and ends."""

    def __init__(self, server):
        super().__init__()
        self.server = server

    async def run(self):
        from agents import Agent, Model, Runner, set_tracing_disabled

        set_tracing_disabled(True)
        outer = self

        class Script(Model):
            async def get_response(self, system_instructions, input, model_settings, tools, *_, **__):
                return outer.respond(input, tools)

            def stream_response(self, *_, **__):
                raise NotImplementedError

        await Runner.run(Agent("Script", model=Script(), mcp_servers=[self.server]), "Go on.")

    def respond(self, items, tools):
        from agents import ModelResponse, Usage
        from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

        self.seen = [tool.name for tool in tools]
        for item in items if isinstance(items, list) else []:
            if item.get("type") == "function_call_output":
                # A refusal is no error for the model, but a text like any other.
                output = item["output"]
                self.told = output if isinstance(output, str) else output[0]["text"], None
        if self.next:
            (name, arguments), self.next = self.next, None
            output = ResponseFunctionToolCall(
                type="function_call", call_id="1", name=name, arguments=json.dumps(arguments))
        else:
            text = ResponseOutputText(type="output_text", text="Done.", annotations=[])
            output = ResponseOutputMessage(
                id="1", type="message", role="assistant", status="completed", content=[text])
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls, url, _):
        from agents.mcp import MCPServerStreamableHttp

        # It has no way to ask a person.
        async with MCPServerStreamableHttp(params={"url": url}, client_session_timeout_seconds=30) as server:
            yield cls(server)


class LangChain:
    """The tools of langchain-mcp-adapters, in a session of its client."""

    def __init__(self, session):
        self.session = session

    async def tools(self):
        from langchain_mcp_adapters.tools import load_mcp_tools

        return {tool.name: tool for tool in await load_mcp_tools(self.session)}

    async def names(self):
        return list(await self.tools())

    async def call(self, name, arguments):
        call = {"type": "tool_call", "id": "1", "name": name, "args": arguments}
        message = await (await self.tools())[name].ainvoke(call)
        return message.content[0]["text"], message.status == "error"

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls, url, person):
        from langchain_mcp_adapters.callbacks import Callbacks
        from langchain_mcp_adapters.client import MultiServerMCPClient
        from mcp.types import ElicitResult

        async def ask(_, params, __):
            return ElicitResult(action="accept", content=await person(params.message, params.requestedSchema))

        client = MultiServerMCPClient(
            {"menud": {"transport": "streamable_http", "url": url}}, callbacks=Callbacks(on_elicitation=ask))
        async with client.session("menud") as session:
            yield cls(session)


def form(person):
    """How fastmcp asks a person, and pydantic-ai by it."""
    async def ask(message, _, params, __):
        return await person(message, params.requested_schema)

    return ask


class Known(typing.NamedTuple):
    """The behaviour of a library of its own accord."""

    revision: str
    # Opens an event stream.
    listens: bool
    # Lists the tools again when the list changes, before it is asked to.
    relists: bool
    # Its next list is the new one.
    is_fresh: bool
    # Cancels at the server, too, when a call is cancelled.
    cancels: bool
    # Asks a person what the server asks.
    asks: bool


LIBRARIES = [
    Library("fastmcp", FastMCP.open, Known("2026-07-28", listens=False, relists=False, is_fresh=True, cancels=True, asks=True)),
    Library("fastmcp", FastMCP.open_legacy,
            Known("2025-11-25", listens=True, relists=False, is_fresh=True, cancels=True, asks=True), "fastmcp, legacy"),
    Library("pydantic-ai-slim", PydanticAI.open,
            Known("2026-07-28", listens=False, relists=False, is_fresh=False, cancels=True, asks=True), "pydantic-ai"),
    Library("pydantic-ai-slim", PydanticAI.open_uncached,
            Known("2026-07-28", listens=False, relists=False, is_fresh=True, cancels=True, asks=True), "pydantic-ai, uncached"),
    Library("openai-agents", OpenAIAgents.open,
            Known("2026-07-28", listens=False, relists=False, is_fresh=True, cancels=True, asks=False)),
    Library("langchain-mcp-adapters", LangChain.open,
            Known("2025-11-25", listens=True, relists=False, is_fresh=True, cancels=False, asks=True)),
]
