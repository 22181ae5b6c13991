"""The checks of the console's parts, which browser.py runs with its own."""

import json
import os
import shutil
import tempfile
import time

from browser_connection import ARROW
from browser_forms import FormChecks
from browser_frameworks import FrameworkChecks
from browser_keys import KeyChecks
from browser_languages import LanguageChecks
from browser_large import expect, handler
from browser_lists import ListChecks
from browser_reach import ReachChecks
from program import ROOT


class ConsoleChecks(FormChecks, KeyChecks, LanguageChecks, ListChecks, FrameworkChecks, ReachChecks):
    """Checks of explanations, the graph and the panels."""

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

    def check_words_are_told(self):
        """A disabled item says why, to screen readers too; one that needs a confirmation asks."""
        window = self.open_new("words")
        window.menu("view")
        item = "document.querySelector('.popup [data-command=\"zoomIn:\"]')"
        words = window.run(f"return [{item}.title, {item}.getAttribute('aria-description')]")
        expect(words == ["Open a photo first."] * 2, f"the words are {words}")
        window.click('.popup [data-command="zoomIn:"]')
        window.wait("document.querySelector('.verdict.no')?.innerText.includes('Open a photo first.')")
        self.ask("PUT", handler("words", "photoGrid", "rotateLeft:"), {
            "validate": {"confirmation": {"title": "'Rotate ' + string(size(state.selection)) + '?'", "button": "'Turn it'"}},
            "perform": [{"op": "add", "path": "/turned", "value": "true"}],
        })
        for button in ["Cancel", "Turn it"]:
            window.menu("image")
            window.click('.popup [data-command="rotateLeft:"]')
            window.wait("document.querySelector('dialog[open] h2')?.innerText === 'Rotate 1?'")
            buttons = window.run("return [...document.querySelectorAll('dialog[open] button')].map((one) => one.innerText)")
            expect(buttons == ["Cancel", "Turn it"], f"the buttons are {buttons}")
            window.click(f"dialog[open] button{'.primary' if button != 'Cancel' else ':not(.primary)'}")
            window.wait("!document.querySelector('dialog[open]')")
            if button == "Cancel":
                expect("turned" not in self.ask("GET", "sessions/words")["state"], "it was turned without a yes")
        deadline = time.monotonic() + 30
        while "turned" not in self.ask("GET", "sessions/words")["state"]:
            expect(time.monotonic() < deadline, "it was not turned")
            time.sleep(0.1)

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
        window.click(".find")
        colors = {}
        for title in ["Copy", "Cut"]:
            window.run("document.querySelector('.palette input').value = arguments[0]", title)
            window.run("document.querySelector('.palette input').dispatchEvent(new Event('input'))")
            option = f"[...document.querySelectorAll('.palette [role=option]')].find((one) => one.innerText.trim().startsWith('{title}'))"
            window.wait(option)
            colors[title] = window.run(f"return getComputedStyle({option}.querySelector('.reason')).color")
        expect(colors["Copy"] != colors["Cut"], "in the palette both have one colour")
        expect(not window.axe(), "axe on a rule that failed in the palette")
        window.keys("\ue00c")
        self.ask("PUT", handler("failing", "photoGrid", "cut:"), {})

    def check_shift_click_inspects(self):
        window = self.open_new("shift")
        button = "document.querySelector('.toolbar [data-command=\"applyTwoStarRating:\"]')"
        window.wait(button)
        window.run(f"{button}.dispatchEvent(new MouseEvent('click', {{bubbles: true, shiftKey: true}}))")
        window.wait("document.querySelector('.verdict .title')?.innerText === '★★'")
        # In a menu and in the context menu, while the key is held.
        window.menu("image", "rating")
        self.shift_click(window, '.popup [data-command="applyThreeStarRating:"]')
        window.wait("document.querySelector('.verdict .title')?.innerText === '★★★'")
        window.wait("!document.querySelector('.popup')")
        window.click("[data-key=context]")
        window.wait("document.querySelector('.context .popup')")
        window.click('[data-key="sub context edit"]')
        self.shift_click(window, '.context .popup [data-command="copy:"]')
        window.wait("document.querySelector('.verdict .title')?.innerText === 'Copy'")
        expect(self.ask("GET", "sessions/shift")["revision"] == 0, "a shift-click performs")

    def check_shift_click_on_the_touch_bar(self):
        with self.serving(["--application", "Config/master-detail", "--session", "demo"]) as url:
            window = self.new_window(url).open("demo")
            try:
                button = '.touchbar button[data-command][aria-disabled="false"]'
                command = window.wait(f"document.querySelector('{button}')?.dataset.command")
                self.shift_click(window, button)
                action = self.action(command, url)
                window.wait(f"document.querySelector('.verdict code')?.innerText === {json.dumps(action)}")
                expect(self.ask("GET", "sessions/demo", url=url)["revision"] == 0, "a shift-click performs")
            finally:
                self.finish(window)

    def action(self, command, url):
        commands = self.ask("GET", "commands", url=url)["commands"]
        return next(one["action"] for one in commands if one["id"] == command)

    def shift_click(self, window, selector):
        """Clicks while the shift key is held."""
        window.hold("\ue008")
        try:
            window.click(selector)
        finally:
            window.release("\ue008")

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
        said = window.wait("document.querySelector('.delivery.claimed .outcome')?.innerText")
        until, made = self.moments(window, "failed")
        expect(said == f"Claimed by ada until {until} (delivered at {made})", f"it says {said!r}")
        problem = {"title": "Disk full", "detail": "No space left on /export."}
        self.ask("POST", "sessions/failed/deliveries/1/fail", {"claim": 1, "problem": problem})
        said = window.wait("document.querySelector('.delivery.failed .outcome')?.innerText")
        expect(said.startswith("Disk full: No space left on /export. (failed by ada at "), f"it says {said!r}")
        color = window.run("return getComputedStyle(document.querySelector('.delivery .chip')).backgroundColor")
        expect(color != opened, "a delivery that failed looks like an open one")

    def moments(self, window, session):
        """The times of its first delivery as the page shows them: until when it is claimed, and when it was made."""
        delivery = self.ask("GET", f"sessions/{session}/deliveries/1")["delivery"]
        shown = "return new Date(arguments[0]).toTimeString().slice(0, 8)"
        return [window.run(shown, time) for time in [delivery["claim"]["until"], delivery["when"]]]

    def check_history(self):
        window = self.open_new("past")
        for number in range(60):
            self.ask("POST", "sessions/past/mutations", {"mutations": [{"op": "mergeState", "patch": {"n": number}}]})
        self.ask("POST", "commands/perform", {"session": "past", "command": "rotateLeft:"})
        window.click("#tab-history")
        first = window.wait("document.querySelector('.history > li')?.innerText")
        for part in ["61", "local", "Rotate Left", "at photoGrid", "replace /photos/lake/rotation = 270"]:
            expect(part in first, f"{part!r} is not in the first entry, {first!r}")
        rows = "document.querySelectorAll('.history > li').length"
        expect(window.run(f"return {rows}") == 50, "a page has not fifty entries")
        window.click('[data-key="earlier"]')
        window.wait(f"{rows} === 61")
        window.wait("document.querySelector('#drawer').innerText.includes('That is all since the session was opened.')")
        window.run("""const select = document.querySelector('[data-key="history kind"]')
          select.value = 'command'
          select.dispatchEvent(new Event('change', { bubbles: true }))""")
        window.wait(f"{rows} === 1")
        self.ask("POST", "commands/perform", {"session": "past", "command": "rotateRight:"})
        window.wait(f"{rows} === 2")
        window.click('[data-key="history 62 rotateRight:"]')
        window.wait("document.querySelector('.verdict .title')?.innerText === 'Rotate Right'")
        faults = window.axe()
        expect(not faults, f"axe finds in the history: {faults}")

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
