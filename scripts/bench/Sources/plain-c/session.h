#pragma once

#include <libssh2.h>
#include <stddef.h>

// The settings that every client reads from the environment: BENCH_HOST, _PORT, _USER, _IDENTITY, and _CIPHER if it is set.
struct target {
    const char *host, *user, *identity, *cipher;
    int port;
};

// One connection that is driven without blocking: poll(2) says when to call again.
struct link {
    int descriptor;
    LIBSSH2_SESSION *session;
};

struct target target_from_environment(void);

// Ends the process with a message.
_Noreturn void give_up(const char *what);

// Connects the socket and makes the session.
void link_open(struct link *link, const struct target *target);
// One step of key exchange and authentication; nonzero once both are complete.
int link_step(struct link *link, const struct target *target, int *phase);
void link_close(struct link *link);

// Bytes received so far, on all connections. A call for one channel may take in bytes for another, which poll(2) does not report:
// wait only after a round of all calls in which nothing was received.
size_t link_received(void);

// Waits until the socket has what libssh2 waits for.
void link_wait(const struct link *link);
// The poll(2) events that libssh2 waits for.
short link_events(const struct link *link);

// A command on its own channel.
struct command {
    const char *text;
    LIBSSH2_CHANNEL *channel;
    int phase;
    // The bytes written to standard output.
    size_t received;
    // The bytes for its standard input, in pieces of `piece` bytes.
    size_t to_send, piece, sent;
};

// Advances the command as far as possible. `owner` is the command whose opening is under way on the connection, at
// first NULL.
int command_step(struct link *link, struct command *command, struct command **owner);
