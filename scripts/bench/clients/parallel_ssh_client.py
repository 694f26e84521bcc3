"""Many connections by parallel-ssh, which is libssh2 under gevent."""

import sys

from phase import Phase, Target
from pssh.clients import ParallelSSHClient


def connections(count):
    phase = Phase()
    client = ParallelSSHClient(
        [Target.host] * count, user=Target.user, port=Target.port, pkey=Target.identity, allow_agent=False,
        identity_auth=False, pool_size=count, timeout=300, num_retries=1)
    outputs = client.run_command("true")
    client.join(outputs)
    assert all(output.exit_code == 0 for output in outputs)
    phase.report(perConnectionKiB=phase.per_connection(count))


globals()[sys.argv[1]](*map(int, sys.argv[2:]))
