"""The machine and the programs that figures are from."""

import os
import platform
import subprocess


def described(program):
    """The machine, and the versions of the measured programs; `program` is bridge-ssh."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), platform.machine())
    version = subprocess.run([program, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    ssh = subprocess.run(["ssh", "-V"], stderr=subprocess.PIPE, text=True, check=True).stderr
    return {
        "processor": model, "cores": os.cpu_count(), "system": platform.platform(), "bridge-ssh": version.splitlines()[0],
        "ssh": ssh.strip(), "executableMiB": round(os.path.getsize(program) / (1 << 20), 1),
        "loadAverage": os.getloadavg()[0],
    }
