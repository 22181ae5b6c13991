"""The checks of tracking, which browser.py runs with its own: a page tells the session of its parts and of its focus, also with
other windows, without an answer, and with parts that are refused."""

import json
import time

from browser_connection import ARROW
from browser_elements import ESCAPE, F10
from browser_large import expect
from browser_scopes import ScopeChecks

# Parts of the page, each with its name and its class, and the element that they are in.
ADD = """for (const [name, of] of Object.entries(arguments[0])) {
    const part = Object.assign(document.createElement('div'), { tabIndex: 0, id: name })
    part.dataset.responder = name
    part.dataset.class = of
    document.querySelector(arguments[1]).append(part)
  }"""
FOLLOW = """const done = arguments[0]
  globalThis.stop()
  import(new URL('client/menud.js', globalThis.menudSession.client.url)).then(({ track }) => {
    const { mirror } = document.querySelector('menud-session')
    globalThis.stop = track(document.querySelector('#main'), globalThis.menudSession, { mirror, onError: (error) => globalThis.errors.push(error.message) })
  }).then(() => done(), (error) => done(String(error.stack)))"""
FOCUS = "document.querySelector('#{}').focus()"


class TrackingChecks(ScopeChecks):
    """Checks of `track`."""

    def check_tracking(self):
        """Responders come and go with their elements, and focus is told, each in one request."""

        def use(page, visit, *_):
            window = visit()
            window.run("document.querySelector('[data-responder=viewer]').focus()")
            self.eventually("focus", lambda: self.session(page)["firstResponder"] == "viewer")
            window.run("""globalThis.requests.length = 0
              const list = Object.assign(document.createElement('ul'), { tabIndex: 0 })
              list.dataset.responder = 'list'
              list.dataset.class = 'PhotoGrid'
              const row = Object.assign(document.createElement('li'), { tabIndex: 0 })
              row.dataset.responder = 'row'
              row.dataset.class = 'UIView'
              list.append(row)
              document.querySelector('#main').append(list)
              row.focus()""")
            self.eventually("the row has focus", lambda: self.session(page)["firstResponder"] == "row")
            mutations = self.mutations(window)
            expect([[one["op"] for one in body] for body in mutations]
                   == [["putResponder", "putResponder", "becomeFirstResponder"]], f"the requests are {mutations}")
            responders = self.session(page)["responders"]
            expect(responders["row"]["superview"] == "list" and responders["row"]["class"] == "UIView", f"the row is {responders['row']}")
            chain = [one["responder"] for one in self.session(page, "/chain")["chain"]]
            expect(chain[:3] == ["row", "list", "window"], f"the chain is {chain}")
            # Menus take no focus away.
            window.keys(F10, ARROW["down"], ESCAPE)
            time.sleep(0.3)
            expect(self.session(page)["firstResponder"] == "row", "a menu is a responder")
            # A row that is drawn anew changes nothing; a key comes after the focus before it.
            window.run("globalThis.requests.length = 0; const row = document.querySelector('li[data-responder]'); row.replaceWith(row.cloneNode(true))")
            time.sleep(0.3)
            expect(not self.mutations(window), "drawing anew is a change")
            window.run("""globalThis.requests.length = 0
              document.querySelector('[data-responder=viewer]').focus()
              document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '5', code: 'Digit5', ctrlKey: true, bubbles: true, composed: true, cancelable: true }))""")
            paths = window.wait("globalThis.requests.length >= 2 && globalThis.requests.map(({ path }) => path.split('/').pop())")
            expect(paths[:2] == ["mutations", "press"], f"the requests are {paths}")
            # Focus that is refused leaves the rest.
            window.run("""globalThis.errors.length = 0
              const list = document.querySelector('ul[data-responder]')
              const stranger = Object.assign(document.createElement('p'), { tabIndex: 0 })
              stranger.dataset.responder = 'nobody'
              list.remove()
              document.querySelector('#main').append(stranger)
              stranger.focus()""")
            window.wait("globalThis.errors.length === 1")
            self.eventually("the list is gone", lambda: not {"list", "row"} & set(self.session(page)["responders"]))
            window.run("""const part = document.createElement('div')
              part.dataset.responder = 'part'
              part.dataset.class = 'PhotoGrid'
              document.querySelector('#main').append(part)""")
            self.eventually("the part is there", lambda: "part" in self.session(page)["responders"])
            window.run("globalThis.stop()")
            self.eventually("the part is gone", lambda: "part" not in self.session(page)["responders"])

        self.use_page(use)

    def check_tracking_in_windows(self):
        """R11: a page may have a window of its own, whose focus is not the session's; or follow the focus of others."""
        track = """globalThis.stop()
          const { menud } = await (await fetch('token.json')).json()
          const { track } = await import(`${menud}/client/menud.js`)
          const part = document.createElement('div')
          Object.assign(part, { tabIndex: 0, id: 'part' })
          part.dataset.responder = arguments_[0]
          part.dataset.class = 'PhotoGrid'
          document.querySelector('#main').append(part)
          const mirror = document.querySelector('menud-session').mirror
          globalThis.stop = track(document.querySelector('#main'), globalThis.menudSession, arguments_[1] ? { window: arguments_[1] } : { mirror })"""
        begin = "const arguments_ = [...arguments]; const done = arguments_.pop(); (async () => {" + track + "})().then(() => done(), (error) => done(String(error)))"

        def use(page, visit, *_):
            one, other = visit(), visit()
            for window, given in [(one, ["left", "leftWindow"]), (other, ["right", None])]:
                failed = window.driver.execute_async_script(begin, *given)
                expect(not failed, failed)
            one.run("document.querySelector('#part').focus()")
            self.eventually("the window has focus", lambda: self.session(page)["responders"].get("leftWindow", {}).get("firstResponder") == "left")
            expect(self.session(page)["responders"]["left"]["superview"] == "leftWindow", "the part is in another window")
            expect(self.session(page)["firstResponder"] == "photoGrid", "focus of the page's own window is the session's")
            # The other page follows the session.
            self.ask("PUT", "sessions/photos/first-responder", {"responder": "right"}, page.token, f"{page.menud}/")
            other.wait("document.activeElement.dataset.responder === 'right'")
            other.run("document.querySelector('[data-responder=viewer]').focus()")
            self.eventually("focus is told", lambda: self.session(page)["firstResponder"] == "viewer")
            time.sleep(0.3)
            expect(other.run("return document.activeElement.dataset.responder") == "viewer", "focus goes back")
            expect(one.run("return document.activeElement.id") == "part", "focus moves where it is not followed")

        self.use_page(use)

    def add(self, window, *names, within="#main", **others):
        """Adds parts at once; `others` are of other classes."""
        window.run(ADD, others | dict.fromkeys(names, "PhotoGrid"), within)

    def has(self, page, *names):
        responders = self.session(page)["responders"]
        return all(name in responders for name in names)

    def check_tracking_of_the_same_parts(self):
        """Two windows of a session show the same parts: what one of them takes away, the other declares again."""

        def use(page, visit, *_):
            one, other = visit(), visit()
            for window in [one, other]:
                self.add(window, "pa")
                self.add(window, "pb", within="#pa")
            self.eventually("the parts are there", lambda: self.has(page, "pa", "pb"))
            other.run(FOCUS.format("pb"))
            self.eventually("focus is told", lambda: self.session(page)["firstResponder"] == "pb")
            one.run("globalThis.stop()")
            self.eventually("the parts are gone", lambda: not self.has(page, "pa"))
            # The next focus finds that they are gone.
            other.run(FOCUS.format("pa"))
            self.eventually("the other window declares them again", lambda: self.session(page)["firstResponder"] == "pa")
            expect(self.session(page)["responders"]["pb"].get("superview") == "pa", "the inner part is not in the outer one")
            # With a mirror they are declared again at once, with the focus; so is a part that is in another one.
            failed = other.driver.execute_async_script(FOLLOW)
            expect(not failed, failed)
            other.run(FOCUS.format("pb"))
            self.eventually("focus is told", lambda: self.session(page)["firstResponder"] == "pb")
            for gone in ["pb", "pa"]:
                before = self.session(page)["revision"]
                mutations = {"mutations": [{"op": "removeResponder", "responder": gone}]}
                self.ask("POST", "sessions/photos/mutations", mutations, page.token, f"{page.menud}/")
                self.eventually(f"{gone} is declared again", lambda: self.session(page)["revision"] > before + 1 and self.has(page, "pa", "pb"))
                self.eventually("the inner part is in it", lambda: self.session(page)["responders"]["pb"].get("superview") == "pa")
                self.eventually("focus is where it was", lambda: self.session(page)["firstResponder"] == "pb")
            expect(other.run("return document.activeElement.id") == "pb", "focus moves")
            time.sleep(0.3)
            before = self.session(page)["revision"]
            time.sleep(0.5)
            expect(self.session(page)["revision"] == before, "the parts are declared again and again")
            expect(not other.run("return globalThis.errors"), f"the page is told {other.run('return globalThis.errors')}")

        self.use_page(use)

    def check_tracking_without_a_server(self):
        """Changes while menud is gone are told once it is back."""

        def use(page, visit, server, again):
            window = visit()
            for name in ["pa", "pb", "pc"]:
                self.add(window, name)
            window.run(FOCUS.format("pa"))
            self.eventually("focus is told", lambda: self.session(page)["firstResponder"] == "pa")
            window.run("globalThis.menudSession.client.timeout = 0.5")
            server.stop()
            self.add(window, "pd")
            window.run("document.querySelector('#pc').remove()")
            window.run(FOCUS.format("pb"))
            time.sleep(3)
            server = again()
            self.eventually("focus is told", lambda: self.session(page)["firstResponder"] == "pb", 20)
            expect(self.has(page, "pa", "pb", "pd") and not self.has(page, "pc"), "parts are not told")
            expect(not window.run("return globalThis.errors"), f"the page is told {window.run('return globalThis.errors')}")
            return server

        self.use_page(use)

    def check_tracking_of_an_unknown_class(self):
        """A refused part is left out: other parts and focus are told all the same."""

        def use(page, visit, *_):
            window = visit()
            # At once: what is refused is tried, and told, again with the next change.
            self.add(window, "good", bad="NoClass")
            self.eventually("the good part is there", lambda: self.has(page, "good"))
            window.run("document.querySelector('[data-responder=viewer]').focus()")
            self.eventually("focus is told", lambda: self.session(page)["firstResponder"] == "viewer")
            told = window.run("return globalThis.errors")
            expect(len(told) == 1 and "NoClass" in told[0], f"the page is told {told}")
            # With another class it is told again; so is a part that is in it.
            self.add(window, "inner", within="#bad")
            window.wait("globalThis.errors.length > 1")
            window.run("document.querySelector('#bad').dataset.class = 'PhotoGrid'")
            self.eventually("the parts are there", lambda: self.has(page, "bad", "inner"))

        self.use_page(use)

    def focused(self, page, window, name, selector=None):
        """Focuses an element; its responder becomes first responder."""
        window.run("document.querySelector(arguments[0]).focus()", selector or f"[data-responder={name}]")
        self.eventually(f"{name} has focus", lambda: self.session(page)["firstResponder"] == name, 5)

    def check_tracking_of_focus_again(self):
        """Focus is told each time: after its part was removed, and after another window, or another tracker, moved it."""

        def use(page, visit, *_):
            window, other = visit(), visit()
            for _ in range(2):
                self.add(window, "part")
                self.focused(page, window, "part")
                window.run("document.querySelector('#part').remove()")
                self.eventually("the part is gone", lambda: not self.has(page, "part"))
            self.focused(page, window, "photoGrid")
            self.focused(page, other, "viewer")
            # A change of the page takes no focus from another window.
            window.run("document.querySelector('#tools').append('Anew')")
            time.sleep(0.3)
            expect(self.session(page)["firstResponder"] == "viewer", "a change of the page takes focus")
            window.run("document.querySelector('#title').focus()")
            self.focused(page, window, "photoGrid")
            # Two trackers of one page.
            self.with_modules(page, window, """globalThis.stop()
              const stops = Array.from(document.querySelectorAll('#main > section'), (part) => menud.track(part, globalThis.menudSession))
              globalThis.stop = () => { for (const stop of stops) stop() }""")
            for name in ["viewer", "photoGrid", "viewer", "photoGrid"]:
                self.focused(page, window, name)
            # Without a first responder the followed focus is forgotten.
            failed = window.driver.execute_async_script(FOLLOW)
            expect(not failed, failed)
            self.focused(page, window, "viewer")
            self.ask("PUT", "sessions/photos/first-responder", {"responder": None}, page.token, f"{page.menud}/")
            window.wait("!document.querySelector('menud-session').mirror.document.firstResponder")
            window.run("document.activeElement.blur()")
            self.ask("PUT", "sessions/photos/first-responder", {"responder": "viewer"}, page.token, f"{page.menud}/")
            window.wait("document.activeElement.dataset.responder === 'viewer'", 5)
            # Focus that follows the session is not told.
            window.run("globalThis.requests.length = 0")
            self.ask("PUT", "sessions/photos/first-responder", {"responder": "photoGrid"}, page.token, f"{page.menud}/")
            window.wait("document.activeElement.dataset.responder === 'photoGrid'", 5)
            time.sleep(0.3)
            expect(not self.mutations(window), f"the requests are {self.mutations(window)}")

        self.use_page(use)

    def check_tracking_of_a_name_that_changes(self):
        """The focused element gets another name, or its first one: its responder has focus, also with a mirror."""

        def use(page, visit, *_):
            window = visit()
            for follows in [False, True]:
                if follows:
                    failed = window.driver.execute_async_script(FOLLOW)
                    expect(not failed, failed)
                self.add(window, "part")
                self.focused(page, window, "part")
                for name in ["second", "third"]:
                    window.run("document.querySelector('#part').dataset.responder = arguments[0]", name)
                    self.eventually(f"{name} has focus", lambda name=name: self.session(page)["firstResponder"] == name, 5)
                window.run("document.querySelector('#part').remove()")
                window.run("document.querySelector('#title').focus()")
                window.run("Object.assign(document.querySelector('#title').dataset, { class: 'PhotoGrid', responder: 'field' })")
                self.eventually("the field has focus", lambda: self.session(page)["firstResponder"] == "field", 5)
                window.run("for (const name of ['class', 'responder']) delete document.querySelector('#title').dataset[name]")
                self.eventually("the field is gone", lambda: not self.has(page, "field"))
            expect(not window.run("return globalThis.errors"), f"the page is told {window.run('return globalThis.errors')}")

        self.use_page(use)

    def check_tracking_of_a_part_without_its_class(self):
        """A part that loses its class stays while others are in it."""

        def use(page, visit, *_):
            window = visit()
            self.add(window, "outer")
            self.add(window, "inner", within="#outer")
            self.eventually("the parts are there", lambda: self.has(page, "outer", "inner"))
            window.run("delete document.querySelector('#outer').dataset.class")
            self.add(window, "later")
            self.eventually("the later part is there", lambda: self.has(page, "later"))
            responders = self.session(page)["responders"]
            above = responders["inner"].get("superview")
            expect(above in responders, f"the inner part is in {above}, which is gone")
            window.run("document.querySelector('#inner').remove()")
            self.eventually("the part is gone", lambda: not self.has(page, "outer"))

        self.use_page(use)

    def check_tracking_of_thousands(self):
        """So many parts at once are told in several requests, and focus in the last one."""

        def use(page, visit, *_):
            window = visit()
            names = [f"part{number}" for number in range(2500)]
            window.run("globalThis.requests.length = 0")
            window.run(ADD + ";" + FOCUS.format(names[0]), dict.fromkeys(names, "PhotoGrid"), "#main")
            sent = "globalThis.requests.filter(({ path }) => path.endsWith('/mutations')).length"
            window.wait(f"{sent} === 3")
            expect(self.has(page, *names), "parts are not told")
            expect(self.session(page)["firstResponder"] == names[0], "focus is not told")
            sizes = [len(body) for body in self.mutations(window)]
            expect(sizes == [1000, 1000, 501], f"the requests have {sizes} changes")
            window.run("for (const part of document.querySelectorAll('#main > div[id^=part]')) part.remove()")
            window.wait(f"{sent} === 6")
            expect(not self.has(page, names[0]) and not self.has(page, names[-1]), "parts stay")
            expect(not window.run("return globalThis.errors"), f"the page is told {window.run('return globalThis.errors')}")

        self.use_page(use)

    def mutations(self, window):
        bodies = window.run("return globalThis.requests.filter(({ path }) => path.endsWith('/mutations')).map(({ body }) => body)")
        return [json.loads(body)["mutations"] for body in bodies]
