"""A PostgreSQL server in a folder of its own, which can be killed and started again."""

import glob
import os
import pwd
import shutil
import signal
import subprocess
import time

FOLDERS = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))


class PostgreSQL:
    """Listens on a port of the loopback; asks for a password."""

    def __init__(self, folder, port, password, settings=(), user="menud", database="menud", flushes=False):
        assert FOLDERS, "Debian's postgresql is not installed."
        self.folder, self.port, self.user, self.database = folder, port, user, database
        self.password = password
        self.programs, self.process = FOLDERS[-1], None
        self.settings = [*settings] if flushes else [
            *settings, "-c", "fsync=off", "-c", "full_page_writes=off"]
        os.mkdir(folder, 0o755)
        self.prefix = []
        if os.getuid() == 0:  # PostgreSQL refuses to run as root.
            owner = pwd.getpwnam("postgres")
            os.chown(folder, owner.pw_uid, owner.pw_gid)
            self.prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        secret = f"{folder}/password"
        with open(secret, "w") as file:
            file.write(password)
        os.chmod(secret, 0o644)
        self.run("initdb", "-D", f"{folder}/data", "-U", user, "--auth=scram-sha-256",
                 f"--pwfile={secret}", "--no-sync", "--locale=C", "-E", "UTF8")
        self.start()
        self.ask(f"CREATE DATABASE {database}", "postgres")

    def run(self, program, *arguments):
        subprocess.run([*self.prefix, f"{self.programs}/{program}", *arguments], check=True,
                       cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def ask(self, statement, database=None):
        """Answers what psql prints."""
        return subprocess.run(
            ["psql", "-X", "-A", "-t", "-h", "127.0.0.1", "-p", str(self.port), "-U", self.user,
             "-c", statement, database or self.database], check=True, text=True,
            capture_output=True, env=os.environ | {"PGPASSWORD": self.password}).stdout.strip()

    def address(self, port=None):
        return (f"postgresql://{self.user}:{self.password}@127.0.0.1:{port or self.port}"
                f"/{self.database}?sslmode=disable")

    def start(self):
        with open(f"{self.folder}/log", "ab") as log:
            self.process = subprocess.Popen(
                [*self.prefix, f"{self.programs}/postgres", "-D", f"{self.folder}/data",
                 "-k", self.folder, "-p", str(self.port), "-c", "listen_addresses=127.0.0.1",
                 *self.settings], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        deadline = time.monotonic() + 60
        while subprocess.run([f"{self.programs}/pg_isready", "-q", "-h", "127.0.0.1", "-p",
                              str(self.port), "-U", self.user], cwd="/").returncode:
            assert self.process.poll() is None and time.monotonic() < deadline, "PostgreSQL does not start."
            time.sleep(0.02)

    @property
    def children(self):
        """The processes of the server that run, the first one among them."""
        pid = self.process.pid
        try:
            with open(f"/proc/{pid}/task/{pid}/children") as file:
                return [pid, *map(int, file.read().split())]
        except OSError:
            return []

    def kill(self):
        """Ends all of it at once."""
        self.process.send_signal(signal.SIGSTOP)  # It starts no other one meanwhile.
        children = self.children
        for pid in children:
            kill(pid, signal.SIGKILL)
        self.process.wait()
        while any(is_running(pid) for pid in children):
            time.sleep(0.001)

    def stop(self, number=signal.SIGQUIT):
        """Ends it as `pg_ctl stop` does: SIGQUIT immediately, SIGINT after a checkpoint."""
        self.process.send_signal(number)
        self.process.wait()

    def processor(self):
        """Seconds of the processor that those took that run now."""
        total = 0
        for pid in self.children:
            try:
                with open(f"/proc/{pid}/schedstat") as file:
                    total += int(file.read().split()[0])
            except OSError:
                pass
        return total / 1e9

    def end(self):
        if self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def kill(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass
