#pragma once

/// Allocations of this process so far: malloc, calloc, realloc, aligned_alloc, posix_memalign.
unsigned long allocation_count(void);
