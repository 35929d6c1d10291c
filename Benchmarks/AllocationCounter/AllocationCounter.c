#include "AllocationCounter.h"

#include <errno.h>
#if defined(__linux__)
#include <malloc.h>
#endif
#include <stddef.h>
#include <stdlib.h>

// One counter per thread: no locked instruction on the way to memory, and other threads do not disturb a count.
static _Thread_local uint64_t count __attribute__((tls_model("initial-exec")));

uint64_t allocation_count(void) { return count; }

__attribute__((noinline)) void counted_region(void (*body)(void *), void *context) {
    body(context);
    __asm__ volatile("");  // Keeps the call from becoming a jump, which would end the region at once.
}

#if defined(__GLIBC__)

// The program's own definitions take the place of the allocator's for every library in the process.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

bool allocation_counting_is_available(void) { return true; }

uint64_t allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

void *malloc(size_t size) {
    count += 1;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count += 1;
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
    count += 1;
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    count += 1;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count += 1;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    count += 1;
    void *result = __libc_memalign(alignment, size);
    if (result == NULL) return ENOMEM;
    *block = result;
    return 0;
}

#else

bool allocation_counting_is_available(void) { return false; }

uint64_t allocated_bytes(void) { return 0; }

#endif
