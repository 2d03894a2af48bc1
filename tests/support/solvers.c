#include "solvers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

const ksda_i_solver *built_solver(size_t i) {
    const ksda_i_solver *row;
    for (size_t at = 0; (row = ksda_i_solver_at(at)); at++)
        if (row->info.available && i-- == 0) return row;
    return NULL;
}

const ksda_i_solver *some_solver(uint64_t turn) {
    size_t count = 0;
    while (built_solver(count)) count++;
    return count ? built_solver(turn % count) : NULL;
}

void need_solver(void) {
    if (built_solver(0)) return;
    fprintf(stderr, "SKIPPED: built without a solver\n");
    skip();
}
