// What a thread has used so far.
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdint.h>

/// How often memory was asked for in this process, by anything but the C library itself.
///
/// Exact where one thread runs; enlarging a block counts as well.
int64_t allocation_count(void);

/// The processor time of the calling thread, in nanoseconds.
int64_t thread_nanoseconds(void);

/// The bytes of memory that this process has asked for and not given back.
int64_t heap_bytes(void);

#endif
