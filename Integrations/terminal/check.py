#!/usr/bin/env python3
"""Checks terminal.py by Textual's pilot, and in a terminal of its own."""

import argparse
import asyncio
import contextlib
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
import time

try:
    from textual._xterm_parser import XTermParser
    from textual.widgets import Label, Select, Static
    from textual.widgets._footer import FooterKey
except ImportError:
    print("SKIPPED: textual of PyPI is not installed.")
    sys.exit(0)

from driver import BUILT, CLIENT, HERE, STACK, Screen, Server, end_by_signals, until
import seldom
from dialogs import Confirmation, Form, Strokes
from keys import names_of
from menud import AsyncClient, Client
from terminal import MenuColumn, Terminal

TOKEN = "an-administrators-token"


async def check_contents(server):
    """Menus and footer are those of the session, and follow what others do."""
    async with Screen.of(server) as screen:
        await screen.agrees(server.session)
        server.session.perform("take:", item_key="mixer1/caption")
        await screen.agrees(server.session)
        server.session.patch({"sources": {"helicopter": {"name": "Helicopter", "inputs": []}}})
        await screen.agrees(server.session)
        server.session.patch({"sources": {"helicopter": None}})
        await screen.agrees(server.session)
        more = {"identifier": "more", "title": "More", "children": []}
        for edit in ({"op": "insertChild", "atEndOfMenu": "root", "menu": more}, {"op": "remove", "menu": "more"}):
            Client(server.url).request("POST", "/menus/edits", body={"edits": [edit]})
            count = 3 + ("atEndOfMenu" in edit)
            await until(lambda count=count: len(screen.app.query(MenuColumn)) == count, "a menu comes, and goes")
        await screen.agrees(server.session)


async def check_keys(server):
    """A key performs what it means; one that is greyed does nothing."""
    async with Screen.of(server) as screen:
        await screen.press("ctrl+shift+s")
        await screen.press("ctrl+shift+r")
        await until(lambda: server.session.document()["state"]["recording"], "it records")
        await screen.agrees(server.session)
        await screen.press("ctrl+shift+s")
        await until(lambda: server.session.document()["state"]["clips"], "it has recorded")
        kinds = [entry.get("command") for entry in server.session.entries(kind="command")]
        assert kinds.count("stopRecording:") == 1, kinds
        await screen.press("ctrl+z")
        await screen.agrees(server.session)


async def check_names(_):
    """The names of keys are those that Textual gives to the bytes of terminals, by the Kitty protocol or without."""
    for sequence, text, *modifiers in (
            ("\x1b[44;5u", ",", "command"), ("\x1b[91;5u", "[", "command"), ("\x1b[43;5u", "+", "command"),
            ("\x1b[45;5u", "-", "command"), ("\x1b[48;7u", "0", "alternate", "command"), ("\x1a", "z", "command"),
            ("\x1b[115;13u", "s", "command", "control"), ("\x1b[120;8u", "x", "command", "shift", "alternate"),
            ("\x1b[127;5u", "UIKeyInputDelete", "command"), ("\x1b[3;5~", "UIKeyInputDelete", "command"),
            ("\x1b[C", "UIKeyInputRightArrow"), ("\x1b[1;2D", "UIKeyInputLeftArrow", "shift"),
            ("\x1bOP", "UIKeyInputF1"), ("\x1b[24~", "UIKeyInputF12"), ("\x1b[5~", "UIKeyInputPageUp"),
            ("a", "A"), ("A", "a", "shift"), ("?", "?"), ("?", "?", "shift"), ("\r", "\r"), (" ", " "),
            ("\xe9", "\xe9"), ("\x1b[107;6u", "K", "command", "shift", "alphaShift")):
        (event,) = [event for event in XTermParser().feed(sequence) if hasattr(event, "key")]
        names = names_of({"input": text, "modifiers": modifiers})
        assert event.key in names, (sequence, event.key, names)


async def check_lines(server):
    """Enter performs the highlighted item; one that is disabled tells why."""
    async with Screen.of(server) as screen:
        await screen.press("tab", "tab", "down", "down", "enter")
        why = screen.app.query_one("#why", Static)
        await until(lambda: "Nothing is being recorded." in screen.told(), "why not")
        assert str(why.content) == "Nothing is being recorded."
        await screen.press("shift+tab", "shift+tab")
        await until(lambda: str(why.content) == "", "nothing to explain")
        await screen.press("down", "enter")
        await until(lambda: server.session.document()["state"]["routes"]["transmission"] == "camera1", "a take")
        await screen.agrees(server.session)
        await screen.press("end", "enter")
        await screen.agrees(server.session)


