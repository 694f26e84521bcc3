"""What is ours, built as it is installed."""

import os
import subprocess
import sys


def build(package, scratch):
    """Builds everything that is ours, statically linked to Swift's runtime, and strips the executable as it is installed."""
    swift = ["swift", "build", "--package-path", package, "--scratch-path", scratch, "-c", "release", "--static-swift-stdlib"]
    names = ["bridge-ssh", "ssh-sandbox", "bench-client", "plain-c", "meter"]
    for name in names:
        subprocess.run([*swift, "--product", name], stdout=sys.stderr, check=True)
    found = subprocess.run([*swift, "--show-bin-path"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    stripped = os.path.join(found, "bridge-ssh-stripped")
    subprocess.run(["strip", "-o", stripped, os.path.join(found, "bridge-ssh")], check=True)
    return {**{name: os.path.join(found, name) for name in names}, "bridge-ssh": stripped}
