"""One command on many hosts: the measurements, and their commands."""

import os
import shlex
import shutil

from .measure import interleaved
from .sandbox import DELAY_MS, everywhere, light

OURS = "bridge-ssh"
# How many hosts at a time, with a working server and with a simulated one.
WIDTH = 32
MANY = 256


class FleetSizes:
    """How many hosts; with --quick enough to see that all of it works."""

    def __init__(self, quick):
        self.rounds = 1 if quick else 3
        self.few, self.many, self.most = (10, 20, 40) if quick else (100, 1000, 10000)
        self.output_mib = 1
        # If a client costs a tenth of a second of CPU per host, one round with many hosts is enough.
        self.slow = ("clush", "pssh", "ansible")


def addresses(count):
    """As a range, and one by one."""
    per = 250
    if count <= per:
        return f"127.0.1.[1-{count}]", [f"127.0.1.{index}" for index in range(1, count + 1)]
    rows = (count + per - 1) // per
    return f"127.0.[1-{rows}].[1-{per}]", [f"127.0.{row}.{index}" for row in range(1, rows + 1) for index in range(1, per + 1)]


class Target:
    """One set of hosts for every client: a server that has all their addresses, or names that lead to one address."""

    def __init__(self, box, directory, count, named=False):
        self.box, self.directory, self.count = box, directory, count
        self.known_hosts = self.write("known_hosts", self.keys())
        if named:
            self.range, self.hosts = f"n[1-{count}]", [f"n{index}" for index in range(1, count + 1)]
            config = ["Host n*", "HostName 127.0.0.1"]
        else:
            self.range, self.hosts = addresses(count)
            config = []
        self.config = self.write("config", "\n".join(config + [""]))
        self.file = self.write("hosts", "\n".join(self.hosts) + "\n")
        self.inventory = self.write("inventory", "[all]\n" + "\n".join(self.hosts) + "\n")

    def keys(self):
        """The server's keys under every name."""
        with open(self.box["known_hosts"], encoding="ascii") as file:
            return "".join("* " + line.split(" ", 1)[1] for line in file)

    def write(self, name, text):
        path = os.path.join(self.directory, name)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        return path

    def environment(self):
        """For the clients in Python; the journal, as always, in a directory of the user's."""
        return {
            "BENCH_HOST": "127.0.0.1", "BENCH_PORT": self.box["port"], "BENCH_USER": self.box["user"],
            "BENCH_IDENTITY": self.box["identity"], "BENCH_KNOWN_HOSTS": self.known_hosts, "BENCH_HOSTS": self.file,
            "XDG_STATE_HOME": os.path.join(self.directory, "state"), "ANSIBLE_LOCALHOST_WARNING": "False",
            "ANSIBLE_HOME": os.path.join(self.directory, "ansible"),
        }

    def ssh_options(self):
        return [
            "-F", self.config, "-p", self.box["port"], "-l", self.box["user"], "-i", self.box["identity"], "-o", "BatchMode=yes",
            "-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none", "-o", "StrictHostKeyChecking=yes", "-o", "ControlMaster=no",
            "-o", f"UserKnownHostsFile={self.known_hosts}", "-o", "GlobalKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR",
        ]