async def check_moves(server):
    """The highlight stays with its item when others come, go and change; without its item there is none."""
    sources = server.session.document()["state"]["sources"]
    names = [name for name in sources if name != "outside"]
    async with Screen.of(server) as screen:
        column = screen.app.query(MenuColumn).first()
        await screen.press("down", "down", "down")
        assert column.item["itemKey"] == "transmission/outside"
        for change in ({"aerial": {"name": "Aerial", "inputs": []}}, {name: None for name in names[:2]},
                       {names[0]: sources[names[0]], "aerial": None}, {names[1]: sources[names[1]]}):
            server.session.patch({"sources": change})
            await screen.agrees(server.session)
            assert column.item["itemKey"] == "transmission/outside", column.item
        server.session.patch({"sources": {"outside": None}})
        await screen.agrees(server.session)
        assert column.item is None
        server.session.patch([{"op": "replace", "path": "/sources", "value": sources}])
        await screen.agrees(server.session)


async def check_confirmation(server):
    """A confirmation is asked on a screen of its own; Cancel and Escape do nothing."""
    async with Screen.of(server) as screen:
        for answer in (["escape"], ["enter"], ["tab", "enter"]):
            await screen.press("ctrl+shift+o")
            await screen.comes(Confirmation)
            assert str(screen.app.screen.query(Label).first().content).startswith("Go on air with ")
            assert not server.session.document()["state"]["onAir"]
            await screen.press(*answer)
            await until(lambda: not isinstance(screen.app.screen, Confirmation), "the confirmation goes")
        await until(lambda: server.session.document()["state"]["onAir"], "on air")
        await screen.agrees(server.session)
        server.session.perform("goOffAir:", confirmed=True)


async def check_form(server):
    """A command's parameters are a form of what can be chosen now; mistakes are shown, and progress is told."""
    session = server.session
    session.perform("startRecording:")
    session.perform("stopRecording:")
    async with Screen.of(server) as screen:
        await screen.press("ctrl+shift+e")
        await screen.comes(Form)
        clip, kind = screen.app.screen.query(Select)
        clips = [one["name"] for one in session.document()["state"]["clips"].values()]
        assert [str(title) for title, value in clip._options if isinstance(value, str)] == clips
        assert kind.value == '"XDCAM HD422"'
        kind.clear()
        mistakes = screen.app.screen.query_one("#mistakes", Label)
        await screen.agree()
        await until(lambda: "format: The member 'format' is missing." in str(mistakes.content), "a mistake")
        kind.value = '"H.264 Proxy"'
        await screen.agree()
        await until(lambda: not isinstance(screen.app.screen, Form), "the form goes")
        delivery = session.deliveries().list()[-1]
        assert delivery["value"]["format"] == "H.264 Proxy" and delivery["state"] == "open"
        progress = screen.app.query_one("#work", Static)
        deliveries = session.deliveries(by="check")
        work = deliveries.next()
        deliveries.renew(work, 0.5, "Half of it")
        line = f"{'█' * 10}{'░' * 10}  50%  Half of it"
        await until(lambda: line in str(progress.content), "the progress")
        await screen.agrees(session)
        deliveries.reply(work, "done", [{"op": "mergeState", "patch": {"export": None}}])
        await until(lambda: str(progress.content) == "", "it is over")
        await screen.agrees(session)


async def check_palette(server):
    """The palette finds what menud finds, in its order, with the menus and why not, and performs it."""
    async with Screen.of(server) as screen:
        found = await screen.find("caption", "Breakdown Caption")
        expected = server.session.search("caption", disabled=True, limit=50)["items"]
        assert [one.split("\n")[0] for one in found] == [item["title"] for item in expected], found
        assert "Router ▸ Transmission" in found[0], found
        assert any("On Air ▸ Take on Air · Nothing is on air. Take it as usual." in one for one in found), found
        await screen.press("enter")
        await until(lambda: server.session.document()["state"]["routes"]["transmission"] == "caption", "a take")
        await screen.find("stop recor", "Stop Recording")
        await screen.press("enter")
        await until(lambda: "Nothing is being recorded." in screen.told(), "why not")


