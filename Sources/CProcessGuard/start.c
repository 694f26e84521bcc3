#define _GNU_SOURCE
#include "CProcessGuard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void set_streams(int output) {
    const int input = open("/dev/null", O_RDONLY);
    const int target = output >= 0 ? output : open("/dev/null", O_WRONLY);
    if (input < 0 || target < 0 || dup2(input, 0) < 0 || dup2(target, 1) < 0) return;
    // The program shall not inherit the others. One of 0 to 2 is that itself.
    if (input > 2) close(input);
    if (target > 2 && output < 0) close(target);
}

/* In the child, where only what a signal handler may call may be called. */
static void become(const struct bridge_program *program, int report) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    for (int number = 1; number < 64; number++)
        if (program->default_signals >> number & 1) sigaction(number, &action, NULL);
    set_streams(program->output);
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    environ = (char **)program->environment;
    if (program->searches_path)
        execvp(program->path, program->arguments);
    else
        execv(program->path, program->arguments);
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

int bridge_start_program(const struct bridge_program *program, int *process) {
    int report[2];
    if (pipe(report) != 0) return errno;
    fcntl(report[0], F_SETFD, FD_CLOEXEC);
    fcntl(report[1], F_SETFD, FD_CLOEXEC);
    // No handler of ours runs in the child.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t child = fork();
    const int problem = errno;
    if (child == 0) become(program, report[1]);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(report[1]);
    if (child < 0) {
        close(report[0]);
        return problem;
    }
    *process = child;
    return outcome(report[0], child);
}
