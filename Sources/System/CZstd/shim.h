#ifndef PREDICATES_CZSTD_SHIM_H
#define PREDICATES_CZSTD_SHIM_H

#include <zstd.h>

#endif
