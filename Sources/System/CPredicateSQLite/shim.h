#ifndef PREDICATES_SQLITE_SHIM_H
#define PREDICATES_SQLITE_SHIM_H

#include <sqlite3.h>

// Swift cannot call a C function that takes any number of arguments.
static inline int predicates_set_switch(sqlite3 *database, int option, int isOn) {
    return sqlite3_db_config(database, option, isOn, (int *)0);
}

#endif
