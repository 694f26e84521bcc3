#include "PacketGuard.h"

// libssh2 1.11 reads as many extensions as SSH_MSG_EXT_INFO (RFC 8308) claims to have, up to four billion: some seconds of a
// processor for each such packet (CVE-2026-55199). It reads them as soon as it has deciphered the packet, and calls none of our
// functions in between. But it deciphers the bytes of a packet that it has before it asks for the rest: so it gets only the
// beginning of each packet until that has been checked.

enum { ext_info = 7, message_and_count = 5, shortest_extension = 8 };

// As much of a packet as is enough to decipher its message's number and what follows it, and less than any whole packet with its MAC.
enum { beginning = 16 };

int guard_allows_message(const unsigned char *message, size_t size) {
    if (size < message_and_count || *message != ext_info) return 1;
    const size_t count = (size_t)message[1] << 24 | (size_t)message[2] << 16 | (size_t)message[3] << 8 | message[4];
    return count <= size / shortest_extension;
}

void guard_note_packet(struct bridge_tap *tap, size_t size) {
    const enum bridge_packet_form form = tap->layout.form;
    // The length of the packet and of its padding are not in the block where libssh2 deciphers them first.
    const size_t outside = form == bridge_packet_length_enciphered || form == bridge_packet_length_authenticated ? 5 : 0;
    tap->packet_begin = tap->packet_end;
    tap->packet_end += size + outside;
}

// Whether the block of a packet holds what of it has been deciphered, as soon as its beginning has come. With encrypt-then-MAC the
// packet is looked at when all of it has been deciphered (check_deciphered in PacketGuard.c); with chacha20-poly1305 it cannot be.
static int shows_beginning(const struct bridge_tap *tap) {
    const enum bridge_packet_form form = tap->layout.form;
    return form == bridge_packet_length_enciphered || form == bridge_packet_length_authenticated;
}

size_t bridge_tap_room(struct bridge_tap *tap, size_t wanted) {
    if (tap->refused) return 0;
    // What follows the server's first SSH_MSG_NEWKEYS must not be read as if it were in the clear.
    if (!tap->enciphered || !guard_knows_layout(tap)) return (size_t)guard_refuse(tap, bridge_tap_bad_packet);
    if (!shows_beginning(tap)) return wanted;
    if (tap->packet && !guard_allows_message(tap->packet, bridge_tap_size(tap->packet)))
        return (size_t)guard_refuse(tap, bridge_tap_bad_packet);
    const uint64_t shown = tap->packet_begin + beginning;
    const uint64_t end = tap->packet && tap->given < shown ? shown : tap->packet_end + tap->layout.cipher_block;
    // libssh2 asks for more only when it has used what it has got: it has begun the next packet then.
    if (end <= tap->given) return (size_t)guard_refuse(tap, bridge_tap_bad_packet);
    return wanted < end - tap->given ? wanted : (size_t)(end - tap->given);
}

void bridge_tap_gave(struct bridge_tap *tap, size_t count) { tap->given += count; }
