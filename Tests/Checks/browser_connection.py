"""The checks of the console's connection, which browser.py runs with its own: what is said when it is lost, let go, or
refused."""

import json
import os
import signal
import tempfile
import time

from browser_large import LargeChecks, expect
from program import Program

ARROW = {"left": "\ue012", "up": "\ue013", "right": "\ue014", "down": "\ue015"}

# View controllers that can be popped, selected and dismissed.
CONTROLLERS = [
    {"op": "putResponder", "responder": name, "value": {"kind": "viewController", **members}}
    for name, members in [
        ("one", {}),
        ("two", {}),
        ("below", {}),
        ("above", {}),
        ("tabs", {"class": "UITabBarController", "viewControllers": ["one", "two"], "selectedViewController": "one"}),
        ("nav", {"class": "UINavigationController", "viewControllers": ["below", "above"]}),
        ("sheet", {"presentingViewController": "nav"}),
    ]
]

# Requests of the page that fail, or are late, as `globalThis.fails(url, options)` says: by an answer, or 'cut'.
FAILING = """
  const real = globalThis.fetch
  globalThis.asked = []
  globalThis.fetch = async (url, options = {}) => {
    globalThis.asked.push(String(url))
    const failure = await globalThis.fails?.(String(url), options)
    if (failure === 'cut') throw new TypeError('Failed to fetch')
    return failure ? new Response(JSON.stringify(failure), { status: failure.status ?? 200 }) : real(url, options)
  }"""

OVERLOADED = json.dumps({
    "type": "/problems/overloaded", "title": "The server has too many requests at once", "status": 503,
    "detail": "The server has too many requests at once; try again later.",
})

HIDE = """Object.defineProperty(document, 'visibilityState', { value: arguments[0], configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))"""


