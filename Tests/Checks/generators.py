#!/usr/bin/env python3
"""Generates clients of menud from its own OpenAPI document, and uses them against the running program.

openapi-python-client makes a client and datamodel-code-generator makes models. Neither may warn of
anything or number a name. `generators/use.py` then asks the program through the client, and has both
read every example of the document.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

from program import BUILT, ROOT, Connection, Program

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "generators")
ENVIRONMENT = os.path.join(ROOT, ".build", "generators")
# The names that a generator gives to a class whose schema has no name, or whose name is taken.
NUMBERED = re.compile(r"^class (\w*(?:Type\d+|\d+|Model|Field))\b", re.MULTILINE)


class Failure(Exception):
    """What is wrong with what was generated."""


def run(environment, name, *arguments):
    """Runs a tool of the environment; answers what it says."""
    folder = os.path.join(environment, "bin")
    path = os.pathsep.join([folder, os.environ["PATH"]])
    done = subprocess.run(
        [os.path.join(folder, name), *arguments], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True,
        env=os.environ | {"PATH": path, "PYTHONDONTWRITEBYTECODE": "1"})
    if done.returncode:
        raise Failure(f"{name} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def quiet(name, said):
    """Refuses whatever a generator says beside its title."""
    lines = [line for line in said.splitlines() if line and not line.startswith("Generating ")]
    if lines:
        raise Failure(f"{name} warns:\n" + "\n".join(lines))


def refuse_numbers(name, files):
    """Refuses classes with a name that the generator had to make up."""
    made_up = []
    for file in files:
        with open(file, encoding="utf-8") as text:
            made_up += NUMBERED.findall(text.read())
    if made_up:
        raise Failure(
            f"{name} made up names: {', '.join(sorted(made_up))}. Give their schemas a title, or make"
            " them schemas of their own.")


def generate(environment, document, folder):
    """Generates client and models into a folder."""
    client = os.path.join(folder, "menud_client")
    quiet("openapi-python-client", run(
        environment, "openapi-python-client", "generate", "--path", document, "--meta", "none",
        "--output-path", client))
    models = os.path.join(client, "models")
    refuse_numbers(
        "openapi-python-client", [os.path.join(models, name) for name in os.listdir(models)])
    module = os.path.join(folder, "menud_models.py")
    quiet("datamodel-codegen", run(
        environment, "datamodel-codegen", "--input", document, "--input-file-type", "openapi",
        "--output", module, "--output-model-type", "pydantic_v2.BaseModel",
        "--formatters", "builtin"))
    refuse_numbers("datamodel-codegen", [module])


def check(options):
    with tempfile.TemporaryDirectory(prefix="menud-generators-") as folder:
        server = Program(
            ["--config", "Config/menud.json", "--examples", "--journal-path", f"{folder}/menud.db",
             "--journal-durability", "off"], program=options.program)
        try:
            port = server.port()
            document = os.path.join(folder, "openapi.json")
            with open(document, "wb") as file:
                file.write(Connection(port).ask("GET", "/openapi.json").body)
            generate(options.environment, document, folder)
            print(run(
                options.environment, "python", os.path.join(HERE, "use.py"), folder, str(port)),
                end="")
        finally:
            server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--environment", default=ENVIRONMENT, help="made by Tests/Checks/install")
    try:
        check(parser.parse_args())
    except Failure as failure:
        sys.exit(str(failure))


if __name__ == "__main__":
    main()
