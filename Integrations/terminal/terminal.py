#!/usr/bin/env python3
"""A session of menud in a terminal: its menus, its keys, and its commands in the palette.

    MENUD_TOKEN=… python3 terminal.py --server http://localhost:8080 --session desk
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from rich.markup import escape
from rich.text import Text
from textual import events, on, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingsMap
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.containers import HorizontalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Header, OptionList, Static
from textual.widgets._footer import FooterKey
from textual.widgets.option_list import Option

from dialogs import Confirmation, Form, Strokes, words_of
from keys import names_of, written
from menud import (
    AsyncClient, AsyncMirror, AsyncSession, Delivery, Item, Key, Menu, Problem, SearchPage, SessionKey, Unreached,
    strokes)

MARKS = {"on": "✓ ", "mixed": "– ", "off": "  "}


class MenuColumn(OptionList):
    """A menu of the bar, with the menus in it below their titles."""

    def __init__(self, identifier: str) -> None:
        super().__init__()
        self.identifier = identifier
        #: The item of each line; None for a title.
        self.items: list[Item | None] = []
        self.lines: list[Text] = []

    def show(self, menu: Menu) -> None:
        """Shows a menu as it is now; the highlighted item stays so where it moves."""
        # A string would be markup.
        self.border_title = Text(menu["title"])
        chosen, place, former = self.item, self.highlighted, self.lines
        lines = [*lines_of(menu)]
        self.items, self.lines = [item for item, _ in lines], [line for _, line in lines]
        if [item is None for item in self.items] == [option.disabled for option in self.options]:
            for index, line in enumerate(self.lines):
                if line != former[index]:
                    self.replace_option_prompt_at_index(index, line)
        else:
            self.set_options([Option(line, disabled=item is None) for item, line in lines])
        places = [index for index, item in enumerate(self.items) if item and chosen and named(item) == named(chosen)]
        self.highlighted = place if place in places else next(iter(places), None)

    @property
    def item(self) -> Item | None:
        """The highlighted item."""
        return None if self.highlighted is None else self.items[self.highlighted]


def named(item: Item) -> tuple[str, str | None]:
    """Returns the name of an item: its command, and its key if it is from data."""
    return item["command"], item.get("itemKey")


def shown_in(menu: Menu | None) -> list[Any]:
    """Returns the children of a menu that are not hidden."""
    return [child for child in (menu["children"] if menu else []) if "hidden" not in child.get("attributes", [])]


def columns_of(menu: Menu | None) -> Iterator[Menu]:
    """Iterates over the menus of a main menu; the items between two of them are one without a title."""
    for is_menu, children in groupby(shown_in(menu), lambda child: "children" in child):
        if is_menu:
            yield from children
        elif menu:
            yield {**menu, "title": "", "children": [*children]}


def lines_of(menu: Menu, depth: int = 0) -> Iterator[tuple[Item | None, Text]]:
    """Iterates over the lines of a menu, each with its item, or None if it is a title."""
    for child in shown_in(menu):
        if "children" in child:
            if child["title"]:
                yield None, Text.assemble(("  " * depth + child["title"], "bold"))
            yield from lines_of(child, depth + bool(child["title"]))
        else:
            style = "" if child["enabled"] else "dim"
            yield child, Text.assemble(("  " * depth + MARKS[child["state"]] + child["title"], style))


def bindings_of(keys: Sequence[SessionKey]) -> Iterator[Binding]:
    """Iterates over the bindings of the first strokes of keys.

    Of those that begin alike, the footer shows the first one; so one that can be pressed precedes the others.
    """
    places: dict[str, int] = {}
    for key in keys:
        places.setdefault(names_of(key["strokes"][0])[0], len(places))
    order = sorted(enumerate(keys), key=lambda one: (
        places[names_of(one[1]["strokes"][0])[0]], not one[1].get("enabled")))
    for index, key in order:
        shown = written(key["strokes"]) if len(key["strokes"]) > 1 else None
        for name in names_of(key["strokes"][0]):
            # Each screen has a binding of Control-C, which would hide this one. A description is markup.
            yield Binding(name, f"press({index})", escape(key.get("title", "")), key_display=shown,
                          tooltip=key.get("explanation", ""), priority=name == "ctrl+c")


class Keys(Footer):
    """The footer. It shows descriptions of bindings as they are, and takes tooltips for markup: here it is reversed."""

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            if isinstance(widget, FooterKey):
                widget.description = Text.from_markup(widget.description).plain
                widget.tooltip = Text(str(widget.tooltip or ""))
            yield widget


def line_of(delivery: Delivery) -> str:
    """Returns the progress of a delivery as a line."""
    claim = delivery["claim"] or {}
    progress = claim.get("progress") or 0
    bar = "█" * round(20 * progress) + "░" * (20 - round(20 * progress))
    return f"{delivery['title'] or ''}  {bar} {progress:4.0%}  {claim.get('message') or delivery['state']}"


class Palette(Provider):
    """The session's commands in the command palette, also those that cannot be performed now."""

    async def found(self, query: str) -> SearchPage:
        app = self.app
        assert isinstance(app, Terminal)
        try:
            return await app.session.search(query, disabled=True, limit=50)
        except (Problem, Unreached) as error:
            app.tell(error)
            return {"total": 0, "items": []}

    async def search(self, query: str) -> Hits:
        for place, item in enumerate((await self.found(query))["items"]):
            yield Hit(1 - place / 100, *self.shown(item))

    async def discover(self) -> Hits:
        for item in (await self.found(""))["items"]:
            yield DiscoveryHit(*self.shown(item))

    def shown(self, item: Item) -> tuple[Text, Any, str]:
        """Returns how an item is shown, with its menus, its key and why it is disabled, what it does, and its text."""
        app = self.app
        assert isinstance(app, Terminal)
        title = Text(item["title"], "" if item["enabled"] else "dim")
        for start, end in item.get("ranges", []):
            title.stylize("bold underline", index_of(item["title"], start), index_of(item["title"], end))
        place = " ▸ ".join(item.get("menus", []))
        parts = " · ".join(filter(None, [place, written(strokes(item)), item.get("explanation", "")]))
        shown = Text("\n").join([title, Text(parts, "dim")] if parts else [title])
        return shown, lambda: app.run_worker(app.choose(item)), item["title"]


