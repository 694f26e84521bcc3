#ifndef BRIDGE_SSH_PAYLOAD_TAP_H
#define BRIDGE_SSH_PAYLOAD_TAP_H

#include <stddef.h>

/// Called with a decrypted payload that libssh2 is about to free and whose message type is one of those observed.
/// `length` counts what was allocated: the payload, then padding and the room for a MAC.
typedef void (*bridge_tap_observer)(void *owner, const unsigned char *payload, size_t length);

/// The session's abstract: who owns it, and who looks at payloads (NULL: nobody).
struct bridge_tap {
    void *owner;
    bridge_tap_observer observe;
    /// A payload whose MAC is wrong: what it says, nobody has said. Set before libssh2 frees it.
    const void *rejected;
    /// How many blocks of `run_size` bytes in a row were asked for, with nothing freed and nothing received in between.
    size_t run_size;
    unsigned run_length;
    /// The cipher's block and the MAC's length for packets that are enciphered together with their length; 0 for others.
    size_t cipher_block;
    size_t mac_length;
    /// From where libssh2 asks for a packet's block, once the first keys are in use.
    const void *packet_site;
    /// Whether libssh2 was refused a block, because with what it has read it would not have ended, or have ended the process.
    int refused;
};

/// Bytes were asked for from the peer: libssh2 is getting on.
void bridge_tap_progress(struct bridge_tap *tap);

/// An allocator for `libssh2_session_init_ex`; `*abstract` is a `struct bridge_tap *`.
void *bridge_tap_alloc(size_t count, void **abstract);
void *bridge_tap_realloc(void *pointer, size_t count, void **abstract);
void bridge_tap_free(void *pointer, void **abstract);

/// Gives those pages of a block back to the system that hold nothing but zeros: they come again, as zeros, when they are next used.
///
/// libssh2's session is 54 KiB, zeroed when it is made, and most of that is room for two packets of the largest size.
///
/// Returns how many bytes were given back: none where the system has no such call.
size_t bridge_tap_give_back_zeros(void *pointer);

#endif
