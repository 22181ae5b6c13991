#!/usr/bin/env python3
"""Shows a session of menud on panels by Open Sound Control 1.0, and performs what they press.

    MENUD_TOKEN=… python3 panel.py --server http://localhost:8080 --session desk --panel 192.168.1.20:9001
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import re
import socket
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

from pythonosc.osc_bundle_builder import IMMEDIATELY, OscBundleBuilder
from pythonosc.osc_message_builder import build_msg
from pythonosc.osc_packet import OscPacket

from menud import AsyncClient, AsyncMirror, AsyncSession, Item, Menu, Problem, Unreached, items_in

#: The seconds for which `/subscribe` holds, and after which fixed panels are subscribed again.
LEASE, REPEAT = 60, 30
#: The most panels at a time.
PANELS = 64
#: The bytes of messages in a bundle: with its head it fits into a datagram that Ethernet does not fragment.
LONGEST = 1350
#: The seconds after which a press without an answer is given up: it must not come to effect when nobody expects it.
TIMEOUT = 5
#: The most values of items that are gone.
GONE = 4000

#: The printable characters that OSC allows in a part of an address, apart from letters and digits; `%` escapes.
ALLOWED = "!\"$&'()+-.:;<=>@\\^_`|~"
PRESS = re.compile("(?:/to/([^/]+))?/(perform|confirm)/([^/]+)(?:/([^/]+))?")
UNEXPLAINED = "It is not available now."
STATES = {"off": 0, "on": 1, "mixed": -1}
HELP = "Send /subscribe, /unsubscribe, /perform/COMMAND or /confirm/COMMAND, with /KEY for an item from data."

Value = int | str
Address = tuple[str, int]


def values_of(menu: Menu | None) -> dict[str, Value]:
    """Returns what panels show of a menu's items, by the addresses."""
    values: dict[str, Value] = {}
    for item, _ in items_in(menu):
        if "hidden" in item["attributes"]:
            continue
        name = name_of(item)
        values[f"/title{name}"] = item["title"]
        values[f"/enabled{name}"] = int(item["enabled"])
        values[f"/explanation{name}"] = item.get("explanation", "" if item["enabled"] else UNEXPLAINED)
        if item.get("checkable"):
            values[f"/checked{name}"] = STATES[item["state"]]
    return values


def name_of(item: Item) -> str:
    """Returns the part of an address that names an item: `/take:/mixer1%2Fcamera1` for a command and an item's key."""
    parts = [item["command"], item["itemKey"]] if "itemKey" in item else [item["command"]]
    return "".join("/" + quote(part, safe=ALLOWED) for part in parts)


@dataclass
class Panel:
    """A subscribed panel, and the number of its next bundle."""

    address: Address
    number: int = 0


