#!/usr/bin/env python3
"""Measures what replicas bring: one process on SQLite and on PostgreSQL, and one to three replicas on one PostgreSQL.

Each load is about one session or about many. Clients are spread over the replicas, and once go through HAProxy. With
"sessions apart" each session is asked for at one replica, and the others let go of it.
Rounds are interleaved; the tables have medians. Beside each rate is where the time goes: the processor time that
menud, PostgreSQL, HAProxy and the client take for one request. On few cores that is what limits the rate.
"""

import argparse
import os
import re
import resource
import statistics
import subprocess
import tempfile

from cluster import Cluster
from figures import cpu
from program import BUILT, Connection, Program, processor_time

TOKEN = "a-token-for-the-measurement-of-replicas"
APPLICATION = "Config/photo-app"
SCRIPT = """
local ports = {PORTS}
local count = 0
function setup(thread)
  thread.addr = wrk.lookup("127.0.0.1", ports[count % #ports + 1])[1]
  thread:set("number", count * 7919)
  thread:set("place", count % #ports)
  count = count + 1
end
local patch = '[{"op":"replace","path":"/zoom","value":%d}]'
local question = '{"session":"s%d","menu":"edit"}'
local json = {["Authorization"] = "Bearer TOKEN", ["Content-Type"] = "application/json"}
local patching = {["Authorization"] = "Bearer TOKEN", ["Content-Type"] = "application/json-patch+json"}
function change(session)
  return wrk.format("PATCH", "/sessions/s" .. session .. "/state", patching, patch:format(number))
end
function validate(session)
  return wrk.format("POST", "/commands/validate", json, question:format(session))
end
function request()
  number = number + 1
  local session = number % SESSIONS
  if APART and SESSIONS > 1 then
    session = number % math.floor(SESSIONS / #ports) * #ports + place
  end
  REQUEST
end
"""
LOADS = {
    "validations": "return validate(session)",
    "changes": "return change(session)",
    "9 validations, 1 change": "if number % 10 == 0 then return change(session) else return validate(session) end",
}


class Served:
    """A configuration that is running."""

    def __init__(self, options, kind):
        self.folder = tempfile.TemporaryDirectory(prefix="menud-bench-", dir=options.folder)
        self.cluster, self.programs, self.token = None, [], TOKEN
        self.is_apart = "apart" in kind
        if kind == "one process, SQLite":
            self.programs = [Program(
                ["--application", APPLICATION, "--journal-path", f"{self.folder.name}/menud.db"],
                {"MENUD_AUTH_ADMINISTRATOR_TOKEN": TOKEN}, options.program)]
            self.ports = [self.programs[0].port()]
            return
        count = int(re.match(r"(\d) replica", kind)[1]) if "replica" in kind else 1
        environment = {"MENUD_REPLICAS_ENABLED": "true" if "replica" in kind else "false"}
        if "recent" in kind:
            environment["MENUD_REPLICAS_READS"] = "recent"
        if self.is_apart:
            environment["MENUD_REPLICAS_UNLOAD_AFTER"] = "0.1"
        os.chmod(self.folder.name, 0o755)
        options.folder = options.folder or tempfile.gettempdir()
        self.cluster = Cluster(options, count, environment, has_clocks=False, has_links=False,
                               application=APPLICATION, flushes=True)
        self.cluster.await_ready()
        self.token = self.cluster.token
        self.programs = [replica.program for replica in self.cluster.replicas]
        self.ports = ([self.cluster.port] if "HAProxy" in kind else
                      [replica.port for replica in self.cluster.replicas])

    def processor(self):
        """Seconds of the processor: menud, PostgreSQL, HAProxy."""
        database = self.cluster.database.processor() if self.cluster else 0
        proxy = processor_time(self.cluster.haproxy.pid) if self.cluster else 0
        return sum(cpu(program) for program in self.programs), database, proxy

    def check(self):
        """Says which program ended, and what it wrote at last."""
        for program in self.programs:
            assert program.process.poll() is None, f"{program.process.poll()}: {program.text[-3000:]}"

    def end(self):
        if self.cluster:
            self.cluster.end()
        else:
            self.programs[0].kill()
        self.folder.cleanup()


