"""Checks of what few sessions have: markup in texts, hidden items, items of the main menu itself, and Control-C."""

import json

from textual.widgets import OptionList, Static
from textual.widgets._footer import FooterKey

from driver import ROOT, Screen, Server, until
from dialogs import Confirmation, Form
from menud import Client
from terminal import MenuColumn


async def check_markup(server):
    """Texts of a session are no markup, wherever they are shown."""
    server = Server(server.built)
    client, session, odd = Client(server.url), server.session, "[/x] [b]y [$z]"
    own = {"title": f"Own {odd}", "action": "startRecording:", "propertyList": "odd",
           "key": {"input": "y", "modifiers": ["command"]},
           "confirmation": {"title": odd, "message": odd, "button": odd}}
    client.request("PUT", "/commands/odd:", body=own)
    menu = {"identifier": "more", "title": odd, "children": [{"identifier": "in", "title": odd, "children": ["odd:"]}]}
    client.request("POST", "/menus/edits", body={"edits": [{"op": "insertChild", "atEndOfMenu": "root", "menu": menu}]})
    clip = {"name": odd, "source": "programme", "milliseconds": 0, "file": ""}
    session.patch({"sources": {"odd": {"name": odd, "inputs": []}}, "clips": {"clip1": clip}})
    async with Screen.of(server) as screen:
        await until(lambda: len(screen.app.query(MenuColumn)) == 4, "the menu comes")
        await screen.agrees(session)
        column = screen.app.query(MenuColumn).last()
        assert str(column._border_title) == odd and odd in str(column.options[0].prompt)
        screen.app.action_show_help_panel()
        await until(lambda: screen.app.query("BindingsTable"), "the panel of keys")
        await screen.pilot.pause()
        table = screen.app.query_one("BindingsTable").render_bindings_table()
        assert f"Own {odd}" in map(str, table.columns[1]._cells), table.columns[1]._cells
        await screen.find("[/x]", odd)
        await screen.press("escape", "ctrl+y")
        await screen.comes(Confirmation)
        assert str(screen.app.screen.query("Button").last().label) == odd
        await screen.press("escape", "ctrl+shift+e")
        await screen.comes(Form)
        await screen.press("enter")
        assert str(screen.app.screen.query(OptionList).first().options[-1].prompt) == odd
        await screen.press("escape", "escape")
        await until(lambda: not isinstance(screen.app.screen, Form), "the form goes")
        session.patch({"recording": {"name": odd, "source": "programme", "from": 0}})
        await screen.agrees(session)
        await screen.pilot.hover(next(iter(
            key for key in screen.app.query(FooterKey) if key.description == "Start Recording")))
        tooltip = screen.app.screen.query_one("#textual-tooltip", Static)
        await until(lambda: str(tooltip.content) == f"{odd} is being recorded.", "the tooltip")
        await screen.pilot.pause()


async def check_hidden(server):
    """Hidden items are not shown; items of the main menu itself have a column."""
    server = Server(server.built)
    client = Client(server.url)
    hidden = {"title": "Hidden", "action": "undo:", "propertyList": "hidden", "attributes": ["hidden"]}
    client.request("PUT", "/commands/hidden:", body=hidden)
    with open(f"{ROOT}/Config/control-room/menus.json") as file:
        edit = {"op": "replaceChildren", "ofMenu": "root", "children": [*json.load(file), "undo:", "hidden:"]}
    client.request("POST", "/menus/edits", body={"edits": [edit]})
    async with Screen.of(server) as screen:
        await until(lambda: len(screen.app.query(MenuColumn)) == 4, "the column")
        await screen.agrees(server.session)
        column = screen.app.query(MenuColumn).last()
        assert [item["command"] for item in column.items] == ["undo:"], column.items


async def check_control_c(server):
    """Control-C is the session's, and in the footer, if it has this key; in dialogs it stays Textual's."""
    server = Server(server.built)
    entries = [{"key": "ctrl+c", "command": "startRecording:"}]
    Client(server.url).request("PUT", "/keymaps/copying", body={"entries": entries})
    server.session.change("PUT", "keymap", {"keymap": "copying"})
    async with Screen.of(server) as screen:
        await screen.agrees(server.session)
        assert "ctrl+c" in {key.key for key in screen.app.query(FooterKey)}
        await screen.press("ctrl+shift+o")
        await screen.comes(Confirmation)
        await screen.press("ctrl+c", "escape")
        await until(lambda: not isinstance(screen.app.screen, Confirmation), "the confirmation goes")
        assert not server.session.document()["state"]["recording"]
        await screen.press("ctrl+c")
        await until(lambda: server.session.document()["state"]["recording"], "it records")
        await screen.agrees(server.session)
