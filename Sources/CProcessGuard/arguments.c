#include "CProcessGuard.h"

/* Tells which C library it is. */
#include <stdlib.h>

#if defined(__APPLE__)
#include <crt_externs.h>

char *const *bridge_arguments(int *count) {
    *count = *_NSGetArgc();
    return *_NSGetArgv();
}
#else
static int argument_count;
static char *const *argument_vector;

#if defined(__GLIBC__)
/* glibc calls every constructor with main's arguments. */
__attribute__((constructor)) static void keep_arguments(int count, char **vector) {
    argument_count = count;
    argument_vector = vector;
}
#endif

char *const *bridge_arguments(int *count) {
    *count = argument_vector ? argument_count : -1;
    return argument_vector;
}
#endif
