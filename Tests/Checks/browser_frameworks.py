"""The checks of pages of frameworks, which browser.py runs with its own: what docs/web-application.md shows for React is built
as a team would, from Debian's packages, and used in a browser."""

import os
import re
import subprocess
import tempfile

from browser_large import expect
from browser_refusals import RefusalChecks
from program import ROOT

CLIENT = os.path.join(ROOT, "Sources", "CEmbeddedFiles", "Client")
MODULES = "/usr/share/nodejs"
INDEX = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Photos</title><div id="root"></div>
<script type="module" src="page.js"></script></html>"""

# In strict mode each effect begins, ends and begins again.
PAGE = """import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Client } from 'menud'
import { Desk } from './Desk.jsx'

const { menud, token } = await (await fetch('token.json')).json()
const session = new Client(menud, { token }).session('photos')

function Photos() {
  const [title, setTitle] = useState('The photos')
  return <Desk session={session}>
    <section tabIndex={0} data-responder="photoGrid"><button onClick={() => setTitle('Sorted')}>{title}</button></section>
    <section tabIndex={0} data-responder="note" data-class="UIResponder">A note</section>
  </Desk>
}

const root = createRoot(document.querySelector('#root'))
root.render(<StrictMode><Photos /></StrictMode>)
globalThis.stop = () => root.unmount()
"""


class FrameworkChecks(RefusalChecks):
    """Checks of pages of frameworks."""

    def built(self, folder, language):
        """Builds the page with what the documentation shows in a language; React is Debian's."""
        with open(os.path.join(ROOT, "docs", "web-application.md")) as page:
            (shown,) = re.findall(rf"```{language}\n(.*?)```", page.read(), re.S)
        for name, text in {f"Desk.{language}": shown, f"page.{language}": PAGE}.items():
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        os.mkdir(os.path.join(folder, "node_modules"))
        os.symlink(CLIENT, os.path.join(folder, "node_modules", "menud"))
        subprocess.run(
            ["esbuild", f"page.{language}", "--bundle", "--format=esm", "--target=esnext", "--jsx=automatic", "--outfile=page.js", "--log-level=warning"],
            cwd=folder, check=True, env={**os.environ, "NODE_PATH": MODULES})
        with open(os.path.join(folder, "index.html"), "wb") as file:
            file.write(INDEX)

    def check_react(self):
        """The menu bar of a React page is the session's, focus is tracked, and what leaves the page leaves the session."""

        def use(page, visit, *_):
            with tempfile.TemporaryDirectory() as folder:
                self.built(folder, "jsx")
                page.folder = folder
                window = visit()
                window.run("document.querySelector('[data-responder=note]').focus()")
                self.eventually("focus", lambda: self.session(page)["firstResponder"] == "note")
                window.run("document.querySelector('[data-responder=photoGrid]').focus()")
                self.eventually("focus of the grid", lambda: self.session(page)["firstResponder"] == "photoGrid")
                # React renders again; the menus and their session stay.
                window.click("[data-responder=photoGrid] button")
                window.wait("document.querySelector('[data-responder=photoGrid]').innerText === 'Sorted'")
                window.menu("image", "rating")
                window.click('.popup [data-command="applyFiveStarRating:"]')
                self.eventually("five stars", lambda: self.stars(page) == 5)
                window.run("globalThis.stop()")
                self.eventually("a note that is gone", lambda: "note" not in self.session(page)["responders"])
                expect(not window.run("return document.querySelector('menud-session')"), "the elements stay")

        self.use_page(use)
