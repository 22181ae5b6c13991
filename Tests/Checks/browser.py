#!/usr/bin/env python3
"""Uses the console in a real Chromium, and the client module in Node.

A rating in one window moves the check mark in the other; every panel is used; so is the keyboard alone; axe looks
for names, roles and contrast; the browser's console stays empty. `--images FOLDER` keeps pictures of the main views.
"""

import argparse
import base64
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

from browser_agents import AgentChecks
from browser_console import ConsoleChecks
from browser_control_room import ControlRoomChecks
from browser_large import Failure, expect
from browser_tabs import TabChecks
from program import BUILT, ROOT, Program

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "browser")
# The program itself: Debian's script of this name in the path does not end it when the driver ends the script.
BROWSER = "/usr/lib/chromium/chromium-headless-shell"
TOKEN = "administrators-of-the-check"
# The most milliseconds from a change until its answer, in half of all cases, for twelve tabs with a board and a worker.
LONGEST_ANSWER = 300
SIZES = {"wide": (1440, 900), "middle": (1024, 720), "narrow": (420, 860), "small": (390, 800)}


# The document as the scripts of these checks see it: with what is in the elements' shadow trees.
DEEP = """
  const document = globalThis.documentOfChecks ??= (() => {
    const real = globalThis.document
    const hosts = ['session', 'menu-bar', 'context-menu', 'tool-bar', 'touch-bar', 'button', 'palette', 'keys', 'dialog', 'notices']
    const tags = hosts.map((name) => `menud-${name}`).join()
    const within = (root) => [root, ...Array.from(root.querySelectorAll(tags), ({ shadowRoot }) => shadowRoot).filter(Boolean).flatMap(within)]
    const roots = () => within(real)
    const inner = (node) => node?.shadowRoot?.activeElement ? inner(node.shadowRoot.activeElement) : node
    const own = {
      querySelector: (selector) => roots().map((root) => root.querySelector(selector)).find(Boolean) ?? null,
      querySelectorAll: (selector) => roots().flatMap((root) => [...root.querySelectorAll(selector)]),
      getElementById: (id) => roots().map((root) => root.getElementById(id)).find(Boolean) ?? null,
    }
    return new Proxy(real, {
      get(target, name) {
        if (name === 'activeElement') return inner(real.activeElement)
        const value = own[name] ?? Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
      set: (target, name, value) => Reflect.set(target, name, value, target),
    })
  })();
"""


