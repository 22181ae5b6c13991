#!/usr/bin/env python3
"""Types keys into an interactive bash that has read a script, and prints what the terminal then shows."""

import os
import pty
import select
import sys
import time

PROMPT, SILENCE = b"ready> ", 3


def shown(terminal, end=None, silence=SILENCE):
    """What is shown until it has an end, or is silent for some seconds."""
    text, deadline = b"", time.monotonic() + 60
    while time.monotonic() < deadline and (end is None or end not in text):
        readable, _, _ = select.select([terminal], [], [], silence if end is None else 60)
        if not readable:
            break
        try:
            text += os.read(terminal, 65536)
        except OSError:
            break
    return text


def main():
    script, keys = sys.argv[1:]
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update(PS1=PROMPT.decode(), TERM="dumb", COLUMNS="400")
        os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
    shown(terminal, PROMPT)
    os.write(terminal, b"bind 'set bell-style none'; source " + os.fsencode(script) + b"\n")
    shown(terminal, b"\n")
    shown(terminal, PROMPT)
    text = b""
    for part in keys.split("\t")[:-1]:
        os.write(terminal, part.encode())
        text += shown(terminal, part.encode() if part else None)
        os.write(terminal, b"\t")
    print((text + shown(terminal)).decode(errors="replace"))
    os.close(terminal)
    os.waitpid(process, 0)


if __name__ == "__main__":
    main()
