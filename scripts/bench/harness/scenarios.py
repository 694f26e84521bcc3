"""What is measured. Each scenario gives, for each client, the medians of its costs."""

import os
import sys

from .clients import LIBRARY, LIMIT, Clients
from .measure import interleaved
from .sandbox import DELAY_MS, sandbox

GIB = 1 << 30


class Sizes:
    """How much is measured: enough for a figure, or with --quick enough to see that all of it works."""

    def __init__(self, quick):
        self.quick = quick
        self.rounds = 1 if quick else 5
        self.cold_rounds = 2 if quick else 21
        self.commands = 50 if quick else 1000
        self.width = 16 if quick else 64
        self.bytes = 16 << 20 if quick else GIB
        self.distant_bytes = 16 << 20 if quick else 256 << 20
        self.pieces = [32768] if quick else [4096, 32768, 1 << 20]
        self.connections = 10 if quick else 200
        self.connection_counts = [1, 5] if quick else [1, 10, 50, 100, 200, 500]
        self.reconnection_counts = [1, 5] if quick else [1, 10, 100, 1000]
        self.byte_counts = [1 << 20, 4 << 20] if quick else [1 << 20, 16 << 20, 64 << 20, 256 << 20, GIB]
        self.command_counts = [1, 10] if quick else [1, 10, 100, 1000, 10000]
        self.widths = [1, 4] if quick else [1, 4, 16, 64]