def index_of(text: str, units: int) -> int:
    """Returns the index of a character, which menud counts in code units of UTF-16."""
    return len(text.encode("utf-16-le")[:2 * units].decode("utf-16-le"))


class Terminal(App[None]):
    """The menus of a session, its keys in the footer, and its commands in the palette."""

    CSS_PATH = "terminal.tcss"
    COMMANDS = App.COMMANDS | {Palette}

    def __init__(self, session: AsyncSession) -> None:
        super().__init__()
        self.session = session
        self.mirror: AsyncMirror | None = None
        #: The keys that are bound, as the mirror had them when they were.
        self.keys: Sequence[SessionKey] = ()
        self.own: BindingsMap = self._bindings.copy()
        self.title = session.id

    def compose(self) -> ComposeResult:
        yield Header(icon="")
        yield HorizontalScroll(id="menus")
        yield Static(id="why", markup=False)
        yield Static(id="work", markup=False)
        yield Keys()

    # Following.

    @work
    async def on_mount(self) -> None:
        parts: dict[str, Any] = {"menu": True, "keys": True, "platform": "other"}
        try:
            try:
                self.mirror = await self.session.follow(**parts, deliveries=["open", "claimed", "cancelling"])
            except Problem as problem:
                # Deliveries need a right of their own.
                if problem.document.get("right") != "read":
                    raise
                self.mirror = await self.session.follow(**parts)
        except (Problem, Unreached) as error:
            self.exit(return_code=1, message=str(error))
            return
        self.mirror.subscribe(lambda event: self.call_later(self.show))
        await self.show()

    async def on_unmount(self) -> None:
        if self.mirror:
            self.mirror.close()

    async def show(self) -> None:
        """Shows what the mirror has now."""
        mirror = self.mirror
        if not mirror or not self.is_running:
            return
        away = f"closed: {mirror.reason or mirror.error}" if mirror.is_closed else "menud is away"
        self.sub_title = "" if mirror.is_connected else away
        self.set_class(not mirror.is_connected, "away")
        await self.show_menus(mirror.menu)
        self.keys = mirror.keys
        # Textual has no public way to replace bindings.
        self._bindings = BindingsMap.merge([BindingsMap(bindings_of(mirror.keys)), self.own])
        self.refresh_bindings()
        self.show_explanation()
        self.query_one("#work", Static).update("\n".join(map(line_of, mirror.deliveries)))

    async def show_menus(self, menu: Menu | None) -> None:
        bar = self.query_one("#menus", HorizontalScroll)
        children = [*columns_of(menu)]
        columns = [*bar.query(MenuColumn)]
        if [column.identifier for column in columns] != [child["identifier"] for child in children]:
            await bar.remove_children()
            columns = [MenuColumn(child["identifier"]) for child in children]
            await bar.mount(*columns)
            if columns:
                columns[0].focus()
        for column, child in zip(columns, children):
            column.show(child)

    @on(events.DescendantFocus)
    @on(OptionList.OptionHighlighted)
    def show_explanation(self) -> None:
        if not self.is_running:
            return
        item = self.focused.item if isinstance(self.focused, MenuColumn) else None
        self.query_one("#why", Static).update(item.get("explanation", "") if item else "")

    # Keys.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Returns True if an action is enabled, None if it is greyed, and False if it is hidden."""
        if action != "press":
            return super().check_action(action, parameters)
        key = self.keys[parameters[0]] if isinstance(parameters[0], int) and parameters[0] < len(self.keys) else None
        # Of a key that a responder takes for an action, a token for commands alone gets the strokes.
        if not key or not self.mirror or "action" not in key or isinstance(self.screen, ModalScreen):
            return False
        return self.mirror.is_connected and key.get("enabled") or None

    def action_press(self, index: int) -> None:
        self.run_worker(self.press(self.keys[index]["strokes"][:1]))

    async def press(self, pressed: Sequence[Key]) -> None:
        """Presses a key, after its other strokes, its parameters, or a confirmation."""
        assert self.mirror
        meaning, continuations = self.mirror.means(pressed)
        if continuations:
            pressed = await self.push_screen_wait(Strokes(self.mirror, pressed))
            meaning, _ = self.mirror.means(pressed)
        if not meaning:
            return
        if meaning.get("needsParameters") and "command" in meaning:
            return await self.fill(meaning["command"])
        try:
            await self.session.press(pressed, final=True, confirm=self.confirm)
        except (Problem, Unreached) as error:
            self.tell(error)

    # Items.

    @on(OptionList.OptionSelected)
    def choose_line(self, event: OptionList.OptionSelected) -> None:
        if isinstance(event.option_list, MenuColumn) and event.option_list.item:
            self.run_worker(self.choose(event.option_list.item))

    async def choose(self, item: Item) -> None:
        """Performs an item, after its parameters or a confirmation."""
        if not self.mirror or not self.mirror.is_connected:
            self.notify(self.sub_title, severity="warning", markup=False)
        elif not item["enabled"]:
            self.notify(item.get("explanation") or "It is not available now.", severity="warning", markup=False)
        elif item.get("needsParameters") and "itemKey" not in item:
            await self.fill(item["command"])
        elif error := await self.perform(item):
            self.tell(error)

    async def fill(self, command: str) -> None:
        """Asks for the parameters of a command, and performs it."""
        try:
            form = await self.session.form(command)
        except (Problem, Unreached) as error:
            self.tell(error)
        else:
            await self.push_screen_wait(Form(form, partial(self.perform, form)))

    async def perform(self, item: Item, parameters: dict[str, Any] | None = None) -> Problem | Unreached | None:
        """Performs an item; returns an error, unless the person did not agree."""
        options: dict[str, Any] = {"parameters": parameters, "item_key": item.get("itemKey")}
        try:
            await self.session.perform(item["command"], confirm=self.confirm, **options)
        except (Problem, Unreached) as error:
            return None if isinstance(error, Problem) and error.confirmation else error
        return None

    async def confirm(self, question: dict[str, Any]) -> bool:
        return await self.push_screen_wait(Confirmation(question))

    def tell(self, error: Problem | Unreached) -> None:
        """Shows an error for some seconds."""
        self.notify(words_of(error), severity="warning", markup=False)


def main() -> None:
    """Reads the options, and runs the application."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--server", default="http://localhost:8080", help="the address of menud (%(default)s)")
    parser.add_argument("--session", default="demo", help="(%(default)s)")
    options = parser.parse_args()
    client = AsyncClient(options.server, token=os.environ.get("MENUD_TOKEN"), timeout=10)
    app = Terminal(client.session(options.session))
    app.run()
    sys.exit(app.return_code)


if __name__ == "__main__":
    main()
