#!/usr/bin/env python3
"""Tests menud against its own OpenAPI document by schemathesis, without tokens and with one.

schemathesis makes requests that the document allows and others that it does not, in a row as its
links say, and holds every answer against it. `contract/schemathesis.toml` says what each status
means here, `contract/hooks.py` what a schema cannot say.
"""

import argparse
import os
import subprocess
import sys
import tempfile

from program import BUILT, Program

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "contract")
TOKEN = "an-administrators-token-for-tests"


def run(name, options, environment, arguments):
    with tempfile.TemporaryDirectory(prefix="menud-contract-") as folder:
        server = Program(
            ["--config", "Config/menud.json", "--journal-path", f"{folder}/menud.db",
             "--journal-durability", "off"], environment, options.program)
        url = f"http://127.0.0.1:{server.port()}/openapi.json"
        print(f"== {name}", flush=True)
        code = subprocess.run(
            [options.schemathesis, "run", url, "--no-color", *arguments,
             *options.arguments], cwd=HERE,
            env=os.environ | {"PYTHONPATH": HERE, "PYTHONDONTWRITEBYTECODE": "1"}).returncode
        ended = server.process.poll()
        if ended is not None:
            print(f"menud ended with {ended}: {server.text[-3000:]}")
            return 1
        return server.stop() or code


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--schemathesis", default="schemathesis")
    parser.add_argument("arguments", nargs="*", help="for schemathesis")
    options = parser.parse_args()
    codes = [
        run("without tokens", options, {}, []),
        run("with an administrator's token", options,
            {"MENUD_AUTH_ADMINISTRATOR_TOKEN": TOKEN},
            ["--header", f"Authorization: Bearer {TOKEN}"]),
    ]
    sys.exit(1 if any(codes) else 0)


if __name__ == "__main__":
    main()
