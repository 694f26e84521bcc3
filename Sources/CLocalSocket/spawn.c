#include "CLocalSocket.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#else
#include <sys/auxv.h>
#endif

int bridge_executable_path(char *path, size_t capacity) {
#if defined(__APPLE__)
    uint32_t size = (uint32_t)capacity;
    return _NSGetExecutablePath(path, &size);
#else
    static const char link[] = "/proc/self/exe";
    if (capacity >= sizeof link && access(link, X_OK) == 0) {
        memcpy(path, link, sizeof link);
        return 0;
    }
    /* Without /proc, the name that was given to execve(2) is used; it is right unless the file was moved. */
    const char *name = (const char *)getauxval(AT_EXECFN);
    if (!name || capacity < PATH_MAX || !realpath(name, path)) return -1;
    return 0;
#endif
}

static int add_descriptors(posix_spawn_file_actions_t *actions, const int *copies, int count) {
    int problem = 0;
    for (int standard = 0; standard <= 2 && !problem; standard++)
        problem = posix_spawn_file_actions_addopen(actions, standard, "/dev/null", standard == 0 ? O_RDONLY : O_WRONLY, 0);
    for (int index = 0; index < count && !problem; index++)
        problem = posix_spawn_file_actions_adddup2(actions, copies[index], 3 + index);
#if defined(__GLIBC__)
    if (!problem) problem = posix_spawn_file_actions_addclosefrom_np(actions, 3 + count);
#endif
    return problem;
}

static int set_attributes(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    short flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
#if defined(__APPLE__)
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    int problem = posix_spawnattr_setsigmask(attributes, &none);
    if (!problem) problem = posix_spawnattr_setsigdefault(attributes, &all);
    if (!problem) problem = posix_spawnattr_setflags(attributes, flags);
    return problem;
}

static int spawn(const char *path, char *const *arguments, char *const *environment, const int *copies, int count,
                 pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int problem = posix_spawn_file_actions_init(&actions);
    if (problem) return problem;
    problem = posix_spawnattr_init(&attributes);
    if (!problem) {
        problem = add_descriptors(&actions, copies, count);
        if (!problem) problem = set_attributes(&attributes);
        if (!problem) problem = posix_spawn(process, path, &actions, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return problem;
}

int bridge_spawn_detached(const char *path, char *const *arguments, char *const *environment, const int *descriptors,
                          int descriptor_count, pid_t *process) {
    int copies[BRIDGE_DESCRIPTORS_MAX];
    if (descriptor_count < 0 || descriptor_count > BRIDGE_DESCRIPTORS_MAX) return EINVAL;
    int problem = 0;
    int made = 0;
    /* Away from the numbers that they will get. */
    while (made < descriptor_count && !problem) {
        copies[made] = fcntl(descriptors[made], F_DUPFD_CLOEXEC, 3 + BRIDGE_DESCRIPTORS_MAX);
        if (copies[made] < 0) problem = errno;
        else made++;
    }
    if (!problem) problem = spawn(path, arguments, environment, copies, made, process);
    for (int index = 0; index < made; index++) close(copies[index]);
    return problem;
}
