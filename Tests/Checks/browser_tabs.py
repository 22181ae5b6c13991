"""The checks of menud.js in several tabs, which browser.py runs with its own."""

import json

from browser_connection import HIDE
from browser_large import expect

FOLLOW = """const [url, name, what, done] = arguments
  import(url + 'client/menud.js').then(async ({ Client }) => {
    const client = globalThis.client ??= new Client(url)
    globalThis.mirror = await client.session(name).follow(what)
  }).then(() => done(), (error) => done(String(error.stack)))"""

# The locks of menud.js that this browser holds.
LOCKS = """navigator.locks.query().then(({ held }) => arguments[0](held.filter(({ name }) => name.startsWith('menud')).length))"""


class TabChecks:
    """Checks of tabs that share a stream."""

    def open_tab(self, window):
        """Opens a further tab, which is seen as in a window of its own."""
        if window.driver.current_url.startswith("http"):
            window.driver.switch_to.new_window("tab")
        window.driver.get(f"{self.url}health/live")
        window.run(HIDE, "visible")
        return window.driver.current_window_handle

    def follow_in(self, window, name, what):
        failed = window.driver.execute_async_script(FOLLOW, self.url, name, what)
        expect(not failed, f"following {json.dumps(what)}: {failed}")

    def check_client_module_in_tabs_with_different_parts(self):
        """A tab that leads follows for the others what it does not follow itself: every part, on either platform."""
        name = self.open_session("parts")
        window = self.new_window(self.url)
        window.driver.set_script_timeout(20)
        keys = {"document": True, "menu": True, "keys": True}
        parts = [
            {"document": True}, {**keys, "isMac": True}, {**keys, "isMac": False}, {"menu": True, "kind": "context", "from": "viewer"},
            {"commands": ["copy:"], "modifiers": ["shift"], "window": "window"}, {"deliveries": ["open", "claimed"]},
        ]
        try:
            tabs = {}
            for what in parts:
                tabs[self.open_tab(window)] = what
                self.follow_in(window, name, what)
            revision = self.ask("PUT", f"sessions/{name}/first-responder", {"responder": "viewer"})["revision"]
            for handle, what in tabs.items():
                window.driver.switch_to.window(handle)
                # Parts that do not change are told nothing.
                window.wait(f"globalThis.mirror.revision === {revision} || !globalThis.mirror.document")
                expect(window.run("return globalThis.mirror.keys.length > 0") == ("keys" in what), f"the keys of {what}")
        finally:
            window.close()

    def check_client_module_releases_locks(self):
        """A client that follows nothing holds no lock, and follows again beside another tab that leads."""
        name = self.open_session("locks")
        window = self.new_window(self.url)

        def locks():
            return window.driver.execute_async_script(LOCKS)

        try:
            leader = self.open_tab(window)
            self.follow_in(window, name, {"document": True})
            self.open_tab(window)
            self.follow_in(window, name, {"document": True})
            expect(locks() == 3, f"two tabs hold {locks()} locks")
            for turn in range(5):
                window.run("globalThis.mirror.close()")
                self.follow_in(window, name, {"document": True})
                revision = self.ask("POST", f"sessions/{name}/mutations", {"mutations": [{"op": "mergeState", "patch": {"turn": turn}}]})["revision"]
                window.wait(f"globalThis.mirror.revision === {revision}")
            window.run("globalThis.mirror.close()")
            self.eventually("the lock of a tab is released", lambda: locks() == 2)
            window.driver.switch_to.window(leader)
            window.run("globalThis.mirror.close()")
            self.eventually("every lock is released", lambda: locks() == 0)
        finally:
            window.close()
