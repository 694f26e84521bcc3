// Runs a command and writes its cost to a file, as one line of JSON. A parent of a few hundred KiB: the kernel counts the memory
// of the process that forked into the peak of the one that is executed.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec / 1e6; }

int main(int count, char **arguments) {
    if (count < 3) {
        fputs("usage: meter FILE COMMAND [ARGUMENT…]\n", stderr);
        return 64;
    }
    const double start = now();
    const pid_t child = fork();
    if (child == 0) {
        execvp(arguments[2], arguments + 2);
        perror(arguments[2]);
        _exit(127);
    }
    int status = 0;
    struct rusage used;
    if (child < 0 || wait4(child, &status, 0, &used) != child) {
        perror("meter");
        return 70;
    }
    const double wall = now() - start;
    FILE *file = fopen(arguments[1], "w");
    if (!file) {
        perror(arguments[1]);
        return 73;
    }
    fprintf(file, "{\"wall\": %.6f, \"cpu\": %.6f, \"peakKiB\": %ld}\n", wall, seconds(used.ru_utime) + seconds(used.ru_stime),
            used.ru_maxrss);
    fclose(file);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
