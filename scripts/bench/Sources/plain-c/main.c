// The least that these tasks can cost over libssh2: its calls on a socket, poll(2), and nothing else.
#include "session.h"
#include "usage.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void log_in(struct link *link, const struct target *target) {
    int phase = 0;
    link_open(link, target);
    while (!link_step(link, target, &phase)) link_wait(link);
}

static void run(struct link *link, struct command command) {
    struct command *owner = NULL;
    while (!command_step(link, &command, &owner)) link_wait(link);
}

static void command_scenario(const struct target *target) {
    struct link link;
    const struct usage start = usage_now();
    log_in(&link, target);
    run(&link, (struct command){.text = "true"});
    link_close(&link);
    usage_report(start, "");
}

static void sequence_scenario(const struct target *target, long count) {
    struct link link;
    log_in(&link, target);
    const struct usage start = usage_now();
    for (long i = 0; i < count; i++) run(&link, (struct command){.text = "true"});
    usage_report(start, "");
    link_close(&link);
}

static void parallel_scenario(const struct target *target, long count, long width) {
    struct link link;
    log_in(&link, target);
    const struct usage start = usage_now();
    struct command *running = calloc((size_t)width, sizeof *running), *owner = NULL;
    if (!running) give_up("no memory");
    long begun = 0, done = 0;
    for (long i = 0; i < width && begun < count; i++, begun++) running[i].text = "true";
    while (done < count) {
        const size_t before = link_received();
        for (long i = 0; i < width; i++) {
            if (!running[i].text || !command_step(&link, &running[i], &owner)) continue;
            done++;
            running[i] = (struct command){.text = begun < count ? "true" : NULL};
            if (running[i].text) begun++;
        }
        if (done < count && link_received() == before) link_wait(&link);
    }
    free(running);
    usage_report(start, "");
    link_close(&link);
}

static void read_scenario(const struct target *target, const char *bytes) {
    struct link link;
    char text[64];
    snprintf(text, sizeof text, "head -c %s /dev/zero", bytes);
    log_in(&link, target);
    const struct usage start = usage_now();
    run(&link, (struct command){.text = text});
    usage_report(start, "");
    link_close(&link);
}

static void write_scenario(const struct target *target, size_t bytes, size_t piece) {
    struct link link;
    log_in(&link, target);
    const struct usage start = usage_now();
    run(&link, (struct command){.text = "cat >/dev/null", .to_send = bytes, .piece = piece});
    usage_report(start, "");
    link_close(&link);
}

// One of many concurrent connections, and its state.
struct member {
    struct link link;
    int phase, done;
    struct command command, *owner;
};

// Opens all connections, and runs `command` on each unless it is NULL.
static void drive(struct member *members, struct pollfd *waits, long count, const struct target *target) {
    for (long left = count; left > 0;) {
        nfds_t waiting = 0;
        for (long i = 0; i < count; i++) {
            struct member *member = &members[i];
            if (member->done) continue;
            member->done = link_step(&member->link, target, &member->phase) &&
                           (!member->command.text || command_step(&member->link, &member->command, &member->owner));
            if (member->done)
                left--;
            else
                waits[waiting++] = (struct pollfd){.fd = member->link.descriptor, .events = link_events(&member->link)};
        }
        if (waiting && poll(waits, waiting, 60000) == 0) give_up("nothing came for a minute");
    }
}

static void connections_scenario(const struct target *target, long count, const char *command) {
    struct member *members = calloc((size_t)count, sizeof *members);
    struct pollfd *waits = calloc((size_t)count, sizeof *waits);
    if (!members || !waits) give_up("no memory");
    const struct usage start = usage_now();
    const long before = usage_resident_kib(), own_before = usage_own_kib();
    for (long i = 0; i < count; i++) {
        link_open(&members[i].link, target);
        members[i].command.text = command;
    }
    drive(members, waits, count, target);
    char extra[128];
    snprintf(extra, sizeof extra, ", \"perConnectionKiB\": %.1f, \"ownPerConnectionKiB\": %.1f",
             (double)(usage_resident_kib() - before) / (double)count, (double)(usage_own_kib() - own_before) / (double)count);
    for (long i = 0; i < count && command; i++) link_close(&members[i].link);
    usage_report(start, extra);
}

static long number(char **arguments, int index) {
    if (!arguments[index]) give_up("an argument is missing");
    return strtol(arguments[index], NULL, 10);
}

int main(int count, char **arguments) {
    if (count < 2) give_up("usage: plain-c command|sequence N|parallel N WIDTH|read N|write N PIECE|connections N|idle N");
    if (libssh2_init(0) != 0) give_up("libssh2_init");
    const struct target target = target_from_environment();
    const char *scenario = arguments[1];
    if (!strcmp(scenario, "command")) command_scenario(&target);
    else if (!strcmp(scenario, "sequence")) sequence_scenario(&target, number(arguments, 2));
    else if (!strcmp(scenario, "parallel")) parallel_scenario(&target, number(arguments, 2), number(arguments, 3));
    else if (!strcmp(scenario, "read")) read_scenario(&target, arguments[2]);
    else if (!strcmp(scenario, "write"))
        write_scenario(&target, (size_t)number(arguments, 2), (size_t)number(arguments, 3));
    else if (!strcmp(scenario, "connections")) connections_scenario(&target, number(arguments, 2), "true");
    else if (!strcmp(scenario, "idle")) connections_scenario(&target, number(arguments, 2), NULL);
    else give_up("unknown scenario");
    return 0;
}
