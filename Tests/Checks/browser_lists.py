"""The checks of items from data in the console, which browser.py runs with its own (M12)."""

import json
import time

from browser_connection import ARROW
from browser_large import expect
from browser_windows import CUT, WindowChecks

FOCUS = "document.activeElement"
NAMES = "[...document.querySelectorAll('.popup [data-command=\"{}\"] .name')].map((one) => one.innerText)"
ENTER, ESCAPE, F10 = "\ue007", "\ue00c", "\ue03a"


class ListChecks(WindowChecks):
    """Checks of menus that live."""

    def check_list(self):
        """An open list follows the state, and the focused item stays so, by keys alone."""
        with self.serving(["--application", "Config/text-editor", "--session", "demo"]) as url:
            window = self.new_window(url)
            try:
                for size in ["wide", "small"]:
                    for dark in [False, True]:
                        name = f"list-{size}-{'dark' if dark else 'light'}"
                        self.ask("POST", "sessions", {"id": name}, url=url)
                        window.show(size, dark)
                        window.open(name)
                        self.use_recent(window, url, name)
                window.show("wide", False)
                self.use_windows(window.open("demo"), url)
            finally:
                self.finish(window)

    def edit(self, url, session, *patch):
        """Changes the state as another front end does."""
        mutation = {"op": "patchState", "patch": list(patch)}
        self.ask("POST", f"sessions/{session}/mutations", {"mutations": [mutation]}, url=url)

    def lists(self, window, names, focused, command="openRecent:"):
        """Waits for the items of an open list, and for the focused one."""
        window.wait(f"({NAMES.format(command)}).join() === {json.dumps(','.join(names))}")
        key = window.run(f"return {FOCUS}.dataset.itemKey")
        expect(key == focused, f"the focus is on {key}, among {names}")

    def use_recent(self, window, url, name):
        cut = window.run(CUT)
        window.keys(F10)
        window.keys(ARROW["down"], ARROW["down"])
        window.wait(f"{FOCUS}.dataset.key === 'sub file recent'")
        window.keys(ARROW["right"])
        self.lists(window, ["roses.txt", "aunt.txt"], "/poems/roses.txt")
        window.keys(ARROW["down"])
        aunt = "/letters/aunt.txt"
        self.lists(window, ["roses.txt", "aunt.txt"], aunt)
        # One before it is inserted, it is renamed, it is moved, and others leave.
        self.edit(url, name, {"op": "add", "path": "/recent/0", "value": {"path": "/new.txt", "name": "new.txt"}})
        self.lists(window, ["new.txt", "roses.txt", "aunt.txt"], aunt)
        self.edit(url, name, {"op": "replace", "path": "/recent/2/name", "value": "aunt Emma.txt"})
        self.lists(window, ["new.txt", "roses.txt", "aunt Emma.txt"], aunt)
        self.edit(url, name, {"op": "move", "from": "/recent/2", "path": "/recent/1"})
        self.lists(window, ["new.txt", "aunt Emma.txt", "roses.txt"], aunt)
        faults = window.axe()
        self.picture(window, name)
        expect(not cut and not faults, f"{name}:\n" + "\n".join(cut + faults))
        # The item that has the focus leaves: its neighbour has it then.
        self.edit(url, name, {"op": "remove", "path": "/recent/1"})
        self.lists(window, ["new.txt", "roses.txt"], "/poems/roses.txt")
        window.keys(ENTER)
        window.wait("!document.querySelector('.popup')")
        window.wait("document.activeElement.dataset.key === 'bar file'")
        window.wait("document.querySelector('.revision').textContent.endsWith('5')")
        answer = self.ask("GET", f"sessions/{name}/deliveries", url=url)
        expect([one["value"] for one in answer["deliveries"]] == ["/poems/roses.txt"], f"performed is {answer}")
        window.keys(ARROW["down"], ARROW["down"], ARROW["right"])
        self.lists(window, ["roses.txt", "new.txt"], "/poems/roses.txt")
        # All of them leave: what is still there has the focus.
        self.edit(url, name, {"op": "replace", "path": "/recent", "value": []})
        window.wait(f"{FOCUS}.dataset.command === 'clearRecent:'")
        reason = window.run(f"return {FOCUS}.getAttribute('aria-description')")
        expect(reason == "There are no recent documents.", f"the reason is {reason!r}")
        window.keys(ESCAPE)

    def use_windows(self, window, url):
        """The list of windows has a check mark, which is read aloud; the palette has the items, too."""
        window.keys(F10)
        window.keys(ARROW["left"], ARROW["down"])
        self.lists(window, ["roses.txt"], "1", "showWindow:")
        self.edit(url, "demo", {"op": "add", "path": "/windows/-", "value": {"id": "2", "title": "aunt.txt"}})
        self.lists(window, ["roses.txt", "aunt.txt"], "1", "showWindow:")
        marks = "[...document.querySelectorAll('.popup [aria-checked]')].map((one) => one.getAttribute('aria-checked')).join()"
        window.wait(f"{marks} === 'true,false'")
        window.keys(ARROW["down"], ENTER)
        window.wait("!document.querySelector('.popup')")
        window.keys(ARROW["down"])
        window.wait(f"{marks} === 'false,true'")
        window.keys(ESCAPE)
        window.chord("\ue009", "k")
        window.wait("document.querySelector('.palette [role=option]')")
        window.keys("aunt")
        window.wait("document.querySelector('.palette .found')?.innerText.includes('aunt.txt')")
        window.keys(ESCAPE)

    def check_pointer_at_rest(self):
        """A pointer that lies on the menu bar opens nothing when what is under it is drawn anew."""
        window = self.open_new("resting")
        for _ in range(2):
            window.click('[data-key="bar edit"]')
        window.wait("!document.querySelector('.popup')")
        window.keys(F10)
        window.keys(ARROW["left"], ARROW["down"])
        for title in ["one", "two", "three"]:
            self.edit(self.url, "resting", {"op": "add", "path": "/title", "value": title})
            time.sleep(0.2)
            said = window.run("return document.querySelector('.menubar [aria-expanded=true]')?.dataset.key")
            expect(said == "bar view", f"the open menu is {said}")
            expect(window.run(f"return {FOCUS}.dataset.command") == "zoomIn:", "another item has the focus")
        window.keys(ESCAPE)
        # One that moves does.
        window.menu("image")
        window.hover('[data-key="sub image rating"]')
        window.wait("document.querySelector('.popup .popup [data-command=\"applyOneStarRating:\"]')")
        window.hover('[data-key="bar edit"]')
        window.wait("document.querySelector('.popup [data-command=\"cut:\"]')")
        window.keys(ESCAPE)

    def check_albums(self):
        """Albums of the photo application: a check mark for each, mixed if only some photos are in it."""
        window = self.open_new("albums")
        self.ask("POST", "sessions/albums/mutations", {"mutations": [{"op": "mergeState", "patch": {"selection": ["lake", "harbour"]}}]})
        window.keys(F10)
        window.keys("im", ARROW["down"])
        # Else it would go on with the text that was typed.
        time.sleep(1)
        window.keys("al")
        window.wait(f"{FOCUS}.dataset.key === 'sub image albums'")
        window.keys(ARROW["right"])
        marks = "[...document.querySelectorAll('.popup .popup button')].map((one) => one.getAttribute('aria-checked')).join()"
        window.wait(f"{marks} === 'mixed,mixed,false'")
        faults = window.axe()
        expect(not faults, "\n".join(faults))
        self.picture(window, "albums-wide-light")
        window.keys(ENTER)
        window.menu("image", "albums")
        window.wait(f"{marks} === 'true,mixed,false'")
        self.inspect_album(window)

    def inspect_album(self, window):
        """An item is explained as itself, tried and performed with its key, and told by it when it is gone."""
        self.shift_click(window, '.popup [data-item-key="Coast"]')
        window.wait("document.querySelector('.verdict.yes .title')?.innerText === 'Coast'")
        said = window.text(".verdict")
        expect("mixed" in said and "photoGrid performs it." in said and "Image › Albums" in said, f"the inspector says {said!r}")
        expect("To tool bar" not in said and "Try…" not in said, f"the item is taken for its command: {said!r}")
        window.wait("[...document.querySelectorAll('.cel')].some((one) => one.innerText.includes('parameters.album'))")
        window.click("[data-key=try]")
        window.wait("document.querySelector('.trial')?.innerText.includes('/photos')")
        revision = self.ask("GET", "sessions/albums")["revision"]
        window.click("[data-key=perform]")
        window.wait("document.querySelector('.verdict .chip')?.innerText === 'checked'")
        expect(self.ask("GET", "sessions/albums")["revision"] == revision + 1, "it was performed more than once")
        photos = self.ask("GET", "sessions/albums")["state"]["photos"]
        expect(all("Coast" in photos[name]["albums"] for name in ["lake", "harbour"]), f"the photos are {photos}")
        self.edit(self.url, "albums", {"op": "replace", "path": "/albums", "value": ["Alps"]})
        window.wait("document.querySelector('.verdict.no')?.innerText.includes('There is no such item any more')")
        window.run("document.querySelector('#tab-history').click()")
        window.wait("document.querySelector('ol.history li.command')?.innerText.includes('Coast')")
