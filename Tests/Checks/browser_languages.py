"""The checks of languages in the console, which browser.py runs with its own (M14): the list of them, and what follows."""

import json
import os
import shutil
import tempfile

from browser_connection import ARROW
from browser_large import Failure, expect
from browser_windows import CUT, WindowChecks
from program import ROOT

CONTROL = "document.querySelector('[data-key=language]')"
TITLE = "document.querySelector('[data-key=\"bar {}\"]')?.innerText"
FOCUS = "document.activeElement"
TAB, CONTROL_KEY, ESCAPE, F10 = "\ue004", "\ue009", "\ue00c", "\ue03a"

# Hebrew is written from right to left. What is missing stays as it is declared.
HEBREW = {
    "commands": {"zoomIn:": "הגדלה", "zoomOut:": "הקטנה", "rotateLeft:": "סיבוב שמאלה", "delete:": "מחיקה", "copy:": "העתקה"},
    "menus": {"app": "תמונות", "file": "קובץ", "edit": "עריכה", "image": "תמונה", "rating": "דירוג", "albums": "אלבומים", "view": "תצוגה"},
}


class LanguageChecks(WindowChecks):
    """Checks of the language of a session."""

    def check_languages(self):
        """The list sets the session's language, by keys alone: menus, palette and keys follow, and go back."""
        name = "languages"
        window = self.open_new(name)
        said = window.run(f"return [...{CONTROL}.options].map((one) => one.innerText)")
        expect(said == ["Original", "Deutsch"], f"the languages are {said}")
        expect(window.run(f"return {CONTROL}.labels[0].innerText.startsWith('Language')"), "the list has no label")
        self.choose(window, ARROW["down"])
        window.wait(TITLE.format("image") + " === 'Bild'")
        expect(self.ask("GET", f"sessions/{name}")["locale"] == "de", "the session has another language")
        expect(window.run(f"return {FOCUS} === {CONTROL} && {CONTROL}.value") == "de", "the list has not the keyboard any more")
        expect(window.run("return document.querySelector('#menubar').lang") == "de", "the menus are not marked as German")
        window.wait("document.querySelector('.toolbar')?.innerText.includes('Kopieren')")
        self.read_german(window, name)
        # Another one sets a language that is not in the list.
        self.ask("PUT", f"sessions/{name}/locale", {"locale": "de-AT"})
        window.wait(f"{CONTROL}.value === 'de-AT' && {CONTROL}.selectedOptions[0].innerText.includes('Deutsch')")
        expect(window.run("return " + TITLE.format("image")) == "Bild", "German for Austria is not German")
        self.ask("PUT", f"sessions/{name}/locale", {"locale": "de"})
        window.wait(f"{CONTROL}.value === 'de'")
        self.choose(window, ARROW["up"])
        window.wait(TITLE.format("image") + " === 'Image'")
        expect("locale" not in self.ask("GET", f"sessions/{name}"), "the session has a language still")
        expect(not window.run("return document.querySelector('#menubar').hasAttribute('lang')"), "the menus are marked still")
        window.menu("view")
        window.wait("document.querySelector('.popup')?.innerText.includes('Zoom In')")
        window.keys(ESCAPE)

    def choose(self, window, key):
        """Reaches the list of languages by the tabulator, and presses a key there."""
        window.run("document.querySelector('[data-key=session]').focus()")
        for _ in range(20):
            window.keys(TAB)
            if window.run(f"return {FOCUS} === {CONTROL}"):
                return window.keys(key)
        raise Failure("the tabulator does not reach the languages")

    def read_german(self, window, name):
        """Reads the menus, the palette and the keys of a session in German."""
        window.keys(F10)
        window.wait(f"{FOCUS}.closest('[role=menubar]')")
        window.keys(ARROW["left"], ARROW["down"])
        window.wait(f"{FOCUS}.innerText.startsWith('Vergrößern')")
        reason = window.run(f"return {FOCUS}.getAttribute('aria-description')")
        expect(reason == "Öffnen Sie zuerst ein Foto.", f"the reason is {reason!r}")
        window.keys(ESCAPE)
        window.chord(CONTROL_KEY, "k")
        window.wait("document.querySelector('.palette [role=option]')")
        window.keys("drehen")
        found = "document.querySelector('.palette .found')?.innerText ?? ''"
        window.wait(f"({found}).includes('Nach links drehen') && document.querySelector('#palette').lang === 'de'")
        # It follows while it is open, and finds by the words of both languages.
        window.run("document.querySelector('.palette input').select()")
        window.keys("rotate")
        window.wait(f"({found}).includes('Nach links drehen')")
        self.ask("PUT", f"sessions/{name}/locale", {"locale": None})
        window.wait(f"({found}).includes('Rotate Left') && !({found}).includes('drehen')")
        self.ask("PUT", f"sessions/{name}/locale", {"locale": "de"})
        window.wait(f"({found}).includes('Nach links drehen')")
        window.keys(ESCAPE)
        window.run("document.querySelector('.canvas').focus()")
        window.keys("?")
        window.wait("document.querySelector('.keysheet')?.innerText.includes('Nach rechts drehen')")
        titles = window.run("return [...document.querySelectorAll('.keysheet h3')].map((one) => one.innerText)")
        expect("Bearbeiten" in titles and "Edit" not in titles, f"the groups of keys are {titles}")
        faults = window.axe()
        expect(not faults, "axe on the keys in German:\n" + "\n".join(faults))
        window.keys(ESCAPE)
        # The user's own keys are found by the titles of both languages.
        shown = window.run("return document.querySelector('[id^=tab-][aria-selected=true]').id")
        window.run("document.querySelector('#tab-keymap').click()")
        rows = "[...document.querySelectorAll('.keymap > li > button')].map((one) => `${one.innerText} ${one.lang}`)"
        for typed in ["drehen", "rotate"]:
            window.wait("document.querySelector('[data-key=\"keymap query\"]')")
            # The panel may hold what another check has typed.
            window.run("const field = document.querySelector('[data-key=\"keymap query\"]'); field.value = arguments[0]; field.dispatchEvent(new Event('input'))", typed)
            window.wait(f"{rows}.join() === 'Nach links drehen de,Nach rechts drehen de'")
        window.run("document.getElementById(arguments[0]).click()", shown)

    def check_language_is_refused(self):
        """The list shows the present language again."""
        window = self.open_failing("refused-language")
        try:
            problem = json.dumps({"type": "/problems/forbidden", "title": "Not allowed", "status": 403, "detail": "The token cannot set the language."})
            window.run(f"globalThis.fails = (url, {{ method }}) => method === 'PUT' && url.endsWith('/locale') && {problem}")
            self.choose(window, ARROW["down"])
            window.wait("document.querySelector('#notices').innerText.includes('The token cannot set the language.')")
            window.wait(f"{CONTROL}.value === ''")
            expect(window.run(f"return {FOCUS} === {CONTROL}"), "the list has not the keyboard any more")
        finally:
            self.finish(window)

    def check_no_languages(self):
        """Without strings there is no list."""
        with self.serving(["--application", "Config/master-detail", "--session", "demo"]) as url:
            window = self.new_window(url).open("demo")
            try:
                expect(not window.run(f"return {CONTROL}"), "there are languages to choose from")
            finally:
                self.finish(window)

    def check_languages_in_all_windows(self):
        """Nothing is cut and axe finds nothing, in dark and narrow windows, and from right to left."""
        with tempfile.TemporaryDirectory() as folder:
            application = os.path.join(folder, "application")
            shutil.copytree(os.path.join(ROOT, "Config", "photo-app"), application)
            with open(os.path.join(application, "strings", "he.json"), "w", encoding="utf-8") as file:
                json.dump(HEBREW, file)
            with self.serving(["--application", application, "--session", "demo"]) as url:
                window = self.new_window(url)
                try:
                    for tag, title in [("de", "Bild"), ("he", "תמונה")]:
                        self.ask("PUT", "sessions/demo/locale", {"locale": tag}, url=url)
                        for size in ["wide", "small"]:
                            for dark in [False, True]:
                                window.show(size, dark)
                                window.driver.get("about:blank")
                                window.open("demo")
                                window.wait(TITLE.format("image") + f" === {json.dumps(title)}")
                                self.look(window, f"language-{tag}-{size}-{'dark' if dark else 'light'}")
                        if tag == "he":
                            window.show("wide", False)
                            self.use_from_the_right(window)
                finally:
                    self.finish(window)

    def look(self, window, name):
        """Opens a menu in a menu."""
        cut = window.run(CUT)
        window.menu("image", "albums")
        window.wait("document.querySelectorAll('.popup .popup button').length === 3")
        popups = """return [...document.querySelectorAll('.popup')].filter((popup) => {
            const { left, right } = popup.getBoundingClientRect()
            return left < 0 || right > innerWidth
          }).map((popup) => popup.getAttribute('aria-label'))"""
        cut += window.run(popups)
        faults = window.axe()
        self.picture(window, name)
        expect(not cut, f"cut in {name}:\n" + "\n".join(cut))
        expect(not faults, f"axe, {name}:\n" + "\n".join(faults))
        window.keys(ESCAPE)

    def use_from_the_right(self, window):
        """The next menu is on the left, and so is a menu in a menu."""
        place = "document.querySelector('{}').getBoundingClientRect()"
        window.run("document.activeElement.blur()")
        window.open("demo")
        expect(window.run("return document.querySelector('#menubar').dir") == "rtl", "the menus are written from the left")
        first, second = [window.run("return " + place.format(f'[data-key="bar {name}"]') + ".left") for name in ["app", "file"]]
        expect(first > second, "the first menu is on the left")
        window.keys(F10)
        window.keys(ARROW["left"], ARROW["left"], ARROW["left"], ARROW["down"])
        window.wait(f"{FOCUS}.dataset.key === 'sub image rating'")
        window.keys(ARROW["left"])
        window.wait(f"{FOCUS}.dataset.command === 'applyNoStarRating:'")
        outer, inner = place.format(".popup"), place.format(".popup .popup")
        expect(window.run(f"return {inner}.right <= {outer}.left + 4"), "the menu in the menu is on the right")
        window.keys(ARROW["right"])
        window.wait(f"{FOCUS}.dataset.key === 'sub image rating'")
        window.keys(ARROW["right"])
        window.wait("document.querySelector('[data-key=\"bar edit\"]').getAttribute('aria-expanded') === 'true'")
        window.keys(ESCAPE)
        # The tool bar, too.
        window.run("document.querySelector('.toolbar button').focus()")
        window.keys(ARROW["left"])
        window.wait(f"{FOCUS} === document.querySelectorAll('.toolbar button')[1]")
