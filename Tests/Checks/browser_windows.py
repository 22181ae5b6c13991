"""The checks of the console in small windows, which browser.py runs with its own."""

import functools

from browser_connection import ARROW, ConnectionChecks
from browser_large import expect, handler

WORKER = "export-worker-3.pictures.example.com"

# The parts of deliveries that are cut, or stand outside of their row or on others.
CLIPPED = """const cut = []
  const rows = [...document.querySelectorAll('.delivery')]
  for (const row of rows) {
    const outer = row.getBoundingClientRect()
    const room = row.closest('.panel').getBoundingClientRect()
    const parts = [...row.querySelectorAll('b, code, .chip, .outcome, button, .count')]
    for (const part of parts) {
      const box = part.getBoundingClientRect()
      const isOut = box.left < room.left || box.right > room.right || box.top < outer.top - 1 || box.bottom > outer.bottom + 1
      const isCut = part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflow !== 'visible'
      const isUnder = parts.some((other) => {
        const { left, right, top, bottom } = other.getBoundingClientRect()
        return other !== part && Math.min(right, box.right) - Math.max(left, box.left) > 1 && Math.min(bottom, box.bottom) - Math.max(top, box.top) > 1
      })
      if (isOut || isCut || isUnder) cut.push(`${isOut ? 'out' : isCut ? 'cut' : 'under another'}: ${part.outerHTML.slice(0, 120)}`)
    }
    const { scrollWidth, clientWidth } = row.querySelector('.what')
    if (scrollWidth > clientWidth + 1) cut.push(`wide: ${row.innerText.slice(0, 60)}`)
  }
  const tops = rows.map((row) => row.getBoundingClientRect())
  if (tops.some(({ top }, index) => index && top < tops[index - 1].bottom - 1)) cut.push('rows on rows')
  return cut"""


# Controls that are cut by their panel or the window.
CUT = """const cut = []
  for (const part of document.querySelectorAll('.chrome > *, .menubar button, .toolbar button, .views button, .head *, .tabs button, .foot *, .tools button')) {
    const box = part.getBoundingClientRect()
    if (!box.width || getComputedStyle(part).visibility === 'hidden' || part.closest('.away')) continue
    const panel = part.closest('.panel, .screen')?.getBoundingClientRect() ?? { left: 0, right: innerWidth, bottom: document.documentElement.scrollHeight - scrollY }
    if (box.left < panel.left - 1 || box.right > panel.right + 1 || box.bottom > panel.bottom + 1 || box.right > innerWidth + 1) cut.push(part.outerHTML.slice(0, 120))
  }
  if (document.documentElement.scrollWidth > innerWidth) cut.push('the page')
  return cut"""


# Titles that are wider than what they are in.
WIDE = """const wide = []
  for (const part of document.querySelectorAll('.popup, .popup .name, .found .name, dialog h2, .toolbar button, .what .title, .overview button, .keymap button, .editor label, .keysheet .name')) {
    const box = part.getBoundingClientRect()
    const style = getComputedStyle(part)
    const isShort = style.overflow === 'hidden' && style.textOverflow === 'ellipsis'
    if (box.right > innerWidth + 1 || (part.scrollWidth > part.clientWidth + 1 && part.clientWidth && !isShort)) wide.push(part.outerHTML.slice(0, 90))
  }
  if (document.documentElement.scrollWidth > innerWidth) wide.push('the page')
  return wide"""


