"""Connections that can be cut, stalled and refused: a process that relays TCP, and who commands it.

A link listens on a port and relays each connection to another one. While it is stalled, in one direction or both,
connections stay open and nothing passes.
"""

import asyncio
import json
import socket
import struct
import subprocess
import sys
import threading

DIRECTIONS = ("up", "down")  # towards the server, and back


class Relay(asyncio.Protocol):
    """One end of a relayed connection."""

    def __init__(self, link, direction):
        self.link, self.direction = link, direction  # of what arrives here
        self.transport = self.other = None
        self.waiting = []

    def connection_made(self, transport):
        self.transport = transport
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.link.relays.add(self)
        if self.direction in self.link.stalled:
            transport.pause_reading()
        if self.direction == "up":
            asyncio.ensure_future(self.connect())

    async def connect(self):
        try:
            _, self.other = await asyncio.get_running_loop().create_connection(
                lambda: Relay(self.link, "down"), "127.0.0.1", self.link.target)
        except OSError:
            return self.abort()
        self.other.other = self
        if self.direction not in self.link.stalled:
            self.resume()
        if self.transport.is_closing():
            self.other.transport.close()

    def data_received(self, data):
        if self.other and self.direction not in self.link.stalled:
            self.other.transport.write(data)
        else:
            self.waiting.append(data)

    def resume(self):
        if self.other:
            for data in self.waiting:
                self.other.transport.write(data)
            self.waiting.clear()
        if not self.transport.is_closing():
            self.transport.resume_reading()

    def connection_lost(self, error):
        self.link.relays.discard(self)
        if self.other and not self.other.transport.is_closing():
            self.other.transport.close()

    def abort(self):
        """Ends the connection by a reset, as a broken network does."""
        try:
            self.transport.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        except OSError:
            pass
        self.transport.abort()


class Link:
    """One port, and what passes through it."""

    def __init__(self, port, target):
        self.port, self.target = port, target
        self.relays, self.stalled, self.server = set(), set(), None

    async def open(self):
        if self.server is None:
            self.server = await asyncio.get_running_loop().create_server(
                lambda: Relay(self, "up"), "127.0.0.1", self.port, reuse_address=True)

    async def do(self, order):
        if order == "cut":
            self.cut()
        elif order == "refuse":
            if self.server:
                self.server.close()
            self.server = None
            self.cut()
        elif order == "stall":
            self.stall(DIRECTIONS)
        elif order in DIRECTIONS:
            self.stall([order])
        elif order == "heal":
            self.stalled.clear()
            for relay in list(self.relays):
                relay.resume()
            await self.open()
        elif order == "count":
            return sum(relay.direction == "up" for relay in self.relays)

    def cut(self):
        for relay in list(self.relays):
            relay.abort()

    def stall(self, directions):
        self.stalled.update(directions)
        for relay in self.relays:
            if relay.direction in self.stalled and not relay.transport.is_closing():
                relay.transport.pause_reading()


async def serve(links):
    """Obeys lines `NAME ORDER`, and answers each with a line."""
    for link in links.values():
        await link.open()
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    print("ready", flush=True)
    while line := await reader.readline():
        name, order = line.decode().split()
        print(await links[name].do(order), flush=True)


class Links:
    """The process with all links; it ends with this one."""

    def __init__(self, links):
        """Takes pairs of ports, listening and target, by name."""
        self.lock = threading.Lock()
        self.process = subprocess.Popen(
            [sys.executable, "-B", __file__, json.dumps(links)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n", "The links did not start."

    def order(self, name, order):
        with self.lock:
            self.process.stdin.write(f"{name} {order}\n")
            self.process.stdin.flush()
            return self.process.stdout.readline().strip()

    def end(self):
        self.process.stdin.close()
        self.process.wait()


if __name__ == "__main__":
    asyncio.run(serve({name: Link(*ports) for name, ports in json.loads(sys.argv[1]).items()}))
