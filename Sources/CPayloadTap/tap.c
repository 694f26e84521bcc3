#include "PacketGuard.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

// Before 1.12, libssh2 has no function that tells whether an exit status arrived, whether a refusal was a partial success, or the
// texts of banners and refused channels; but it frees the payloads with these facts. It also frees the channel data that it holds
// when a session ends, without giving it to the caller. So its allocator inspects payloads.

// In front of each block: its requested length, its counted size, the address that requested it, and its place in the session's
// list of blocks. The header's length keeps malloc's alignment.
union bridge_tap_block {
    struct {
        size_t size;
        size_t cost;
        const void *site;
        union bridge_tap_block *next;
        // The pointer to this block: the list's head, or `next` of the previous block. NULL for a block that is in no list.
        union bridge_tap_block **link;
        // Whether the observer has seen the payload, although libssh2 still holds it.
        int is_shown;
    };
    unsigned char alignment[48];
};

// Blocks up to this size are wiped: passwords and signatures pass through here. Larger ones are bulk data.
enum { wiped_up_to = 4096 };

// SSH_MSG_USERAUTH_FAILURE, USERAUTH_BANNER, GLOBAL_REQUEST, CHANNEL_OPEN_CONFIRMATION, CHANNEL_OPEN_FAILURE, CHANNEL_DATA,
// CHANNEL_EXTENDED_DATA, CHANNEL_EOF, CHANNEL_CLOSE, CHANNEL_REQUEST.
static int is_observed(unsigned char type) {
    return type == 51 || type == 53 || type == 80 || type == 91 || type == 92 || (type >= 94 && type <= 98);
}

// memset through a volatile pointer: a compiler may remove a wipe before free.
static void *(*const volatile wipe)(void *, int, size_t) = memset;

void bridge_tap_progress(struct bridge_tap *tap) { tap->run_length = 0; }

static int is_within_limit(struct bridge_tap *tap, size_t cost) {
    if (!tap->limit || (tap->held <= tap->limit && cost <= tap->limit - tap->held)) return 1;
    if (!tap->refused) tap->refused = bridge_tap_over_limit;
    return 0;
}

// Small blocks that are not for packets are never refused. Everything that grows without end grows by packets. And a key exchange
// that fails halfway leaves libssh2 with a freed cipher, which libssh2_session_free uses once more.
enum { small = 1 << 16 };

static int is_allowed(struct bridge_tap *tap, const void *site, int is_packet, size_t count, size_t cost) {
    if (is_packet && tap->refused) return 0;
    return guard_allows(tap, site, count) && ((!is_packet && count <= small) || is_within_limit(tap, cost));
}

static void append(struct bridge_tap *tap, union bridge_tap_block *block) {
    block->link = &tap->blocks;
    block->next = tap->blocks;
    if (block->next) block->next->link = &block->next;
    tap->blocks = block;
}

static void detach(union bridge_tap_block *block) {
    if (!block->link) return;
    *block->link = block->next;
    if (block->next) block->next->link = block->link;
}

static void *allocate(size_t count, void **abstract, const void *site) {
    struct bridge_tap *tap = abstract ? *abstract : NULL;
    const int is_packet = tap && tap->places.packet_site && tap->places.packet_site == site;
    if (count > SIZE_MAX / 2) return NULL;
    const size_t length = count + (is_packet ? tap->slack : 0);
    const size_t cost = length + bridge_tap_block_cost;
    if (tap && !is_allowed(tap, site, is_packet, count, cost)) return NULL;
    // Zeroed: an incomplete packet is freed too, and its missing part must not be read from old memory.
    union bridge_tap_block *block = calloc(1, sizeof *block + length);
    if (!block) {
        if (tap) tap->is_exhausted = 1;
        return NULL;
    }
    block->size = count;
    block->cost = tap ? cost : 0;
    block->site = site;
    if (tap) {
        tap->held += cost;
        append(tap, block);
    }
    if (is_packet)
        tap->packet = block + 1;
    else if (tap)
        tap->last_other = block + 1;
    return block + 1;
}

void *bridge_tap_alloc(size_t count, void **abstract) {
    return allocate(count, abstract, __builtin_return_address(0));
}

static void release(struct bridge_tap *tap, union bridge_tap_block *block) {
    // A block that was requested without a session, and then given to one, has not been counted.
    if (tap) tap->held -= block->cost;
    detach(block);
    if (block->size <= wiped_up_to) wipe(block + 1, 0, block->size);
    free(block);
}

