#include "usage.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec / 1e6; }

struct usage usage_now(void) {
    struct timespec now;
    struct rusage used;
    clock_gettime(CLOCK_MONOTONIC, &now);
    getrusage(RUSAGE_SELF, &used);
    return (struct usage){now.tv_sec + now.tv_nsec / 1e9, seconds(used.ru_utime) + seconds(used.ru_stime)};
}

static long status_kib(const char *format) {
    FILE *status = fopen("/proc/self/status", "r");
    if (!status) return 0;
    char line[256];
    long kib = 0;
    while (fgets(line, sizeof line, status))
        if (sscanf(line, format, &kib) == 1) break;
    fclose(status);
    return kib;
}

long usage_resident_kib(void) { return status_kib("VmRSS: %ld kB"); }

long usage_own_kib(void) { return status_kib("RssAnon: %ld kB"); }

void usage_report(struct usage start, const char *extra) {
    const struct usage end = usage_now();
    printf("{\"wall\": %.6f, \"cpu\": %.6f, \"residentKiB\": %ld%s}\n", end.wall - start.wall, end.cpu - start.cpu,
           usage_resident_kib(), extra);
    fflush(stdout);
}
