"""The checks of the console with many responders and with a long state, which browser.py runs with its own."""

import json
import os
import re
import tempfile
import time


class Failure(Exception):
    """What is not as it must be."""


def expect(condition, what):
    if not condition:
        raise Failure(what)


def handler(session, responder, selector):
    return f"sessions/{session}/responders/{responder}/handlers/{selector}"


class LargeChecks:
    """What grows is asked for once, and drawn as far as it is on screen."""

    def check_ten_thousand_responders(self):
        """One request for all chains, and what is on screen is drawn, at load and at each focus."""
        with tempfile.TemporaryDirectory() as folder:
            write_large_session(folder, responders=10_000)
            budget = {"MENUD_LIMITS_PROCESSOR_TIME": "0"}
            with self.serving(["--application", folder, "--session", "demo"], budget) as url:
                window = self.new_window(url)
                try:
                    window.driver.get(f"{url}console/#demo")
                    window.wait("document.querySelector('.node.first') && performance.getEntriesByName('graph').length", 60)
                    loaded = window.run("return performance.getEntriesByName('graph')[0].startTime")
                    self.note("10,000 responders: until the graph is drawn", f"{loaded:.0f} ms")
                    asked = "performance.getEntriesByType('resource').map(({name}) => name).filter((name) => !name.includes('/console/'))"
                    count = window.run(f"return {asked}.filter((name) => name.includes('/chain')).length")
                    expect(count == 1, f"{count} requests for chains at load")
                    size = window.run("return document.querySelectorAll('*').length")
                    expect(size < 2000, f"{size} elements")
                    self.note("10,000 responders: elements of the page", str(size))
                    times = []
                    for cell in [5, 105, 9000, 42, 7777]:
                        took, requests = window.driver.execute_async_script(f"""
                          const [url, id, done] = arguments
                          performance.clearResourceTimings()
                          const start = performance.now()
                          const headers = {{ 'Content-Type': 'application/json', 'Idempotency-Key': `"${{id}}"` }}
                          fetch(url, {{ method: 'PUT', headers, body: JSON.stringify({{ responder: id }}) }})
                          const look = () => {{
                            if (document.querySelector('.node.first')?.dataset.responder !== id) return requestAnimationFrame(look)
                            const took = performance.now() - start
                            setTimeout(() => done([took, {asked}.length]), 300)
                          }}
                          look()""", f"{url}sessions/demo/first-responder", f"cell{cell}")
                        times.append(took)
                        expect(requests <= 4, f"{requests} requests for a change of focus")
                        size = window.run("return document.querySelectorAll('*').length")
                        expect(size < 2000, f"{size} elements after a change of focus")
                    self.note("10,000 responders: from a change of focus to the graph", f"{sorted(times)[2]:.0f} ms median")
                    window.run("document.querySelector('.search').value = 'cell4242'")
                    window.run("document.querySelector('.search').dispatchEvent(new Event('input'))")
                    window.wait("document.querySelector('.node.found')?.dataset.responder === 'cell4242'")
                    before = window.run("return document.querySelector('.layer svg').getBoundingClientRect().width / document.querySelector('.layer svg').viewBox.baseVal.width")
                    for _ in range(8):
                        window.click('[data-key="zoom −"]')
                    window.wait("document.querySelector('.block.coarse')")
                    after = window.run("return document.querySelector('.layer svg').getBoundingClientRect().width / document.querySelector('.layer svg').viewBox.baseVal.width")
                    expect(after < before / 2, f"the scale goes from {before} to {after}")
                    size = window.run("return document.querySelectorAll('*').length")
                    expect(size < 2000, f"{size} elements when it is small")
                    expect(not window.axe(), "axe on the graph")
                    for panel in ["controllers", "diagnostics"]:
                        window.click(f"#tab-{panel}")
                        time.sleep(0.5)
                        size = window.run("return document.querySelectorAll('*').length")
                        expect(size < 2500, f"{size} elements with {panel}")
                finally:
                    self.finish(window)

    def check_large_state(self):
        """A state of 2.6 MB is shown part by part, and a change draws what it changed."""
        with tempfile.TemporaryDirectory() as folder:
            write_large_session(folder, rows=40_000)
            budget = {"MENUD_LIMITS_PROCESSOR_TIME": "0"}
            with self.serving(["--application", folder, "--session", "demo"], budget) as url:
                window = self.new_window(url)
                try:
                    window.driver.get(f"{url}console/#demo")
                    window.wait("document.querySelector('.member')", 60)
                    size = window.run("return document.querySelectorAll('*').length")
                    expect(size < 1500 and not window.run("return document.querySelector('textarea')"), f"{size} elements")
                    took = window.driver.execute_async_script("""
                      const [url, done] = arguments
                      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': '"more"' }
                      const start = performance.now()
                      fetch(url, { method: 'POST', headers, body: JSON.stringify({ session: 'demo', command: 'more' }) })
                      const look = () => {
                        const shown = document.querySelector('.revision').innerText.endsWith('1')
                          && [...document.querySelectorAll('.member')].some((row) => row.innerText.trim() === 'n\\n1' || row.innerText.trim() === 'n1')
                        return shown ? done(performance.now() - start) : requestAnimationFrame(look)
                      }
                      look()""", f"{url}commands/perform")
                    self.note("2.6 MB of state: a change until the page shows it", f"{took:.0f} ms")
                    window.click('[data-key="member rows"]')
                    window.wait("document.querySelector('[data-key=\"member 3\"]')")
                    window.click('[data-key="member 3"]')
                    window.wait("document.querySelector('textarea.code')?.value.includes('Row 3')")
                    window.run("""const area = document.querySelector('textarea.code')
                      area.value = area.value.replace('Row 3', 'Third')
                      area.dispatchEvent(new Event('input', {bubbles: true}))""")
                    window.wait("document.querySelector('.edits')?.innerText.includes('/rows/3/title')")
                    window.click('[data-key="state apply"]')
                    window.wait("document.querySelector('.revision').innerText.endsWith('2')")
                    title = self.ask("GET", "sessions/demo", url=url)["state"]["rows"][3]["title"]
                    expect(title == "Third", f"the title is {title!r}")
                finally:
                    self.finish(window)

    def check_long_lists(self):
        """What a trace, deliveries and undo stacks list is drawn in part, and the rest when somebody asks for it."""
        with tempfile.TemporaryDirectory() as folder:
            write_long_chain(folder, 300)
            budget = {"MENUD_LIMITS_PROCESSOR_TIME": "0"}
            with self.serving(["--application", folder, "--session", "demo"], budget) as url:
                window = self.new_window(url)
                try:
                    window.open("demo")
                    window.click('[data-key="overview more"]')
                    window.wait("document.querySelector('.verdict')", 60)
                    window.wait("document.querySelector('#inspector [data-key=\"more trace steps\"]')")
                    size = window.run("return document.querySelectorAll('#inspector *').length")
                    expect(size < 1500, f"{size} elements explain one item")
                    told = window.text('#inspector [data-key="more trace steps"]')
                    expect(re.fullmatch("… and [0-9]{3} more", told), f"the rest is called {told!r}")
                    lines = "document.querySelectorAll('#inspector .block:last-child > .steps > li:not(.more)').length"
                    before = window.run(f"return {lines}")
                    window.click('[data-key="more trace steps"]')
                    window.wait(f"{lines} === {before} + 100")
                    # It stays so when the session changes.
                    for number in range(45):
                        step = {"op": "mergeState", "patch": {"n": number + 1}, "undo": {"actionName": f"Step {number}"}}
                        self.ask("POST", "sessions/demo/mutations", {"mutations": [step]}, url=url)
                    window.wait("document.querySelector('.revision').innerText.endsWith('45')")
                    expect(window.run(f"return {lines}") == before + 100, "what was asked for is drawn no more")
                    window.click("#tab-undo")
                    window.wait("document.querySelector('[data-key=\"more undo Undo null\"]')?.innerText === '… and 25 more'")
                    window.run("document.querySelector('[data-key=\"more undo Undo null\"]').focus()")
                    window.keys("\ue007")
                    window.wait("document.querySelectorAll('.stack li:not(.more)').length === 40")
                    window.wait("document.activeElement.innerText === '… and 5 more'")
                    for _ in range(60):
                        self.ask("POST", "commands/perform", {"session": "demo", "command": "deliver"}, url=url)
                    window.click("#tab-deliveries")
                    window.wait("document.querySelectorAll('.delivery').length === 50")
                    window.click('[data-key="more deliveries"]')
                    window.wait("document.querySelectorAll('.delivery').length === 60 && !document.querySelector('.deliveries .more')")
                finally:
                    self.finish(window)


