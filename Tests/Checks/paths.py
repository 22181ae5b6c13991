#!/usr/bin/env python3
"""Lists the files and functions of menud that a request passes from the socket to its answer.

    Tests/Checks/paths.py [--menud .build/debug/menud]

Each request is sent to menud under callgrind: once as it comes for the first time (cold), and once as it
comes again (warm). Needs a build with debug information and valgrind.
"""
import argparse
import collections
import http.client
import json
import pathlib
import re
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PORT = 9471
JSON = {"content-type": "application/json"}
MERGE = {"content-type": "application/merge-patch+json"}
REQUESTS = {
    "validate": ("POST", "/commands/validate", {"session": "demo"}, JSON),
    "change the state": ("PATCH", "/sessions/demo/state", {"zoom": 100}, MERGE),
    "perform once": (
        "POST", "/commands/perform",
        {"session": "demo", "command": "applyFiveStarRating:"},
        JSON | {"idempotency-key": "k"},
    ),
}


def send(method, path, body, headers):
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)
    connection.request(method, path, json.dumps(body), headers)
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status


def control(*arguments):
    subprocess.run(["callgrind_control", *arguments], check=True, capture_output=True)


def functions(file):
    """The functions of menud in a profile, by their files."""
    names, found, present = {}, collections.defaultdict(set), None
    for line in file.read_text(errors="replace").splitlines():
        match = re.match(r"(fl|fi|fe|fn)=\((\d+)\)(?: (.*))?$", line)
        if not match:
            continue
        kind, number, name = match.groups()
        space = "fn" if kind == "fn" else "fl"
        if name:
            names[space, number] = name
        name = names.get((space, number), "")
        if kind != "fn":
            present = name
        if "/Sources/" in (present or "") and kind == "fn":
            found[present.split("/Sources/")[1]].add(name)
        elif "/Sources/" in (present or ""):
            found[present.split("/Sources/")[1]]
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--menud", default=str(ROOT / ".build/debug/menud"))
    parser.add_argument("--list", action="store_true", help="list the files, with their functions")
    options = parser.parse_args()
    for title, request in REQUESTS.items():
        with tempfile.TemporaryDirectory() as folder:
            profile = pathlib.Path(folder) / "profile"
            process = subprocess.Popen(
                ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}",
                 options.menud, "serve", "--config", str(ROOT / "Config/menud.json"),
                 "--port", str(PORT), "--journal-store", "memory"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)
            try:
                for attempt in range(600):
                    try:
                        send("GET", "/health/ready", None, {})
                        break
                    except OSError:
                        time.sleep(0.2)
                counts = []
                for kind in ["cold", "warm"]:
                    if kind == "warm":
                        # What is asked again is answered from what was found out the first time.
                        send(*request)
                    control("-z")
                    status = send(*request)
                    control("-d")
                    time.sleep(1)
                    dumps = sorted(pathlib.Path(folder).glob("profile.*"),
                                   key=lambda p: int(p.suffix[1:]))
                    found = functions(dumps[-1])
                    counts.append(f"{len(found)} files {kind}")
                    if options.list:
                        print(f"\n{title}, {kind}: {status}")
                        for file in sorted(found):
                            print(f"  {file}")
                print(f"{title}: {', '.join(counts)}")
            finally:
                process.kill()
                process.wait()


main()
