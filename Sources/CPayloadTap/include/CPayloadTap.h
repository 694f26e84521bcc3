#ifndef BRIDGE_SSH_PAYLOAD_TAP_H
#define BRIDGE_SSH_PAYLOAD_TAP_H

#include <stddef.h>
#include <stdint.h>

/// The allocator that libssh2 uses for a session.
///
/// It shows the messages that libssh2 discards, limits libssh2's memory, and refuses packets on which libssh2 would abort or read
/// out of bounds.

struct bridge_tap;
union bridge_tap_block;

/// Called with a decrypted payload of an observed message type that libssh2 is about to free. `length` is the allocated size: the
/// payload, then padding and space for a MAC.
typedef void (*bridge_tap_observer)(void *owner, const unsigned char *payload, size_t length);

/// The layout of a packet in its block, with the current algorithms (transport.c: `_libssh2_transport_read`).
enum bridge_packet_form {
    /// Not encrypted.
    bridge_packet_clear,
    /// The length is encrypted with the rest; the block contains the packet after its first five bytes, and the MAC.
    bridge_packet_length_enciphered,
    /// AES-GCM: the length is not encrypted; the block is the same, with the tag in place of the MAC.
    bridge_packet_length_authenticated,
    /// Encrypt-then-MAC: the length is not encrypted; the block holds the packet with its length, and the MAC.
    bridge_packet_encrypt_then_mac,
    /// chacha20-poly1305: the block is the packet with its length, and the tag.
    bridge_packet_chacha,
};

struct bridge_packet_layout {
    enum bridge_packet_form form;
    /// The cipher's block, in bytes: a packet is whole blocks (RFC 4253 section 6).
    uint32_t cipher_block;
    /// The MAC's or the tag's length, in bytes.
    uint32_t mac_length;
};

/// Tells the layout of the server's packets with these algorithms. Called when they differ from those of the last packet.
///
/// Returns 0, or another value if no packet is allowed.
typedef int (*bridge_tap_describe)(
    void *owner, const char *cipher, const char *mac, struct bridge_packet_layout *layout);

/// libssh2_session_methods: the name of an algorithm in use, a constant of libssh2.
typedef const char *(*bridge_tap_method)(void *session, int type);

/// Called when libssh2 has begun to use new keys (RFC 4253 section 7.3). Returns 0, or another value to end the session.
typedef int (*bridge_tap_keys_changed)(void *owner);

/// The server's number of the channel whose local number is `ours`; `ours` if it is not known.
typedef uint32_t (*bridge_tap_number)(void *owner, uint32_t ours);

/// Why the allocator refused a block. The session is lost: libssh2 gets no more blocks for packets.
enum bridge_tap_refusal {
    bridge_tap_nothing_refused,
    /// A packet whose length or padding is false, or that cannot be decrypted.
    bridge_tap_bad_packet,
    /// More was held than the limit allows.
    bridge_tap_over_limit,
    /// `keys_changed` returned another value than 0.
    bridge_tap_keys_refused,
    /// The server asked more questions than a person would answer (RFC 4256).
    bridge_tap_questions_refused,
    /// A key exchange ended without new keys, which libssh2 does not report for one that the server began.
    bridge_tap_exchange_failed,
};

/// The progress of keyboard-interactive (RFC 4256 section 3): libssh2 1.10 copies a question's title without checking its length
/// field.
enum bridge_questions {
    bridge_questions_none,
    /// The next block is for a message of the client.
    bridge_questions_to_send,
    /// The next blocks are for the fields of a server's message.
    bridge_questions_to_read,
};

/// The places in libssh2 that the guard must know. They depend only on the build of libssh2: each process finds them once with a
/// session of its own, and never from a server's messages.
struct bridge_tap_places {
    /// The return address of the call that requests a packet's block.
    const void *packet_site;
    /// The offset in libssh2's session of the last packet's length (uint32_t), followed by that of its padding (uint8_t).
    size_t packet_length_offset;
    int knows_packet_length;
};

