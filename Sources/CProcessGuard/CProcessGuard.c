#include "CProcessGuard.h"

#if defined(__linux__)
#include <malloc.h>
#include <sys/prctl.h>

/* Allows no core file, and no other process of this user to read our memory: it holds passwords. */
int bridge_forbid_memory_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

void bridge_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
#else
int bridge_forbid_memory_dumps(void) { return 0; }

void bridge_name_thread(const char *name) { (void)name; }
#endif

#if defined(__GLIBC__)
void bridge_use_one_arena(void) {
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_TOP_PAD, 1 << 20);
}
#else
void bridge_use_one_arena(void) {}
#endif

extern char **environ;

char *const *bridge_environment(void) { return environ; }
