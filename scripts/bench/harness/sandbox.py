"""The sandboxed sshd that everything is measured against."""

import contextlib
import shlex
import subprocess

from .server import Server

# Each way: long compared with the processing time of either side.
DELAY_MS = 50

# The server must admit all at once; and if it logged every packet, the log would be measured.
SERVER = ["LogLevel INFO", "MaxStartups 1000:30:1000", "MaxSessions 200", "LoginGraceTime 600"]


@contextlib.contextmanager
def started(command):
    """Starts a server of ssh-sandbox. Yields its SANDBOX_ values, by their names in lower case without the prefix, and as
    `server` the measurement of its cost."""
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    last = "root" if "start" in command else "known_hosts"
    try:
        values = {}
        for line in server.stdout:
            name, _, value = line.strip().partition("=")
            values[name.removeprefix("SANDBOX_").lower()] = shlex.split(value)[0]
            if last in values:
                break
        if last not in values:
            raise SystemExit("scripts/bench: the sandbox did not start")
        values["server"] = Server(server.pid)
        yield values
    finally:
        # It stops at the end of its input, and leaves no files behind.
        server.stdin.close()
        server.stdout.close()
        server.wait()


def sandbox(program, extra=(), delay=DELAY_MS):
    """Starts sshd, directly and behind a delay."""
    return started([program, "start", "--delay", str(delay), *lines(extra)])


def everywhere(program):
    """Starts sshd on every address of a network namespace."""
    return started([program, "start", "--listen", "0.0.0.0", *lines()])


def light(program, delay=0):
    """Starts a server that runs nothing, on every address of a network namespace."""
    return started([program, "serve", "--listen", "0.0.0.0", "--delay", str(delay)])


def lines(extra=()):
    """Options for lines of sshd_config."""
    return [word for line in [*SERVER, *extra] for word in ("--extra", line)]
