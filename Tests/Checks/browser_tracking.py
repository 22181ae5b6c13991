"""The checks of tracking, which browser.py runs with its own: a page tells the session of its parts and of its focus, also with
other windows, without an answer, and with parts that are refused."""

import json
import time

from browser_connection import ARROW
from browser_elements import ESCAPE, F10, ElementChecks
from browser_large import expect

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


class TrackingChecks(ElementChecks):
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

    def mutations(self, window):
        bodies = window.run("return globalThis.requests.filter(({ path }) => path.endsWith('/mutations')).map(({ body }) => body)")
        return [json.loads(body)["mutations"] for body in bodies]
