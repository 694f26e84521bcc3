#include "PacketGuard.h"

#include <string.h>

// libssh2 1.11 reads as many extensions as SSH_MSG_EXT_INFO (RFC 8308) claims to have, up to four billion: seconds of processor
// time for each such packet (CVE-2026-55199). It reads them as soon as it has decrypted the packet, and calls none of our
// functions in between. But it decrypts the first bytes of a packet before it asks for the rest. So it gets only the beginning of
// each packet until that has been checked.

enum { ext_info = 7, message_and_count = 5, shortest_extension = 8 };

// Enough of a packet to decrypt its message number and the field after it, and less than any whole packet with its MAC.
enum { beginning = 16 };

int guard_allows_message(const unsigned char *message, size_t size) {
    if (size < message_and_count || *message != ext_info) return 1;
    const size_t count = (size_t)message[1] << 24 | (size_t)message[2] << 16 | (size_t)message[3] << 8 | message[4];
    return count <= size / shortest_extension;
}

void guard_note_packet(struct bridge_tap *tap, size_t size) {
    const enum bridge_packet_form form = tap->layout.form;
    // If libssh2 decrypts the lengths of the packet and of its padding first, they are not in the block.
    const size_t outside = form == bridge_packet_length_enciphered || form == bridge_packet_length_authenticated ? 5 : 0;
    tap->packet_begin = tap->packet_end;
    tap->packet_end += size + outside;
}

// Whether the block of a packet contains its decrypted part as soon as its beginning has come. With encrypt-then-MAC the packet
// is checked when all of it has been decrypted (check_deciphered in PacketGuard.c); with chacha20-poly1305 it cannot be.
static int shows_beginning(const struct bridge_tap *tap) {
    const enum bridge_packet_form form = tap->layout.form;
    return form == bridge_packet_length_enciphered || form == bridge_packet_length_authenticated;
}

size_t bridge_tap_space(struct bridge_tap *tap, size_t wanted) {
    if (tap->refused) return 0;
    // The bytes after the server's first SSH_MSG_NEWKEYS are encrypted, and must not be read as plain ones.
    if (!tap->enciphered || !guard_knows_layout(tap)) return (size_t)guard_refuse(tap, bridge_tap_bad_packet);
    if (!shows_beginning(tap)) return wanted;
    if (tap->packet && !guard_allows_message(tap->packet, bridge_tap_size(tap->packet)))
        return (size_t)guard_refuse(tap, bridge_tap_bad_packet);
    const uint64_t shown = tap->packet_begin + beginning;
    const uint64_t end = tap->packet && tap->given < shown ? shown : tap->packet_end + tap->layout.cipher_block;
    // libssh2 asks for more only when it has used all that it has: by then it has begun the next packet.
    if (end <= tap->given) return (size_t)guard_refuse(tap, bridge_tap_bad_packet);
    return wanted < end - tap->given ? wanted : (size_t)(end - tap->given);
}

void bridge_tap_gave(struct bridge_tap *tap, size_t count) { tap->given += count; }

// The rest is about lists of names that libssh2 1.11 keeps, and reads later without checks. Each is corrected in libssh2's
// memory: a name-list consists of names separated by commas (RFC 4251 section 5); in this memory a zero byte follows it.

struct name {
    const char *start;
    size_t length;
};

static int is_same(struct name one, struct name other) {
    return one.length == other.length && memcmp(one.start, other.start, one.length) == 0;
}

// Far more than a server has: OpenSSH 10 has 14.
enum { most_names = 64 };

struct names {
    struct name seen[most_names];
    size_t count;
};

static int is_first(struct names *names, struct name name) {
    for (size_t index = 0; index < names->count; index++)
        if (is_same(names->seen[index], name)) return 0;
    if (names->count == most_names) return 0;
    names->seen[names->count++] = name;
    return 1;
}

static int is_method(struct names *names, struct name name) {
    (void)names;
    const struct name extensions = {"ext-info-c", strlen("ext-info-c")};
    const struct name strict = {"kex-strict-c-v00@openssh.com", strlen("kex-strict-c-v00@openssh.com")};
    return !is_same(name, extensions) && !is_same(name, strict);
}