async def check_strokes(server):
    """A key of two strokes waits for the second one, and shows what can follow; other keys are given to nobody."""
    # The machine may be busy.
    Strokes.TIMEOUT, Strokes.PATIENCE = 5, 60
    entries = [{"key": "ctrl+k ctrl+r", "command": "startRecording:"}, {"key": "ctrl+k ctrl+z", "command": "undo:"},
               {"key": "ctrl+k ctrl+s", "command": "stopRecording:"}, {"key": "ctrl+g", "command": "stopRecording:"},
               {"key": "ctrl+g ctrl+g", "command": "goOnAir:"}]
    Client(server.url).request("PUT", "/keymaps/check", body={"entries": entries})
    server.session.change("PUT", "keymap", {"keymap": "check"})
    state = lambda: server.session.document()["state"]  # noqa: E731
    async with Screen.of(server) as screen:
        await until(lambda: "ctrl+k" in screen.app.screen.active_bindings, "the keymap")
        await screen.agrees(server.session)
        await screen.press("ctrl+k")
        await screen.comes(Strokes)
        text = str(screen.app.screen.query_one(Static).content)
        assert "ctrl+k …" in text and "ctrl+r  Start Recording" in text and "Stop" not in text, text
        await screen.press("ctrl+r")
        await until(lambda: state()["recording"], "it records")
        await until(lambda: not isinstance(screen.app.screen, Strokes), "the strokes are over")
        await screen.agrees(server.session)
        # Control-Z undoes, but not here.
        await screen.press("ctrl+k")
        await screen.comes(Strokes)
        await screen.press("ctrl+shift+s")
        await until(lambda: not isinstance(screen.app.screen, Strokes), "the strokes are over")
        assert state()["recording"]
        await screen.press("ctrl+g")
        await screen.comes(Strokes)
        await screen.press("ctrl+o")
        await until(lambda: not isinstance(screen.app.screen, Strokes), "the strokes are over")
        await screen.agrees(server.session)
        assert state()["recording"]
        # A key that is the beginning of longer ones is performed after a while.
        await screen.press("ctrl+g")
        await screen.comes(Strokes)
        await until(lambda: not state()["recording"], "it has recorded")
        await screen.agrees(server.session)
    server.session.change("PUT", "keymap", {"keymap": None})


async def check_rights(server):
    """With a token for some commands the others are hidden, also their keys; deliveries need not be readable."""
    guarded = Server(server.built, MENUD_AUTH_ADMINISTRATOR_TOKEN=TOKEN)
    client = Client(guarded.url, token=TOKEN)
    body = {"kind": "panel", "label": "Panel", "rights": ["items", "perform"], "commands": ["take:", "*Recording:"]}
    token = client.request("POST", "/sessions/desk/tokens", body=body).body["token"]
    limited = Client(guarded.url, token=token).session("desk")
    async with Screen.of(guarded, token=token) as screen:
        await screen.agrees(limited)
        bindings = screen.app.screen.active_bindings
        assert "ctrl+shift+o" not in bindings and "ctrl+shift+r" in bindings, bindings
        await screen.press("ctrl+shift+r")
        await until(lambda: limited.validate(["stopRecording:"])[0]["enabled"], "it records")
        await screen.agrees(limited)
        # A key that a responder takes for an action means nothing with this token, which performs only commands.
        taken = {"input": "s", "modifiers": ["command", "shift"], "action": "goOnAir:"}
        client.session("desk").change("PUT", "responders/matrix/key-commands", {"keyCommands": [taken]})
        await until(lambda: "ctrl+shift+s" not in screen.app.screen.active_bindings, "the key is hidden")
        await screen.agrees(limited)


async def check_end(server):
    """A session that is not there, and one that is closed, are told."""
    async with AsyncClient(server.url, timeout=10) as client:
        app = Terminal(client.session("nobody"))
        async with app.run_test() as pilot:
            await until(lambda: app.return_code == 1, "it ends")
    session = Client(server.url).open("short")
    async with Screen.of(server, "short") as screen:
        session.close()
        await until(lambda: screen.app.sub_title == "closed: sessionClosed", "it is told")
        assert not any(binding.enabled for key, binding in screen.app.screen.active_bindings.items()
                       if binding.binding.action.startswith("press("))


