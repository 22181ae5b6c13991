#!/usr/bin/env python3
"""Checks panel.py by the clients and servers of python-osc, and by oscsend and oscdump of liblo-tools."""

import argparse
import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from urllib.parse import unquote

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "Tests", "Checks"))
from program import BUILT, CLIENT, ROOT, Restartable, end_by_signals  # noqa: E402

try:
    from pythonosc.dispatcher import Dispatcher
    from pythonosc.osc_bundle_builder import OscBundleBuilder
    from pythonosc.osc_message_builder import build_msg
    from pythonosc.osc_server import BlockingOSCUDPServer
    from pythonosc.udp_client import SimpleUDPClient
except ImportError:
    print("SKIPPED: python-osc of PyPI is not installed.")
    sys.exit(0)
if not shutil.which("oscsend") or not shutil.which("oscdump"):
    print("SKIPPED: liblo-tools of Debian is not installed.")
    sys.exit(0)

from menud import Client, items_in  # noqa: E402

STACK = contextlib.ExitStack()
ERRORS = STACK.enter_context(tempfile.TemporaryFile())
TAKE, OTHER = "take:/mixer1%2Foutside", "take:/mixer1%2Fcamera1"


def eventually(condition, what):
    """Waits until a condition holds."""
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, f"It did not happen within 30 s: {what}"
        time.sleep(0.02)


