#!/usr/bin/env python3
"""Counts what there is of menud in one or more revisions: lines, files, types, locks.

    Tests/Checks/census.py [REVISION ...]      the default is HEAD
"""
import re
import subprocess
import sys

TYPE = re.compile(r"^\s*(?:\w+ )*(?:struct|class|enum|protocol|actor) [A-Z]\w*", re.M)
LOCK = re.compile(r"\b(?:Lock|Monitor|Mutex|ReadWriteLock|Mirrored)(?:<[^()]*>)?\(")
CALLABLE = re.compile(r"\b(?:func\s+[^\s(<]+|init[?]?)\s*(?:<[^>]*>)?\(")
ROOTS = ["Sources", "Tests"]


def files(revision, root):
    names = subprocess.run(["git", "ls-tree", "-r", "--name-only", revision, root],
                           check=True, capture_output=True, text=True).stdout.split("\n")
    return [name for name in names if name.endswith(".swift")]


def texts(revision, root):
    for name in files(revision, root):
        yield subprocess.run(["git", "show", f"{revision}:{name}"],
                             check=True, capture_output=True, text=True).stdout


def parameters(text, start):
    """The parameters of a declaration whose parenthesis opens before start."""
    depth, end = 1, start
    while depth and end < len(text):
        depth += (text[end] in "([{") - (text[end] in ")]}")
        end += 1
    depth, parts = 0, [""]
    for character in text[start:end - 1]:
        depth += (character in "([{<") - (character in ")]}>")
        if character == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def isUnlabelled(text, start):
    """True if three or more parameters have no label."""
    return sum(re.match(r"\s*(@\w+\s+)*_\s", part) is not None
               for part in parameters(text, start)) >= 3


def census(revision):
    row = []
    for root in ROOTS:
        all = list(texts(revision, root))
        row += [len(all), sum(text.count("\n") for text in all)]
        if root == "Sources":
            row.append(sum(len(TYPE.findall(text)) for text in all))
            row.append(sum(len(LOCK.findall(text)) for text in all))
            row.append(sum(isUnlabelled(text, match.end())
                           for text in all for match in CALLABLE.finditer(text)))
    return row


print("| revision | files | lines | types | locks | three unlabelled parameters | test files | test lines |")
print("|---|--:|--:|--:|--:|--:|--:|--:|")
for revision in sys.argv[1:] or ["HEAD"]:
    print("| " + " | ".join([revision] + [str(number) for number in census(revision)]) + " |")
