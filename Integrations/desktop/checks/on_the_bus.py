"""Checks of the exported models, by gdbus and Gio's remote models."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

from gi.repository import Gio, GLib

import menud
from foreign import eventually, turn
from names import accelerator, action_name, command_of
from place import Place
from program import ROOT


def facts(name: str) -> list[dict[str, object]]:
    """Rows of the data of GLib in `$MENUD_FACTS`; none without it."""
    folder = os.environ.get("MENUD_FACTS") or os.path.join(ROOT, "..", "shared", "conformance-next")
    path = Path(folder, "glib", name)
    return json.loads(path.read_text()) if path.exists() else []


def check_names(_: Place) -> None:
    """Every command and key has a valid name of an action, and no two have the same."""
    dice = random.Random(4)
    texts = [row["name"] for row in facts("names.json") if row["name"]] + ["a--b", "a-2D", "-", "--", ":", "é.ü", "☃"]
    texts += ["".join(dice.choices("aZ09:.-_ /%é☃\n", k=dice.randint(1, 12))) for _ in range(2000)]
    for path in Path(ROOT, "Config").glob("*-*/commands.json"):
        texts += [command.get("id") or command["action"] for command in json.loads(path.read_text())]
    pairs = {(command, key) for command in texts for key in (None, dice.choice(texts))}
    names = {action_name(*pair): pair for pair in pairs}
    assert len(names) == len(pairs)
    for name, pair in names.items():
        assert command_of(name) == pair and Gio.action_name_is_valid("app." + name), (name, pair)
        target = GLib.Variant("s", name)
        valid, parsed, value = Gio.Action.parse_detailed_name(Gio.Action.print_detailed_name("app." + name, target))
        assert (valid, parsed, value.unpack()) == (True, "app." + name, name)


def check_facts(_: Place) -> None:
    """GLib takes and writes names as its own tests say, so that names can be relied on."""
    for row in facts("names.json"):
        assert Gio.action_name_is_valid(row["name"]) == row["expect"]["valid"], row
    for row in facts("print.json"):
        target = row["target"] and GLib.Variant.parse(None, row["target"])
        assert Gio.Action.print_detailed_name(row["name"], target) == row["expect"], row
    for row in facts("detailed.json"):
        expect = row["expect"]
        try:
            _, name, target = Gio.Action.parse_detailed_name(row["detailed"])
        except GLib.Error:
            assert expect.get("error"), row
            continue
        told = None if target is None else {"type": target.get_type_string(), "text": target.print_(False)}
        assert not expect.get("error") and (name, told) == (expect["name"], expect["target"]), row


def check_accelerators(_: Place) -> None:
    """Keys are accelerators of GTK; sequences, and what GTK cannot name, are none."""
    def text(input: str, *modifiers: str) -> str | None:
        return accelerator([{"input": input, "modifiers": [*modifiers]}])
    assert text("c", "command") == "<Control>c" and text("Z", "shift", "command") == "<Control><Shift>z"
    assert text("+", "control", "alternate") == "<Super><Alt>plus" and text("é", "command") == "<Control>eacute"
    assert text("UIKeyInputF11") == "F11" and text("UIKeyInputPageUp") == "Page_Up" and text("\r") == "Return"
    assert text("e\u0301", "command") == "<Control>eacute" and text("\u0130", "command") is None
    assert accelerator([{"input": "k"}, {"input": "i"}]) is None and text("5", "numericPad") is None


def check_models(place: Place) -> None:
    """gdbus reads the actions and the menu, with sections, submenus, targets and accelerators."""
    remote = place.start("--no-window")
    actions, = remote.gdbus("org.gtk.Actions.DescribeAll")
    assert actions["copy."] == (False, "", []) and actions["bold."] == (True, "", [False])
    assert actions["rename."] == (True, "a{sv}", []) and actions["alignLeft"] == (True, "s", ["alignLeft"])
    assert actions["alignRight"] == (True, "s", [""]) and actions["alignJustified"][0] is False
    assert actions["openRecent.---2Fpoems-2Froses-2Etxt"] == (True, "", [])
    menus, = remote.gdbus("org.gtk.Menus.Start", "[0, 1, 2]", at=remote.menus)
    found = {(group, number): rows for group, number, rows in menus}
    assert found[0, 0] == [{"label": "File", ":submenu": (1, 0)}, {"label": "Edit", ":submenu": (2, 0)}]
    assert found[1, 0] == [
        {"label": "Open Recent", ":submenu": (3, 0)},
        {"label": "Rename…", "action": "app.rename.", "target": {}, "accel": "<Control>r"},
        {"label": "Erase", "action": "app.erase."}]
    assert found[2, 0][3] == {"label": "Align", ":section": (2, 4)} and found[2, 4][0] == {
        "label": "Left", "action": "app.alignLeft", "target": "alignLeft"}
    assert found[2, 1] == [{"label": "Count__0", "action": "app.count.", "accel": "<Control>k"}]


def check_deltas(place: Place) -> None:
    """Each difference is told once, and nothing else."""
    remote = place.start("--no-window")
    assert place.patch(canCopy=True) == [("Actions", ([], {"copy.": True}, {}, {}))]
    assert place.patch(copies=1) == [("Actions", ([], {"paste.": True}, {}, {}))]
    assert place.patch(bold="on") == [("Actions", ([], {}, {"bold.": True}, {}))]
    assert place.patch(bold="mixed") == [("Actions", ([], {}, {"bold.": False}, {}))]
    assert place.patch(align="right") == [("Actions", ([], {}, {"alignLeft": "", "alignRight": "alignRight"}, {}))]
    (kind, [[(group, menu, at, removed, added)]]), = [(kind, value) for kind, value in place.patch(count=7)]
    assert (kind, at, removed, [row["label"] for row in added]) == ("Menus", 0, 1, ["Count__7"]), added
    recent = place.state()["recent"]
    actions, menus = sorted(place.patch(recent=["/new.txt", *recent]))
    assert actions == ("Actions", ([], {}, {}, {"openRecent.---2Fnew-2Etxt": (True, "", [])}))
    assert [(at, removed, len(rows)) for _, _, at, removed, rows in menus[1][0]] == [(0, 0, 1)], menus
    moved = place.patch(recent=[recent[0], "/new.txt", *recent[1:]])
    assert {kind for kind, _ in moved} == {"Menus"} and len(moved) == 2, moved
    actions, menus = sorted(place.patch(recent=[recent[0], *recent[1:]]))
    assert actions == ("Actions", (["openRecent.---2Fnew-2Etxt"], {}, {}, {})), actions
    assert [(at, removed, rows) for _, _, at, removed, rows in menus[1][0]] == [(1, 1, [])], menus
    (_, [[(_, _, at, removed, rows)]]), = place.patch(tellsSecret=True)
    assert (at, removed, rows[0]["label"]) == (3, 0, "Secret")
    assert place.patch(opened="/elsewhere.txt") == []
    remote.gdbus("org.gtk.Menus.End", "[0]", at=remote.menus)


def check_catalogue(place: Place) -> None:
    """Commands and menus that are edited while menud runs are followed, also when an action gets another type."""
    place.start("--no-window")
    editor = menud.Client(place.menud.url)
    editor.request("PUT", "/commands/more:", body={"title": "More", "action": "count:", "propertyList": "more"})
    more = {"identifier": "others", "title": "Others", "children": ["more:"]}
    editor.request("POST", "/menus/edits", body={"edits": [{"op": "insertChild", "atEndOfMenu": "edit", "menu": more}]})
    place.agree()
    assert ("Edit", "Others") in [row[0] for row in place.remote.shown()]
    editor.request("POST", "/menus/edits", body={"edits": [{"op": "remove", "menu": "others"}]})
    place.agree()
    assert "more." not in place.remote.actions.list_actions()
    rules = {"validate": {"checked": "state.count > 5"}, "perform": []}
    place.session.change("PUT", "responders/document/handlers/count:", rules)
    place.agree()
    assert place.patch(count=6) == [("Actions", ([], {}, {"count.": True}, {}))]


def check_activation(place: Place) -> None:
    """Others perform items, with parameters and by states; what is refused does nothing, and its words are logged."""
    remote = place.start("--no-window")
    remote.activate("openRecent.---2Fletters-2Faunt-2Etxt")
    eventually(lambda: place.state()["opened"] == "/letters/aunt.txt")
    remote.activate("rename.", "{'name': <'Violets'>, 'copies': <2>}")
    eventually(lambda: place.state()["named"] == {"name": "Violets", "copies": 2})
    for _ in range(2):
        remote.set_state("bold.", "true")
    remote.activate("alignRight", "'alignRight'")
    eventually(lambda: place.state()["align"] == "right")
    assert place.state()["bold"] == "on"
    remote.activate("copy.")
    remote.activate("alignLeft", "'alignRight'")
    for method, *arguments in (("Activate", "nothing.", "[]"), ("Activate", "copy.", "[<1>]"),
                               ("Activate", "rename.", "[<'Violets'>]"), ("SetState", "bold.", "<'on'>")):
        try:
            remote.gdbus(f"org.gtk.Actions.{method}", *arguments, "{}")
            raise AssertionError(f"{method} {arguments} is not refused.")
        except RuntimeError as error:
            assert "InvalidArgs" in str(error), error
    remote.activate("rename.", "@a{sv} {}")
    remote.activate("erase.")
    eventually(lambda: "The member 'name' is missing" in place.log and "Erase everything?" in place.log)
    state = place.state()
    assert (state["copies"], state["align"], len(state["recent"])) == (0, "right", 3), state


def check_many_changes(place: Place) -> None:
    """Ten changes a second, and as many activations, arrive; no title is told twice, and the last one stays."""
    remote = place.start("--no-window")
    for number in range(1, 51):
        if number % 2:
            remote.activate("count.")
        else:
            place.session.perform("count:")
        place.session.patch({"canCopy": number % 3 == 0, "recent": [f"/{number % 4}.txt", "/poems/roses.txt"]})
        turn(0.1)
    eventually(lambda: place.state()["count"] == 50)
    place.agree()
    labels = [row["label"] for kind, value in remote.told if kind == "Menus"
              for change in value[0] for row in change[4]]
    counts = [int(label.removeprefix("Count__")) for label in labels if label.startswith("Count__")]
    assert counts == sorted(set(counts)) and counts[-1] == 50, counts
    turn(1)
    place.agree()


def check_restart(place: Place) -> None:
    """A killed menud is found again; only what differs is told, and what was activated meanwhile is performed once."""
    remote = place.start("--no-window")
    place.patch(bold="on", count=3)
    before, known = len(remote.told), remote.shown()
    place.menud.kill()
    remote.activate("count.")
    turn(1)
    assert remote.told[before:] == [] and remote.shown() == known, "What is known stays."
    place.menud.start()
    eventually(lambda: place.state()["count"] == 4)
    place.agree()
    assert [kind for kind, _ in remote.told[before:]] == ["Menus"], remote.told[before:]
    assert place.patch(canCopy=True) == [("Actions", ([], {"copy.": True}, {}, {}))]
    assert place.state()["count"] == 4


def check_late_activation(place: Place) -> None:
    """What was activated longer ago than 30 seconds is not performed, and each is logged; the next one is."""
    remote = place.start("--no-window")
    place.menud.kill()
    for _ in range(3):
        remote.activate("count.")
    remote.set_state("bold.", "true")
    turn(31)
    place.menud.start()
    remote.activate("count.")
    eventually(lambda: place.state()["count"] == 1 and len(place.log.splitlines()) == 4)
    place.agree()
    assert (place.state()["count"], place.state()["bold"]) == (1, "off"), place.state()


def check_end(place: Place) -> None:
    """The program ends when the session is closed, and when it is told to."""
    place.start("--no-window")
    place.desktop.terminate()
    assert place.desktop.wait(30) == 0
    place.start("--no-window")
    place.session.close()
    assert place.desktop.wait(30) == 0 and "The session 'demo' is closed." in place.log, place.log


CHECKS = [check_names, check_facts, check_accelerators, check_models, check_deltas, check_catalogue, check_activation,
          check_many_changes, check_restart, check_late_activation, check_end]
