"""The checks of keyboard focus in the console, which browser.py runs with its own: it never falls out of its part."""

import json
import time

from browser_drafts import TEXT, DraftChecks
from browser_large import expect, handler

ENTER, CONTROL, HOME = "\ue007", "\ue009", "\ue011"
ACTIVE = "document.activeElement"


class PlaceChecks(DraftChecks):
    """Checks of where focus and the caret are once what had them is drawn anew, is disabled, or is gone."""

    def focus(self, window, key):
        window.wait(f"document.querySelector({json.dumps(f'[data-key={json.dumps(key)}]')})?.disabled === false")
        window.run("document.querySelector(`[data-key=\"${CSS.escape(arguments[0])}\"]`).focus()", key)

    def press(self, window, key):
        self.focus(window, key)
        window.keys(ENTER)

    def stays(self, window, key, part="drawer"):
        """Waits until a button is gone or disabled, and for focus in its part of the page."""
        button = f"document.querySelector({json.dumps(f'[data-key={json.dumps(key)}]')})"
        window.wait(f"({button}?.disabled ?? true)")
        window.wait(f"{ACTIVE}.closest('#{part}') && {ACTIVE} !== {button}", 3)
        return window.run(f"return {ACTIVE}.dataset.key ?? {ACTIVE}.dataset.scroll ?? {ACTIVE}.id")

    def check_focus_after_keys_are_saved(self):
        window = self.open_new("places-keys")
        window.click("#tab-keymap")
        window.run("const query = document.querySelector('[data-key=\"keymap query\"]'); query.value = 'rotate left'; query.dispatchEvent(new Event('input'))")
        window.wait("document.querySelectorAll('.keymap > li').length === 1")
        self.press(window, "keymap rotateLeft:")
        window.wait(f"{ACTIVE}.dataset.key === 'keymap strokes'")
        window.chord(CONTROL, "8")
        self.press(window, "keymap clear")
        place = self.stays(window, "keymap clear")
        expect(place == "keymap strokes", f"after Clear, focus is at {place}")
        window.chord(CONTROL, "8")
        self.press(window, "keymap save")
        place = self.stays(window, "keymap save")
        expect(place == "keymap strokes", f"after Save, focus is at {place}")
        self.press(window, "keymap reset rotateLeft:")
        place = self.stays(window, "keymap reset rotateLeft:")
        expect(place == "keymap rotateLeft:", f"after Reset, focus is at {place}")

    def check_focus_after_undo(self):
        window = self.open_new("places-undo")
        window.click("#tab-undo")
        self.ask("POST", "commands/perform", {"session": "places-undo", "command": "applyFiveStarRating:"})
        self.press(window, "undo")
        self.stays(window, "undo")
        self.press(window, "redo")
        place = self.stays(window, "redo")
        expect(place == "undo", f"after the last Redo, focus is at {place}")

    def check_focus_after_a_held_key(self):
        """The repetitions of a key are for no other button than the one that it was pressed on."""
        window = self.open_new("places-held")
        window.click("#tab-undo")
        self.ask("POST", "commands/perform", {"session": "places-held", "command": "applyFiveStarRating:"})
        self.ask("POST", "sessions/places-held/undo", {})
        self.focus(window, "redo")
        held = {"type": "rawKeyDown", "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
        send = lambda **more: window.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {**held, **more})
        send(type="keyDown")
        self.stays(window, "redo")
        revision = self.ask("GET", "sessions/places-held")["revision"]
        for _ in range(5):
            send(type="keyDown", autoRepeat=True)
        send(type="keyUp")
        expect(self.ask("GET", "sessions/places-held")["revision"] == revision, "a held key undoes what it did")
        window.keys(ENTER)
        self.eventually("the change", lambda: self.ask("GET", "sessions/places-held")["revision"] > revision)

    def check_focus_after_deliveries(self):
        window = self.open_new("places-work")
        self.ask("PUT", handler("places-work", "photoGrid", "exportPhotos:"), {"perform": [{"op": "deliver", "value": "1"}]})
        for _ in range(2):
            self.ask("POST", "commands/perform", {"session": "places-work", "command": "exportPhotos:"})
        window.click("#tab-deliveries")
        self.press(window, "Claim 2")
        place = self.stays(window, "Claim 2")
        expect(place == "Reply 2", f"after Claim, focus is at {place}")
        self.press(window, "Reply 2")
        place = self.stays(window, "Reply 2")
        expect(place == "deliveries", f"after Reply, focus is at {place}")
        self.press(window, "Cancel 1")
        self.stays(window, "Cancel 1")

    def check_focus_after_the_last_page(self):
        window = self.open_new("places-past")
        for number in range(60):
            self.patch("places-past", {"op": "add", "path": "/number", "value": number})
        window.click("#tab-history")
        self.press(window, "earlier")
        self.stays(window, "earlier")

    def check_focus_in_a_long_state(self):
        self.open_session("places-long")
        self.patch("places-long", {"op": "add", "path": "/large", "value": {f"k{number}": "x" * 100 for number in range(500)}})
        window = self.window.open("places-long")
        window.click("#tab-state")
        self.press(window, "member photos")
        self.stays(window, "member photos")
        self.press(window, "way 0")
        window.wait(f"{ACTIVE}.dataset.key === 'way 0'")

    def check_focus_in_the_graph(self):
        """The focused responder is removed by somebody else."""
        window = self.open_new("places-graph")
        self.ask("PUT", "sessions/places-graph/responders/note", {"kind": "view", "superview": "photoGrid"})
        window.wait("document.querySelector('[data-key=\"node note\"]')")
        window.run("document.querySelector('[data-key=\"node note\"]').focus()")
        self.ask("DELETE", "sessions/places-graph/responders/note")
        window.wait("!document.querySelector('[data-key=\"node note\"]')")
        window.wait(f"{ACTIVE}.closest('#graph')", 3)

    def check_caret_stays(self):
        """The caret of a text stays when it is drawn anew, since the connection is lost or somebody else changes something."""
        window = self.editing("places-caret")
        window.run(f"{TEXT}.focus(); {TEXT}.setSelectionRange(3, 9, 'backward')")
        selection = f"return [{ACTIVE}.dataset.key, {TEXT}.selectionStart, {TEXT}.selectionEnd, {TEXT}.selectionDirection]"
        self.patch("places-caret", {"op": "add", "path": "/zoom", "value": 123})
        window.wait(f"{TEXT}.value.includes('123')")
        now = window.run(selection)
        expect(now == ["state text", 3, 9, "backward"], f"selected is {now}")
        window.click("#tab-keymap")
        window.run("const query = document.querySelector('[data-key=\"keymap query\"]'); query.value = ''; query.dispatchEvent(new Event('input'))")
        window.click('[data-key="keymap query"]')
        window.keys("otate")
        window.wait("document.querySelectorAll('.keymap > li').length < 8")
        window.keys(HOME)
        for letter in "rxy":
            window.keys(letter)
            time.sleep(0.2)
        query = window.run("return document.querySelector('[data-key=\"keymap query\"]').value")
        expect(query == "rxyotate", f"in the middle of a field, {query} is typed")

    def check_focus_without_a_connection(self):
        """The caret stays when the connection goes, and focus of Apply goes to nothing that drops the text."""
        window = self.open_failing("places-lost")
        try:
            window.click("#tab-state")
            self.retype(window, '"zoom": 100', '"zoom": 175')
            window.run(f"{TEXT}.setSelectionRange(5, 5)")
            window.run("globalThis.fails = () => 'cut'; dispatchEvent(new Event('focus'))")
            window.wait("document.querySelector('.banner')")
            now = window.run(f"return [{ACTIVE}.dataset.key, {TEXT}.selectionStart]")
            expect(now == ["state text", 5], f"the caret is at {now}")
            window.run("globalThis.fails = undefined")
            window.wait("!document.querySelector('.banner')")
            self.focus(window, "state apply")
            window.run("globalThis.fails = () => 'cut'; dispatchEvent(new Event('focus'))")
            place = self.stays(window, "state apply")
            expect(place == "drawer", f"focus is at {place}")
            expect("175" in window.run(f"return {TEXT}.value"), "the text is gone")
        finally:
            window.close()

    def check_unfolded_steps_stay(self):
        """What was unfolded in an explanation stays so while the session changes, and is folded in another one."""
        window = self.open_new("places-fold")
        window.click('[data-key="overview zoomIn:"]')
        window.click("#inspector .fold summary")
        window.wait("document.querySelector('#inspector details').open")
        self.patch("places-fold", {"op": "add", "path": "/zoom", "value": 101})
        window.wait("document.querySelector('.revision').innerText.endsWith('1')")
        window.run("return new Promise((resolve) => setTimeout(resolve, 500))")
        expect(window.run("return document.querySelector('#inspector details').open"), "it is folded")
        expect(window.run(f"return {ACTIVE}.localName") == "summary", "its focus is gone")
        window.click("[data-key=back]")
        self.stays(window, "back", "inspector")
        window.click('[data-key="overview zoomOut:"]')
        window.wait("document.querySelector('#inspector details')")
        expect(not window.run("return document.querySelector('#inspector details').open"), "another one is unfolded")