class FleetScenarios:
    """Measures every client in turn."""

    def __init__(self, programs, meter, sizes, directory):
        self.programs, self.meter, self.sizes, self.directory = programs, meter, sizes, directory

    def all(self):
        sizes = self.sizes
        return {
            "names": (f"`true` under {sizes.few} names of ssh's configuration that lead to one address of sshd, {WIDTH} at a time",
                      self.names),
            "sshd": (f"`true` on {sizes.few} and {sizes.many} addresses of sshd, {WIDTH} at a time", self.sshd),
            "light": (f"`true` on {sizes.few} to {sizes.most} addresses of a server that runs nothing, {MANY} at a time", self.light),
            "distance": (f"`true` on {sizes.few} to {sizes.most} such addresses, {MANY} at a time, with a round trip of {2 * DELAY_MS} ms", self.distance),
            "at-once": (f"`true` on {sizes.few} to {sizes.most} such addresses at once, with a round trip of {2 * DELAY_MS} ms", self.at_once),
            "output": (f"{self.printed()}, folded, {MANY} at a time", lambda: self.output("")),
            # The first line has the connection's addresses and ports.
            "different": (f"{self.printed()}, no two alike, folded, {MANY} at a time", lambda: self.output("echo $SSH_CONNECTION; ")),
        }

    def title(self, name):
        return self.all()[name][0]

    def run(self, name):
        return self.all()[name][1]()

    def names(self):
        with everywhere(self.programs["ssh-sandbox"]) as box:
            return self.measured(box, self.sizes.few, WIDTH, self.every(), named=True)

    def sshd(self):
        results = {}
        with everywhere(self.programs["ssh-sandbox"]) as box:
            results |= self.measured(box, self.sizes.few, WIDTH, self.every())
            fast = [name for name in self.every() if name not in self.sizes.slow]
            results |= self.measured(box, self.sizes.many, WIDTH, fast)
            results |= self.measured(box, self.sizes.many, WIDTH, list(self.sizes.slow), rounds=1)
        return results

    def light(self):
        return self.near_and_far(0, lambda count: MANY)

    def distance(self):
        # It connects to the hosts one after the other.
        return self.near_and_far(DELAY_MS, lambda count: MANY, few=["parallel-ssh"], names=[OURS, "asyncssh"])

    def at_once(self):
        return self.near_and_far(DELAY_MS, lambda count: count, names=[OURS])

    def near_and_far(self, delay, width, few=(), names=(OURS, "asyncssh", "parallel-ssh")):
        results = {}
        with light(self.programs["ssh-sandbox"], delay) as box:
            for count in (self.sizes.few, self.sizes.many, self.sizes.most):
                chosen = [*names, *few] if count == self.sizes.few else names
                rounds = 1 if count == self.sizes.most else None
                results |= self.measured(box, count, width(count), chosen, rounds=rounds)
        return results

    def printed(self):
        return f"{self.sizes.output_mib} MiB from each of {self.sizes.many} and {self.sizes.most} addresses of sshd"

    def output(self, before):
        sizes, results = self.sizes, {}
        command = f"{before}head -c {sizes.output_mib << 20} /dev/zero | tr '\\0' x"
        with everywhere(self.programs["ssh-sandbox"]) as box:
            for count in (sizes.many, sizes.most):
                results |= self.measured(box, count, MANY, [OURS], rounds=1, command=command, mode="fold", discards=True)
                # A journal stores all output.
                shutil.rmtree(os.path.join(self.directory, "state"))
        return results

    def every(self):
        return [OURS, "asyncssh", "parallel-ssh", "clush", "pssh", "ansible"]

    def measured(self, box, count, width, names, rounds=None, named=False, command="true", mode="live", discards=False):
        target = Target(box, self.directory, count, named)
        commands = self.commands(target, width, command, mode, named)
        environment = target.environment()
        # Gigabytes would take this process too long to read from a pipe.
        before = ["sh", "-c", 'exec "$@" > /dev/null', "sh"] if discards else []
        clients = {f"{name}, {count}": (before + commands[name], environment) for name in names if name in commands}
        return interleaved(self.meter, clients, rounds or self.sizes.rounds, limit=3600) if clients else {}

    def commands(self, target, width, command, mode, named):
        programs, options = self.programs, target.ssh_options()
        joined = shlex.join(options)
        commands = {
            OURS: [
                programs["bridge-ssh-fleet"], "run", "--yes", "--parallel", str(width), "--output", mode, "-q", "-F", target.config,
                "-p", target.box["port"], "-l", target.box["user"], "-i", target.box["identity"], "--agent", "none",
                "--known-hosts", target.known_hosts, "--connect-timeout", "300", target.range, "--", command,
            ]
        }
        clients = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "clients")
        # Only clients that read ssh's configuration know its host names.
        if programs["python"] and not named:
            for name in ("asyncssh", "parallel-ssh"):
                script = os.path.join(clients, name.replace("-", "_") + "_client.py")
                commands[name] = [programs["python"], script, "fleet", str(width)]
        if programs["clush"]:
            commands["clush"] = ["clush", "-q", "-S", "-f", str(width), "-w", target.range, "-o", joined, command]
        if programs["pssh"]:
            commands["pssh"] = [programs["pssh"], "-p", str(width), "-t", "0", "-h", target.file, f"-x{joined}", command]
        if programs["ansible"]:
            commands["ansible"] = [
                programs["ansible"], "all", "-i", target.inventory, "-f", str(width), "-m", "raw", "-a", command,
                "--ssh-common-args", joined,
            ]
        return commands


