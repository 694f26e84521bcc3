#define _GNU_SOURCE
#include "CProcessGuard.h"
#include "supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Signal n is bit n. */
static int has(unsigned long long signals, int number) { return number < 64 && (signals >> number & 1); }

/* A descriptor for a stream, moved above the numbers of the standard streams, and closed by exec. */
static int source(int descriptor, int flags) {
    const int opened = descriptor >= 0 ? -1 : open("/dev/null", flags);
    return fcntl(descriptor >= 0 ? descriptor : opened, F_DUPFD_CLOEXEC, 3);
}

static int set_streams(const struct bridge_program *program) {
    const int input = source(program->input, O_RDONLY);
    const int output = source(program->output, O_WRONLY);
    const int errors = program->errors >= 0 ? source(program->errors, O_WRONLY) : -1;
    if (input < 0 || output < 0 || (program->errors >= 0 && errors < 0)) return -1;
    if (dup2(input, 0) < 0 || dup2(output, 1) < 0) return -1;
    return errors >= 0 && dup2(errors, 2) < 0 ? -1 : 0;
}

static void set_signals(const struct bridge_program *program) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t blocked;
    sigemptyset(&blocked);
    for (int number = 1; number < 64; number++) {
        if (has(program->default_signals, number)) sigaction(number, &action, NULL);
        if (has(program->blocked_signals, number)) sigaddset(&blocked, number);
    }
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
}

/*
 * Descriptors of libraries, such as an event loop's epoll(7), may lack FD_CLOEXEC. All from the fourth on get it: the one on which a
 * failure is reported is needed until then.
 */
static void close_by_exec(void) {
#if defined(__linux__) && defined(SYS_close_range)
    // CLOSE_RANGE_CLOEXEC, of Linux 5.11.
    if (syscall(SYS_close_range, 3U, ~0U, 4U) == 0) return;
#endif
    struct rlimit limit;
    const int most = 1 << 16;
    const int end = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < (rlim_t)most ? (int)limit.rlim_cur : most;
    for (int descriptor = 3; descriptor < end; descriptor++) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

/* In the child, only functions that a signal handler may call may be called. */
static void become(const struct bridge_program *program, int report) {
    if (set_streams(program) == 0 && (!program->own_group || setpgid(0, 0) == 0)) {
        close_by_exec();
        set_signals(program);
        environ = (char **)program->environment;
        if (program->searches_path)
            execvp(program->path, program->arguments);
        else
            execv(program->path, program->arguments);
    }
    const int problem = errno;
    while (write(report, &problem, sizeof problem) < 0 && errno == EINTR) {}
    _exit(127);
}

static int outcome(int report, pid_t process) {
    int problem = 0;
    ssize_t count;
    do count = read(report, &problem, sizeof problem);
    while (count < 0 && errno == EINTR);
    close(report);
    if (count != sizeof problem) return 0;
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {}
    return problem;
}

int bridge_open_pipe(int ends[2]) {
#if defined(__linux__)
    return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
#else
    if (pipe(ends) != 0) return errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
#endif
}

int bridge_open_terminal(int *ours, int *theirs) {
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0) return errno;
    fcntl(terminal, F_SETFD, FD_CLOEXEC);
    const char *path = NULL;
    if (grantpt(terminal) == 0 && unlockpt(terminal) == 0) path = ptsname(terminal);
    const int other = path ? open(path, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
    if (other < 0) {
        const int problem = errno;
        close(terminal);
        return problem;
    }
    *ours = terminal;
    *theirs = other;
    return 0;
}

/* The streams of this process may be closed; a pipe may then have one of their numbers, which the child's streams would take. */
static int open_report(int ends[2]) {
    int problem = bridge_open_pipe(ends);
    if (problem || ends[1] > 2) return problem;
    const int moved = fcntl(ends[1], F_DUPFD_CLOEXEC, 3);
    problem = errno;
    close(ends[1]);
    ends[1] = moved;
    if (moved >= 0) return 0;
    close(ends[0]);
    return problem;
}

int bridge_start_program(const struct bridge_program *program, int *process) {
    int report[2];
    int problem = open_report(report);
    if (problem) return problem;
    // No handler of ours runs in the child.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t child = fork();
    problem = errno;
    if (child == 0) {
        if (program->supervised) bridge_supervise(report[1]);
        become(program, report[1]);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(report[1]);
    if (child < 0) {
        close(report[0]);
        return problem;
    }
    *process = child;
    return outcome(report[0], child);
}
