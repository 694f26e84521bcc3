"""A Python with the other SSH clients in it, made once and kept in the user's cache directory."""
import hashlib
import os
import pathlib
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent
REQUIREMENTS = HERE / "requirements.txt"


def directory():
    """The environment's directory; every set of requirements has its own."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    mark = hashlib.sha256(REQUIREMENTS.read_bytes() + sys.version.encode()).hexdigest()[:12]
    return pathlib.Path(cache) / "bridge-ssh" / f"peers-{mark}"


def ready():
    """Its `bin`, after installing missing packages from PyPI."""
    place = directory()
    done = place / "installed"
    if not done.exists():
        print(f"Installing {', '.join(REQUIREMENTS.read_text().split())} into {place}", file=sys.stderr)
        venv.create(place, with_pip=True, clear=True)
        subprocess.run([place / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS], check=True)
        done.touch()
    return place / "bin"
