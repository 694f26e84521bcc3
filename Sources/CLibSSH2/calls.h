#ifndef BRIDGE_SSH_CLIBSSH2_CALLS_H
#define BRIDGE_SSH_CLIBSSH2_CALLS_H

#include <libssh2.h>

// The functions of libssh2 that may fail. Each result carries the name of the function that returned it; the preprocessor writes
// that name.

// The value that a function returned: 0 or a count, or a negative LIBSSH2_ERROR code.
struct bridge_result {
    const char *function;
    ssize_t code;
};

// The same for a function that makes something: NULL if it failed.
struct bridge_made_channel {
    struct bridge_result result;
    LIBSSH2_CHANNEL *channel;
};
struct bridge_made_text {
    struct bridge_result result;
    const char *text;
};

#define BRIDGE_CALL(name, parameters, arguments)                                               \
    static inline const char *bridge_name_of_##name(void) { return "libssh2_" #name; }         \
    static inline struct bridge_result bridge_##name parameters {                              \
        return (struct bridge_result){"libssh2_" #name, libssh2_##name arguments};             \
    }

// The reason is only in the session's last error, which the next call would overwrite.
#define BRIDGE_MAKING_CALL(made, member, name, parameters, arguments)                          \
    static inline struct made bridge_##name parameters {                                       \
        struct made made = {{"libssh2_" #name, 0}, libssh2_##name arguments};                  \
        if (!made.member) made.result.code = libssh2_session_last_errno(session);              \
        return made;                                                                           \
    }

// Sessions

BRIDGE_CALL(session_handshake, (LIBSSH2_SESSION *session, libssh2_socket_t socket), (session, socket))
BRIDGE_CALL(session_method_pref, (LIBSSH2_SESSION *session, int method, const char *names), (session, method, names))
BRIDGE_CALL(
    session_disconnect_ex, (LIBSSH2_SESSION *session, int reason, const char *description, const char *language),
    (session, reason, description, language))
BRIDGE_CALL(keepalive_send, (LIBSSH2_SESSION *session, int *seconds_to_next), (session, seconds_to_next))

// Authentication

BRIDGE_MAKING_CALL(
    bridge_made_text, text, userauth_list, (LIBSSH2_SESSION *session, const char *user, unsigned int user_length),
    (session, user, user_length))
BRIDGE_CALL(
    userauth_password_ex,
    (LIBSSH2_SESSION *session, const char *user, unsigned int user_length, const char *password,
     unsigned int password_length, LIBSSH2_PASSWD_CHANGEREQ_FUNC((*change))),
    (session, user, user_length, password, password_length, change))
BRIDGE_CALL(
    userauth_publickey,
    (LIBSSH2_SESSION *session, const char *user, const unsigned char *key, size_t key_length,
     LIBSSH2_USERAUTH_PUBLICKEY_SIGN_FUNC((*sign)), void **abstract),
    (session, user, key, key_length, sign, abstract))
BRIDGE_CALL(
    userauth_keyboard_interactive_ex,
    (LIBSSH2_SESSION *session, const char *user, unsigned int user_length, LIBSSH2_USERAUTH_KBDINT_RESPONSE_FUNC((*answer))),
    (session, user, user_length, answer))

// Channels

BRIDGE_MAKING_CALL(
    bridge_made_channel, channel, channel_open_ex,
    (LIBSSH2_SESSION *session, const char *type, unsigned int type_length, unsigned int window, unsigned int packet),
    (session, type, type_length, window, packet, NULL, 0))
BRIDGE_MAKING_CALL(
    bridge_made_channel, channel, channel_direct_tcpip_ex,
    (LIBSSH2_SESSION *session, const char *host, int port, const char *origin, int origin_port),
    (session, host, port, origin, origin_port))
BRIDGE_CALL(channel_free, (LIBSSH2_CHANNEL *channel), (channel))
BRIDGE_CALL(
    channel_request_pty_ex,
    (LIBSSH2_CHANNEL *channel, const char *terminal, unsigned int terminal_length, const char *modes,
     unsigned int modes_length, int columns, int rows, int width, int height),
    (channel, terminal, terminal_length, modes, modes_length, columns, rows, width, height))
BRIDGE_CALL(
    channel_request_pty_size_ex, (LIBSSH2_CHANNEL *channel, int columns, int rows, int width, int height),
    (channel, columns, rows, width, height))
BRIDGE_CALL(
    channel_setenv_ex,
    (LIBSSH2_CHANNEL *channel, const char *name, unsigned int name_length, const char *value, unsigned int value_length),
    (channel, name, name_length, value, value_length))
BRIDGE_CALL(
    channel_process_startup,
    (LIBSSH2_CHANNEL *channel, const char *request, unsigned int request_length, const char *message,
     unsigned int message_length),
    (channel, request, request_length, message, message_length))
BRIDGE_CALL(
    channel_read_ex, (LIBSSH2_CHANNEL *channel, int stream, char *buffer, size_t length), (channel, stream, buffer, length))
BRIDGE_CALL(
    channel_write_ex, (LIBSSH2_CHANNEL *channel, int stream, const char *bytes, size_t length),
    (channel, stream, bytes, length))
BRIDGE_CALL(channel_send_eof, (LIBSSH2_CHANNEL *channel), (channel))
BRIDGE_CALL(
    channel_receive_window_adjust2, (LIBSSH2_CHANNEL *channel, unsigned long count, unsigned char at_once),
    (channel, count, at_once, NULL))
BRIDGE_CALL(channel_handle_extended_data2, (LIBSSH2_CHANNEL *channel, int mode), (channel, mode))
BRIDGE_CALL(channel_wait_closed, (LIBSSH2_CHANNEL *channel), (channel))

// Looked up at run time: 1.11 added it, and a program built with the header of 1.10 may run with the library of 1.11.
#define BRIDGE_LATER_CALL(name, type, parameters, arguments)                                   \
    static inline int bridge_has_##name(void) { return dlsym(RTLD_DEFAULT, "libssh2_" #name) != NULL; }  \
    static inline struct bridge_result bridge_##name parameters {                              \
        type function = (type)dlsym(RTLD_DEFAULT, "libssh2_" #name);                           \
        return (struct bridge_result){"libssh2_" #name, function ? function arguments : LIBSSH2_ERROR_METHOD_NOT_SUPPORTED}; \
    }

typedef int (*bridge_signal_function)(LIBSSH2_CHANNEL *, const char *, size_t);
BRIDGE_LATER_CALL(
    channel_signal_ex, bridge_signal_function, (LIBSSH2_CHANNEL *channel, const char *name, size_t length),
    (channel, name, length))

#undef BRIDGE_CALL
#undef BRIDGE_MAKING_CALL
#undef BRIDGE_LATER_CALL

#endif
