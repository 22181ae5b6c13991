#!/usr/bin/python3
"""Shows a session of menud to a desktop: its menu as `org.gtk.Menus`, its items as `org.gtk.Actions`, and a window.

    desktop.py --server http://localhost:8080 --session demo --name org.example.Photos

The actions are at the object path of the name, /org/example/Photos, and the menu at /org/example/Photos/menus/menubar.
The program ends when the session is closed.
"""

from __future__ import annotations

import argparse
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from gi.repository import Gio, GLib

from menud import Client, Contents, Problem, Session, Unreached, items_in
from models import Models
from window import Window

#: A call of menud, such as `partial(session.perform, "copy:")`, which takes further options: `timeout` at least.
Work = Callable[..., object]

#: The seconds after which a call is given up: it must not come to effect when nobody expects it.
TIMEOUT = 30


class Background(Gio.Application):
    """An application without a window, which exports the menu."""

    desk: Desk

    def do_dbus_register(self, connection: Gio.DBusConnection, path: str) -> bool:
        """Exports the menu before others see the name."""
        connection.export_menu_model(path + "/menus/menubar", self.desk.models.menu.model)
        return Gio.Application.do_dbus_register(self, connection, path)

    def do_activate(self) -> None:
        """Stays, without anything to raise."""
        if not self.get_dbus_connection():
            sys.exit("There is no session bus.")
        self.hold()

    def show(self) -> None:
        """The models show all."""

    def ask(self, command: str, work: Work) -> None:
        """Nobody can fill in a form."""
        self.desk.do(work)

    def refuse(self, error: Exception, work: Work) -> None:
        """Nobody can be asked."""
        print(error, file=sys.stderr)


class Desk:
    """A session, and the models that follow it in the main loop."""

    def __init__(self, session: Session, application: Background | Window) -> None:
        self.session, self.application = session, application
        self.models = Models(application, "app.", self._activate)
        self.mirror = session.follow(menu=True, keys=True)
        self._shown: Contents | None = None
        self._queue: queue.SimpleQueue[tuple[float, Work]] = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()
        self.mirror.subscribe(lambda _: GLib.idle_add(self._update))
        GLib.idle_add(self._update)
        self._show()

    def do(self, work: Work) -> None:
        """Calls menud after the calls before, in another thread; all its waiting ends 30 seconds from now."""
        self._queue.put((time.monotonic() + TIMEOUT, work))

    def _update(self) -> None:
        if self.mirror.is_closed:
            print(self.mirror.error or f"The session '{self.session.id}' is closed.", file=sys.stderr)
            return self.application.quit()
        self._show()
        self.application.show()

    def _show(self) -> None:
        contents = self.mirror.contents
        if contents is not self._shown:
            self._shown = contents
            self.models.show(contents.menu)

    def _activate(self, command: str, key: str | None, parameters: dict[str, Any] | None, state: str | None) -> None:
        named: dict[str, Any] = {} if key is None else {"item_key": key}
        work = partial(self.session.perform, command, **named)
        if parameters == {}:
            self.application.ask(command, work)
        elif state:
            self.do(partial(self._set, command, key, state, work))
        else:
            self.do(partial(work, parameters=parameters) if parameters else work)

    def _run(self) -> None:
        while True:
            deadline, work = self._queue.get()
            try:
                if (left := deadline - time.monotonic()) <= 0:
                    raise Unreached(f"menud was not reached within {TIMEOUT} seconds.")
                work(timeout=left)
            except Exception as error:  # A value that is no JSON, for instance; the thread goes on.
                GLib.idle_add(self.application.refuse, error, work)

    def _set(self, command: str, key: str | None, state: str, work: Work, timeout: float, **options: Any) -> None:
        """Performs an item unless it has a state. After the calls before, the mirror may not know its state yet."""
        deadline = time.monotonic() + timeout
        items = [item for item, _ in items_in(self.session.menu())
                 if (item["command"], item.get("itemKey")) == (command, key)]
        if not items or items[0]["state"] != state:
            work(timeout=deadline - time.monotonic(), **options)


def main() -> None:
    """Runs until the session is closed, or a signal comes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default="http://localhost:8080", metavar="URL")
    parser.add_argument("--session", default="demo", metavar="NAME")
    parser.add_argument("--name", default="org.menud.Session", help="the name on the session bus")
    parser.add_argument("--no-window", action="store_true", help="exports the models only")
    options = parser.parse_args()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT, signal.SIGTERM])
    application = (Background if options.no_window else Window)(application_id=options.name)
    # What is performed while menud is away is sent again until its time is over, however often that is.
    client = Client(options.server, token=os.environ.get("MENUD_TOKEN"), timeout=TIMEOUT, attempts=100)
    try:
        application.desk = Desk(client.session(options.session), application)
    except (Problem, Unreached) as error:
        sys.exit(f"{options.server}: {error}")
    for number in (signal.SIGINT, signal.SIGTERM):
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, application.quit)
    application.run()


if __name__ == "__main__":
    main()
