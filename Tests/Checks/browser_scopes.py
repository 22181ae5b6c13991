"""The checks of the elements, which browser.py runs with its own: what they do in a window of their own, with many commands, with
several things open at once, and without a connection."""

import json
import time

from browser_connection import ARROW
from browser_elements import CONTROL, ENTER, ESCAPE, F10, SAID, ElementChecks
from browser_large import expect, handler

ACTIVE = "document.activeElement"
# Follows the session for the elements, with the part that a script names, and records what is performed.
FOLLOW = """const [part, done] = arguments
  const session = document.querySelector('menud-session')
  globalThis.targets = []
  session.addEventListener('menud-performed', ({ detail }) => globalThis.targets.push(detail.answer.target))
  session.session.follow({ document: true, menu: true, keys: true, ...part }).then((mirror) => { session.mirror = mirror; done() })"""


class ScopeChecks(ElementChecks):
    """Checks of the window that elements ask for, and of what is open when something else opens."""

    def open_second_window(self, page):
        """Opens a window that is not key, with focus of its own, whose view rates and takes a key."""
        admin = lambda method, path, body: self.ask(method, path, body, self.token, f"{page.menud}/")
        put = lambda path, body: admin("PUT", f"sessions/photos/{path}", body)
        admin("PUT", "commands/mark:", {"title": "Mark", "action": "mark:", "key": {"input": "8", "modifiers": ["command"]}})
        put("responders/second", {"kind": "window"})
        put("responders/grid2", {"kind": "view", "superview": "second"})
        for responder in ["photoGrid", "grid2"]:
            put(f"responders/{responder}/handlers/mark:", {"perform": []})
        put("first-responder", {"responder": "grid2", "window": "second"})
        put("first-responder", {"responder": "photoGrid"})

    def check_elements_in_a_window(self):
        """R11: menus, palette, keys and context menus ask for the window of their mirror, or begin where it does."""

        def use(page, visit, *_):
            self.open_second_window(page)
            for part in [{"window": "second"}, {"from": "grid2"}]:
                window = visit()
                window.driver.execute_async_script(FOLLOW, part)
                window.chord(CONTROL, "k")
                window.wait("document.querySelector('menud-palette').shadowRoot.querySelector('input')")
                window.keys("mark")
                window.wait("document.querySelector('.found li[aria-disabled=\"false\"] mark')?.innerText === 'Mark'")
                window.keys(ENTER)
                window.wait("globalThis.targets.length === 1")
                window.chord(CONTROL, "8")
                window.wait("globalThis.targets.length === 2")
                window.run("""const bar = document.createElement('menud-tool-bar')
                  bar.setAttribute('commands', 'mark:')
                  document.querySelector('menud-session').append(bar)""")
                window.click(".toolbar [data-command='mark:'][aria-disabled='false']")
                window.wait("globalThis.targets.length === 3")
                targets = window.run("return globalThis.targets")
                expect(targets == ["grid2"] * 3, f"with {part}, {targets} perform")

        self.use_page(use)

    def check_long_selections(self):
        """More commands than an address has room for: a tool bar has all of them, and a mirror is refused."""
        names = [f"commandWithARatherLongName{number:03}:" for number in range(400)]

        def use(page, visit, *_):
            for name in names:
                self.ask("PUT", f"commands/{name}", {"title": name, "action": name}, self.token, f"{page.menud}/")
            window = visit()
            window.run("""const bar = document.createElement('menud-tool-bar')
              bar.id = 'long'
              bar.commands = arguments[0]
              document.querySelector('menud-session').append(bar)""", names)
            window.wait("document.getElementById('long').shadowRoot.querySelectorAll('button').length === 400")
            status = window.driver.execute_async_script("""const [commands, done] = arguments
              globalThis.menudSession.follow({ commands }).then(() => done('followed'), (error) => done(error.status))""", 2 * names)
            expect(status == 414, f"it is answered {status}")

        self.use_page(use)

    def check_refused_selection(self):
        """Commands beside the menu that were refused once are followed later; others stay meanwhile."""

        def use(page, visit, *_):
            for name in ["early", "late"]:
                command = {"title": name.capitalize(), "action": f"{name}:"}
                self.ask("PUT", f"commands/{name}:", command, self.token, f"{page.menud}/")
            title = lambda name: f"document.getElementById('{name}').shadowRoot.querySelector('button').innerText"
            window = visit()
            window.run("""globalThis.addButton = (name) => {
                const button = document.createElement('menud-button')
                button.setAttribute('command', `${name}:`)
                button.id = name
                document.querySelector('menud-session').append(button)
              }
              addButton('early')""")
            window.wait(f"{title('early')} === 'Early'")
            window.run("""const { client } = globalThis.menudSession
              const { send } = client
              globalThis.refused = 0
              client.send = async (url, ...rest) => {
                if (globalThis.isOpen || !String(url).includes('late')) return send(url, ...rest)
                globalThis.refused += 1
                return new Response(JSON.stringify({ title: 'Forbidden' }), { status: 403 })
              }
              addButton('late')""")
            window.wait("globalThis.refused > 0")
            time.sleep(0.5)
            expect(window.run(f"return {title('early')}") == "Early", "a refusal takes another button's item away")
            window.run("globalThis.isOpen = true")
            time.sleep(5.2)
            self.ask("PUT", "sessions/photos/first-responder", {"responder": "viewer"}, page.token, f"{page.menud}/")
            window.wait(f"{title('late')} === 'Late'")

        self.use_page(use)

    def check_palette_over_a_menu(self):
        """The palette closes the menus, and gives focus back to where it was before them."""

        def use(page, visit, *_):
            window = visit()
            window.run("document.querySelector('[data-responder=photoGrid]').focus()")
            window.keys(F10, ARROW["down"])
            window.wait(f"{ACTIVE}.closest('.popup')")
            window.chord(CONTROL, "k")
            window.wait(f"{ACTIVE}.role === 'combobox'")
            expect(window.run("return !document.querySelector('.popup')"), "the menu is open behind the palette")
            window.keys(ESCAPE)
            window.wait(f"{ACTIVE}.dataset.responder === 'photoGrid'", 3)

        self.use_page(use)

    def check_keys_after_another_body(self):
        """A form that leaves the page with its body is no open dialog: the keys of the session work."""

        def use(page, visit, *_):
            self.ask("PUT", "commands/rename:", {
                "title": "Rename", "action": "rename:", "key": {"input": "9", "modifiers": ["command"]},
                "parameters": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
            }, self.token, f"{page.menud}/")
            self.ask("PUT", handler("photos", "photoGrid", "rename:"), {"perform": []}, page.token, f"{page.menud}/")
            window = visit()
            window.chord(CONTROL, "9")
            window.wait("document.querySelector('dialog[open] input')")
            window.run("""const session = document.querySelector('menud-session')
              const body = document.createElement('body')
              body.append(session)
              document.body.replaceWith(body)""")
            window.wait("!document.querySelector('dialog[open]') && document.querySelector('[data-key=\"bar image\"]')")
            window.chord(CONTROL, "9")
            window.wait("document.querySelector('dialog[open] input')", 5)

        self.use_page(use)

    def check_palette_without_a_server(self):
        """What was found cannot be performed without a connection, and is not performed once there is one."""

        def use(page, visit, server, begin):
            self.open_second_window(page)
            window = visit()
            window.chord(CONTROL, "k")
            window.wait("document.querySelector('.found li')")
            window.keys("mark")
            window.wait("document.querySelector('.found li[aria-selected=\"true\"][aria-disabled=\"false\"] mark')")
            revision = self.session(page)["revision"]
            server.stop()
            window.wait("document.querySelector('.found li[aria-selected=\"true\"]')?.getAttribute('aria-disabled') === 'true'")
            window.keys(ENTER)
            window.wait(f"({SAID}).includes('is not reached')")
            server = begin()
            window.wait("document.querySelector('.found li[aria-disabled=\"false\"]')")
            time.sleep(1)
            expect(self.session(page)["revision"] == revision, "it is performed once the server is back")
            return server

        self.use_page(use)
