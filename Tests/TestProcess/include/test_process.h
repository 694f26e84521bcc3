#pragma once

// The setup in start.c needs no call: linking it is enough.

/// How often this process has made a file durable whose path fits the pattern (fnmatch(3)). The path is that at the time. On
/// Linux only; elsewhere it is always 0.
int test_process_synchronized(const char *pattern);