class WindowChecks(ConnectionChecks):
    """Checks of what is cut in a small window, and of the views of a narrow one."""

    def check_small_windows(self):
        """Nothing is cut at 1024 and 390 pixels."""
        window = self.window
        try:
            for size in ["middle", "small"]:
                window.show(size, False)
                window.open("demo")
                for view in ["graph", "inspector", "drawer"]:
                    if size == "small":
                        window.click(f'[data-key="view {view}"]')
                    found = window.run(CUT)
                    expect(not found, f"cut in a {size} window, {view}:\n" + "\n".join(found))
                for tab in ["events", "deliveries", "state"]:
                    window.click(f"#tab-{tab}")
                    found = window.run(CUT)
                    expect(not found, f"cut in a {size} window, {tab}:\n" + "\n".join(found))
                # Deliveries with long titles, values, names and problems.
                window.open(self.crowded())
                if size == "small":
                    window.click('[data-key="view drawer"]')
                window.click("#tab-deliveries")
                window.wait("document.querySelectorAll('.delivery').length === 4")
                found = window.run(CLIPPED)
                expect(not found, f"cut in a {size} window, deliveries:\n" + "\n".join(found))
                said = window.text("#drawer")
                expect("No space is left" in said and said.count(WORKER) >= 3, f"deliveries say {said!r}")
        finally:
            window.show("wide", False)

    @functools.cache
    def crowded(self):
        """A session with a delivery in each state, whose texts are long."""
        name = self.open_session("crowded")
        value = "{'photos': ['lake', 'harbour', 'mountains'], 'to': '/home/ada/Pictures/2026/Exported in full size'}"
        self.ask("PUT", handler(name, "photoGrid", "exportPhotos:"), {
            "validate": {"title": "'Export All Selected Photos in Full Size…'"},
            "perform": [{"op": "deliver", "value": value}],
        })
        for _ in range(4):
            self.ask("POST", "commands/perform", {"session": name, "command": "exportPhotos:"})
        for number in range(1, 4):
            self.ask("POST", f"sessions/{name}/deliveries/{number}/claim", {"by": WORKER})
        problem = {"title": "The disk is full", "detail": "No space is left on /home/ada/Pictures/2026. " * 3}
        self.ask("POST", f"sessions/{name}/deliveries/1/fail", {"claim": 1, "problem": problem})
        reply = {"claim": 1, "result": {"files": [f"photo-{number}.jpg" for number in range(9)]}}
        self.ask("POST", f"sessions/{name}/deliveries/2/reply", reply)
        return name

    def check_views_by_keys(self):
        """The views of a narrow window are tabs: one is reached by the tabulator, and the arrow keys show the others."""
        window = self.window
        try:
            window.show("small", False)
            self.open_new("views")
            window.click('[data-key="view graph"]')
            stops = "return [...document.querySelectorAll('#views [tabindex=\"0\"]')].map((tab) => tab.dataset.key)"
            expect(window.run(stops) == ["view graph"], f"the tabulator stops at {window.run(stops)}")
            window.run("document.querySelector('[data-key=\"view graph\"]').focus()")
            for key, view in [("right", "inspector"), ("right", "drawer"), ("right", "graph"), ("left", "drawer")]:
                window.keys(ARROW[key])
                window.wait(f"document.activeElement.dataset.key === 'view {view}' && document.body.dataset.view === '{view}'")
                selected = window.run("return document.querySelector('#views [aria-selected=true]').dataset.key")
                expect(selected == f"view {view}", f"{selected} is selected")
                expect(window.run(stops) == [f"view {view}"], f"the tabulator stops at {window.run(stops)}")
        finally:
            window.show("wide", False)

    def check_titles_without_spaces(self):
        """A title of one long word is broken, or ends with an ellipsis, and no window scrolls sideways."""
        with self.serving(["--application", "Config/photo-app", "--session", "wide"]) as url:
            parameters = {"type": "object", "properties": {"W" * 99: {"type": "string"}}}
            self.ask("PUT", "commands/wide:", {"title": "W" * 300, "action": "wide:", "parameters": parameters, "key": {"input": "9", "modifiers": ["command", "alternate"]}}, url=url)
            self.ask("PUT", handler("wide", "application", "wide:"), {"perform": []}, url=url)
            menu = {"identifier": "wide", "title": "Wide", "children": ["wide:"]}
            self.ask("POST", "menus/edits", {"edits": [{"op": "insertChild", "atEndOfMenu": "root", "menu": menu}]}, url=url)
            window = self.new_window(url)
            try:
                for size in ["wide", "small"]:
                    window.show(size, False)
                    window.driver.get("about:blank")
                    window.open("wide")
                    window.wait("document.querySelector('[data-key=\"bar wide\"]')")

                    def found(place):
                        wide = window.run(WIDE)
                        expect(not wide, f"too wide in a {size} window, {place}:\n" + "\n".join(wide))

                    window.menu("wide")
                    found("menu")
                    self.shift_click(window, '.popup [data-command="wide:"]')
                    window.wait("document.querySelector('[data-key=pin]')")
                    found("inspector")
                    if window.run("return document.querySelector('[data-key=pin]').getAttribute('aria-pressed')") == "false":
                        window.click("[data-key=pin]")
                    window.wait("document.querySelector('.toolbar [data-command=\"wide:\"]')")
                    found("tool bar")
                    window.click("[data-key=perform]")
                    window.wait("document.querySelector('dialog form')")
                    found("form")
                    window.keys("\ue00c")
                    window.click(".find")
                    window.keys("www")
                    window.wait("document.querySelectorAll('.palette [role=option]').length === 1")
                    found("palette")
                    window.keys("\ue00c")
                    if size == "small":
                        window.click('[data-key="view drawer"]')
                    window.click("#tab-keymap")
                    window.wait("document.querySelector('.keymap li')")
                    found("keys")
                    window.run("const field = document.querySelector('[data-key=\"keymap query\"]'); field.value = ''; field.focus()")
                    window.keys("www")
                    window.wait("document.querySelectorAll('.keymap > li').length === 1")
                    window.click(".keymap > li button")
                    window.wait("document.querySelector('.editor label')")
                    found("editor of keys")
            finally:
                window.close()

    def check_headings_of_panels(self):
        """In a narrow window, where a panel stands alone, its headings begin with its own."""
        window = self.window
        try:
            window.show("narrow", False)
            self.open_new("headings")
            window.click('[data-key="view drawer"]')
            for tab in ["state", "controllers", "undo", "history", "deliveries", "keymap", "diagnostics", "events"]:
                window.click(f"#tab-{tab}")
                window.wait(f"document.querySelector('.tabpanel.{tab}') && !document.querySelector('.tabpanel').innerText.includes('Looking…')")
                faults = window.axe()
                expect(not faults, f"axe, {tab}:\n" + "\n".join(faults))
        finally:
            window.show("wide", False)
