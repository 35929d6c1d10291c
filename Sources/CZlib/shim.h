#ifndef PREDICATES_CZLIB_SHIM_H
#define PREDICATES_CZLIB_SHIM_H

#include <zlib.h>

// Swift cannot see the macro. The window is that of raw DEFLATE, without a header.
static inline int predicates_inflate_raw(z_stream *stream) {
    return inflateInit2(stream, -MAX_WBITS);
}

#endif
