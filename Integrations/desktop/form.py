"""A form for the parameters of a command, from their JSON Schema."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gi
gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk

from menud import Item, Problem

if TYPE_CHECKING:
    from desktop import Desk, Work

#: A widget, and a function that returns the value of the parameter; None if it has none.
Field = tuple[Gtk.Widget, Callable[[], Any]]


class Form(Gtk.Window):
    """A window that closes once the command is performed. Mistakes stand beside their parameters."""

    def __init__(self, desk: Desk, parent: Gtk.Window, item: Item, work: Work) -> None:
        super().__init__(title=item["title"], transient_for=parent, modal=True, resizable=False)
        self._desk, self._work = desk, work
        self._grid = Gtk.Grid(row_spacing=6, column_spacing=12, margin_top=24, margin_bottom=24,
                              margin_start=24, margin_end=24)
        self._read: dict[str, Callable[[], Any]] = {}
        self._mistakes: dict[str, Gtk.Label] = {}
        for name, schema in item.get("schema", {}).get("properties", {}).items():
            self._add(name, schema)
        self._mistakes[""] = self._label("")
        button = Gtk.Button(label=item["title"], receives_default=True)
        button.connect("clicked", lambda _: self._send())
        for widget in (self._mistakes[""], button):
            self._grid.attach_next_to(widget, None, Gtk.PositionType.BOTTOM, 3, 1)
        self.set_child(self._grid)
        self.set_default_widget(button)

    def _label(self, text: str) -> Gtk.Label:
        return Gtk.Label(label=text, xalign=0)

    def _add(self, name: str, schema: dict[str, Any]) -> None:
        label, (widget, self._read[name]) = self._label(schema.get("title", name)), _field(schema)
        label.set_mnemonic_widget(widget)
        self._mistakes[name] = self._label("")
        for column, each in enumerate((label, widget, self._mistakes[name])):
            self._grid.attach(each, column, len(self._read), 1, 1)

    def _send(self) -> None:
        parameters = {name: value for name, read in self._read.items() if (value := read()) is not None}

        def work(**options: Any) -> None:
            try:
                self._work(parameters=parameters, **options)
            except Problem as problem:
                if problem.status != 422:
                    raise
                GLib.idle_add(self._tell, problem.fields)
            else:
                GLib.idle_add(self.destroy)
        self._desk.do(work)

    def _tell(self, mistakes: dict[str, list[str]]) -> None:
        """Tells mistakes by the names of parameters; the last label has those of no parameter here."""
        for name, label in self._mistakes.items():
            texts = [*mistakes.pop(name, []), *(itertools.chain(*mistakes.values()) if not name else [])]
            label.set_text(" ".join(texts))


def _field(schema: dict[str, Any]) -> Field:
    default = schema.get("default")
    if "enum" in schema or "oneOf" in schema:
        return _choice(schema, default)
    if schema.get("type") == "boolean":
        button = Gtk.CheckButton(active=bool(default))
        return button, button.get_active
    is_text = schema.get("type") == "string"
    entry = Gtk.Entry(activates_default=True)
    if default is not None:
        entry.set_text(default if is_text else json.dumps(default))
    return entry, lambda: (entry.get_text() or None) if is_text else _value(entry.get_text())


def _choice(schema: dict[str, Any], default: Any) -> Field:
    choices = [(None, "")] + [(value, str(value)) for value in schema.get("enum", [])] + [
        (each.get("const"), str(each.get("title", each.get("const")))) for each in schema.get("oneOf", [])]
    menu = Gtk.DropDown.new_from_strings([title for _, title in choices])
    menu.set_selected(next((index for index, (value, _) in enumerate(choices) if value == default), 0))
    return menu, lambda: choices[menu.get_selected()][0]


def _value(text: str) -> Any:
    """A value that is written as JSON; what is not JSON is a text, which menud refuses with words."""
    try:
        return json.loads(text) if text else None
    except ValueError:
        return text
