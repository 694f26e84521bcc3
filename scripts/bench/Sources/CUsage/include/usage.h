#pragma once

// The cost of a phase of a client: the wall time and the processor time of this process, in seconds.
struct usage {
    double wall, cpu;
};

struct usage usage_now(void);

// The memory that this process holds now, in KiB (VmRSS of proc(5)).
long usage_resident_kib(void);

// The same without the pages of files, such as the program's own, which all processes share (RssAnon of proc(5)).
long usage_own_kib(void);

// Prints the cost since `start` as one line of JSON. `extra` contains additional members, each with a comma
// before it, or is "".
void usage_report(struct usage start, const char *extra);
