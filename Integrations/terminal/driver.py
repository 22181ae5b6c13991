"""The things that check.py drives: a menud, and the application without a terminal."""

import asyncio
import contextlib
import os
import sys
import tempfile
import time

from textual.widgets import Input, OptionList
from textual.widgets._footer import FooterKey

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "Tests", "Checks"))
from program import BUILT, CLIENT, ROOT, Restartable, end_by_signals  # noqa: E402

from keys import names_of  # noqa: E402
from menud import AsyncClient, Client, items_in  # noqa: E402
from terminal import MenuColumn, Terminal  # noqa: E402

__all__ = ["BUILT", "CLIENT", "HERE", "ROOT", "STACK", "Screen", "Server", "end_by_signals", "until"]

STACK = contextlib.ExitStack()


async def until(condition, what):
    """Waits until a condition holds."""
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, f"It did not happen within 30 s: {what}"
        await asyncio.sleep(0.02)


class Server(Restartable):
    """A menud of the control room."""

    def __init__(self, program, **environment):
        folder = STACK.enter_context(tempfile.TemporaryDirectory(prefix="menud-terminal-"))
        super().__init__(folder, "--application", f"{ROOT}/Config/control-room", "--session", "desk",
                         environment=environment, program=program)
        STACK.callback(self.kill)
        self.session = Client(self.url).session("desk")


class Screen:
    """The application, run without a terminal."""

    def __init__(self, app, pilot):
        self.app, self.pilot, self.press = app, pilot, pilot.press

    @staticmethod
    @contextlib.asynccontextmanager
    async def of(server, session="desk", token=None):
        async with AsyncClient(server.url, token=token, timeout=10) as client:
            app = Terminal(client.session(session))
            async with app.run_test(size=(110, 48), tooltips=True) as pilot:
                screen = Screen(app, pilot)
                await until(lambda: app.query(MenuColumn), "the menus are there")
                yield screen

    async def comes(self, kind):
        await until(lambda: isinstance(self.app.screen, kind), f"{kind.__name__} comes")
        await self.pilot.pause()

    async def agree(self):
        """Presses OK in a form. A button ignores what comes while it looks pressed."""
        button = self.app.screen.query_one("#perform")
        await until(lambda: not button.has_class("-active"), "the button can be pressed")
        button.focus()
        await self.press("enter")

    async def agrees(self, session):
        """Waits until the menus, and the keys in the footer, are what menud answers."""
        def lines():
            return [(item["command"], item.get("itemKey"), str(option.prompt).strip().replace("✓ ", ""),
                     "✓" in str(option.prompt), not any(span.style == "dim" for span in option.prompt.spans))
                    for column in self.app.query(MenuColumn)
                    for item, option in zip(column.items, column.options, strict=True) if item]

        def footer():
            return {(key.key, key.description, not key.has_class("-disabled")) for key in self.app.query(FooterKey)
                    if key.action.startswith("press(")}

        def expected():
            return [(item["command"], item.get("itemKey"), item["title"], item["state"] == "on", item["enabled"])
                    for item, _ in items_in(session.menu()) if "hidden" not in item["attributes"]]

        def keys():
            found = {}
            for key in session.keys():
                name = names_of(key["strokes"][0])[0]
                if name not in found or found[name].get("enabled") is False and key.get("enabled", True):
                    found[name] = key
            return {(name, key["title"], key["enabled"]) for name, key in found.items() if "title" in key}
        await until(lambda: lines() == expected(), "the menus are those of menud")
        await until(lambda: footer() == keys(), "the footer is that of menud")

    def told(self):
        return [notification.message for notification in self.app._notifications]

    async def find(self, query, title):
        """Types in the palette until a command is found; returns the texts of what is found."""
        await self.press("ctrl+p")
        await until(lambda: self.app.screen.query(Input), "the palette")
        await self.press(*["space" if letter == " " else letter for letter in query])
        found = []

        def is_found():
            found[:] = [str(option.prompt) for option in self.app.screen.query_one(OptionList).options]
            return found and found[0].startswith(title)
        await until(is_found, f"{title} is found")
        return found
