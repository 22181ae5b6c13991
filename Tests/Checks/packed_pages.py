#!/usr/bin/env python3
"""Checks the pages and samples of unpacked packages: links lead somewhere, and what they name is packed.

    packed_pages.py share/doc/menud …
"""

import pathlib
import re
import sys

LINK = re.compile(r"\]\((?!\w+:)([^()#\s]*)#?([^()\s]*)\)")
SAMPLE = re.compile(r"(?<![\w/.-])examples/[\w./-]*[\w/]")
# The reader makes it.
SECRETS = "examples/replicas/secrets"


def places(page):
    """The headings of a page, as links name them."""
    return [re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-")
            for line in page.read_text().splitlines() if line.startswith("#")]


def faults(root):
    """What is wrong with the pages and samples of a package."""
    for page in root.rglob("*.md"):
        for target, place in LINK.findall(page.read_text()):
            to = page.parent / target if target else page
            if not to.exists():
                yield f"{page}: {target} is not packed"
            elif place and place not in places(to):
                yield f"{page}: {target} has no {place}"
    for file in [*root.rglob("*.md"), *root.rglob("*.yaml")]:
        text = file.read_text()
        for name in SAMPLE.findall(text):
            if not (root / name).exists() and not name.startswith(SECRETS):
                yield f"{file}: {name} is not packed"
        if "Config/" in text or file.name == "compose.yaml" and "build" in text:
            yield f"{file}: it speaks of the repository"


def main():
    found = [fault for folder in sys.argv[1:] for fault in faults(pathlib.Path(folder))]
    sys.exit("\n".join(found) if found else 0)


if __name__ == "__main__":
    main()
