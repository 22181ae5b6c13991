"""The checks of keys in the console, which browser.py runs with its own: several strokes, and the user's own keys."""

import time

from browser_large import expect, handler
from browser_windows import WindowChecks

SHEET = "document.querySelector('.keysheet')"
ESCAPE, CONTROL, ENTER, ALT = "\ue00c", "\ue009", "\ue007", "\ue00a"


class KeyChecks(WindowChecks):
    """Checks of keys of several strokes, and of keymaps."""

    def rating(self, name):
        return self.ask("GET", f"sessions/{name}")["state"]["photos"]["lake"]["rating"]

    def check_strokes(self):
        """The keys of several strokes, and what can follow."""
        name = "strokes"
        keys = {"ctrl+j ctrl+3": "Three", "ctrl+j ctrl+2": "Two", "g": "Four", "g i": "One"}
        entries = [{"key": key, "command": f"apply{number}StarRating:"} for key, number in keys.items()]
        self.ask("PUT", f"keymaps/{name}", {"entries": entries})
        window = self.open_new(name)
        self.ask("PUT", f"sessions/{name}/keymap", {"keymap": name})
        window.run("document.querySelector('.canvas').focus()")
        window.wait("document.querySelector('.revision')?.innerText.includes('revision 1')")
        time.sleep(0.3)
        window.chord(CONTROL, "j")
        window.wait(f"{SHEET}?.innerText.includes('★★★') && {SHEET}.innerText.includes('…')")
        expect("★★★★★" not in window.run(f"return {SHEET}.innerText"), "the sheet shows keys that do not follow")
        faults = window.axe()
        expect(not faults, "\n".join(faults))
        self.picture(window, "strokes-wide-light")
        window.run("document.querySelector('.canvas').focus()")
        window.chord(CONTROL, "3")
        window.wait(f"!{SHEET}")
        self.reaches(lambda: self.rating(name) == 3, "the strokes are not performed")
        # A stroke that continues nothing ends them, and nobody gets it.
        window.chord(CONTROL, "j")
        window.chord(CONTROL, "5")
        time.sleep(0.5)
        expect(self.rating(name) == 3, "a stroke that continues nothing is performed")
        # Alone it is performed once its time is over, and not when another stroke follows.
        window.keys("g")
        time.sleep(0.3)
        expect(self.rating(name) == 3, "a key that is also a beginning does not wait")
        self.reaches(lambda: self.rating(name) == 4, "a key that is also a beginning is never performed")
        window.keys("g", "i")
        self.reaches(lambda: self.rating(name) == 1, "the longer key is not performed")
        # A dead key and a composing input method are no strokes.
        window.chord(CONTROL, "j")
        window.run(
            "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'Dead', bubbles: true}));"
            "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'a', isComposing: true, bubbles: true}))"
        )
        window.chord(CONTROL, "2")
        self.reaches(lambda: self.rating(name) == 2, "a dead key ends the strokes")

    def check_keymap(self):
        """The user's own keys: found, pressed, seen and saved by the keyboard alone."""
        name = "keymapping"
        window = self.open_new(name)
        window.run("document.querySelector('#tab-keymap').click()")
        window.wait("document.querySelector('[data-key=\"keymap query\"]')")
        window.run("document.querySelector('[data-key=\"keymap query\"]').focus()")
        window.keys("one star")
        window.wait("document.querySelectorAll('.keymap > li').length === 1")
        window.run("document.querySelector('.keymap > li button').focus()")
        window.keys(ENTER)
        window.wait("document.activeElement.dataset.key === 'keymap strokes'")
        window.chord(CONTROL, "5")
        window.wait("document.querySelector('#keymap-meaning').innerText.includes('hides “★★★★★”')")
        faults = window.axe()
        expect(not faults, "\n".join(faults))
        self.picture(window, "keymap-wide-light")
        window.run("document.querySelector('[data-key=\"keymap strokes\"]').focus()")
        window.keys(ENTER)
        window.wait("document.querySelector('.keymap > li kbd')?.innerText.includes('5')")
        expect(self.ask("GET", "keymaps/mine")["entries"] == [{"key": "ctrl+5", "command": "applyOneStarRating:"}], "the keymap is another")
        window.run("document.querySelector('.canvas').focus()")
        window.chord(CONTROL, "5")
        self.reaches(lambda: self.rating(name) == 1, "the new key is not performed")
        # A disabled command has its key all the same, and one with priority comes first.
        meaning = "document.querySelector('#keymap-meaning')?.innerText"
        priority = {"wantsPriorityOverSystemBehavior": True}
        first = {"title": "First", "action": "first:", "key": {"input": "9", "modifiers": ["command", "alternate"]}, **priority}
        self.ask("PUT", "commands/first:", first)
        self.ask("PUT", handler(name, "photoGrid", "first:"), {"perform": []})
        own = {"input": "8", "modifiers": ["command", "alternate"], "action": "first:", "title": "Own", **priority}
        self.ask("PUT", f"sessions/{name}/responders/photoGrid/key-commands", {"keyCommands": [own]})
        try:
            for keys, words in [((CONTROL, "-"), "It hides “Zoom Out” (disabled now)."), ((CONTROL, ALT, "9"), "It does nothing: “First” comes first."),
                                ((CONTROL, ALT, "8"), "It does nothing: “Own” comes first."), ((CONTROL, ALT, "7"), "no other command has it now.")]:
                window.run("document.querySelector('[data-key=\"keymap clear\"]').click()")
                window.run("document.querySelector('[data-key=\"keymap strokes\"]').focus()")
                window.chord(*keys)
                window.wait(f"{meaning}.endsWith('{words}')")
        finally:
            self.ask("DELETE", "commands/first:")
        # A hidden key is not shown; after a reset the command has its own again.
        window.menu("image")
        expect(window.run("return !document.querySelector('[data-command=\"applyFiveStarRating:\"] .key')?.innerText"), "a hidden key is shown")
        window.keys(ESCAPE)
        window.run("document.querySelector('[data-key=\"keymap reset applyOneStarRating:\"]').click()")
        window.wait("!document.querySelector('[data-key=\"keymap reset applyOneStarRating:\"]')")
        expect(self.ask("GET", "keymaps/mine")["entries"] == [], "the entry is still there")

    def reaches(self, condition, words):
        end = time.time() + 5
        while not condition():
            expect(time.time() < end, words)
            time.sleep(0.05)
