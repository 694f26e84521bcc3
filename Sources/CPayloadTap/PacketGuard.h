#ifndef BRIDGE_SSH_PACKET_GUARD_H
#define BRIDGE_SSH_PACKET_GUARD_H

#include "CPayloadTap.h"

/// Whether libssh2 may have a block of `count` bytes, asked for at `site`.
int guard_allows(struct bridge_tap *tap, const void *site, size_t count);

/// Records why a session must end, if nothing was recorded before. Returns 0.
int guard_refuse(struct bridge_tap *tap, enum bridge_tap_refusal why);

/// Finds out the current layout of packets. Returns 0 if that is unknown.
int guard_knows_layout(struct bridge_tap *tap);

/// Whether a message of at most `size` bytes may be read: SSH_MSG_EXT_INFO may count no more extensions than fit into it.
int guard_allows_message(const unsigned char *message, size_t size);

/// Called when libssh2 frees this message. Removes repeated names from the list that libssh2 may have kept of it (RFC 8308).
void guard_note_extensions(struct bridge_tap *tap, const unsigned char *message, size_t size);

/// Called at the end of the first key exchange. Removes the names that are not methods from libssh2's list.
void guard_end_negotiation(struct bridge_tap *tap);

/// Called when libssh2 requests the block of the next packet.
void guard_note_packet(struct bridge_tap *tap, size_t size);

/// Makes libssh2's answers on a channel name the server's number. Called after each key exchange, which sets the compression
/// method again.
void guard_watch_outgoing(struct bridge_tap *tap);

/// Checks a block before it is freed, for new keys and padding of a false length. Returns 0 if the block is still encrypted.
int guard_note_free(struct bridge_tap *tap, const void *pointer, const void *site, size_t size);

#endif
