#include "PacketGuard.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// libssh2 refuses each request of the server's on a channel, and names the channel by the number that the request named: our own
// (packet.c: SSH_MSG_CHANNEL_REQUEST). The answer has to bear the server's (RFC 4254 section 5.4). Where the two differ the server
// never hears of the channel that it asked about, or ends the connection (PuTTY's server, which measures round trips that way).
//
// There is no function for sending it otherwise. But libssh2 passes what it sends to a compression method before it enciphers it. So
// the method that does nothing is replaced by ours, which copies as libssh2 would, and sets that number right.

// SSH_MSG_CHANNEL_FAILURE and the number of the channel (RFC 4254 section 5.4).
enum { channel_failure = 100, failure_length = 5 };

// LIBSSH2_ERROR_INVAL, which libssh2 says of a message that is too long.
enum { too_long = -34 };

// A message that libssh2 compresses may have four bytes less than one that it does not (transport.c: `_libssh2_transport_send`).
enum { more_room = 4 };

// libssh2_priv.h: LIBSSH2_COMP_METHOD, the same from 1.10 to 1.11.1.
struct compression {
    const char *name;
    int compresses;
    int is_used_in_authentication;
    int (*begin)(void *session, int compresses, void **abstract);
    int (*compress)(
        void *session, unsigned char *target, size_t *room, const unsigned char *source, size_t count, void **abstract);
    int (*decompress)(void);
    int (*end)(void *session, int compresses, void **abstract);
};

// libssh2_priv.h: libssh2_endpoint_data has these one behind the other.
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

static int copy(
    void *session, unsigned char *target, size_t *room, const unsigned char *source, size_t count, void **abstract) {
    (void)session;
    struct bridge_tap *const tap = *abstract;
    // The content of a message comes after its head, with less room.
    if (!tap->outgoing_room) tap->outgoing_room = *room;
    const int is_head = *room == tap->outgoing_room;
    if (count > *room + more_room) return too_long;
    memcpy(target, source, count);
    *room = count;
    if (is_head && count == failure_length && *source == channel_failure && tap->channel_number)
        put(target + 1, tap->channel_number(tap->owner, get(source + 1)));
    return 0;
}

static const struct compression ours = {"none", 1, 0, NULL, copy, NULL, NULL};

// Whether the memory is there: mincore(2) fails where it is not.
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

// What a method and the name in it have between them at most: they are of one library, or of one program.
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

// Replaces the method at a place in libssh2's session, if that is the one for what is sent: libssh2 says which one that is.
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

// Where it is depends on the build of libssh2 alone; 0 where it is not known, for a session begins with other things.
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
