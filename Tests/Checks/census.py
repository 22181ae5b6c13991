#!/usr/bin/env python3
"""Counts lines, files, types and locks of menud in one or more revisions.

    Tests/Checks/census.py [REVISION ...]      the default is HEAD
    Tests/Checks/census.py --questions         doc comments of the working tree that begin as a question does

The second form lists them, prints their number, and fails unless that is 0.
"""
import pathlib
import re
import subprocess
import sys

TYPE = re.compile(r"^\s*(?:\w+ )*(?:struct|class|enum|protocol|actor) [A-Z]\w*", re.M)
LOCK = re.compile(r"\b(?:Lock|Monitor|Mutex|ReadWriteLock|Mirrored)(?:<[^()]*>)?\(")
CALLABLE = re.compile(r"\b(?:func\s+[^\s(<]+|init[?]?)\s*(?:<[^>]*>)?\(")
ROOTS = ["Sources", "Tests"]
DOC_COMMENT = re.compile(r"\s*///\s*(- [^:]+:\s*)?(.*)")
QUESTION = re.compile(r"(What|Who|Whom|Whose|Whether|Whoever|How)\b")


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


def questions(text):
    """Each doc comment, paragraph or list item that begins as a question does, with the number of its line."""
    isInside = False
    for number, line in enumerate(text.split("\n"), 1):
        comment = DOC_COMMENT.fullmatch(line)
        if comment is None:
            isInside = False
            continue
        isFirst = not isInside or comment[1] is not None
        isInside = comment[2] != ""
        if isFirst and QUESTION.match(comment[2]):
            yield number, comment[2]


if sys.argv[1:] == ["--questions"]:
    folder = pathlib.Path(__file__).resolve().parents[2]
    found = [f"{path.relative_to(folder)}:{number}: {line}"
             for root in ROOTS + ["Benchmarks/Sources", "Fuzz/Sources"]
             for path in sorted(folder.joinpath(root).rglob("*.swift")) if not path.is_symlink()
             for number, line in questions(path.read_text())]
    print("\n".join(found + [str(len(found))]))
    sys.exit(1 if found else 0)

print("| revision | files | lines | types | locks | three unlabelled parameters | test files | test lines |")
print("|---|--:|--:|--:|--:|--:|--:|--:|")
for revision in sys.argv[1:] or ["HEAD"]:
    print("| " + " | ".join([revision] + [str(number) for number in census(revision)]) + " |")
