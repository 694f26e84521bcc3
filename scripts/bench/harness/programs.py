"""What is ours, built as it is installed."""

import os
import subprocess
import sys

ALL = ("bridge-ssh", "ssh-sandbox", "bench-client", "plain-c", "meter")


def build(package, scratch, names=ALL):
    """Builds what is ours, statically linked to Swift's runtime, and strips the executable as it is installed."""
    swift = ["swift", "build", "--package-path", package, "--scratch-path", scratch, "-c", "release", "--static-swift-stdlib"]
    for name in names:
        subprocess.run([*swift, "--product", name], stdout=sys.stderr, check=True)
    found = subprocess.run([*swift, "--show-bin-path"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    programs = {name: os.path.join(found, name) for name in names}
    return {**programs, "bridge-ssh": strip(programs["bridge-ssh"], found, "bridge-ssh-stripped")}


def strip(program, directory, name, *options):
    """A copy of a program without what only a debugger reads; with `--strip-debug` the names of functions stay."""
    stripped = os.path.join(directory, name)
    subprocess.run(["strip", *options, "-o", stripped, program], check=True)
    return stripped
