"""A network namespace with nothing but a loopback interface, of which every address is this machine's."""

import ctypes
import os
import subprocess

CLONE_NEWNET = 0x40000000


def enter():
    """Puts this process, and what it starts, into one of its own."""
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET) != 0:
        raise SystemExit(f"scripts/bench/fleet: no network namespace: {os.strerror(ctypes.get_errno())}; run it as root")
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
