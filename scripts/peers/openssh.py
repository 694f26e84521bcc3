"""Scenarios for OpenSSH's own programs: name, code (None for a success), and a shell line.

In a line {v} stands for the verbosity, {ok} for options whose login succeeds, {any} for options with the host's key but without a key of the user's, {to} for
user@host, {p} for the port, {kh} for known_hosts, {id} for the key and {d} for a scratch directory. A first line `ASK=word` answers
every question with that word.
"""
import shlex

SSH = "ssh {v} {ok} -p {p} {to} "
ANY = "ssh {v} {any} -p {p} {to} "
LEVELS = {"ssh": "", "ssh-v": "-v", "ssh-vvv": "-vvv"}
# Fewer than the faults of `ssh-sandbox faults`. Some faults are for clients with their own deadline. ssh offers a key before it
# asks for its passphrase, so it fails at that point if the server does not know the key.
FAULT_LEVELS = {"ssh": "", "ssh-v": "-v"}
FAULTS_WITHOUT = {"too-slow", "passphrase-wrong", "key-locked", "no-answer"}
ONCE = {"plain": "", "v": "-v"}
EXIT = "ssh.command.exit-nonzero"
KILLED = "ssh.command.killed-by-signal"
LOST = "ssh.session.connection-lost"
NESTED = "ssh -F none {v} -o BatchMode=yes -o StrictHostKeyChecking=no -p {p} bob@127.0.0.1 true"
JUMP = "ssh {v} -F none -o BatchMode=yes -o UserKnownHostsFile={kh} -o ProxyCommand='ssh {v} {ok} -W [%h]:%p -p {p} {to}' "
MASTER = "ssh {ok} -M -S {d}/c -fN -p {p} {to}; ssh {v} {ok} -S {d}/c -p {p} {to} "
UNMASTER = "; s=$?; ssh -S {d}/c -O exit -p {p} {to} 2>/dev/null; exit $s"
LOCKED = "cp {id} k; chmod 600 k; ssh-keygen -q -p -P '' -N secretpw -f k; ssh {v} {any} -i k -p {p} {to} true"

