"""The checks of forms in the console, which browser.py runs with its own: parameters, choices, and keys alone."""

import json

from browser_large import expect, handler
from browser_plans import PlanChecks

ENTER, ESCAPE, SPACE, TAB, DOWN = "\ue007", "\ue00c", " ", "\ue004", "\ue015"
CONTROL, ALT = "\ue009", "\ue00a"
TROUBLE = "document.querySelector('dialog form > .error')?.innerText.includes('At most four copies can be made.')"

ALBUMS = {
    "title": "Add to Albums…",
    "action": "addToAlbums:",
    "parameters": {
        "type": "object",
        "properties": {
            "albums": {"type": "array", "title": "Albums", "items": {"type": "string"}, "minItems": 1},
            "cover": {"type": "string", "title": "Cover"},
            "note": {"type": "string", "title": "Note"},
            "copies": {"type": "integer", "title": "Copies", "minimum": 1, "default": 1},
            "isShared": {"type": "boolean", "title": "Shared", "default": False},
            "options": {"type": "object", "title": "Options"},
        },
        "required": ["albums", "cover"],
        "additionalProperties": False,
    },
    "choices": {
        "albums": "state.albums.map(one, {'const': one, 'title': 'Album ' + one})",
        "cover": "state.photos.map(one, {'const': one, 'title': state.photos[one].title})",
    },
    "defaults": {"albums": "[state.album]", "note": "'From ' + state.album"},
}
FOCUS = "document.activeElement"
FILL = {
    "title": "Fill In…",
    "action": "fill:",
    "key": {"input": "j", "modifiers": ["command", "alternate"]},
    "parameters": {"type": "object", "properties": {"text": {"type": "string"}, "n": {"type": "integer"}}, "required": ["text"]},
}
AT_MOST_FOUR = {
    "validate": {"requires": [{"if": "!has(parameters.n) || parameters.n < 5", "else": "At most four copies can be made."}]},
    "perform": [{"op": "add", "path": "/filled", "value": "parameters"}],
}


