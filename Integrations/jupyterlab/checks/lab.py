"""JupyterLab with the extension, in Chromium, and menud with the photo application."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

from program import Restartable

import menud

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SECONDS = 30
TOKEN = "administrators-of-the-check"
# The dialog that is open, in JavaScript.
DIALOG = "[...document.querySelectorAll('menud-dialog')].map((one) => one.shadowRoot).at(-1)"
# Where JupyterLab reads and writes.
PLACES = [f"JUPYTER{name}_DIR" for name in ["_CONFIG", "_DATA", "_RUNTIME", "LAB_SETTINGS", "LAB_WORKSPACES"]]


def until(condition, what, seconds=SECONDS):
    """Waits until a condition has a value, and returns that."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := condition():
            return found
        time.sleep(0.05)
    raise AssertionError(f"never: {what}")


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


class Photos(Restartable):
    """A menud of the photo application."""

    def __init__(self, program, folder, origin):
        settings = {"MENUD_AUTH_ADMINISTRATOR_TOKEN": TOKEN, "MENUD_CORS_ORIGINS": origin}
        super().__init__(folder, "--application", "Config/photo-app", environment=settings,
                         program=os.path.abspath(program))
        self.administrator = menud.Client(self.url, token=TOKEN)
        self.session = self.administrator.open("desk")
        asked = {"kind": "person", "label": "Ada", "rights": ["items", "perform"], "commands": ["*"]}
        client = menud.Client(self.url, token=self.session.token)
        self.token = client.request("POST", self.session.path("tokens"), body=asked).body["token"]

    def state(self):
        return self.session.document()["state"]

    def rating(self):
        return self.state()["photos"]["lake"]["rating"]


class Lab:
    """JupyterLab with the extension, and a window of Chromium that shows it."""

    def __init__(self, folder, port):
        self.url = f"http://localhost:{port}"
        places = {name: os.path.join(folder, name.lower()) for name in PLACES}
        self.settings = places["JUPYTERLAB_SETTINGS_DIR"]
        # It asks nobody whether it may fetch news.
        self.configure("@jupyterlab/apputils-extension", "notification", fetchNews="false")
        root = os.path.join(folder, "notebooks")
        os.makedirs(root)
        self.log = open(os.path.join(folder, "lab.log"), "wb")
        arguments = [
            "--no-browser", "--allow-root", "--expose-app-in-browser", "--IdentityProvider.token=",
            f"--ServerApp.port={port}", "--ServerApp.port_retries=0", f"--ServerApp.root_dir={root}",
            f"--LabApp.extra_labextensions_path={os.path.join(HERE, 'labextensions')}"]
        self.server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *arguments], env=os.environ | places, cwd=folder,
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, start_new_session=True)
        self.driver = None

    def configure(self, package, plugin, **settings):
        """Stores settings of a plugin, as JupyterLab does."""
        folder = os.path.join(self.settings, package)
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, f"{plugin}.jupyterlab-settings"), "w", encoding="utf-8") as file:
            json.dump(settings, file)

    def open(self):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        until(self.answers, f"JupyterLab at {self.url}", 120)
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,800"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.driver.get(f"{self.url}/lab")
        self.wait("globalThis.jupyterapp?.commands.hasCommand('menud:copy:')", 120)

    def answers(self):
        expect(self.server.poll() is None, "JupyterLab ended")
        try:
            socket.create_connection(("localhost", int(self.url.split(":")[-1]))).close()
            return True
        except OSError:
            return False

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, expression, seconds=SECONDS):
        return until(lambda: self.run(f"return {expression}"), expression, seconds)

    # What JupyterLab knows of a command.

    def told(self, command, **args):
        """The answers of the registry about a command."""
        return self.run("""const [id, args] = arguments
          const { commands } = jupyterapp
          if (!commands.hasCommand(id)) return null
          return Object.fromEntries(['label', 'caption', 'isEnabled', 'isVisible', 'isToggled', 'isToggleable']
            .map((name) => [name, commands[name](id, args)]))""", f"menud:{command}", args)

    def tells(self, command, args=None, **members):
        """Waits until the registry answers that."""
        def agrees():
            told = self.told(command, **(args or {}))
            return told and all(told[name] == value for name, value in members.items())
        until(agrees, f"{command} {args or ''} with {members}")

    # What a person does.

    def open_menu(self, *titles):
        """Opens the menu of these titles, by the pointer."""
        self.close_menus()
        self.click(".lm-MenuBar-item", titles[0])
        for title in titles[1:]:
            self.click(".lm-Menu-item[data-type=submenu]", title)

    def click(self, selector, text):
        from selenium.webdriver.common.action_chains import ActionChains

        find = """return [...document.querySelectorAll(arguments[0])].find((one) =>
          (one.querySelector('.lm-Menu-itemLabel, .lm-MenuBar-itemLabel') ?? one).textContent === arguments[1])"""
        element = until(lambda: self.run(find, selector, text), f"{selector} with the text {text}")
        ActionChains(self.driver).move_to_element(element).click().perform()

    def keys(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def palette(self, typed):
        """Opens the palette, and types."""
        from selenium.webdriver.common.action_chains import ActionChains

        chord = ActionChains(self.driver).key_down("\ue009").key_down("\ue008").send_keys("c")
        chord.key_up("\ue008").key_up("\ue009").perform()
        self.wait("document.activeElement.matches('.lm-CommandPalette-input')")
        self.keys(typed)

    def press_in_dialog(self, title):
        """Presses a button of a dialog of the session."""
        buttons = f"[...{DIALOG}?.querySelectorAll('button') ?? []]"
        button = f"{buttons}.find((one) => one.textContent === {json.dumps(title)})"
        self.wait(button)
        self.run(f"{button}.click()")
        self.wait(f"!{DIALOG}")

    def close_menus(self):
        while self.run("return document.querySelector('.lm-Menu')"):
            self.keys("\ue00c")

    def found(self):
        """The findings of the palette: titles, and True if disabled."""
        return self.run("""
          const label = (one) => one.querySelector('.lm-CommandPalette-itemLabel').textContent
          return [...document.querySelectorAll('.lm-CommandPalette-item')]
            .map((one) => [label(one), one.classList.contains('lm-mod-disabled')])""")

    def items(self):
        """The items of the menu that was opened last: title, and what it shows."""
        return [tuple(item) for item in self.run("""
          const shown = ({ classList }) => ['disabled', 'toggled'].find((name) => classList.contains(`lm-mod-${name}`))
          const last = [...document.querySelectorAll('.lm-Menu')].at(-1)
          return [...last.querySelectorAll('.lm-Menu-item:not([data-type=separator])')]
            .map((one) => [one.querySelector('.lm-Menu-itemLabel').textContent, shown(one) ?? ''])""")]

    def shows(self, *wanted):
        """Waits until the menu that was opened last has these items."""
        until(lambda: set(wanted) <= set(self.items()), f"the menu with {wanted}")

    def close(self):
        if self.driver:
            self.driver.quit()
        os.killpg(self.server.pid, signal.SIGKILL)
        self.server.wait()
        self.log.close()
