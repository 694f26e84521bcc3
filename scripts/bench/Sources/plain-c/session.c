#include "session.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void give_up(const char *what) {
    fprintf(stderr, "plain-c: %s\n", what);
    exit(1);
}

static const char *variable(const char *name) {
    const char *value = getenv(name);
    if (!value) give_up(name);
    return value;
}

struct target target_from_environment(void) {
    return (struct target){
        .host = variable("BENCH_HOST"), .user = variable("BENCH_USER"), .identity = variable("BENCH_IDENTITY"),
        .cipher = getenv("BENCH_CIPHER"), .port = atoi(variable("BENCH_PORT"))};
}

static size_t received;

size_t link_received(void) { return received; }

static ssize_t receive(libssh2_socket_t descriptor, void *buffer, size_t length, int flags, void **abstract) {
    (void)abstract;
    const ssize_t count = recv(descriptor, buffer, length, flags);
    if (count < 0) return -errno;
    received += (size_t)count;
    return count;
}

void link_open(struct link *link, const struct target *target) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)target->port)};
    if (inet_pton(AF_INET, target->host, &address.sin_addr) != 1) give_up("BENCH_HOST is not an IPv4 address");
    link->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (link->descriptor < 0 || connect(link->descriptor, (struct sockaddr *)&address, sizeof address) != 0)
        give_up(strerror(errno));
    int on = 1;
    setsockopt(link->descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    fcntl(link->descriptor, F_SETFL, O_NONBLOCK);
    link->session = libssh2_session_init();
    if (!link->session) give_up("libssh2_session_init");
    libssh2_session_set_blocking(link->session, 0);
#if LIBSSH2_VERSION_NUM >= 0x010b01
    libssh2_session_callback_set2(link->session, LIBSSH2_CALLBACK_RECV, (libssh2_cb_generic *)receive);
#else
    libssh2_session_callback_set(link->session, LIBSSH2_CALLBACK_RECV, (void *)receive);
#endif
    if (target->cipher) {
        if (libssh2_session_method_pref(link->session, LIBSSH2_METHOD_CRYPT_CS, target->cipher) ||
            libssh2_session_method_pref(link->session, LIBSSH2_METHOD_CRYPT_SC, target->cipher))
            give_up("this libssh2 does not have the cipher");
    }
}

static int fails(int code, const char *function) {
    if (code == LIBSSH2_ERROR_EAGAIN) return 0;
    if (code < 0) give_up(function);
    return 1;
}

int link_step(struct link *link, const struct target *target, int *phase) {
    if (*phase == 0 && fails(libssh2_session_handshake(link->session, link->descriptor), "libssh2_session_handshake"))
        *phase = 1;
    // A key in the OpenSSH format holds its public half.
    if (*phase == 1 && fails(libssh2_userauth_publickey_fromfile(link->session, target->user, NULL, target->identity, NULL),
                             "libssh2_userauth_publickey_fromfile"))
        *phase = 2;
    return *phase == 2;
}

void link_close(struct link *link) {
    libssh2_session_set_blocking(link->session, 1);
    libssh2_session_disconnect(link->session, "done");
    libssh2_session_free(link->session);
    close(link->descriptor);
}

short link_events(const struct link *link) {
    const int directions = libssh2_session_block_directions(link->session);
    short events = 0;
    if (directions & LIBSSH2_SESSION_BLOCK_INBOUND) events |= POLLIN;
    if (directions & LIBSSH2_SESSION_BLOCK_OUTBOUND) events |= POLLOUT;
    return events ? events : POLLIN;
}

void link_wait(const struct link *link) {
    struct pollfd descriptor = {.fd = link->descriptor, .events = link_events(link)};
    if (poll(&descriptor, 1, 60000) == 0) give_up("nothing came for a minute");
}
