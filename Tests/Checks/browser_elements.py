"""The checks of the elements, which browser.py runs with its own: a page of another origin, whose policy is
strict and whose styles are hostile, uses a menud that requires tokens."""

import json
import os
import tempfile
import time

from browser_connection import ARROW
from browser_large import expect, handler
from browser_pages import Pages
from program import ROOT, Program

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "browser", "page")
ENTER, ESCAPE, F10, CONTROL = "\ue007", "\ue00c", "\ue03a", "\ue009"
BAR = "document.querySelector('menud-menu-bar')"
STARS = "document.querySelector('.toolbar [data-command=\"applyFiveStarRating:\"]')"
SAID = "document.querySelector('.notices')?.innerText ?? ''"


class Page(Pages):
    """The page's own server, which has the token."""

    def __init__(self):
        super().__init__(PAGE, b"MENUD")

    def body(self, name):
        if name == "token.json":
            return json.dumps({"menud": self.menud, "token": self.token}).encode()
        return super().body(name)

    def fields(self):
        return {"Content-Security-Policy": (
            f"default-src 'none'; script-src 'self' {self.menud}; style-src 'self'; img-src data:; "
            f"connect-src 'self' {self.menud}; base-uri 'none'; form-action 'none'; "
            "require-trusted-types-for 'script'; trusted-types 'none'")}


