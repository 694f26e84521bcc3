"""The codes that each client's output allows, if it allows more than the fault's own: written from the output, fault by fault.

SEEN: the client's own view of the fault, correct but incomplete. SAID: the best guess that a reader of its text can
make. UNTOLD: text that cannot be recognised as SSH's.
"""

SEEN = {
    # paramiko cannot read the markers of known_hosts.
    "paramiko": {"host-key-revoked": "ssh.host-key.known-hosts-unreadable"},
    "asyncssh": {"no-shell": "ssh.command.exit-nonzero"},
}
SAID = {
    "paramiko": {
        "http": "ssh.banner.closed", "busy": "ssh.banner.closed", "too-many-keys": "ssh.auth.too-many-attempts",
        "account-expired": "ssh.auth.connection-dropped", "gone-silent": "ssh.command.timed-out",
        "stalled-in-kex": "ssh.banner.timed-out",
    },
    "paramiko-log": {"account-expired": None, "stalled-in-kex": None},
    "paramiko-caught": {
        "silent": "ssh.auth.too-many-attempts",
        "stalled-in-kex": "ssh.auth.too-many-attempts", "password-rejected": "ssh.auth.key-rejected",
        "second-factor": "ssh.auth.method-not-offered",
    },
    "asyncssh": {
        "silent": "ssh.connect.timed-out", "stalled-in-kex": "ssh.connect.timed-out",
        "no-common-host-key": "ssh.connect.timed-out", "http": "ssh.banner.closed", "busy": "ssh.banner.closed",
        "closed-in-kex": "ssh.banner.closed", "host-key-changed": "ssh.host-key.unknown",
        "host-key-revoked": "ssh.host-key.unknown", "password-rejected": "ssh.auth.key-rejected",
        "passwords-only": "ssh.auth.key-rejected", "keys-only": "ssh.auth.key-rejected", "second-factor": "ssh.auth.key-rejected",
        "too-many-keys": "ssh.auth.key-rejected", "password-expired": "ssh.auth.key-rejected",
        "account-expired": "ssh.banner.closed", "account-denied": "ssh.banner.closed",
    },
    "asyncssh-log": {
        "silent": "ssh.banner.timed-out", "stalled-in-kex": "ssh.banner.timed-out", "no-common-host-key": "ssh.banner.timed-out",
        "account-expired": "ssh.auth.connection-dropped", "account-denied": "ssh.auth.connection-dropped",
    },
    "asyncssh-caught": {
        fault: "ssh.session.connection-lost"
        for fault in ("closed-at-once", "http", "busy", "closed-in-kex", "account-expired", "account-denied")
    },
    "pssh": {
        "stalled-in-kex": "ssh.banner.timed-out", "ssh-1": "ssh.banner.timed-out", "http": "ssh.banner.closed",
        "busy": "ssh.banner.closed", "no-common-host-key": "ssh.kex.no-common-kex", "no-common-cipher": "ssh.kex.no-common-kex",
        "no-common-mac": "ssh.kex.no-common-kex", "disconnects": "ssh.kex.closed", "passwords-only": "ssh.auth.key-rejected",
        "second-factor": "ssh.auth.key-rejected", "account-expired": "ssh.auth.key-rejected",
        "account-denied": "ssh.auth.key-rejected", "too-many-keys": "ssh.auth.no-credentials",
        "keys-only": "ssh.auth.password-rejected", "key-locked": "ssh.key.format-invalid",
        "passphrase-wrong": "ssh.key.format-invalid", "gone-silent": "ssh.command.timed-out",
    },
    "pssh-parallel": {"password-rejected": "ssh.auth.key-rejected", "keys-only": "ssh.auth.key-rejected"},
    "libssh": {
        "silent": "ssh.connect.timed-out", "stalled-in-kex": "ssh.connect.timed-out", "ssh-1": "ssh.connect.timed-out",
        "http": "ssh.banner.closed", "busy": "ssh.banner.closed", "closed-in-kex": "ssh.banner.closed",
        "account-expired": "ssh.auth.connection-dropped", "account-denied": "ssh.auth.connection-dropped",
        "too-many-keys": "ssh.auth.no-credentials", "key-locked": "ssh.key.format-invalid",
        "passphrase-wrong": "ssh.key.format-invalid", "gone-silent": "ssh.command.timed-out",
    },
    "ssh2": {"key-missing": "ssh.key.format-invalid"},
    # Ansible's ssh asks for a password once, so its messages do not show whether a refusal was the last one.
    "ansible": {
        "password-rejected": "ssh.auth.key-rejected", "keys-only": "ssh.auth.key-rejected",
        "second-factor": "ssh.auth.method-not-offered", "password-expired": "ssh.command.exit-nonzero",
        "http": "ssh.banner.closed", "busy": "ssh.banner.closed", "account-denied": "ssh.auth.connection-dropped",
        "closed-in-kex": "ssh.auth.connection-dropped", "key-locked": "ssh.auth.key-rejected",
        "passphrase-wrong": "ssh.auth.key-rejected",
    },
}
UNTOLD = {
    "paramiko": {"connection-lost", "no-outcome", "no-shell", "killed"},
    "paramiko-caught": {"host-key-revoked", "no-answer", "closed-in-kex", "key-missing", "too-slow", "gone-silent", "reset-at-once"},
    "asyncssh": {"connection-lost", "connection-reset", "no-outcome", "gone-silent"},
    "asyncssh-log": {"no-outcome"},
    "asyncssh-caught": {
        "reset-at-once", "no-answer", "silent", "stalled-in-kex", "no-common-host-key", "disconnects", "key-missing", "no-sessions", "too-slow",
    },
    # The program itself opens the sockets.
    "ssh2": {"host-not-found", "refused", "no-answer", "reset-at-once", "too-many-keys"},
    "pssh-parallel": {"refused"},
    # It does not keep the status of a command.
    "libssh": {"ssh-1", "ok-noise", "not-found", "not-executable", "no-shell", "password-expired"},
}
# The messages of ssh2-python are those of parallel-ssh, which uses it.
BELOW = {"ssh2": "pssh"}


def seen(client, fault, code):
    """What really happened, as far as the client was concerned."""
    return SEEN.get(client.split("-")[0], {}).get(fault, code)


def expected(client, fault, code):
    """(whether it can be judged, the code that the text should give)."""
    family = client.split("-")[0]
    for name in (client, family):
        if fault in UNTOLD.get(name, ()):
            return False, None
    for name in (client, family, BELOW.get(family)):
        if fault in SAID.get(name, {}):
            return True, SAID[name][fault] or code
    return True, seen(client, fault, code)
