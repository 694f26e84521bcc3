#include "PacketGuard.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// libssh2 refuses each request of the server on a channel, and names the channel by the number in the request: our own (packet.c:
// SSH_MSG_CHANNEL_REQUEST). The answer must have the server's number (RFC 4254 section 5.4). If the two differ, the server gets
// no answer for its channel, or ends the connection (PuTTY's server, which measures round trips with such requests).
//
// libssh2 has no function for that. But it passes each message to a compression method before it encrypts it. So the method that
// does nothing is replaced by ours, which copies as libssh2 would, and corrects that number.

// SSH_MSG_CHANNEL_FAILURE and the number of the channel (RFC 4254 section 5.4).
enum { channel_failure = 100, failure_length = 5 };

// libssh2's keepalive up to its name's end (keepalive.c: `libssh2_keepalive_send`): SSH_MSG_GLOBAL_REQUEST of RFC 4254 section 4.
// The next byte says whether an answer is wanted.
static const unsigned char keepalive[] = {80,  0,   0,   0,   21,  'k', 'e', 'e', 'p', 'a', 'l', 'i', 'v',
                                          'e', '@', 'l', 'i', 'b', 's', 's', 'h', '2', '.', 'o', 'r', 'g'};

// LIBSSH2_ERROR_INVAL, libssh2's error for a message that is too long.
enum { too_long = -34 };

// A message that libssh2 compresses may have four bytes less than one that it does not (transport.c: `_libssh2_transport_send`).
enum { more_space = 4 };

// libssh2_priv.h: LIBSSH2_COMP_METHOD, the same from 1.10 to 1.11.1.
struct compression {
    const char *name;
    int compresses;
    int is_used_in_authentication;
    int (*begin)(void *session, int compresses, void **abstract);
    int (*compress)(
        void *session, unsigned char *target, size_t *space, const unsigned char *source, size_t count, void **abstract);
    int (*decompress)(void);
    int (*end)(void *session, int compresses, void **abstract);
};

// libssh2_priv.h: libssh2_endpoint_data has these in sequence.
struct endpoint_compression {
    const struct compression *method;
    void *abstract;
};

static void put(unsigned char *target, uint32_t number) {
    for (int index = 0; index < 4; index++) target[index] = (unsigned char)(number >> (24 - 8 * index));
}

static uint32_t get(const unsigned char *source) {
    return (uint32_t)source[0] << 24 | (uint32_t)source[1] << 16 | (uint32_t)source[2] << 8 | source[3];
}

// libssh2 has no function for a global request of ours. Its keepalive is a global request without another effect, so ours is sent
// in its place. libssh2 keeps the answer unread, as it keeps answers to keepalives.
static int is_replaced(const struct bridge_tap *tap, const unsigned char *source, size_t count, size_t space) {
    return tap->substitute && count == sizeof keepalive + 1 && memcmp(source, keepalive, sizeof keepalive) == 0
           && tap->substitute_length <= space;
}

// The offset of the field after the string at `place`; 0 if the message ends before it.
static size_t behind(const unsigned char *message, size_t count, size_t place) {
    if (place == 0 || place > count || count - place < 4) return 0;
    const size_t length = get(message + place);
    return length <= count - place - 4 ? place + 4 + length : 0;
}

// Whether the string at `place`, which is known to be whole, is this one.
static int is_string(const unsigned char *message, size_t place, const void *string, size_t length) {
    return get(message + place) == length && memcmp(message + place + 4, string, length) == 0;
}

// SSH_MSG_USERAUTH_REQUEST (RFC 4252 section 5), a method of it, and the names of RSA keys and of their algorithms' beginning.
enum { userauth_request = 50 };
static const char publickey[] = "publickey", rsa[] = "ssh-rsa", rsa_with_sha2[] = "rsa-sha2-";

