"""The checks of plans in the console, which browser.py runs with its own: what is tried can be done exactly so."""

import json
import time

from browser_large import expect, handler
from browser_windows import WindowChecks

DOUBLE = {
    "validate": {"confirmation": {"if": "state.zoom > 1000", "title": "'Zoom to ' + string(state.zoom * 2) + '?'", "button": "'Zoom'"}},
    "perform": [{"op": "replace", "path": "/zoom", "value": "state.zoom * 2"}],
}
SAYS = "document.querySelector('#tried-says')?.innerText"
FOREIGN = json.dumps({
    "type": "/problems/foreign-plan", "title": "Foreign plan", "status": 403,
    "detail": "The plan was made with another token; make a dry run with the one that performs.",
})


class PlanChecks(WindowChecks):
    """Checks of a command that is tried, and of its plan."""

    def open_tried(self, name, window=None, url=None):
        """A session whose zoom doubles, with the inspector on the command that does it."""
        window = window or self.open_new(name)
        self.ask("PUT", handler(name, "photoGrid", "rotateLeft:"), DOUBLE, url=url)
        window.wait("document.querySelector('.toolbar [data-command]')")
        window.run("document.querySelector('[data-key=\"view inspector\"]')?.click()")
        window.menu("image")
        self.shift_click(window, '.popup [data-command="rotateLeft:"]')
        window.wait("document.querySelector('.verdict.yes .title')?.innerText.includes('Rotate')")
        return window

    def zoom(self, name, url=None):
        return self.ask("GET", f"sessions/{name}", url=url)["state"]["zoom"]

    def change(self, name, **patch):
        self.ask("POST", f"sessions/{name}/mutations", {"mutations": [{"op": "mergeState", "patch": patch}]})

    def says(self, window, words):
        window.wait(f"{SAYS}?.includes({json.dumps(words)})")

    def shows(self, window, zoom):
        """The changes that are shown are those to this zoom, and hold the keyboard."""
        window.wait(f"document.querySelector('.trial .tried')?.innerText.includes('replace /zoom = {zoom}')")
        window.wait("document.activeElement.dataset.key === 'tried'")

    def check_plan_does_what_was_shown(self):
        """Try, and do exactly this: by keys alone, in each size and colour, without an axe finding."""
        for size in ["wide", "narrow"]:
            for dark in [False, True]:
                name = f"tried-{size}-{'dark' if dark else 'light'}"
                self.window.show(size, dark)
                window = self.open_tried(name)
                window.run("document.querySelector('[data-key=try]').focus()")
                window.keys("\ue007")
                self.shows(window, 200)
                self.says(window, "Nothing was done yet.")
                expect(self.zoom(name) == 100, "a dry run was kept")
                faults = window.axe()
                window.keys("\ue004")
                expect(window.run("return document.activeElement.innerText") == "Do exactly this", "the next stop is another")
                box = window.run("return document.activeElement.getBoundingClientRect().toJSON()")
                expect(box["left"] >= 0 and box["right"] <= window.run("return innerWidth"), f"the button is at {box}")
                window.keys("\ue007")
                self.says(window, "This was done, exactly as it was shown. It is revision 2.")
                self.shows(window, 200)
                expect(self.zoom(name) == 200, "what was shown has not happened")
                expect(not window.run("return document.querySelector('[data-key=\"do exactly this\"]')"), "it can be done again")
                faults += window.axe()
                expect(not faults, f"axe, {name}:\n" + "\n".join(faults))
        self.window.show("wide", False)

    def check_plan_of_a_session_that_changes(self):
        """A changed plan shows the present changes before they are made, and asks the present question."""
        window = self.open_tried("replanned")
        window.click("[data-key=try]")
        self.shows(window, 200)
        self.change("replanned", zoom=300)
        window.click('[data-key="do exactly this"]')
        self.says(window, "Nothing was done, since something else would happen now.")
        self.shows(window, 600)
        expect(self.zoom("replanned") == 300, "something was done that was not shown")
        faults = window.axe()
        expect(not faults, "axe on a plan that changed:\n" + "\n".join(faults))
        # A change that the plan does not touch.
        self.change("replanned", spare=1)
        window.click('[data-key="do exactly this"]')
        self.says(window, "This was done")
        expect(self.zoom("replanned") == 600, "the new plan was not performed")
        # It asks, since it would be too much.
        self.change("replanned", zoom=2000)
        window.click("[data-key=try]")
        self.shows(window, 4000)
        expect("A person is asked first: “Zoom to 4000?”" in window.text(".trial"), window.text(".trial"))
        self.change("replanned", zoom=3000)
        window.click('[data-key="do exactly this"]')
        window.wait("document.querySelector('dialog[open] h2')?.innerText === 'Zoom to 6000?'")
        window.click("dialog[open] button.primary")
        self.says(window, "Nothing was done, since something else would happen now.")
        self.shows(window, 6000)
        expect("A person is asked first: “Zoom to 6000?”" in window.text(".trial"), window.text(".trial"))
        for button in ["Cancel", "Zoom"]:
            window.click('[data-key="do exactly this"]')
            window.wait("document.querySelector('dialog[open] h2')?.innerText === 'Zoom to 6000?'")
            window.click(f"dialog[open] button{'.primary' if button == 'Zoom' else ':not(.primary)'}")
            window.wait("!document.querySelector('dialog[open]')")
            if button == "Cancel":
                self.says(window, "Nothing was done, since something else")
                expect(self.zoom("replanned") == 3000, "it was done without a yes")
        self.says(window, "This was done")
        expect(self.zoom("replanned") == 6000, "it was not done after a yes")
        # The refusals are what the browser tells of.
        window.messages()

    def check_plan_that_cannot_be_performed(self):
        """A plan that expired, or is not good here, says so and can be made again; a disabled command says why."""
        with self.serving(["--config", "Config/menud.json"], {"MENUD_PLANS_LIFETIME": "1"}) as url:
            window = self.open_failing("demo", url)
            try:
                self.open_tried("demo", window, url)
                window.click("[data-key=try]")
                self.shows(window, 200)
                time.sleep(1.2)
                window.click('[data-key="do exactly this"]')
                self.says(window, "Nothing was done. The plan was good until")
                expect(self.zoom("demo", url) == 100, "an expired plan was performed")
                window.run(f"globalThis.fails = (url) => url.endsWith('commands/perform') && globalThis.isForeign && {FOREIGN}")
                window.click('[data-key="try again"]')
                self.says(window, "Nothing was done yet.")
                window.run("globalThis.isForeign = true")
                window.click('[data-key="do exactly this"]')
                self.says(window, "Nothing was done. The plan was made with another token")
                window.run("globalThis.isForeign = false")
                window.click('[data-key="try again"]')
                self.says(window, "Nothing was done yet.")
                window.click('[data-key="do exactly this"]')
                self.says(window, "This was done")
                window.click("[data-key=try]")
                self.shows(window, 400)
                refusing = {"validate": {"requires": [{"if": "false", "else": "Not now."}]}}
                self.ask("PUT", handler("demo", "photoGrid", "rotateLeft:"), refusing, url=url)
                window.click('[data-key="do exactly this"]')
                window.wait("document.querySelector('#notices').innerText.includes('was not done')")
                window.wait("document.querySelector('.verdict.no')?.innerText.includes('Not now.')")
                window.wait("!document.querySelector('.trial')")
            finally:
                window.close()

    def check_plan_with_parameters(self):
        """The form asks for them once; the plan has them."""
        schema = {"type": "object", "properties": {"zoom": {"type": "integer", "maximum": 900}}, "required": ["zoom"]}
        window = self.open_new("formed")
        self.ask("PUT", "commands/zoomTo:", {"title": "Zoom To", "action": "zoomTo:", "parameters": schema})
        try:
            perform = {"perform": [{"op": "replace", "path": "/zoom", "value": "parameters.zoom"}]}
            self.ask("PUT", handler("formed", "photoGrid", "zoomTo:"), perform)
            window.click(".find")
            window.wait("document.querySelector('.palette [role=option]')")
            window.keys("zoom to")
            window.wait("document.querySelector('.palette [aria-selected=true]')?.innerText.includes('Zoom To')")
            window.chord("\ue008", "\ue007")
            window.wait("document.querySelector('[data-key=try]')?.innerText === 'Try…'")
            window.click("[data-key=try]")
            window.wait("document.querySelector('dialog.parameters #parameter-zoom')")
            window.keys("1000\ue007")
            window.wait("document.querySelector('#parameter-zoom-says')?.innerText.includes('900')")
            window.keys("\ue003" * 4 + "500\ue007")
            self.shows(window, 500)
            expect(self.zoom("formed") == 100, "a dry run was kept")
            window.click('[data-key="do exactly this"]')
            self.says(window, "This was done")
            expect(self.zoom("formed") == 500, "the plan has other parameters")
        finally:
            self.ask("DELETE", "commands/zoomTo:")
        # The refusal is what the browser tells of.
        window.messages()
