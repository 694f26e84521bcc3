"""Counts instructions and allocations with valgrind's callgrind."""

import glob
import os
import re
import subprocess

ALLOCATORS = {"malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign"}
NAME = re.compile(r"\((\d+)\)(?: (.*))?")


class Failed(Exception):
    """A run that failed."""


def count(command, environment, directory):
    """The instructions of the executable's own code in a run of `command`, and all calls of the allocator.

    The executable must be without debug information: valgrind before 3.20 gives up on what Swift 6 writes there (DWARF 5).
    """
    for old in glob.glob(os.path.join(directory, "callgrind.*")):
        os.unlink(old)
    output = os.path.join(directory, "callgrind.%p")
    valgrind = ["valgrind", "--quiet", "--tool=callgrind", "--trace-children=no", f"--callgrind-out-file={output}"]
    run = subprocess.run(
        [*valgrind, *command], env={**os.environ, **environment, "SWIFT_BACKTRACE": "enable=no"},
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=900, check=False)
    if run.returncode != 0:
        raise Failed(f"{command}: {run.stderr.strip()[-400:]}")
    totals = {"instructions": 0, "allocations": 0}
    for path in glob.glob(os.path.join(directory, "callgrind.*")):
        with open(path, encoding="utf-8", errors="replace") as file:
            for key, value in read(file, os.path.basename(command[0])).items():
                totals[key] += value
    return totals


def read(lines, executable):
    """Sums a file in callgrind's format: lines of cost belong to the last `ob=`; the one after `calls=` is the callee's."""
    names = {"ob": {}, "fn": {}}
    instructions = allocations = 0
    is_ours = is_callee = False
    called = ""
    for line in lines:
        if is_callee:
            is_callee = False
        elif line[:1].isdigit() or line[:1] in "+-*":
            instructions += int(line.split()[1]) if is_ours else 0
        elif line.startswith("calls="):
            is_callee = True
            if called in ALLOCATORS:
                allocations += int(line[6:].split()[0])
        else:
            key, _, value = line.rstrip("\n").partition("=")
            if key == "ob":
                is_ours = os.path.basename(resolve(names["ob"], value)) == executable
            elif key == "cob":
                resolve(names["ob"], value)
            elif key in ("fn", "cfn"):
                name = resolve(names["fn"], value)
                called = name.split("'")[0] if key == "cfn" else called
    return {"instructions": instructions, "allocations": allocations}


def resolve(names, value):
    """A name that is written out the first time, and then replaced by its number."""
    match = NAME.match(value)
    if not match:
        return value
    number, name = match.groups()
    if name is not None:
        names[number] = name
    return names.get(number, "")
