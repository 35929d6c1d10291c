#include "CObservation.h"

// Before Swift 6.2.2, libswiftObservation.so on Linux and Android calls swift::threading::fatal(char const *, ...), which no
// library of Swift exports, so that no program with Observation links (swiftlang/swift#75670). The runtime calls the function
// where a mutex fails and it cannot go on. A definition of Swift's own takes the place of this one, which is weak.
#if defined(__ELF__)
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((weak, noreturn)) void predicates_threading_fatal(const char *format, ...)
    __asm__("_ZN5swift9threading5fatalEPKcz");

void predicates_threading_fatal(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    abort();
}
#endif
