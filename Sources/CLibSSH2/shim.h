#ifndef BRIDGE_SSH_CLIBSSH2_SHIM_H
#define BRIDGE_SSH_CLIBSSH2_SHIM_H

#include <dlfcn.h>
#include <libssh2.h>

#include "calls.h"

// 1.11.1 deprecates the untyped setter, 1.10 has no other; and Swift imports the function pointers of both incorrectly.
static inline void bridge_set_callback(LIBSSH2_SESSION *session, int type, void (*callback)(void)) {
#if LIBSSH2_VERSION_NUM >= 0x010b01
    libssh2_session_callback_set2(session, type, (libssh2_cb_generic *)callback);
#else
    libssh2_session_callback_set(session, type, (void *)callback);
#endif
}

typedef ssize_t (*bridge_receive)(libssh2_socket_t, void *, size_t, int, void **);
typedef ssize_t (*bridge_send)(libssh2_socket_t, const void *, size_t, int, void **);
typedef void (*bridge_disconnect)(LIBSSH2_SESSION *, int, const char *, int, const char *, int, void **);
typedef void (*bridge_debug)(LIBSSH2_SESSION *, int, const char *, int, const char *, int, void **);
typedef int (*bridge_mac_error)(LIBSSH2_SESSION *, const char *, int, void **);

// One call for the five callbacks, so that each is checked against its type.
static inline void bridge_set_callbacks(
    LIBSSH2_SESSION *session, bridge_receive receive, bridge_send send, bridge_disconnect disconnect, bridge_debug debug,
    bridge_mac_error mac_error) {
    bridge_set_callback(session, LIBSSH2_CALLBACK_RECV, (void (*)(void))receive);
    bridge_set_callback(session, LIBSSH2_CALLBACK_SEND, (void (*)(void))send);
    bridge_set_callback(session, LIBSSH2_CALLBACK_DISCONNECT, (void (*)(void))disconnect);
    bridge_set_callback(session, LIBSSH2_CALLBACK_DEBUG, (void (*)(void))debug);
    bridge_set_callback(session, LIBSSH2_CALLBACK_MACERROR, (void (*)(void))mac_error);
}

// 1.11 has a setting for the wait for a server's answer, in seconds by the time of day; 1.10 waits for 60.
static inline void bridge_set_read_timeout(LIBSSH2_SESSION *session, long seconds) {
    void (*const function)(LIBSSH2_SESSION *, long) =
        (void (*)(LIBSSH2_SESSION *, long))dlsym(RTLD_DEFAULT, "libssh2_session_set_read_timeout");
    if (function) function(session, seconds);
}

// An address in the loaded libssh2, for finding its file.
static inline const void *bridge_library_address(void) { return (const void *)libssh2_version; }

#endif
