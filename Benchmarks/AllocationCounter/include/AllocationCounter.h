#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// Whether allocations are counted here: they are with glibc, whose allocator can be reached behind its public names.
bool allocation_counting_is_available(void);

/// How many blocks this thread has asked for since it began: malloc, calloc, realloc and the aligned forms.
uint64_t allocation_count(void);

/// The bytes of all blocks in use, those of the allocator's bookkeeping included; 0 where they are not counted.
uint64_t allocated_bytes(void);

/// Calls the body. Callgrind counts instructions between the entry and the return of this function only, and writes
/// a part of its profile when it returns.
void counted_region(void (*body)(void *), void *context);

#endif
