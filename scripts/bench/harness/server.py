"""The cost of a run at the server: its CPU time limits how many commands per second any client can run."""

import os
import time

TICK = os.sysconf("SC_CLK_TCK")
PATIENCE_S = 5


class Server:
    """A process and all its descendants: sshd in its sandbox."""

    def __init__(self, root):
        self.root = root
        self.quiet = self.count()

    def settled(self):
        """The seconds of CPU that they have used, once the last client's processes have ended; in ticks, usually of 10 ms."""
        end = time.monotonic() + PATIENCE_S
        while self.count() > self.quiet and time.monotonic() < end:
            time.sleep(0.01)
        # The times of an ended process are counted in the process that waited for it.
        return sum(sum(map(int, fields[11:15])) for fields in self.descendants()) / TICK

    def count(self):
        return len(self.descendants())

    def descendants(self):
        """The fields of proc_pid_stat(5) of each, from the third on: its state."""
        fields, parents = {}, {}
        for name in os.listdir("/proc"):
            if not name.isdigit():
                continue
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    # The second field is a name in parentheses, which may itself contain spaces and parentheses.
                    fields[int(name)] = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(name)] = int(fields[int(name)][1])
        return [fields[process] for process in fields if self.is_below(process, parents)]

    def is_below(self, process, parents):
        while process in parents:
            process = parents[process]
            if process == self.root:
                return True
        return False