class Scenarios:
    """Measures against one server."""

    def __init__(self, clients, meter, sizes):
        self.clients = clients
        self.meter = meter
        self.sizes = sizes

    def all(self):
        """The scenarios by name, in the order of the report."""
        return {
            "cold": self.cold, "startup": self.startup, "sequence": self.sequence, "parallel": self.parallel,
            "read": self.read, "write": self.write, "connections": self.connections, "idle": self.idle,
            "ciphers": self.ciphers, "distance": self.distance, "growth": self.growth,
        }

    def in_turn(self, clients, rounds=None):
        return interleaved(self.meter, clients, rounds or self.sizes.rounds)

    def cold(self):
        """`true` in a new process, and how many round trips it waits for."""
        direct = self.whole(self.clients.whole_commands(), self.sizes.cold_rounds)
        for name, trips in self.round_trips().items():
            if name in direct:
                direct[name]["roundTrips"] = trips
        return direct

    def round_trips(self):
        """The additional time of a longer path, by client. The shorter path is delayed as well: without any delay, TCP's waits
        before it acknowledges or sends (40 ms) would add to the time; on a longer path they pass during the round trip."""
        rounds = max(2, self.sizes.rounds)
        near = self.whole(self.clients.whole_commands(delayed=True), rounds)
        with sandbox(self.clients.programs["ssh-sandbox"], delay=2 * DELAY_MS) as box:
            clients = Clients(self.clients.programs, box, self.clients.directory)
            far = self.whole(clients.whole_commands(delayed=True), rounds)
        return {
            name: round((far[name]["wall"] - near[name]["wall"]) / (2 * DELAY_MS / 1000), 1) for name in far if name in near
        }

    def whole(self, clients, rounds):
        """For whole processes, regardless of the figures that they print."""
        quiet = {name: (["sh", "-c", 'exec "$@" >/dev/null', "sh", *command], env) for name, (command, env) in clients.items()}
        return self.in_turn(quiet, rounds)

    def startup(self):
        """The time to print the help, and the version."""
        programs = self.clients.programs
        environment = self.clients.environment()
        commands = {"bridge-ssh --help": [programs["bridge-ssh"], "--help"], "ssh -V": ["ssh", "-V"]}
        return self.whole({name: (command, environment) for name, command in commands.items()}, self.sizes.cold_rounds)

    def sequence(self):
        """Commands on one connection, one after another."""
        return self.rates(self.in_turn(self.clients.scenario(["sequence", self.sizes.commands])))

    def parallel(self):
        """Commands on one connection, many at a time."""
        return self.rates(self.in_turn(self.clients.scenario(["parallel", self.sizes.commands, self.sizes.width])))

    def rates(self, results):
        """Adds the number of commands per second, and the number that the server could run if it had all cores to itself and never waited."""
        for row in results.values():
            row["aSecond"] = self.sizes.commands / row["wall"]
            row["serverCpuMs"] = 1000 * row["serverCpu"] / self.sizes.commands
            row["ceiling"] = 1000 * os.cpu_count() / row["serverCpuMs"]
        return results

    def read(self):
        """The output of one command."""
        return self.in_turn(self.clients.scenario(["read", self.sizes.bytes]))

    def write(self):
        """The input of one command, in pieces of several sizes."""
        results = {}
        for piece in self.sizes.pieces:
            names = None if piece == 32768 else (LIBRARY, LIMIT)
            for name, figures in self.in_turn(self.clients.scenario(["write", self.sizes.bytes, piece], names)).items():
                results[f"{name}, pieces of {piece}"] = figures
        return results

    def connections(self):
        """Concurrent connections, each with its own command."""
        count = self.sizes.connections
        clients = {**self.clients.scenario(["connections", count]), **self.clients.fleets(count)}
        return self.in_turn(clients, min(3, self.sizes.rounds))

    def idle(self):
        """Connections that are open and do nothing: KiB for each."""
        return self.in_turn(self.clients.scenario(["idle", self.sizes.connections]), min(3, self.sizes.rounds))

    def ciphers(self):
        """Reading and writing by cipher, compared with ssh and plain C; a cipher that this libssh2 lacks is left out."""
        results = {}
        for cipher in ("aes128-ctr", "aes256-ctr", "chacha20-poly1305@openssh.com", "aes128-gcm@openssh.com"):
            for words in (["read", self.sizes.bytes], ["write", self.sizes.bytes, 32768]):
                clients = self.clients.scenario(words, (LIBRARY, LIMIT), cipher)
                clients["ssh"] = self.clients.ssh_transfer(words[0], words[1], cipher)
                for name, figures in self.in_turn(clients, min(3, self.sizes.rounds)).items():
                    results[f"{words[0]}, {cipher}, {name}"] = figures
        return results

    def distance(self):
        """Reading and writing over a path with a round trip of a tenth of a second: what counts is the wall time."""
        results = {}
        for words in (["read", self.sizes.distant_bytes], ["write", self.sizes.distant_bytes // 4, 32768]):
            clients = self.clients.scenario(words, (LIBRARY, LIMIT), delayed=True)
            clients["ssh"] = self.clients.ssh_transfer(words[0], words[1], delayed=True)
            for name, figures in self.in_turn(clients, min(3, self.sizes.rounds)).items():
                results[f"{words[0]}, {name}"] = figures
        return results

    def growth(self):
        """Cost against number: commands, channels, connections, bytes."""
        both = (LIBRARY, LIMIT, "asyncssh")
        axes = {
            "commands": [(count, ["sequence", count], (LIBRARY,)) for count in self.sizes.command_counts],
            "channels": [(width, ["parallel", self.sizes.commands, width], (LIBRARY,)) for width in self.sizes.widths],
            "connections": [(count, ["connections", count], both) for count in self.sizes.connection_counts],
            "connections in turn": [
                (count, ["reconnections", count], (LIBRARY,)) for count in self.sizes.reconnection_counts
            ],
            "bytes": [(count, ["read", count], both) for count in self.sizes.byte_counts],
        }
        results = {}
        for axis, points in axes.items():
            results[axis] = {}
            for count, words, names in points:
                print(f"  {axis}: {count}", file=sys.stderr)
                for name, figures in self.in_turn(self.clients.scenario(words, names), min(3, self.sizes.rounds)).items():
                    results[axis].setdefault(name, []).append({"count": count, "commands": self.sizes.commands, **figures})
        return results
