#ifndef BRIDGE_PROCESS_GUARD_H
#define BRIDGE_PROCESS_GUARD_H

/* prctl(2) is variadic, which Swift cannot call. */
int bridge_forbid_memory_dumps(void);

#endif
