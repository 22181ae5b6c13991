#!/usr/bin/python3
"""Checks the desktop's view of a session: on the bus, in a window, through restarts and many changes."""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(HERE, "checks"), os.path.join(ROOT, "Tests", "Checks")]
from program import end_by_signals  # noqa: E402

#: The Python that has PyGObject where another one is first.
SYSTEM = "/usr/bin/python3"
#: Programs, and the packages of Debian that have them.
PROGRAMS = {"gdbus": "libglib2.0-bin", "dbus-daemon": "dbus-daemon", "Xvfb": "xvfb", "xdotool": "xdotool"}


def missing() -> str | None:
    """The package that is missing, if one is."""
    if not importlib.util.find_spec("gi"):
        return "python3-gi"
    for program, package in PROGRAMS.items():
        if not shutil.which(program):
            return package
    import gi
    for name, version, package in (("Gtk", "4.0", "gir1.2-gtk-4.0"), ("Atspi", "2.0", "gir1.2-atspi-2.0")):
        try:
            gi.require_version(name, version)
        except ValueError:
            return package
    is_there = os.path.exists("/usr/share/dbus-1/services/org.a11y.Bus.service")
    return None if is_there else "at-spi2-core"


def main() -> None:
    """Runs all checks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="the built menud")
    parser.add_argument("--only", help="the checks whose names contain this")
    parser.add_argument("--picture", help="writes the picture of the README there")
    options = parser.parse_args()
    if not importlib.util.find_spec("gi") and sys.executable != SYSTEM and os.path.exists(SYSTEM):
        os.execv(SYSTEM, [SYSTEM, *sys.argv])
    package = missing()
    if package:
        return print(f"SKIPPED: the package {package} is missing.")
    end_by_signals()
    program = os.path.abspath(options.program)
    from foreign import Processes, start_desktop
    processes = Processes()
    with tempfile.TemporaryDirectory() as folder:
        try:
            start_desktop(processes, folder)
            from place import Place
            import on_the_bus
            import on_the_display
            checks = [*on_the_bus.CHECKS, *on_the_display.CHECKS]
            chosen = [check for check in checks if (options.only or "") in check.__name__]
            for check in chosen:
                with Place(program) as place:
                    check(place)
                print(f"ok: {check.__doc__}", flush=True)
            if options.picture:
                with Place(program, os.path.join(ROOT, "Config", "photo-app")) as place:
                    on_the_display.take_picture(place, options.picture)
        finally:
            processes.end()
    print(f"{len(chosen)} checks passed")


if __name__ == "__main__":
    main()
