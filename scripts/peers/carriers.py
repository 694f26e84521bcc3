"""Faults with OpenSSH's ssh as the carrier: the call of each of bridge-ssh's two ways, and its expected result.

STAND_IN is bridge-ssh under the name ssh, VIA is `bridge-ssh run --via ssh`.
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

STAND_IN, VIA = "stand-in", "via"
WAYS = (STAND_IN, VIA)
# The time limit in seconds (timeout(1)) of a call of the stand-in that ssh itself would never end.
PATIENCE = 20

OFFERS_FIRST = "ssh offers the key's public half first (sshconnect2.c: userauth_pubkey), and this server does not know it"
SECOND_QUESTION = "the text of a question goes only to the terminal, and the question for a new password is not answered"
# Where OpenSSH's ssh has another outcome than the fault's code: (code, why). None is a success.
DIFFERS = {
    STAND_IN: {
        "key-locked": ("ssh.auth.key-rejected", OFFERS_FIRST),
        "passphrase-wrong": ("ssh.auth.key-rejected", OFFERS_FIRST),
        "password-expired": ("ssh.auth.interaction-required", SECOND_QUESTION),
        "expired-asked": ("ssh.auth.interaction-required", SECOND_QUESTION),
    },
    VIA: {
        "key-locked": ("ssh.auth.key-rejected", OFFERS_FIRST),
        "passphrase-wrong": ("ssh.auth.key-rejected", OFFERS_FIRST),
    },
}
# ConnectTimeout ends with the server's identification line (ssh_config(5)); otherwise ssh would wait for ever.
ENDLESS = {"stalled-in-kex"}


def ssh_options(target):
    """ssh's own options for a target."""
    words = ["-F", "none", "-o", f"UserKnownHostsFile={target['knownHosts']}", "-o", "GlobalKnownHostsFile=/dev/null"]
    words += ["-o", f"ConnectTimeout={target['connectTimeout']}", "-p", target["port"], "-o", "NumberOfPasswordPrompts=1"]
    words += ["-o", "StrictHostKeyChecking=yes"]
    if target["identity"]:
        words += ["-i", target["identity"], "-o", "IdentitiesOnly=yes"]
    elif not target["agent"]:
        words += ["-o", "PubkeyAuthentication=no"]
    if target["keepalive"]:
        words += ["-o", f"ServerAliveInterval={target['keepalive']}", "-o", "ServerAliveCountMax=2"]
    return words


def stand_in(program, target, name):
    """A call of the stand-in under the name ssh, with timeout(1) and sshpass before it if needed."""
    before, words = [], ssh_options(target)
    if target["commandTimeout"] or name in ENDLESS or target.get("endless"):
        # timeout(1) counts from the start, and only the command must exceed it.
        before += ["timeout", PATIENCE]
    if target["password"]:
        before += ["sshpass", "-p", target["password"]]
    elif target["passphrase"]:
        before += ["sshpass", "-P", "passphrase", "-p", target["passphrase"]]
        # ssh would then ask for the account's password, which this sshpass does not know.
        words += ["-o", "PreferredAuthentications=publickey"]
    else:
        words += ["-o", "BatchMode=yes"]
    words += target.get("ssh", [])
    return [*before, program, *words, f"{target['user']}@{target['host']}", target["command"]]


def via(program, target, directory):
    """A call of `run --via ssh`."""
    words = ["--json", "--via", "ssh", "-F", "none", "--port", target["port"], "--user", target["user"]]
    words += ["--known-hosts", target["knownHosts"], "--connect-timeout", target["connectTimeout"], "--host-key-policy", "strict"]
    if target["identity"]:
        words += ["--identity", target["identity"], "--identities-only"]
    if target["keepalive"]:
        words += ["--keepalive", target["keepalive"]]
    if target["commandTimeout"]:
        words += ["--timeout", target["commandTimeout"]]
    for kind in ("password", "passphrase"):
        if target[kind]:
            file = directory / kind
            file.write_text(target[kind] + "\n")
            file.chmod(0o600)
            words += [f"--{kind}-file", file]
    words += target.get("run", [])
    return [program, "run", *words, target["host"], "--", target["command"]]


class Outcome:
    """The result of one call."""

    def __init__(self, way, status, text, errors, seconds):
        self.status, self.errors, self.seconds = status, errors, seconds
        self.code, self.confidence, self.alternatives = f"no report (status {status})", None, []
        lines = text.strip().splitlines()
        if not lines:
            return
        error = json.loads(lines[-1])["error"] or {}
        self.code, self.confidence = error.get("code"), error.get("confidence")
        self.alternatives = error.get("alternatives") or []

    def judged(self, way, name, code, differs=None):
        """(mark, expected codes, why another code than the fault's is right)."""
        other = (differs or {}).get(way) or DIFFERS[way].get(name)
        expected = [other[0]] if other else [code]
        if self.code in expected:
            return ("differs" if other else "right"), expected, other[1] if other else ""
        return ("WRONG" if self.confidence in (None, "exact") else "doubtful"), expected, ""


def call(way, program, target, name, ssh=None, limit=60):
    """Runs one way into a fault."""
    directory = pathlib.Path(tempfile.mkdtemp(prefix="carriers-"))
    try:
        report = directory / "verdict"
        # Under the name ssh, so that a jump host's ssh is the stand-in too.
        (directory / "ssh").symlink_to(program)
        words = stand_in(directory / "ssh", target, name) if way == STAND_IN else via(program, target, directory)
        environment = {"PATH": os.environ["PATH"], "HOME": str(directory), "LC_ALL": "C.UTF-8", "BRIDGE_SSH_VERDICT_FILE": str(report)}
        if ssh:
            environment["BRIDGE_SSH_OPENSSH"] = str(ssh)
        if target["agent"]:
            environment["SSH_AUTH_SOCK"] = target["agent"]
        start = time.monotonic()
        # A separate session without a terminal: the client cannot ask.
        client = subprocess.Popen(
            [str(word) for word in words], env=environment, start_new_session=True, cwd=directory, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            output, errors = client.communicate(timeout=limit)
            status = client.returncode
        except subprocess.TimeoutExpired:
            os.killpg(client.pid, 9)
            output, errors = client.communicate()
            status = "hung"
        text = output.decode(errors="replace")
        if way == STAND_IN:
            text = report.read_text() if report.exists() else ""
        return Outcome(way, status, text, errors.decode(errors="replace"), time.monotonic() - start)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
