"""The checks of the control room's page, which browser.py runs with its own: an operator and a supervisor in two windows, as
docs/control-room.md tells it."""

import base64
import os
import tempfile
import time

from browser_large import expect
from browser_pages import Pages
from program import ROOT, Program

PAGE = os.path.join(ROOT, "Config", "control-room", "page")
SAID = "document.querySelector('.notices')?.innerText ?? ''"
OPERATOR = ["take:", "salvo:", "toggleLock:", "*Recording:", "*Export:", "exportClip:", "undo:", "redo:"]


def crosspoint(key):
    return f"document.querySelector('menud-button[item-key=\"{key}\"]').shadowRoot.querySelector('button')"


class ControlRoomChecks:
    """Checks of Config/control-room with its page."""

    def in_room(self, use):
        """Serves the room, with a window of the operator and one of the supervisor."""
        desk = Pages(PAGE, b"http://localhost:8080")
        with tempfile.TemporaryDirectory() as folder:
            settings = {"MENUD_AUTH_ADMINISTRATOR_TOKEN": self.token, "MENUD_CORS_ORIGINS": desk.url}
            arguments = ["--application", "Config/control-room", "--journal-path", f"{folder}/menud.db"]
            server = Program(arguments, environment=settings, program=self.options.program)
            desk.menud = f"http://localhost:{server.port()}"
            url = f"{desk.menud}/"
            owner = self.ask("POST", "sessions", {"id": "desk"}, self.token, url)["token"]
            windows, rights = {}, ["items", "read", "perform", "focus"]
            try:
                for label, commands in [("Ada", OPERATOR), ("Grace", ["*"])]:
                    asked = {"kind": "person", "label": label, "rights": rights, "commands": commands}
                    token = self.ask("POST", "sessions/desk/tokens", asked, owner, url)["token"]
                    window = windows[label] = self.new_window(url)
                    window.driver.get(f"{desk.url}/index.html")
                    window.wait("document.querySelector('input[name=token]')").send_keys(token + "\ue007")
                    window.wait("!document.querySelector('main').hidden", 20)
                    window.wait(f"{crosspoint('monitor/camera1')}.getAttribute('aria-disabled') === 'false'")
                    expect(token not in window.run("return document.documentElement.outerHTML"), "the token is in the page")
                use(windows["Ada"], windows["Grace"], lambda path, body=None: self.ask(
                    "GET" if body is None else "POST", path, body, owner, url))
            finally:
                for window in windows.values():
                    window.close()
                server.stop()
                desk.close()

    def check_control_room(self):
        """The interlock's words for the operator, the question for the supervisor, and what each sees of the other."""

        def use(operator, supervisor, ask):
            expect("Take on Air" not in operator.run("return document.body.innerText"), "the operator sees the override")
            operator.run(f"{crosspoint('monitor/camera1')}.click()")
            routed = "document.querySelector('menud-button[item-key=\"{}\"]').parentElement.className === 'routed'"
            supervisor.wait(routed.format("monitor/camera1"))
            supervisor.menu("air")
            supervisor.click('.popup [data-command="goOnAir:"]')
            supervisor.wait("document.querySelector('dialog[open] h2')?.innerText === 'Go on air with Programme?'")
            supervisor.click("dialog[open] button.primary")
            operator.wait("document.querySelector('#tally').innerText === 'On Air'")
            # What feeds transmission says why it is not taken.
            operator.wait(f"{crosspoint('mixer1/outside')}.getAttribute('aria-disabled') === 'true'")
            words = operator.run(f"return {crosspoint('mixer1/outside')}.getAttribute('aria-description')")
            expect(words == "Vision Mixer 1 is on air. Ask the supervisor.", f"the operator reads {words!r}")
            operator.run(f"{crosspoint('mixer1/outside')}.click()")
            operator.wait(f"({SAID}).includes('Ask the supervisor.')")
            expect(operator.run("return " + routed.format("mixer1/camera1")), "the interlock lets it pass")
            # A worker tells how far an export is.
            for command in ("startRecording:", "stopRecording:"):
                ask("commands/perform", {"session": "desk", "command": command})
            ask("commands/perform", {"session": "desk", "command": "exportClip:",
                                     "parameters": {"clip": "clip1", "format": "H.264 Proxy"}})
            claim = ask("sessions/desk/deliveries/claim", {"by": "check"})["delivery"]
            ask(f"sessions/desk/deliveries/{claim['id']}/renew", {"claim": 1, "progress": 0.4, "message": "Clip 1: 40 %"})
            for window in (operator, supervisor):
                window.wait("!document.querySelector('#export').hidden && document.querySelector('#progress').value === 0.4")
                window.wait("document.querySelector('.toolbar [data-command=\"exportClip:\"]').innerText.includes('Exporting, 40 %')")
            # Focus in the page is that of the session.
            operator.run("document.querySelector('[data-responder=clips]').focus()")
            self.eventually("focus", lambda: ask("sessions/desk")["firstResponder"] == "clips")
            # The supervisor is asked, and may say no.
            supervisor.wait(f"{crosspoint('mixer1/outside')}.getAttribute('aria-disabled') === 'false'")
            supervisor.run(f"{crosspoint('mixer1/outside')}.click()")
            question = "Switch Vision Mixer 1, which is on air, to Outside Broadcast?"
            supervisor.wait(f"document.querySelector('dialog[open] h2')?.innerText === '{question}'")
            faults = supervisor.axe()
            expect(not faults, "\n".join(faults))
            self.picture_of_room(supervisor)
            supervisor.keys("\ue00c")
            supervisor.wait("!document.querySelector('dialog[open]')")
            expect(operator.run("return " + routed.format("mixer1/camera1")), "it is switched without a yes")
            supervisor.run(f"{crosspoint('mixer1/outside')}.click()")
            supervisor.wait("document.querySelector('dialog[open] h2')")
            supervisor.click("dialog[open] button.primary")
            operator.wait(routed.format("mixer1/outside"))
            # The questions are answers 409, which the browser tells of.
            for window in (operator, supervisor):
                messages = [message for message in window.messages() if "409" not in message]
                expect(not messages, "the browser's console says:\n" + "\n".join(messages))

        self.in_room(use)

    def check_control_room_is_accessible(self):
        """axe finds nothing: light and dark, wide and narrow; nothing is wider than the window."""

        def use(operator, supervisor, _):
            supervisor.menu("air")
            supervisor.click('.popup [data-command="goOnAir:"]')
            supervisor.click("dialog[open] button.primary")
            operator.wait("document.querySelector('#tally').innerText === 'On Air'")
            names = operator.run("return [...document.querySelectorAll('#crosspoints menud-button')].map((one) => one.textContent)")
            expect("Camera 1 to Transmission" in names and len(set(names)) == len(names), f"the buttons are named {names}")
            faults = []
            for window in (operator, supervisor):
                for size in ("wide", "small"):
                    for dark in (False, True):
                        window.show(size, dark)
                        time.sleep(0.2)
                        name = f"{size}, {'dark' if dark else 'light'}"
                        faults += [f"{name}: {fault}" for fault in window.axe()]
                        width = window.run("return document.documentElement.scrollWidth - innerWidth")
                        expect(width <= 0, f"{name}: the page is {width} px too wide")
            expect(not faults, "\n".join(faults))

        self.in_room(use)

    def picture_of_room(self, window):
        """The README's picture."""
        if self.options.images:
            os.makedirs(self.options.images, exist_ok=True)
            time.sleep(0.4)
            picture = window.driver.execute_cdp_cmd("Page.captureScreenshot", {
                "format": "png", "clip": {"x": 0, "y": 0, "width": 1440, "height": 620, "scale": 1}})
            with open(os.path.join(self.options.images, "control-room.png"), "wb") as file:
                file.write(base64.b64decode(picture["data"]))
