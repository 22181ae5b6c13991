"""The checks of the console's parts, which browser.py runs with its own."""

import json
import os
import shutil
import signal
import tempfile
import time

from program import ROOT, Program

ARROW = {"left": "\ue012", "up": "\ue013", "right": "\ue014", "down": "\ue015"}


class Failure(Exception):
    """What is not as it must be."""


def expect(condition, what):
    if not condition:
        raise Failure(what)


def handler(session, responder, selector):
    return f"sessions/{session}/responders/{responder}/handlers/{selector}"


class ConsoleChecks:
    """Checks of explanations, forms, the graph, the connection, and small windows."""

    def open_new(self, name):
        return self.window.open(self.open_session(name))

    def check_explanation_is_the_engine_s(self):
        """A rule is shown with the values that it had, which a page could not know."""
        window = self.open_new("explained")
        rule = {
            "validate": {"enabled": "size(command.deliveries) == 0"},
            "perform": [{"op": "deliver", "value": "1"}],
        }
        self.ask("PUT", handler("explained", "photoGrid", "exportPhotos:"), rule)
        self.ask("POST", "commands/perform", {"session": "explained", "command": "exportPhotos:"})
        window.click('[data-key="overview exportPhotos:"]')
        window.wait("document.querySelector('.decision .cel output.no')?.innerText === 'false'")
        parts = window.text(".decision .cel dl")
        expect("size(command.deliveries)\n1" in parts, f"the parts of the rule are {parts!r}")
        asked = window.run("return performance.getEntriesByType('resource').map(({name}) => name)")
        expect(not any("rules/check" in name for name in asked), "the page evaluates rules itself")

    def check_decisive_step_comes_first(self):
        window = self.open_new("decisive")
        window.click('[data-key="overview zoomIn:"]')
        window.wait("document.querySelector('.decision')")
        titles = window.run("return [...document.querySelectorAll('#inspector h3')].map((title) => title.innerText)")
        expect(titles[0] == "What decided" and titles[-1] == "16 questions", f"the parts are {titles}")
        expect("None of the 8 responders" in window.text(".decision"), window.text(".decision"))
        lines = window.run("return document.querySelectorAll('#inspector .steps > li').length")
        fold = window.text(".fold summary")
        expect("8 responders asked, do not respond" in fold, f"the fold says {fold!r}")
        expect(lines - 16 <= 1, f"{lines} lines")
        expect(not window.run("return document.querySelector('.fold details').open"), "the fold is open")
        # The line between trace and panels moves by keys, and stays there.
        height = "document.querySelector('#inspector').clientHeight"
        before = window.run(f"return {height}")
        window.run("document.querySelector('#splitter').focus()")
        window.keys(ARROW["down"] * 5)
        window.wait(f"{height} > {before} + 50")
        window.driver.refresh()
        window.wait(f"document.querySelector('.node.first') && {height} > {before} + 50")
        window.run("localStorage.clear()")

    def check_failed_rule_is_told_from_a_false_one(self):
        window = self.open_new("failing")
        self.ask("PUT", handler("failing", "photoGrid", "copy:"), {"validate": {"enabled": "state.none.at.all"}})
        self.ask("PUT", handler("failing", "photoGrid", "cut:"), {"validate": {"enabled": "state.zoom > 1000"}})
        window.wait("document.querySelector('.group.ruleError')?.innerText.includes('Copy')")
        expect("Cut" not in window.text(".group.ruleError"), "a false rule is among those that failed")
        window.click('[data-key="overview copy:"]')
        window.wait("document.querySelector('.node.failed')?.dataset.responder === 'photoGrid'")
        word = window.run("return document.querySelector('.node.failed').textContent")
        expect("rule failed" in word, f"the graph says {word!r}")
        expect(not window.run("return document.querySelector('.node.failed .tick')"), "a tick on a failed rule")
        color = "return getComputedStyle(document.querySelector('.node.{} rect')).stroke"
        failed = window.run(color.format("failed"))
        window.wait("document.querySelector('.decision .cel output.failed')?.innerText.includes('fails')")
        window.click("[data-key=back]")
        window.click('[data-key="overview cut:"]')
        window.wait("document.querySelector('.node.blocked')?.dataset.responder === 'photoGrid'")
        expect(failed != window.run(color.format("blocked")), "both have one colour")
        self.ask("PUT", handler("failing", "photoGrid", "cut:"), {})

    def check_parameters(self):
        """A command that needs parameters asks for them, also one that was declared after the page was loaded."""
        window = self.open_new("form")
        schema = {
            "type": "object",
            "properties": {
                "width": {"type": "integer", "minimum": 16, "description": "In pixels."},
                "fit": {"enum": ["crop", "pad"]},
                "tags": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["width"],
            "additionalProperties": False,
        }
        command = {"title": "Resize…", "action": "resize:", "parameters": schema}
        command["key"] = {"input": "k", "modifiers": ["control"]}
        self.ask("PUT", "commands/resize:", command)
        try:
            perform = {"perform": [{"op": "add", "path": "/size", "value": "parameters"}]}
            self.ask("PUT", handler("form", "photoGrid", "resize:"), perform)
            window.click(".find")
            window.wait("document.querySelector('.palette [role=option]')")
            window.keys("resize")
            window.wait("document.querySelector('.palette [aria-selected=true]')?.innerText.includes('Resize')")
            window.keys("\ue007")
            window.wait("document.querySelector('dialog.parameters #parameter-width')")
            faults = window.axe()
            expect(not faults, "axe on the form:\n" + "\n".join(faults))
            window.keys("8")
            window.run("document.querySelector('#parameter-tags').value = '[1]'")
            window.click("dialog .primary")
            window.wait("document.querySelector('#parameter-width-says')?.innerText.includes('at least 16')")
            window.wait("document.querySelector('#parameter-tags').getAttribute('aria-invalid') === 'true'")
            expect(window.run("return document.activeElement.id") == "parameter-width", "no field has the keyboard")
            window.run("document.querySelector('#parameter-tags').value = '[\"a\"]'")
            window.keys("0")
            window.keys("\ue007")
            window.wait("!document.querySelector('dialog')")
            size = self.ask("GET", "sessions/form")["state"]["size"]
            expect(size == {"width": 80, "tags": ["a"]}, f"performed with {size}")
            # A refusal says what is wrong, in words.
            page = window.run("return document.body.innerText")
            expect("The body is invalid" not in page, "a raw word is before people")
        finally:
            self.ask("DELETE", "commands/resize:")
        # The refusal is what the browser tells of.
        window.messages()

    def check_shift_click_inspects(self):
        window = self.open_new("shift")
        button = "document.querySelector('.toolbar [data-command=\"applyTwoStarRating:\"]')"
        window.run(f"{button}.dispatchEvent(new MouseEvent('click', {{bubbles: true, shiftKey: true}}))")
        window.wait("document.querySelector('.verdict .title')?.innerText === '★★'")
        expect(self.ask("GET", "sessions/shift")["revision"] == 0, "a shift-click performs")

    def check_graph_by_keys(self):
        window = self.open_new("roving")
        stops = "return document.querySelectorAll('#graph .node[tabindex=\"0\"]').length"
        expect(window.run(stops) == 1, "each node is a stop of the tabulator")
        order = window.run("return [...document.querySelectorAll('.node')].map((node) => node.dataset.responder)")
        expect(order[:2] == ["photoGrid", "gridController"], f"the graph begins with {order[:2]}")
        place = "return document.querySelector('[data-responder=\"viewer\"]').getAttribute('transform')"
        before = window.run(place)
        window.run("document.querySelector('.node.first').focus()")
        window.keys(ARROW["up"])
        window.wait("document.activeElement.dataset.responder === 'gridController'")
        window.keys(ARROW["right"])
        window.wait("document.activeElement.dataset.responder === 'viewer'")
        window.keys("\ue007")
        window.wait("document.querySelector('.node.first')?.dataset.responder === 'viewer'")
        expect(window.run(place) == before, "a node moves when focus does")
        expect(window.run(stops) == 1, "two nodes are stops of the tabulator")

    def check_type_ahead(self):
        window = self.open_new("typing")
        window.keys("\ue03a")
        window.keys("im")
        window.wait("document.activeElement.dataset.key === 'bar image'")
        window.keys(ARROW["down"])
        window.wait("document.activeElement.closest('.popup')")
        time.sleep(1)
        window.keys("rota")
        window.wait("document.activeElement.innerText.startsWith('Rotate')")
        first = window.run("return document.activeElement.innerText")
        time.sleep(1)
        window.keys("r")
        expect(window.run("return document.activeElement.innerText") != first, "the same letter does not go on")
        window.keys("\ue00c\ue00c")
        window.click(".find")
        window.wait("document.querySelector('.palette [role=option]')")
        window.keys("qqqqzzzz")
        window.wait("document.querySelector('.palette .nothing')?.innerText === 'No command matches.'")
        expect(not window.run("return document.querySelector('.palette [role=option]')"), "nothing is a row")
        window.keys("\ue00c")

    def check_default_tool_bar(self):
        """One command with an image is among the others."""
        with tempfile.TemporaryDirectory() as folder:
            application = os.path.join(folder, "application")
            shutil.copytree(os.path.join(ROOT, "Config", "photo-app"), application)
            path = os.path.join(application, "commands.json")
            with open(path, encoding="utf-8") as file:
                commands = json.load(file)
            next(command for command in commands if command["action"] == "zoomIn:")["image"] = "plus"
            with open(path, "w", encoding="utf-8") as file:
                json.dump(commands, file)
            with self.serving(["--application", application, "--session", "demo"]) as url:
                window = self.new_window(url).open("demo")
                try:
                    window.wait("document.querySelector('.toolbar [data-command=\"zoomIn:\"]')")
                    count = window.run("return document.querySelectorAll('.toolbar button').length")
                    expect(count > 6, f"the tool bar has {count} commands")
                finally:
                    self.finish(window)

    def check_theme(self):
        window = self.open_new("theme")
        theme = "document.documentElement.dataset.theme"
        for wanted in ["light", "dark", "undefined"]:
            window.click("[data-key=theme]")
            window.wait(f"String({theme}) === '{wanted}'")
        window.driver.refresh()
        window.wait(f"document.querySelector('.node.first') && {theme} === undefined")

    def check_deliveries_that_failed(self):
        window = self.open_new("failed")
        self.ask("PUT", handler("failed", "photoGrid", "exportPhotos:"), {"perform": [{"op": "deliver", "value": "1"}]})
        self.ask("POST", "commands/perform", {"session": "failed", "command": "exportPhotos:"})
        window.click("#tab-deliveries")
        window.wait("document.querySelector('.delivery.open')?.innerText.includes('Waits for a worker since')")
        opened = window.run("return getComputedStyle(document.querySelector('.delivery .chip')).backgroundColor")
        self.ask("POST", "sessions/failed/deliveries/1/claim", {"by": "ada"})
        window.wait("document.querySelector('.delivery.claimed')?.innerText.includes('by ada')")
        problem = {"title": "Disk full", "detail": "No space left on /export."}
        self.ask("POST", "sessions/failed/deliveries/1/fail", {"claim": 1, "problem": problem})
        said = window.wait("document.querySelector('.delivery.failed .outcome')?.innerText")
        expect(said.startswith("Disk full: No space left on /export. (failed"), f"it says {said!r}")
        expect(" at " in said, f"it says no time: {said!r}")
        color = window.run("return getComputedStyle(document.querySelector('.delivery .chip')).backgroundColor")
        expect(color != opened, "a delivery that failed looks like an open one")

    def check_diagnostics(self):
        window = self.open_new("sentences")
        self.ask("PUT", handler("sentences", "photoGrid", "copy:"), {"validate": {"enabled": "state.none.at.all"}})
        key = [{"input": "c", "modifiers": ["command"], "action": "copy:", "title": "Copy It"}]
        self.ask("PUT", "sessions/sentences/responders/photoGrid/key-commands", {"keyCommands": key})
        window.click("#tab-diagnostics")
        said = window.wait("document.querySelector('.card.bad')?.innerText")
        expect("The rule state.none.at.all of photoGrid for Copy (validate/enabled) fails: no such key" in said, said)
        window.wait("document.querySelector('.cards').innerText.includes('since responders come before menus')")
        expect("respondersFirst" not in window.text("#drawer"), "a raw word is before people")
        heights = window.run("""const rows = new Map()
          for (const card of document.querySelectorAll('.card')) {
            const { top, height } = card.getBoundingClientRect()
            rows.set(Math.round(top), [...(rows.get(Math.round(top)) ?? []), Math.round(height)])
          }
          return [...rows.values()]""")
        expect(all(len(set(row)) == 1 for row in heights), f"cards of a row are {heights} high")
        window.click('.card.bad [data-key="link Inspect it Copy"]')
        window.wait("document.querySelector('.verdict .title')?.innerText === 'Copy'")
        window.click('.card.mild [data-key="link Show it in the graph library"]')
        window.wait("document.activeElement.dataset?.responder === 'library'")
        self.ask("DELETE", "sessions/sentences")
        window.wait("document.querySelector('#notices').innerText.includes('It was closed.')")
        expect("sessionClosed" not in window.run("return document.body.innerText"), "a raw word is before people")

    def check_small_windows(self):
        """Nothing is cut at 1024 and 390 pixels."""
        window = self.window
        cut = """const cut = []
          for (const part of document.querySelectorAll('.chrome > *, .menubar button, .toolbar button, .views button, .head *, .tabs button, .foot *, .tools button')) {
            const box = part.getBoundingClientRect()
            if (!box.width || getComputedStyle(part).visibility === 'hidden' || part.closest('.away')) continue
            const panel = part.closest('.panel, .screen')?.getBoundingClientRect() ?? { left: 0, right: innerWidth, bottom: innerHeight }
            if (box.left < panel.left - 1 || box.right > panel.right + 1 || box.bottom > panel.bottom + 1 || box.right > innerWidth + 1) cut.push(part.outerHTML.slice(0, 120))
          }
          if (document.documentElement.scrollWidth > innerWidth) cut.push('the page')
          return cut"""
        try:
            for size in ["middle", "small"]:
                window.show(size, False)
                window.open("demo")
                for view in ["graph", "inspector", "drawer"]:
                    if size == "small":
                        window.click(f'[data-key="view {view}"]')
                    found = window.run(cut)
                    expect(not found, f"cut in a {size} window, {view}:\n" + "\n".join(found))
                for tab in ["events", "deliveries", "state"]:
                    window.click(f"#tab-{tab}")
                    found = window.run(cut)
                    expect(not found, f"cut in a {size} window, {tab}:\n" + "\n".join(found))
        finally:
            window.show("wide", False)

    def check_addresses(self):
        window = self.window
        window.driver.get(f"{self.url}console/#%")
        window.driver.refresh()
        window.wait("document.querySelector('#notices').innerText.includes('%')")
        options = window.run("return [...document.querySelectorAll('.session option')].map((option) => option.value)")
        expect("demo" in options, f"the sessions to choose from are {options}")
        window.run("""const select = document.querySelector('.session select')
          select.value = 'demo'
          select.dispatchEvent(new Event('change'))""")
        window.wait("document.querySelector('.node.first')")
        # The session that there is not is what the browser tells of.
        window.messages()

    def check_token_without_a_name(self):
        settings = {"MENUD_AUTH_ADMINISTRATOR_TOKEN": self.token, "MENUD_CONSOLE_ENABLED": "true"}
        with self.serving(["--application", "Config/photo-app", "--session", "demo"], settings) as url:
            own = self.ask("POST", "sessions", {"id": "own"}, self.token, url)["token"]
            window = self.new_window(url)
            try:
                window.driver.get(f"{url}console/")
                window.wait("document.querySelector('dialog input[name=token]')")
                window.keys(own + "\ue007")
                window.wait("document.querySelector('.node.first') && document.title.startsWith('own ')")
                expect("demo" not in window.text("select"), "a session's token shows another session")
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
                window.run("globalThis.isCut = true")
                window.click(star)
                window.wait("document.querySelector('#banner').innerText.includes('Sent again as soon as it answers: “★”')")
                window.run("globalThis.isCut = false")
                window.wait("document.querySelector('.revision').innerText.endsWith('1') && !document.querySelector('.banner')")
                os.kill(server.process.pid, signal.SIGKILL)
                window.wait("document.querySelector('#banner').innerText.includes('The server is not reached since')")
                window.wait(f"document.querySelector('{star}').getAttribute('aria-disabled') === 'true'")
                expect(window.run("return document.querySelector('[data-key=\"state apply\"]').disabled"), "Apply is alive")
                window.run(f"document.querySelector('{star}').click()")
                window.wait("document.querySelector('#notices').innerText.includes('“★” was not done')")
                window.click(".find")
                window.wait("document.querySelector('.palette .nothing')?.innerText.includes('not reached')")
                window.keys("\ue00c")
                said = window.run("return document.body.innerText")
                expect("fetch" not in said, "the words of a browser are before people")
                expect(said.count("“★” was not done") == 1, "it is said more than once")
                server = Program([*arguments, "--port", str(port)], program=self.options.program)
                server.port()
                window.wait("!document.querySelector('.banner')", 30)
                window.click('.toolbar [data-command="applyFiveStarRating:"]')
                window.wait("document.querySelector('.revision').innerText.endsWith('2')")
            finally:
                window.close()
                server.stop()

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