async def check_restart(server):
    """Through kill -9 the keys are greyed, and afterwards everything is as it is then."""
    async with Screen.of(server) as screen:
        await screen.agrees(server.session)
        server.kill()
        await until(lambda: screen.app.sub_title == "menud is away", "it is told")
        await until(lambda: [key.has_class("-disabled") for key in screen.app.query(FooterKey)
                             if key.action.startswith("press(")] == [True] * 6, "the keys are greyed")
        await screen.press("ctrl+shift+r", "down", "enter")
        await until(lambda: "menud is away" in screen.told(), "it is told again")
        server.start()
        assert not server.session.document()["state"]["recording"]
        server.session.perform("take:", item_key="monitor/camera2")
        await until(lambda: screen.app.sub_title == "", "it is connected")
        await screen.agrees(server.session)
        await screen.press("ctrl+shift+r")
        await until(lambda: server.session.document()["state"]["recording"], "it records")
        await screen.agrees(server.session)
        server.session.perform("stopRecording:")


async def check_pace(server):
    """Ten changes a second are shown, each once, and nothing stale stays."""
    session, shown = server.session, []
    session.perform("take:", item_key="mixer1/camera1")
    replace = MenuColumn.replace_option_prompt_at_index

    def noted(column, index, prompt):
        if (column.items[index] or {}).get("itemKey") == "mixer1/outside" and column.border_title == "Router":
            shown.append("✓" in str(prompt))
        return replace(column, index, prompt)

    def change():
        for index in range(50):
            session.perform("take:", item_key="mixer1/" + ("outside", "camera1")[index % 2])
            time.sleep(0.1)
    async with Screen.of(server) as screen:
        await screen.agrees(session)
        MenuColumn.replace_option_prompt_at_index = noted
        try:
            await asyncio.to_thread(change)
            await screen.agrees(session)
        finally:
            MenuColumn.replace_option_prompt_at_index = replace
    assert shown == [True, False] * (len(shown) // 2) and shown, shown
    print(f"{len(shown)} of 50 changes were shown one by one")


async def check_terminal(server):
    """The program works in a terminal, by the bytes that terminals send, and leaves it as it was."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 48, 110, 0, 0))
    before = termios.tcgetattr(slave)
    environment = os.environ | {"PYTHONPATH": CLIENT, "TERM": "xterm-256color"}
    process = subprocess.Popen(
        [sys.executable, "-B", f"{HERE}/terminal.py", "--server", server.url, "--session", "desk"], env=environment,
        stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
    STACK.callback(lambda: process.poll() is None and process.kill())
    output = bytearray()

    def read():
        with contextlib.suppress(OSError):
            while piece := os.read(master, 65536):
                output.extend(piece)
    threading.Thread(target=read, daemon=True).start()

    await until(lambda: "Outside Broadcast" in re.sub(r"\x1b\[[0-9;]*m", "", output.decode(errors="replace")), "menus")
    state = lambda: server.session.document()["state"]  # noqa: E731
    source = state()["routes"]["transmission"]
    # Down and Enter, Control-Z, Control-Shift-R as the Kitty protocol sends it, and Control-Q.
    os.write(master, b"\x1b[B\r")
    await until(lambda: state()["routes"]["transmission"] == "camera1" != source, "a take")
    await until(lambda: b"Undo Camera 1" in output, "the footer")
    os.write(master, b"\x1a")
    await until(lambda: state()["routes"]["transmission"] == source, "it is undone")
    os.write(master, b"\x1b[114;6u")
    await until(lambda: state()["recording"], "it records")
    os.write(master, b"\x11")
    await until(lambda: process.poll() == 0, "it ends")
    assert termios.tcgetattr(slave) == before


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--only", default="", help="a part of the names of checks")
    options = parser.parse_args()
    end_by_signals()
    checks = {name: check for name, check in (globals() | vars(seldom)).items()
              if name.startswith("check_") and options.only in name}
    with STACK:
        server = Server(os.path.abspath(options.program))
        for name, check in checks.items():
            asyncio.run(check(server))
            print(f"ok: {name.removeprefix('check_')}", flush=True)
    print(f"{len(checks)} checks passed")


if __name__ == "__main__":
    main()
