"""Screens that ask a person: a confirmation, the parameters of a command, and the next stroke of a key."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, cast

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Input, Label, Select, SelectionList, Static, Switch

from keys import names_of, written
from menud import AsyncMirror, Item, Key, Problem, Unreached

class Confirmation(ModalScreen[bool]):
    """Asks a confirmation; the result is true if the person agrees."""

    BINDINGS = [("escape", "dismiss(False)", "Cancel")]

    def __init__(self, question: dict[str, Any]) -> None:
        super().__init__()
        self.question = question

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label(self.question["title"], classes="title", markup=False)
            yield Label(self.question.get("message", ""), markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Cancel", id="cancel")
                yield Button(Content(self.question.get("button", "OK")), id="agree", variant="primary")

    @on(Button.Pressed)
    def decide(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "agree")


class Strokes(ModalScreen[Sequence[Key]]):
    """Waits for the next stroke of a longer key (K8); the result are the strokes to press, if any.

    It shows what can follow. A stroke that continues nothing ends it, and nobody else gets it.
    """

    #: The seconds to wait with strokes that mean something themselves, and with others.
    TIMEOUT, PATIENCE = 1, 5

    def __init__(self, mirror: AsyncMirror, strokes: Sequence[Key]) -> None:
        super().__init__()
        self.mirror, self.strokes = mirror, strokes

    def compose(self) -> ComposeResult:
        yield Static(classes="dialog", markup=False)

    def on_mount(self) -> None:
        self.wait()

    def wait(self) -> None:
        """Shows what can follow, and waits for it."""
        meaning, continuations = self.mirror.means(self.strokes)
        end = partial(self.end, self.strokes if meaning else [])
        if not continuations:
            return end()
        rows = [f"{written(key['strokes'][len(self.strokes):])}  {key.get('title', '')}" for key in continuations]
        self.query_one(Static).update("\n".join([f"{written(self.strokes)} …", "", *rows]))
        self.timer = self.set_timer(self.TIMEOUT if meaning else self.PATIENCE, end)

    def end(self, strokes: Sequence[Key]) -> None:
        self.dismiss(strokes)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        self.timer.stop()
        count = len(self.strokes)
        for key in self.mirror.means(self.strokes)[1]:
            if event.key in names_of(key["strokes"][count]):
                self.strokes = key["strokes"][:count + 1]
                return self.wait()
        self.end([])


#: A widget, and a function that reads its value, which is None if it is left out.
Field = tuple[Widget, Callable[[], Any]]


class Form(ModalScreen[None]):
    """Asks for the parameters of a command, and performs it; mistakes are shown, and the form stays."""

    BINDINGS = [("escape", "dismiss", "Cancel")]

    def __init__(self, item: Item, perform: Callable[[dict[str, Any]], Awaitable[Problem | Unreached | None]]) -> None:
        super().__init__()
        self.item, self.perform = item, perform
        schema = item.get("schema", {})
        self.fields = {name: field_of(property) for name, property in schema.get("properties", {}).items()}
        self.titles = {name: property.get("title", name) + " *" * (name in schema.get("required", []))
                       for name, property in schema.get("properties", {}).items()}

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label(self.item["title"], classes="title", markup=False)
            with VerticalScroll():
                for name, (widget, _) in self.fields.items():
                    yield Label(self.titles[name], markup=False)
                    yield widget
            yield Label("", id="mistakes", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Cancel", id="cancel")
                yield Button("OK", id="perform", variant="primary")

    @on(Button.Pressed, "#cancel")
    def cancel(self) -> None:
        self.dismiss()

    @on(Button.Pressed, "#perform")
    @on(Input.Submitted)
    @work(exclusive=True)
    async def send(self) -> None:
        values = {name: read() for name, (_, read) in self.fields.items()}
        error = await self.perform({name: value for name, value in values.items() if value is not None})
        if error:
            self.query_one("#mistakes", Label).update(words_of(error))
        else:
            self.dismiss()


def words_of(error: Problem | Unreached) -> str:
    """Returns an error in words for people."""
    return error.words if isinstance(error, Problem) else f"menud did not answer. {error}"


def choices_of(schema: dict[str, Any]) -> list[tuple[Content, str]] | None:
    """Returns the titles and values, as JSON, of what can be chosen (P4); None if anything can be typed."""
    if "oneOf" in schema and all("const" in one for one in schema["oneOf"]):
        return [(Content(str(one.get("title", one["const"]))), json.dumps(one["const"])) for one in schema["oneOf"]]
    if "enum" in schema:
        return [(Content(str(value)), json.dumps(value)) for value in schema["enum"]]
    return [] if schema.get("not") == {} else None


def field_of(schema: dict[str, Any]) -> Field:
    """Returns the widget in which a parameter is entered, and a function that reads it."""
    default = schema.get("default")
    if (choices := choices_of(schema)) is not None:
        is_known = json.dumps(default) in [value for _, value in choices]
        select = Select[str](choices, value=json.dumps(default)) if is_known else Select[str](choices)
        return select, lambda: None if select.is_blank() else json.loads(str(select.value))
    if (choices := choices_of(schema.get("items", {}))) is not None:
        chosen = [json.dumps(value) for value in cast(list[Any], default or [])]
        selection = SelectionList[str](*[(title, value, value in chosen) for title, value in choices])
        return selection, lambda: [json.loads(value) for value in selection.selected]
    if schema.get("type") == "boolean":
        switch = Switch(bool(default))
        return switch, lambda: switch.value
    is_text = schema.get("type") == "string"
    field = Input("" if default is None else default if is_text else json.dumps(default))
    return field, lambda: None if not field.value else field.value if is_text else parsed(field.value)


def parsed(text: str) -> Any:
    """Returns JSON, or the text itself if it is none: menud says what it expects."""
    try:
        return json.loads(text)
    except ValueError:
        return text
