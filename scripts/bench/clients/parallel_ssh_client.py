"""Many connections by parallel-ssh, which is libssh2 under gevent."""

import sys

from phase import Phase, Target
from pssh.clients import ParallelSSHClient


def run(hosts, width):
    client = ParallelSSHClient(
        hosts, user=Target.user, port=Target.port, pkey=Target.identity, allow_agent=False,
        identity_auth=False, pool_size=width, timeout=300, num_retries=1)
    outputs = client.run_command("true")
    client.join(outputs)
    assert all(output.exit_code == 0 for output in outputs)


def connections(count):
    phase = Phase()
    run([Target.host] * count, count)
    phase.report(perConnectionKiB=phase.per_connection(count))


def fleet(width):
    """A connection and a command on each of many hosts, so many at a time. Measured as a whole process."""
    run(Target.hosts(), width)


globals()[sys.argv[1]](*map(int, sys.argv[2:]))
