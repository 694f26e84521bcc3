"""Runs one command as a small program would, with one of Python's SSH libraries: LIBRARY, the target as JSON on standard input.

Nothing is caught, so that a failure ends in the library's own traceback; with CATCH set it prints only the exception's text,
as many programs do. With LOG=LEVEL the library's log is written too. With LABEL set it prints one JSON object instead: "label",
which is all that code can branch on (the exception's type and its fields), and "text", which is for people.
"""
import json
import logging
import os
import sys

if "LOG" in os.environ:
    logging.basicConfig(level=os.environ["LOG"])
target = json.load(sys.stdin)


def with_paramiko():
    import paramiko

    client = paramiko.SSHClient()
    client.load_host_keys(target["knownHosts"])
    client.set_missing_host_key_policy(paramiko.RejectPolicy())
    client.connect(
        target["host"], target["port"], username=target["user"], password=target["password"],
        key_filename=target["identity"], passphrase=target["passphrase"], timeout=target["connectTimeout"],
        banner_timeout=target["connectTimeout"], auth_timeout=10, allow_agent=bool(target["agent"]), look_for_keys=False)
    if target["keepalive"]:
        client.get_transport().set_keepalive(target["keepalive"])
    streams = client.exec_command(target["command"], timeout=target["commandTimeout"] or 20)
    output, errors = streams[1].read(), streams[2].read()
    return streams[1].channel.recv_exit_status(), output, errors


def with_asyncssh():
    import asyncio
    import asyncssh

    async def main():
        async with asyncssh.connect(
            target["host"], target["port"], username=target["user"], password=target["password"], config=None,
            client_keys=[target["identity"]] if target["identity"] else None, passphrase=target["passphrase"],
            agent_path=target["agent"], known_hosts=target["knownHosts"], connect_timeout=target["connectTimeout"],
            login_timeout=10, keepalive_interval=target["keepalive"] or 0, keepalive_count_max=2,
        ) as connection:
            result = await connection.run(target["command"], check=True, timeout=target["commandTimeout"], encoding=None)
            return result.exit_status, result.stdout, result.stderr

    return asyncio.run(main())


def of_parallel_ssh():
    return dict(
        user=target["user"], port=target["port"], password=target["password"], pkey=target["identity"],
        timeout=target["connectTimeout"], num_retries=1, allow_agent=bool(target["agent"]), identity_auth=False,
        keepalive_seconds=target["keepalive"] or 60)


def finished(output):
    collected = b"\n".join(line.encode() for line in output.stdout), b"\n".join(line.encode() for line in output.stderr)
    return (output.exit_code, *collected)


def with_pssh():
    from pssh.clients import SSHClient

    client = SSHClient(target["host"], **of_parallel_ssh())
    output = client.run_command(target["command"], read_timeout=target["commandTimeout"] or 20)
    client.wait_finished(output, timeout=target["commandTimeout"] or 20)
    return finished(output)


def with_pssh_parallel():
    from pssh.clients import ParallelSSHClient

    client = ParallelSSHClient([target["host"]], **of_parallel_ssh())
    client.run_command(target["command"], stop_on_errors=False)
    for output in client.get_last_output():
        if output.exception:
            print(f"{output.host}: {output.exception!r}", file=sys.stderr)
            return 1, b"", b""
        client.join(timeout=target["commandTimeout"] or 20)
        return finished(output)


def with_ssh2():
    import socket
    from ssh2.session import Session

    wire = socket.create_connection((target["host"], target["port"]), timeout=target["connectTimeout"])
    session = Session()
    session.set_timeout(1000 * target["connectTimeout"])
    session.handshake(wire)
    if target["identity"]:
        session.userauth_publickey_fromfile(target["user"], target["identity"], target["passphrase"] or "", None)
    elif target["password"]:
        session.userauth_password(target["user"], target["password"])
    channel = session.open_session()
    channel.execute(target["command"])
    output = channel.read()[1]
    errors = channel.read_stderr()[1]
    channel.close()
    return channel.get_exit_status(), output, errors


def with_libssh():
    from pssh.clients.ssh import SSHClient

    known = {key: value for key, value in of_parallel_ssh().items() if key not in ("keepalive_seconds",)}
    client = SSHClient(target["host"], **known)
    output = client.run_command(target["command"], read_timeout=target["commandTimeout"] or 20)
    client.wait_finished(output, timeout=target["commandTimeout"] or 20)
    return finished(output)




def label(problem):
    """An exception's type, and those of its fields that are not prose."""
    words = [type(problem).__name__]
    for field in ("code", "errno", "exit_status", "allowed_types"):
        value = getattr(problem, field, None)
        if isinstance(value, (int, list)) and str(value) not in words:
            words.append(str(value))
    signal = getattr(problem, "exit_signal", None)
    if signal:
        words.append(signal[0])
    # paramiko's NoValidConnectionsError has one error for each address.
    words += sorted({str(each.errno) for each in getattr(problem, "errors", {}).values()})
    return " ".join(words)


def tell(label, text):
    print(json.dumps({"label": label, "text": text}))
    # Tasks that a library left running no longer matter.
    sys.stdout.flush()
    os._exit(0)


try:
    status, output, errors = globals()[f"with_{sys.argv[1]}"]()
except Exception as problem:
    if "LABEL" in os.environ:
        tell(label(problem), str(problem))
    if "CATCH" not in os.environ:
        raise
    sys.exit(f"deploy: {target['host']}: {problem}")
if "LABEL" in os.environ:
    tell(f"exit {status}", errors.decode(errors="replace"))
sys.stdout.buffer.write(output)
sys.stderr.buffer.write(errors)
sys.stderr.flush()
# The program's own exit errors, which are not the library's.
sys.exit(status if isinstance(status, int) and status >= 0 else 1)
