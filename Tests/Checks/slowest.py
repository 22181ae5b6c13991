#!/usr/bin/env python3
"""Runs the tests one after the other, and tells which take longest if all pass.

The arguments are those of `swift test`.
"""

import resource
import subprocess
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

SHOWN = 10
FOLDER = Path(__file__).resolve().parents[2]
REPORT = FOLDER / ".build" / "tests.xml"
# Beside the report of XCTest, under a name of its own.
SWIFT_TESTING = REPORT.with_stem(REPORT.stem + "-swift-testing")


def times():
    """The seconds that each test took, by its target and name."""
    found = Counter()
    for test in ElementTree.parse(SWIFT_TESTING).iter("testcase"):
        target, _, suite = test.get("classname").partition(".")
        found[target, f"{suite}: {test.get('name')}"] += float(test.get("time", 0))
    return found


def main():
    SWIFT_TESTING.unlink(missing_ok=True)
    tests = subprocess.run(
        [FOLDER / ".ci" / "test", "--no-parallel", "--xunit-output", REPORT, *sys.argv[1:]], cwd=FOLDER)
    # The failed tests are the end of the output then.
    if tests.returncode:
        sys.exit(tests.returncode)
    if not SWIFT_TESTING.exists():
        sys.exit("no test ran")
    found = times()
    targets = Counter()
    for (target, _), seconds in found.items():
        targets[target] += seconds
    print(f"\nSlowest of {len(found)} tests, one after the other:")
    for (target, name), seconds in found.most_common(SHOWN):
        print(f"{seconds:8.2f} s  {target}  {name}")
    print("By target:")
    for target, seconds in targets.most_common():
        print(f"{seconds:8.2f} s  {target}")
    print(f"{targets.total():8.2f} s  together")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{used.ru_utime + used.ru_stime:8.2f} s  of processor time, a build and processes of tests included")


main()