// Removes the other names from a list.
static void filter(char *list, struct names *names, int (*keeps)(struct names *, struct name)) {
    const size_t size = strlen(list);
    char *end = list;
    for (char *next = list; *next;) {
        const size_t length = strcspn(next, ",");
        char *const place = end == list ? end : end + 1;
        char *const following = next + length + (next[length] == ',');
        // The name's new place: `seen` points to it.
        memmove(place, next, length);
        if (length > 0 && keeps(names, (struct name){place, length})) {
            if (place > list) place[-1] = ',';
            end = place + length;
        }
        next = following;
    }
    memset(end, 0, size - (size_t)(end - list));
}

// An RSA key may be used with several signature algorithms (RFC 8332). libssh2 looks up which of its own the server has: it
// allocates a block of the size of its own list, and copies each name there as often as the server names it (userauth.c:
// _libssh2_key_sign_algorithm). A server that names one more than once makes it write past the end of that block.

static const char signature_algorithms[] = "server-sig-algs";

static size_t read_length(const unsigned char *bytes) {
    return (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
}

// A string of a message (RFC 4251 section 5), and the rest after it; 0 if there is none.
static int take_string(const unsigned char **rest, const unsigned char *end, struct name *string) {
    if (end - *rest < 4) return 0;
    string->length = read_length(*rest);
    *rest += 4;
    if ((size_t)(end - *rest) < string->length) return 0;
    string->start = (const char *)*rest;
    *rest += string->length;
    return 1;
}

// If the list has no algorithm for an RSA key, libssh2 refuses the key but keeps its algorithm's name, and would offer each
// further key under that name (userauth.c: _libssh2_userauth_publickey). So the list gets an algorithm that such a server
// refuses.
static const char oldest_algorithm[] = "ssh-rsa";

// Keeps every name, and counts the algorithms of RSA keys.
static int note_rsa(struct names *names, struct name name) {
    static const char *const algorithms[] = {oldest_algorithm, "rsa-sha2-256", "rsa-sha2-512"};
    for (size_t index = 0; index < sizeof algorithms / sizeof *algorithms; index++)
        if (is_same(name, (struct name){algorithms[index], strlen(algorithms[index])})) names->count++;
    return 1;
}

static void put_right(char *list, size_t space) {
    struct names names = {.count = 0};
    filter(list, &names, is_first);
    names.count = 0;
    filter(list, &names, note_rsa);
    if (names.count == 0 && space >= sizeof oldest_algorithm) memcpy(list, oldest_algorithm, sizeof oldest_algorithm);
}

// libssh2's own copy of a list is the last block that it requests before it frees the message. Any list of the message may be the
// one that it copied; padding may look like further lists.
void guard_note_extensions(struct bridge_tap *tap, const unsigned char *message, size_t size) {
    char *const copy = tap->last_other;
    if (!tap->reads_extensions || size < message_and_count || !copy) return;
    const struct name wanted = {signature_algorithms, strlen(signature_algorithms)};
    const unsigned char *rest = message + message_and_count;
    struct name key, value;
    for (size_t left = read_length(message + 1); left > 0; left--) {
        if (!take_string(&rest, message + size, &key) || !take_string(&rest, message + size, &value)) return;
        if (!is_same(key, wanted) || bridge_tap_size(copy) != value.length + 1) continue;
        if (memcmp(copy, value.start, value.length) == 0 && copy[value.length] == 0) return put_right(copy, value.length + 1);
    }
}

// libssh2 1.11 puts the two names by which a client shows what it can do (RFC 8308 section 2.1, OpenSSH's PROTOCOL section 1.10)
// in front of the methods of key exchange, and takes them for methods: if a server names one too, it calls a function that does
// not exist (kex.c: _libssh2_kex_exchange). The first exchange is checked before libssh2 sees it (OpeningPackets.swift). Later
// ones are encrypted. They do not need those names, so the names are removed from libssh2's list when the first exchange has
// ended.

void bridge_tap_note_methods(struct bridge_tap *tap) { tap->methods = tap->last_other; }

void guard_end_negotiation(struct bridge_tap *tap) {
    if (tap->methods) filter(tap->methods, NULL, is_method);
}
