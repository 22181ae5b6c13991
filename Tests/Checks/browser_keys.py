"""The checks of keys in the console, which browser.py runs with its own: several strokes, and the user's own keys."""

import time

from browser_large import expect, handler
from browser_windows import WindowChecks

SHEET = "document.querySelector('.keysheet')"
ESCAPE, CONTROL, ENTER, ALT, INSERT, HOME = "\ue00c", "\ue009", "\ue007", "\ue00a", "\ue016", "\ue011"
MEANING = "document.querySelector('#keymap-meaning')?.innerText"
QUERY, STROKES = '[data-key="keymap query"]', '[data-key="keymap strokes"]'
NO_KEYMAP = "document.querySelector('.tabpanel.keymap .tools .hint')?.innerText.startsWith('0 entries')"


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

    def open_keymap(self, name):
        """The panel in a page of its own, which remembers nothing of another check."""
        self.window.driver.get("about:blank")
        window = self.open_new(name)
        window.click("#tab-keymap")
        window.wait(f"document.querySelector('{QUERY}')")
        return window

    def put_keymap(self, *entries):
        self.ask("PUT", "keymaps/mine", {"entries": list(entries)})

    def choose_key(self, window, typed):
        """Finds a command whose key is to be changed, and begins with it."""
        window.run(f"const field = document.querySelector('{QUERY}'); field.value = ''; field.focus()")
        window.keys(typed)
        window.wait("document.querySelectorAll('.keymap > li').length === 1")
        window.click(".keymap > li button")
        window.wait("document.activeElement.dataset.key === 'keymap strokes'")

    def check_keymap_while_text_is_composed(self):
        """An input method composes in the field of the keymap, and the caret stays, also while the session changes."""
        self.put_keymap()
        window = self.open_keymap("composing")
        window.click(QUERY)
        for text in ["に", "にほ", "日本"]:
            window.driver.execute_cdp_cmd("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})
            self.ask("POST", "commands/perform", {"session": "composing", "command": "rotateLeft:"})
            time.sleep(0.3)
        expect(window.run("return document.querySelector('.keymap > li')"), "a text that is composed is searched")
        window.driver.execute_cdp_cmd("Input.insertText", {"text": "日本"})
        window.wait("document.querySelector('.tabpanel.keymap').innerText.includes('No command matches.')")
        value = window.run(f"return document.querySelector('{QUERY}').value")
        expect(value == "日本", f"the text is {value!r}")
        window.run(f"document.querySelector('{QUERY}').select()")
        window.keys("tar", HOME)
        time.sleep(0.2)
        window.keys("s")
        window.wait("document.querySelector('ul.keymap')?.innerText.startsWith('No Stars')")
        expect(window.run("const { value, selectionStart } = document.activeElement; return [value, selectionStart]") == ["star", 1], "the caret moves")
        faults = window.axe()
        expect(not faults, "\n".join(faults))

    def check_keymap_says(self):
        """The panel says what a key means in a keymap that is not used yet, and what cannot be a key."""
        self.put_keymap({"key": "Ctrl-J", "command": "cut:"}, {"key": "ctrl+g ctrl+g", "command": "paste:"})
        window = self.open_keymap("saying")
        window.wait("document.querySelector('.tabpanel.keymap .tools').innerText.includes('2 entries')")
        self.choose_key(window, "copy")
        window.chord(CONTROL, "j")
        window.wait(f"{MEANING}.includes('It hides “Cut”.')")

        def press(words, *keys, clears=True):
            if clears:
                window.click('[data-key="keymap clear"]')
            window.run(f"document.querySelector('{STROKES}').focus()")
            window.chord(*keys)
            window.wait(f"{MEANING}.includes('{words}')")

        press("It waits, since it begins the key of “Paste”.", CONTROL, "g")
        press("Browsers keep Ctrl+N, unless the page is installed as an application.", CONTROL, "n")
        press("The last key cannot be used", INSERT, clears=False)
        expect(window.run(f"return document.querySelector('{STROKES}').value") == "Ctrl+N", "a key that cannot be used is one")
        press("no other command has it now.", CONTROL, "9")
        expect("cannot" not in window.run(f"return {MEANING}"), "a remark stays beside a new key")
        for stroke in "345":
            window.chord(CONTROL, stroke)
        press("A key has at most four strokes.", CONTROL, "6", clears=False)
        expect(window.run(f"return document.querySelector('{STROKES}').value") == "Ctrl+9 Ctrl+3 Ctrl+4 Ctrl+5", "the fifth stroke is one")
        # Somebody else changes it meanwhile: that is told in words for people, and the key can be saved at once.
        self.put_keymap({"command": "-nothing:"})
        window.keys(ENTER)
        window.wait("document.querySelector('.notice')?.innerText.includes('changed meanwhile')")
        said = window.text(".notice")
        expect("read again" in said and "If-" not in said, f"it says {said!r}")
        window.keys(ENTER)
        window.wait(f"{MEANING}.includes(\"There is no command 'nothing:'\")")
        wanted = [{"command": "-nothing:"}, {"key": "ctrl+9 ctrl+3 ctrl+4 ctrl+5", "command": "copy:"}]
        expect(self.ask("GET", "keymaps/mine")["entries"] == wanted, "the keymap is another")
        window.chord(CONTROL, "7")
        window.wait(f"{MEANING} && !{MEANING}.includes('nothing:')")
        # The refusals are what the browser tells of.
        window.messages()

    def check_keymap_lists_all_entries(self):
        """Each entry of the keymap is seen and can be removed, and taking keys away twice is one entry."""
        hidden = {"key": "ctrl+m", "command": "copy:", "when": "state.zoom > 1000"}
        self.put_keymap({"key": "ctrl+j", "command": "nobody:"}, hidden, {"command": "-gone:"})
        window = self.open_keymap("listing")
        self.ask("PUT", "sessions/listing/keymap", {"keymap": "mine"})
        window.wait("document.querySelector('.tabpanel.keymap .tools').innerText.includes('3 entries')")
        text = window.text(".tabpanel.keymap .scroll")
        expect("nobody:\nctrl+j\nRemove" in text and "-gone:\nall keys\nRemove" in text, f"the panel has {text[-200:]!r}")
        faults = window.axe()
        expect(not faults, "\n".join(faults))
        window.click("[aria-label='Remove all keys of -gone:']")
        window.click("[aria-label='Remove ctrl+j of nobody:']")
        window.wait("document.querySelector('.tabpanel.keymap .tools').innerText.includes('1 entry')")
        self.choose_key(window, "copy")
        expect("ctrl+m when state.zoom > 1000" in window.text(".keymap > li"), "an entry that does not hold now is not shown")
        for _ in range(2):
            window.click('[data-key="keymap take"]')
            self.reaches(lambda: self.ask("GET", "keymaps/mine")["entries"] == [hidden, {"command": "-copy:"}], "its keys are not taken away once")
            time.sleep(0.3)
        expect(len(self.ask("GET", "keymaps/mine")["entries"]) == 2, "its keys are taken away twice")
        window.click('[data-key="keymap reset copy:"]')
        window.wait(NO_KEYMAP)

    def reaches(self, condition, words):
        end = time.time() + 5
        while not condition():
            expect(time.time() < end, words)
            time.sleep(0.05)
