"""A window of GTK 4 with the menu of a session: a menu bar, accelerators, and words for what is disabled."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import gi
gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, Gtk

from menud import Contents, Problem, SessionKey
from form import Form
from models import Row
from names import accelerator

if TYPE_CHECKING:
    from desktop import Desk, Work

_CHECKED = {"on": Gtk.AccessibleTristate.TRUE, "mixed": Gtk.AccessibleTristate.MIXED,
            "off": Gtk.AccessibleTristate.FALSE}


class Window(Gtk.Application):
    """An application with one window. GTK exports its menu bar."""

    desk: Desk

    def do_startup(self) -> None:
        Gtk.Application.do_startup(self)
        self.set_menubar(self.desk.models.menu.model)
        self._keys: dict[str, SessionKey] = {}
        self._words = Gtk.Label(wrap=True, margin_start=24, margin_end=24)
        self._window = Gtk.ApplicationWindow(
            application=self, show_menubar=True, child=self._words, default_width=640, default_height=400)
        press = Gio.SimpleAction.new("press", GLib.VariantType("s"))
        press.connect("activate", lambda _, text: self._press(text.unpack()))
        self._window.add_action(press)
        self.show()

    def do_activate(self) -> None:
        self._window.present()
        self._describe()

    def show(self) -> None:
        """Shows the keys, and the words of items."""
        mirror, rows = self.desk.mirror, [*_flat(self.desk.models.rows)]
        self._window.set_title(mirror.session + ("" if mirror.is_connected else " (not connected)"))
        self._take_keys(mirror.contents, {
            row.item["command"]: row.action for row in rows if row.item and "itemKey" not in row.item})
        self._describe()

    def _describe(self) -> None:
        """GTK has made the widgets of all menus once the window is there."""
        rows = (each for menu in self.desk.models.rows for each in _flat(menu.rows))
        for row, button in zip(rows, _model_buttons(self._window)):
            _describe(button, row)

    def _take_keys(self, contents: Contents, actions: dict[str, str]) -> None:
        """Makes accelerators of keys. The first enabled one that matches is performed, as an item if it is one."""
        keys: dict[str, SessionKey] = {}
        for key in contents.keys:
            if key.get("enabled") and (text := accelerator(key["strokes"])):
                keys.setdefault(text, key)
        accelerators: dict[str, list[str]] = {action: [] for action in self.list_action_descriptions()}
        for text, key in keys.items():
            is_item = key.get("command") in actions and "alternate" not in key and "keymap" not in key
            pressing = Gio.Action.print_detailed_name("win.press", GLib.Variant("s", text))
            accelerators.setdefault(actions[key["command"]] if is_item else pressing, []).append(text)
        for action, texts in accelerators.items():
            if self.get_accels_for_action(action) != texts:
                self.set_accels_for_action(action, texts)
        self._keys = keys

    def _press(self, text: str) -> None:
        if text in self._keys:
            self.desk.do(partial(self.desk.session.press, self._keys[text]["strokes"]))

    def ask(self, command: str, work: Work) -> None:
        """Asks for parameters, and performs the work with them."""
        def read(timeout: float) -> None:
            item = self.desk.session.form(command)
            GLib.idle_add(lambda: Form(self.desk, self._window, item, work).present())
        self.desk.do(read)

    def refuse(self, error: Exception, work: Work) -> None:
        """Says why a command is not performed, or asks whether it shall be."""
        question = error.confirmation if isinstance(error, Problem) else None
        if question is None:
            return self._words.set_text(getattr(error, "explanation", None) or str(error))
        dialog = Gtk.MessageDialog(
            transient_for=self._window, modal=True, text=question["title"], secondary_text=question.get("message"))
        dialog.add_button("Cancel", Gtk.ResponseType.CANCEL)
        dialog.add_button(question["button"], Gtk.ResponseType.OK)
        dialog.connect("response", self._answered, work)
        dialog.present()

    def _answered(self, dialog: Gtk.MessageDialog, response: int, work: Work) -> None:
        dialog.destroy()
        if response == Gtk.ResponseType.OK:
            self.desk.do(partial(work, confirmed=True))


def _flat(rows: tuple[Row, ...]) -> Iterator[Row]:
    """All rows that have a widget, in the order of the widgets."""
    for row in rows:
        if row.link != "section":
            yield row
        yield from _flat(row.rows)


def _model_buttons(widget: Gtk.Widget) -> Iterator[Gtk.Widget]:
    if widget.__gtype__.name == "GtkModelButton":
        yield widget
    child = widget.get_first_child()
    while child:
        yield from _model_buttons(child)
        child = child.get_next_sibling()


def _describe(button: Gtk.Widget, row: Row) -> None:
    """A tooltip is also the accessible description. GTK's models have no mixed state."""
    item: Any = row.item or {}
    words = item.get("explanation") or item.get("subtitle")
    if button.get_tooltip_text() != words:
        button.set_tooltip_text(words)
    if item.get("checkable"):
        # GTK 4.8 leaves the role of plain items to those that are there when the window is made.
        role = Gtk.AccessibleRole.MENU_ITEM_RADIO if "::" in row.action else Gtk.AccessibleRole.MENU_ITEM_CHECKBOX
        if button.get_accessible_role() != role:
            button.set_property("accessible-role", role)
        button.update_state([Gtk.AccessibleState.CHECKED], [int(_CHECKED[item["state"]])])
        indicator = button.get_first_child().get_first_child()
        if item["state"] == "mixed":
            indicator.set_state_flags(Gtk.StateFlags.INCONSISTENT, False)
        else:
            indicator.unset_state_flags(Gtk.StateFlags.INCONSISTENT)
