#ifndef BRIDGE_LOCAL_SOCKET_H
#define BRIDGE_LOCAL_SOCKET_H

#include <stddef.h>
#include <sys/types.h>
#include <time.h>

/* The macros of cmsg(3), which Swift cannot use. At most 8 descriptors go with one message. */
enum { BRIDGE_DESCRIPTORS_MAX = 8 };

/* As sendmsg(2), without SIGPIPE; the descriptors go with the first byte. */
ssize_t bridge_send(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count);

/* As recvmsg(2). Received descriptors are closed on exec; descriptor_count gets their number. */
ssize_t bridge_receive(int socket, void *bytes, size_t count, int *descriptors, int *descriptor_count);

/* The user and the process at the other end; the process is 0 if the system does not report it. As getsockopt(2). */
int bridge_peer(int socket, uid_t *user, pid_t *process);

/* A path that opens the running executable, ended by NUL; -1 if it does not fit or is not known. On Linux with
   /proc it is the same for every program: it leads to the file that runs even after an upgrade has removed or replaced its name. */
int bridge_executable_path(char *path, size_t capacity);

/* Starts a program in a session of its own, with its standard descriptors on /dev/null, these as 3, 4, … and no other, and
   with the default answer to every signal. Returns an errno, or 0. */
int bridge_spawn_detached(const char *path, char *const *arguments, char *const *environment, const int *descriptors,
                          int descriptor_count, pid_t *process);

/* The time of day as a function at this address gets it from time(2): always the same in libssh2, because it would end waits. */
time_t bridge_time_for(const void *caller);

#endif