class ConnectionChecks(LargeChecks):
    """Checks of what the console does while it is hidden, out of reach, or refused."""

    def open_new(self, name):
        return self.window.open(self.open_session(name))

    def open_failing(self, name, url=None):
        window = self.new_window(url or self.url)
        window.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": FAILING})
        if not url:
            self.open_session(name)
        return window.open(name)

    def check_hidden_console(self):
        """A page that is hidden lets go, and says nothing of a lost connection."""
        window = self.open_failing("hidden")
        try:
            window.run("""window.said = []
              const watch = () => window.said.push(document.querySelector('#banner').innerText)
              new MutationObserver(watch).observe(document.querySelector('#banner'), { childList: true })
              window.asked.length = 0""")
            window.run(HIDE, "hidden")
            time.sleep(2.5)
            asked = window.run("return window.asked.filter((url) => url.includes('health/'))")
            expect(not asked, f"a hidden page asks {len(asked)} times if the server is there")
            self.ask("POST", "commands/perform", {"session": "hidden", "command": "applyOneStarRating:"})
            time.sleep(0.5)
            expect(window.text(".revision").endswith("0"), "a hidden page does not let go")
            window.run(HIDE, "visible")
            window.run("document.querySelector('.toolbar [data-command=\"applyFiveStarRating:\"]').click()")
            window.wait("document.querySelector('.revision').innerText.endsWith('2')")
            window.wait("document.querySelector('.status.live')")
            said = window.run("return window.said.filter(Boolean)")
            expect(not said, f"it says {said}")
        finally:
            self.finish(window)

    def check_server_that_stops_behind_a_hidden_console(self):
        with tempfile.TemporaryDirectory() as folder:
            arguments = ["--application", "Config/photo-app", "--session", "demo", "--journal-path", f"{folder}/menud.db"]
            server = Program(arguments, program=self.options.program)
            port = server.port()
            window = self.new_window(f"http://localhost:{port}/")
            try:
                window.open("demo")
                window.run(HIDE, "hidden")
                os.kill(server.process.pid, signal.SIGKILL)
                server.process.wait()
                time.sleep(1.5)
                expect(not window.text("#banner"), "a hidden page says that the server is not reached")
                window.run(HIDE, "visible")
                window.wait("document.querySelector('#banner').innerText.includes('The server is not reached since')")
                server = Program([*arguments, "--port", str(port)], program=self.options.program)
                server.port()
                window.wait("document.querySelector('.status.live') && !document.querySelector('.banner')", 30)
            finally:
                window.close()
                server.stop()

    def check_session_that_cannot_be_opened(self):
        """Without a connection a session is not opened, which is said."""
        window = self.open_failing("unopened")
        try:
            window.run("globalThis.fails = () => 'cut'")
            window.click("#tab-diagnostics")
            window.wait("document.querySelector('.banner')")
            window.click("[data-key=open]")
            window.keys("later", "\ue007")
            window.wait("document.querySelector('.notice')?.innerText.includes('“later” is not opened')")
            expect("The server is not reached." in window.text(".notice"), "it does not say why")
        finally:
            window.close()

    def check_catalogue_is_read_until_it_is_there(self):
        """A catalogue that could not be read is asked for again."""
        window = self.open_failing("catalogue")
        schema = {"type": "object", "properties": {"width": {"type": "integer"}}, "required": ["width"]}
        try:
            window.run("globalThis.fails = (url, { method }) => method === 'GET' && url.endsWith('/commands') && 'cut'")
            self.ask("PUT", "commands/enlarge:", {"title": "Enlarge", "action": "enlarge:", "parameters": schema})
            perform = {"perform": [{"op": "add", "path": "/size", "value": "parameters"}]}
            self.ask("PUT", "sessions/catalogue/responders/photoGrid/handlers/enlarge:", perform)
            window.wait("document.querySelector('#banner').innerText.includes('not reached')")
            window.run("globalThis.fails = undefined")
            window.wait("!document.querySelector('.banner')")
            window.click(".find")
            window.wait("document.querySelector('.palette [role=option]')")
            window.keys("enlarge")
            window.wait("document.querySelector('.palette [aria-selected=true]')?.innerText.includes('Enlarge')")
            window.keys("\ue007")
            window.wait("document.querySelector('dialog.palette #parameter-width')")
        finally:
            self.ask("DELETE", "commands/enlarge:")
            window.close()

    def check_mistakes_are_no_lost_connection(self):
        """A mistake of the page, a server that is overloaded, and one that is not there are three things."""
        window = self.open_failing("trouble")
        try:
            star = '.toolbar [data-command="applyOneStarRating:"]'
            window.run("globalThis.fails = (url) => url.endsWith('commands/perform') && " + OVERLOADED)
            window.click(star)
            window.wait("document.querySelector('#banner').innerText.includes('Sent again as soon as it can: “★”')")
            said = window.text("#banner")
            expect("The server has too many requests at once" in said and "not reached" not in said, said)
            expect(window.run(f"return document.querySelector('{star}').getAttribute('aria-disabled')") == "false", "nothing can be changed")
            window.run("globalThis.fails = undefined")
            window.wait("document.querySelector('.revision').innerText.endsWith('1') && !document.querySelector('.banner')")
            window.run("globalThis.fails = (url) => url.endsWith('commands/search') && " + OVERLOADED)
            window.click(".find")
            window.wait("document.querySelector('.palette .nothing')?.innerText.startsWith('The server cannot answer now')")
            window.wait("document.querySelector('#notices').innerText.includes('The server cannot answer now')")
            window.keys("\ue00c")
            expect(not window.text("#banner"), "a server that is overloaded is not there")
            # The page makes a mistake: it is given an answer without the list that it reads.
            window.run("globalThis.asked.length = 0; globalThis.fails = (url) => url.endsWith('commands/validate') && ({})")
            window.run(f"document.querySelector('{star}').dispatchEvent(new MouseEvent('click', {{bubbles: true, shiftKey: true}}))")
            window.wait("document.querySelector('#notices').innerText.includes('The console failed')")
            time.sleep(1.5)
            expect(not window.text("#banner"), "a mistake of the page is a server that is not there")
            asked = window.run("return window.asked.filter((url) => url.includes('health/')).length")
            expect(not asked, f"{asked} times it is asked if the server is there")
        finally:
            window.close()

    def check_session_that_is_left_while_it_is_asked(self):
        """An answer about a session that is not shown any more is no mistake."""
        window = self.open_failing("left")
        try:
            self.open_session("entered")
            window.run("""const late = (time) => new Promise((resolve) => setTimeout(resolve, time))
              globalThis.fails = (url) => url.endsWith('commands/validate') ? late(500) : url.includes('/events') ? late(1000) : undefined""")
            window.click('[data-key="overview zoomIn:"]')
            window.run("location.hash = '#entered'")
            window.wait("document.title.startsWith('entered ') && document.querySelector('.node.first')")
            expect(not window.text("#notices"), f"it says {window.text('#notices')!r}")
        finally:
            self.finish(window)

    def check_token_that_is_revoked(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "tokens")
            write(path, f"{self.token}\nanother-token-of-the-check\n")
            settings = {"MENUD_AUTH_ADMINISTRATOR_TOKEN_FILE": path, "MENUD_CONSOLE_ENABLED": "true"}
            server = self.serving(["--application", "Config/photo-app", "--session", "demo"], settings)
            with server as url:
                window = self.new_window(url)
                try:
                    window.driver.get(f"{url}console/#demo")
                    window.wait("document.querySelector('dialog input[name=token]')")
                    window.keys(self.token + "\ue007")
                    window.wait("document.querySelector('.node.first')")
                    write(path, "another-token-of-the-check\n")
                    os.kill(server.server.process.pid, signal.SIGHUP)
                    window.wait("document.querySelector('#notices').innerText.includes('The token was revoked.')")
                    expect("tokenRevoked" not in window.run("return document.body.innerText"), "a raw word is before people")
                finally:
                    window.close()

    def check_lost_connection(self):
        """What is sent waits for the server; what cannot be sent is said; nothing is said in a browser's words."""
        with tempfile.TemporaryDirectory() as folder:
            arguments = ["--application", "Config/photo-app", "--session", "demo", "--journal-path", f"{folder}/menud.db"]
            server = Program(arguments, program=self.options.program)
            port = server.port()
            window = self.new_window(f"http://localhost:{port}/")
            try:
                window.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
                  const real = globalThis.fetch
                  globalThis.fetch = (url, options) => (globalThis.isCut && options?.method === 'POST'
                    ? Promise.reject(new TypeError('Failed to fetch')) : real(url, options))"""})
                window.open("demo")
                star = '.toolbar [data-command="applyOneStarRating:"]'
                made = self.ask("POST", "sessions/demo/mutations", {"mutations": CONTROLLERS}, url=window.url)["revision"]
                shows = "document.querySelector('.revision').innerText === 'revision {}'"
                window.click("#tab-controllers")
                for button in ["Pop nav", "Select two", "Dismiss sheet"]:
                    window.wait(f"document.querySelector('[data-key=\"{button}\"]')?.disabled === false")
                window.run("globalThis.isCut = true")
                window.click(star)
                window.wait("document.querySelector('#banner').innerText.includes('Sent again as soon as it answers: “★”')")
                window.run("globalThis.isCut = false")
                window.wait(f"{shows.format(made + 1)} && !document.querySelector('.banner')")
                os.kill(server.process.pid, signal.SIGKILL)
                window.wait("document.querySelector('#banner').innerText.includes('The server is not reached since')")
                window.wait(f"document.querySelector('{star}').getAttribute('aria-disabled') === 'true'")
                for button in ["Pop nav", "Select two", "Dismiss sheet"]:
                    window.wait(f"document.querySelector('[data-key=\"{button}\"]').disabled")
                window.click("#tab-state")
                expect(window.run("return document.querySelector('[data-key=\"state apply\"]').disabled"), "Apply is alive")
                window.run(f"document.querySelector('{star}').click()")
                window.run(f"document.querySelector('{star}').click()")
                window.wait("document.querySelector('#notices').innerText.includes('“★” was not done')")
                expect(window.text("#notices").count("“★” was not done") == 1, "it is said more than once")
                notices = "document.querySelector('#notices').innerText"
                window.run(f"document.querySelector('{star}').dispatchEvent(new MouseEvent('click', {{bubbles: true, shiftKey: true}}))")
                window.wait(f"{notices}.includes('“★” is not explained\\nThe server is not reached. Nothing was asked.')")
                window.click("[data-key=context]")
                window.wait(f"{notices}.includes('The context menu is not shown')")
                window.click(".keyfield")
                window.keys(ARROW["right"])
                window.wait(f"{notices}.includes('is not explained') && /The key (→|Right) is not explained/.test({notices})")
                window.click(".find")
                window.wait("document.querySelector('.palette .nothing')?.innerText.includes('not reached')")
                window.keys("\ue00c")
                said = window.run("return document.body.innerText")
                expect("fetch" not in said, "the words of a browser are before people")
                server = Program([*arguments, "--port", str(port)], program=self.options.program)
                server.port()
                window.wait("!document.querySelector('.banner')", 30)
                window.click('.toolbar [data-command="applyFiveStarRating:"]')
                window.wait(shows.format(made + 2))
            finally:
                window.close()
                server.stop()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
