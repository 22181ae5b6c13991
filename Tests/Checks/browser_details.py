"""Further checks of the elements, which browser.py runs with its own: input methods, late answers, commands that leave the
menu, and menus at the edges of the window."""

from browser_connection import ARROW
from browser_elements import CONTROL, ENTER, ESCAPE, F10
from browser_large import expect, handler
from browser_tracking import TrackingChecks

TAB = "\ue004"

BUTTON = "document.querySelector('menud-button').shadowRoot.querySelector('button')"
COMPOSING = "{ key: 'Enter', isComposing: true, bubbles: true, composed: true, cancelable: true }"

# Runs a script with the modules of the page's menud.
WITH_MODULES = """const [url, done] = arguments
  Promise.all(['menud.js', 'menud-elements.js'].map((name) => import(`${url}/client/${name}`)))
    .then(async ([menud, elements]) => { BODY }).then(() => done(), (error) => done(String(error.stack)))"""

ASK = """globalThis.outcome = undefined
  globalThis.sent = 0
  elements.askParameters({
    title: 'Rename', schema: { type: 'object', properties: { name: { type: 'string' } } },
    send: () => new Promise((resolve, reject) => { globalThis.sent += 1; Object.assign(globalThis, { resolve, reject }) }),
  }).then((answer) => { globalThis.outcome = ['resolved', answer] }, (error) => { globalThis.outcome = ['rejected', error.message] })
  globalThis.refuse = () => globalThis.reject(new menud.Problem(422, { detail: 'No such name.' }))"""

MANY = """const provider = document.querySelector('menud-session')
  const children = Array.from({ length: 24 }, (_, index) => ({
    command: `c${index}`, title: `Command ${index}`, state: 'off', enabled: true, attributes: [], target: 'photoGrid', reason: 'enabled',
  }))
  provider.session.menu = async () => ({ menu: { identifier: 'many', title: '', options: [], enabled: true, children } })"""

BOX = "const { top, bottom, left, right } = document.querySelector('.context .popup').getBoundingClientRect(); return [top, bottom, left, right]"