/// The session's abstract.
struct bridge_tap {
    void *owner;
    bridge_tap_observer observe;
    bridge_tap_describe describe;
    bridge_tap_method method;
    int cipher_method;
    int mac_method;
    bridge_tap_keys_changed keys_changed;
    int compression_method;
    bridge_tap_number channel_number;
    /// The space for the message that libssh2 is about to send; 0 before the first.
    size_t outgoing_space;
    /// A message to be sent in place of libssh2's next keepalive, and its length; NULL if there is none, or once it is sent.
    const unsigned char *substitute;
    size_t substitute_length;
    struct bridge_tap_places places;
    /// libssh2's session; `places` are in its memory.
    void *session;
    /// How many bytes libssh2 holds, including the overhead of each block, and how many it may hold.
    size_t held;
    size_t limit;
    /// Whether the system had no memory for a block that was allowed.
    int is_exhausted;
    /// The blocks that libssh2 has not freed.
    union bridge_tap_block *blocks;
    /// A payload whose MAC is wrong, so its content is not authentic. Set before libssh2 frees it.
    const void *rejected;
    /// How many packets' blocks of `run_size` bytes were requested one after the other, with nothing freed and nothing received
    /// in between.
    size_t run_size;
    unsigned run_length;
    /// Whether the server's packets are encrypted, that is, its first SSH_MSG_NEWKEYS has taken effect.
    int enciphered;
    /// Whether new keys have come since the last key exchange ended.
    int has_new_keys;
    /// The last block that was not for a packet, and the call site of blocks for packets that are decrypted after their MAC.
    void *last_other;
    const void *deciphered_site;
    /// libssh2's list of methods of key exchange; see `bridge_tap_note_methods`.
    void *methods;
    /// The last packet's block, its algorithms, and its layout.
    const void *packet;
    const char *cipher;
    const char *mac;
    struct bridge_packet_layout layout;
    /// The progress of keyboard-interactive.
    enum bridge_questions questions;
    /// How many bytes follow a packet, for a field that a packet is too short for.
    size_t slack;
    /// Whether libssh2 reads SSH_MSG_EXT_INFO (RFC 8308), so its list must be checked before; see `bridge_tap_space`.
    int reads_extensions;
    /// How many encrypted bytes libssh2 has been given, and where among them its last packet begins and ends.
    uint64_t given;
    uint64_t packet_begin;
    uint64_t packet_end;
    enum bridge_tap_refusal refused;
};

/// The overhead of a block: our header, and malloc's.
enum { bridge_tap_block_cost = 64 };

/// Called when bytes are requested from the peer: libssh2 is making progress.
void bridge_tap_progress(struct bridge_tap *tap);

/// How many of the next `wanted` encrypted bytes libssh2 may be given at once; 0 if the session must end (`refused`).
///
/// So few that no packet is whole before its beginning has been decrypted and checked.
size_t bridge_tap_space(struct bridge_tap *tap, size_t wanted);

/// Called after this many bytes were passed on.
void bridge_tap_gave(struct bridge_tap *tap, size_t count);

/// Called when libssh2_session_method_pref has just returned: the last block that libssh2 requested is its list of methods of key
/// exchange.
void bridge_tap_note_methods(struct bridge_tap *tap);

/// An allocator for `libssh2_session_init_ex`; `*abstract` is a `struct bridge_tap *`.
void *bridge_tap_alloc(size_t count, void **abstract);
void *bridge_tap_realloc(void *pointer, size_t count, void **abstract);
void bridge_tap_free(void *pointer, void **abstract);

/// Shows the observer the payloads of this message type that libssh2 still holds, in the order of their arrival. Each is shown
/// once, and not again when it is freed.
///
/// libssh2 keeps SSH_MSG_USERAUTH_BANNER until the session ends, unless it is 1.11 and the banner comes before the list of methods.
void bridge_tap_show_held(struct bridge_tap *tap, unsigned char message);

/// Frees and wipes the blocks that libssh2 has not freed. Called after libssh2_session_free, which forgets the blocks of a failed
/// key exchange, private keys among them.
void bridge_tap_release_blocks(struct bridge_tap *tap);

/// Gives the pages of a block that hold only zeros back to the system: they come back, as zeros, when they are next used.
///
/// libssh2's session is 54 KiB, initially zero, and most of it is for two packets of the maximum size.
///
/// Returns how many bytes were given back: none if the system has no such call.
size_t bridge_tap_give_back_zeros(void *pointer);

/// Whether libssh2's messages pass through here before they are encrypted.
int bridge_tap_watches_outgoing(const struct bridge_tap *tap);

/// Restores the name of the RSA key in a request for authentication (RFC 4252 section 7) if it is that of an algorithm of RFC
/// 8332: before 1.11 libssh2 takes the name of the algorithm from the key. This is done if requests pass through here.
///
/// Returns the new length of the message.
size_t bridge_tap_name_rsa_key(unsigned char *message, size_t count);

/// Copies the session identifier (RFC 4253 section 7.2), for which libssh2 has no function, to `target`.
///
/// It is found by its form: a block of `length` bytes to which libssh2's session points, with that length right after the
/// pointer.
///
/// Returns 1, or 0 if not exactly one block has that form.
int bridge_tap_session_identifier(const struct bridge_tap *tap, size_t length, unsigned char *target);

/// The address that requested the block: the return address of the call of `bridge_tap_alloc`.
const void *bridge_tap_site(const void *pointer);

/// The requested size of a block.
size_t bridge_tap_size(const void *pointer);

/// The file from which the code at an address was loaded; NULL if the system does not report it.
const char *bridge_file_of(const void *address);

#endif