# Servers with different settings for some scenarios: lines of sshd_config, PAM, scenarios.
SERVERS = [
    ([], False, [
        ("exit-1-silent", EXIT, SSH + "'exit 1'"),
        ("exit-4-words", EXIT, SSH + "'echo working; echo failed to frobnicate >&2; exit 4'"),
        ("exit-255-silent", EXIT, SSH + "'exit 255'"),
        ("exit-255-words", EXIT, SSH + "'echo boom >&2; exit 255'"),
        ("enoent", EXIT, SSH + "'cat /srv/missing.conf'"),
        ("eacces", EXIT, SSH + "'cat /etc/shadow'"),
        ("killed-kill", KILLED, SSH + "'kill -9 $$'"),
        ("killed-term", KILLED, SSH + "'kill -TERM $$'"),
        ("child-term-143", EXIT, SSH + "'exit 143'"),
        ("not-found", "ssh.command.not-found", SSH + "frobnicate --now"),
        ("not-executable", "ssh.command.not-executable", SSH + "/etc/passwd"),
        ("git-remote-https", EXIT, SSH + "'git clone https://127.0.0.1:9/x.git /tmp/xx'"),
        ("words-denied-255", EXIT, SSH + "'echo \"deploy@web2: Permission denied (publickey).\" >&2; exit 255'"),
        ("debug-words-2", EXIT, SSH + "'echo \"debug1: Exit status 0\" >&2; exit 2'"),
        ("debug-lost-words", EXIT, SSH + "'echo \"client_loop: send disconnect: Broken pipe\" >&2; exit 255'"),
        ("no-newline", EXIT, SSH + "'printf partial; printf \"cannot go on\" >&2; exit 7'"),
        ("ok", None, SSH + "'echo fine'"),
        ("ok-noise", None, SSH + "'echo \"Permission denied (publickey).\" >&2'"),
        ("nested-denied", EXIT, SSH + f"'{NESTED}'"),
        ("nested-denied-ignored", None, SSH + f"'{NESTED} || true'"),
        ("nested-refused", EXIT, SSH + "'ssh -F none {v} -p 9 127.0.0.1 true'"),
        ("nested-git", EXIT, SSH + "'GIT_SSH_COMMAND=\"ssh -F none {v} -o BatchMode=yes\" git clone ssh://127.0.0.1:9/x /tmp/z'"),
        ("batch-no-key", "ssh.auth.no-credentials", ANY + "true"),
        ("askpass-wrong-pw", "ssh.auth.password-rejected", "ASK=nope\nssh {v} {ask} -o PreferredAuthentications=password -p {p} {to} true"),
        ("name", "ssh.resolve.host-not-found", "ssh {v} -F none nobody.invalid true"),
        ("refused", "ssh.connect.refused", "ssh {v} -F none -p 9 localhost true"),
        ("bad-option", "ssh.local.usage", "ssh {v} -o Frobnicate=yes {to} true"),
        ("bad-cipher", "ssh.local.usage", "ssh {v} -F none -c rot13 {to} true"),
        ("no-config", "ssh.local.config-invalid", "ssh {v} -F /nonexistent/config {to} true"),
        ("proxy-refused", "ssh.connect.proxy-failed", "ssh {v} {ok} -o ProxyCommand='nc 127.0.0.1 9' -p {p} {to} true"),
        ("proxy-ok-exit3", EXIT, "ssh {v} {ok} -o ProxyCommand='nc %h %p' -p {p} {to} 'exit 3'"),
        ("subsystem", "ssh.channel.subsystem-missing", SSH + "-s frob"),
        ("local-term", "ssh.local.cancelled", SSH + "'sleep 9' & p=$!; sleep 1.2; kill -TERM $p; wait $p"),
        ("local-hup", "ssh.local.cancelled", SSH + "'sleep 9' & p=$!; sleep 1.2; kill -HUP $p; wait $p"),
        ("timeout-124", "ssh.command.timed-out", "timeout 1 " + SSH + "'sleep 9'"),
        ("hostkey-ask-no", "ssh.host-key.unknown", "ASK=no\nssh {v} -F none -o UserKnownHostsFile=/dev/null -p {p} {to} true"),
        ("key-locked-batch", "ssh.key.passphrase-required", LOCKED.replace("{any}", "{any} -o IdentitiesOnly=yes")),
        ("key-locked-3-accepted", "ssh.key.passphrase-wrong", "ASK=nope\n" + LOCKED.replace("{any}", "{ask} -o PreferredAuthentications=publickey")),
        ("key-missing", "ssh.key.not-found", ANY.replace("{any}", "{any} -o IdentitiesOnly=yes -i /nonexistent/key") + "true"),
        ("mux-exit-3", EXIT, MASTER + "'echo hi; exit 3'" + UNMASTER),
        ("jump-ok-3", EXIT, JUMP + "-i {id} -p {p} {to} 'exit 3'"),
        ("jump-ok-255", EXIT, JUMP + "-i {id} -p {p} {to} 'exit 255'"),
        ("jump-target-denied", "ssh.auth.no-credentials", JUMP + "-p {p} {to} true"),
        ("jump-target-refused", "ssh.channel.jump-target-unreachable", JUMP + "-i {id} -p 9 {to} true"),
        ("jump-refused", "ssh.connect.refused", "ssh {v} -F none -J bob@127.0.0.1:9 -p {p} {to} true"),
        ("git-missing", EXIT, "GIT_SSH_COMMAND=\"ssh {v} {ok}\" git clone ssh://{to}:{p}/srv/nothing.git y", ONCE),
        ("sshpass-wrong", "ssh.auth.password-rejected", "sshpass -p wrong ssh {v} {ask} -p {p} {to} true", ONCE),
        ("sshpass-exit-5", EXIT, "sshpass -p alice-pw ssh {v} {ask} -p {p} {to} 'echo no >&2; exit 5'", ONCE),
        ("script-exit", EXIT, "script -qefc \"ssh -t {v} {ok} -p {p} {to} 'echo one; cat /srv/missing; exit 6'\" /dev/null", ONCE),
        ("sshd-killed", LOST, SSH + "'kill -9 $PPID; sleep 3'"),
        ("sshd-killed-out", LOST, SSH + "'echo \"ssh: connect to host web2 port 22: Connection refused\" >&2; kill -9 $PPID; sleep 3'"),
    ]),
    (["MaxSessions 0"], False, [("max-sessions", "ssh.channel.session-limit", SSH + "true")]),
    (["ForceCommand echo not for you >&2; exit 77"], False, [("force-command", EXIT, SSH + "uptime")]),
    (["DenyUsers alice"], False, [("deny-users", "ssh.auth.key-rejected", SSH + "true")]),
    (["AllowTcpForwarding no"], False, [
        ("jump-prohibited", "ssh.channel.prohibited", JUMP + "-i {id} -p {p} {to} true"),
        ("forward-R-prohibited", "ssh.channel.prohibited", "ssh {v} {ok} -o ExitOnForwardFailure=yes -R 0:127.0.0.1:9 -p {p} {to} true"),
    ]),
    (["AuthenticationMethods publickey,keyboard-interactive"], True, [
        ("partial-kbd", "ssh.auth.more-factors-required", "ssh {v} {ok} -o BatchMode=yes -p {p} {to} true"),
        ("partial-kbd-wrong", "ssh.auth.keyboard-interactive-rejected", "ASK=nope\n" + SSH + "true"),
    ]),
    (["PasswordAuthentication no"], True, [
        ("kbd-wrong", "ssh.auth.keyboard-interactive-rejected", "ASK=nope\nssh {v} {ask} -o PubkeyAuthentication=no -p {p} {to} true"),
    ]),
    (["MaxAuthTries 2"], False, [
        ("tries-pw", "ssh.auth.too-many-attempts", "ASK=nope\nssh {v} {ask} -o PreferredAuthentications=password -p {p} {to} true"),
    ]),
]


