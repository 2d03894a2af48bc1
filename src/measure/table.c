/* The tables of rows.def. */
#include "measure/measure.h"

#define MEASURE(pass, ...) {{__VA_ARGS__}, ksda_i_pass_##pass},
const ksda_i_measure_row ksda_i_measure_rows[] = {
#include "measure/rows.def"
};

#define DIFFERENCE(pass, ...) {{__VA_ARGS__}, ksda_i_pass_##pass},
const ksda_i_difference_row ksda_i_difference_rows[] = {
#include "measure/rows.def"
};

#define MEASURES (sizeof ksda_i_measure_rows / sizeof *ksda_i_measure_rows)
#define DIFFERENCES (sizeof ksda_i_difference_rows / sizeof *ksda_i_difference_rows)
_Static_assert(MEASURES >= KSDA_MEASURE_COUNT && DIFFERENCES >= KSDA_DIFFERENCE_COUNT, "a named row is missing");
_Static_assert(MEASURES <= KSDA_I_ROWS_MOST && DIFFERENCES <= KSDA_I_ROWS_MOST, "the masks of wanted rows are full");

const uint32_t ksda_i_measure_count = MEASURES, ksda_i_difference_count = DIFFERENCES;

const ksda_measure_row *ksda_measure_info(ksda_measure_id id) {
    return (unsigned)id < MEASURES ? &ksda_i_measure_rows[id].info : NULL;
}

const ksda_measure_row *ksda_difference_info(ksda_difference_id id) {
    return (unsigned)id < DIFFERENCES ? &ksda_i_difference_rows[id].info : NULL;
}