def open_sessions(served, count):
    for index in range(count):
        connection = Connection(served.ports[index % len(served.ports)])
        fields = {"Authorization": f"Bearer {served.token}"}
        answer = connection.ask("POST", "/sessions", {"id": f"s{index}"}, fields)
        assert answer.status == 201, answer.body
        answer = connection.ask("PATCH", f"/sessions/s{index}/state",
                                [{"op": "add", "path": "/zoom", "value": 0}], fields)
        assert answer.status == 200, answer.body
        connection.close()


def measure(served, load, sessions, options):
    """Requests in a second, 50th and 99th percentile in ms, percent refused, microseconds of processor for each."""
    script = SCRIPT.replace("SESSIONS", str(sessions)).replace("REQUEST", LOADS[load]) \
        .replace("APART", "true" if served.is_apart else "false").replace("PORTS", ", ".join(map(str, served.ports))).replace("TOKEN", served.token)
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        file.write(script)
        file.flush()
        before, client = served.processor(), resource.getrusage(resource.RUSAGE_CHILDREN)
        output = subprocess.run(
            ["wrk", "-t3", f"-c{options.connections}", f"-d{options.seconds}s", "--latency", "-s", file.name,
             f"http://127.0.0.1:{served.ports[0]}"], capture_output=True, text=True, check=True).stdout
        served.check()
        after, client_after = served.processor(), resource.getrusage(resource.RUSAGE_CHILDREN)
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    broken = re.search(r"Socket errors: (.*)", output)
    if broken:
        print(f"{load}, {sessions} sessions: {broken[0]}", flush=True)
    requests = int(re.search(r"(\d+) requests in", output)[1])
    took = [1e6 * (b - a) / requests for a, b in zip(before, after)]
    took.append(1e6 * (client_after.ru_utime + client_after.ru_stime
                       - client.ru_utime - client.ru_stime) / requests)
    return (float(re.search(r"Requests/sec: +([\d.]+)", output)[1]), percentile(output, 50),
            percentile(output, 99), 100 * int(refused[1]) / requests if refused else 0, *took)


def percentile(output, number):
    value, unit = re.search(rf" {number}% +([\d.]+)(us|ms|s|m)", output).groups()
    return float(value) * {"us": 0.001, "ms": 1, "s": 1000, "m": 60_000}[unit]


def kinds(options):
    found = ["one process, SQLite", "one process, PostgreSQL"]
    found += [f"{count} replica{'s' * (count > 1)}" for count in options.replicas]
    most = f"{max(options.replicas)} replica{'s' * (max(options.replicas) > 1)}"
    found += [f"{most}, reads recent", f"{most}, sessions apart", f"{most}, through HAProxy"]
    return [kind for kind in found if not options.only or any(name in kind for name in options.only)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--replicas", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--sessions", type=int, default=64)
    parser.add_argument("--connections", type=int, default=48)
    parser.add_argument("--seconds", type=int, default=3, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", help="the configurations with one of these in their names")
    parser.add_argument("--folder", help="where journals and databases lie; by default the temporary folder")
    options = parser.parse_args()
    found = {}
    for _ in range(options.rounds):
        for kind in kinds(options):
            served = Served(options, kind)
            try:
                open_sessions(served, options.sessions)
                for load in LOADS:
                    for sessions in (1, options.sessions):
                        found.setdefault((load, sessions), {}).setdefault(kind, []).append(
                            measure(served, load, sessions, options))
            finally:
                served.end()
    print(f"{os.cpu_count()} cores, {options.connections} connections, load of the machine "
          f"{os.getloadavg()[0]:.1f}; µs are processor time for one request.")
    for (load, sessions), rows in found.items():
        print(f"\n### {load}, {sessions} session{'s' * (sessions > 1)}\n")
        print("| | requests/s | 50%, ms | 99%, ms | refused, % | menud, µs | PostgreSQL, µs | HAProxy, µs "
              "| client, µs |")
        print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
        for kind, results in rows.items():
            rate, half, most, refused, *took = (statistics.median(values) for values in zip(*results))
            print(f"| {kind} | {rate:,.0f} | {half:.1f} | {most:.1f} | {refused:.1f} | "
                  + " | ".join(f"{value:,.0f}" for value in took) + " |")


if __name__ == "__main__":
    main()
