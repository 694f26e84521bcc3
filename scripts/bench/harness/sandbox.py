"""The sandboxed sshd that everything is measured against."""

import contextlib
import shlex
import subprocess

from .server import Server

# Each way: long against what either side needs to think.
DELAY_MS = 50

# All at once must be let in, and a server that logs every packet would measure its log.
SERVER = ["LogLevel INFO", "MaxStartups 1000:30:1000", "MaxSessions 200", "LoginGraceTime 600"]


@contextlib.contextmanager
def sandbox(program, extra=(), delay=DELAY_MS):
    """Starts sshd, directly and behind a delay; yields its SANDBOX_ values by their names without the prefix, in lower case, and as
    `server` what it costs."""
    command = [program, "start", "--delay", str(delay)]
    for line in [*SERVER, *extra]:
        command += ["--extra", line]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        values = {}
        for line in server.stdout:
            name, _, value = line.strip().partition("=")
            values[name.removeprefix("SANDBOX_").lower()] = shlex.split(value)[0]
            if name == "SANDBOX_ROOT":
                break
        if "root" not in values:
            raise SystemExit("scripts/bench/run: the sandbox did not start")
        values["server"] = Server(server.pid)
        yield values
    finally:
        # Its end of input is its order to stop; nothing of it remains.
        server.stdin.close()
        server.stdout.close()
        server.wait()
