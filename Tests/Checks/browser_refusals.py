"""The checks of refusals, which browser.py runs with its own: a page of another origin reads each of them and may say it in its
own place; and of elements in shadow trees, other documents and long menus."""

import time

from browser_connection import ARROW
from browser_details import BUTTON
from browser_elements import BAR, SAID
from browser_focus import ACTIVE, FocusChecks
from browser_large import expect, handler

TYPE_TWICE = """for (let count = 0; count < 2; count += 1) document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {
    key: 'o', code: 'KeyO', bubbles: true, composed: true, cancelable: true,
  }))"""
REFUSED = "globalThis.told.filter(({ type }) => type === 'menud-refused')"

# A context menu that is the child of a shadow root, and what is in it beside the menu.
OWN_TREE = """const own = document.createElement('div')
  own.attachShadow({ mode: 'open' }).append(document.createElement('menud-context-menu'), document.createElement('p'))
  own.shadowRoot.lastChild.dataset.responder = 'viewer'
  document.querySelector('menud-session').append(own)
  globalThis.own = own.shadowRoot"""


class RefusalChecks(FocusChecks):
    """Checks of refusals, and of elements in other places."""

    def check_elements_with_too_large_a_change(self):
        """A page of another origin reads that its change is too large, and sends it once."""

        def use(page, visit, *_):
            window = visit()
            self.with_modules(page, window, """await globalThis.menudSession.patch({ text: 'x'.repeat(40e6) })
              .catch((error) => { globalThis.failed = [error.name, error.status] })""")
            failed = window.run("return globalThis.failed")
            expect(failed == ["Problem", 413], f"it failed with {failed}")

        self.use_page(use)

    def check_elements_with_a_key_that_is_refused_meanwhile(self):
        """W3: a key whose command is disabled meanwhile is refused with the reason, and the page is told."""

        def use(page, visit, *_):
            window = visit()
            patch = {"mutations": [{"op": "patchState", "patch": [{"op": "add", "path": "/can", "value": True}]}]}
            self.manage(page, "sessions/photos/mutations", patch, "POST")
            rule = {"validate": {"requires": [{"if": "state.can", "else": "Only once."}]},
                    "perform": [{"op": "replace", "path": "/can", "value": "false"}]}
            self.manage(page, handler("photos", "photoGrid", "once:"), rule)
            keys = {"keyCommands": [{"input": "o", "action": "once:"}]}
            self.manage(page, "sessions/photos/responders/photoGrid/key-commands", keys)
            window.wait("document.querySelector('menud-session').mirror.keys.some(({ action }) => action === 'once:')")
            window.run("document.querySelector('[data-responder=photoGrid]').focus()")
            window.run(TYPE_TWICE)
            window.wait(f"({SAID}).includes('Only once.')", 5)
            told = window.run(f"return {REFUSED}")
            expect(len(told) == 1 and told[0]["title"].startswith("The key O"), f"the page is told {told}")
            expect(self.session(page)["state"]["can"] is False, "the first key does nothing")

        self.use_page(use)

    def check_elements_that_say_nothing_without_a_server(self):
        """A choice that cannot be sent is told to the page, which may say it itself."""

        def use(page, visit, server, _):
            window = visit()
            server.stop()
            window.wait(f"{BAR}.shadowRoot.querySelector('.hindrance')?.innerText === 'The server is not reached.'", 20)
            window.run("""document.addEventListener('menud-refused', (event) => {
              globalThis.problem = event.detail.problem.name
              event.preventDefault()
            })""")
            window.click('.toolbar [data-command="applyFiveStarRating:"]')
            told = window.wait(f"{REFUSED}[0]")
            expect(told["command"] == "applyFiveStarRating:" and "was not done" in told["title"], f"the page is told {told}")
            expect(window.run("return globalThis.problem") == "Unreached", "the problem is another one")
            expect(window.run(f"return {SAID}") == "", "it is said all the same")

        self.use_page(use)

    def check_elements_with_other_images(self):
        """Images come, change and go with the attribute."""

        def use(page, visit, *_):
            window = visit()
            self.manage(page, "commands/pictured:", {"title": "Pictured", "action": "pictured:", "image": "turn"})
            window.run("document.querySelector('menud-button').setAttribute('command', 'pictured:')")
            window.wait(f"{BUTTON}.innerText === 'Pictured'")
            image = f"{BUTTON}.querySelector('img')?.getAttribute('src')"
            for name in ["one", "two"]:
                window.run("document.querySelector('menud-session').setAttribute('images', `data:,${arguments[0]}-{name}`)", name)
                window.wait(f"{image} === 'data:,{name}-turn'", 5)
            window.run("document.querySelector('menud-session').removeAttribute('images')")
            window.wait(f"{BUTTON}.innerText === 'Pictured' && !{image}", 5)

        self.use_page(use)

    def check_elements_in_other_places(self):
        """A context menu is that of its shadow tree, and an element keeps its style in another document."""

        def use(page, visit, *_):
            window = visit()
            window.run(OWN_TREE)
            window.wait("globalThis.own.firstChild.view?.menu")
            window.run("""globalThis.requests.length = 0
              globalThis.own.lastChild.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, composed: true, cancelable: true, clientX: 40, clientY: 40 }))""")
            window.wait("globalThis.own.firstChild.shadowRoot.querySelector('.popup [role^=menuitem]')", 5)
            asked = window.run("return globalThis.requests.map(({ path }) => path).filter((path) => path.includes('menu?'))")
            expect("from=viewer" in asked[0], f"asked is {asked}")
            window.run("""globalThis.frame = document.createElement('iframe')
              document.body.append(globalThis.frame)
              globalThis.moved = document.querySelector('menud-button')
              globalThis.frame.contentDocument.body.append(globalThis.moved)""")
            sheets = "globalThis.moved.shadowRoot.adoptedStyleSheets.length"
            expect(window.run(f"return {sheets}") == 1, "the element has no style in another document")
            window.run("document.querySelector('#main').append(globalThis.moved)")
            expect(window.run(f"return {sheets}") == 1, "the element has no style any more")
            expect(window.run(f"return getComputedStyle({BUTTON}).textTransform") == "none", "the button has no style")

        self.use_page(use)

    def check_elements_of_a_long_menu(self):
        """Focus of an item that vanishes from a menu that scrolls goes to its neighbour."""

        def use(page, visit, *_):
            window = visit()
            names = [f"long{number}:" for number in range(60)]
            for name in names:
                self.manage(page, f"commands/{name}", {"title": name, "action": name})
            menu = {"identifier": "long", "title": "Long", "children": names}
            self.manage(page, "menus/edits", {"edits": [{"op": "insertChild", "atEndOfMenu": "root", "menu": menu}]}, "POST")
            window.menu("long")
            window.keys(ARROW["down"], ARROW["down"], ARROW["down"])
            window.wait(f"{ACTIVE}.dataset.command === 'long2:'")
            edit = {"op": "replaceChildren", "ofMenu": "long", "children": [name for name in names if name != "long2:"]}
            self.manage(page, "menus/edits", {"edits": [edit]}, "POST")
            window.wait("!document.querySelector('.popup [data-command=\"long2:\"]')")
            time.sleep(0.1)
            focus = window.run(f"return {ACTIVE}.dataset.command ?? {ACTIVE}.className")
            expect(focus == "long3:", f"focus is at {focus}")
            window.keys(ARROW["down"])
            expect(window.run(f"return {ACTIVE}.dataset.command") == "long4:", "the arrow leads elsewhere")

        self.use_page(use)
