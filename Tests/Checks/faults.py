"""Faults of a cluster: each begins, lasts and is mended by the end of its call."""

import signal
import threading
import time

from postgresql import kill


def subject(kind):
    """Faults of one subject do not happen at the same time."""
    return next(word for word in ("clock", "HAProxy", "PostgreSQL", "replica") if word in kind)


class Faults:
    """Draws and injects them; `spans` tells when which one was there."""

    def __init__(self, cluster, chance):
        self.cluster, self.chance = cluster, chance
        self.counts, self.spans, self.complaints = {}, [], []
        self.kinds = {
            "kill -9 of a replica": (16, self.kill_replica),
            "stopped replica (SIGSTOP)": (10, self.stop_replica),
            "kill -9 of PostgreSQL": (6, self.kill_database),
            "immediate restart of PostgreSQL": (4, self.restart_database),
            "a connection to PostgreSQL ended by it": (6, self.terminate_backend),
            "cut to PostgreSQL": (9, lambda: self.cut("database")),
            "stalled to PostgreSQL": (9, lambda: self.stall("database")),
            "refused by PostgreSQL": (5, lambda: self.refuse("database")),
            "cut from HAProxy": (9, lambda: self.cut("web")),
            "stalled from HAProxy": (9, lambda: self.stall("web")),
            "refused to HAProxy": (5, lambda: self.refuse("web")),
            "clock jump": (8, self.jump),
            "rolling restart, each replica": (4, self.roll),
        }
        if not cluster.has_clocks:
            del self.kinds["clock jump"]

    @property
    def total(self):
        return sum(self.counts.values())

    def draw(self):
        return self.chance.choices(list(self.kinds), [weight for weight, _ in self.kinds.values()])[0]

    def inject(self):
        """Lets something fail; one time in eight something else at the same time."""
        first, second = self.draw(), self.draw()
        if self.chance.random() > 0.125 or subject(first) == subject(second):
            return self.let(first)
        other = threading.Thread(target=self.let, args=(second,))
        other.start()
        self.let(first)
        other.join()

    def let(self, kind):
        begin = time.monotonic()
        injected = self.kinds[kind][1]() or 1
        self.counts[kind] = self.counts.get(kind, 0) + injected
        self.spans.append((begin, time.monotonic(), kind))

    # How long

    def wait(self, most=1.0):
        """Waits for a moment; for one in thirty longer than menud waits for the database."""
        time.sleep(self.chance.uniform(11, 13) if self.chance.random() < 0.03 * (most > 0.5)
                   else self.chance.uniform(0.02, most))

    @property
    def replica(self):
        return self.chance.choice(self.cluster.replicas)

    # Replicas

    def kill_replica(self):
        replica = self.replica
        replica.kill()
        self.wait(0.5)
        replica.start()

    def stop_replica(self):
        replica = self.replica
        with replica.lock:
            kill(replica.program.process.pid, signal.SIGSTOP)
            self.wait(1.5)
            kill(replica.program.process.pid, signal.SIGCONT)

    def jump(self):
        """Lets a clock go wrong, and right again one time in two."""
        replica = self.replica
        replica.clock(f"{self.chance.choice([-86400, -3600, -5, 5, 60, 3600, 86400 * 30]):+}")
        self.wait(0.8)
        if self.chance.random() < 0.5:
            replica.clock("+0")

    def roll(self):
        """Replaces every replica, one after the other, as an operator does."""
        for replica in self.cluster.replicas:
            is_starting = replica.program.event("listening") is None
            code = replica.stop()
            if code != 0 and not (is_starting and code in (143, -15)):  # It ends at once then.
                self.complaints.append(f"{replica.name} stopped with {code}")
            replica.start()
            deadline = time.monotonic() + 60
            while not replica.is_ready() and time.monotonic() < deadline:
                time.sleep(0.02)
            if time.monotonic() >= deadline:
                self.complaints.append(f"{replica.name} was not ready within a minute")
            time.sleep(1.5)  # HAProxy asks once a second.
        return len(self.cluster.replicas)

    # PostgreSQL

    def kill_database(self):
        self.cluster.database.kill()
        self.wait(0.5)
        self.cluster.database.start()

    def restart_database(self):
        self.cluster.database.stop(self.chance.choice([signal.SIGQUIT, signal.SIGINT]))
        self.wait(0.5)
        self.cluster.database.start()

    def terminate_backend(self):
        backends = []
        for pid in self.cluster.database.children[1:]:
            try:
                with open(f"/proc/{pid}/cmdline") as file:
                    if "127.0.0.1(" in file.read():
                        backends.append(pid)
            except OSError:
                pass
        if backends:
            kill(self.chance.choice(backends), signal.SIGTERM)

    # Links

    def order(self, kind, order):
        names = [f"{replica.name}-{kind}" for replica in self.cluster.replicas]
        if self.chance.random() < 0.8:
            names = [self.chance.choice(names)]
        for name in names:
            self.cluster.links.order(name, order)
        return names

    def heal(self, names):
        for name in names:
            self.cluster.links.order(name, "heal")

    def cut(self, kind):
        self.order(kind, "cut")

    def refuse(self, kind):
        names = self.order(kind, "refuse")
        self.wait()
        self.heal(names)

    def stall(self, kind):
        """Stalls one direction or both; half of the time the connections end without what was stalled."""
        names = self.order(kind, self.chance.choice(["stall", "up", "down", "down"]))
        self.wait()
        if self.chance.random() < 0.5:
            for name in names:
                self.cluster.links.order(name, "cut")
        self.heal(names)

    def mend(self):
        """Mends what is left: clocks."""
        for replica in self.cluster.replicas:
            replica.clock("+0")
        self.heal([f"{replica.name}-{kind}" for replica in self.cluster.replicas
                   for kind in ("database", "web")])
