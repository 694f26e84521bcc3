"""Further faults for the two ways around OpenSSH's ssh: greetings of other services, network faults, agents, keys, accounts."""
import contextlib
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import tempfile
import threading

EMPTY = dict.fromkeys(["identity", "password", "passphrase", "agent", "commandTimeout", "keepalive"])
# SSH message numbers (RFC 4253, section 12; RFC 5656).
KEXINIT, NEWKEYS, REPLY = 20, 21, 31


class Listener:
    """A server on a free port that handles each connection in a thread."""

    def __init__(self, handle):
        self.handle, self.connections = handle, []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            self.connections.append(connection)
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with contextlib.suppress(OSError):
            self.handle(connection)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for each in [self.socket, *self.connections]:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


def greeting(words, waits=False):
    """Another service: sends its greeting, and closes after the client's first bytes, or never."""

    def handle(connection):
        connection.sendall(words)
        connection.recv(4096)
        if waits:
            while connection.recv(4096):
                pass
        connection.close()

    return handle


def place(stream, message, extra):
    """Where to cut a server's stream: after its identification line and the first packet of this kind; None if not yet known."""
    end = stream.find(b"\n") + 1
    if not end:
        return None
    if message is None:
        return end + extra
    while len(stream) >= end + 6:
        length = struct.unpack(">I", stream[end:end + 4])[0]
        kind = stream[end + 5]
        end += 4 + length
        if kind == message:
            return end + extra
    return None


def wire(target, action, message, extra=0):
    """Carries connections to a port until the server's stream reaches a place; there it closes, resets or stalls."""

    def handle(client):
        server = socket.create_connection(("127.0.0.1", target))

        def up():
            with contextlib.suppress(OSError):
                while data := client.recv(65536):
                    server.sendall(data)

        threading.Thread(target=up, daemon=True).start()
        stream, sent = b"", 0
        while data := server.recv(65536):
            stream += data
            cut = place(stream, message, extra)
            # The end of an incomplete packet is not known.
            end = len(stream) if cut is None else min(cut, len(stream))
            client.sendall(stream[sent:end])
            sent = max(sent, end)
            if cut is not None and len(stream) >= cut:
                break
        if action == "stall":
            while server.recv(65536):
                pass
        if action == "reset":
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        else:
            client.shutdown(socket.SHUT_RDWR)
        client.close()
        server.close()

    return handle


