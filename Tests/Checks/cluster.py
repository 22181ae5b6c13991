"""Replicas on one PostgreSQL behind HAProxy, with links between them that can be cut, and their faults."""

import glob
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from links import Links
from postgresql import PostgreSQL, kill
from program import APPLICATION, Connection, NotListening, Program, free_port
from topology import Topology

LIBRARY = next(iter(glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")), None)


class Replica:
    """One menud on a port of its own, which is started again when it ends."""

    def __init__(self, cluster, name, port):
        self.cluster, self.name, self.port = cluster, name, port
        self.folder = os.path.join(cluster.folder, name)
        os.mkdir(self.folder)
        self.clock("+0")
        self.program, self.may_end, self.ends = None, True, []
        self.lock = threading.RLock()

    def write(self, name, text):
        with open(os.path.join(self.folder, name + ".new"), "w") as file:
            file.write(text + "\n")
        os.rename(os.path.join(self.folder, name + ".new"), os.path.join(self.folder, name))

    def clock(self, offset):
        """Sets its clock off the real one by so many seconds."""
        self.write("clock", offset)

    def start(self):
        with self.lock:
            for secret in self.cluster.topology.secrets:
                self.write(secret, self.cluster.secret(secret, self.name))
            environment = self.cluster.topology.environment(self.folder) | self.cluster.environment
            prefix = []
            if LIBRARY and self.cluster.has_clocks:
                # A shell comes first: the library changes the environment of the first process that it is in.
                prefix = ["sh", "-c", 'exec "$@"', "sh"]
                environment |= {
                    "LD_PRELOAD": LIBRARY, "FAKETIME_TIMESTAMP_FILE": f"{self.folder}/clock",
                    "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1",
                    # Else waits that are limited by the monotonic clock end at once.
                    "FAKETIME_FORCE_MONOTONIC_FIX": "0"}
            self.program = Program(["--port", str(self.port), "--application", self.cluster.application],
                                   environment, self.cluster.options.program, prefix)
            self.may_end = False

    def connect(self, timeout=10):
        return Connection(self.port, timeout)

    def is_ready(self):
        try:
            connection = self.connect(1)
            try:
                return connection.ask("GET", "/health/ready").status == 200
            finally:
                connection.close()
        except OSError:
            return False

    def ended(self):
        """Keeps what it wrote, and removes what faketime leaves."""
        with open(os.path.join(self.folder, "log"), "a") as log:
            log.write(self.program.text + f"ended: {self.program.process.returncode}\n")
        for path in (f"/dev/shm/faketime_shm_{self.program.process.pid}",
                     f"/dev/shm/sem.faketime_sem_{self.program.process.pid}"):
            if os.path.exists(path):
                os.remove(path)
        self.program.events_file.close()

    def kill(self):
        with self.lock:
            self.may_end = True
            self.program.process.kill()
            self.program.process.wait()
            self.ended()

    def stop(self):
        """Ends it as an operator does; answers its exit code."""
        with self.lock:
            self.may_end = True
            self.program.process.terminate()
        try:
            code = self.program.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            code = "none within a minute"
            self.program.process.kill()
            self.program.process.wait()
        with self.lock:
            self.ended()
        return code

    def look_after(self):
        """Starts it again if it ended by itself, as the container engine does."""
        with self.lock:
            code = self.program.process.poll() if not self.may_end else None
            if code is not None:
                last = [event for event in self.program.events if event["level"] in ("error", "critical")]
                self.ends.append((code, str((last or self.program.events)[-1:])))
                self.ended()
                self.start()


class Cluster:
    """All of it, in a folder of its own."""

    def __init__(self, options, count, environment=None, has_clocks=True, has_links=True,
                 application=APPLICATION, flushes=False, is_sticky=True):
        self.options, self.environment, self.has_clocks = options, environment or {}, has_clocks
        self.application = application
        self.topology = Topology()
        self.folder = tempfile.mkdtemp(prefix="menud-replicas-", dir=options.folder)
        os.chmod(self.folder, 0o755)
        self.token = secrets.token_hex(32)
        settings, user, database = self.topology.database
        self.database = PostgreSQL(f"{self.folder}/postgresql", free_port(), secrets.token_hex(16),
                                   settings, user, database, flushes)
        names = self.topology.names(count)
        self.ports = {f"{name}-{kind}": free_port() for name in names for kind in ("database", "web")}
        self.replicas = [Replica(self, name, free_port()) for name in names]
        targets = {f"{name}-database": self.database.port for name in names}
        targets |= {f"{replica.name}-web": replica.port for replica in self.replicas}
        if has_links:
            self.links = Links({name: (self.ports[name], target) for name, target in targets.items()})
        else:
            self.links = None
            self.ports = targets
        self.port = free_port()
        with open(f"{self.folder}/haproxy.cfg", "w") as file:
            file.write(self.topology.proxy(
                self.port, {name: self.ports[f"{name}-web"] for name in names}, is_sticky))
        self.haproxy = subprocess.Popen(
            ["haproxy", "-db", "-f", f"{self.folder}/haproxy.cfg"], stdin=subprocess.DEVNULL,
            stdout=open(f"{self.folder}/haproxy.log", "ab"), stderr=subprocess.STDOUT)
        self.ending = threading.Event()
        for replica in self.replicas:
            replica.start()
        threading.Thread(target=self.look_after, daemon=True).start()

    def secret(self, name, replica):
        return {"administrator-token": self.token,
                "journal-url": self.database.address(self.ports[f"{replica}-database"])}[name]

    @property
    def authorization(self):
        return {"Authorization": f"Bearer {self.token}"}

    def look_after(self):
        while not self.ending.wait(0.1):
            for replica in self.replicas:
                replica.look_after()

    def await_ready(self, seconds=60):
        """Waits until every replica is ready, and HAProxy knows that."""
        deadline = time.monotonic() + seconds
        for replica in self.replicas:
            while not replica.is_ready():
                if time.monotonic() > deadline:
                    raise NotListening(f"{replica.name} is not ready: {replica.program.text[-2000:]}")
                time.sleep(0.05)
        seen = set()
        while len(seen) < len(self.replicas):
            if time.monotonic() > deadline:
                raise NotListening(f"HAProxy knows {sorted(seen)} alone.")
            connection = Connection(self.port, 5)
            try:
                answer = connection.ask("GET", "/health/ready")
                if answer.status == 200:
                    seen.add(answer.headers["X-Replica"])
            except OSError:
                pass
            connection.close()
            time.sleep(0.02)

    def end(self, keeps=False):
        self.ending.set()
        for replica in self.replicas:
            with replica.lock:
                if not replica.may_end:
                    kill(replica.program.process.pid, signal.SIGCONT)
                    replica.kill()
        self.haproxy.kill()
        self.haproxy.wait()
        if self.links:
            self.links.end()
        if self.database.process.poll() is None:
            self.database.kill()
        if keeps:
            print(f"kept: {self.folder}")
        else:
            shutil.rmtree(self.folder)
