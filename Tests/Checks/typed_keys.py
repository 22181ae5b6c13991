#!/usr/bin/env python3
"""Types keys into an interactive bash that has read a script, until the terminal shows a text.

A completion that takes too long offers nothing, so the tabs at the end of the keys are typed again after some seconds.
It prints all that is shown, and fails if the text does not come in ten attempts.
"""

import os
import pty
import select
import sys
import time

PROMPT = "ready> "


def reading(terminal, awaited, seconds=60):
    """All that is shown until a text is, or some seconds are over."""
    text, deadline = b"", time.monotonic() + seconds
    while awaited.encode() not in text and time.monotonic() < deadline:
        if select.select([terminal], [], [], 1)[0]:
            text += os.read(terminal, 65536)
    return text.decode(errors="replace")


def main():
    script, keys, awaited = sys.argv[1:]
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update(PS1=PROMPT, TERM="dumb", COLUMNS="400")
        os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
    reading(terminal, PROMPT)
    os.write(terminal, f"bind 'set bell-style none'; source {script}; echo 're'ad\n".encode())
    # Both often come at once.
    reading(terminal, f"\nread\r\n{PROMPT}")
    os.write(terminal, keys.encode())
    text = reading(terminal, awaited, 6)
    tabs = keys[len(keys.rstrip("\t")):]
    for _ in range(9):
        if awaited in text:
            break
        os.write(terminal, tabs.encode())
        text += reading(terminal, awaited, 6)
    print(text)
    os.close(terminal)
    os.waitpid(process, 0)
    sys.exit(awaited not in text)


if __name__ == "__main__":
    main()
