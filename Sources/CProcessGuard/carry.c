#define _GNU_SOURCE
#include "CProcessGuard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <poll.h>
#include <sys/prctl.h>
#endif

/* Signals that would end or stop this process, or that come from the terminal: the program gets them in our place. */
static const int passed[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE, SIGTSTP, SIGCONT, SIGWINCH};
/* The first of them end a process; the others do not. */
enum { passed_count = sizeof passed / sizeof *passed, ending_count = 7 };

static volatile sig_atomic_t carried;
/* Which of them this process has sent to the program: bit n for passed[n]. */
static volatile sig_atomic_t had;

/*
 * A signal from a key was also sent to the program by the terminal; a process that only knows us sent its signal to us alone.
 * The kernel names no sender for a signal of the terminal (siginfo_t, sigaction(2)), and this process for its own broken pipe.
 */
static void pass_on(int number, siginfo_t *details, void *context) {
    (void)context;
    const int before = errno;
    if (number == SIGPIPE && details->si_pid == getpid()) return;
    if (carried > 0 && (details->si_pid != 0 || number == SIGHUP || number == SIGCONT)) {
        kill(carried, number);
        // All signals are blocked in a handler.
        for (int index = 0; index < ending_count; index++)
            if (passed[index] == number) had |= 1 << index;
    }
    errno = before;
}

int bridge_has_passed_end(void) { return had != 0; }

static void wake_up(int number) { (void)number; }

/* The signal dispositions of this process before, and while it carries. */
struct signals {
    struct sigaction passed[passed_count], children;
    sigset_t mask, waiting, working;
};

/*
 * An ignored or blocked signal stays so, here and in the program: see nohup(1), and a shell's background jobs.
 */
static void set_handlers(struct signals *signals) {
    signals->waiting = signals->working = signals->mask;
    for (int index = 0; index < passed_count; index++) {
        const int number = passed[index];
        struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO};
        sigfillset(&action.sa_mask);
        sigaction(number, NULL, &signals->passed[index]);
        if (signals->passed[index].sa_handler == SIG_IGN || sigismember(&signals->mask, number) == 1) continue;
        sigaction(number, &action, NULL);
        // Signals are taken only while this process waits, so none is lost between a check and a wait.
        sigaddset(&signals->working, number);
    }
    struct sigaction action = {.sa_handler = wake_up};
    sigaction(SIGCHLD, &action, &signals->children);
    sigaddset(&signals->working, SIGCHLD);
    sigdelset(&signals->waiting, SIGCHLD);
}

static void restore_handlers(const struct signals *signals) {
    for (int index = 0; index < passed_count; index++) sigaction(passed[index], &signals->passed[index], NULL);
    sigaction(SIGCHLD, &signals->children, NULL);
}

/*
 * timeout(1) and others send a signal to this process and then to its group. If the first has ended the program, the second
 * would end this process before it has reported why. A third one ends it.
 */
static void expect_repetitions(void) {
    for (int index = 0; index < ending_count; index++) {
        struct sigaction once = {.sa_handler = wake_up, .sa_flags = SA_RESETHAND | SA_RESTART};
        if (had >> index & 1) sigaction(passed[index], &once, NULL);
    }
}

/* Stops this process as the program was stopped, and continues the program when this process is continued. */
static void stop_too(int number) {
    struct sigaction usual = {.sa_handler = SIG_DFL}, before;
    sigset_t only, mask;
    sigemptyset(&only);
    sigaddset(&only, number);
    sigaction(number, &usual, &before);
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &only, &mask);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    if (number != SIGSTOP) sigaction(number, &before, NULL);
    kill(carried, SIGCONT);
}

/*
 * Whether the program is stopped. A shell that continues us continues both, one after the other: the first to be
 * continued may still see the other one stopped.
 */
static int is_stopped(int *number) {
    siginfo_t state;
    for (int look = 0; look < 2; look++) {
        memset(&state, 0, sizeof state);
        if (waitid(P_PID, (id_t)carried, &state, WSTOPPED | WNOHANG | WNOWAIT) != 0 || state.si_pid == 0) return 0;
        const struct timespec moment = {0, 2000000};
        if (look == 0) nanosleep(&moment, NULL);
    }
    *number = state.si_status;
    return waitid(P_PID, (id_t)carried, &state, WSTOPPED | WNOHANG) == 0;
}