class DetailChecks(TrackingChecks):
    """Checks of the elements where people, servers and windows are out of the ordinary."""

    def with_modules(self, page, window, body):
        failed = window.driver.execute_async_script(WITH_MODULES.replace("BODY", body), page.menud)
        expect(not failed, failed)

    def check_elements_while_text_is_composed(self):
        """Enter that ends the composition of a text performs no command and sends no form."""

        def use(page, visit, *_):
            window = visit()
            before = self.session(page)["revision"]
            window.run("document.querySelector('menud-palette').open()")
            window.wait("document.querySelector('.palette [role=option]')")
            window.run(f"document.querySelector('.palette input').dispatchEvent(new KeyboardEvent('keydown', {COMPOSING}))")
            self.with_modules(page, window, ASK)
            window.wait("document.querySelector('#parameter-name')")
            window.run(f"document.querySelector('#parameter-name').dispatchEvent(new KeyboardEvent('keydown', {COMPOSING}))")
            expect(window.run("return globalThis.sent") == 0, "a form is sent")
            expect(window.run("return Boolean(document.querySelector('dialog.palette[open]'))"), "the palette is closed")
            expect(self.session(page)["revision"] == before, "a command is performed")

        self.use_page(use)

    def check_elements_with_a_late_refusal(self):
        """What is refused once its form is closed is told all the same; so is what is done."""

        def use(page, visit, *_):
            window = visit()
            for answer, outcome in [("refuse()", ["rejected", "No such name."]), ("resolve('done')", ["resolved", "done"]), ("resolve()", ["resolved", None])]:
                self.with_modules(page, window, ASK)
                window.wait("document.activeElement.id === 'parameter-name'")
                window.keys(ENTER)
                window.wait("globalThis.sent === 1")
                window.keys(ESCAPE)
                window.wait("!document.querySelector('dialog[open]')")
                window.run(f"globalThis.{answer}")
                told = window.wait("globalThis.outcome")
                expect(told == outcome, f"it {told}, not {outcome}")

        self.use_page(use)

    def check_elements_of_commands_outside_of_the_menu(self):
        """A button stays what it is when its command leaves the menu, and when it comes back."""

        def use(page, visit, *_):
            window = visit()
            window.run("document.querySelector('menud-button').setAttribute('command', 'rotateLeft:')")
            window.wait(f"{BUTTON}.innerText === 'Rotate Left' && {BUTTON}.getAttribute('aria-disabled') === 'false'")
            edit = {"edits": [{"op": "remove", "menu": "image"}]}
            self.ask("POST", "menus/edits", edit, self.token, f"{page.menud}/")
            window.wait("!document.querySelector('[data-key=\"bar image\"]')")
            shows = f"""{BUTTON}.innerText === 'Rotate Left' && {BUTTON}.getAttribute('aria-disabled') === 'false'
              && document.querySelector('.toolbar [data-command="rotateLeft:"]')"""
            window.wait(shows)
            # It follows the session as in the menu.
            self.ask("PUT", "sessions/photos/first-responder", {"responder": None}, page.token, f"{page.menud}/")
            window.wait(f"{BUTTON}.getAttribute('aria-disabled') === 'true'")
            self.ask("PUT", "sessions/photos/first-responder", {"responder": "photoGrid"}, page.token, f"{page.menud}/")
            window.wait(shows)

        self.use_page(use)

    def check_elements_of_menus_with_hidden_items(self):
        """M6: hidden items leave no separators, and a menu with nothing else is disabled; commands of the root have a title."""

        def use(page, visit, *_):
            menud = f"{page.menud}/"
            self.ask("PUT", "commands/ghost:", {"title": "Ghost", "action": "ghost:", "attributes": ["hidden"]}, self.token, menud)
            hidden = {"options": ["displayInline"], "children": ["ghost:"]}
            shown = {"identifier": "shown", "options": ["displayInline"], "children": ["ghost:", "rotateRight:"]}
            menus = {
                "file": [{"identifier": "first", **hidden}, "ghost:", "copy:", {"identifier": "middle", **hidden}, "rotateLeft:", shown,
                         {"identifier": "last", **hidden}],
                "view": ["ghost:", {"identifier": "only", **hidden}],
                "edit": [{"identifier": "none", "title": "None", "children": ["ghost:"]}],
            }
            root = self.ask("GET", "menus", None, self.token, menud)["root"]["children"]
            edits = [{"op": "replaceChildren", "ofMenu": "root", "children": [
                *({**menu, "children": menus.get(menu["identifier"], menu["children"])} for menu in root), "ghost:", "copy:"]}]
            self.ask("POST", "menus/edits", {"edits": edits}, self.token, menud)
            window = visit()
            window.menu("file")
            parts = window.run("return [...document.querySelector('.popup').children].map((part) => part.dataset.command ?? part.localName)")
            expect(parts == ["copy:", "hr", "rotateLeft:", "hr", "rotateRight:"], f"the menu has {parts}")
            faults = window.axe()
            window.keys(ESCAPE)
            window.menu("view")
            parts = window.run("return [...document.querySelector('.popup').children].map((part) => part.innerText)")
            expect(parts == ["Nothing here"], f"a menu with hidden items has {parts}")
            faults += window.axe()
            window.keys(ESCAPE)
            window.menu("edit")
            off = window.run("return [...document.querySelectorAll('[data-key^=\"bar \"], [data-key^=\"sub \"]')]"
                             ".filter((title) => title.getAttribute('aria-disabled') === 'true').map((title) => title.dataset.key)")
            expect(off == ["sub edit none", "bar view"] or off == ["bar view", "sub edit none"], f"disabled are {off}")
            faults += window.axe()
            window.keys(ESCAPE)
            titles = window.run("return [...document.querySelectorAll('[data-key^=\"bar \"]')].map((title) => title.innerText)")
            expect(titles[-1] == "More", f"the titles are {titles}")
            window.click('[data-key="bar …"]')
            window.wait("document.querySelector('.popup [data-command=\"copy:\"]')")
            faults += window.axe()
            expect(not faults, "\n".join(faults))

        self.use_page(use)

    def check_elements_when_tab_leaves_a_menu(self):
        """Tab closes a menu, and leads on from where it was opened."""
        focus = "document.activeElement.dataset.key ?? document.activeElement.dataset.command"
        is_closed = "!document.querySelector('.popup')"

        def use(page, visit, *_):
            window = visit()
            for keys in [[ARROW["down"]], [ARROW["right"], ARROW["right"], ARROW["right"], ARROW["down"], ARROW["right"]]]:
                window.keys(F10, *keys)
                window.wait("document.activeElement.closest('.popup')")
                window.keys(TAB)
                window.wait(is_closed)
                expect(window.run(f"return {focus}") == "tool copy:", f"focus is at {window.run(f'return {focus}')}")
            # So does the title of an open menu.
            window.menu("image")
            window.keys(TAB)
            window.wait(is_closed)
            expect(window.run(f"return {focus}") == "tool copy:", f"focus is at {window.run(f'return {focus}')}")
            window.run("document.querySelector('[data-responder=photoGrid]').focus()")
            window.run("document.querySelector('menud-context-menu').openAt(40, 200)")
            window.wait("document.activeElement.closest('.context .popup')")
            window.keys(TAB)
            window.wait(is_closed)
            window.wait("document.activeElement.dataset.responder === 'viewer'")

        self.use_page(use)

    def check_elements_of_an_open_palette(self):
        """An open palette follows the session, keeps what is chosen, and says why a disabled command is not performed."""

        def use(page, visit, *_):
            window = visit()
            window.run("document.querySelector('menud-palette').open()")
            window.wait("document.querySelector('.palette [role=option]')")
            window.keys("rotate")
            window.wait("document.querySelectorAll('.palette [role=option]').length === 2")
            window.keys(ARROW["down"])
            title = window.run("return document.querySelector('.palette [aria-selected=true] .name').innerText")
            for responder, disabled in [(None, "true"), ("photoGrid", "false"), (None, "true")]:
                self.ask("PUT", "sessions/photos/first-responder", {"responder": responder}, page.token, f"{page.menud}/")
                window.wait(f"document.querySelector('.palette [aria-selected=true]').getAttribute('aria-disabled') === '{disabled}'")
                now = window.run("return document.querySelector('.palette [aria-selected=true] .name').innerText")
                expect(now.startswith(title.split("\n")[0]), f"chosen is {now}, not {title}")
            window.keys(ENTER)
            window.wait("document.querySelector('.notices')?.innerText.includes('was not done')")
            # It is read: outside of the dialog, which is modal, nothing is.
            nodes = window.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
            read = [node["name"]["value"] for node in nodes if not node["ignored"] and node.get("name", {}).get("value")]
            expect(any("was not done" in one for one in read), f"read are {read}")
            faults = window.axe()
            expect(not faults, "\n".join(faults))
            # It stays once the palette is closed.
            window.keys(ESCAPE)
            window.wait("!document.querySelector('dialog') && document.querySelector('.notices').innerText.includes('was not done')")
            # So it is in a dialog of the page.
            window.run("""const dialog = document.createElement('dialog')
              dialog.id = 'own'
              dialog.setAttribute('aria-label', 'Own')
              dialog.append(document.querySelector('menud-button[command="zoomIn:"]'))
              document.querySelector('menud-session').append(dialog)
              dialog.showModal()""")
            window.click("#own menud-button")
            window.wait("document.querySelector('#own menud-notices')")

        self.use_page(use)

    def check_elements_with_a_form_without_a_server(self):
        """A form that cannot be sent says so in its dialog, and can be sent once the server is back."""

        def use(page, visit, server, again):
            schema = {"type": "object", "properties": {"width": {"type": "integer"}}, "required": ["width"]}
            command = {"title": "Enlarge", "action": "enlarge:", "parameters": schema}
            self.ask("PUT", "commands/enlarge:", command, self.token, f"{page.menud}/")
            rule = {"perform": [{"op": "add", "path": "/size", "value": "parameters"}]}
            self.ask("PUT", handler("photos", "photoGrid", "enlarge:"), rule, self.token, f"{page.menud}/")
            window = visit()
            window.run("document.querySelector('menud-button').setAttribute('command', 'enlarge:')")
            window.wait(f"{BUTTON}.getAttribute('aria-disabled') === 'false'")
            window.run(f"{BUTTON}.click()")
            window.wait("document.activeElement.id === 'parameter-width'")
            window.keys("7")
            server.stop()
            hindrance = "document.querySelector('menud-menu-bar').shadowRoot.querySelector('.hindrance')?.innerText"
            window.wait(f"{hindrance} === 'The server is not reached.'", 20)
            window.keys(ENTER)
            window.wait("document.querySelector('dialog[open] menud-notices') && document.querySelector('.notices').innerText.includes('Nothing was sent.')")
            server = again()
            window.wait(f"!{hindrance}", 40)
            window.keys(ENTER)
            window.wait("!document.querySelector('dialog[open]')")
            self.eventually("it is enlarged", lambda: self.session(page)["state"].get("size") == {"width": 7})
            return server

        self.use_page(use)

    def check_elements_with_selected_text(self):
        """Text that is selected on the page is copied by the browser; without it the key is the session's."""

        def use(page, visit, *_):
            window = visit()
            window.run("""globalThis.copied = 0
              document.addEventListener('copy', () => { globalThis.copied += 1 })
              document.querySelector('[data-responder=photoGrid]').focus()
              getSelection().selectAllChildren(document.querySelector('h1'))
              globalThis.requests.length = 0""")
            presses = "globalThis.requests.filter(({ path }) => path.endsWith('keys/press')).length"
            window.chord(CONTROL, "c")
            window.wait("globalThis.copied === 1")
            expect(window.run(f"return {presses}") == 0, "the session copies too")
            # An element of menud has focus: the command is meant.
            window.run("document.querySelector('.toolbar [data-command=\"copy:\"]').focus()")
            window.chord(CONTROL, "c")
            window.wait(f"{presses} === 1")
            window.run("getSelection().removeAllRanges(); document.querySelector('[data-responder=photoGrid]').focus()")
            window.chord(CONTROL, "c")
            window.wait(f"{presses} === 2")
            expect(window.run("return globalThis.copied") == 1, "the browser copies too")

        self.use_page(use)

    def check_elements_with_tools_in_the_touch_bar(self):
        """A focused tool of the page leaves the touch bar its tab stop."""

        def use(page, visit, *_):
            window = visit()
            bar = {"kind": "view", "superview": "photoGrid", "touchBar": {"items": [{"command": "copy:"}, {"command": "rotateLeft:"}]}}
            mutations = [{"op": "putResponder", "responder": "strip", "value": bar}, {"op": "becomeFirstResponder", "responder": "strip"}]
            self.ask("POST", "sessions/photos/mutations", {"mutations": mutations}, page.token, f"{page.menud}/")
            window.run("""const bar = document.createElement('menud-touch-bar')
              const tool = Object.assign(document.createElement('button'), { slot: 'tools', id: 'tool', textContent: 'Tool' })
              bar.append(tool)
              document.querySelector('menud-session').append(bar)""")
            window.wait("document.querySelector('.touchbar button')")
            window.run("document.querySelector('#tool').focus()")
            stops = window.run("return [...document.querySelectorAll('.touchbar button')].filter(({ tabIndex }) => tabIndex === 0).length")
            expect(stops == 1, f"the touch bar has {stops} tab stops")

        self.use_page(use)

    def check_elements_at_the_edges_of_the_window(self):
        """A context menu is in the window wherever it opens, however low the window is."""

        def use(page, visit, *_):
            window = visit()
            self.with_modules(page, window, MANY)
            for height in [900, 300]:
                window.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 600, "height": height, "deviceScaleFactor": 1, "mobile": False})
                window.wait(f"innerHeight === {height}")
                for x, y in [(10, 10), (590, height - 5), (10, height - 5), (590, 10)]:
                    window.run(f"document.querySelector('menud-context-menu').openAt({x}, {y})")
                    window.wait("document.querySelector('.context .popup [data-command=c23]')")
                    top, bottom, left, right = window.run(BOX)
                    is_in = top >= 0 and bottom <= height and left >= 0 and right <= 600
                    expect(is_in, f"at {x}, {y} of 600, {height} the menu reaches from {left}, {top} to {right}, {bottom}")
                    # Where there is room it is where it was opened.
                    expect((x, y) != (10, 10) or (left, top) == (10, 10), f"it opens at {left}, {top}")
                    window.keys(ESCAPE)
                    window.wait("!document.querySelector('.context .popup')")

        self.use_page(use)

    def check_elements_in_other_words(self):
        """A page replaces every word of the palette, also where it counts."""

        def use(page, visit, *_):
            window = visit()
            self.with_modules(page, window, """Object.assign(elements.words, {
              escape: 'Abbr.', closes: 'schließt', performs: 'führt aus', found: (shown, total) => `${shown} von ${total} Befehlen`,
            })""")
            window.run("document.querySelector('menud-palette').open()")
            window.wait("document.querySelector('.palette [role=option]')")
            said = window.text(".palette .count"), window.text(".palette footer")
            expect(said[0].endswith(" Befehlen") and said[1].split() == ["↩", "führt", "aus", "Abbr.", "schließt"], f"the palette says {said}")
            window.keys(ESCAPE)

        self.use_page(use)
