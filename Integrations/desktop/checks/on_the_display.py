"""Checks of the window, by AT-SPI, a keyboard (xdotool), and a HUD."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib

import menud
from foreign import eventually, turn
from place import Place

State = Atspi.StateType


class Screen:
    """The window of the program, as a screen reader sees it."""

    def __init__(self, place: Place) -> None:
        self.pid = place.desktop.pid

    def parts(self) -> Iterator[Atspi.Accessible]:
        """All parts of all windows now."""
        desktop = Atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            application = desktop.get_child_at_index(index)
            if application and application.get_process_id() == self.pid:
                application.set_cache_mask(Atspi.Cache.NONE)
                yield from _below(application)

    def find(self, name: str, role: str = "") -> Atspi.Accessible | None:
        """The part with a name, and a role; the last such part, which is the topmost."""
        found = None
        for part in self.parts():
            try:
                # GTK 4.8 says the titles of buttons twice.
                if part.get_name() in (name, f"{name} {name}") and role in part.get_role_name():
                    found = part
            except GLib.Error:
                continue  # It has gone.
        return found

    def has(self, name: str, *states: Atspi.StateType, lacks: tuple[Atspi.StateType, ...] = (),
            role: str = "menu item", words: str = "") -> bool:
        """True if there is a part with this name, role and description, these states, and none of the others."""
        part = self.find(name, role)
        try:
            held = part and part.get_state_set()
            return bool(held) and part.get_description() == words and all(map(held.contains, states)) and not any(
                map(held.contains, lacks))
        except GLib.Error:
            return False

    def click(self, name: str, role: str) -> None:
        """Waits for a part, and does its action."""
        part = eventually(lambda: self.find(name, role), lambda: f"{name} is there")
        assert part.get_action_iface().do_action(0), name

    def open(self, menu: str, item: str) -> None:
        """Opens a menu of the menu bar by the keyboard, until an item is there."""
        press("F10")
        eventually(lambda: self.has(menu, State.EXPANDED) or self.find(item, "menu item") or press("Right"),
                   lambda: f"{menu} is open")
        press("Down")
        eventually(lambda: self.find(item, "menu item"), lambda: f"{item} is there")


def _below(part: Atspi.Accessible) -> Iterator[Atspi.Accessible]:
    try:
        children = [part.get_child_at_index(index) for index in range(part.get_child_count())]
    except GLib.Error:
        return
    for child in children:
        if child:
            yield child
            yield from _below(child)


def press(*keys: str) -> None:
    """Presses keys."""
    subprocess.run(["xdotool", "key", *keys], check=True)
    turn(0.3)


def start(place: Place) -> Screen:
    """Starts the program with its window, and waits until it is there."""
    place.start()
    screen = Screen(place)
    eventually(lambda: screen.has("demo", State.ACTIVE, role="frame") or focus("demo"), lambda: "the window is active")
    return screen


def focus(title: str) -> None:
    """Gives a window the focus, as a window manager does."""
    for window in windows("--onlyvisible", "--name", f"^{title}$")[-1:]:
        subprocess.run(["xdotool", "windowfocus", window], stderr=subprocess.DEVNULL)


def check_items(place: Place) -> None:
    """A screen reader reads titles, check marks and why not, while they change, and invokes an item."""
    screen = start(place)
    screen.open("Edit", "Count_0")
    on, off = (State.SENSITIVE,), (State.SENSITIVE,)
    assert screen.has("Copy", lacks=off) and screen.has("Paste", lacks=off, words="Copy something first.")
    assert screen.has("Bold", *on, lacks=(State.CHECKED,), role="check menu item")
    assert screen.has("Left", State.CHECKED, role="radio menu item")
    assert screen.has("Right", *on, lacks=(State.CHECKED,), role="radio menu item")
    assert screen.has("Justified", lacks=off, role="radio menu item", words="The lines are too short.")
    place.patch(bold="mixed", copies=1, count=1)
    eventually(lambda: screen.has("Bold", State.INDETERMINATE, lacks=(State.CHECKED,)))
    eventually(lambda: screen.has("Paste", *on) and screen.has("Count_1", *on) and not screen.find("Count_0"))
    place.patch(bold="on")
    eventually(lambda: screen.has("Bold", State.CHECKED, lacks=(State.INDETERMINATE,)))
    place.patch(bold="mixed")
    place.patch(bold="off", copies=0)
    eventually(lambda: screen.has("Bold", *on, lacks=(State.CHECKED, State.INDETERMINATE)))
    eventually(lambda: screen.has("Paste", lacks=off, words="Copy something first."))
    screen.click("Right", "radio menu item")
    eventually(lambda: place.state()["align"] == "right")
    place.agree()


def check_keys(place: Place) -> None:
    """Accelerators perform items, keys of responders and of a keymap, once each, and follow what changes."""
    screen = start(place)
    press("Right")
    eventually(lambda: place.state()["count"] == 1)
    screen.open("File", "Erase")
    press("Right")
    eventually(lambda: screen.find("Count_1", "menu item"), lambda: "The keys of an open menu are its own.")
    press("Escape", "ctrl+k", "ctrl+d")
    eventually(lambda: place.state()["count"] == 3)
    assert place.state()["recent"], "The key of the responder comes first."
    press("ctrl+c", "F5")
    eventually(lambda: place.state()["count"] == 0)
    assert place.state()["copies"] == 0
    place.patch(canCopy=True)
    press("ctrl+c")
    eventually(lambda: place.state()["copies"] == 1)
    press("ctrl+shift+v")
    eventually(lambda: place.state()["copies"] == 0)
    entries = [{"key": "ctrl+j", "command": "count:"}, {"command": "-copy:"}]
    menud.Client(place.menud.url).request("PUT", "/keymaps/ada", body={"entries": entries})
    place.session.change("PUT", "keymap", {"keymap": "ada"})
    eventually(lambda: "<Control>j" in [row.get("accel") for kind, value in place.remote.told if kind == "Menus"
                                        for change in value[0] for row in change[4]])
    press("ctrl+c", "ctrl+j")
    eventually(lambda: place.state()["count"] == 1)
    turn(0.5)
    assert (place.state()["copies"], place.state()["count"]) == (0, 1)


def check_questions(place: Place) -> None:
    """A confirmation is asked for in a dialog, parameters in a form, which tells mistakes."""
    screen = start(place)
    place.remote.activate("erase.")
    screen.click("Cancel", "push button")
    eventually(lambda: not screen.find("Cancel", "push button"))
    assert len(place.state()["recent"]) == 3
    place.remote.activate("erase.")
    eventually(lambda: screen.find("Erase everything?"))
    screen.click("Erase", "push button")
    eventually(lambda: place.state()["recent"] == [])
    place.agree()
    press("ctrl+r")
    eventually(lambda: screen.has("Name", State.FOCUSED, role="text") or focus("Rename…"), lambda: "the form is there")
    press("ctrl+a", "BackSpace", "Return")
    eventually(lambda: screen.find("The member 'name' is missing."), lambda: [p.get_name() for p in screen.parts()])
    subprocess.run(["xdotool", "type", "Violets"], check=True)
    press("Tab", "5", "Tab", "space")
    screen.click("Rename…", "push button")
    eventually(lambda: place.state()["named"] == {"name": "Violets", "copies": 5, "isTemplate": True})
    eventually(lambda: not screen.find("Name", "text"))


def check_window_restart(place: Place) -> None:
    """The window says that menud is away, and shows the present state when it is back."""
    screen = start(place)
    place.menud.kill()
    eventually(lambda: screen.find("demo (not connected)", "frame"))
    place.menud.start()
    eventually(lambda: screen.find("demo", "frame"))
    place.patch(count=9)
    screen.open("Edit", "Count_9")


def check_window_changes(place: Place) -> None:
    """An open menu follows ten changes a second, and shows the last one."""
    screen = start(place)
    screen.open("Edit", "Count_0")
    for number in range(1, 41):
        place.session.patch({"count": number, "canCopy": number % 2 == 1, "bold": "on" if number % 2 else "mixed"})
        turn(0.1)
    eventually(lambda: screen.has("Count_40", State.SENSITIVE))
    eventually(lambda: screen.has("Bold", State.INDETERMINATE) and screen.has("Copy", lacks=(State.SENSITIVE,)))
    titles = [part.get_name() for part in screen.parts() if part.get_role_name() == "menu item"]
    assert [title for title in titles if title.startswith("Count")] == ["Count_40"], titles


def check_hud(place: Place) -> None:
    """A HUD (mate-hud) finds the items of the window and performs the one that is typed."""
    start(place)
    folder = os.path.join(place.folder.name, "hud")
    os.makedirs(os.path.join(folder, "glib-2.0", "settings"))
    with open(os.path.join(folder, "glib-2.0", "settings", "keyfile"), "w") as file:
        file.write("[org/mate/hud]\nenabled=true\nshortcut='F12'\n")
    own = {"GSETTINGS_BACKEND": "keyfile"} | {f"XDG_{kind}_HOME": folder for kind in ("CONFIG", "DATA", "CACHE")}
    log = os.path.join(folder, "log")
    with open(log, "w") as file:
        place.processes.start(HUD, env=os.environ | own, stdout=file, stderr=file)
    # It has read its settings.
    eventually(lambda: "Press F12" in Path(log).read_text() and "lotinus" in Path(log).read_text())
    activate_window("demo")
    eventually(lambda: windows("--class", "rofi") or press("F12"), lambda: Path(log).read_text())
    subprocess.run(["xdotool", "type", "right"], check=True)
    press("Return")
    eventually(lambda: place.state()["align"] == "right", lambda: Path(log).read_text())


def windows(*search: str) -> list[str]:
    """The windows that xdotool finds."""
    return subprocess.run(["xdotool", "search", *search], capture_output=True, text=True).stdout.split()


def activate_window(title: str) -> None:
    """Says which window is active, as a window manager does."""
    from Xlib import Xatom, display
    screen = display.Display()
    window = [int(windows("--name", f"^{title}$")[-1])]
    screen.screen().root.change_property(screen.get_atom("_NET_ACTIVE_WINDOW"), Xatom.WINDOW, 32, window)
    screen.sync()


def take_picture(place: Place, path: str) -> None:
    """Writes the picture of the README: a menu of the photo application, and its submenu (xcompmgr, ImageMagick)."""
    place.processes.start("xcompmgr")  # Shadows need a compositor.
    screen = start(place)
    screen.open("Image", "Rating")
    eventually(lambda: screen.has("Rating", State.FOCUSED) or press("Down"))
    press("Right")
    eventually(lambda: screen.find("No Stars", "menu item"))
    turn(1)
    subprocess.run(["import", "-window", "root", "-crop", "640x310+0+0", "+repage", "+dither", "-colors", "64",
                    path], check=True)


HUD = "/usr/lib/mate-hud/mate-hud"
CHECKS = [check_items, check_keys, check_questions, check_window_restart, check_window_changes]
if os.path.exists(HUD):
    CHECKS.append(check_hud)
else:
    print("not checked: a HUD, since the package mate-hud is missing")
