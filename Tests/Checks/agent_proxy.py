"""A proxy between a client and the program, whose connections can be cut."""

import asyncio
import contextlib


class Proxy:
    """Hands on what it is sent, and keeps it, until its connections are cut."""

    def __init__(self, port):
        self.target = port
        self.writers = set()
        self.requests, self.answers = bytearray(), bytearray()

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.server.close()
        self.cut()

    async def accept(self, reader, writer):
        source, target = await asyncio.open_connection("127.0.0.1", self.target)
        self.writers |= {writer, target}
        await asyncio.gather(self.copy(reader, target, self.requests), self.copy(source, writer, self.answers))
        self.writers -= {writer, target}

    async def copy(self, reader, writer, kept):
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while data := await reader.read(1 << 16):
                kept += data
                writer.write(data)
                await writer.drain()
        with contextlib.suppress(OSError):
            writer.close()

    def cut(self):
        """Closes every connection."""
        for writer in list(self.writers):
            writer.transport.abort()
