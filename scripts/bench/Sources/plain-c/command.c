#include "session.h"

#include <stdlib.h>
#include <string.h>

enum phase { opening, starting, sending, ending_input, receiving, closing, freeing };

// libssh2 keeps the state of these calls in the session: one channel at a time may be in them.
static int is_exclusive(int phase) { return phase == opening || phase == starting; }

static int receive(struct command *command) {
    static char buffer[1 << 16];
    for (;;) {
        const ssize_t count = libssh2_channel_read(command->channel, buffer, sizeof buffer);
        if (count == LIBSSH2_ERROR_EAGAIN) return 0;
        if (count < 0) give_up("libssh2_channel_read");
        if (count == 0) return libssh2_channel_eof(command->channel);
        command->received += (size_t)count;
    }
}

static int send_input(struct command *command) {
    static char *zeros;
    static size_t space;
    if (space < command->piece) {
        free(zeros);
        space = command->piece;
        zeros = calloc(1, space);
        if (!zeros) give_up("no memory");
    }
    while (command->sent < command->to_send) {
        // A call that said EAGAIN must be repeated with the same bytes, and the next piece begins where the last one ended.
        const size_t rest = command->to_send - command->sent;
        size_t length = command->piece - command->sent % command->piece;
        if (length > rest) length = rest;
        const ssize_t count = libssh2_channel_write(command->channel, zeros, length);
        if (count == LIBSSH2_ERROR_EAGAIN) return 0;
        if (count < 0) give_up("libssh2_channel_write");
        command->sent += (size_t)count;
    }
    return 1;
}

// Advances one phase as far as possible; nonzero when it has ended.
static int phase_step(struct link *link, struct command *command) {
    int code = 0;
    switch (command->phase) {
    case opening:
        command->channel = libssh2_channel_open_session(link->session);
        if (!command->channel) code = libssh2_session_last_errno(link->session);
        break;
    case starting: code = libssh2_channel_exec(command->channel, command->text); break;
    case sending: return send_input(command);
    case ending_input: code = libssh2_channel_send_eof(command->channel); break;
    case receiving: return receive(command);
    case closing:
        code = libssh2_channel_wait_closed(command->channel);
        if (code == 0 && libssh2_channel_get_exit_status(command->channel) != 0) give_up("the command failed");
        break;
    case freeing: code = libssh2_channel_free(command->channel); break;
    }
    if (code == LIBSSH2_ERROR_EAGAIN) return 0;
    if (code < 0) give_up(command->text);
    return 1;
}

int command_step(struct link *link, struct command *command, struct command **owner) {
    while (command->phase <= freeing) {
        if (is_exclusive(command->phase)) {
            if (*owner && *owner != command) return 0;
            *owner = command;
        }
        if (!phase_step(link, command)) return 0;
        command->phase++;
        if (*owner == command && !is_exclusive(command->phase)) *owner = NULL;
    }
    return 1;
}
