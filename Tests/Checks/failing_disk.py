"""A disk that fails under a running menud, by a library that is put before it (disk/failing_disk.c)."""

import os
import shutil
import subprocess
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MODES = {"n": "no room", "i": "errors of writes", "r": "read-only", "s": "short writes",
         "f": "failed flushes", "m": "all by chance"}


class FailingDisk:
    """The control of the library: which mode the files of a folder are in."""

    library = None

    def __init__(self, folder):
        self.folder = os.path.realpath(folder)
        self.file = tempfile.NamedTemporaryFile(prefix="menud-disk-")
        self.heal()

    @classmethod
    def build(cls):
        """Compiles the library, once for each run."""
        if cls.library is None:
            cls.built_in = tempfile.TemporaryDirectory(prefix="menud-disk-")
            cls.library = os.path.join(cls.built_in.name, "failing_disk.so")
            # Swift's toolchain brings clang along.
            compiler = shutil.which("cc") or "clang"
            subprocess.run(
                [compiler, "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o",
                 cls.library, os.path.join(HERE, "disk", "failing_disk.c")], check=True)
        return cls.library

    @property
    def environment(self):
        return {"LD_PRELOAD": self.build(), "MENUD_DISK_FOLDER": self.folder,
                "MENUD_DISK_CONTROL": self.file.name}

    def fail(self, mode):
        os.pwrite(self.file.fileno(), mode.encode(), 0)

    def heal(self):
        self.fail("-")


class Weather(threading.Thread):
    """Lets a disk fail in one mode after another, for moments; counts the episodes by mode."""

    def __init__(self, disk, random, episodes):
        super().__init__(daemon=True)
        self.disk, self.random, self.episodes = disk, random, episodes
        self.stopping = threading.Event()

    def run(self):
        while not self.stopping.wait(self.random.uniform(0.005, 0.15)):
            mode = self.random.choice(list(MODES))
            self.episodes[mode] = self.episodes.get(mode, 0) + 1
            self.disk.fail(mode)
            self.stopping.wait(self.random.uniform(0.005, 0.2))
            self.disk.heal()

    def stop(self):
        self.stopping.set()
        self.join()
        self.disk.heal()