def spawn(*command, **options):
    """Starts a process that ends with this one."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=ERRORS, text=True, **options)
    STACK.callback(lambda: (process.kill(), process.wait(), process.stdout.close()))
    return process


class Server(Restartable):
    """A menud of the control room."""

    def __init__(self, program):
        folder = STACK.enter_context(tempfile.TemporaryDirectory(prefix="menud-panel-"))
        super().__init__(folder, "--application", f"{ROOT}/Config/control-room", "--session", "desk", program=program)
        STACK.callback(self.kill)
        self.session = Client(self.url).session("desk")


def gateway(server, *arguments, constants=""):
    """Starts panel.py; returns its UDP port."""
    program = f"import asyncio, panel; {constants}asyncio.run(panel.main())"
    process = spawn(sys.executable, "-B", "-c", program, "--server", server.url, "--session", "desk", "--port", "0",
                    *arguments, env=os.environ | {"PYTHONPATH": f"{CLIENT}:{HERE}"})
    return int(process.stdout.readline().rpartition(":")[2])


class Panel:
    """A panel of python-osc: what it shows, and all messages that it got."""

    def __init__(self, port=None):
        self.values, self.messages = {}, []
        dispatcher = Dispatcher()
        dispatcher.set_default_handler(self.take)
        self.server = BlockingOSCUDPServer(("127.0.0.1", 0), dispatcher)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        if port:
            self.client = SimpleUDPClient("127.0.0.1", port)
            self.client.send_message("/subscribe", self.port)
            eventually(lambda: "/revision" in self.values, "a panel that joins gets the present state")

    def take(self, address, *arguments):
        self.values[address] = arguments[0]
        self.messages.append((address, *arguments))

    def sees(self, address, value):
        eventually(lambda: self.values.get(address) == value, f"{address} is {value}, not {self.values.get(address)}")

    def asks(self, address, *arguments):
        """Sends a message, and waits for the answer: its text, address and reason."""
        count = len(self.messages)
        self.client.send_message(address, arguments)
        answers = []
        eventually(lambda: answers or answers.extend(
            message[1:] for message in self.messages[count:] if message[0] == "/answer"), f"an answer to {address}")
        return answers[0]

    def agrees(self, session):
        """Waits until it shows what menud answers."""
        def expected():
            shown = {}
            for item, _ in items_in(session.menu()):
                if "hidden" in item["attributes"]:
                    continue
                name = (item["command"], item["itemKey"]) if "itemKey" in item else (item["command"],)
                shown |= {("title", *name): item["title"], ("enabled", *name): int(item["enabled"]),
                          ("explanation", *name): item.get("explanation", "")}
                if not item["enabled"] and "explanation" not in item:
                    shown["explanation", *name] = "It is not available now."
                if "checkable" in item:
                    shown["checked", *name] = int(item["state"] == "on")
            return shown

        def told():
            values = {tuple(map(unquote, address.split("/")[1:])): value for address, value in [*self.values.items()]}
            gone = {name[1:] for name, value in values.items() if name[0] == "title" and value == ""}
            return {name: value for name, value in values.items() if len(name) > 1 and name[1:] not in gone}
        eventually(lambda: told() == expected(), "the panel shows what menud answers")


def check_joining(server, port):
    """A panel that joins gets the present state, each value once, in numbered bundles; another one gets the same."""
    one = Panel(port)
    one.agrees(server.session)
    names = [message[0] for message in one.messages if message[0] != "/bundle"]
    assert len(names) == len({*names}) > 100, names
    numbers = [message[1] for message in one.messages if message[0] == "/bundle"]
    assert numbers == [*range(len(numbers))], numbers
    for name in names:
        assert re.fullmatch(r"(/[!-~]+)+", name) and not set(name) & set("#*,?[]{}"), name
    Panel(port).agrees(server.session)


def check_performing(server, port):
    """A press is performed and answered; only what differs is told, to every panel."""
    one, other = Panel(port), Panel(port)
    counts = len(one.messages), len(other.messages)
    assert one.asks(f"/perform/{TAKE}", 1.0) == ("", f"/perform/{TAKE}", "enabled")
    one.sees("/revision", server.session.document()["revision"])
    other.sees("/revision", one.values["/revision"])
    changed = {"/bundle", "/answer", "/title/undo:", "/enabled/undo:", "/explanation/undo:", "/revision"} | {
        f"/checked/{name.replace('take:', command)}" for command in ("take:", "takeOnAir:") for name in (TAKE, OTHER)}
    for panel, count in zip((one, other), counts):
        # Answers are told to the panels of the host, and there is one host here.
        assert {message[0] for message in panel.messages[count:]} == changed, panel.messages[count:]
        panel.agrees(server.session)
    one.client.send_message(f"/perform/{OTHER}", 0.0)
    assert one.asks(f"/to/router/perform/{OTHER}") == ("", f"/to/router/perform/{OTHER}", "enabled")
    entries = [entry for entry in server.session.entries() if entry.get("command") == "take:"]
    assert len(entries) == 2, "the release of a button performs nothing"
    one.client.send_message("/unsubscribe", one.port)
    other.asks(f"/perform/{TAKE}")
    other.agrees(server.session)
    assert one.values["/revision"] < other.values["/revision"]


def check_refusals(server, port):
    """A perform that is refused is answered in words."""
    one = Panel(port)
    assert one.asks("/perform/stopRecording:") == (
        "Nothing is being recorded.", "/perform/stopRecording:", "ruleFalse")
    assert one.asks("/perform/nothing:")[2] == "unknown-command"
    assert one.asks("/perform/take:/mixer1%2Fnowhere")[2] == "unknownItem"
    assert one.asks("/to/nobody/perform/undo:")[0] == "The session has no responder 'nobody'."
    assert one.asks("/nothing")[::2] == (one.values["/answer"], "unknownAddress")
    assert one.asks("/subscribe", "port")[0] == "The argument of '/subscribe' is a port, from 1 to 65535."
    assert one.asks("/perform/take:", b"blob", "mixer1")[2] == "invalidArguments"
    text = "'startRecording:' takes a button's number here, and no other argument."
    assert one.asks("/perform/startRecording:", "x") == (text, "/perform/startRecording:", "invalidArguments")
    assert one.asks(f"/perform/{TAKE}", 1, 2)[2] == "invalidArguments"
    question = ("Go on air with Programme?", "/confirm/goOnAir:", "needs-confirmation")
    assert one.asks("/perform/goOnAir:") == question
    assert one.asks(*question[1:2]) == ("", "/confirm/goOnAir:", "enabled")
    assert one.asks(f"/perform/{OTHER}")[0] == "Vision Mixer 1 is on air. Ask the supervisor."
    assert one.asks("/confirm/goOffAir:")[0] == ""
    one.agrees(server.session)


def check_parameters(server, port):
    """Arguments are the command's parameters, in the order of their declaration."""
    one = Panel(port)
    assert one.asks("/perform/take:", "monitor", "camera1")[0] == ""
    assert server.session.document()["state"]["routes"]["monitor"] == "camera1"
    assert one.asks("/perform/startRecording:", True)[0] == one.asks("/perform/stopRecording:", 1)[0] == ""
    assert one.asks("/perform/exportClip:", "clip9", "VHS") == (
        "clip: Expected 'clip1', found the string 'clip9'; did you mean 'clip1'? "
        "format: Expected 'XDCAM HD422' or 'H.264 Proxy', found the string 'VHS'.",
        "/perform/exportClip:", "invalid-body")
    assert one.asks("/perform/exportClip:", "clip1")[0] == "format: The member 'format' is missing."
    assert one.asks("/perform/exportClip:", 1, 2, 3)[0] == "'exportClip:' has 2 parameters (clip, format), not 3."
    assert one.asks("/perform/exportClip:", "clip1", "H.264 Proxy") == ("", "/perform/exportClip:", "enabled")
    assert server.session.deliveries().get(1)["value"]["format"] == "H.264 Proxy"
    assert one.asks("/perform/cancelExport:")[0] == ""
    one.agrees(server.session)


