"""The menu of a session as Gio's models: a tree of `Gio.Menu`, and an action for each item."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from gi.repository import Gio, GLib

import menud
from menud import Item, strokes
from names import accelerator, action_name, command_of


@dataclass(frozen=True)
class Action:
    """An action for an item.

    An item that can be checked has a boolean state. In a menu with a single selection, the state is the action's own
    name if it is checked, which is also its target. An item that needs parameters takes a dictionary; its target is an
    empty one.
    """

    item: Item
    target: GLib.Variant | None
    state: GLib.Variant | None

    @staticmethod
    def of(item: Item, name: str, is_radio: bool) -> Action:
        """Returns the action for an item."""
        is_on = item["state"] == "on"
        if item.get("needsParameters"):
            return Action(item, GLib.Variant("a{sv}", {}), None)
        if not (item.get("checkable") or is_on):
            return Action(item, None, None)
        if is_radio:
            return Action(item, GLib.Variant("s", name), GLib.Variant("s", name if is_on else ""))
        return Action(item, None, GLib.Variant("b", is_on))

    def new(self, name: str) -> Gio.SimpleAction:
        """Returns an action of Gio that is like this one."""
        type = None if self.target is None else self.target.get_type()
        if self.state is None:
            return Gio.SimpleAction.new(name, type)
        return Gio.SimpleAction.new_stateful(name, type, self.state)

    def fits(self, live: Gio.SimpleAction) -> bool:
        """True if an action of Gio differs from this one in its state and in being enabled at most."""
        return [kind and kind.dup_string() for kind in (live.get_parameter_type(), live.get_state_type())] == [
            None if value is None else value.get_type_string() for value in (self.target, self.state)]


@dataclass(frozen=True)
class Row:
    """An item of a `Gio.Menu`, which may link to a section or a submenu of other rows."""

    label: str
    #: The name of the action with its target, as `Gio.Action.print_detailed_name` writes it.
    action: str = ""
    accelerator: str = ""
    link: str = ""
    identity: str = ""
    rows: tuple[Row, ...] = field(default=(), compare=False)
    item: Item | None = field(default=None, compare=False)


class LiveMenu:
    """A `Gio.Menu` that tells what differs, and nothing else, when it is to show other rows."""

    def __init__(self) -> None:
        self.model = Gio.Menu()
        self._rows: tuple[Row, ...] = ()
        self._linked: dict[str, LiveMenu] = {}
        self._is_editing = False
        self.model.connect("items-changed", self._hush)

    def _hush(self, model: Gio.Menu, *_: int) -> None:
        """Items are replaced one by one; listeners are told once, when all are."""
        if self._is_editing:
            model.stop_emission_by_name("items-changed")

    def show(self, rows: tuple[Row, ...]) -> None:
        """Shows other rows."""
        self._linked = {row.identity: self._linked.get(row.identity) or LiveMenu() for row in rows if row.link}
        for row in rows:
            if row.link:
                self._linked[row.identity].show(row.rows)
        if rows != self._rows:
            matcher = SequenceMatcher(None, self._rows, rows, autojunk=False)
            for kind, start, end, first, last in reversed(matcher.get_opcodes()):
                if kind != "equal":
                    self._splice(start, end - start, rows[first:last])
        self._rows = rows

    def _splice(self, at: int, removed: int, rows: tuple[Row, ...]) -> None:
        self._is_editing = True
        for _ in range(removed):
            self.model.remove(at)
        for index, row in enumerate(rows, at):
            self.model.insert_item(index, self._item(row))
        self._is_editing = False
        self.model.items_changed(at, removed, len(rows))

    def _item(self, row: Row) -> Gio.MenuItem:
        # An underscore marks a mnemonic; two are one.
        item = Gio.MenuItem.new(row.label.replace("_", "__") or None, row.action or None)
        if row.accelerator:
            item.set_attribute_value("accel", GLib.Variant("s", row.accelerator))
        if row.link:
            item.set_link(row.link, self._linked[row.identity].model)
        return item


class Models:
    """The models of a menu, with actions in a map such as a `Gio.Application`.

    `perform` is called with the command, the key of an item from data, the parameters, and the state that the item
    should have afterwards, if the caller has named one.
    """

    def __init__(self, actions: Gio.ActionMap, prefix: str, perform: Callable[..., None]) -> None:
        self.menu = LiveMenu()
        #: The rows of the menu, as `LiveMenu` shows them.
        self.rows: tuple[Row, ...] = ()
        self._map, self._prefix, self._perform = actions, prefix, perform
        self._live: dict[str, Gio.SimpleAction] = {}

    def show(self, menu: menud.Menu | None) -> None:
        """Shows a menu."""
        actions = _actions(menu)
        for name, action in actions.items():
            self._show(name, action)
        self.rows = _Rows(actions, self._prefix).of(menu) if menu else ()
        self.menu.show(self.rows)
        for name in self._live.keys() - actions.keys():
            self._map.remove_action(name)
            del self._live[name]

    def _show(self, name: str, action: Action) -> None:
        known = self._live.get(name)
        live = known if known and action.fits(known) else action.new(name)
        live.set_enabled(action.item["enabled"])
        if action.state is not None:
            live.set_state(action.state)
        if live is not known:
            live.connect("activate", self._activated)
            live.connect("change-state", self._state_changed)
            self._live[name] = live
            self._map.add_action(live)

    def _activated(self, live: Gio.SimpleAction, value: GLib.Variant | None) -> None:
        named: Any = None if value is None else value.unpack()
        if not isinstance(named, str) or named == live.get_name():
            self._perform(*command_of(live.get_name()), named if isinstance(named, dict) else None, None)

    def _state_changed(self, live: Gio.SimpleAction, value: GLib.Variant) -> None:
        is_on = value.unpack() in (True, live.get_name())
        self._perform(*command_of(live.get_name()), None, "on" if is_on else "off")


def _actions(menu: menud.Menu | None) -> dict[str, Action]:
    """The actions of all items. One that is in several menus is a radio item if it is in one of them."""
    items: dict[str, tuple[Item, bool]] = {}
    for item, parent in _items(menu):
        name, is_radio = action_name(item["command"], item.get("itemKey")), "singleSelection" in parent["options"]
        items[name] = item, is_radio or name in items and items[name][1]
    return {name: Action.of(item, name, is_radio) for name, (item, is_radio) in items.items()}


def _items(menu: menud.Menu | None) -> Iterator[tuple[Item, menud.Menu]]:
    children: list[Any] = [*menu["children"]] if menu else []
    for child in children:
        if "children" in child:
            yield from _items(child)
        elif menu:
            yield child, menu


def _inline(child: Any) -> str:
    """The identifier of a menu that is displayed inline; else empty."""
    return str(child["identifier"]) if "displayInline" in child.get("options", []) else ""


@dataclass(frozen=True)
class _Rows:
    """Makes rows of menus."""

    actions: Mapping[str, Action]
    prefix: str

    def of(self, menu: menud.Menu) -> tuple[Row, ...]:
        """Returns the rows of a menu. What stands between inline menus are sections too."""
        children: list[Any] = [*menu["children"]]
        shown = [child for child in children if "hidden" not in child.get("attributes", [])]
        if not any(map(_inline, shown)):
            return tuple(map(self._row, shown))
        sections: list[Row] = []
        for inline, group in itertools.groupby(shown, _inline):
            rows = tuple(map(self._row, group))
            after = sections[-1].identity if sections else menu["identifier"]
            sections += rows if inline else [Row("", link="section", identity=f"after {after}", rows=rows)]
        return tuple(sections)

    def _row(self, child: Any) -> Row:
        if "children" in child:
            link = "section" if _inline(child) else "submenu"
            return Row(child["title"], link=link, identity=child["identifier"], rows=self.of(child))
        name = action_name(child["command"], child.get("itemKey"))
        action = Gio.Action.print_detailed_name(self.prefix + name, self.actions[name].target)
        return Row(child["title"], action, accelerator(strokes(child)) or "", item=child)
