#ifndef BRIDGE_PROCESS_GUARD_H
#define BRIDGE_PROCESS_GUARD_H

/* prctl(2) is variadic, which Swift cannot call. */
int bridge_forbid_memory_dumps(void);

/* The name that ps(1) shows for the calling thread, and for the process if that is its first thread. */
void bridge_name_thread(const char *name);

/* environ(7) is a global variable, which Swift does not let concurrent code read. Nothing here ever changes it. */
char *const *bridge_environment(void);

/* glibc gives each thread a heap of its own, which it grows by one page at a time: a system call for each. */
void bridge_use_one_arena(void);

#endif
