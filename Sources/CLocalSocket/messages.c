#include "CLocalSocket.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif
#ifndef MSG_CMSG_CLOEXEC
#define MSG_CMSG_CLOEXEC 0
#endif

union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(BRIDGE_DESCRIPTORS_MAX * sizeof(int))];
};

ssize_t bridge_send(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count) {
    if (descriptor_count < 0 || descriptor_count > BRIDGE_DESCRIPTORS_MAX) {
        errno = EINVAL;
        return -1;
    }
    union control control;
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor_count > 0) {
        size_t length = (size_t)descriptor_count * sizeof(int);
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(length);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(length);
        memcpy(CMSG_DATA(header), descriptors, length);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

/* Closes the descriptors that do not fit; they would stay open for ever. */
static void take(const struct cmsghdr *header, int *descriptors, int capacity, int *taken) {
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < count; index++) {
        int descriptor;
        memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof descriptor);
        if (*taken < capacity) {
            fcntl(descriptor, F_SETFD, FD_CLOEXEC);
            descriptors[(*taken)++] = descriptor;
        } else {
            close(descriptor);
        }
    }
}

ssize_t bridge_receive(int socket, void *bytes, size_t count, int *descriptors, int *descriptor_count) {
    union control control;
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    int capacity = *descriptor_count;
    *descriptor_count = 0;
    ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (received < 0) return received;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
            take(header, descriptors, capacity, descriptor_count);
    }
    return received;
}

int bridge_peer(int socket, uid_t *user, pid_t *process) {
#if defined(__linux__)
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return -1;
    *user = peer.uid;
    *process = peer.pid;
    return 0;
#else
    gid_t group;
    *process = 0;
    return getpeereid(socket, user, &group);
#endif
}
