"""Names of GLib for commands and keys of menud.

GLib's action names consist of letters, digits, `-` and `.`. In them `.` stands for a colon, and `-` with two
hexadecimal digits for any other byte of UTF-8. `--` separates the command from the key of an item from data:

    applyFiveStarRating:                  applyFiveStarRating.
    openRecent: with the key /a b.txt     openRecent.---2Fa-20b-2Etxt
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import gi
gi.require_version("Gdk", "4.0")
from gi.repository import Gdk

from menud import Key


def action_name(command: str, key: str | None = None) -> str:
    """Returns the name of the action of a command, or of an item from data."""
    return _escaped(command) if key is None else f"{_escaped(command)}--{_escaped(key)}"


def command_of(name: str) -> tuple[str, str | None]:
    """Returns the command, and the key of an item from data, that `action_name` has named so."""
    command, separator, key = name.partition("--")
    return _unescaped(command), _unescaped(key) if separator else None


def _escaped(text: str) -> str:
    return re.sub(rb"[^A-Za-z0-9]", lambda byte: b"." if byte[0] == b":" else b"-%02X" % ord(byte[0]),
                  text.encode()).decode()


def _unescaped(name: str) -> str:
    return re.sub(rb"\.|-(..)", lambda found: bytes.fromhex(found[1].decode()) if found[1] else b":",
                  name.encode()).decode()


_MODIFIERS = {"command": "<Control>", "control": "<Super>", "alternate": "<Alt>", "shift": "<Shift>"}
_INPUTS = {
    "UIKeyInputUpArrow": "Up", "UIKeyInputDownArrow": "Down", "UIKeyInputLeftArrow": "Left",
    "UIKeyInputRightArrow": "Right", "UIKeyInputEscape": "Escape", "UIKeyInputPageUp": "Page_Up",
    "UIKeyInputPageDown": "Page_Down", "UIKeyInputHome": "Home", "UIKeyInputEnd": "End", "UIKeyInputDelete": "Delete",
    "\b": "BackSpace", "\r": "Return", "\t": "Tab"} | {f"UIKeyInputF{number}": f"F{number}" for number in range(1, 13)}


def accelerator(strokes: Sequence[Key]) -> str | None:
    """Returns GTK's accelerator for a key; None for a sequence, and for a key that GTK cannot name."""
    if len(strokes) != 1:
        return None
    text, modifiers = strokes[0]["input"], strokes[0].get("modifiers", [])
    letter = unicodedata.normalize("NFC", text).lower()
    name = _INPUTS.get(text) or (Gdk.keyval_name(Gdk.unicode_to_keyval(ord(letter))) if len(letter) == 1 else None)
    if not name or not _MODIFIERS.keys() >= {*modifiers}:
        return None
    return "".join(mark for modifier, mark in _MODIFIERS.items() if modifier in modifiers) + name
