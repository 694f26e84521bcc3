"""Which clients take part in a scenario, and by which command."""

import os

LIBRARY, LIMIT = "bridge-ssh", "plain C"


class Clients:
    """The commands of every client, against one server."""

    def __init__(self, programs, box, directory):
        self.programs = programs
        self.box = box
        self.directory = directory

    def environment(self, delayed=False, cipher=None):
        """The environment from which the harness's clients read their target."""
        box = self.box
        values = {
            "BENCH_HOST": box["host"],
            "BENCH_PORT": box["delayed_port"] if delayed else box["port"],
            "BENCH_USER": box["user"],
            "BENCH_IDENTITY": box["identity"],
            "BENCH_KNOWN_HOSTS": box["delayed_known_hosts"] if delayed else box["known_hosts"],
        }
        return {**values, "BENCH_CIPHER": cipher} if cipher else values

    def scenario(self, words, names=None, cipher=None, delayed=False):
        """The clients that have the scenario `words`, by name; all unless `names` is given."""
        words = [str(word) for word in words]
        commands = {LIBRARY: [self.programs["bench-client"]], LIMIT: [self.programs["plain-c"]]}
        scripts = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "clients")
        if self.programs["python"]:
            for name in ("asyncssh", "paramiko"):
                commands[name] = [self.programs["python"], os.path.join(scripts, f"{name}_client.py")]
            if words[0] == "connections":
                commands["parallel-ssh"] = [self.programs["python"], os.path.join(scripts, "parallel_ssh_client.py")]
        if self.programs["go"]:
            commands["Go x/crypto"] = [self.programs["go"]]
        environment = self.environment(delayed, cipher)
        return {
            name: ([*command, *words], environment) for name, command in commands.items() if names is None or name in names
        }

    def whole_commands(self, delayed=False):
        """A command on its own connection, as whole processes."""
        box, environment = self.box, self.environment(delayed)
        place = f"{box['user']}@{box['host']}"
        ours = [
            self.programs["bridge-ssh"], "run", "--config", "none", "--agent", "none", "--batch", "-n",
            "-p", environment["BENCH_PORT"], "-i", box["identity"], "--known-hosts", environment["BENCH_KNOWN_HOSTS"],
            place, "true",
        ]
        clients = {LIBRARY: (ours, environment), "ssh": (["ssh", *self.ssh_options(environment), place, "true"], environment)}
        rest = self.scenario(["command"])
        del rest[LIBRARY]
        return {**clients, **{name: (command, environment) for name, (command, _) in rest.items()}}

    def ssh_options(self, environment):
        """ssh without this machine's and this person's configuration."""
        return [
            "-F", "none", "-n", "-o", "BatchMode=yes", "-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none",
            "-o", "StrictHostKeyChecking=yes", "-i", self.box["identity"], "-p", environment["BENCH_PORT"],
            "-o", f"UserKnownHostsFile={environment['BENCH_KNOWN_HOSTS']}",
        ]

    def fleets(self, count):
        """`count` connections at once by programs that start a process of ssh for each."""
        environment = self.environment()
        alias = f"[{self.box['host']}]:{self.box['port']}"
        options = [
            *self.ssh_options(environment), "-o", f"HostName={self.box['host']}", "-o", f"HostKeyAlias={alias}",
            "-l", self.box["user"],
        ]
        clients = {}
        script = 'count=$1; shift; for i in $(seq "$count"); do "$@" "n$i" true & done; wait'
        clients["ssh, a process each"] = (["sh", "-c", script, "sh", str(count), "ssh", *options], environment)
        if self.programs["clush"]:
            joined = " ".join(option for option in options if option != "-n")
            clients["clush"] = (
                ["clush", "-q", "-f", str(count), "-w", f"n[1-{count}]", "-o", joined, "true"], environment)
        if self.programs["pssh"]:
            hosts = os.path.join(self.directory, f"hosts-{count}")
            with open(hosts, "w", encoding="ascii") as file:
                file.writelines(f"n{index}\n" for index in range(1, count + 1))
            joined = [f"-x{option}" for option in [" ".join(options)]]
            clients["pssh"] = ([self.programs["pssh"], "-p", str(count), "-h", hosts, *joined, "true"], environment)
        return clients

    def ssh_transfer(self, direction, count, cipher=None, delayed=False):
        """ssh as a process that reads or writes `count` bytes."""
        environment = self.environment(delayed)
        options = [option for option in self.ssh_options(environment) if option != "-n"]
        remote = f"head -c {count} /dev/zero" if direction == "read" else "cat >/dev/null"
        if cipher:
            options += ["-c", cipher]
        command = ["ssh", *options, f"{self.box['user']}@{self.box['host']}", remote]
        shell = '"$@" >/dev/null' if direction == "read" else f'head -c {count} /dev/zero | "$@"'
        return ["sh", "-c", shell, "sh", *command], environment