void bridge_tap_free(void *pointer, void **abstract) {
    if (!pointer) return;
    union bridge_tap_block *block = (union bridge_tap_block *)pointer - 1;
    const size_t size = block->size;
    struct bridge_tap *tap = abstract ? *abstract : NULL;
    int is_readable = size > 0;
    if (tap) {
        bridge_tap_progress(tap);
        is_readable = guard_note_free(tap, pointer, block->site, size) && is_readable;
    }
    if (tap && tap->rejected == pointer) {
        tap->rejected = NULL;
    } else if (is_readable && !block->is_shown && is_observed(*(const unsigned char *)pointer)) {
        if (tap && tap->observe) tap->observe(tap->owner, pointer, size);
    }
    release(tap, block);
}

// The block that was requested after this one; NULL for the last.
static union bridge_tap_block *newer(const struct bridge_tap *tap, const union bridge_tap_block *block) {
    if (block->link == &tap->blocks) return NULL;
    return (union bridge_tap_block *)((unsigned char *)block->link - offsetof(union bridge_tap_block, next));
}

void bridge_tap_show_held(struct bridge_tap *tap, unsigned char message) {
    // With encrypt-then-MAC a packet's own block stays encrypted, and another holds its payload.
    const int is_behind_mac = tap->layout.form == bridge_packet_encrypt_then_mac;
    const void *const site = is_behind_mac ? tap->deciphered_site : tap->places.packet_site;
    if (!site || !tap->enciphered || !tap->observe) return;
    union bridge_tap_block *block = tap->blocks;
    while (block && block->next) block = block->next;
    for (; block; block = newer(tap, block)) {
        const void *const payload = block + 1;
        // The last packet may not be whole yet.
        if (block->site != site || block->is_shown || payload == tap->packet || payload == tap->last_other) continue;
        if (block->size == 0 || payload == tap->rejected || *(const unsigned char *)payload != message) continue;
        block->is_shown = 1;
        tap->observe(tap->owner, payload, block->size);
    }
}

// How often libssh2's session points to a block and has its length right after the pointer (libssh2_priv.h: `session_id`,
// `session_id_len`).
static int times_named(const struct bridge_tap *tap, const void *block, uint32_t length) {
    const unsigned char *const session = tap->session;
    const size_t size = bridge_tap_size(session);
    int times = 0;
    for (size_t offset = 0; offset + sizeof block + sizeof length <= size; offset += sizeof block) {
        if (memcmp(session + offset, &block, sizeof block) != 0) continue;
        if (memcmp(session + offset + sizeof block, &length, sizeof length) == 0) times++;
    }
    return times;
}

int bridge_tap_session_identifier(const struct bridge_tap *tap, size_t length, unsigned char *target) {
    const void *found = NULL;
    int times = 0;
    for (const union bridge_tap_block *block = tap->session ? tap->blocks : NULL; block; block = block->next) {
        const int named = block->size == length ? times_named(tap, block + 1, (uint32_t)length) : 0;
        if (named) found = block + 1;
        times += named;
    }
    if (times != 1) return 0;
    memcpy(target, found, length);
    return 1;
}

void bridge_tap_release_blocks(struct bridge_tap *tap) {
    while (tap->blocks) release(tap, tap->blocks);
}

void *bridge_tap_realloc(void *pointer, size_t count, void **abstract) {
    // libssh2 may hold a secret in it, so do not use the system's realloc, which leaves a copy behind.
    void *moved = allocate(count, abstract, NULL);
    if (!moved || !pointer) return moved;
    union bridge_tap_block *block = (union bridge_tap_block *)pointer - 1;
    memcpy(moved, pointer, block->size < count ? block->size : count);
    release(abstract ? *abstract : NULL, block);
    return moved;
}

const void *bridge_tap_site(const void *pointer) { return ((const union bridge_tap_block *)pointer - 1)->site; }

size_t bridge_tap_size(const void *pointer) { return ((const union bridge_tap_block *)pointer - 1)->size; }

#ifdef __linux__
static int is_zero(const unsigned char *page, size_t length) {
    // The first byte is zero, and each byte equals the one before.
    return *page == 0 && memcmp(page, page + 1, length - 1) == 0;
}

size_t bridge_tap_give_back_zeros(void *pointer) {
    const union bridge_tap_block *block = (const union bridge_tap_block *)pointer - 1;
    const size_t length = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *const end = (unsigned char *)pointer + block->size;
    unsigned char *page = (unsigned char *)(((uintptr_t)pointer + length - 1) / length * length);
    size_t given = 0;
    while (page + length <= end) {
        unsigned char *const first = page;
        while (page + length <= end && is_zero(page, length)) page += length;
        // Private memory without a file, such as malloc's, then reads as zeros (madvise(2)), as it does now.
        if (page > first && madvise(first, (size_t)(page - first), MADV_DONTNEED) == 0) given += (size_t)(page - first);
        page += length;
    }
    return given;
}
#else
// Elsewhere the call only permits the system to take the pages, and may leave their content.
size_t bridge_tap_give_back_zeros(void *pointer) {
    (void)pointer;
    return 0;
}
#endif
