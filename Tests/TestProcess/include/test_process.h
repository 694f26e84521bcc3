#pragma once

// The setup in start.c needs no call: linking it is enough.

/// How often this process has made a file durable whose path fits the pattern (fnmatch(3)). The path is that at the time. On
/// Linux only; elsewhere it is always 0.
int test_process_synchronized(const char *pattern);

/// How often this process has overwritten these bytes with explicit_bzero(3), as a whole. They must begin with `overwritten-`:
/// nothing else is noted. On Linux only; elsewhere it is always 0.
int test_process_overwritten(const char *bytes, int count);