class FormChecks(PlanChecks):
    """Checks of the forms of commands."""

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
            window.wait("document.querySelector('dialog.palette #parameter-width')")
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

    def check_parameters_with_odd_names_and_long_integers(self):
        """Each property has a field of its own, whatever its name is; integers of 64 bits stay what they are."""
        names = ["", "a b", "a-b", "a%20b", "a", "a-says", "__proto__"]
        long = 9007199254740993
        properties = {name: {"type": "string"} for name in names} | {
            "typed": {"type": "integer"}, "half": {"type": "number"}, "chosen": {"enum": [long - 1, long], "default": long},
            "given": {"type": "integer", "default": long}, "any": {"type": "object", "default": {"of": long}},
        }
        command = {"title": "Frame…", "action": "frame:", "parameters": {"type": "object", "properties": properties}}
        self.ask("PUT", "commands/frame:", command)
        try:
            window = self.open_new("frames")
            self.ask("PUT", handler("frames", "photoGrid", "frame:"), {"perform": [{"op": "add", "path": "/frame", "value": "parameters"}]})
            self.find(window, "frame", "Frame")
            window.wait("document.querySelector('dialog.palette form')")
            faults = window.axe()
            expect(not faults, "axe on the form:\n" + "\n".join(faults))
            ids = window.run("return [...document.querySelectorAll('dialog.palette form [id]')].map(({ id }) => id)")
            expect(len(set(ids)) == len(ids) and not any(" " in one for one in ids), f"the ids are {ids}")
            titles = window.run("return [...document.querySelectorAll('dialog.palette form option')].map(({ innerText }) => innerText)")
            expect(titles == ["—", str(long - 1), str(long)], f"the choices are {titles}")
            values = {**{name: f"value {at}" for at, name in enumerate(names)}, "typed": str(long), "half": ".5"}
            order = [*names, "typed", "half", "chosen", "given", "any"]
            window.run("""const inputs = [...document.querySelectorAll('dialog.palette form :is(input, textarea, select)')]
              arguments[0].forEach((value, at) => { if (value !== null) inputs[at].value = value })""", [values.get(name) for name in order])
            window.click("dialog .primary")
            window.wait("!document.querySelector('dialog')")
            wanted = {**values, "typed": long, "half": 0.5, "chosen": long, "given": long, "any": {"of": long}}
            performed = self.ask("GET", "sessions/frames")["state"]["frame"]
            expect(performed == wanted, f"performed with {performed}")
        finally:
            self.ask("DELETE", "commands/frame:")

    def find(self, window, typed, title):
        """Chooses a command in the palette by keys."""
        window.chord("\ue009", "k")
        window.wait("document.querySelector('.palette [role=option]')")
        window.keys(typed)
        window.wait(f"document.querySelector('.palette [aria-selected=true]')?.innerText.includes({json.dumps(title)})")
        window.keys(ENTER)

    def check_choices(self):
        """P4: the palette asks for parameters, with the present choices, by keys alone; mistakes are told at fields."""
        self.ask("PUT", "commands/addToAlbums:", ALBUMS)
        try:
            for size in ["wide", "narrow"]:
                for dark in [False, True]:
                    self.use_choices(size, dark)
        finally:
            self.window.show("wide", False)
            self.ask("DELETE", "commands/addToAlbums:")
        # The refusals are what the browser tells of.
        self.window.messages()

    def use_choices(self, size, dark):
        name = f"choices-{size}-{'dark' if dark else 'light'}"
        self.window.show(size, dark)
        window = self.open_new(name)
        self.ask("POST", f"sessions/{name}/mutations", {"mutations": [{"op": "mergeState", "patch": {"albums": ["Alps", "Coast", "Owls"]}}]})
        self.ask("PUT", handler(name, "photoGrid", "addToAlbums:"), {"perform": [{"op": "add", "path": "/added", "value": "parameters"}]})
        self.find(window, "to albums", "Add to Albums")
        window.wait(f"{FOCUS}.id === 'parameter-albums-0'")
        labels = window.run("return [...document.querySelectorAll('.palette .choices label')].map((one) => one.innerText)")
        expect(labels == ["Album Alps", "Album Coast", "Album Owls"], f"the albums are {labels}")
        chosen = window.run("return [...document.querySelectorAll('.palette .choices input')].map((one) => one.checked)")
        expect(chosen == [True, False, False], f"at first {chosen} is chosen")
        expect(window.run("return document.querySelector('#parameter-note').value") == "From Alps", "there is no first note")
        titles = window.run("return [...document.querySelectorAll('#parameter-cover option')].map((one) => one.innerText)")
        expect(titles == ["—", "Alpine Lake", "Harbour at Dusk", "Meadow in Fog", "Barn Owl"], f"the covers are {titles}")
        expect("required" in window.text(".palette [id=parameter-albums-label]"), "what is required is not marked")
        expect(window.run("return document.querySelector('#parameter-options').tagName") == "TEXTAREA", "an object has another field")
        faults = window.axe()
        if size == "wide" and not dark:
            self.picture(window, "form-wide-light")
        # Escape goes back to the list, and once more closes it.
        window.keys(ESCAPE)
        window.wait(f"{FOCUS}.matches('.palette [role=combobox]') && !document.querySelector('.palette form')")
        window.keys(ENTER)
        window.wait(f"{FOCUS}.id === 'parameter-albums-0'")
        # The state changes between the form and the request: the refusal names the choices of now, which are offered then.
        self.ask("POST", f"sessions/{name}/mutations", {"mutations": [{"op": "mergeState", "patch": {"albums": ["Coast", "Owls"]}}]})
        window.keys(TAB, SPACE, ENTER)
        window.wait("document.querySelector('#parameter-albums-says')?.innerText.includes(\"Expected 'Coast' or 'Owls'\")")
        expect(window.run(f"return {FOCUS}.id") == "parameter-albums-0", "the mistake has not the keyboard")
        described = window.run(f"return document.getElementById({FOCUS}.getAttribute('aria-describedby')).innerText")
        expect("'Alps'" in described and window.run(f"return {FOCUS}.getAttribute('aria-invalid')") == "true", f"the field says {described!r}")
        faults += window.axe()
        labels = window.run("return [...document.querySelectorAll('.palette .choices label')].map((one) => [one.innerText, one.querySelector('input').checked])")
        expect(labels == [["Album Coast", True], ["Album Owls", False]], f"the albums are {labels}")
        window.keys(TAB, TAB, DOWN, DOWN, ENTER)
        window.wait("!document.querySelector('dialog')")
        added = self.ask("GET", f"sessions/{name}")["state"]["added"]
        wanted = {"albums": ["Coast"], "cover": "harbour", "note": "From Alps", "copies": 1, "isShared": False}
        expect(added == wanted, f"performed with {added}")
        # Nothing to choose, and a rule that fails.
        self.ask("POST", f"sessions/{name}/mutations", {"mutations": [{"op": "mergeState", "patch": {"albums": [], "photos": None}}]})
        self.find(window, "to albums", "Add to Albums")
        window.wait("document.querySelector('#parameter-cover-says')?.innerText.includes('The choices are not known')")
        expect("Nothing to choose" in window.text("#parameter-albums"), "an empty list is not told")
        faults += window.axe()
        expect(not faults, f"axe, {name}:\n" + "\n".join(faults))
        window.keys(ESCAPE)
        window.wait(f"{FOCUS}.matches('.palette [role=combobox]')")
        window.keys(ESCAPE)
        window.wait("!document.querySelector('dialog')")

    def check_refused_forms(self):
        """A form stays open with all that was typed, and says why it is refused, wherever it was opened."""
        with self.serving(["--application", "Config/photo-app", "--session", "fill"]) as url:
            window = self.new_window(url)
            try:
                self.ask("PUT", "commands/fill:", FILL, url=url)
                self.ask("PUT", handler("fill", "application", "fill:"), AT_MOST_FOUR, url=url)
                menu = {"identifier": "filling", "title": "Filling", "children": ["fill:"]}
                self.ask("POST", "menus/edits", {"edits": [{"op": "insertChild", "atEndOfMenu": "root", "menu": menu}]}, url=url)
                window.open("fill")
                window.wait("document.querySelector('[data-key=\"bar filling\"]')")

                def choose():
                    window.menu("filling")
                    window.click('.popup [data-command="fill:"]')

                def press():
                    window.run("document.querySelector('.canvas').focus()")
                    window.chord(CONTROL, ALT, "j")

                def inspect():
                    window.menu("filling")
                    self.shift_click(window, '.popup [data-command="fill:"]')
                    window.click("[data-key=perform]")

                for number, way in enumerate([lambda: self.find(window, "fill in", "Fill In"), choose, press, inspect]):
                    way()
                    self.refuse(window)
                    # It can be sent again, by the pointer too.
                    window.click("dialog .primary")
                    window.wait(f"{TROUBLE} && {FOCUS}.matches('dialog .primary')")
                    window.run("document.querySelector('#parameter-n').select()")
                    window.keys(str(number), ENTER)
                    window.wait("!document.querySelector('dialog')")
                    filled = self.ask("GET", "sessions/fill", url=url)["state"]["filled"]
                    expect(filled == {"text": "precious", "n": number}, f"performed with {filled}")
                # A try is refused in the form as well.
                window.click("[data-key=try]")
                self.refuse(window)
                window.keys(ESCAPE)
                window.wait("!document.querySelector('dialog')")
                # Any other refusal leaves the form; it goes with the session.
                choose()
                window.wait("document.querySelector('#parameter-text')")
                self.ask("DELETE", handler("fill", "application", "fill:"), url=url)
                window.keys("precious", ENTER)
                window.wait("document.querySelector('dialog form > .error')?.innerText.includes('Nobody on the chain handles it')")
                expect(window.run("return document.querySelector('#parameter-text').value") == "precious", "a text is lost")
                self.ask("DELETE", "sessions/fill", url=url)
                window.keys(ENTER)
                window.wait("!document.querySelector('dialog')")
            finally:
                window.close()

    def refuse(self, window):
        """Types too many copies into the form, which says so and keeps the text and the keyboard."""
        window.wait(f"{FOCUS}.id === 'parameter-text'")
        window.keys("precious", TAB, "9", ENTER)
        window.wait(TROUBLE)
        values = window.run("return [...document.querySelectorAll('dialog form input')].map(({ value }) => value)")
        expect(values == ["precious", "9"], f"the form has {values}")
        expect(window.run(f"return {FOCUS}.id") == "parameter-n", "the form has lost the keyboard")
        expect(not window.run("return document.querySelector('.notice')"), "a notice says it too")

    def check_first_texts(self):
        """The texts that a form begins with are kept, whatever their format."""
        texts = {
            "lines": ["one\ntwo", {}], "returns": ["one\r\ntwo", {}], "time": ["10:00:00Z", {"format": "time"}],
            "local": ["29.11.2026", {"format": "date"}], "address": [" a@b.c", {"format": "email"}], "date": ["2026-11-29", {"format": "date"}],
        }
        properties = {name: {"type": "string", "default": text, **more} for name, (text, more) in texts.items()}
        self.ask("PUT", "commands/note:", {"title": "Note…", "action": "note:", "parameters": {"type": "object", "properties": properties, "required": ["lines"]}})
        try:
            window = self.open_new("texts")
            self.ask("PUT", handler("texts", "photoGrid", "note:"), {"perform": [{"op": "add", "path": "/noted", "value": "parameters"}]})
            self.find(window, "note", "Note")
            window.wait("document.querySelector('#parameter-lines')")
            shown = window.run("return [...document.querySelectorAll('dialog form :is(input, textarea)')].map(({ name, type, value }) => [name.slice(10), type, value])")
            wanted = [[name, "textarea" if "\n" in text else "text", text.replace("\r", "")] for name, (text, _) in texts.items()]
            wanted[-1][1] = "date"
            expect(shown == wanted, f"the fields are {shown}")
            window.click("dialog .primary")
            window.wait("!document.querySelector('dialog')")
            noted = self.ask("GET", "sessions/texts")["state"]["noted"]
            expect(noted == {name: text for name, (text, _) in texts.items()}, f"performed with {noted}")
        finally:
            self.ask("DELETE", "commands/note:")
