#!/usr/bin/env python3
"""Counts lines, files, types and locks of menud in one or more revisions.

    Tests/Checks/census.py [REVISION ...]      the default is HEAD
    Tests/Checks/census.py --questions         doc comments of the working tree that begin as a question does
    Tests/Checks/census.py --functions         functions of the working tree's Sources over 40 lines

The last two list them, print their number, and fail unless that is 0. A table is no such function: its body is one
`switch`, with at most two lines for each case.
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
DECLARATION = re.compile(r"\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:\w+(?:\(\w+\))?\s+)*(?:func\s|init[?(<]|subscript\b|var\s+\w+[^=]*\{$)")
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


def isTable(body):
    """True if the body is one switch with at most two lines for each case."""
    indent = len(body[0]) - len(body[0].lstrip())
    inside = [line for line in body[1:-1] if len(line) - len(line.lstrip()) >= indent]
    cases = sum(re.match(r"\s*case ", line) is not None for line in inside)
    return body[0].strip().startswith("switch ") and body[-1].strip() == "}" and len(inside) <= 2 * cases


def longFunctions(text):
    """Each function, initializer and computed property over 40 lines, with the number of its first one."""
    lines = text.split("\n")
    for start, line in enumerate(lines):
        if not DECLARATION.match(line):
            continue
        indent = line[:len(line) - len(line.lstrip())]
        opening = start
        while not lines[opening].endswith("{") and (opening == start or lines[opening].startswith(indent + " ")
                                                    or lines[opening].startswith((indent + ")", indent + "where"))):
            opening += 1
        if not lines[opening].endswith("{"):
            continue
        end = next(number for number in range(opening + 1, len(lines)) if lines[number] == indent + "}")
        if end - start + 1 > 40 and not isTable(lines[opening + 1:end]):
            yield start + 1, f"{end - start + 1} lines: {line.strip()}"


def findings(roots, search):
    """What a search finds in the Swift files of the working tree."""
    folder = pathlib.Path(__file__).resolve().parents[2]
    return [f"{path.relative_to(folder)}:{number}: {line}"
            for root in roots
            for path in sorted(folder.joinpath(root).rglob("*.swift")) if not path.is_symlink()
            for number, line in search(path.read_text())]


FORMS = {"--questions": (ROOTS + ["Benchmarks/Sources", "Fuzz/Sources"], questions),
         "--functions": (["Sources"], longFunctions)}
if len(sys.argv) == 2 and sys.argv[1] in FORMS:
    found = findings(*FORMS[sys.argv[1]])
    print("\n".join(found + [str(len(found))]))
    sys.exit(1 if found else 0)

if any(argument.startswith("-") for argument in sys.argv[1:]):
    sys.exit(__doc__)
print("| revision | files | lines | types | locks | three unlabelled parameters | test files | test lines |")
print("|---|--:|--:|--:|--:|--:|--:|--:|")
for revision in sys.argv[1:] or ["HEAD"]:
    print("| " + " | ".join([revision] + [str(number) for number in census(revision)]) + " |")
