#include "CPayloadTap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

// libssh2 before 1.12 tells nobody whether an exit status came, whether a refusal was a partial success, and what the
// texts of banners and refused channels were; but it frees the payloads that said so. And what it holds of a channel's
// data when a session ends it never hands out, but frees too. So its allocator looks at payloads.

// The size in front of each block, and from where it was asked for; 16 bytes keep malloc's alignment.
union header {
    struct {
        size_t size;
        const void *site;
    };
    unsigned char alignment[16];
};

// Blocks up to this size are wiped: passwords and signatures pass through here. Larger ones are bulk data.
enum { wiped_up_to = 4096 };

// SSH_MSG_USERAUTH_FAILURE, USERAUTH_BANNER, CHANNEL_OPEN_CONFIRMATION, CHANNEL_OPEN_FAILURE, CHANNEL_DATA,
// CHANNEL_EXTENDED_DATA, CHANNEL_EOF, CHANNEL_CLOSE, CHANNEL_REQUEST.
static int is_observed(unsigned char type) {
    return type == 51 || type == 53 || type == 91 || type == 92 || (type >= 94 && type <= 98);
}

// memset through a volatile pointer: a wipe before free is otherwise a dead store.
static void *(*const volatile wipe)(void *, int, size_t) = memset;

// libssh2 1.11.0 and 1.11.1 take the failure of chacha20-poly1305 to decipher a packet for a packet, and look at the same bytes
// again, and again, for ever, with a new block for each (mended after 1.11.1, libssh2 pull request 2392). Packets that are
// kept take two blocks of different sizes each, so that no other way leads to so many of one size.
enum { longest_run = 64 };

static int runs_away(struct bridge_tap *tap, size_t count) {
    if (tap->run_size != count) {
        tap->run_size = count;
        tap->run_length = 0;
    }
    return ++tap->run_length > longest_run;
}

// The length of a packet comes before anything proves it. libssh2 asserts that it is whole blocks of the cipher (RFC 4253
// section 6), so that one altered byte would abort the process. The block for the packet is asked for in between: the rest of
// the packet behind its first five bytes, and the MAC.
static int is_no_packet(const struct bridge_tap *tap, const void *site, size_t count) {
    if (!tap->cipher_block || !tap->packet_site || tap->packet_site != site) return 0;
    return count < tap->mac_length || (count - tap->mac_length + 5) % tap->cipher_block != 0;
}

// SSH_MSG_NEWKEYS (RFC 4253 section 7.3) in the clear is the one message of one byte. From where its block was asked for, the
// blocks of all packets are; and those that come now are enciphered.
static void note_new_keys(struct bridge_tap *tap, const union header *block) {
    if (!tap->packet_site && (block->size == 11 || block->size == 19) && *(const unsigned char *)(block + 1) == 21)
        tap->packet_site = block->site;
}

void bridge_tap_progress(struct bridge_tap *tap) { tap->run_length = 0; }

static void *allocate(size_t count, void **abstract, const void *site) {
    struct bridge_tap *tap = abstract ? *abstract : NULL;
    if (tap && (runs_away(tap, count) || is_no_packet(tap, site, count))) {
        tap->refused = 1;
        return NULL;
    }
    if (count > (size_t)-1 - sizeof(union header)) return NULL;
    // Zeroed, because a packet that never came whole is freed too, and what it lacks must not be read from old memory.
    union header *block = calloc(1, sizeof *block + count);
    if (!block) return NULL;
    block->size = count;
    block->site = site;
    return block + 1;
}

void *bridge_tap_alloc(size_t count, void **abstract) {
    return allocate(count, abstract, __builtin_return_address(0));
}

void bridge_tap_free(void *pointer, void **abstract) {
    if (!pointer) return;
    union header *block = (union header *)pointer - 1;
    const size_t size = block->size;
    struct bridge_tap *tap = abstract ? *abstract : NULL;
    if (tap) {
        bridge_tap_progress(tap);
        note_new_keys(tap, block);
    }
    if (tap && tap->rejected == pointer) {
        tap->rejected = NULL;
    } else if (size > 0 && is_observed(*(const unsigned char *)pointer)) {
        if (tap && tap->observe) tap->observe(tap->owner, pointer, size);
    }
    if (size <= wiped_up_to) wipe(pointer, 0, size);
    free(block);
}

void *bridge_tap_realloc(void *pointer, size_t count, void **abstract) {
    if (!pointer) return allocate(count, abstract, NULL);
    union header *block = (union header *)pointer - 1;
    const size_t size = block->size;
    if (size > wiped_up_to) {
        if (count > (size_t)-1 - sizeof *block) return NULL;
        union header *grown = realloc(block, sizeof *grown + count);
        if (!grown) return NULL;
        grown->size = count;
        return grown + 1;
    }
    // A small block may hold a secret, so that realloc must not leave a copy behind.
    void *moved = allocate(count, abstract, NULL);
    if (!moved) return NULL;
    memcpy(moved, pointer, size < count ? size : count);
    wipe(pointer, 0, size);
    free(block);
    return moved;
}

#ifdef __linux__
static int is_zero(const unsigned char *page, size_t length) {
    // Its first byte is, and each is as the one before.
    return *page == 0 && memcmp(page, page + 1, length - 1) == 0;
}

size_t bridge_tap_give_back_zeros(void *pointer) {
    const union header *block = (const union header *)pointer - 1;
    const size_t length = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *const end = (unsigned char *)pointer + block->size;
    unsigned char *page = (unsigned char *)(((uintptr_t)pointer + length - 1) / length * length);
    size_t given = 0;
    while (page + length <= end) {
        unsigned char *const first = page;
        while (page + length <= end && is_zero(page, length)) page += length;
        // Private memory without a file, as malloc's is, reads as zeros from then on (madvise(2)), as it does now.
        if (page > first && madvise(first, (size_t)(page - first), MADV_DONTNEED) == 0) given += (size_t)(page - first);
        page += length;
    }
    return given;
}
#else
// Elsewhere the call only permits the system to take the pages, and may leave what they hold.
size_t bridge_tap_give_back_zeros(void *pointer) {
    (void)pointer;
    return 0;
}
#endif
