"""The faults that `ssh-sandbox` makes, for scripts that run clients into them."""
import atexit
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

PACKAGE = pathlib.Path(__file__).resolve().parents[2]


def build():
    """Builds the executables and returns a directory of copies, which no other build changes while they are in use."""
    for product in ("bridge-ssh", "ssh-sandbox"):
        subprocess.run(["swift", "build", "--product", product], cwd=PACKAGE, check=True, stdout=2)
    shown = subprocess.run(["swift", "build", "--show-bin-path"], cwd=PACKAGE, check=True, capture_output=True, text=True)
    tools = pathlib.Path(tempfile.mkdtemp(prefix="peers-"))
    atexit.register(shutil.rmtree, tools, ignore_errors=True)
    for product in ("bridge-ssh", "ssh-sandbox"):
        shutil.copy(pathlib.Path(shown.stdout.strip()) / product, tools)
    return tools


def names(tools):
    """Every fault as an object: name, code (None for what must succeed), summary."""
    listed = subprocess.run([tools / "ssh-sandbox", "faults", "--json"], check=True, capture_output=True, text=True)
    rows = [json.loads(line) for line in listed.stdout.splitlines()]
    return [{"code": None} | row for row in rows]


@contextlib.contextmanager
def made(tools, name):
    """Makes a fault, and yields the parameters of a client."""
    sandbox = subprocess.Popen([tools / "ssh-sandbox", "fault", name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        line = sandbox.stdout.readline()
        if not line:
            raise RuntimeError(f"ssh-sandbox could not make {name}")
        empty = dict.fromkeys(["identity", "password", "passphrase", "agent", "commandTimeout", "keepalive"])
        yield empty | json.loads(line)
    finally:
        sandbox.stdin.close()
        sandbox.wait()


def run(arguments, target, directory, limit=40, input=None, settings={}):
    """Runs a client that knows only the target: (exit status or "hung", standard output, standard error)."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(directory), "LC_ALL": "C.UTF-8", "TMPDIR": str(directory)}
    environment |= settings
    if target["agent"]:
        environment["SSH_AUTH_SOCK"] = target["agent"]
    # A separate session without a terminal: the client cannot ask.
    client = subprocess.Popen(
        [str(word) for word in arguments], env=environment, start_new_session=True, cwd=directory,
        stdin=subprocess.PIPE if input is not None else subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        output, errors = client.communicate(input, timeout=limit)
        status = client.returncode
    except subprocess.TimeoutExpired:
        os.killpg(client.pid, 9)
        output, errors = client.communicate()
        status = "hung"
    return status, output.decode(errors="replace"), errors.decode(errors="replace")
