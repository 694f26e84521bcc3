"""The other clients that are programs or need a compiler; those of PyPI are in the environment of scripts/peers."""

import os
import shutil
import subprocess
import sys

DEBIAN = ["clustershell", "pssh", "golang-go", "golang-golang-x-crypto-dev"]


def install():
    """Installs missing Debian packages, if that is allowed. A program that cannot be installed is not measured."""
    wanted = [name for name, program in zip(DEBIAN, ["clush", "parallel-ssh", "go", None]) if not present(program)]
    if wanted and shutil.which("apt-get") and os.geteuid() == 0:
        command = ["apt-get", "-qq", "install", "--yes", "--no-install-recommends", *wanted]
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)


def present(program):
    """Whether a program, or without a name Go's library of SSH, is installed."""
    if program is None:
        return os.path.isdir("/usr/share/gocode/src/golang.org/x/crypto/ssh")
    return shutil.which(program) is not None


def go(source, cache):
    """The client in Go, built offline against Debian's golang.org/x/crypto; None without Go."""
    if not present("go") or not present(None):
        return None
    program = os.path.join(cache, "go-client")
    environment = {
        **os.environ,
        "GO111MODULE": "off",
        "GOPATH": "/usr/share/gocode",
        "GOCACHE": os.path.join(cache, "go-build"),
        "GOPROXY": "off",
        "GOTOOLCHAIN": "local",
    }
    built = subprocess.run(["go", "build", "-o", program, source], env=environment, stdout=sys.stderr, check=False)
    return program if built.returncode == 0 else None
