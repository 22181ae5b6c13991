"""A menud with a journal, and the program that shows its session on the desktop."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
import tempfile
from typing import Any, Self

from program import CLIENT, Restartable

import menud
from foreign import Processes, Remote, eventually
from names import action_name

_NUMBERS = itertools.count(1)
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Place:
    """Starts what a check needs, and ends it."""

    def __init__(self, program: str, application: str = os.path.join(HERE, "application")) -> None:
        self.program, self.application = program, application
        self.folder = tempfile.TemporaryDirectory()
        self.processes = Processes()
        self._log = os.path.join(self.folder.name, "desktop.log")
        open(self._log, "w").close()
        self.menud: Restartable
        self.session: menud.Session
        self.remote: Remote
        self.desktop: subprocess.Popen[Any]

    def __enter__(self) -> Self:
        self.menud = Restartable(self.folder.name, "--application", self.application, "--session", "demo",
                                 program=self.program)
        self.session = menud.Client(self.menud.url).session("demo")
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.processes.end()
        self.menud.kill()
        log = self.log
        self.folder.cleanup()
        if kind:
            print(log, file=sys.stderr)
        else:
            assert not re.search("Traceback|CRITICAL|WARNING|Warning", log), log

    @property
    def log(self) -> str:
        """All that the program has written so far."""
        with open(self._log) as file:
            return file.read()

    def start(self, *arguments: str) -> Remote:
        """Starts the program, and waits until it shows the session."""
        # Gio keeps what it knows of a name, also when another process has it.
        self.remote = Remote(f"org.menud.Checked{next(_NUMBERS)}")
        with open(self._log, "a") as log:
            self.desktop = self.processes.start(
                sys.executable, os.path.join(HERE, "desktop.py"), "--server", self.menud.url, "--session", "demo", "--name",
                self.remote.name, *arguments, env=os.environ | {"PYTHONPATH": CLIENT}, stdout=log, stderr=log)
        self.remote.attach()
        self.agree()
        return self.remote

    def expected(self) -> list[tuple[tuple[str, ...], str, str, bool, Any]]:
        """The items as menud answers them now, in the form of `Remote.shown`."""
        return [(titles, item["title"], action_name(item["command"], item.get("itemKey")), item["enabled"],
                 item["state"] == "on" if item.get("checkable") else None)
                for item, titles in menud.items_in(self.session.menu()) if "hidden" not in item["attributes"]]

    def agree(self) -> None:
        """Waits until the bus shows what menud answers."""
        expected = self.expected()
        eventually(lambda: self.remote.shown() == expected, lambda: [expected, self.remote.shown()])

    def patch(self, **state: Any) -> list[tuple[str, Any]]:
        """Changes the state; returns what the bus told of it."""
        self.agree()
        before = len(self.remote.told)
        self.session.patch(state)
        self.agree()
        return self.remote.told[before:]

    def state(self) -> Any:
        """The state of the session."""
        return self.session.document()["state"]
