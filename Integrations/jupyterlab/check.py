#!/usr/bin/env python3
"""Checks the extension in JupyterLab, as a person uses it in Chromium: menu, palette and registry of commands, through
a restart and many changes."""

import argparse
import importlib.util
import os
import shutil
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(HERE, "checks"), os.path.join(ROOT, "Tests", "Checks")]

from lab import DIALOG, Lab, Photos, expect, until  # noqa: E402
from program import end_by_signals, free_port  # noqa: E402

STARS = ["applyOneStarRating:", "applyTwoStarRating:", "applyThreeStarRating:"]
WIDTH = {"type": "object", "properties": {"width": {"type": "integer", "minimum": 16}}, "required": ["width"]}
# Commands that are declared while JupyterLab is open, and a menu with them.
CROP = {
    "title": "Crop", "action": "rotateLeft:", "propertyList": "crop",
    "confirmation": {"title": "Crop it?", "button": "Crop now"}}
RESIZE = {"title": "Resize…", "action": "resize:", "parameters": WIDTH}
MORE = {"identifier": "more", "title": "More", "children": ["crop", "resize:"]}


def missing():
    """The package that is missing here, if one is."""
    for package in ["jupyterlab", "selenium"]:
        if not importlib.util.find_spec(package):
            return f"the package {package} of PyPI is missing"
    for program, package in {"chromium": "chromium", "chromedriver": "chromium-driver"}.items():
        if not shutil.which(program):
            return f"the package {package} is missing"
    return None


