"""Runs `swift test` and ends it when a test hangs, with the stacks of all threads.

usage: supervise.py SECONDS TOTAL COMMAND...

SECONDS: the time within which some test must begin or end. TOTAL: how long the whole run may take; 0 for any time.
Exits as the command does, or with 124 after ending it.
"""
import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PR_SET_CHILD_SUBREAPER = 36
WATCHED = {signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
HUNG = 124
# The maximum number of processes of a run whose stacks are read, and the seconds for each.
MOST_STACKS, STACK_SECONDS = 12, 90
# A process that waits for a device or a file server cannot be killed.
KILL_SECONDS = 30


def say(text):
    print(f"scripts/test: {text}", file=sys.stderr, flush=True)


def unblock():
    """In a new process: children inherit the signal mask from Python."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)


def processes():
    """The parent and the name of every process, by its number."""
    found = {}
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                text = file.read()
        except OSError:
            continue
        # A process's name may hold spaces and parentheses.
        state, parent = text.rpartition(")")[2].split()[:2]
        if state != "Z":
            found[int(name)] = int(parent), text.partition("(")[2].rpartition(")")[0]
    return found


def descendants():
    """All descendants of this process, with names, including orphans that it has adopted."""
    all_processes = processes()
    ours, previous = {os.getpid()}, set()
    while ours != previous:
        previous = set(ours)
        ours |= {process for process, (parent, _) in all_processes.items() if parent in ours}
    return {process: all_processes[process][1] for process in sorted(ours - {os.getpid()}) if process in all_processes}


def show_stacks():
    if not shutil.which("gdb"):
        return say("gdb is missing: no stacks (scripts/bootstrap installs it)")
    # Test processes and tested programs; not sshd, shells and other helpers. The kernel keeps 15 bytes of a name.
    tested = ("swiftpm-testing", "bridge-ssh")
    wanted = [(process, name) for process, name in descendants().items() if name.startswith(tested) or "xctest" in name]
    for process, name in wanted[:MOST_STACKS]:
        say(f"stacks of {name}, process {process}:")
        command = ["gdb", "-nx", "-batch", "-p", str(process), "-iex", "set debuginfod enabled off",
                   "-ex", "set print frame-arguments none", "-ex", "thread apply all bt 60"]
        try:
            result = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=STACK_SECONDS,
                check=False, preexec_fn=unblock)
            text = result.stdout.decode(errors="replace")
        except subprocess.TimeoutExpired as error:
            text = (error.stdout or b"").decode(errors="replace") + f"\ngdb took longer than {STACK_SECONDS} seconds\n"
        lines = [line for line in text.splitlines() if line.startswith(("#", "Thread", "gdb")) or "ptrace" in line.lower()]
        print("\n".join(lines), file=sys.stderr, flush=True)


def kill():
    """Repeat until nothing is left: a killed process may just have started another one."""
    end = time.monotonic() + KILL_SECONDS
    while left := descendants():
        if time.monotonic() > end:
            return say(f"cannot be killed: {left}")
        for process in left:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        reap(None)
        time.sleep(0.05)


def reap(child):
    """Collects every process that has ended; the status of `child` if it is among them."""
    status = None
    while True:
        try:
            process, code = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if process == 0:
            return status
        if process == child:
            status = os.waitstatus_to_exitcode(code)


def unfinished(path):
    """The names of the tests that have begun and not ended."""
    begun, names = set(), {}
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                record = json.loads(line)
            except ValueError:
                continue
            payload = record.get("payload", {})
            if record.get("kind") == "test" and payload.get("kind") == "function":
                names[payload["id"]] = payload.get("displayName") or payload["name"]
            elif payload.get("kind") == "testStarted":
                begun.add(payload.get("testID"))
            elif payload.get("kind") in ("testEnded", "testSkipped"):
                begun.discard(payload.get("testID"))
    return sorted(f"{names[test]}  ({test})" for test in begun if test in names)


def supervise(limit, total, command, events):
    signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
    # The object is kept, because otherwise the module would collect the status itself.
    tests = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=unblock)
    begun = progress = time.monotonic()
    size = 0
    while True:
        received = signal.sigtimedwait(WATCHED, 1)
        status = reap(tests.pid)
        if status is not None:
            # Processes that the tests leave behind, for instance a helper with a kept connection, do not outlive them.
            kill()
            return status if status >= 0 else 128 - status
        if received and received.si_signo != signal.SIGCHLD:
            kill()
            return 128 + received.si_signo
        now = time.monotonic()
        if (grown := os.path.getsize(events)) != size:
            size, progress = grown, now
        # Before the first event the build runs, which may take long.
        if size and now - progress > limit:
            reason = f"no test has begun or ended for {limit} seconds"
        elif total and now - begun > total:
            reason = f"the run takes longer than {total} seconds"
        else:
            continue
        say(reason + "; it is ended. Begun and not ended:")
        for name in unfinished(events):
            print(f"  {name}", file=sys.stderr)
        show_stacks()
        kill()
        return HUNG


def main():
    limit, total, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    if sys.platform == "linux" and ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        sys.exit(f"scripts/test: prctl: {os.strerror(ctypes.get_errno())}")
    with tempfile.NamedTemporaryFile(prefix="bridge-ssh-tests.") as events:
        sys.exit(supervise(limit, total, [*command, "--event-stream-output-path", events.name], events.name))


if __name__ == "__main__":
    main()
