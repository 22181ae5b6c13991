"""The names that Textual gives to the keys of a session, on the platform `other`: its command is Control."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from textual.keys import KEY_NAME_REPLACEMENTS

from menud import Key

MODIFIERS = {"command": "ctrl", "control": "super", "alternate": "alt", "shift": "shift"}
#: How terminals call the keys that are no characters. Apple's delete key is backspace elsewhere.
NAMED = {
    "UIKeyInputUpArrow": ["up"], "UIKeyInputDownArrow": ["down"], "UIKeyInputLeftArrow": ["left"],
    "UIKeyInputRightArrow": ["right"], "UIKeyInputEscape": ["escape"], "UIKeyInputPageUp": ["pageup"],
    "UIKeyInputPageDown": ["pagedown"], "UIKeyInputHome": ["home"], "UIKeyInputEnd": ["end"],
    "UIKeyInputDelete": ["delete", "backspace"], "\b": ["backspace"], "\t": ["tab"], "\r": ["enter"], " ": ["space"]}


def names_of(stroke: Key) -> list[str]:
    """Returns what Textual calls a stroke: `ctrl+shift+z` for Z with command and shift."""
    text, held = stroke["input"], stroke.get("modifiers", [])
    modifiers = sorted(MODIFIERS[name] for name in held if name in MODIFIERS)
    if text.startswith("UIKeyInputF"):
        names = [text.removeprefix("UIKeyInput").lower()]
    elif text in NAMED:
        names = NAMED[text]
    elif modifiers in ([], ["shift"]):
        # Shift is a part of the character.
        modifiers, names = [], [_named(text.upper() if modifiers else text.lower())]
    else:
        names = [_named(text.lower())]
    return ["+".join([*modifiers, name]) for name in names]


def _named(text: str) -> str:
    if len(text) != 1 or text.isalnum():
        return text
    name = unicodedata.name(text, text).lower().replace("-", "_").replace(" ", "_")
    return KEY_NAME_REPLACEMENTS.get(name, name)


def written(strokes: Iterable[Key]) -> str:
    """Returns strokes as menus show them: `ctrl+k ctrl+5`."""
    return " ".join(names_of(stroke)[0] for stroke in strokes)