class Gateway(asyncio.DatagramProtocol):
    """Tells panels what a mirror has, and performs what they send."""

    def __init__(self, session: AsyncSession, fixed: Iterable[Address]) -> None:
        self.session = session
        self.fixed = [*fixed]
        self.panels: dict[Address, Panel] = {}
        #: All that a panel shows, by the addresses. Items that are gone are disabled and have no texts.
        self.values: dict[str, Value] = {}
        self.transport: Any = None
        self.performing = set[asyncio.Task[None]]()

    async def run(self, host: str, port: int) -> None:
        """Serves until the session is closed; raises what else ends the mirror."""
        async with await self.session.follow(menu=True) as mirror:
            self.show(mirror)
            mirror.subscribe(lambda event: self.show(mirror))
            loop = asyncio.get_running_loop()
            self.transport, _ = await loop.create_datagram_endpoint(lambda: self, (host, port))
            print(f"OSC at {host}:{self.transport.get_extra_info('sockname')[1]}", flush=True)
            repeating = asyncio.create_task(self.repeat())
            async for _ in mirror:
                pass
            repeating.cancel()
            print(f"The session is closed: {mirror.reason}", flush=True)

    async def repeat(self) -> None:
        """Subscribes the panels that do not do so by themselves."""
        while True:
            for address in self.fixed:
                self.subscribe(address)
            await asyncio.sleep(REPEAT)

    # To panels.

    def show(self, mirror: AsyncMirror) -> None:
        """Tells each panel what differs now."""
        now = {"/connected": int(mirror.is_connected), **values_of(mirror.menu), "/revision": mirror.revision}
        gone = [(address, type(value)()) for address, value in self.values.items() if address not in now]
        now = dict(gone[-GONE:]) | now
        changed = {address: value for address, value in now.items() if self.values.get(address) != value}
        self.values = now
        for panel in self.panels.values():
            self.tell(panel, changed)

    def subscribe(self, address: Address) -> None:
        """Tells a panel everything, and from then on what changes; its bundles count from 0 again."""
        panel = self.panels[address] = Panel(address)
        self.tell(panel, self.values)
        asyncio.get_running_loop().call_later(LEASE, self.end, panel)

    def end(self, panel: Panel) -> None:
        """Ends a subscription, unless the panel has subscribed again."""
        if self.panels.get(panel.address) is panel:
            del self.panels[panel.address]

    def tell(self, panel: Panel, values: Mapping[str, Value]) -> None:
        """Sends values in bundles, each of which begins with its number."""
        messages = [build_msg(address, [value]) for address, value in values.items()]
        while messages:
            bundle = OscBundleBuilder(IMMEDIATELY)
            bundle.add_content(build_msg("/bundle", [panel.number]))
            size = 0
            while messages and (size == 0 or size + messages[0].size + 4 <= LONGEST):
                size += messages[0].size + 4
                bundle.add_content(messages.pop(0))
            self.transport.sendto(bundle.build().dgram, panel.address)
            panel.number += 1

    def answer(self, sender: Address, text: str, address: str, reason: str) -> None:
        """Tells the panels at the sender's host, or the sender if it has none, what became of a message."""
        for panel in [panel for panel in self.panels if panel[0] == sender[0]] or [sender]:
            self.transport.sendto(build_msg("/answer", [text, address, reason]).dgram, panel)

    # From panels.

    def datagram_received(self, data: bytes, addr: Address) -> None:
        """Takes a datagram. Time tags are ignored, and so is what is no OSC."""
        try:
            messages = [timed.message for timed in OscPacket(data).messages]
        except Exception:  # There is no common error for all that can be wrong.
            return
        for message in messages:
            self.receive(addr, message.address, message.params)

    def receive(self, sender: Address, address: str, arguments: Sequence[Any]) -> None:
        """Takes a message."""
        panel = (sender[0], arguments[0] if arguments else sender[1])
        if press := PRESS.fullmatch(address):
            task = asyncio.create_task(self.perform(sender, press, arguments))
            self.performing.add(task)
            task.add_done_callback(self.performing.discard)
        elif address not in ("/subscribe", "/unsubscribe"):
            self.answer(sender, HELP, address, "unknownAddress")
        elif not isinstance(panel[1], int) or not 0 < panel[1] < 65536:
            self.answer(sender, f"The argument of '{address}' is a port, from 1 to 65535.", address, "invalidArguments")
        elif address == "/unsubscribe":
            self.panels.pop(panel, None)
        elif panel in self.panels or len(self.panels) < PANELS:
            self.subscribe(panel)
        else:
            self.answer(sender, f"{PANELS} panels are subscribed; more are not served.", address, "tooManyPanels")

    async def perform(self, sender: Address, press: re.Match[str], arguments: Sequence[Any]) -> None:
        """Performs what a message names, and answers."""
        to, verb, command, key = (part and unquote(part) for part in press.groups())
        address, text, reason = press[0], "", ""
        try:
            parameters = await self.parameters(command, key, arguments) if arguments else {}
            if arguments and not parameters and not arguments[0]:
                return  # A button is released.
            said: dict[str, Any] = {"to": to, "item_key": key, "parameters": parameters or None}
            done = await self.session.perform(command, confirmed=verb == "confirm", **said)
            reason = done["reason"]
        except Problem as problem:
            text, reason = problem.words, problem.reason or (problem.type or "").rpartition("/")[2]
            if problem.confirmation:
                address = f"{address[:press.start(2)]}confirm{address[press.end(2):]}"
        except Unreached:
            text, reason = f"menud did not answer within {TIMEOUT} seconds. See what is shown.", "unreached"
        except (TypeError, ValueError) as error:
            text, reason = str(error), "invalidArguments"
        self.answer(sender, text, address, reason)

    async def parameters(self, command: str, key: str | None, arguments: Sequence[Any]) -> dict[str, Any]:
        """Names arguments as the command's parameters, in the order of their declaration.

        Without parameters, and for an item from data, the argument is a button's number.
        """
        names = [] if key else [*(await self.session.form(command)).get("schema", {}).get("properties", {})]
        if not names and (len(arguments) > 1 or not isinstance(arguments[0], int | float)):
            raise ValueError(f"'{command}' takes a button's number here, and no other argument.")
        if names and len(arguments) > len(names):
            raise ValueError(f"'{command}' has {len(names)} parameters ({', '.join(names)}), not {len(arguments)}.")
        return dict(zip(names, arguments))


def address_of(text: str) -> Address:
    """Returns the address of a panel, written as HOST:PORT."""
    host, _, port = text.rpartition(":")
    return socket.gethostbyname(host), int(port)


async def main() -> None:
    """Reads the options, and runs a gateway."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--server", default="http://localhost:8080", help="the address of menud (%(default)s)")
    parser.add_argument("--session", default="demo", help="(%(default)s)")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (%(default)s)")
    parser.add_argument("--port", type=int, default=9000, help="the UDP port to listen on (%(default)s); 0: a free one")
    parser.add_argument("--panel", type=address_of, action="append", default=[], metavar="HOST:PORT",
                        help="a panel that does not subscribe by itself; can be given again")
    options = parser.parse_args()
    # python-osc logs thousands of lines about a datagram that is no OSC.
    logging.disable(logging.WARNING)
    async with AsyncClient(options.server, token=os.environ.get("MENUD_TOKEN"), timeout=TIMEOUT) as client:
        await Gateway(client.session(options.session), options.panel).run(options.host, options.port)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main())
