"""The checks of focus, which browser.py runs with its own: menus and dialogs give it back, and the keys of a session are there
wherever it is, also in a page's own elements and beside another session."""

import time

from browser_connection import ARROW
from browser_details import BUTTON, DetailChecks
from browser_elements import BAR, CONTROL, ENTER, ESCAPE, F10, STARS
from browser_large import expect, handler

ACTIVE = "document.activeElement"
AT_VIEWER = f"{ACTIVE}.dataset.responder === 'viewer'"
VIEWER = "document.querySelector('[data-responder=viewer]').focus()"
DOWN, RIGHT = ARROW["down"], ARROW["right"]

# A page with a list and a field in a shadow tree, whose keys `handle` presses without `menud-keys`.
OWN_FIELD = """document.querySelector('menud-keys').remove()
  const { mirror } = document.querySelector('menud-session')
  globalThis.pressed = []
  document.addEventListener('keydown', (event) => mirror.handle(event, { press: (key) => { globalThis.pressed.push(key.input) } }))
  const own = document.createElement('div')
  own.attachShadow({ mode: 'open' }).append(document.createElement('input'))
  const text = document.createElement('p')
  text.contentEditable = 'false'
  text.tabIndex = 0
  text.id = 'text'
  document.querySelector('#main').append(own, text)
  own.shadowRoot.firstChild.focus()
  globalThis.own = own"""

OTHER = """const other = document.createElement('menud-session')
  other.id = 'other'
  other.setAttribute('server', arguments[0])
  other.token = arguments[1]
  other.append(document.createElement('menud-keys'), Object.assign(document.createElement('p'), { id: 'part', tabIndex: 0 }))
  other.setAttribute('name', 'other')
  document.body.append(other)"""


