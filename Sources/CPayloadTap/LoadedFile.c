// For dladdr(3).
#define _GNU_SOURCE
#include "CPayloadTap.h"

#include <dlfcn.h>

const char *bridge_file_of(const void *address) {
    Dl_info info;
    return dladdr(address, &info) ? info.dli_fname : NULL;
}