def write_long_chain(folder, depth):
    """An application whose first responder has so many views above it that refuse what the last one does."""
    refuse = {"more:": {"canPerform": "state.n < 0", "perform": [{"op": "replace", "path": "/n", "value": "1"}]}}
    responders = {
        f"view{number}": {"kind": "view", "class": "Refusing"} | ({"superview": f"view{number - 1}"} if number else {})
        for number in range(depth)
    }
    deliver = {"deliver:": {"perform": [{"op": "deliver", "value": "1"}]}}
    documents = {
        "session": {"state": {"n": 0}, "responders": responders, "firstResponder": f"view{depth - 1}"},
        "classes": {"Refusing": {"superclass": "UIView", "handlers": refuse | deliver}},
        "commands": [
            {"id": "more", "title": "More", "action": "more:"},
            {"id": "deliver", "title": "Deliver", "action": "deliver:"},
        ],
        "menus": [{"identifier": "edit", "title": "Edit", "children": ["more", "deliver"]}],
    }
    for name, document in documents.items():
        with open(os.path.join(folder, f"{name}.json"), "w", encoding="utf-8") as file:
            json.dump(document, file)


def write_large_session(folder, responders=200, rows=10):
    """An application whose session has so many responders and rows of state."""
    all_responders = {
        "application": {"kind": "application"},
        "window": {"kind": "window", "rootViewController": "root"},
        "root": {"kind": "viewController", "view": "rootView"},
        "rootView": {"kind": "view"},
    }
    for number in range(100):
        all_responders[f"list{number}"] = {"kind": "view", "superview": "rootView"}
    for number in range(responders - len(all_responders)):
        all_responders[f"cell{number}"] = {"kind": "view", "class": "Cell", "superview": f"list{number % 100}"}
    more = {
        "validate": {"enabled": "state.n < 100"},
        "perform": [{"op": "replace", "path": "/n", "value": "state.n + 1"}],
    }
    documents = {
        "session": {
            "state": {"n": 0, "rows": [{"id": n, "title": f"Row {n}", "tags": ["some", "tags", "of", "it"]} for n in range(rows)]},
            "responders": all_responders,
            "firstResponder": "cell0",
            "keyWindow": "window",
        },
        "classes": {"Cell": {"superclass": "UIView", "handlers": {"more:": more}}},
        "commands": [{"id": "more", "title": "More", "action": "more:"}],
        "menus": [{"identifier": "edit", "title": "Edit", "children": ["more"]}],
    }
    for name, document in documents.items():
        with open(os.path.join(folder, f"{name}.json"), "w", encoding="utf-8") as file:
            json.dump(document, file)
