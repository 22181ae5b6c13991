"""The checks of what every person reaches in the console, which browser.py runs with its own: short windows, contrast themes,
long menus, and what is said of a session that has ended."""

import time

from browser_connection import ARROW
from browser_elements import ESCAPE, F10
from browser_large import expect, handler
from browser_places import PlaceChecks
from browser_drafts import TEXT
from browser_windows import CUT

TAB = "\ue004"
ACTIVE = "document.activeElement"
CONTROL = "document.querySelector('[data-key=language]')"
SESSIONS = "[...document.querySelector('[data-key=session]').options].map((one) => one.innerText)"
SAID = "document.querySelector('#notices').innerText"
# What a button looks like, and whether its name can be told from the page.
LOOK = """const { outlineStyle, outlineWidth, backgroundColor, color, borderTopColor } = getComputedStyle(arguments[0])
  return [outlineStyle === 'none' ? '' : outlineWidth, backgroundColor, color, borderTopColor].join()"""


class ReachChecks(PlaceChecks):
    """Checks of what is within reach, whatever the window, the theme and the keyboard are."""

    def shaped(self, window, width, height):
        window.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def check_short_windows(self):
        """In a short window the page scrolls: each view has room, and nothing is wider than the window."""
        window = self.window
        rooms = {"graph": ".canvas", "inspector": ".inspector .body", "drawer": "[data-key=\"state text\"]"}
        try:
            for width, height in [(640, 290), (640, 360), (320, 480), (320, 256), (1000, 300), (1000, 540)]:
                self.shaped(window, width, height)
                self.open_new(f"short-{width}-{height}")
                window.run("document.querySelector('#tab-state').click()")
                window.wait(TEXT)
                for view, room in rooms.items():
                    if window.run("return document.querySelector('#views').offsetHeight"):
                        window.click(f'[data-key="view {view}"]')
                    name = f"{view} at {width} x {height}"
                    tall = window.run("return document.querySelector(arguments[0]).clientHeight", room)
                    expect(tall >= 40, f"{name}: {tall} px of {room} are to be seen")
                    cut = window.run(CUT)
                    expect(not cut, f"{name}, cut:\n" + "\n".join(cut))
                apply = window.run("""const button = document.querySelector('[data-key="state apply"]')
                  button.scrollIntoView({ block: 'nearest' })
                  const { left, right, top, bottom } = button.getBoundingClientRect()
                  return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === button""")
                expect(apply, f"Apply is out of reach at {width} x {height}")
        finally:
            window.show("wide", False)

    def check_forced_colours(self):
        """In a contrast theme focus, selection, checked and disabled buttons look different from their neighbours."""
        window = self.new_window(self.url)
        try:
            window.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "forced-colors", "value": "active"}]})
            self.open_session("forced")
            window.open("forced")

            def differ(what, one, other):
                looks = [window.run(LOOK, window.wait(node)) for node in (one, other)]
                expect(looks[0] != looks[1], f"{what} looks like its neighbour: {looks[0]}")

            window.wait("document.querySelector('.toolbar [aria-pressed=true]')")
            differ("a checked button", "document.querySelector('.toolbar [aria-pressed=true]')", "document.querySelector('.toolbar [aria-pressed=false]')")
            differ("a disabled button", "document.querySelector('.toolbar .off')", "document.querySelector('.toolbar button:not(.off)')")
            differ("a selected tab", "document.querySelector('.tabs [aria-selected=true]')", "document.querySelector('.tabs [aria-selected=false]')")
            window.keys(F10)
            window.keys(ARROW["right"], ARROW["right"], ARROW["down"])
            differ("an open menu's title", "document.querySelector('.title > [aria-expanded=true]')", "document.querySelector('.title > [aria-expanded=false]')")
            for _ in range(3):
                window.wait(f"{ACTIVE}.closest('.popup')")
                off = window.run(f"return {ACTIVE}.classList.contains('off')")
                differ("a focused item", ACTIVE, f"[...document.querySelectorAll('.popup > button')].find((one) => one !== {ACTIVE} && one.classList.contains('off') === {str(off).lower()})")
                window.keys(ARROW["down"])
            differ("a disabled item", "document.querySelector('.popup .off:not(:focus)')", "document.querySelector('.popup button:not(.off, :focus)')")
            window.keys(ESCAPE)
            window.click(".find")
            differ("the selected command", "document.querySelector('.found [aria-selected=true]')", "document.querySelector('.found [aria-selected=false]')")
            differ("a disabled command", "document.querySelector('.found .off:not([aria-selected=true]) .name')", "document.querySelector('.found :not(.off, [aria-selected=true]) .name')")
        finally:
            self.finish(window)

    def check_language_of_the_application(self):
        """The application's own language can be chosen again after another one."""
        with self.serving(["--application", "Config/control-room", "--session", "desk"]) as url:
            window = self.new_window(url).open("desk")
            try:
                languages = f"[...{CONTROL}.options].map((one) => one.innerText).join()"
                said = window.run(f"return {languages}")
                expect(said == "Original,Deutsch,English", f"the languages are {said}")
                for tag in ["de", "en"]:
                    window.run(f"{CONTROL}.value = arguments[0]; {CONTROL}.dispatchEvent(new Event('change'))", tag)
                    self.eventually("the language", lambda: self.ask("GET", "sessions/desk", url=url).get("locale") == tag)
                    window.wait(f"{CONTROL}.value === '{tag}'")
                    expect(window.run(f"return {languages}") == said, f"then they are {window.run(f'return {languages}')}")
            finally:
                self.finish(window)

    def check_sessions_opened_elsewhere(self):
        """The list of sessions is read again as soon as it has focus."""
        window = self.open_new("listed")
        window.run("document.querySelector('.canvas').focus()")
        self.open_session("listed-later")
        window.run("document.querySelector('[data-key=session]').focus()")
        window.wait(f"{SESSIONS}.includes('listed-later')", 5)
        expect(window.run(f"return {ACTIVE}.dataset.key") == "session", "the list has not the keyboard any more")
        self.ask("DELETE", "sessions/listed-later")
        window.click("[data-key=session]")
        window.wait(f"!{SESSIONS}.includes('listed-later')", 5)
        window.keys(ESCAPE)

    def check_nothing_can_be_performed(self):
        """Without the server, and after the end of the session, all parts say that nothing can be performed."""
        window = self.open_failing("ended")
        inspector = "document.querySelector('#inspector').innerText"
        enabled = "[...document.querySelectorAll('[data-key=\"state try\"], [data-key=\"state apply\"], .inspector [data-key=perform]')].filter((one) => !one.disabled).map((one) => one.dataset.key)"
        try:
            window.wait(f"/[1-9]\\d* of \\d+/.test({inspector})")
            window.run("document.querySelector('#tab-state').click()")
            window.run("globalThis.fails = () => 'cut'; dispatchEvent(new Event('focus'))")
            window.wait(f"{inspector}.includes('Nothing can be performed now. The server is not reached.')", 5)
            expect(not window.run(f"return {enabled}"), "a change can be made without the server")
            window.run("globalThis.fails = undefined")
            window.wait(f"!document.querySelector('.banner') && !{inspector}.includes('Nothing can be performed')")
            window.wait(f"{enabled}.length === 2")
            self.ask("DELETE", "sessions/ended")
            window.wait("document.querySelector('.status.closed')")
            window.wait(f"{inspector}.includes('Nothing can be performed now. The session is not followed any more.')", 5)
            expect(not window.run(f"return {enabled}"), "a change can be made in a closed session")
            banner = window.text("#banner")
            expect("The session is not followed any more" in banner and "It was closed." in banner, f"the banner says {banner!r}")
            window.run("document.querySelector('#notices').replaceChildren(); document.querySelector('.canvas').focus()")
            window.chord("\ue009", "5")
            window.wait(f"{SAID}.includes('was not done') && {SAID}.includes('not followed any more')", 5)
            window.click('[data-key="overview zoomIn:"]')
            expect(not window.run(f"return {enabled}"), "a command can be performed in a closed session")
            self.open_session("ended-other")
            self.show_session(window, "ended-other")
            window.wait("!document.querySelector('.banner')")
        finally:
            window.close()

    def check_names_of_items_from_data(self):
        """Items with the same title are told apart by their menus, for the eye and the ear."""
        with self.serving(["--application", "Config/control-room", "--session", "desk"]) as url:
            self.ask("POST", "commands/perform", {"session": "desk", "command": "goOnAir:", "confirmed": True}, url=url)
            window = self.new_window(url).open("desk")
            try:
                window.wait("document.querySelector('.overview .items button')")
                names = window.run("return [...document.querySelectorAll('.overview .items button')].map((one) => one.innerText)")
                twice = sorted({name for name in names if names.count(name) > 1})
                expect(not twice, f"several items are named {twice}")
                expect(any(name.endswith("› Camera 1") for name in names), f"the names are {names}")
                expect("Go Off Air…" in names or "Go on Air…" in names or any("›" not in name for name in names), "every name has its menu")
            finally:
                self.finish(window)

    def check_notices_of_refusals_end(self):
        """A notice of a refusal goes once the change is made, and none covers an open menu."""
        window = self.editing("refused-notice")
        window.run("document.querySelector('#notices').replaceChildren()")
        self.retype(window, '"zoom": 100', '"zoom": 175')
        self.patch("refused-notice", {"op": "add", "path": "/zoom", "value": 120})
        window.wait("document.querySelector('.result .warning')")
        window.click('[data-key="state apply"]')
        window.wait(f"{SAID}.includes('was not done')")
        try:
            self.shaped(window, 320, 480)
            window.menu("edit")
            covered = window.run("""const notices = document.querySelector('#notices')
              notices.style.pointerEvents = 'auto'
              const { left, right, top, bottom } = document.querySelector('.notice').getBoundingClientRect()
              const menu = document.querySelector('.popup').getBoundingClientRect()
              const x = (Math.max(left, menu.left) + Math.min(right, menu.right)) / 2
              const y = (Math.max(top, menu.top) + Math.min(bottom, menu.bottom)) / 2
              const isOver = y > menu.top && y < menu.bottom && y > top && y < bottom
              const found = document.elementFromPoint(x, y)
              notices.style.pointerEvents = ''
              return [isOver, Boolean(found?.closest('#notices'))]""")
            expect(covered == [True, False], f"over an open menu, and covering it: {covered}")
            window.keys(ESCAPE)
        finally:
            window.show("wide", False)
        window.click('[data-key="state discard"]')
        self.retype(window, '"zoom": 120', '"zoom": 175')
        window.click('[data-key="state apply"]')
        window.wait("document.querySelector('.result .hint')?.innerText.startsWith('Edit the state')")
        left = window.run(f"return {SAID}")
        expect(not left, f"after success it says {left!r}")

    def check_long_menus(self):
        """axe finds nothing in a menu that scrolls, and Tab leads out of it."""
        with self.serving(["--application", "Config/photo-app", "--session", "long"]) as url:
            for number in range(100):
                self.ask("PUT", f"commands/long{number}:", {"title": f"Command {number}", "action": f"long{number}:"}, url=url)
            menu = {"identifier": "long", "title": "Long", "children": [f"long{number}:" for number in range(100)]}
            self.ask("POST", "menus/edits", {"edits": [{"op": "insertChild", "atEndOfMenu": "root", "menu": menu}]}, url=url)
            window = self.new_window(url).open("long")
            try:
                window.menu("long")
                window.keys(ARROW["down"])
                window.wait(f"{ACTIVE}.dataset.command === 'long0:'")
                expect(window.run("const { scrollHeight, clientHeight } = document.querySelector('.popup'); return scrollHeight > clientHeight"), "the menu does not scroll")
                faults = window.axe()
                expect(not faults, "axe:\n" + "\n".join(faults))
                title = window.run("return document.querySelector('[data-key=\"bar long\"]')")
                expect(title, "the title is gone")
                window.keys(TAB)
                window.wait("!document.querySelector('.popup')")
                expect(window.run(f"return {ACTIVE}.closest('.toolbar') !== null"), "Tab leads elsewhere than to the tool bar: " + window.run(f"return {ACTIVE}.outerHTML.slice(0, 100)"))
            finally:
                self.finish(window)
