"""The services of `Config/replicas/compose.yaml` as processes: the same commands, variables and files.

Read from the file are the names of the menuds, their variables and secrets, PostgreSQL's settings, user and
database, and HAProxy's file. Only addresses and paths differ, since all of it is on one machine; and PostgreSQL is
Debian's.
"""

import os
import re

import yaml

from program import ROOT

FOLDER = os.path.join(ROOT, "Config", "replicas")


class Topology:
    """The services of the file."""

    def __init__(self, path=os.path.join(FOLDER, "compose.yaml")):
        with open(path) as file:
            self.content = yaml.safe_load(file)
        self.services = self.content["services"]
        self.menuds = [name for name, service in self.services.items() if service["image"] == "menud"]
        [mount] = self.services["haproxy"]["volumes"]
        with open(os.path.join(os.path.dirname(path), mount.split(":")[0])) as file:
            self.haproxy = file.read()

    def names(self, count):
        """So many menuds; more than the file has are called like them."""
        return [f"menud-{number + 1}" for number in range(count)]

    def environment(self, secrets):
        """The variables of a menud, whose secrets are in that folder."""
        return {name: value.replace("/run/secrets/", secrets + "/")
                for name, value in self.services[self.menuds[0]]["environment"].items()}

    @property
    def secrets(self):
        """The names of the files that a menud reads."""
        return self.services[self.menuds[0]]["secrets"]

    @property
    def database(self):
        """PostgreSQL's settings, user and database."""
        service = self.services["postgresql"]
        assert service["command"][0] == "postgres", "The command is another one."
        return (service["command"][1:], service["environment"]["POSTGRES_USER"],
                service["environment"]["POSTGRES_DB"])

    def proxy(self, port, menuds, is_sticky=True):
        """HAProxy's file, for that port and the ports of the menuds by name; answers say who gave them.

        If it is not sticky, each request goes to the next one, whatever its session.
        """
        lines = []
        for line in self.haproxy.splitlines():
            if not is_sticky and re.search(r"txn\.session|hash-type", line):
                if "balance" in line:
                    lines.append("    balance roundrobin")
                continue
            found = re.match(r"(\s*)server (\S+) (\S+)$", line)
            if not found:
                lines.append(re.sub(r"^(\s*)bind :8080$", rf"\1bind 127.0.0.1:{port}", line))
            elif found[2] == self.menuds[0]:
                lines += [f"{found[1]}server {name} 127.0.0.1:{at}" for name, at in menuds.items()]
                lines.append(f"{found[1]}http-response set-header X-Replica %s")
            else:
                assert found[2] in self.menuds, f"{line} is no menud."
        return "\n".join(lines) + "\n"
