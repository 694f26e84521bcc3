"""The programs of bridge-ssh, built as for installation."""

import os
import subprocess
import sys

RELEASE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "release")
# As in scripts/release: the cost of stack protection is included, and generic types are found by calls, not by a search through
# all conformances.
AS_RELEASED = [
    word for language in ("-Xcc", "-Xcxx") for flag in ("-fstack-protector-strong", "-fstack-clash-protection")
    for word in (language, flag)
]
for word in ("-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"):
    AS_RELEASED += ["-Xswiftc", word]
SHIPPED = ("bridge-ssh", "bridge-ssh-fleet")
ALL = ("bridge-ssh", "ssh-sandbox", "bench-client", "plain-c", "meter")


def build(package, scratch, names=ALL, as_shipped=True):
    """Builds our programs, statically linked to Swift's runtime; the executables are built as they are shipped, by a build of
    their own.

    Without `as_shipped`, a single build makes everything in half the time; this is enough to compare bridge-ssh with itself.
    """
    swift = ["swift", "build", "--package-path", package, "--scratch-path", scratch, "-c", "release", "--static-swift-stdlib"]
    swift += ["--disable-local-rpath"]
    swift += AS_RELEASED
    linking = subprocess.run([RELEASE, "--link-arguments"], stdout=subprocess.PIPE, text=True, check=True).stdout
    swift += linking.splitlines()
    others = [name for name in names if not (as_shipped and name in SHIPPED)]
    for name in others:
        subprocess.run([*swift, "--product", name], stdout=sys.stderr, check=True)
    found = subprocess.run([*swift, "--show-bin-path"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    programs = {name: os.path.join(found, name) for name in others}
    shipped = [name for name in names if name in SHIPPED and as_shipped]
    if shipped:
        place = os.path.join(os.path.abspath(scratch), "shipped")
        subprocess.run([RELEASE, place, *shipped], stdout=sys.stderr, check=True)
        programs |= {name: os.path.join(place, name) for name in shipped}
    return programs


def strip(program, directory, name, *options):
    """A copy of a program without debug information; with `--strip-debug` it keeps the names of functions."""
    stripped = os.path.join(directory, name)
    subprocess.run(["strip", *options, "-o", stripped, program], check=True)
    return stripped