def fault_line(target):
    """A shell line that runs ssh into a fault."""
    words = ["ssh {v} -F none -o GlobalKnownHostsFile=/dev/null -o StrictHostKeyChecking=yes", f"-o UserKnownHostsFile={target['knownHosts']}"]
    words += [f"-o ConnectTimeout={target['connectTimeout']}", f"-p {target['port']}"]
    if target["identity"]:
        words += [f"-i {target['identity']} -o IdentitiesOnly=yes"]
    if target["keepalive"]:
        words += [f"-o ServerAliveInterval={target['keepalive']}"]
    answer = target["password"] or target["passphrase"]
    if target["password"]:
        words += ["-o PreferredAuthentications=password,keyboard-interactive -o NumberOfPasswordPrompts=1"]
    elif not answer:
        words += ["-o BatchMode=yes"]
    agent = f"SSH_AUTH_SOCK={target['agent']} " if target["agent"] else ""
    line = agent + " ".join([*words, f"{target['user']}@{target['host']}", shlex.quote(target["command"])])
    return f"ASK={answer}\n{line}" if answer else line


def options(target):
    """The replacements of {ok}, {any} and {ask}."""
    known = f"-F none -o UserKnownHostsFile={target['knownHosts']} -o GlobalKnownHostsFile=/dev/null -o StrictHostKeyChecking=yes"
    return {
        "ok": f"{known} -i {target['identity']} -o IdentitiesOnly=yes",
        "any": f"{known} -o BatchMode=yes",
        "ask": known,
        "to": f"{target['user']}@{target['host']}", "p": str(target["port"]), "kh": target["knownHosts"], "id": target["identity"],
    }
