#!/usr/bin/env python3
"""Checks `Config/compose.yaml` and the files of `Config/replicas`.

Form, references, probes, and that menud and HAProxy accept them.

yamllint, kubernetes-validate and podman-compose (PyPI) look at the YAML where they are installed. What holds of all
files together is checked here: every variable is a setting of menud, every secret is mounted where it is read, probes
and proxy ask at ports and paths that there are, and a replica is given more time to stop than it takes.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

import yaml

from program import BUILT, ROOT
from topology import FOLDER, Topology

RULES = ("{extends: default, rules: {line-length: {max: 130}, document-start: disable, "
         "comments: disable, braces: disable}}")
IGNORED = "Warnings were found."
PATHS = ("/health/live", "/health/ready")


def run(faults, name, *command, environment=None):
    """Runs a tool, unless it is missing."""
    folder = os.path.dirname(sys.executable)
    tool = next((path for path in (os.path.join(folder, command[0]), shutil.which(command[0]))
                 if path and os.path.exists(path)), None)
    if tool is None:
        print(f"SKIPPED: {name}: {command[0]} is not installed")
        return
    outcome = subprocess.run([tool, *command[1:]], capture_output=True, text=True, cwd=ROOT,
                             env=environment)
    # Where there is no network HAProxy warns of the server of names.
    lines = (outcome.stdout + outcome.stderr).splitlines()
    text = "\n".join(line for line in lines if not line.endswith(IGNORED)
                     and "can't connect socket for nameserver" not in line).strip()
    if outcome.returncode or "warning" in text.lower():
        faults.append(f"{name}: {text}")
    else:
        print(f"ok: {name}")


def check_settings(faults, name, variables, program):
    """menud knows every variable and accepts its value."""
    with tempfile.TemporaryDirectory(prefix="menud-deployment-") as folder:
        for secret, text in (("administrator-token", "0" * 64), ("journal-url", "postgresql://menud@db/menud")):
            with open(f"{folder}/{secret}", "w") as file:
                file.write(text + "\n")
        variables = {key: value.replace("/run/secrets/menud", folder).replace("/run/secrets", folder)
                     for key, value in variables.items()}
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("MENUD_")}
        run(faults, f"menud check with the variables of {name}", os.path.abspath(program), "check",
            environment=inherited | variables)


def check_compose(faults, topology, program):
    services, content = topology.services, topology.content
    for name in topology.menuds:
        service = services[name]
        check_settings(faults, f"compose.yaml, {name}", service["environment"], program)
        if service["environment"] != services[topology.menuds[0]]["environment"]:
            faults.append(f"{name} has other variables than {topology.menuds[0]}")
        grace = int(service["stop_grace_period"].rstrip("s"))
        if grace <= int(service["environment"]["MENUD_SERVER_DRAIN_DELAY"]) + 10:
            faults.append(f"{name} is killed before it has drained")
        if f"    server {name} {name}:8080" not in topology.haproxy.splitlines():
            faults.append(f"haproxy.cfg does not name {name}")
    for name, service in services.items():
        mounted = set(service.get("secrets", []))
        read = {value.removeprefix("/run/secrets/") for value in service.get("environment", {}).values()
                if value.startswith("/run/secrets/")}
        if mounted != read or not mounted <= set(content["secrets"]):
            faults.append(f"{name} reads the secrets {sorted(read)}, and has {sorted(mounted)}")
        if "healthcheck" not in service or service.get("restart") != "always":
            faults.append(f"{name} is not looked after")
        unknown = set(service.get("depends_on", [])) - set(services)
        if unknown:
            faults.append(f"{name} depends on {sorted(unknown)}")
    for name, secret in content["secrets"].items():
        ignored = subprocess.run(
            ["git", "check-ignore", "-q", os.path.join(FOLDER, secret["file"])], cwd=ROOT).returncode
        if ignored == 1:
            faults.append(f"git would keep the secret {name}")
    if "Config/replicas/secrets" not in open(os.path.join(ROOT, ".dockerignore")).read().splitlines():
        faults.append("the image would have the secrets")


def check_one(faults, path, program):
    """The file for one menud: what it keeps is a volume, and without a token it is refused."""
    with open(path) as file:
        content = yaml.safe_load(file)
    [(name, service)] = content["services"].items()
    token = "MENUD_AUTH_ADMINISTRATOR_TOKEN"
    variables = service["environment"]
    if not variables[token].startswith(f"${{{token}:?"):
        faults.append(f"{name} starts without a token")
    check_settings(faults, os.path.relpath(path, ROOT), variables | {token: "0" * 64}, program)
    with open(os.path.join(ROOT, "Dockerfile")) as file:
        image = file.read()
    mounts = dict(volume.split(":")[:2] for volume in service["volumes"])
    for source, target in mounts.items():
        if source not in content["volumes"] and not os.path.isdir(os.path.join(os.path.dirname(path), source)):
            faults.append(f"{source} is neither a volume nor a folder")
        if f" {target}\n" not in image:
            faults.append(f"the image has no {target}")
    if f'CMD {json.dumps(service["healthcheck"]["test"][1:])}' not in image:
        faults.append("the health check is not that of the image")
    if "restart" not in service or int(service["stop_grace_period"].rstrip("s")) <= 10:
        faults.append(f"{name} is not looked after")
    if any(not port.startswith("127.0.0.1:") for port in service["ports"]):
        faults.append("its port is open to everybody")


def check_kubernetes(faults, documents, program):
    [deployment, budget, service] = [
        next(document for document in documents if document["kind"] == kind)
        for kind in ("Deployment", "PodDisruptionBudget", "Service")]
    template = deployment["spec"]["template"]
    [container] = template["spec"]["containers"]
    variables = {entry["name"]: entry["value"] for entry in container["env"]}
    check_settings(faults, "kubernetes.yaml", variables, program)
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    if str(ports["health"]) != variables["MENUD_SERVER_HEALTH_PORT"] or ports["http"] != 8080:
        faults.append(f"the ports are {ports}")
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        asked = container[probe]["httpGet"]
        if asked["port"] not in ports or asked["path"] not in PATHS:
            faults.append(f"{probe} asks {asked}")
    start = container["startupProbe"]
    if start["periodSeconds"] * start["failureThreshold"] <= int(variables["MENUD_JOURNAL_WAIT"]):
        faults.append("a start that waits for the database is killed")
    if template["spec"]["terminationGracePeriodSeconds"] <= int(variables["MENUD_SERVER_DRAIN_DELAY"]) + 10:
        faults.append("a replica is killed before it has drained")
    labels = template["metadata"]["labels"]
    for selector in (deployment["spec"]["selector"]["matchLabels"],
                     budget["spec"]["selector"]["matchLabels"], service["spec"]["selector"]):
        if not selector.items() <= labels.items():
            faults.append(f"{selector} selects nothing")
    if service["spec"]["ports"][0]["targetPort"] not in ports:
        faults.append("the service leads nowhere")
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    [volume] = template["spec"]["volumes"]
    for name, value in variables.items():
        if value.startswith("/") and not value.startswith(mounts[volume["name"]] + "/"):
            faults.append(f"{name} is not mounted")
    update = deployment["spec"]["strategy"]["rollingUpdate"]
    if update["maxUnavailable"] != 0 or not container["securityContext"]["readOnlyRootFilesystem"] \
            or not template["spec"]["securityContext"]["runAsNonRoot"]:
        faults.append("the deployment is not what it is said to be")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=BUILT)
    options = parser.parse_args()
    faults, topology = [], Topology()
    one = os.path.join(ROOT, "Config", "compose.yaml")
    compose, kubernetes = (os.path.join(FOLDER, name) for name in ("compose.yaml", "kubernetes.yaml"))
    with open(kubernetes) as file:
        documents = list(yaml.safe_load_all(file))
    run(faults, "form of the YAML", "yamllint", "-d", RULES, one, compose, kubernetes)
    run(faults, "schemas of Kubernetes", "kubernetes-validate", "--strict", kubernetes)
    if shutil.which("podman"):
        run(faults, "compose.yaml", "podman-compose", "-f", compose, "config")
        run(faults, "compose.yaml of one menud", "podman-compose", "-f", one, "config",
            environment=os.environ | {"MENUD_AUTH_ADMINISTRATOR_TOKEN": "0" * 64})
    else:
        print("SKIPPED: compose.yaml: podman is not installed")
    with tempfile.NamedTemporaryFile("w", suffix=".cfg") as file:
        names = topology.names(len(topology.menuds))
        file.write(topology.proxy(8080, {name: 8081 + i for i, name in enumerate(names)}))
        file.flush()
        run(faults, "haproxy.cfg", "haproxy", "-c", "-f", file.name)
    check_one(faults, one, options.program)
    check_compose(faults, topology, options.program)
    check_kubernetes(faults, documents, options.program)
    for fault in faults:
        print(f"fault: {fault}")
    print(f"{len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
