"""Runs clients in turn and keeps what each cost."""

import json
import os
import statistics
import subprocess
import sys


class Failed(Exception):
    """A client that ended with a status other than 0."""


class Meter:
    """Measures one process at a time, and its cost for the server."""

    def __init__(self, program, directory, server=None):
        self.program = program
        self.server = server
        self.figures = os.path.join(directory, "figures")

    def run(self, command, environment, limit=600):
        """The cost of a run of `command`: of its own measured phase if it prints one, otherwise of the whole process.

        `serverCpu` is of the whole process, its connecting included.
        """
        before = self.server.settled() if self.server else 0
        with subprocess.Popen(
            [self.program, self.figures, *command],
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                output, errors = process.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                process.kill()
                raise Failed(f"no end after {limit} s") from None
        if process.returncode != 0:
            raise Failed((errors.strip().splitlines() or [f"status {process.returncode}"])[-1])
        with open(self.figures, encoding="utf-8") as file:
            whole = json.load(file)
        if self.server:
            whole["serverCpu"] = self.server.settled() - before
        lines = [line for line in output.splitlines() if line.startswith("{")]
        # `peakKiB` is always of the whole process.
        return {**whole, **(json.loads(lines[-1]) if lines else {})}


def interleaved(meter, clients, rounds, limit=600):
    """Runs every client once a round, so that other work of the machine slows all of them alike.

    `clients` maps a name to (command, environment). A client that fails is left out afterwards, with a message.
    """
    runs = {name: [] for name in clients}
    failures = {}
    for _ in range(rounds):
        for name, (command, environment) in clients.items():
            if name in failures:
                continue
            try:
                runs[name].append(meter.run(command, environment, limit))
            except (Failed, OSError) as problem:
                failures[name] = str(problem)
                print(f"  {name} is left out: {problem}", file=sys.stderr)
    return {name: medians(results) for name, results in runs.items() if results and name not in failures}


def medians(results):
    """The median of each figure."""
    return {key: round(statistics.median(result[key] for result in results), 6) for key in results[0]}
