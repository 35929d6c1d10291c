#ifndef PREDICATES_CZLIB_SHIM_H
#define PREDICATES_CZLIB_SHIM_H

#include <zlib.h>

// Swift cannot see the macro. The window is that of raw DEFLATE, without a header.
static inline int predicates_inflate_raw(z_stream *stream) {
    return inflateInit2(stream, -MAX_WBITS);
}

// The stream has the header of gzip.
static inline int predicates_inflate_gzip(z_stream *stream) {
    return inflateInit2(stream, MAX_WBITS + 16);
}

// Writes raw DEFLATE with the greatest compression.
static inline int predicates_deflate_raw(z_stream *stream) {
    return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}

#endif
