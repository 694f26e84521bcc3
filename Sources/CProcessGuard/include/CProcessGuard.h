#ifndef BRIDGE_PROCESS_GUARD_H
#define BRIDGE_PROCESS_GUARD_H

/* prctl(2) is variadic, which Swift cannot call. */
int bridge_forbid_memory_dumps(void);

/* The name that ps(1) shows for the calling thread, and for the process if that is its first thread. */
void bridge_name_thread(const char *name);

/* environ(7) is a global variable, which Swift does not let concurrent code read. Nothing here ever changes it. */
char *const *bridge_environment(void);

/*
 * The arguments of main(3); a count of -1 if the C library does not tell. Swift reads /proc/self/cmdline for it, which a
 * chroot may not have; without it, a process seems to have no arguments.
 */
char *const *bridge_arguments(int *count);

/* glibc gives each thread its own heap, and grows it by one page at a time: a system call for each. */
void bridge_use_one_arena(void);

/* A program to be started. It inherits only its three streams, and no other descriptor. */
struct bridge_program {
    const char *path;
    /* Whether a name without a slash is searched for in PATH. */
    int searches_path;
    char *const *arguments;
    char *const *environment;
    /* Its standard input, output and error. Negative: /dev/null; for the last, this process's own. */
    int input;
    int output;
    int errors;
    /* Signals that it does not ignore even if this process does: bit n for signal n. */
    unsigned long long default_signals;
    /* The only signals that are blocked in it: bit n for signal n. */
    unsigned long long blocked_signals;
    /* Whether it gets its own process group, so that it and its children can be ended together. */
    int own_group;
    /*
     * Whether a supervisor runs between this process and the program, in the program's group. SIGTERM to it ends the program
     * and all processes that the program has started, even those with their own session or group (setsid(2)). It ends as the
     * program does.
     */
    int supervised;
};

/*
 * Starts a program. Returns 0 or an errno.
 *
 * posix_spawn(3) blocks its caller, and its signals, until the child has become the program. A ^Z that stops the
 * child before that would keep this process from stopping too, and the shell from getting its terminal back.
 */
int bridge_start_program(const struct bridge_program *program, int *process);

/* A pipe whose ends are closed by exec, from the start if the system has a call for that. Returns 0 or an errno. */
int bridge_open_pipe(int ends[2]);

/* A pseudo-terminal: this process's end and the other, both closed by exec. Only one thread may call it. Returns 0 or an errno. */
int bridge_open_terminal(int *ours, int *theirs);

/* A program that takes this process's place, as far as others can tell: ssh, started by `bridge-ssh ssh`. */
struct bridge_carried {
    const char *path;
    char *const *arguments;
    char *const *environment;
    /* The end of a pipe, non-blocking, into which the program writes its log, and the other end, which is closed here. */
    int log;
    int log_writer;
    /* Called with the log as it comes. */
    void (*take)(void *context, const char *bytes, long count);
    void *context;
};

/*
 * Starts the program with this process's streams, directory, group, limits and signals as they are, and follows it until it
 * ends: signals that are sent to this process alone reach it, this process stops when it stops, and it ends if this process is
 * killed. Returns 0 or the errno for which it could not be started.
 *
 * status is what waitpid(2) says. is_log_open tells whether another process, such as a connection that ssh keeps in the
 * background, still holds the log open.
 */
int bridge_carry(const struct bridge_carried *program, int *status, int *is_log_open);

/* Whether a signal that ends programs has been passed on to the program. */
int bridge_has_passed_end(void);

/*
 * Leaves a process that reads the log until no process holds it open any more. It has no terminal, no stream and no descriptor
 * but the log and `kept`.
 */
void bridge_relay(const struct bridge_carried *program, int kept);

/* Ends this process by a signal, without a core file of its own. */
void bridge_die_of(int number);

#endif
