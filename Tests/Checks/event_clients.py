#!/usr/bin/env python3
"""Lets real clients follow events: Chromium's EventSource, httpx-sse and curl.

Each goes through a change, a kill of menud and its restart, a cursor that is not known any more, and the end of the
session. It needs an environment with Tests/Checks/events/requirements.txt, and Debian's chromium and chromium-driver.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time

from program import BUILT, Connection, Program, free_port

TOKEN = "an-administrators-token"
FOLLOW = """
window.told = [];
window.source = new EventSource(arguments[0]);
for (const name of ["reset", "change", "closed"]) {
  window.source.addEventListener(name, event => {
    window.told.push([name, JSON.parse(event.data), event.lastEventId]);
  });
}
"""
ASK_FOR_TICKET = """
const done = arguments[arguments.length - 1];
fetch("/sessions/demo/tickets", {method: "POST", headers: {"Authorization": "Bearer " + arguments[0]}})
  .then(answer => answer.json()).then(answer => done(answer.ticket), fault => done("" + fault));
"""


# The journal keeps these, wherever it stored states, and not so many as the others.
KNOWN, FORGOTTEN = 300, 1500


class Server:
    """A menud that is killed and started again on one port."""

    def __init__(self, options, folder, environment=None):
        self.port = free_port()
        self.arguments = ["--application", "Config/photo-app", "--session", "demo", "--log-requests",
                          "--journal-path", f"{folder}/menud.db"]
        self.options, self.environment = options, environment
        self.start()

    def start(self):
        arguments = [*self.arguments, "--port", str(self.port)]
        self.program = Program(arguments, self.environment, self.options.program)
        assert self.program.port() == self.port

    def restart(self, *, missing=0):
        """Kills it and starts it again, after so many changes that those who come back miss."""
        self.program.kill()
        if missing:
            # On another port, so that those who come back come afterwards.
            usual, self.port = self.port, free_port()
            self.start()
            for _ in range(missing):
                self.change()
            self.program.kill()
            self.port = usual
        self.start()

    def ask(self, method, path, body=None):
        fields = {"Content-Type": "application/merge-patch+json"} if method == "PATCH" else {}
        if self.environment:
            fields["Authorization"] = f"Bearer {TOKEN}"
        return Connection(self.port).ask(method, path, body, fields)

    def change(self):
        answer = self.ask("PATCH", "/sessions/demo/state", {"at": time.monotonic()})
        assert answer.status == 200, answer.body

    def has_subscribers(self, count):
        return f"menud_event_subscribers {count}\n" in self.ask("GET", "/metrics").body.decode()


def eventually(condition, what):
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError(f"It did not happen within 30 s: {what}")


def chromium(options, folder):
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    settings = webdriver.ChromeOptions()
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     f"--user-data-dir={folder}/profile"]:
        settings.add_argument(argument)
    settings.binary_location = shutil.which("chromium")
    driver = webdriver.Chrome(settings, Service(shutil.which("chromedriver")))
    try:
        server = Server(options, folder)
        follow_in_browser(driver, server)
        server.program.kill()
        guarded = Server(options, f"{folder}/guarded", {"MENUD_AUTH_ADMINISTRATOR_TOKEN": TOKEN})
        follow_by_ticket(driver, guarded)
        guarded.program.kill()
    finally:
        driver.quit()


def told(driver):
    return driver.execute_script("return window.told")


def names(driver):
    return [event[0] for event in told(driver)]


def follow_in_browser(driver, server):
    driver.get(f"http://127.0.0.1:{server.port}/health/live")
    driver.execute_script(FOLLOW, "/sessions/demo/events?document=true")
    eventually(lambda: names(driver) == ["reset"], "a reset")
    server.change()
    eventually(lambda: names(driver) == ["reset", "change"], "a change")
    server.restart()
    eventually(lambda: server.has_subscribers(1), "the browser connects again")
    server.change()
    eventually(lambda: names(driver) == ["reset", "change", "change"], "no reset after a kill")
    revisions = [event[1]["revision"] for event in told(driver)]
    assert revisions == [0, 1, 2], revisions
    for missing, revision in [(3, 5), (KNOWN, 305), (KNOWN, 605)]:
        server.restart(missing=missing)
        eventually(lambda: told(driver)[-1][1]["revision"] == revision, "what was missed")
        assert "reset" not in names(driver)[1:], told(driver)
    server.restart(missing=FORGOTTEN)
    eventually(lambda: names(driver)[-1] == "reset", "a reset, since its cursor is not known any more")
    assert told(driver)[-1][1]["revision"] == 2105
    assert server.ask("DELETE", "/sessions/demo").status == 204
    eventually(lambda: names(driver)[-2:] == ["reset", "closed"], "the end")
    eventually(lambda: driver.execute_script("return window.source.readyState") == 2,
               "after 204 the browser gives up")


def follow_by_ticket(driver, server):
    driver.get(f"http://127.0.0.1:{server.port}/health/live")
    driver.set_script_timeout(20)
    ticket = driver.execute_async_script(ASK_FOR_TICKET, TOKEN)
    driver.execute_script(FOLLOW, f"/sessions/demo/events?ticket={ticket}")
    eventually(lambda: names(driver) == ["reset"], "a reset by a ticket")
    last = told(driver)[0][2]
    server.restart()
    # The ticket is used, and the answer 401 ends the source.
    eventually(lambda: driver.execute_script("return window.source.readyState") == 2,
               "a used ticket ends the source")
    server.change()
    ticket = driver.execute_async_script(ASK_FOR_TICKET, TOKEN)
    driver.execute_script(FOLLOW, f"/sessions/demo/events?ticket={ticket}&since={last}")
    eventually(lambda: len(names(driver)) == 1, "it goes on with another ticket")
    assert ticket not in server.program.text and "menud_" not in server.program.text


def httpx_sse(options, folder):
    import httpx
    from httpx_sse import connect_sse

    server = Server(options, folder)
    address, last, seen = f"http://127.0.0.1:{server.port}/sessions/demo/events", None, []
    with httpx.Client(timeout=30) as client:
        for moment in ["first", "broken", "killed", "missed", "old", "expired"]:
            fields = {"Last-Event-ID": last} if last else {}
            with connect_sse(client, "GET", address, params={"document": "true"}, headers=fields) as source:
                if moment == "killed":
                    eventually(lambda: server.has_subscribers(1), "a subscriber")
                if moment in ("broken", "killed"):
                    server.change()
                for event in source.iter_sse():
                    if not event.data:
                        continue
                    if moment == "first" and event.event == "reset":
                        server.change()
                    data, last = json.loads(event.data), event.id
                    seen.append((moment, event.event, data["revision"]))
                    if event.event == "change" or moment == "expired":
                        break
            if moment == "broken":
                server.restart()
            if moment == "killed":
                server.restart(missing=3)
            if moment == "missed":
                server.restart(missing=KNOWN)
            if moment == "old":
                server.restart(missing=FORGOTTEN)
    kinds = [(moment, kind) for moment, kind, _ in seen]
    assert kinds[0] == ("first", "reset") and kinds[-1] == ("expired", "reset"), seen
    assert not [kind for moment, kind in kinds[1:-1] if kind == "reset"], seen
    server.program.kill()


def curl(options, folder):
    server = Server(options, folder)
    process = subprocess.Popen(
        ["curl", "--silent", "--no-buffer", "--max-time", "30",
         f"http://127.0.0.1:{server.port}/sessions/demo/events?menu=root"],
        stdout=subprocess.PIPE, text=True)
    lines = [process.stdout.readline() for _ in range(5)]
    assert lines[0] == "retry: 2000\n" and lines[2] == "event: reset\n" and lines[4] == "\n", lines
    server.program.stop()
    rest = process.stdout.read()
    assert rest.endswith('event: closed\ndata: {"session":"demo","reason":"draining"}\n\n'), rest
    assert process.wait() == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("clients", nargs="*", default=["curl", "httpx_sse", "chromium"])
    options = parser.parse_args()
    for name in options.clients:
        with tempfile.TemporaryDirectory(prefix="menud-events-") as folder:
            subprocess.run(["mkdir", f"{folder}/guarded"], check=True)
            globals()[name](options, folder)
        print(f"{name}: passed", flush=True)


if __name__ == "__main__":
    main()