class FocusChecks(DetailChecks):
    """Checks of focus, and of the keys that depend on it."""

    def manage(self, page, path, body, method="PUT"):
        return self.ask(method, path, body, self.token, f"{page.menud}/")

    def stars(self, page, session="photos"):
        return self.ask("GET", f"sessions/{session}", None, self.token, f"{page.menud}/")["state"]["photos"]["lake"]["rating"]

    def check_elements_menus_give_focus_back(self):
        """Focus is where it was after a choice and after Escape, and the session's keys are there."""

        def use(page, visit, *_):
            window = visit()
            # Nothing was focused: the bar keeps focus, and the keys mean what they mean.
            window.keys(F10, ESCAPE)
            window.chord(CONTROL, "5")
            self.eventually("five stars", lambda: self.stars(page) == 5)
            window.run(VIEWER)
            window.chord(CONTROL, F10)
            expect(window.run(f"return {AT_VIEWER}"), "Control-F10 takes focus")
            window.keys(F10)
            window.wait(f"{ACTIVE}.dataset.key?.startsWith('bar ')")
            window.keys(ESCAPE)
            expect(window.run(f"return {AT_VIEWER}"), "Escape gives no focus back")
            # Escape closes one menu.
            window.keys(F10, RIGHT, RIGHT, RIGHT, DOWN, RIGHT)
            window.wait(f"document.querySelector('.popup .popup') && {ACTIVE}.closest('.popup .popup')")
            window.keys(ESCAPE)
            window.wait(f"!document.querySelector('.popup .popup') && {ACTIVE}.dataset.key === 'sub image rating'")
            window.keys(ESCAPE)
            window.wait(f"!document.querySelector('.popup') && {AT_VIEWER}")
            window.run("document.querySelector('[data-responder=photoGrid]').focus()")
            self.eventually("focus", lambda: self.session(page)["firstResponder"] == "photoGrid")
            window.keys(F10, RIGHT, RIGHT, RIGHT, DOWN, RIGHT, DOWN, ENTER)
            self.eventually("one star", lambda: self.stars(page) == 1)
            window.wait(f"{ACTIVE}.dataset.responder === 'photoGrid'")
            # With the pointer too.
            window.menu("image", "rating")
            window.click('.popup [data-command="applyFiveStarRating:"]')
            self.eventually("five stars again", lambda: self.stars(page) == 5)
            window.wait(f"{ACTIVE}.dataset.responder === 'photoGrid'")

        self.use_page(use)

    def check_elements_while_what_has_focus_changes(self):
        """Focus stays at what is drawn anew behind a dialog; menus that are taken out lead it to those around them."""

        def use(page, visit, *_):
            window = visit()
            rule = {"validate": {"confirmation": {"title": "'Turn it?'"}}, "perform": []}
            self.manage(page, handler("photos", "photoGrid", "rotateLeft:"), rule)
            window.run("document.querySelector('[data-key=\"tool rotateLeft:\"]').focus()")
            window.keys(ENTER)
            window.wait("document.querySelector('dialog[open]')")
            self.manage(page, "commands/perform", {"session": "photos", "command": "applyFiveStarRating:"}, "POST")
            window.wait(f"{STARS}.getAttribute('aria-pressed') === 'true'")
            window.keys(ESCAPE)
            window.wait("!document.querySelector('dialog')")
            focus = window.run(f"return {ACTIVE}.dataset.key ?? {ACTIVE}.localName")
            expect(focus == "tool rotateLeft:", f"focus is at {focus}")
            window.run(VIEWER)
            window.keys(F10, RIGHT, RIGHT, RIGHT, DOWN, RIGHT)
            window.wait(f"{ACTIVE}.closest('.popup .popup')")
            for menu, then in [("rating", f"{ACTIVE}.closest('.popup')"), ("image", AT_VIEWER)]:
                self.manage(page, "menus/edits", {"edits": [{"op": "remove", "menu": menu}]}, "POST")
                window.wait(f"!document.querySelector('[data-key$={menu}]') && {then}")
            expect(window.run(f"return {BAR}.path") == [], "a menu that is gone is open")

        self.use_page(use)

    def check_elements_keys_with_dialogs_and_fields_of_the_page(self):
        """A dialog that is not modal takes no keys; a field in a shadow tree keeps its letters."""

        def use(page, visit, *_):
            window = visit()
            window.run("""const dialog = document.createElement('dialog')
              dialog.append('Hint')
              document.body.append(dialog)
              dialog.show()""")
            window.run("document.querySelector('[data-responder=photoGrid]').focus()")
            window.chord(CONTROL, "5")
            self.eventually("five stars", lambda: self.stars(page) == 5)
            window.keys("?")
            window.wait("document.querySelector('.keysheet')")
            window.keys(ESCAPE)
            own = {"input": "q", "action": "applyOneStarRating:", "title": "One"}
            self.manage(page, "sessions/photos/responders/photoGrid/key-commands", {"keyCommands": [own]})
            window.wait("document.querySelector('menud-session').mirror.keys.some(({ strokes }) => strokes[0].input === 'q')")
            window.run(OWN_FIELD)
            window.keys("q")
            window.chord(CONTROL, "5")
            window.wait("globalThis.pressed.length")
            value = window.run("return [globalThis.own.shadowRoot.firstChild.value, globalThis.pressed]")
            expect(value == ["q", ["5"]], f"typed and pressed are {value}")
            window.run("document.querySelector('#text').focus()")
            window.keys("q")
            expect(window.run("return globalThis.pressed.pop()") == "q", "text that cannot be edited keeps keys")
            # A browser that fills a field in tells no key.
            window.run("document.querySelector('#title').dispatchEvent(new Event('keydown', { bubbles: true, composed: true }))")
            expect(not window.messages(), "a keydown without a key fails")

        self.use_page(use)

    def check_elements_keys_of_two_sessions(self):
        """A key is for the session that the focused part is in, and the sheet shows that session alone."""

        def use(page, visit, *_):
            window = visit()
            self.manage(page, "sessions", {"id": "other"}, "POST")
            window.run(OTHER, page.menud, self.token)
            window.wait("document.querySelector('#other').mirror?.keys.length")
            window.run("document.querySelector('#part').focus()")
            window.chord(CONTROL, "5")
            self.eventually("five stars in the other session", lambda: self.stars(page, "other") == 5)
            window.keys("?")
            window.wait("document.querySelector('.keysheet')")
            expect(window.run("return document.querySelectorAll('.keysheet').length") == 1, "there are two sheets")
            window.keys(ESCAPE)
            window.run("document.querySelector('[data-responder=photoGrid]').focus()")
            window.chord(CONTROL, "1")
            self.eventually("a star in the first session", lambda: self.stars(page) == 1)
            expect(self.stars(page, "other") == 5, "the key is pressed in both sessions")

        self.use_page(use)

    def check_elements_say_what_they_are(self):
        """Alternates by the keys of the platform, names of unknown commands, labels that change, and a session that changes."""

        def use(page, visit, *_):
            window = visit()
            alternate = {"title": "Other", "action": "other:", "modifiers": ["command"]}
            command = {"title": "Usual", "action": "usual:", "alternates": [alternate]}
            self.manage(page, "commands/usual:", command)
            menu = {"identifier": "own", "options": ["displayInline"], "children": ["usual:"]}
            edit = {"op": "insertChild", "atEndOfMenu": "image", "menu": menu}
            self.manage(page, "menus/edits", {"edits": [edit]}, "POST")
            name = "document.querySelector('.popup [data-command=\"usual:\"] .name')?.innerText"
            window.menu("image")
            window.wait(f"{name}?.startsWith('Usual')")
            window.hold(CONTROL)
            window.wait(f"{name}?.startsWith('Other')")
            window.release(CONTROL)
            window.wait(f"{name}?.startsWith('Usual')")
            window.keys(ESCAPE)
            window.run("""document.querySelector('menud-button').setAttribute('command', 'nosuch:')
              document.querySelector('menud-tool-bar').commands = ['nosuch:']""")
            for text in [f"{BUTTON}.innerText", "document.querySelector('.toolbar button')?.innerText"]:
                window.wait(f"{text} === 'nosuch:'")
            expect(window.run(f"return {BUTTON}.title") == "There is no such command", "it says something else")
            window.run("document.querySelector('menud-button').setAttribute('item-key', 'gone')")
            window.wait(f"{BUTTON}.title === 'There is no such item any more'")
            window.run(f"{BAR}.setAttribute('label', 'Main')")
            window.wait("document.querySelector('[role=menubar]').getAttribute('aria-label') === 'Main'")
            # A session that is changed out of the page is the new one in it.
            self.manage(page, "sessions", {"id": "other"}, "POST")
            window.run("""const session = document.querySelector('menud-session')
              session.remove()
              session.token = arguments[0]
              session.setAttribute('name', 'other')
              globalThis.provider = session""", self.token)
            time.sleep(0.1)
            window.run("document.body.append(globalThis.provider)")
            window.wait("globalThis.provider.session?.id === 'other'")

        self.use_page(use)
