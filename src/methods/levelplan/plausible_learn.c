/* What a trained attacker would go by: traits of edges, weighed so that added edges stand out among the own edges of
 * their ends (attack/traits.c).
 *
 * Each score by itself may be where those of own edges are, and yet scores do not go together as theirs do, or a few
 * edges lead to hubs and many to others. The weighing is one more score that is to be near a half; the last few are
 * kept, so that what was mended stays so. */
#include "methods/levelplan/plausible.h"

enum {
    ROWS = 8192 /* comparisons at most, about */
};

void ksda_i_lesson_begin(ksda_i_disguise *d, uint64_t round) {
    ksda_i_lesson *lesson = &d->lesson;
    lesson->contrasts.rows = 0;
    lesson->step = 2 * KSDA_I_CONTRASTS * d->edges / ROWS + 1;
    lesson->rng = ksda_i_rng_stream(ksda_ctx_seed(d->ctx), 0x6c65726e, round);
}

void ksda_i_lesson_note(ksda_i_disguise *d, const double *traits, const double *own, uint32_t count) {
    ksda_i_lesson *lesson = &d->lesson;
    if (ksda_i_rng_below(&lesson->rng, lesson->step)) return;
    ksda_status status = ksda_i_contrasts_note(d->ctx, &lesson->contrasts, traits, own, count, &lesson->rng);
    if (status < 0) d->status = status;
}

ksda_status ksda_i_lesson_end(ksda_i_disguise *d, uint64_t round) {
    if (d->lesson.contrasts.rows) d->trained = true;
    return ksda_i_contrasts_fit(d->ctx, &d->lesson.contrasts, d->learned[round % KSDA_I_LEARNED]);
}