def report(title, figures):
    """One scenario: the cost of each client, and its CPU time compared with bridge-ssh's for as many hosts."""
    lines = [title, f"  {'':<24}{'CPU s':>10}{'wall s':>10}{'peak MiB':>10}{'CPU / ours':>12}"]
    for name, row in figures.items():
        ours = figures.get(f"{OURS}, {name.rpartition(', ')[2]}")
        share = f"{row['cpu'] / ours['cpu']:.1f}" if ours else ""
        lines.append(f"  {name:<24}{row['cpu']:>10.2f}{row['wall']:>10.2f}{row['peakKiB'] / 1024:>10.1f}{share:>12}")
    return "\n".join(lines)


# The goals of docs/guides/performance.md, by scenario, number of hosts and figure.
LIMITS = [
    ("light", 100, "cpu", 0.25), ("light", 1000, "cpu", 2), ("light", 10000, "cpu", 20),
    ("light", 100, "peakKiB", 40 << 10), ("light", 1000, "peakKiB", 64 << 10), ("light", 10000, "peakKiB", 80 << 10),
    ("at-once", 100, "peakKiB", 40 << 10), ("at-once", 1000, "peakKiB", 120 << 10), ("at-once", 10000, "peakKiB", 800 << 10),
    ("distance", 100, "wall", 1.5), ("distance", 1000, "wall", 5), ("distance", 10000, "wall", 45),
    # Their memory without output, and --memory.
    ("output", 1000, "peakKiB", (64 + 64) << 10), ("output", 10000, "peakKiB", (80 + 64) << 10),
    ("different", 1000, "peakKiB", (64 + 64) << 10), ("different", 10000, "peakKiB", (80 + 64) << 10),
]
UNITS = {"cpu": "CPU s", "wall": "wall s", "peakKiB": "peak MiB"}


def goals(results):
    """Each measured goal as (name, measured, limit, sense)."""
    rows = []
    for scenario, count, figure, limit in LIMITS:
        row = results.get(scenario, {}).get(f"{OURS}, {count}")
        if row:
            scale = 1024 if figure == "peakKiB" else 1
            rows.append((f"{scenario}, {count} hosts: {UNITS[figure]}", row[figure] / scale, limit / scale, "at most"))
    for scenario in ("sshd",):
        for count in (100, 1000):
            rows += beside(results.get(scenario, {}), scenario, count)
    return rows


def beside(figures, scenario, count):
    """No slower than the libraries, and a tenth of the CPU of programs that start a process per host."""
    ours, rows = figures.get(f"{OURS}, {count}"), []
    for name in ("asyncssh", "parallel-ssh", "clush", "pssh", "ansible"):
        other = figures.get(f"{name}, {count}")
        if not ours or not other:
            continue
        figure, limit = ("wall", 1.0) if name in ("asyncssh", "parallel-ssh") else ("cpu", 0.1)
        rows.append((f"{scenario}, {count} hosts: {figure} of {name}'s", ours[figure] / other[figure], limit, "at most"))
    return rows
