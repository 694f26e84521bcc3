"""The common part of the Python clients: their target and the report of a phase's cost."""

import json
import os
import resource
import time


class Target:
    """The server that the environment names, read as by the clients in C and Swift."""

    host = os.environ["BENCH_HOST"]
    port = int(os.environ["BENCH_PORT"])
    user = os.environ["BENCH_USER"]
    identity = os.environ["BENCH_IDENTITY"]
    known_hosts = os.environ["BENCH_KNOWN_HOSTS"]

    @staticmethod
    def hosts():
        """The hosts of a fleet, from a file with one per line."""
        with open(os.environ["BENCH_HOSTS"], encoding="ascii") as file:
            return file.read().split()


def resident_kib():
    """VmRSS of proc(5)."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


class Phase:
    """Wall time and processor time of this process since this object was made."""

    def __init__(self):
        self.wall = time.monotonic()
        self.cpu = self.used()
        self.resident = resident_kib()

    @staticmethod
    def used():
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return usage.ru_utime + usage.ru_stime

    def per_connection(self, count):
        """The additional memory per connection, in KiB."""
        return round((resident_kib() - self.resident) / count, 1)

    def report(self, **more):
        """Prints the line of JSON that the harness reads."""
        figures = {"wall": time.monotonic() - self.wall, "cpu": self.used() - self.cpu, "residentKiB": resident_kib()}
        print(json.dumps({**figures, **more}), flush=True)
