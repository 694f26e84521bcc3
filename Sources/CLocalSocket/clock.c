#include "CLocalSocket.h"

#include <stddef.h>
#include <stdint.h>
#include <time.h>

// libssh2 gives up on a server that has not answered for 60 seconds by the time of day. If the clock is set a minute ahead, a login
// that has just begun ends (packet.c: _libssh2_packet_requirev). Before 1.11 nothing changes that limit. Our deadlines are
// measured by a clock that cannot be set. So libssh2 has no clock in our programs: it asks the C library for the time, and the
// dynamic linker finds this function first, whose answer to libssh2 is always the same.

#ifdef __linux__

#include <dlfcn.h>
#include <link.h>

// libssh2's code, from the first address to the one after the last; 0 before it is known.
static uintptr_t library_begin, library_end;

static int note_library(struct dl_phdr_info *info, size_t size, void *inside) {
    (void)size;
    uintptr_t begin = UINTPTR_MAX, end = 0;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *const part = &info->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        const uintptr_t start = info->dlpi_addr + part->p_vaddr;
        if (start < begin) begin = start;
        if (start + part->p_memsz > end) end = start + part->p_memsz;
    }
    if ((uintptr_t)inside < begin || (uintptr_t)inside >= end) return 0;
    // If it is linked statically, its code cannot be distinguished from the program's.
    if (info->dlpi_name && *info->dlpi_name) {
        library_begin = begin;
        library_end = end;
    }
    return 1;
}

// Before main, so there is no other thread yet.
__attribute__((constructor)) static void find_library(void) {
    void *const inside = dlsym(RTLD_DEFAULT, "libssh2_version");
    if (inside) dl_iterate_phdr(note_library, inside);
}

time_t bridge_time_for(const void *caller) {
    // Not 0, because libssh2 takes 0 for a wait that has not begun.
    if ((uintptr_t)caller >= library_begin && (uintptr_t)caller < library_end) return 1;
    // The same as the C library's own time(2).
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    return now.tv_sec;
}

time_t time(time_t *result) {
    const time_t now = bridge_time_for(__builtin_return_address(0));
    if (result) *result = now;
    return now;
}

#else

// There a program's functions do not replace a library's, and its libssh2 has a setting for the wait.
time_t bridge_time_for(const void *caller) {
    (void)caller;
    return time(NULL);
}

#endif
