/* The tables of rows.def. */
#include "measure/measure.h"

#include <string.h>

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

const char *ksda_measure_id_name(ksda_measure_id id) {
    return (unsigned)id < MEASURES ? ksda_i_measure_rows[id].info.name : NULL;
}

const char *ksda_difference_id_name(ksda_difference_id id) {
    return (unsigned)id < DIFFERENCES ? ksda_i_difference_rows[id].info.name : NULL;
}

int ksda_measure_id_from_name(const char *name, ksda_measure_id *out) {
    uint32_t i = 0;
    while (i < MEASURES && strcmp(ksda_i_measure_rows[i].info.name, name) != 0) i++;
    if (i < MEASURES) *out = (ksda_measure_id)i;
    return i < MEASURES;
}

int ksda_difference_id_from_name(const char *name, ksda_difference_id *out) {
    uint32_t i = 0;
    while (i < DIFFERENCES && strcmp(ksda_i_difference_rows[i].info.name, name) != 0) i++;
    if (i < DIFFERENCES) *out = (ksda_difference_id)i;
    return i < DIFFERENCES;
}
