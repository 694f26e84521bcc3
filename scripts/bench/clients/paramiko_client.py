"""The scenarios by paramiko, with a thread for each concurrent operation, as its users do."""

import sys
from concurrent.futures import ThreadPoolExecutor

import paramiko
from phase import Phase, Target


def connect():
    client = paramiko.SSHClient()
    client.load_host_keys(Target.known_hosts)
    client.connect(
        Target.host, Target.port, Target.user, key_filename=Target.identity, allow_agent=False, look_for_keys=False,
        timeout=300, banner_timeout=300, auth_timeout=300)
    return client


def run(client, text="true"):
    _, output, _ = client.exec_command(text)
    output.read()
    assert output.channel.recv_exit_status() == 0


def command():
    phase = Phase()
    client = connect()
    run(client)
    client.close()
    phase.report()


def sequence(count):
    client = connect()
    phase = Phase()
    for _ in range(count):
        run(client)
    phase.report()
    client.close()


def parallel(count, width):
    client = connect()
    phase = Phase()
    with ThreadPoolExecutor(width) as pool:
        list(pool.map(lambda _: run(client), range(count)))
    phase.report()
    client.close()


def read(count):
    client = connect()
    phase = Phase()
    _, output, _ = client.exec_command(f"head -c {count} /dev/zero")
    received = 0
    while piece := output.channel.recv(1 << 16):
        received += len(piece)
    assert received == count
    phase.report()
    client.close()


def write(count, piece):
    zeros = bytes(piece)
    client = connect()
    phase = Phase()
    _, output, _ = client.exec_command("cat >/dev/null")
    for _ in range(count // piece):
        output.channel.sendall(zeros)
    output.channel.shutdown_write()
    assert output.channel.recv_exit_status() == 0
    phase.report()
    client.close()


def connections(count, text="true"):
    phase = Phase()

    def one(_):
        client = connect()
        if text:
            run(client, text)
        return client

    with ThreadPoolExecutor(count) as pool:
        opened = list(pool.map(one, range(count)))
    each = phase.per_connection(count)
    if text:
        for client in opened:
            client.close()
    phase.report(perConnectionKiB=each)
    for client in opened:
        client.close()


def idle(count):
    connections(count, text=None)


globals()[sys.argv[1]](*map(int, sys.argv[2:]))
