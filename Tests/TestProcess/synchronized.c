// Notes which files the process makes durable. The program's own fsync and fdatasync come before those of the C library, for
// SQLite's calls too.
#define _GNU_SOURCE
#include "test_process.h"
#ifdef __linux__
#include <fnmatch.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct entry {
    struct entry *next;
    char path[];
};

static _Atomic(struct entry *) newest;

static void note(int descriptor) {
    char link[32];
    char path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path);
    if (length < 0) return;
    struct entry *entry = malloc(sizeof *entry + (size_t)length + 1);
    if (entry == NULL) abort();
    memcpy(entry->path, path, (size_t)length);
    entry->path[length] = 0;
    entry->next = atomic_load(&newest);
    while (!atomic_compare_exchange_weak(&newest, &entry->next, entry)) {
    }
}

int fsync(int descriptor) {
    int result = (int)syscall(SYS_fsync, descriptor);
    if (result == 0) note(descriptor);
    return result;
}

int fdatasync(int descriptor) {
    int result = (int)syscall(SYS_fdatasync, descriptor);
    if (result == 0) note(descriptor);
    return result;
}

int test_process_synchronized(const char *pattern) {
    int count = 0;
    for (struct entry *entry = atomic_load(&newest); entry != NULL; entry = entry->next) {
        if (fnmatch(pattern, entry->path, 0) == 0) count += 1;
    }
    return count;
}
#else
int test_process_synchronized(const char *pattern) {
    (void)pattern;
    return 0;
}
#endif
