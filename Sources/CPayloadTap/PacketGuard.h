#ifndef BRIDGE_SSH_PACKET_GUARD_H
#define BRIDGE_SSH_PACKET_GUARD_H

#include "CPayloadTap.h"

/// Whether libssh2 may have a block of `count` bytes, asked for at `site`.
int guard_allows(struct bridge_tap *tap, const void *site, size_t count);

/// Takes note of a block before it is freed: new keys, and padding that is a lie.
void guard_note_free(struct bridge_tap *tap, const void *pointer, const void *site, size_t size);

#endif