def check_names(server, port):
    """Keys with any characters are parts of addresses; items that leave are disabled and lose their texts."""
    one = Panel(port)
    key = "caméra #3/b? {x}*, [%]"
    server.session.patch({"sources": {key: {"name": "Odd", "inputs": []}}})
    name = "take:/mixer1%2Fcam%C3%A9ra%20%233%2Fb%3F%20%7Bx%7D%2A%2C%20%5B%25%5D"
    one.sees(f"/title/{name}", "Odd")
    assert one.asks(f"/perform/{name}")[0] == ""
    one.sees(f"/checked/{name}", 1)
    assert server.session.document()["state"]["routes"]["mixer1"] == key
    server.session.patch({"sources": {key: None}, "routes": {"mixer1": "camera1"}})
    for word, value in {"title": "", "enabled": 0, "checked": 0, "explanation": ""}.items():
        one.sees(f"/{word}/{name}", value)
    assert one.asks(f"/perform/{name}")[2] == "unknownItem"
    late = Panel(port)
    assert late.values[f"/enabled/{name}"] == 0 and late.values[f"/title/{name}"] == ""
    late.agrees(server.session)


def check_visibility(server, port):
    """Hidden items are not told; an item that is disabled without a reason has words."""
    one, client = Panel(port), Client(server.url)
    more = {"title": "More", "action": "nobodys:"}
    client.request("PUT", "/commands/hidden:", body=more | {"attributes": ["hidden"], "propertyList": "hidden"})
    client.request("PUT", "/commands/more:", body=more)
    menu = {"identifier": "others", "title": "Others", "children": ["hidden:", "more:"]}
    client.request("POST", "/menus/edits", body={"edits": [{"op": "insertChild", "atEndOfMenu": "root", "menu": menu}]})
    one.sees("/title/more:", "More")
    one.agrees(server.session)
    client.request("POST", "/menus/edits", body={"edits": [{"op": "remove", "menu": "others"}]})
    one.sees("/title/more:", "")


def check_nonsense(server, port):
    """Malformed datagrams, and bundles for next year, hold up nothing."""
    one = Panel(port)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for data in (b"", b"/", b"/perform", b"#bundle\0", b"#bundle\0" + b"\xff" * 99, b"\xff" * 2000,
                     b"/perform/x\0,i\0\0", b"/perform/\xff\xff\0\0,s\0\0\xff\xff\0\0",
                     b"/subscribe\0\0,d\0\0" + b"\x7f" * 8):
            sender.sendto(data, ("127.0.0.1", port))
        # What is no message in it would be a line of the log for each four bytes.
        sender.sendto(b"#bundle\0" + bytes(8) + (60_000).to_bytes(4, "big") + b"#bundle\0" + bytes(59_992),
                      ("127.0.0.1", port))
    bundle = OscBundleBuilder(time.time() + 3e7)
    bundle.add_content(build_msg(f"/perform/{TAKE}", []))
    one.client.send(bundle.build())
    one.sees(f"/checked/{TAKE}", 1)
    assert one.asks(f"/perform/{OTHER}")[0] == ""
    one.agrees(server.session)


def check_losses(server, port):
    """A panel that lost bundles sees it by their numbers, and is right again once it has subscribed again."""
    one, witness = Panel(port), Panel(port)
    one.server.shutdown()
    for source in ("camera2", "caption", "outside"):
        server.session.perform("take:", item_key=f"mixer1/{source}")
    witness.agrees(server.session)
    # What came meanwhile is lost.
    one.server.socket.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while one.server.socket.recv(65536):
            pass
    one.server.socket.setblocking(True)
    threading.Thread(target=one.server.serve_forever, daemon=True).start()
    last = max(message[1] for message in one.messages if message[0] == "/bundle")
    count = len(one.messages)
    server.session.perform("take:", item_key="monitor/caption")
    eventually(lambda: one.messages[count:], "a bundle after the lost ones")
    address, number = one.messages[count]
    assert address == "/bundle" and number > last + 1, (number, last)
    assert one.values[f"/checked/{TAKE}"] == 0
    one.client.send_message("/subscribe", one.port)
    one.agrees(server.session)


