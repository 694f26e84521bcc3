#include "PacketGuard.h"

#include <string.h>

// libssh2 trusts a packet's length before it is authenticated. It asserts that it decrypts whole blocks, so one altered byte
// would abort the process; and 1.11 computes with lengths and paddings that it has not checked. In between it requests the
// packet's block, whose size shows the length that it assumes. `places` says how that call is recognised.

// SSH_MSG_EXT_INFO (RFC 8308 section 2.3), SSH_MSG_KEXINIT and SSH_MSG_NEWKEYS (RFC 4253 section 7), and
// SSH_MSG_USERAUTH_INFO_REQUEST (RFC 4256 section 3.2).
enum { ext_info = 7, kexinit = 20, newkeys = 21, info_request = 60 };

// libssh2 accepts no packet that is longer (LIBSSH2_PACKET_MAXPAYLOAD).
enum { longest_packet = 40000 };

int guard_refuse(struct bridge_tap *tap, enum bridge_tap_refusal why) {
    if (!tap->refused) tap->refused = why;
    return 0;
}

// The length field for which libssh2 requests a block of this size; 0 if no possible one does.
static size_t packet_length(const struct bridge_packet_layout *layout, size_t size) {
    const size_t tail = layout->mac_length;
    switch (layout->form) {
    case bridge_packet_clear:
        return size + 1;
    case bridge_packet_length_enciphered:
    case bridge_packet_length_authenticated:
        return size < tail ? 0 : size - tail + 1;
    case bridge_packet_encrypt_then_mac:
    case bridge_packet_chacha:
        return size < tail + 4 ? 0 : size - tail - 4;
    }
    return 0;
}

// RFC 4253 section 6: the length and everything after it are whole blocks, at least one. If the length is not encrypted, it does
// not count (RFC 5647 section 7.3, OpenSSH's PROTOCOL sections 1.5 and 1.6).
static int is_whole_blocks(const struct bridge_packet_layout *layout, size_t length) {
    const size_t block = layout->cipher_block;
    if (block == 0 || length < 2 || length > longest_packet) return 0;
    const size_t counted = layout->form == bridge_packet_length_enciphered ? length + 4 : length;
    return counted >= block && counted % block == 0;
}

// libssh2 1.11.0 and 1.11.1 treat a packet that chacha20-poly1305 could not decrypt as a packet, and read the same bytes again,
// for ever, with a new block each time (fixed after 1.11.1, libssh2 pull request 2392).
enum { longest_run = 64 };

static int runs_away(struct bridge_tap *tap, size_t size) {
    if (tap->run_size != size) {
        tap->run_size = size;
        tap->run_length = 0;
    }
    return ++tap->run_length > longest_run;
}

// libssh2's fields for the packet whose block it requests, or that it has decrypted, if their place is known.
static int has_sound_padding(const struct bridge_tap *tap, size_t size) {
    if (!tap->session || !tap->places.knows_packet_length) return 1;
    const unsigned char *const place = (const unsigned char *)tap->session + tap->places.packet_length_offset;
    uint32_t length;
    memcpy(&length, place, sizeof length);
    const unsigned char padding = place[sizeof length];
    // At least the message number is left (RFC 4253 section 6).
    return length == packet_length(&tap->layout, size) && length >= 2 && padding <= length - 2;
}

// A re-exchange may change the algorithms at any packet: libssh2 is asked each time.
int guard_knows_layout(struct bridge_tap *tap) {
    if (!tap->method || !tap->describe) return 0;
    const char *const cipher = tap->method(tap->session, tap->cipher_method);
    const char *const mac = tap->method(tap->session, tap->mac_method);
    if (!cipher || !mac) return 0;
    if (cipher == tap->cipher && mac == tap->mac) return 1;
    if (tap->describe(tap->owner, cipher, mac, &tap->layout) != 0) return 0;
    tap->cipher = cipher;
    tap->mac = mac;
    return 1;
}

