#ifndef BRIDGE_SSH_CLIBSSH2_SHIM_H
#define BRIDGE_SSH_CLIBSSH2_SHIM_H

#include <libssh2.h>

#endif