@contextlib.contextmanager
def sandbox(tools, *words):
    """A sandboxed sshd, its report, and a target whose login succeeds."""
    process = subprocess.Popen(
        [tools / "ssh-sandbox", "start", "--json", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    directory = pathlib.Path(tempfile.mkdtemp(prefix="further-"))
    try:
        box = json.loads(process.stdout.readline())
        target = EMPTY | {key: box[key] for key in ("host", "port", "user", "identity", "knownHosts")}
        yield target | {"command": "true", "connectTimeout": 40}, box, directory
    finally:
        process.stdin.close()
        process.wait()
        shutil.rmtree(directory, ignore_errors=True)


def known(target, directory, port):
    """The same host keys for another port."""
    file = directory / "known"
    text = pathlib.Path(target["knownHosts"]).read_text()
    file.write_text(text.replace(f"]:{target['port']} ", f"]:{port} "))
    return str(file)


ALL = []


def fault(name, code, differs=None):
    def add(make):
        ALL.append((name, code, contextlib.contextmanager(make), differs or {}))
        return make

    return add


def service(name, words, waits=False):
    @fault(name, "ssh.banner.not-ssh")
    def make(tools):
        directory = pathlib.Path(tempfile.mkdtemp(prefix="further-"))
        try:
            with Listener(greeting(words, waits)) as server:
                (directory / "known").write_text("")
                subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", directory / "id"], check=True)
                yield EMPTY | {
                    "host": "127.0.0.1", "port": server.port, "user": "alice", "identity": str(directory / "id"),
                    "knownHosts": str(directory / "known"), "command": "true", "connectTimeout": 6 if waits else 40,
                }
        finally:
            shutil.rmtree(directory, ignore_errors=True)


service("smtp", b"220 mx1.example.com ESMTP Postfix (Debian/GNU)\r\n")
service("smtp-waits", b"220-mx1.example.com ESMTP Exim 4.96\r\n220 ready\r\n", waits=True)
service("ftp-waits", b"220 (vsFTPd 3.0.3)\r\n", waits=True)
service("imap", b"* OK [CAPABILITY IMAP4rev1 STARTTLS] Dovecot ready.\r\n")
service("pop3", b"+OK Dovecot ready.\r\n")
service("mysql", b"\x4a\0\0\0\x0a8.0.36\0\x08\0\0\0abcdefgh\0\xff\xff\xff\x02\0\xff\xdf\x15" + b"\0" * 30)
service("tls", b"\x15\x03\x01\x00\x02\x02\x46")
service("redis", b"-ERR unknown command 'SSH-2.0-OpenSSH_9.2p1'\r\n")
service("vnc-waits", b"RFB 003.008\n", waits=True)


def broken(name, code, action, message, extra=0, differs=None):
    @fault(name, code, differs)
    def make(tools):
        with sandbox(tools) as (target, _, directory), Listener(wire(target["port"], action, message, extra)) as line:
            stalls = action == "stall"
            yield target | {
                "port": line.port, "knownHosts": known(target, directory, line.port), "endless": stalls,
                "connectTimeout": 20 if stalls else 40,
            }


broken("stalled-behind-identification", "ssh.kex.timed-out", "stall", None)
broken("stalled-behind-kexinit", "ssh.kex.timed-out", "stall", KEXINIT)
broken("stalled-behind-reply", "ssh.kex.timed-out", "stall", REPLY)
# The login begins when the server has accepted the request for it.
broken("stalled-behind-newkeys", "ssh.kex.timed-out", "stall", NEWKEYS)
broken("stalled-in-login", "ssh.auth.timed-out", "stall", NEWKEYS, 500)
WHOLE = ("ssh.kex.closed", "ssh logs only whole packets, so a part of the first one may have come: an alternative names that")
broken("closed-behind-identification", "ssh.kex.closed-early", "close", None, differs=dict.fromkeys(("stand-in", "via"), WHOLE))
broken("reset-behind-identification", "ssh.kex.closed-early", "reset", None, differs=dict.fromkeys(("stand-in", "via"), WHOLE))
broken("closed-behind-kexinit", "ssh.kex.closed", "close", KEXINIT)
broken("closed-behind-reply", "ssh.kex.closed", "close", REPLY)
broken("closed-behind-newkeys", "ssh.kex.closed", "close", NEWKEYS)
broken("closed-in-login", "ssh.auth.connection-dropped", "close", NEWKEYS, 500)


def served(name, code, *words, differs=None, **changes):
    @fault(name, code, differs)
    def make(tools):
        with sandbox(tools, *words) as (target, _, _):
            yield target | changes


@fault("agent-missing", "ssh.agent.unavailable")
def agent_missing(tools):
    with sandbox(tools) as (target, _, directory):
        yield target | {"identity": None, "agent": str(directory / "no-socket")}


@fault("agent-not-listening", "ssh.agent.unavailable")
def agent_not_listening(tools):
    with sandbox(tools) as (target, _, directory):
        path = str(directory / "socket")
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(path)
        yield target | {"identity": None, "agent": path}


@contextlib.contextmanager
def agent(directory):
    path = str(directory / "agent")
    process = subprocess.Popen(["ssh-agent", "-D", "-a", path], stdout=subprocess.PIPE, text=True)
    try:
        process.stdout.readline()
        yield path
    finally:
        process.terminate()
        process.wait()


@fault("agent-empty", "ssh.agent.empty")
def agent_empty(tools):
    with sandbox(tools) as (target, _, directory), agent(directory) as path:
        yield target | {"identity": None, "agent": path}


def locked(target, directory):
    key = directory / "id"
    shutil.copy(target["identity"], key)
    key.chmod(0o600)
    subprocess.run(["ssh-keygen", "-q", "-p", "-P", "", "-N", "secret-words", "-f", key], check=True, capture_output=True)
    return str(key)


@fault("known-key-locked", "ssh.key.passphrase-required")
def known_key_locked(tools):
    with sandbox(tools) as (target, _, directory):
        yield target | {"identity": locked(target, directory)}


@fault("known-key-passphrase-wrong", "ssh.key.passphrase-wrong")
def known_key_passphrase_wrong(tools):
    with sandbox(tools) as (target, _, directory):
        yield target | {"identity": locked(target, directory), "passphrase": "not-it"}


@fault("other-type-known", "ssh.host-key.other-type-known")
def other_type_known(tools):
    with sandbox(tools, "--host-key", "ed25519") as (target, _, directory):
        subprocess.run(["ssh-keygen", "-q", "-t", "rsa", "-N", "", "-f", directory / "rsa"], check=True)
        line = " ".join((directory / "rsa.pub").read_text().split()[:2])
        (directory / "known").write_text(f"[127.0.0.1]:{target['port']} {line}\n")
        yield target | {"knownHosts": str(directory / "known")}


served("sftp-only", "ssh.command.login-shell-denied", user="sftponly")
served("not-allowed", "ssh.auth.key-rejected", "--extra", "AllowUsers bob")
# sshd's text instead of the session bypasses the stand-in; `true` ends with 1 only in this failure.
served(
    "expired-key", "ssh.auth.password-expired", "--pam", user="expired",
    differs={"stand-in": ("ssh.command.login-shell-denied", "no byte of the session goes through it: a guess from the status")})
served("expired-asked", "ssh.auth.password-expired", "--pam", "--extra", "PasswordAuthentication no", user="expired", identity=None, password="expired-pw")
served("ended-password", "ssh.auth.account-denied", "--pam", user="gone", identity=None, password="gone-pw")


def behind(name, code, *words, port=None):
    """The sandbox as its own jump host."""

    @fault(name, code)
    def make(tools):
        with sandbox(tools, *words) as (target, _, directory):
            known = directory / "known"
            # Uses another name, because ssh refuses a jump to the same host and port as a circle.
            text = pathlib.Path(target["knownHosts"]).read_text()
            known.write_text(text + text.replace("[127.0.0.1]", "[localhost]"))
            # Its own settings are in a file, because ssh's -J takes no options.
            config = directory / "config"
            config.write_text(
                f"Host *\n IdentityFile {target['identity']}\n IdentitiesOnly yes\n UserKnownHostsFile {known}\n"
                " GlobalKnownHostsFile none\n IdentityAgent none\n StrictHostKeyChecking yes\n BatchMode yes\n")
            jump = f"{target['user']}@localhost:{target['port']}"
            yield target | {
                "port": port or target["port"], "knownHosts": str(known), "ssh": ["-F", config, "-J", jump],
                "run": ["-F", config, "--jump", jump]}


behind("no-forwarding", "ssh.channel.prohibited", "--extra", "AllowTcpForwarding no")
behind("jump-target-refused", "ssh.channel.jump-target-unreachable", port=1)
