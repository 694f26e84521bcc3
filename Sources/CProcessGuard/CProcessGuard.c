#include "CProcessGuard.h"

#if defined(__linux__)
#include <sys/prctl.h>

/* No core file and no other process of this user may read our memory, where passwords are. */
int bridge_forbid_memory_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
#else
int bridge_forbid_memory_dumps(void) { return 0; }
#endif

extern char **environ;

char *const *bridge_environment(void) { return environ; }
