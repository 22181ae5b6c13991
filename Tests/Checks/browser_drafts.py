"""The checks of texts that are typed in the console and not applied yet, which browser.py runs with its own."""

import json

from browser_large import expect
from browser_windows import WindowChecks

TEXT = "document.querySelector('[data-key=\"state text\"]')"
LEAVING = """const event = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(event)
  return event.defaultPrevented"""
BIG = 9007199254740993


class DraftChecks(WindowChecks):
    """Checks of the state that is edited as text while sessions, other people and connections change."""

    def patch(self, session, *operations):
        mutation = {"op": "patchState", "patch": list(operations)}
        self.ask("POST", f"sessions/{session}/mutations", {"mutations": [mutation]})

    def state(self, session):
        return self.ask("GET", f"sessions/{session}")["state"]

    def retype(self, window, before, after):
        """Types in the text of the state: a part in place of another."""
        window.wait(f"{TEXT}?.value.includes({json.dumps(before)})")
        window.run(f"""const text = {TEXT}
          text.focus()
          const at = text.value.indexOf(arguments[0])
          text.setRangeText(arguments[1], at, at + arguments[0].length, 'end')
          text.dispatchEvent(new Event('input', {{ bubbles: true }}))""", before, after)

    def show_session(self, window, session):
        window.run("""const list = document.querySelector('[data-key=session]')
          list.append(Object.assign(document.createElement('option'), { value: arguments[0] }))
          list.value = arguments[0]
          list.dispatchEvent(new Event('change'))""", session)
        window.wait(f"document.title.startsWith('{session} ') && document.querySelector('.status.live')")

    def editing(self, session):
        window = self.open_new(session)
        window.click("#tab-state")
        window.wait(TEXT)
        return window

    def check_draft_belongs_to_its_session(self):
        """A text that was typed in one session is applied to no other one, and is there when the session is shown again."""
        self.open_session("draft-b")
        window = self.editing("draft-a")
        self.retype(window, '"zoom": 100', '"zoom": 175')
        self.show_session(window, "draft-b")
        window.wait(f"{TEXT}?.value.includes('\"zoom\": 100')")
        window.click('[data-key="state apply"]')
        window.wait("document.querySelector('#notices').innerText.includes('Nothing to apply')")
        expect(self.state("draft-b")["zoom"] == 100, "the text of one session is applied to another one")
        expect(window.run(LEAVING), "the page is left without a question")
        self.show_session(window, "draft-a")
        window.wait(f"{TEXT}?.value.includes('\"zoom\": 175')")
        window.click('[data-key="state apply"]')
        window.wait("document.querySelector('.revision').innerText.endsWith('1')")
        expect(self.state("draft-a")["zoom"] == 175, "the text is not applied")
        window.wait("document.querySelector('.result .hint')?.innerText.startsWith('Edit the state')")
        expect(not window.run(LEAVING), "the page asks though everything is applied")

    def check_session_that_is_opened_again(self):
        """A session that was closed and opened again is shown without a reload."""
        window = self.open_new("again")
        self.ask("DELETE", "sessions/again")
        window.wait("document.querySelector('.status.closed')")
        # By the page itself, too.
        for opens in [lambda: self.open_session("again"), lambda: None]:
            opens()
            window.click("[data-key=open]")
            window.wait("document.querySelector('dialog input[name=id]')")
            window.keys("again\ue007")
            window.wait("document.querySelector('.status.live') && document.querySelector('.node.first')")
            self.ask("DELETE", "sessions/again")
            window.wait("document.querySelector('.status.closed')")

    def check_closed_session_in_words(self):
        """What cannot be read of a closed session is not looked for; the palette says that it is closed."""
        window = self.open_new("ended")
        self.ask("DELETE", "sessions/ended")
        window.wait("document.querySelector('.status.closed')")
        for tab in ["history", "diagnostics"]:
            window.click(f"#tab-{tab}")
            window.wait("document.querySelector('.tabpanel')?.innerText.includes('The session is not followed any more.')")
        window.click(".find")
        window.wait("document.querySelector('.palette .nothing')?.innerText === 'The session is not followed any more.'")
        window.keys("\ue00c")

    def check_draft_overwrites_nothing(self):
        """An edit of an element is refused once another one stands in its place, and its text stays."""
        window = self.editing("elements")
        self.patch("elements", {"op": "add", "path": "/list", "value": [{"name": name, "done": False} for name in "ABC"]})
        self.retype(window, '"name": "C",\n      "done": false', '"name": "C",\n      "done": true')
        window.wait("document.querySelector('.edits')?.innerText.includes('/list/2/done')")
        other = {"op": "add", "path": "/list/-", "value": {"name": "D", "done": False}}
        self.patch("elements", {"op": "remove", "path": "/list/0"}, other)
        window.wait("document.querySelector('.result .warning')?.innerText.startsWith('/list/2 has changed meanwhile')")
        expect(not window.axe(), "axe on a text that cannot be applied")
        window.click('[data-key="state apply"]')
        window.wait("document.querySelector('#notices').innerText.includes('/list/2 has changed meanwhile')")
        expect([one["done"] for one in self.state("elements")["list"]] == [False] * 3, "another element is overwritten")
        expect('"done": true' in window.run(f"return {TEXT}.value"), "the text is gone")
        # The service refuses it too, if the page does not know yet.
        window.run("navigator.clipboard.writeText = async (text) => { window.copied = text }")
        window.click('#drawer [aria-label="Copy the change as curl"]')
        window.wait("window.copied?.startsWith('curl ')")
        tested = '{"op":"test","path":"/list/2","value":{"name":"C","done":false}}'
        expect(tested in window.run("return window.copied"), window.run("return window.copied"))
        # A member that somebody else adds is overwritten as little; what is beside it is applied.
        window.click('[data-key="state discard"]')
        self.retype(window, '"zoom": 100', '"zoom": 100, "added": 1')
        self.patch("elements", {"op": "add", "path": "/added", "value": 2})
        window.wait("document.querySelector('.result .warning')?.innerText.startsWith('/added has changed meanwhile')")
        window.click('[data-key="state discard"]')
        self.retype(window, '"zoom": 100', '"zoom": 110')
        self.patch("elements", {"op": "replace", "path": "/added", "value": 3})
        window.wait("document.querySelector('.result .warning')?.innerText.startsWith('The state has changed meanwhile')")
        window.click('[data-key="state apply"]')
        self.eventually("the change", lambda: self.state("elements")["zoom"] == 110)
        expect(self.state("elements")["added"] == 3, "the change of somebody else is gone")

    def check_draft_to_the_digit(self):
        """Integers beyond 2^53 are shown, edited and kept to the digit, in the history too."""
        window = self.editing("digits")
        self.patch("digits", {"op": "add", "path": "/big", "value": BIG}, {"op": "add", "path": "/pair", "value": [BIG, 5.0]})
        window.wait(f"{TEXT}?.value.includes('\"big\": {BIG}')")
        self.retype(window, f"{BIG},\n    5.0", f"{BIG},\n    5.0,\n    {BIG + 2}")
        window.wait(f"document.querySelector('.edits ins')?.innerText === '[{BIG},5.0,{BIG + 2}]'")
        window.click('[data-key="state apply"]')
        self.eventually("the change", lambda: self.state("digits")["pair"] == [BIG, 5.0, BIG + 2])
        expect(self.state("digits")["big"] == BIG, "a number that was not edited is rounded")
        window.click("#tab-history")
        window.wait(f"document.querySelector('ol.history')?.innerText.includes('/big = {BIG}')")

    def check_draft_is_not_lost_on_the_way(self):
        """Before a typed text is left for another part of the state, a person is asked."""
        self.open_session("crumbs")
        self.patch("crumbs", {"op": "add", "path": "/large", "value": {f"k{number}": "x" * 100 for number in range(500)}})
        window = self.window.open("crumbs")
        window.click("#tab-state")
        window.click('[data-key="member photos"]')
        self.retype(window, "Alpine Lake", "Typed")
        for button, then in [(":not(.primary)", f"{TEXT}?.value.includes('Typed')"), (".primary", "document.querySelector('[data-key=\"member photos\"]')")]:
            window.click('[data-key="way 0"]')
            window.wait("document.querySelector('dialog[open]')?.innerText.includes('Discard the text?')")
            window.click(f"dialog[open] button{button}")
            window.wait(f"!document.querySelector('dialog[open]') && {then}")
        # Without a text nothing is asked.
        window.click('[data-key="member photos"]')
        window.click('[data-key="way 0"]')
        window.wait("document.querySelector('[data-key=\"member photos\"]')")