def check_leases(server, _):
    """A subscription ends; a fixed panel is told everything again and again, and needs to send nothing."""
    fixed, idle = Panel(), Panel()
    port = gateway(server, "--panel", f"localhost:{fixed.port}", constants="panel.LEASE, panel.REPEAT = 1, 0.5; ")
    fixed.agrees(server.session)
    fixed.values.clear()
    fixed.agrees(server.session)
    idle.client = SimpleUDPClient("127.0.0.1", port)
    idle.client.send_message("/subscribe", idle.port)
    idle.agrees(server.session)
    time.sleep(1.5)
    server.session.perform("take:", item_key="monitor/camera2")
    fixed.agrees(server.session)
    assert idle.values["/revision"] < fixed.values["/revision"]


def check_restart(server, port):
    """Through kill -9 a panel is told that menud is away, and afterwards what differs, without asking."""
    one = Panel(port)
    assert one.asks(f"/perform/{OTHER}")[0] == ""
    server.kill()
    one.sees("/connected", 0)
    text = "menud did not answer within 5 seconds. See what is shown."
    assert one.asks(f"/perform/{TAKE}")[::2] == (text, "unreached")
    server.start()
    server.session.perform("startRecording:")
    one.sees("/connected", 1)
    one.sees("/enabled/stopRecording:", 1)
    one.agrees(server.session)
    assert one.values[f"/checked/{TAKE}"] == 0, "what was given up came to effect"
    assert one.asks("/perform/stopRecording:")[0] == ""
    one.agrees(server.session)


def check_pace(server, port):
    """Ten changes a second all arrive, each once and in their order, and nothing stale stays."""
    one = Panel(port)
    server.session.perform("take:", item_key="mixer1/camera1")
    one.agrees(server.session)
    count, first = len(one.messages), server.session.document()["revision"]
    for index in range(50):
        server.session.perform("take:", item_key="mixer1/" + ("outside", "camera1")[index % 2])
        time.sleep(0.1)
    one.sees("/revision", first + 50)
    one.agrees(server.session)
    shown = {}
    for address, value, *_ in one.messages[count:]:
        shown.setdefault(address, []).append(value)
    # Changes that come while the machine is busy can be one event.
    assert shown["/revision"] == sorted({*shown["/revision"]}), shown["/revision"]
    assert shown["/bundle"] == [*range(shown["/bundle"][0], shown["/bundle"][0] + len(shown["/revision"]))]
    for address, values in shown.items():
        assert all(value != later for value, later in zip(values, values[1:])), (address, values)
    print(f"{len(shown['/revision'])} of 50 changes were shown one by one")


def check_foreign(server, port):
    """oscsend subscribes and performs; oscdump shows the state, the change, and the answer in words."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        other = str(free.getsockname()[1])
    lines = []
    # oscdump flushes only with -L.
    process = spawn("oscdump", "-L", other)
    threading.Thread(target=lambda: [
        lines.append(line.partition(" ")[2].strip()) for line in process.stdout], daemon=True).start()
    def send(*arguments):
        subprocess.run(["oscsend", "localhost", str(port), *arguments], check=True)

    def subscribed():
        send("/subscribe", "i", other)
        time.sleep(0.2)
        return '/title/take:/mixer1%2Foutside s "Outside Broadcast"' in lines
    eventually(subscribed, "oscdump shows the state")
    lines.clear()
    send(f"/perform/{TAKE}", "f", "1")
    eventually(lambda: f"/checked/{TAKE} i 1" in lines, "oscdump shows the change")
    assert server.session.document()["state"]["routes"]["mixer1"] == "outside"
    send("/perform/exportClip:")
    eventually(lambda: any("/answer sss" in line and "/perform/exportClip:" in line for line in lines), "an answer")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--only", default="", help="a part of the names of checks")
    options = parser.parse_args()
    end_by_signals()
    checks = {name: check for name, check in globals().items() if name.startswith("check_") and options.only in name}
    with STACK:
        server = Server(os.path.abspath(options.program))
        port = gateway(server)
        for name, check in checks.items():
            check(server, port)
            print(f"ok: {name.removeprefix('check_')}", flush=True)
        errors = os.pread(ERRORS.fileno(), 1 << 20, 0).decode()
        assert errors == "", errors[:2000]
    print(f"{len(checks)} checks passed")


if __name__ == "__main__":
    main()