class ElementChecks:
    """Checks of a page with the elements alone."""

    def use_page(self, use):
        """Serves a menud with tokens and a page of another origin, and closes both."""
        page = Page()
        with tempfile.TemporaryDirectory() as folder:
            # A build for debugging takes more than a client's share for thousands of changes.
            settings = {
                "MENUD_AUTH_ADMINISTRATOR_TOKEN": self.token, "MENUD_CORS_ORIGINS": page.url,
                "MENUD_LIMITS_PROCESSOR_TIME": "0",
            }
            arguments = ["--application", "Config/photo-app", "--journal-path", f"{folder}/menud.db"]

            def begin(port=0):
                server = Program([*arguments, "--port", str(port)], environment=settings, program=self.options.program)
                return server, server.port()

            server, port = begin()
            page.menud = f"http://localhost:{port}"
            page.token = self.ask("POST", "sessions", {"id": "photos"}, self.token, f"{page.menud}/")["token"]
            windows = []

            def visit():
                window = self.new_window(f"{page.menud}/")
                windows.append(window)
                window.driver.get(f"{page.url}/index.html")
                window.wait("document.querySelector('[data-key=\"bar image\"]') && Boolean(globalThis.stop)", 20)
                return window

            try:
                server = use(page, visit, server, lambda: begin(port)[0]) or server
            finally:
                for window in windows:
                    window.close()
                server.stop()
                page.close()

    def session(self, page, path=""):
        return self.ask("GET", f"sessions/photos{path}", None, page.token, f"{page.menud}/")

    def eventually(self, what, holds, seconds=30):
        deadline = time.monotonic() + seconds
        while not holds():
            expect(time.monotonic() < deadline, f"never: {what}")
            time.sleep(0.05)

    def check_elements_on_another_origin(self):
        """Menus, tool bar, palette and buttons by keys and pointer; nothing that the policy forbids."""

        def use(page, visit, *_):
            window = visit()
            expect(window.run(f"return getComputedStyle({BAR}.shadowRoot.querySelector('.title button')).textTransform") == "none",
                   "the page's styles change the elements")
            expect(window.run(f"return getComputedStyle({BAR}.shadowRoot.querySelector('.title button')).letterSpacing") == "1px",
                   "a part cannot be styled")
            # The menu bar by keys alone; focus goes back to it.
            window.keys(F10, ARROW["right"], ARROW["right"], ARROW["right"], ARROW["down"])
            window.wait("document.activeElement.dataset.key === 'sub image rating'")
            color = window.run("return getComputedStyle(document.activeElement).backgroundColor")
            expect(color == "rgb(122, 31, 162)", f"the accent is {color}")
            window.keys(ARROW["right"], ARROW["down"], ENTER)
            self.eventually("a star", lambda: self.session(page)["state"]["photos"]["lake"]["rating"] == 1)
            window.wait("document.activeElement.dataset.key === 'bar image'")
            window.keys(ESCAPE)
            told = window.wait("globalThis.told.length >= 2 && globalThis.told")
            expect([one["type"] for one in told] == ["menud-perform", "menud-performed"], f"the page is told {told}")
            # A disabled item says why, and a page that chooses it hears it.
            window.menu("view")
            item = "document.querySelector('.popup [data-command=\"zoomIn:\"]')"
            words = window.run(f"return [{item}.getAttribute('aria-disabled'), {item}.getAttribute('aria-description'), {item}.getAttribute('aria-keyshortcuts')]")
            expect(words[:2] == ["true", "Open a photo first."] and words[2], f"the item says {words}")
            window.click('.popup [data-command="zoomIn:"]')
            window.wait(f"({SAID}).includes('Open a photo first.')")
            # The palette by keys.
            window.chord(CONTROL, "k")
            window.wait("document.querySelector('.palette [role=option]')")
            window.keys("five")
            window.wait("document.querySelector('.palette [aria-selected=true]')?.innerText.includes('★★★★★')")
            window.keys(ENTER)
            window.wait(f"{STARS}.getAttribute('aria-pressed') === 'true'")
            # A button, one with a text of its own, and a key of the page.
            button = "document.querySelector('menud-button[command=\"applyOneStarRating:\"]')"
            expect(window.run(f"return {button}.textContent") == "One star", "the button has another text")
            window.run(f"{button}.shadowRoot.querySelector('button').click()")
            window.wait(f"{STARS}.getAttribute('aria-pressed') === 'false'")
            window.run("document.querySelector('#main').focus(); document.activeElement.blur?.()")
            window.chord(CONTROL, "5")
            window.wait(f"{STARS}.getAttribute('aria-pressed') === 'true'")
            # The keys.
            window.keys("?")
            window.wait("document.querySelector('.keysheet')?.innerText.includes('★★★★★')")
            window.keys(ESCAPE)
            window.wait("!document.querySelector('.keysheet')")
            # The context menu of a part of the page.
            from selenium.webdriver.common.action_chains import ActionChains

            place = window.run("return document.querySelector('[data-responder=photoGrid]')")
            ActionChains(window.driver).context_click(place).perform()
            window.wait("document.querySelector('.context .popup') && document.activeElement.closest('.popup')")
            window.keys(ESCAPE)
            window.wait("!document.querySelector('.context .popup')")
            # What it shows is what it does: the search begins where the click was, and not at the first responder.
            self.ask("PUT", "sessions/photos/first-responder", {"responder": "viewer"}, page.token, f"{page.menud}/")
            window.run("globalThis.requests.length = 0")
            ActionChains(window.driver).context_click(place).perform()
            window.wait("document.querySelector('.context .popup') && document.activeElement.closest('.popup')")
            window.click('[data-key="sub context edit"]')
            window.click('.context [data-command="copy:"][aria-disabled=false]')
            asked = window.wait("globalThis.requests.find(({ path }) => path.endsWith('commands/perform'))")
            expect(json.loads(asked["body"]).get("from") == "photoGrid", f"it performs {asked}")
            # A text field copies and pastes for itself.
            window.run("globalThis.requests.length = 0; document.querySelector('#title').focus()")
            window.chord(CONTROL, "c")
            window.chord(CONTROL, "5")
            window.wait("globalThis.requests.some(({ path }) => path.endsWith('keys/press'))")
            pressed = [json.loads(one["body"])["key"] for one in window.run("return globalThis.requests") if one["path"].endswith("press")]
            expect([one["input"] for one in pressed] == ["5"], f"pressed are {pressed}")
            self.ask("PUT", "sessions/photos/first-responder", {"responder": "photoGrid"}, page.token, f"{page.menud}/")
            self.confirm_in(window, page)
            self.ask_in(window, page)
            attributes = window.run("return document.documentElement.outerHTML")
            expect(page.token not in attributes, "the token is in the page")
            # The question is an answer 409, which the browser tells of.
            messages = [message for message in window.messages() if "409" not in message]
            expect(not messages, "the browser's console says:\n" + "\n".join(messages))

        self.use_page(use)

    def confirm_in(self, window, page):
        """A command that needs a confirmation asks, and is performed after a yes."""
        rule = {"validate": {"confirmation": {"title": "'Turn it?'", "button": "'Turn'"}},
                "perform": [{"op": "add", "path": "/turned", "value": "true"}]}
        self.ask("PUT", handler("photos", "photoGrid", "rotateLeft:"), rule, self.token, f"{page.menud}/")
        window.click('.toolbar [data-command="rotateLeft:"]')
        window.wait("document.querySelector('dialog[open] h2')?.innerText === 'Turn it?'")
        faults = window.axe()
        expect(not faults, f"axe on a question: {faults}")
        window.click("dialog[open] button.primary")
        self.eventually("it is turned", lambda: "turned" in self.session(page)["state"])

    def ask_in(self, window, page):
        """A command that needs parameters asks for them: from a button in a dialog, from the palette in the palette."""
        schema = {"type": "object", "properties": {"width": {"type": "integer"}}, "required": ["width"]}
        menud = f"{page.menud}/"
        self.ask("PUT", "commands/enlarge:", {"title": "Enlarge", "action": "enlarge:", "parameters": schema}, self.token, menud)
        rule = {"perform": [{"op": "add", "path": "/size", "value": "parameters"}]}
        self.ask("PUT", handler("photos", "photoGrid", "enlarge:"), rule, self.token, menud)
        window.run("document.querySelector('menud-button').setAttribute('command', 'enlarge:')")
        button = "document.querySelector('menud-button').shadowRoot.querySelector('button')"
        window.wait(f"{button}.getAttribute('aria-disabled') === 'false'")
        for width, opens in [(7, f"{button}.click()"), (8, "document.querySelector('menud-palette').open()")]:
            window.run(opens)
            if width == 8:
                window.wait("document.querySelector('.palette [role=option]')")
                window.keys("enlarge")
                window.wait("document.querySelector('.palette [aria-selected=true]')?.innerText.includes('Enlarge')")
                window.keys(ENTER)
            window.wait("document.activeElement.id === 'parameter-width'")
            faults = window.axe()
            expect(not faults, f"axe on a form: {faults}")
            window.keys(str(width), ENTER)
            self.eventually("it is enlarged", lambda: self.session(page)["state"].get("size") == {"width": width})
            window.wait("!document.querySelector('dialog[open]')")

    def check_elements_are_accessible(self):
        """axe finds nothing: light and dark, wide and narrow, from left and right, with a menu and the palette open."""

        def use(page, visit, *_):
            window = visit()
            faults = set()
            for size in ["wide", "small"]:
                for dark in [False, True]:
                    for way in ["ltr", "rtl"]:
                        window.show(size, dark)
                        window.run("document.documentElement.dir = arguments[0]", way)
                        name = f"{size}, {'dark' if dark else 'light'}, {way}"
                        faults |= {f"{name}: {fault}" for fault in window.axe()}
                        window.menu("image", "rating")
                        window.wait("document.querySelector('.popup .popup')")
                        faults |= {f"{name}, menu: {fault}" for fault in window.axe()}
                        cut = window.run("""return [...document.querySelectorAll('.popup')].map((popup) => popup.getBoundingClientRect())
                          .filter(({ left, right }) => left < 0 || right > innerWidth).length""")
                        expect(not cut, f"{name}: {cut} menus are cut")
                        self.picture(window, f"elements-{size}-{'dark' if dark else 'light'}-{way}")
                        window.keys(ESCAPE)
                        window.run("document.querySelector('menud-palette').open()")
                        window.wait("document.querySelector('.palette [role=option]')")
                        faults |= {f"{name}, palette: {fault}" for fault in window.axe()}
                        window.keys(ESCAPE)
                        window.wait("!document.querySelector('.palette')")
            expect(not faults, "\n".join(sorted(faults)))
            # From right to left the arrow keys lead the other way.
            window.show("wide", False)
            window.keys(F10, ARROW["left"])
            window.wait("document.activeElement.dataset.key === 'bar file'")
            window.keys(ARROW["right"])
            window.wait("document.activeElement.dataset.key === 'bar app'")

        self.use_page(use)

    def check_elements_in_two_windows(self):
        """What one window does, the other one shows, also while its menu is open."""

        def use(page, visit, *_):
            one, other = visit(), visit()
            other.menu("image", "rating")
            one.click('.toolbar [data-command="applyFiveStarRating:"]')
            mark = "document.querySelector('.popup [data-command=\"applyFiveStarRating:\"]')?.getAttribute('aria-checked') === 'true'"
            other.wait(mark)
            other.wait(f"{STARS}.getAttribute('aria-pressed') === 'true'")
            # Focus in one window is that of the session; the other window keeps its own.
            one.run("document.querySelector('[data-responder=viewer]').focus()")
            zoom = "document.querySelector('menud-button[command=\"zoomIn:\"]').shadowRoot.querySelector('button').getAttribute('aria-disabled')"
            other.wait(f"{zoom} === 'false'")
            expect(other.run("return document.activeElement.dataset.responder ?? ''") != "viewer", "focus moves in the other window")

        self.use_page(use)

    def check_elements_without_a_server(self):
        """While menud is gone the menus say so, and they come back with it."""

        def use(page, visit, server, again):
            window = visit()
            window.menu("image")
            server.stop()
            window.wait(f"{BAR}.shadowRoot.querySelector('.hindrance')?.innerText === 'The server is not reached.'", 20)
            states = window.run("""return [...document.querySelectorAll('.popup [role^=menuitem]:not([aria-haspopup]), .toolbar button, button.single')]
              .map((one) => one.getAttribute('aria-disabled'))""")
            expect(states and set(states) == {"true"}, f"disabled are {states}")
            faults = window.axe()
            expect(not faults, "\n".join(faults))
            window.keys(ESCAPE)
            window.click('.toolbar [data-command="applyFiveStarRating:"]')
            window.wait(f"({SAID}).includes('Nothing was sent.')")
            server = again()
            window.wait(f"!{BAR}.shadowRoot.querySelector('.hindrance').innerText", 40)
            window.click('.toolbar [data-command="applyFiveStarRating:"]')
            window.wait(f"{STARS}.getAttribute('aria-pressed') === 'true'")
            return server

        self.use_page(use)

    def check_elements_with_a_wrong_token(self):
        """Who is refused reads why."""

        def use(page, visit, *_):
            window = visit()
            window.run("document.querySelector('menud-session').token = 'a-token-that-is-not-known'")
            window.wait("document.querySelector('.menubar.empty')?.innerText.length > 20")
            said = window.text(".menubar.empty")
            expect("token" in said, f"it says {said!r}")

        self.use_page(use)

    def check_elements_of_a_framework(self):
        """Properties that are set before the elements are defined, elements that move, and a session of the page's own."""

        def use(page, visit, *_):
            window = self.new_window(f"{page.menud}/")
            try:
                window.driver.get(f"{page.url}/token.json")
                failed = window.driver.execute_async_script("""const [token, done] = arguments
                  ;(async () => {
                    const { menud } = await (await fetch('token.json')).json()
                    const { Client } = await import(`${menud}/client/menud.js`)
                    const session = new Client(menud, { token }).session('photos')
                    const [provider, bar, button] = ['menud-session', 'menud-menu-bar', 'menud-button'].map((name) => document.createElement(name))
                    provider.session = session
                    button.session = session
                    button.setAttribute('command', 'applyFiveStarRating:')
                    provider.append(bar)
                    document.body.append(provider, button)
                    await import(`${menud}/client/menud-elements.js`)
                    Object.assign(globalThis, { provider, bar, session })
                  })().then(() => done(), (error) => done(String(error.stack)))""", page.token)
                expect(not failed, failed)
                shows = "document.querySelector('[data-key=\"bar image\"]')"
                window.wait(shows)
                window.wait("document.querySelector('button.single')?.getAttribute('aria-disabled') === 'false'")
                mirror = "provider.mirror && bar.mirror === provider.mirror && document.querySelector('menud-button').mirror === bar.mirror"
                expect(window.run(f"return {mirror}"), "the elements of one session have several mirrors")
                # Moved, it is what it was; without a session around it, it says so; named, it has it again.
                window.run("globalThis.before = bar.mirror; document.body.prepend(provider)")
                window.wait(f"{shows} && bar.mirror === globalThis.before")
                window.run("document.body.append(bar)")
                window.wait("bar.shadowRoot.querySelector('.menubar.empty')?.innerText === 'No session'")
                window.run("provider.id = 'desk'; bar.setAttribute('for', 'desk')")
                window.wait(shows)
                # What nobody shows is not followed.
                window.run("for (const element of [provider, bar, document.querySelector('menud-button')]) element.remove()")
                window.wait("globalThis.before.isClosed")
            finally:
                window.close()

        self.use_page(use)

    def check_getting_started(self):
        """The page that docs/getting-started.md ends in, in two windows."""
        lines = "Array.from(document.querySelectorAll('ol li'), (line) => line.textContent).join()"
        bar = f"{BAR}.shadowRoot.querySelector('[data-key=\"bar edit\"]')"

        pages = Pages(os.path.join(ROOT, "Config", "text-editor"), b"http://localhost:8080")
        arguments = ["--application", "Config/text-editor", "--session", "demo", "--journal-store", "memory"]
        windows = []
        try:
            with self.serving(arguments, {"MENUD_CORS_ORIGINS": pages.url}) as menud:
                pages.menud = menud.rstrip("/")
                for _ in range(2):
                    window = self.new_window(menud)
                    windows.append(window)
                    window.driver.get(pages.url)
                    window.wait(f"{bar} && document.querySelector('ol li')")
                one, other = windows
                faults = one.axe()
                expect(not faults, "\n".join(faults))
                # Keys move in the text and cut a line; both windows show it, also in an open menu.
                other.menu("edit")
                one.click("ol")
                one.keys(ARROW["down"])
                one.wait("document.querySelector('mark').textContent === 'Violets are blue'")
                one.chord(CONTROL, "x")
                for window in windows:
                    window.wait(f"{lines} === 'Roses are red'")
                paste = "document.querySelector('.popup [data-command=\"paste:\"]').innerText"
                other.wait(f"{paste}.includes('Paste “Violets are blue”')")
                other.keys(ESCAPE)
                # The palette performs in the other window; typing there is one group of undo.
                other.chord(CONTROL, "k")
                other.wait("document.querySelector('.palette [role=option]')")
                other.keys("paste")
                other.wait("document.querySelector('.palette [aria-selected=true]')?.innerText.includes('Paste')")
                other.keys(ENTER)
                one.wait(f"{lines} === 'Roses are red,Violets are blue'")
                other.click("input")
                other.keys("\ue010!", ENTER)  # at the end
                one.wait(f"{lines} === 'Roses are red,Violets are blue!'")
                one.menu("edit")
                one.wait("document.querySelector('.popup [data-command=\"undo:\"]').innerText.includes('Undo Typing')")
                one.click('.popup [data-command="undo:"]')
                other.wait(f"{lines} === 'Roses are red,Violets are blue'")
                messages = [message for window in windows for message in window.messages()]
                expect(not messages, "the browser's console says:\n" + "\n".join(messages))
        finally:
            for window in windows:
                window.close()
            pages.close()
