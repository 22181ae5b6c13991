"""The programs that drive the desktop: gdbus, Gio's remote models, AT-SPI, and a keyboard. None knows menud."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from gi.repository import Gio, GLib

T = TypeVar("T")


def eventually(condition: Callable[[], T], what: Callable[[], object] = lambda: "it") -> T:
    """Waits until a condition holds; the main loop goes on."""
    deadline = time.monotonic() + 30
    while not (found := condition()):
        assert time.monotonic() < deadline, f"It did not happen within 30 s: {what()}"
        turn(0.02)
    return found


def turn(seconds: float = 0) -> None:
    """Lets the main loop run."""
    until = time.monotonic() + seconds
    while GLib.MainContext.default().iteration(False) or time.monotonic() < until:
        time.sleep(0.001)


class Processes:
    """Programs of a check, which end with it."""

    def __init__(self) -> None:
        self.running: list[subprocess.Popen[Any]] = []

    def start(self, *arguments: str, **options: Any) -> subprocess.Popen[Any]:
        """Starts a program in a process group of its own."""
        process = subprocess.Popen(arguments, start_new_session=True, **options)
        self.running.append(process)
        return process

    def end(self) -> None:
        """Ends all, the latest first, with what they started."""
        for process in reversed(self.running):
            for number in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.killpg(process.pid, number)
                    process.wait(5)
                except (ProcessLookupError, subprocess.TimeoutExpired):
                    continue
        self.running.clear()


def start_desktop(processes: Processes, folder: str) -> None:
    """Starts a session bus and a display, for this process and those that it starts, with their files in a folder."""
    os.environ |= {f"XDG_{name}": folder for name in ("RUNTIME_DIR", "CACHE_HOME", "CONFIG_HOME", "DATA_HOME")}
    with open(os.path.join(folder, "desktop.log"), "w") as file:
        bus = processes.start("dbus-daemon", "--session", "--nofork", "--print-address", stdout=subprocess.PIPE,
                              stderr=file, text=True)
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
        receiving, sending = os.pipe()
        processes.start("Xvfb", "-displayfd", str(sending), "-screen", "0", "720x480x24", "-nolisten", "tcp",
                        pass_fds=[sending], stdout=file, stderr=file)
    os.close(sending)
    with os.fdopen(receiving) as number:
        os.environ["DISPLAY"] = f":{number.readline().strip()}"
    # A renderer that needs no graphics card, and the theme that every GTK has.
    os.environ |= {"GSK_RENDERER": "cairo", "GDK_BACKEND": "x11", "GTK_THEME": "Adwaita"}


class Remote:
    """The program on the bus, as others see it."""

    def __init__(self, name: str) -> None:
        self.name, self.path = name, "/" + name.replace(".", "/")
        self.menus = self.path + "/menus/menubar"
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        #: The signals so far: the interface and the arguments of each.
        self.told: list[tuple[str, Any]] = []
        for interface in ("org.gtk.Actions", "org.gtk.Menus"):
            self.bus.signal_subscribe(name, interface, "Changed", None, None, Gio.DBusSignalFlags.NONE, self._note)
        self._held: list[Gio.MenuModel] = []
        self.actions: Gio.DBusActionGroup
        self.menu: Gio.DBusMenuModel

    def attach(self) -> None:
        """Begins to follow the models, once they are there."""
        eventually(self._is_there)
        self.actions = Gio.DBusActionGroup.get(self.bus, self.name, self.path)
        self.menu = Gio.DBusMenuModel.get(self.bus, self.name, self.menus)

    def _is_there(self) -> bool:
        try:
            return bool(self.gdbus("org.gtk.Menus.Start", "[0]", at=self.menus))
        except RuntimeError:
            return False

    def _note(self, _bus: Any, _sender: str, path: str, interface: str, _signal: str, value: GLib.Variant) -> None:
        if path in (self.path, self.menus):
            self.told.append((interface.removeprefix("org.gtk."), value.unpack()))

    def gdbus(self, method: str, *arguments: str, at: str = "") -> Any:
        """Calls a method by the program gdbus; returns the results. Raises a `RuntimeError` if it fails."""
        call = subprocess.run(["gdbus", "call", "--session", "--dest", self.name, "--object-path", at or self.path,
                               "--method", method, *arguments], capture_output=True, text=True)
        if call.returncode:
            raise RuntimeError(call.stderr)
        return GLib.Variant.parse(None, call.stdout.strip()).unpack()

    def activate(self, name: str, *parameters: str) -> None:
        """Activates an action."""
        self.gdbus("org.gtk.Actions.Activate", name, f"[{', '.join(f'<{each}>' for each in parameters)}]", "{}")

    def set_state(self, name: str, value: str) -> None:
        """Asks for a state of an action."""
        self.gdbus("org.gtk.Actions.SetState", name, f"<{value}>", "{}")

    def shown(self) -> list[tuple[tuple[str, ...], str, str, bool, Any]]:
        """The items of the menu: the titles around each, its own, and name, enablement and state of its action."""
        self.actions.list_actions()
        rows = []
        # A model is read again whenever nobody holds it.
        before, self._held = self._held, []
        for titles, label, action, target in _walk(self.menu, self._held):
            name = action.removeprefix("app.")
            state = self.actions.get_action_state(name)
            is_on = None if state is None else state.unpack() == (True if target is None else target)
            rows.append((titles, label.replace("__", "_"), name, self.actions.get_action_enabled(name), is_on))
        before.clear()
        return rows


def _walk(model: Gio.MenuModel, held: list[Gio.MenuModel], titles: tuple[str, ...] = ()
          ) -> Iterator[tuple[tuple[str, ...], str, str, Any]]:
    """All items with an action, in order; the models are added to those that are held."""
    held.append(model)
    for index in range(model.get_n_items()):
        values = {name: model.get_item_attribute_value(index, name) for name in ("label", "action", "target")}
        label, action, target = (None if value is None else value.unpack() for value in values.values())
        section, submenu = model.get_item_link(index, "section"), model.get_item_link(index, "submenu")
        if section or submenu:
            yield from _walk(section or submenu, held, (*titles, label) if label else titles)
        else:
            yield titles, label, action, target