size_t bridge_tap_name_rsa_key(unsigned char *message, size_t count) {
    if (count == 0 || *message != userauth_request) return count;
    const size_t method = behind(message, count, behind(message, count, 1));
    const size_t flag = behind(message, count, method);
    if (!flag || flag >= count || !is_string(message, method, publickey, sizeof publickey - 1)) return count;
    const size_t algorithm = flag + 1, blob = behind(message, count, algorithm);
    const size_t end = blob ? behind(message, count, blob) : 0;
    const size_t numbers = end ? behind(message, end, blob + 4) : 0;
    if (!numbers) return count;
    const size_t length = get(message + algorithm), saved = length - (sizeof rsa - 1);
    if (length < sizeof rsa_with_sha2 || memcmp(message + algorithm + 4, rsa_with_sha2, sizeof rsa_with_sha2 - 1) != 0) return count;
    if (!is_string(message, blob + 4, message + algorithm + 4, length)) return count;
    put(message + blob, get(message + blob) - (uint32_t)saved);
    put(message + blob + 4, sizeof rsa - 1);
    memcpy(message + blob + 8, rsa, sizeof rsa - 1);
    memmove(message + numbers - saved, message + numbers, count - numbers);
    return count - saved;
}

static int copy(
    void *session, unsigned char *target, size_t *space, const unsigned char *source, size_t count, void **abstract) {
    (void)session;
    struct bridge_tap *const tap = *abstract;
    // The content of a message comes after its head, so less space is left.
    if (!tap->outgoing_space) tap->outgoing_space = *space;
    const int is_head = *space == tap->outgoing_space;
    if (count > *space + more_space) return too_long;
    if (is_head && is_replaced(tap, source, count, *space)) {
        memcpy(target, tap->substitute, tap->substitute_length);
        *space = tap->substitute_length;
        tap->substitute = NULL;
        return 0;
    }
    memcpy(target, source, count);
    *space = is_head ? bridge_tap_name_rsa_key(target, count) : count;
    if (is_head && count == failure_length && *source == channel_failure && tap->channel_number)
        put(target + 1, tap->channel_number(tap->owner, get(source + 1)));
    return 0;
}

static const struct compression ours = {"none", 1, 1, NULL, copy, NULL, NULL};

int bridge_tap_watches_outgoing(const struct bridge_tap *tap) {
    return tap->session && tap->method && tap->method(tap->session, tap->compression_method) == ours.name;
}

// Whether the memory is mapped: mincore(2) fails if it is not.
static int is_mapped(uintptr_t address, size_t length) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t begin = address / page * page;
    const size_t whole = (address + length - begin + page - 1) / page * page;
#ifdef __APPLE__
    char resident[4];
#else
    unsigned char resident[4];
#endif
    return whole / page <= sizeof resident && mincore((void *)begin, whole, resident) == 0;
}

// The maximum distance between a method and its name: both are of one library, or of one program.
enum { longest_image = 1 << 29 };

// Whether this is libssh2's method that does nothing.
static int is_none(const struct compression *method, const char *name) {
    const uintptr_t place = (uintptr_t)method, other = (uintptr_t)name;
    const uintptr_t distance = place > other ? place - other : other - place;
    if (distance > longest_image || place % _Alignof(struct compression) != 0) return 0;
    if (!is_mapped(place, sizeof *method)) return 0;
    return method->name == name && !method->compresses && !method->is_used_in_authentication && !method->begin
           && method->compress && method->decompress && !method->end;
}

// Replaces the method at a place in libssh2's session if it is the one for outgoing messages, by libssh2's own account.
static int replace(struct bridge_tap *tap, size_t offset, const char *name) {
    struct endpoint_compression *const place = (void *)((unsigned char *)tap->session + offset);
    const struct compression *const method = place->method;
    if (!is_none(method, name) || (place->abstract && place->abstract != tap)) return 0;
    place->method = &ours;
    if (tap->method(tap->session, tap->compression_method) != ours.name) {
        place->method = method;
        return 0;
    }
    place->abstract = tap;
    return 1;
}

// Its offset depends only on the build of libssh2; 0 means unknown, because a session begins with other fields.
static _Atomic size_t known_offset;

void guard_watch_outgoing(struct bridge_tap *tap) {
    if (!tap->session || !tap->method || !tap->channel_number) return;
    const char *const name = tap->method(tap->session, tap->compression_method);
    if (!name || name == ours.name || strcmp(name, ours.name) != 0) return;
    const size_t known = atomic_load(&known_offset);
    if (known && replace(tap, known, name)) return;
    const size_t size = bridge_tap_size(tap->session);
    for (size_t offset = sizeof(void *); offset + sizeof(struct endpoint_compression) <= size; offset += sizeof(void *)) {
        if (!replace(tap, offset, name)) continue;
        atomic_store(&known_offset, offset);
        return;
    }
}