/* Takes what is in the pipe. Returns 0 at its end. */
static int read_log(const struct bridge_carried *program) {
    char bytes[16384];
    for (;;) {
        const ssize_t count = read(program->log, bytes, sizeof bytes);
        if (count > 0)
            program->take(program->context, bytes, count);
        else if (count == 0 || errno != EINTR)
            return count != 0;
    }
}

/* Waits until there is something to read, or a signal has come. */
static int has_log(int log, const sigset_t *mask) {
#if defined(__linux__)
    struct pollfd place = {.fd = log, .events = POLLIN};
    return ppoll(&place, 1, NULL, mask) > 0;
#else
    fd_set places;
    FD_ZERO(&places);
    if (log >= 0 && log < FD_SETSIZE) FD_SET(log, &places);
    return pselect(log + 1, &places, NULL, NULL, NULL, mask) > 0;
#endif
}

static int follow(const struct bridge_carried *program, const struct signals *signals) {
    int log = program->log;
    for (;;) {
        int status, number;
        const pid_t ended = waitpid(carried, &status, WNOHANG);
        if (ended == carried) return status;
        if (ended < 0 && errno != EINTR) return 255 << 8;
        if (is_stopped(&number)) {
            stop_too(number);
        } else if (has_log(log, &signals->waiting)) {
            // The reader of our stream may be slow.
            pthread_sigmask(SIG_SETMASK, &signals->waiting, NULL);
            if (!read_log(program)) log = -1;
            pthread_sigmask(SIG_SETMASK, &signals->working, NULL);
        }
    }
}

static void become_carried(const struct bridge_carried *program, int report, pid_t parent, const sigset_t *mask) {
#if defined(__linux__)
    // A program in the background is a child of this one, which does not inherit it (prctl(2)).
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
    if (getppid() != parent) raise(SIGTERM);
#else
    (void)parent;
#endif
    pthread_sigmask(SIG_SETMASK, mask, NULL);
    execve(program->path, program->arguments, program->environment);
    const int problem = errno;
    while (write(report, &problem, sizeof problem) < 0 && errno == EINTR) {}
    _exit(127);
}

/* The streams of this process may be closed: no descriptor of the program's streams may take their numbers. */
static int above_streams(int *descriptor) {
    if (*descriptor > 2) return 0;
    const int moved = fcntl(*descriptor, F_DUPFD_CLOEXEC, 3);
    const int problem = errno;
    close(*descriptor);
    *descriptor = moved;
    return moved < 0 ? problem : 0;
}

int bridge_carry(const struct bridge_carried *program, int *status, int *is_log_open) {
    int report[2];
    int problem = bridge_open_pipe(report);
    if (problem || (problem = above_streams(&report[1])) || (problem = above_streams(&report[0]))) return problem;
    struct signals signals;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &signals.mask);
    carried = 0;
    set_handlers(&signals);
    const pid_t parent = getpid();
    const pid_t child = fork();
    problem = errno;
    if (child == 0) {
        restore_handlers(&signals);
        become_carried(program, report[1], parent, &signals.mask);
    }
    close(report[1]);
    if (child > 0) {
        carried = child;
        int said = 0;
        ssize_t count;
        do count = read(report[0], &said, sizeof said);
        while (count < 0 && errno == EINTR);
        problem = count == sizeof said ? said : 0;
        pthread_sigmask(SIG_SETMASK, &signals.working, NULL);
        if (problem) {
            while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
        } else {
            *status = follow(program, &signals);
            // A pending signal is passed on too.
            signal(SIGPIPE, SIG_IGN);
            close(program->log_writer);
            *is_log_open = read_log(program);
        }
    }
    carried = 0;
    close(report[0]);
    restore_handlers(&signals);
    expect_repetitions();
    pthread_sigmask(SIG_SETMASK, &signals.mask, NULL);
    return problem;
}

void bridge_relay(const struct bridge_carried *program, int kept) {
    if (fork() != 0) return;
    setsid();
    signal(SIGPIPE, SIG_IGN);
    const int null = open("/dev/null", O_RDWR);
    for (int stream = 0; stream <= 2; stream++) dup2(null, stream);
    // Its caller waits until these are closed.
    const long limit = sysconf(_SC_OPEN_MAX);
    for (int descriptor = 3; descriptor < (limit > 0 && limit < 65536 ? limit : 65536); descriptor++)
        if (descriptor != program->log && descriptor != kept) close(descriptor);
    fcntl(program->log, F_SETFL, 0);
    read_log(program);
    _exit(0);
}

void bridge_die_of(int number) {
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    signal(number, SIG_DFL);
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    _exit(128 + number);
}
