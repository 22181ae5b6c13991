#!/usr/bin/env python3
"""Types keys into an interactive bash that has read a script, until the terminal shows a text.

It prints all that is shown, and fails if the text does not come within a minute.
"""

import os
import pty
import select
import sys
import time

PROMPT = "ready> "


def reading(terminal, awaited):
    """All that is shown until a text is."""
    text, deadline = b"", time.monotonic() + 60
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
    reading(terminal, "\nread")
    reading(terminal, PROMPT)
    os.write(terminal, keys.encode())
    text = reading(terminal, awaited)
    print(text)
    os.close(terminal)
    os.waitpid(process, 0)
    sys.exit(awaited not in text)


if __name__ == "__main__":
    main()
