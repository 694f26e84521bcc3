#define _GNU_SOURCE
#include "supervise.h"
#include "CProcessGuard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

/* A process after fork(2) may call only the functions that a signal handler may call: no stdio, and no memory from the heap. */

static void ignore(int number) { (void)number; }

/* Otherwise the readers of inherited pipes would wait for this process. */
static void close_all(void) {
    const int null = open("/dev/null", O_RDWR);
    for (int stream = 0; stream <= 2; stream++) dup2(null, stream);
#if defined(__linux__) && defined(SYS_close_range)
    if (syscall(SYS_close_range, 3U, ~0U, 0U) == 0) return;
#endif
    const long limit = sysconf(_SC_OPEN_MAX);
    for (int descriptor = 3; descriptor < (limit > 0 && limit < 65536 ? limit : 65536); descriptor++) close(descriptor);
}

/* Returns how many children could be signalled; -1 if the system does not list them (proc(5)). */
static int kill_children(void) {
#if defined(__linux__)
    const int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (list < 0) return -1;
    char bytes[4096];
    const ssize_t count = read(list, bytes, sizeof bytes);
    close(list);
    int signalled = 0;
    pid_t process = 0;
    // A number without a blank after it may be cut off.
    for (ssize_t index = 0; index < count; index++) {
        if (bytes[index] >= '0' && bytes[index] <= '9') {
            process = process * 10 + (bytes[index] - '0');
        } else {
            if (process > 0 && kill(process, SIGKILL) == 0) signalled++;
            process = 0;
        }
    }
    return signalled;
#else
    return -1;
#endif
}

/* A process that loses its parent becomes a child of this process, so in the end every descendant has been one. */
static void end_all(void) {
    kill(0, SIGTERM);
    const struct timespec moment = {0, 50000000};
    nanosleep(&moment, NULL);
    // Programs of another user (sudo) cannot be signalled; this process does not wait for them.
    while (kill_children() > 0 && waitpid(-1, NULL, 0) > 0) {}
    kill(0, SIGKILL);
}

static void end_as(int status) {
    if (WIFSIGNALED(status)) bridge_die_of(WTERMSIG(status));
    _exit(WEXITSTATUS(status));
}

void bridge_supervise(int report) {
    setpgid(0, 0);
#if defined(__linux__)
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#endif
    // This process does not wait for an ignored signal, although it is blocked.
    const struct sigaction action = {.sa_handler = ignore};
    sigaction(SIGCHLD, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    const pid_t program = fork();
    if (program == 0) return;
    if (program < 0) {
        const int problem = errno;
        while (write(report, &problem, sizeof problem) < 0 && errno == EINTR) {}
        _exit(127);
    }
    close_all();
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGTERM);
    for (;;) {
        int status, number = 0;
        pid_t ended;
        while ((ended = waitpid(-1, &status, WNOHANG)) > 0)
            if (ended == program) end_as(status);
        sigwait(&awaited, &number);
        if (number == SIGTERM) end_all();
    }
}