class Checks:
    """All checks, in order."""

    def __init__(self, photos, lab):
        self.photos, self.lab = photos, lab

    def check_registry(self):
        """The registry answers as menud does."""
        lab, photos = self.lab, self.photos
        for item in photos.session.validate([one["id"] for one in photos.administrator.commands()]):
            told = lab.told(item["command"])
            if told and item["command"] != "toggleAlbum:":
                wanted = {
                    "label": item["title"], "isEnabled": item["enabled"], "isToggled": item["state"] == "on",
                    "isToggleable": item.get("checkable", False), "isVisible": True}
                expect(wanted.items() <= told.items(), f"{item['command']} is {told}, not {wanted}")
                expect(item["enabled"] or told["caption"], f"{item['command']} does not say why not")
                expect(told["caption"] in ["", item.get("explanation", told["caption"])], f"why not: {told}")
        lab.tells("zoomIn:", isEnabled=False, caption="Open a photo first.")
        albums = photos.state()["photos"]["lake"]["albums"]
        for album in photos.state()["albums"]:
            lab.tells("toggleAlbum:", {"itemKey": album}, label=album, isToggled=album in albums, isToggleable=True)
        # Focus of another client, and no focus.
        photos.session.focus("viewer")
        lab.tells("zoomIn:", isEnabled=True, caption="")
        photos.session.focus("photoGrid")
        lab.tells("zoomIn:", isEnabled=False)

    def check_menu(self):
        """A menu performs by the pointer; an open one follows what others do."""
        lab, photos = self.lab, self.photos
        lab.open_menu("Photos", "Image", "Rating")
        lab.shows(("★★★", "toggled"), ("★★★★★", ""))
        self.picture("menu")
        lab.click(".lm-Menu-item", "★★★★★")
        until(lambda: photos.rating() == 5, "a rating by the pointer")
        lab.tells("applyFiveStarRating:", isToggled=True)
        lab.open_menu("Photos", "Image", "Rating")
        lab.shows(("★★★", ""), ("★★★★★", "toggled"))
        photos.session.perform("applyOneStarRating:")
        lab.shows(("★", "toggled"), ("★★★★★", ""))
        lab.open_menu("Photos", "View")
        lab.shows(("Zoom In", "disabled"))
        lab.open_menu("Photos", "Image", "Albums")
        lab.click(".lm-Menu-item", "Coast")
        until(lambda: "Coast" in photos.state()["photos"]["lake"]["albums"], "an item from data by the pointer")
        lab.tells("toggleAlbum:", {"itemKey": "Coast"}, isToggled=True)

    def check_palette(self):
        lab, photos = self.lab, self.photos
        lab.palette("rotate left")
        until(lambda: lab.found()[:1] == [["Rotate Left", False]], "a command in the palette")
        lab.keys("\ue007")
        until(lambda: photos.state()["photos"]["lake"]["rotation"] == 270, "a rotation by the palette")
        lab.palette("zoom in")
        until(lambda: ["Zoom In", True] in lab.found(), "a disabled command in the palette")
        lab.keys("\ue00c")

    def check_confirmation_and_parameters(self):
        """Commands that are declared now are there, and ask."""
        lab, photos = self.lab, self.photos
        rotation = lambda: photos.state()["photos"]["lake"]["rotation"]
        ask = photos.administrator.request
        ask("PUT", "/commands/crop", body=CROP)
        ask("PUT", "/commands/resize:", body=RESIZE)
        handler = {"perform": [{"op": "add", "path": "/size", "value": "parameters.width"}]}
        photos.session.change("PUT", "responders/photoGrid/handlers/resize:", handler)
        ask("POST", "/menus/edits", body={"edits": [{"op": "insertChild", "atEndOfMenu": "image", "menu": MORE}]})
        lab.tells("crop", label="Crop", isEnabled=True)
        before = rotation()
        self.choose("Crop")
        lab.press_in_dialog("Cancel")
        self.choose("Crop")
        lab.wait(f"{DIALOG}?.textContent.includes('Crop it?')")
        expect(rotation() == before, "it is performed without agreement")
        lab.press_in_dialog("Crop now")
        until(lambda: rotation() != before, "a command that was agreed to")
        self.choose("Resize…")
        lab.wait(f"{DIALOG}?.querySelector('#parameter-width')")
        lab.keys("80", "\ue007")
        until(lambda: photos.state().get("size") == 80, "parameters by a form")

    def choose(self, title):
        self.lab.open_menu("Photos", "Image", "More")
        self.lab.click(".lm-Menu-item", title)

    def check_refusal(self):
        """A refusal is told in words."""
        self.lab.run("jupyterapp.commands.execute('menud:zoomIn:')")
        self.lab.wait("document.querySelector('.Toastify')?.textContent.includes('Open a photo first.')")

    def check_ten_changes_a_second(self):
        """Check marks, and items that come and go: all arrive, nothing is there twice, and nothing stale stays."""
        lab, photos = self.lab, self.photos
        lab.run("""globalThis.seen = []
          const on = () => arguments[0].filter((id) => jupyterapp.commands.isToggled(`menud:${id}`)).join()
          jupyterapp.commands.commandChanged.connect(() => { if (seen.at(-1) !== on()) seen.push(on()) })""", STARS)
        lab.open_menu("Photos", "Image", "Rating")
        for number in range(50):
            photos.session.perform(STARS[number % 3])
            time.sleep(0.1)
        lab.tells(STARS[49 % 3], isToggled=True)
        lab.shows(("★", ""), ("★★", "toggled"), ("★★★", ""))
        seen = lab.run("return seen.filter(Boolean)")
        expect(len(seen) >= 25, f"of 50 changes {len(seen)} are seen")
        expect(all("," not in one for one in seen), "two ratings at once")
        print(f"    of 50 check marks in 5 seconds, {len(seen)} are seen")
        albums = photos.state()["albums"]
        for number in range(30):
            photos.session.patch({"albums": [*albums, *(f"Album {one}" for one in range(number % 4))]})
            time.sleep(0.1)
        lab.tells("toggleAlbum:", {"itemKey": "Album 0"}, isVisible=True, label="Album 0")
        lab.tells("toggleAlbum:", {"itemKey": "Album 1"}, isVisible=False, isEnabled=False)
        lab.open_menu("Photos", "Image", "Albums")
        titles = [title for title, _ in lab.items()]
        expect(titles == [*albums, "Album 0"], f"the menu has {titles}")
        lab.open_menu("Photos")
        titles = [title for title, _ in lab.items()]
        expect(titles == ["Photos", "File", "Edit", "Image", "View"], f"the menu has {titles}")
        lab.close_menus()
        for typed, wanted in {"album": ["Album 0"], "rotate left": ["Rotate Left"]}.items():
            lab.palette(typed)
            names = lambda: [title for title, _ in lab.found() if title in wanted or title.startswith("Album")]
            until(lambda: names() == wanted, f"{wanted} once in the palette")
            lab.keys("\ue00c")

    def check_restart(self):
        """Without menud everything is disabled, with the reason; afterwards it is as menud has it."""
        lab, photos = self.lab, self.photos
        photos.session.perform("applyThreeStarRating:")
        lab.tells("applyThreeStarRating:", isToggled=True)
        lab.open_menu("Photos", "Image", "Rating")
        photos.kill()
        lab.tells("copy:", isEnabled=False)
        lab.shows(("★★★", "disabled"))
        expect("reached" in lab.told("copy:")["caption"], lab.told("copy:"))
        photos.start()
        lab.tells("copy:", isEnabled=True, caption="")
        photos.session.perform("applyFiveStarRating:")
        lab.tells("applyFiveStarRating:", isToggled=True)
        lab.shows(("★★★", ""), ("★★★★★", "toggled"))

    def check_end_of_the_session(self):
        lab, photos = self.lab, self.photos
        photos.session.close()
        lab.tells("copy:", isEnabled=False)
        expect(lab.told("copy:")["caption"], "it does not say why not")

    def picture(self, name):
        if self.lab.pictures:
            self.lab.driver.save_screenshot(os.path.join(self.lab.pictures, f"{name}.png"))

    def run(self):
        names = [name for name in vars(type(self)) if name.startswith("check_")]
        for name in names:
            getattr(self, name)()
            self.lab.close_menus()
            print(f"ok: {name.removeprefix('check_').replace('_', ' ')}", flush=True)
        print(f"{len(names)} checks passed")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="the built menud")
    parser.add_argument("--pictures", help="a folder for a picture of the menu")
    options = parser.parse_args()
    if what := missing():
        return print(f"SKIPPED: {what}")
    end_by_signals()
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(folder, free_port())
        lab.pictures = options.pictures
        photos = None
        try:
            photos = Photos(options.program, folder, lab.url)
            shown = {"server": photos.url, "session": "desk", "token": photos.token, "title": "Photos"}
            lab.configure("menud-jupyterlab", "plugin", **shown)
            lab.open()
            Checks(photos, lab).run()
        finally:
            lab.close()
            if photos:
                photos.kill()


if __name__ == "__main__":
    main()