static int allows_packet(struct bridge_tap *tap, size_t size) {
    if (!guard_knows_layout(tap)) return guard_refuse(tap, bridge_tap_bad_packet);
    if (!is_whole_blocks(&tap->layout, packet_length(&tap->layout, size))) return guard_refuse(tap, bridge_tap_bad_packet);
    // With the other two forms libssh2 knows the padding only when it has decrypted the packet.
    const int has_padding = tap->layout.form == bridge_packet_length_enciphered
                            || tap->layout.form == bridge_packet_length_authenticated;
    if (has_padding && !has_sound_padding(tap, size)) return guard_refuse(tap, bridge_tap_bad_packet);
    if (tap->layout.form == bridge_packet_chacha && runs_away(tap, size)) return guard_refuse(tap, bridge_tap_bad_packet);
    guard_note_packet(tap, size);
    return 1;
}

// libssh2 1.10 allocates and copies as many bytes as the length field of a question's title says (userauth.c:
// userauth_keyboard_interactive), whether or not they came. No string of a packet is longer than the packet; and a packet that is
// not the last has more bytes after it.
static int allows_question(struct bridge_tap *tap, size_t size) {
    if (tap->questions == bridge_questions_to_send) {
        tap->questions = bridge_questions_to_read;
        return 1;
    }
    const unsigned char *packet = tap->packet;
    const size_t longest = packet && *packet == info_request ? bridge_tap_size(packet) : 0;
    return size <= longest || size <= tap->slack ? 1 : guard_refuse(tap, bridge_tap_bad_packet);
}

int guard_allows(struct bridge_tap *tap, const void *site, size_t count) {
    if (!tap->places.packet_site) return 1;
    if (site != tap->places.packet_site) return tap->questions ? allows_question(tap, count) : 1;
    return tap->enciphered ? allows_packet(tap, count) : 1;
}

// With encrypt-then-MAC libssh2 1.11 subtracts the padding's length from the packet's without a check, and then reads as if the
// message were four billion bytes long. When it frees the encrypted bytes, it has recorded both lengths and not yet used them.
// The last block that it requested holds the decrypted bytes.
static void check_deciphered(struct bridge_tap *tap, size_t size) {
    unsigned char *const deciphered = tap->last_other;
    if (deciphered) {
        tap->deciphered_site = bridge_tap_site(deciphered);
        if (tap->reads_extensions && !guard_allows_message(deciphered, bridge_tap_size(deciphered))) {
            guard_refuse(tap, bridge_tap_bad_packet);
            // A list of no extensions.
            memset(deciphered + 1, 0, sizeof(uint32_t));
        }
    }
    if (has_sound_padding(tap, size)) return;
    guard_refuse(tap, bridge_tap_bad_packet);
    // Without padding, the packet is as long as the bytes that came, and it is the last.
    unsigned char *const place = (unsigned char *)tap->session + tap->places.packet_length_offset;
    place[sizeof(uint32_t)] = 0;
}

// libssh2 frees NEWKEYS when it begins to use the new keys.
static void note_new_keys(struct bridge_tap *tap) {
    tap->enciphered = 1;
    tap->has_new_keys = 1;
    guard_end_negotiation(tap);
    guard_watch_outgoing(tap);
    if (tap->keys_changed && tap->keys_changed(tap->owner) != 0) guard_refuse(tap, bridge_tap_keys_refused);
}

// At the end of a key exchange libssh2 frees the server's KEXINIT. If an exchange that the server began has failed, nothing else
// shows it.
static void note_exchange(struct bridge_tap *tap) {
    if (tap->enciphered && !tap->has_new_keys) guard_refuse(tap, bridge_tap_exchange_failed);
    tap->has_new_keys = 0;
}

int guard_note_free(struct bridge_tap *tap, const void *pointer, const void *site, size_t size) {
    if (pointer == tap->packet) tap->packet = NULL;
    if (pointer == tap->last_other) tap->last_other = NULL;
    if (pointer == tap->methods) tap->methods = NULL;
    if (!tap->places.packet_site || tap->rejected == pointer || size == 0) return 1;
    if (site == tap->places.packet_site && tap->enciphered && tap->layout.form == bridge_packet_encrypt_then_mac) {
        check_deciphered(tap, size);
        return 0;
    }
    if (site != tap->places.packet_site && site != tap->deciphered_site) return 1;
    const unsigned char message = *(const unsigned char *)pointer;
    if (message == newkeys) note_new_keys(tap);
    if (message == kexinit) note_exchange(tap);
    if (message == ext_info) guard_note_extensions(tap, pointer, size);
    return 1;
}
