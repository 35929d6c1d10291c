#ifndef PREDICATES_CEDIT_SHIM_H
#define PREDICATES_CEDIT_SHIM_H

#include <stdio.h>
#include <editline/readline.h>

// The library is set up through global variables, which Swift does not let code share: it asks these functions.

/// Names the program, and says where keys come from, what completes the words of a line and which characters separate them.
static inline void predicates_edit_set_up(
    const char *name, int (*next_key)(FILE *), rl_completion_func_t *complete, char *(*word_breaks)(void)) {
    rl_readline_name = name;
    rl_getc_function = next_key;
    rl_attempted_completion_function = complete;
    rl_completion_word_break_hook = word_breaks;
    rl_completion_append_character = '\0';
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
}

/// Says that no other way of completing words is to be tried.
static inline void predicates_edit_end_completion(void) {
    rl_attempted_completion_over = 1;
}

/// The line as far as it has been written.
static inline const char *predicates_edit_line(void) {
    return rl_line_buffer;
}

/// The number of bytes of the line.
static inline int predicates_edit_length(void) {
    return rl_end;
}

/// The number of bytes before the cursor.
static inline int predicates_edit_cursor(void) {
    return rl_point;
}

#endif