class Window:
    """A window of Chromium that shows the console.

    Chromium's headless shell has its engine without its interface, which takes half of the processor time.
    """

    def __init__(self, url, *arguments, size="wide", dark=False):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which(BROWSER)
        for argument in [
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--disable-background-networking",
            "--disable-component-update",
            *arguments,
        ]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.driver.set_script_timeout(120)
        asynchronous = self.driver.execute_async_script
        self.driver.execute_async_script = lambda script, *given: asynchronous(DEEP + script, *given)
        self.url = url
        self.show(size, dark)

    def show(self, size, dark):
        width, height = SIZES[size]
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {
                "features": [
                    {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                    {"name": "prefers-reduced-motion", "value": "reduce"},
                ]
            },
        )

    def open(self, session):
        self.driver.get(f"{self.url}console/#{session}")
        self.wait(f"document.title.startsWith('{session} ') && document.querySelector('.node.first')")
        return self

    def run(self, script, *arguments):
        return self.driver.execute_script(DEEP + script, *arguments)

    def wait(self, condition, seconds=30):
        """Waits for an expression, and answers it."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            value = self.run(f"return ({condition})")
            if value:
                return value
            time.sleep(0.03)
        raise Failure(f"never: {condition}\n{self.run('return document.body.innerText')[:1200]}")

    def click(self, selector):
        from selenium.common.exceptions import StaleElementReferenceException

        while True:
            try:
                return self.wait(f"document.querySelector({json.dumps(selector)})").click()
            except StaleElementReferenceException:
                # It was drawn anew between finding and clicking it.
                continue

    def keys(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def chord(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains

        chain = ActionChains(self.driver)
        for key in keys[:-1]:
            chain.key_down(key)
        chain.send_keys(keys[-1])
        for key in reversed(keys[:-1]):
            chain.key_up(key)
        chain.perform()

    def hold(self, key):
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).key_down(key).perform()

    def release(self, key):
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).key_up(key).perform()

    def hover(self, selector):
        """Moves the pointer to an element."""
        from selenium.webdriver.common.action_chains import ActionChains

        element = self.wait(f"document.querySelector({json.dumps(selector)})")
        ActionChains(self.driver).move_to_element(element).perform()

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def messages(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def menu(self, *path):
        """Opens the menu of these names."""
        self.click(f'[data-key="bar {path[0]}"]')
        for depth in range(1, len(path)):
            self.click(f'[data-key="sub {" ".join(path[:depth + 1])}"]')

    def axe(self):
        """The faults that axe finds."""
        from axe_core_python.selenium import Axe

        self.run(Axe().axe_script)
        # This version of axe does not know `aria-description`, an attribute of ARIA 1.3.
        found = self.driver.execute_async_script("""
            axe.configure({checks: [{id: 'aria-valid-attr', options: {value: ['aria-description']}}]})
            axe.run().then(arguments[arguments.length - 1])""")["violations"]
        return [f"{fault['id']}: {node['html'][:160]}" for fault in found for node in fault["nodes"]]

    def close(self):
        self.driver.quit()


class Checks(ConsoleChecks, ControlRoomChecks, AgentChecks, TabChecks):
    """All checks, in order, with one server for most of them."""

    def __init__(self, options, url):
        self.options = options
        self.url = url
        self.token = TOKEN
        self.figures = []

    def new_window(self, url, *arguments):
        return Window(url, *arguments)

    def serving(self, arguments, environment=None):
        return serving(self.options, arguments, environment)

    def ask(self, method, path, body=None, token=None, url=None):
        request = urllib.request.Request((url or self.url) + path, method=method)
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request, data) as answer:
            return json.loads(answer.read() or b"null")

    def open_session(self, name):
        self.ask("POST", "sessions", {"id": name})
        return name

    @functools.cached_property
    def window(self):
        return Window(self.url)

    # The module.

    def check_module_in_node(self):
        if not shutil.which("node"):
            return "SKIPPED: there is no node"
        settings = {"MENUD_AUTH_ADMINISTRATOR_TOKEN": TOKEN}
        with serving(self.options, ["--application", "Config/photo-app"], settings) as url:
            module = os.path.join(HERE, "module.mjs")
            run(["node", module, self.url, str(self.options.seeds), url.rstrip("/"), TOKEN])

    def check_client_module_with_faults(self):
        """Clocks that differ, news that are refused, busy servers and long events, in Node."""
        if not shutil.which("node"):
            return "SKIPPED: there is no node"
        settings = {"MENUD_AUTH_ADMINISTRATOR_TOKEN": TOKEN, "MENUD_DELIVERIES_CLAIM": "3"}
        with serving(self.options, ["--application", "Config/photo-app"], settings) as url:
            run(["node", os.path.join(HERE, "faults.mjs"), url.rstrip("/"), TOKEN])

    def check_types(self):
        if not shutil.which("tsc"):
            return "SKIPPED: there is no tsc"
        run(
            [
                "tsc",
                "--noEmit",
                "--strict",
                "--target",
                "es2022",
                "--module",
                "es2022",
                "--moduleResolution",
                "node",
                "--lib",
                "es2022,dom,dom.iterable",
                os.path.join(HERE, "use.ts"),
            ]
        )

    def check_mirror_in_chromium(self):
        # In a window of its own, since the browser tells of every refusal.
        window = Window(self.url).open(self.open_session("chromium"))
        with open(os.path.join(HERE, "mirror.mjs"), encoding="utf-8") as file:
            play = file.read().replace("export async function play", "async function play")
        for seed in range(1, self.options.seeds + 1):
            figures = window.driver.execute_async_script(
                play + """
              const [url, seed, done] = arguments
              import(new URL('client/menud.js', url)).then(async (menud) => {
                const client = new menud.Client(url)
                const commands = (await client.commands()).map(({ id }) => id)
                done(await play(menud, client, { seed, turns: 150, commands }))
              }).catch((error) => done({ error: String(error.stack) }))""",
                self.url,
                seed,
            )
            expect("error" not in figures, figures.get("error"))
            self.note(
                f"mirror in Chromium, seed {seed}",
                f"{figures['compared']} comparisons, {figures['changes']} changes",
            )
        window.close()

    def check_twelve_tabs(self):
        """Twelve tabs, each with a board and a worker, share one stream; nothing waits for a connection."""
        # Connections that are gone are found by the next heartbeat.
        heartbeat = {"MENUD_EVENTS_HEARTBEAT": "0.5"}
        with serving(self.options, ["--config", "Config/menud.json"], heartbeat) as url:
            median = self.use_twelve_tabs(url, "twelve")
            # Another process may have had the processors.
            if median >= LONGEST_ANSWER:
                median = self.use_twelve_tabs(url, "twelve-again")
            expect(median < LONGEST_ANSWER, f"half of the answers in twelve tabs take {median:.0f} ms or longer")

    def use_twelve_tabs(self, url, name):
        """Answers the median of the milliseconds from a change until its answer."""
        self.ask("POST", "sessions", {"id": name}, url=url)
        handler = {"perform": [{"op": "deliver", "value": "1"}]}
        self.ask("PUT", f"sessions/{name}/responders/photoGrid/handlers/exportPhotos:", handler, url=url)
        with open(os.path.join(HERE, "tab.mjs"), encoding="utf-8") as file:
            module = "data:text/javascript," + urllib.parse.quote(file.read())
        window = Window(url)
        driver = window.driver

        def tab(handle, body, *arguments):
            driver.switch_to.window(handle)
            value = driver.execute_async_script(
                """const [url, module, name, ...rest] = arguments
                const done = rest.pop()
                Promise.all([import(url + 'client/menud.js'), import(module)]).then(([menud, { begin, change, compare, hide }]) =>
                """
                + f"(async (...given) => {{ {body} }})(...rest)"
                + """).then(done, (error) => done({ error: String(error.stack) }))""",
                url,
                module,
                name,
                *arguments,
            )
            expect(not (isinstance(value, dict) and "error" in value), value)
            return value

        def streams(count):
            deadline = time.monotonic() + 30
            while (told := self.metric(url, "menud_event_subscribers")) != count:
                expect(time.monotonic() < deadline, f"{told:.0f} streams instead of {count}")
                time.sleep(0.05)

        def same(tabs):
            for handle in tabs:
                different = tab(handle, "return compare(menud)")
                expect(not different, f"tab {tabs.index(handle)} of {len(tabs)} holds {different}")

        try:
            tabs = []
            for number in range(12):
                if number:
                    driver.switch_to.new_window("tab")
                tabs.append(driver.current_window_handle)
                driver.get(f"{url}health/live")
                tab(tabs[-1], "return begin(menud, url, name)")
                # Each is seen, as in a window of its own.
                tab(tabs[-1], "hide(false)")
            streams(1)
            for number, handle in enumerate(tabs):
                expect(tab(handle, "return change(given[0])", number) == number, "the change is not there")
                tab(handle, "for (let more = 0; more < 5; more += 1) await change(`${given[0]} ${more}`)", number)
            same(tabs)
            for _ in range(6):
                delivering = {"session": name, "action": "exportPhotos:", "to": "photoGrid"}
                self.ask("POST", "commands/perform", delivering, url=url)
            deadline = time.monotonic() + 20
            replied = f"sessions/{name}/deliveries?state=replied"
            while len(self.ask("GET", replied, url=url)["deliveries"]) < 6:
                expect(time.monotonic() < deadline, "the workers do not work")
                time.sleep(0.05)
            worked = sorted(sum((tab(handle, "return globalThis.tab.worked") for handle in tabs), []))
            expect(worked == [1, 2, 3, 4, 5, 6], f"worked on {worked}")
            streams(1)
            # The one that leads is closed, and then the next one, while the session changes.
            for _ in range(2):
                driver.switch_to.window(tabs.pop(0))
                driver.close()
                expect(tab(tabs[-1], "return change('closed')") == "closed", "no change after the end")
            streams(1)
            same(tabs)
            # Hidden ones let go, but for their workers, and hold everything when they are seen again.
            for handle in tabs[:-1]:
                tab(handle, "hide(true)")
            paused = [tab(handle, "return globalThis.tab.board.isPaused") for handle in tabs]
            # The one that leads goes on for the others, since its worker does.
            expect(paused.count(True) >= 8 and not paused[-1], f"paused are {paused}")
            tab(tabs[-1], "return change('hidden')")
            away = tabs[paused.index(True)]
            held = tab(away, "return globalThis.tab.board.state.value")
            expect(held == "closed", f"a hidden tab was told {held}")
            for handle in tabs:
                tab(handle, "globalThis.tab.stop.abort(); hide(true); await globalThis.tab.working")
            streams(0)
            for handle in tabs:
                tab(handle, "hide(false)")
            same(tabs)
            streams(1)
            # One with another token has a stream of its own.
            tab(tabs[0], "return begin(menud, url, name, { token: 'another' })")
            streams(2)
            same(tabs)
            lost = sum(tab(handle, "return globalThis.tab.lost") for handle in tabs)
            expect(not lost, f"{lost} times a board went back")
            times = sorted(sum((tab(handle, "return globalThis.tab.times") for handle in tabs), []))
            self.note(
                "twelve tabs: a change until its answer",
                f"{times[len(times) // 2]:.0f} ms median, {times[-1]:.0f} ms at most",
            )
            expect(len(times) >= 50, f"{len(times)} answers are no measure")
            messages = []
            for handle in tabs:
                driver.switch_to.window(handle)
                messages += [message for message in window.messages() if "favicon" not in message]
            expect(not messages, "the browser's console says:\n" + "\n".join(messages))
            return times[len(times) // 2]
        finally:
            driver.quit()

    def metric(self, url, name):
        with urllib.request.urlopen(url + "metrics") as answer:
            for line in answer.read().decode().splitlines():
                if line.startswith(name + " "):
                    return float(line.split()[1])
        raise Failure(f"there is no metric {name}")

    # The console.

    def check_two_windows(self):
        name = self.open_session("two")
        one, other = self.window.open(name), Window(self.url).open(name)
        try:
            other.menu("image", "rating")
            mark = "document.querySelector('.popup [data-command=\"{}\"]')?.getAttribute('aria-checked') === 'true'"
            other.wait(mark.format("applyThreeStarRating:"))
            one.menu("image", "rating")
            one.click('.popup [data-command="applyFiveStarRating:"]')
            other.wait(mark.format("applyFiveStarRating:"))
            expect(not other.run("return " + mark.format("applyThreeStarRating:")), "two check marks")
            expect(other.text(".revision").endswith("1"), "the other window shows no new revision")
        finally:
            self.finish(other)

    def check_menus(self):
        window = self.window.open(self.open_session("menus"))
        window.menu("view")
        zoom = window.run("return document.querySelector('.popup [data-command=\"zoomIn:\"]').title")
        expect(zoom == "Open a photo first.", f"the reason is {zoom!r}")
        window.click('.popup [data-command="zoomIn:"]')
        window.wait("document.querySelector('.verdict.no')")
        expect("16 questions" in window.text("#inspector"), "the trace is not there")
        window.wait("document.querySelector('.line.walked')")
        window.menu("image")
        alternate = "document.querySelector('.popup [data-command=\"rejectPhotos:\"] .name').innerText"
        # What was not drawn yet has no text.
        window.wait(f"{alternate} === 'Rejected'")
        window.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Alt', altKey: true}))")
        window.wait(f"{alternate} === 'Reject and Next'")
        window.run("document.dispatchEvent(new KeyboardEvent('keyup', {key: 'Alt'}))")
        window.wait(f"{alternate} === 'Rejected'")
        window.click("h1 ~ .screen .status, .status")
        window.click("[data-key=context]")
        window.wait("document.querySelector('.context .popup')")
        window.keys("\ue00c")

    def check_tool_bar(self):
        window = self.window.open(self.open_session("tools"))
        window.click('.toolbar [data-command="applyOneStarRating:"]')
        window.wait(
            "document.querySelector('.toolbar [data-command=\"applyOneStarRating:\"]').getAttribute('aria-pressed') === 'true'"
        )

    def check_graph_and_inspector(self):
        window = self.window.open(self.open_session("graph"))
        window.click('[data-responder="photoHost"]')
        window.wait("document.querySelector('.node.first')?.dataset.responder === 'photoHost'")
        window.run("document.querySelector('.toolbar [data-command=\"cut:\"]').click()")
        window.wait("document.querySelector('.verdict.no')")
        window.click(".find")
        window.wait("document.querySelector('.palette [role=option]')")
        window.keys("five")
        window.keys("\ue003" * 4 + "★★★★★")
        window.wait("document.querySelector('.palette [aria-selected=true]').innerText.includes('★★★★★')")
        window.chord("\ue008", "\ue007")
        window.wait("document.querySelector('.verdict.yes b')?.innerText === 'photoHost/forwarder'")
        window.wait("document.querySelectorAll('.cel').length === 2")
        parts = window.text(".cel dl")
        expect("size(state.hosted)" in parts and "1" in parts, f"the parts of the rule are {parts!r}")
        window.wait("document.querySelector('.node.forward.target')")
        window.click('[data-key="perform"]')
        window.wait("document.querySelector('.what .chip')?.innerText === 'checked'")
        window.click(".keyfield")
        window.keys("\ue014")
        window.wait("/^(→|Right)/.test(document.querySelector('.verdict .title').innerText)")

    def check_state(self):
        window = self.window.open(self.open_session("state"))
        window.click("#tab-state")
        window.run("""const area = document.querySelector('textarea.code')
          area.value = area.value.replace('"zoom": 100', '"zoom": 150')
          area.dispatchEvent(new Event('input', {bubbles: true}))""")
        window.wait("document.querySelector('.edits')?.innerText.includes('/zoom')")
        window.click('[data-key="state try"]')
        window.wait("document.querySelector('.tried')")
        expect(self.ask("GET", "sessions/state")["revision"] == 0, "a dry run was kept")
        window.click('[data-key="state apply"]')
        window.wait("document.querySelector('.revision').innerText.endsWith('1')")
        expect(self.ask("GET", "sessions/state")["state"]["zoom"] == 150, "the state is as before")

    def check_undo(self):
        window = self.window.open(self.open_session("undo"))
        self.ask("POST", "commands/perform", {"session": "undo", "command": "applyFiveStarRating:"})
        window.click("#tab-undo")
        window.wait("document.querySelector('.stack')?.innerText.includes('★★★★★')")
        window.click('[data-key="undo"]')
        window.wait("!document.querySelector('[data-key=redo]').disabled")

    def check_other_panels(self):
        window = self.window.open(self.open_session("panels"))
        window.click("#tab-controllers")
        window.wait("document.querySelector('.virtual')?.innerText.includes('gridController')")
        shown = window.run("return [...document.querySelectorAll('.controller b')].map((name) => name.innerText)")
        expect(len(shown) == len(set(shown)), f"a view controller is shown twice: {shown}")
        window.click("#tab-diagnostics")
        window.wait("document.querySelector('.cards')?.innerText.includes('Key conflicts')")
        window.click("#tab-deliveries")
        window.wait("document.querySelector('.tabpanel.deliveries')")
        handler = {"perform": [{"op": "deliver", "value": "{'file': 'lake.jpg'}"}]}
        self.ask("PUT", "sessions/panels/responders/photoGrid/handlers/exportPhotos:", handler)
        self.ask("POST", "commands/perform", {"session": "panels", "command": "exportPhotos:"})
        window.wait("document.querySelector('.delivery .chip.open')")
        window.click('[data-key="Claim 1"]')
        window.wait("document.querySelector('.delivery .chip.claimed')?.innerText === 'claimed by console'")
        window.click('[data-key="Reply 1"]')
        window.wait("document.querySelector('.delivery .chip.replied')")
        self.ask("POST", "sessions/panels/messages", {"message": "hello:", "from": "viewer", "queue": True})
        window.wait("document.querySelector('.tabpanel')?.innerText.includes('hello:')")
        window.click('[data-key="process"]')
        window.wait("!document.querySelector('[data-key=process]')")
        window.click("#tab-events")
        window.wait("document.querySelectorAll('.log li').length > 1")
        window.run("navigator.clipboard.writeText = async (text) => { window.copied = text }")
        window.click(".log .curl")
        window.wait("window.copied?.startsWith('curl ')")
        expect(self.curl(window.run("return window.copied")), "the copied command does not work")

    def curl(self, command):
        """Runs a command that was copied."""
        done = subprocess.run(
            ["bash", "-c", command + " --silent --fail-with-body"], capture_output=True, text=True
        )
        return done.returncode == 0

    def check_keyboard(self):
        """Everything by keys: the menu bar, the palette, focus, the panels."""
        arrow = {"left": "\ue012", "up": "\ue013", "right": "\ue014", "down": "\ue015"}
        window = self.window.open(self.open_session("keys"))
        window.keys("\ue03a")
        window.keys(arrow["right"], arrow["right"], arrow["right"], arrow["down"])
        window.wait("document.activeElement.dataset.key === 'sub image rating'")
        window.keys(arrow["right"], arrow["down"])
        window.wait("document.activeElement.dataset.command === 'applyOneStarRating:'")
        window.keys("\ue007")
        window.wait("document.querySelector('.revision').innerText.endsWith('1')")
        window.wait("document.activeElement.dataset.key === 'bar image'")
        window.keys("\ue00c")
        window.chord("\ue009", "k")
        window.wait("document.querySelector('.palette [role=option]')")
        window.keys("flag\ue007")
        window.wait("document.querySelector('.revision').innerText.endsWith('2')")
        window.run("document.querySelector('[data-responder=viewer]').focus()")
        window.keys("\ue007")
        window.wait("document.querySelector('.node.first')?.dataset.responder === 'viewer'")
        # A key of the session, pressed on the page.
        window.run("document.querySelector('.canvas').focus()")
        window.chord("\ue009", "5")
        window.wait(
            "document.querySelector('.toolbar [data-command=\"applyFiveStarRating:\"]').getAttribute('aria-pressed') === 'true'"
        )
        window.run("document.querySelector('#tab-state').focus()")
        window.keys(arrow["right"])
        window.wait("document.activeElement.id === 'tab-controllers'")
        # Whatever can be pressed is reached by the tabulator, and shows that it is.
        met = set()
        window.run("document.activeElement.blur()")
        for _ in range(70):
            window.keys("\ue004")
            met.add(
                window.run(
                    "return document.activeElement.dataset?.key ?? document.activeElement.className ?? ''"
                )
            )
        for key in ["find", "theme", "session", "node viewer", "keyfield", "tab controllers", "context"]:
            expect(key in met, f"the tabulator does not reach {key!r}")

    def check_key_sheet(self):
        """The keys that mean something, while a key is held, and by keys alone."""
        window = self.window.open(self.open_session("sheet"))
        window.run("document.querySelector('.canvas').focus()")
        sheet = "document.querySelector('.keysheet')"
        window.keys("?")
        window.wait(f"{sheet}?.innerText.includes('★★★★★')")
        window.wait("document.activeElement.className === 'keysheet'")
        said = window.run(f"return {sheet}.innerText")
        expect("Open a photo first." in said, f"a disabled key does not say why: {said}")
        faults = window.axe()
        expect(not faults, "\n".join(faults))
        # The sheet follows the session.
        self.ask("PUT", "sessions/sheet/first-responder", {"responder": "viewer"})
        window.wait(f"!{sheet}.innerText.includes('Open a photo first.')")
        window.keys("\ue00c")
        window.wait(f"!{sheet}")
        window.wait("document.activeElement.className.includes('canvas')")
        hold = "document.body.dispatchEvent(new KeyboardEvent('{}', {{key: 'Control', ctrlKey: true, bubbles: true}}))"
        window.run(hold.format("keydown"))
        window.wait(sheet)
        window.run(hold.format("keyup"))
        window.wait(f"!{sheet}")
        # A shortcut in time shows nothing.
        window.run(hold.format("keydown"))
        window.chord("\ue009", "5")
        time.sleep(0.8)
        expect(not window.run(f"return {sheet}"), "the sheet is there after a shortcut")
        self.ask("PUT", "sessions/sheet/first-responder", {"responder": "photoGrid"})
        window.keys("?")
        window.wait(f"{sheet}?.innerText.includes('Open a photo first.')")
        self.picture(window, "keys-wide-light")

    def check_accessibility(self):
        for size in ["wide", "narrow"]:
            for dark in [False, True]:
                window = self.window
                window.show(size, dark)
                window.open("demo")
                faults = window.axe()
                window.run("document.querySelector('[data-key=\"bar image\"]').click()")
                faults += window.axe()
                window.run("document.body.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))")
                window.run("document.querySelector('.find').click()")
                window.wait("document.querySelector('.palette [role=option]')")
                faults += window.axe()
                window.keys("\ue00c")
                for panel in ["controllers", "undo", "history", "deliveries", "keymap", "diagnostics", "events"]:
                    window.run(f"document.querySelector('#tab-{panel}').click()")
                    time.sleep(0.2)
                    faults += window.axe()
                window.run("document.querySelector('#tab-state').click()")
                expect(
                    not faults,
                    f"axe, {size}, {'dark' if dark else 'light'}:\n" + "\n".join(sorted(set(faults))),
                )
        self.window.show("wide", False)

    def check_touch_bar(self):
        with serving(self.options, ["--application", "Config/master-detail", "--session", "demo"]) as url:
            window = Window(url)
            try:
                window.open("demo")
                window.wait("document.querySelectorAll('.touchbar button').length >= 3")
                window.wait(
                    "document.querySelectorAll('.node.late').length >= 1 || document.querySelector('.node[data-responder=listProxy]')"
                )
                window.run("document.querySelector('.canvas').focus()")
                window.keys("\ue015")
                window.wait("document.querySelector('.revision').innerText.endsWith('1')")
                self.picture(window, "late-responders")
            finally:
                self.finish(window)

    def check_tokens(self):
        settings = {"MENUD_AUTH_ADMINISTRATOR_TOKEN": TOKEN}
        with serving(self.options, ["--application", "Config/photo-app"], settings) as url:
            try:
                self.ask("GET", "console/", url=url)
                raise Failure("the console is there although tokens are asked for")
            except urllib.error.HTTPError as error:
                expect(error.code == 404, f"the console answers {error.code}")
        with serving(
            self.options,
            ["--application", "Config/photo-app", "--session", "demo"],
            settings | {"MENUD_CONSOLE_ENABLED": "true"},
        ) as url:
            own = self.ask("POST", "sessions", {"id": "own"}, TOKEN, url)["token"]
            window = Window(url)
            try:
                window.driver.get(f"{url}console/#own")
                window.wait("document.querySelector('dialog input[name=token]')")
                window.keys(own + "\ue007")
                window.wait("document.querySelector('.node.first')")
                expect("demo" not in window.text("select"), "a session's token shows another session")
                expect(own not in window.run("return location.href"), "the token is in the address")
                window.run("location.hash = '#demo'")
                window.wait("document.querySelector('#notices').innerText.includes('demo')")
                # The refusals are what the browser tells of.
                expect(
                    all(
                        "401" in message or "403" in message or "404" in message
                        for message in window.messages()
                    ),
                    "other messages than refusals",
                )
            finally:
                window.close()

    def check_restart(self):
        """The server goes and comes: the page follows again by itself."""
        with tempfile.TemporaryDirectory() as folder:
            arguments = [
                "--application",
                "Config/photo-app",
                "--session",
                "demo",
                "--journal-path",
                f"{folder}/menud.db",
            ]
            server = Program(arguments, program=self.options.program)
            port = server.port()
            window = Window(f"http://localhost:{port}/")
            try:
                window.open("demo")
                server.stop()
                window.wait("document.querySelector('.status.broken')", 20)
                server = Program([*arguments, "--port", str(port)], program=self.options.program)
                server.port()
                window.wait("document.querySelector('.status.live')", 30)
                window.click('.toolbar [data-command="applyOneStarRating:"]')
                window.wait("document.querySelector('.revision').innerText.endsWith('1')")
            finally:
                window.close()
                server.stop()

    def check_ten_thousand(self):
        """A page with 10,000 commands stays usable."""
        with tempfile.TemporaryDirectory() as folder:
            write_large_application(folder, 10_000)
            # A debug build takes more than its share of the processor for as many.
            budget = {"MENUD_LIMITS_PROCESSOR_TIME": "0"}
            with serving(self.options, ["--application", folder, "--session", "demo"], budget) as url:
                window = Window(url)
                try:
                    start = time.monotonic()
                    window.driver.get(f"{url}console/#demo")
                    window.wait("document.querySelector('[data-key=\"bar m0\"]')", 30)
                    self.note("10,000 commands: first menu", f"{1000 * (time.monotonic() - start):.0f} ms")
                    window.wait("document.querySelector('.node.first')")
                    took = window.run("""const start = performance.now()
                      document.querySelector('[data-key="bar m0"]').click()
                      document.body.getBoundingClientRect()
                      return performance.now() - start""")
                    self.note("10,000 commands: opening a menu of 1,000", f"{took:.0f} ms")
                    window.run(
                        "document.body.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))"
                    )
                    window.click(".find")
                    window.wait("document.querySelector('.palette [role=option]')")
                    times = window.driver.execute_async_script(
                        """const done = arguments[0]
                      const input = document.querySelector('.palette input')
                      const times = []
                      const type = (text) => new Promise((resolve) => {
                        const start = performance.now()
                        const list = document.querySelector('.found')
                        const watch = new MutationObserver(() => { watch.disconnect(); times.push(performance.now() - start); resolve() })
                        watch.observe(list, { childList: true })
                        input.value = text
                        input.dispatchEvent(new Event('input'))
                      })
                      const words = ['c', 'co', 'com', 'comm', 'command 7', 'command 77', 'cmd 9', 'comand 12', 'x', '42']
                      words.reduce((before, word) => before.then(() => type(word)), Promise.resolve()).then(() => done(times))"""
                    )
                    self.note(
                        "10,000 commands: from a letter typed to its list",
                        f"{sorted(times)[len(times) // 2]:.0f} ms median, {max(times):.0f} ms at most",
                    )
                    expect(len(times) == 10, f"the palette lists {len(times)} of 10 times")
                    start = time.monotonic()
                    self.ask("POST", "commands/perform", {"session": "demo", "command": "c7"}, url=url)
                    window.wait("document.querySelector('.revision').innerText.endsWith('1')")
                    self.note(
                        "10,000 commands: a change until the page shows it",
                        f"{1000 * (time.monotonic() - start):.0f} ms",
                    )
                finally:
                    self.finish(window)

    def check_sizes(self):
        total = 0
        with urllib.request.urlopen(f"{self.url}console/") as answer:
            page = answer.read().decode()
        names = ["", *dict.fromkeys(re.findall(r'(?:href|src)="([a-z./-]+[.][a-z]+)"', page))]
        for name in names:
            with urllib.request.urlopen(urllib.parse.urljoin(f"{self.url}console/", name)) as answer:
                size = len(answer.read())
            total += size
            if name.endswith(("menud.js", "menud-elements.js")):
                self.note(name.split("/")[-1], f"{size / 1024:.1f} KiB")
        self.note("the whole page", f"{total / 1024:.1f} KiB in {len(names)} files")
        window = Window(self.url)
        try:
            window.driver.get(f"{self.url}console/#demo")
            window.wait("document.querySelector('[data-key=\"bar image\"]')")
            self.note(
                "first menu after navigation",
                f"{window.run('return performance.getEntriesByName(arguments[0])[0]?.startTime ?? NaN', 'menu'):.0f} ms",
            )
        finally:
            self.finish(window)

    def check_pictures(self):
        if not self.options.images:
            return "SKIPPED: --images names no folder"
        name = self.open_session("pictures")
        for size, dark in [("wide", False), ("wide", True), ("narrow", False), ("narrow", True)]:
            window = self.window
            window.show(size, dark)
            window.open("demo").open(name)
            label = f"{size}-{'dark' if dark else 'light'}"
            if size == "wide":
                window.menu("image", "rating")
                self.picture(window, f"menus-{label}")
            window.run("document.body.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))")
            if size == "wide":
                window.click('[data-key="overview zoomIn:"]')
                window.wait("document.querySelectorAll('.line.walked').length === 7")
                self.picture(window, f"trace-{label}")
            self.ask("PUT", f"sessions/{name}/first-responder", {"responder": "photoHost"})
            window.wait("document.querySelector('.node.first')?.dataset.responder === 'photoHost'")
            window.run("document.querySelector('[data-key=\"bar image\"]').click()")
            window.run("document.querySelector('[data-key=\"sub image rating\"]').click()")
            window.run(
                "document.querySelector('.popup [data-command=\"applyFourStarRating:\"]').dispatchEvent(new MouseEvent('contextmenu', {bubbles: true, cancelable: true}))"
            )
            window.wait("document.querySelectorAll('.cel').length === 2")
            self.picture(window, f"inspector-{label}")
            if size == "wide":
                window.click(".find")
                window.wait("document.querySelector('.palette [role=option]')")
                window.keys("rat")
                time.sleep(0.4)
                self.picture(window, f"palette-{label}")
                window.keys("\ue00c")
            self.ask("PUT", f"sessions/{name}/first-responder", {"responder": "photoGrid"})
            window.wait("document.querySelector('.node.first')?.dataset.responder === 'photoGrid'")
            window.run("document.querySelector('[data-key=try]').click()")
            window.wait("document.querySelector('.trial')")
            self.picture(window, f"plan-{label}")
            if size == "wide":
                self.ask("POST", "commands/perform", {"session": name, "command": "applyFourStarRating:"})
                window.run("document.querySelector('#tab-history').click()")
                window.wait("document.querySelector('ol.history li.command')")
                self.picture(window, f"history-{label}")
        self.window.show("wide", False)

    def check_no_messages(self):
        self.finish(self.window)

    # What they have in common.

    def picture(self, window, name):
        if self.options.images:
            os.makedirs(self.options.images, exist_ok=True)
            window.run("document.activeElement.closest('.menus, dialog') ?? document.activeElement.blur()")
            time.sleep(0.4)
            picture = window.driver.execute_cdp_cmd(
                "Page.captureScreenshot", {"format": "webp", "quality": 82}
            )
            with open(os.path.join(self.options.images, f"console-{name}.webp"), "wb") as file:
                file.write(base64.b64decode(picture["data"]))

    def finish(self, window):
        """Closes a window in whose console nothing may stand."""
        messages = window.messages()
        window.close()
        expect(not messages, "the browser's console says:\n" + "\n".join(messages))

    def note(self, what, figure):
        self.figures.append((what, figure))

    def run(self):
        # The windows of all checks are one, whose messages are looked at in the end.
        known = dict.fromkeys(name for part in type(self).__mro__ for name in vars(part))
        names = sorted((name for name in known if name.startswith("check_")), key="check_no_messages".__eq__)
        wanted = [name for name in names if not self.options.only or self.options.only in name]
        number, count = self.options.share
        # In one piece: what a check leaves in the window, the next one finds as always.
        share = wanted[len(wanted) * number // count : len(wanted) * (number + 1) // count]
        if wanted[-1:] == names[-1:] and share[-1:] != names[-1:]:
            share.append(names[-1])
        for name in share:
            start = time.monotonic()
            said = getattr(self, name)()
            title = name.removeprefix("check_").replace("_", " ")
            print(
                f"ok: {title} ({time.monotonic() - start:.1f} s)" if not said else f"{said} ({title})",
                flush=True,
            )
        width = max((len(what) for what, _ in self.figures), default=0)
        for what, figure in self.figures:
            print(f"{what:{width}}  {figure}")


class serving:
    """A server for as long as the body of a `with` lasts; answers its address."""

    def __init__(self, options, arguments, environment=None):
        self.arguments = [options.program, [*arguments, "--journal-store", "memory"], environment]

    def __enter__(self):
        program, arguments, environment = self.arguments
        self.server = Program(arguments, environment=environment, program=program)
        return f"http://localhost:{self.server.port()}/"

    def __exit__(self, *_):
        self.server.stop()


def write_large_application(folder, count):
    """An application with so many commands, a thousand in each menu."""
    commands = [
        {"id": f"c{n}", "title": f"Command {n} of Group {n % 97}", "action": f"a{n}:"} for n in range(count)
    ]
    menus = [
        {
            "identifier": f"m{m}",
            "title": f"Menu {m}",
            "children": [f"c{n}" for n in range(1000 * m, min(count, 1000 * m + 1000))],
        }
        for m in range((count + 999) // 1000)
    ]
    classes = {
        "Everything": {
            "superclass": "UIView",
            "handlers": {
                f"a{n}:": {"perform": [{"op": "replace", "path": "/last", "value": str(n)}]}
                for n in range(count)
            },
        }
    }
    session = {
        "state": {"last": 0},
        "responders": {"view": {"kind": "view", "class": "Everything"}},
        "firstResponder": "view",
    }
    for name, document in {
        "commands": commands,
        "menus": menus,
        "classes": classes,
        "session": session,
    }.items():
        with open(os.path.join(folder, f"{name}.json"), "w", encoding="utf-8") as file:
            json.dump(document, file)


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        raise Failure(f"{command[0]} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    for line in done.stdout.splitlines():
        print(f"    {line}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--images", help="a folder for pictures of the main views")
    parser.add_argument("--seeds", type=int, default=2, help="of the random mirror test")
    parser.add_argument("--only", help="checks with this in their name")
    parser.add_argument("--jobs", type=int, default=1, help="processes that share the checks")
    parser.add_argument("--share", type=int, nargs=2, default=[0, 1], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.images:
        options.images = os.path.abspath(options.images)
    if not shutil.which(BROWSER) or not shutil.which("chromedriver"):
        print(f"SKIPPED: there is no {BROWSER} with its driver here")
        return
    if options.jobs > 1:
        shares = [["--share", str(number), str(options.jobs)] for number in range(options.jobs)]
        # What went wrong is told at the end: where output is cut, its end is what is kept.
        told = [tempfile.TemporaryFile("w+") for _ in shares]
        jobs = [
            subprocess.Popen([sys.executable, "-B", *sys.argv, "--jobs", "1", *share], stderr=errors)
            for share, errors in zip(shares, told)
        ]
        failed = [job.wait() for job in jobs]
        for errors in told:
            errors.seek(0)
            print(errors.read(), end="", file=sys.stderr)
        if any(failed):
            sys.exit(1)
        return
    with serving(options, ["--config", "Config/menud.json"]) as url:
        try:
            Checks(options, url).run()
        except Failure as failure:
            sys.exit(f"failed: {failure}")


if __name__ == "__main__":
    main()
