/* sized.h: structs that the caller provides and that may grow. Each begins with `size`, what the caller's header says
 * it is, so that programs and libraries of different versions understand each other: fields are only ever appended.
 *
 * A size of 0 is a struct that nobody made ready; below the first published size, or above ours with anything but zeros
 * behind what we know, it asks for what this library cannot do. All of these are refused: nothing is guessed. */
#ifndef KSDA_I_SIZED_H
#define KSDA_I_SIZED_H

#include "core/ctx.h"

/* A kind of struct. `first` is its size as first published, `known` what it is now; `ready` says how to make one. */
typedef struct ksda_i_sized {
    const char *name, *ready;
    size_t first, known;
} ksda_i_sized;

/* Options are made ready by their _init, results by KSDA_INIT; `last` is the last field as first published. */
#define KSDA_I_SIZED(type, last, ready)                                                                                \
    { #type, (ready), offsetof(type, last) + sizeof(((type *)0)->last), sizeof(type) }
#define KSDA_I_OPTIONS(type, last) KSDA_I_SIZED(type, last, "call " #type "_init()")
#define KSDA_I_RESULT(type, last) KSDA_I_SIZED(type, last, "begin with KSDA_INIT(" #type ")")

/* Let a caller's options of `size` bytes be `defaults`; what lies beyond them is zero. */
void ksda_i_options_init(const ksda_i_sized *kind, void *options, size_t size, const void *defaults);
/* Overwrite the defaults in *full by what the caller gave; NULL leaves them. */
ksda_status ksda_i_options_take(ksda_ctx *ctx, const ksda_i_sized *kind, const void *given, void *full);

/* KSDA_INVALID unless results may be written to *out; empties it. */
ksda_status ksda_i_result_check(ksda_ctx *ctx, const ksda_i_sized *kind, void *out);
/* Copy as much of *told as the caller has room for. *out has passed the check. */
void ksda_i_result_give(const ksda_i_sized *kind, void *out, const void *told);
/* Empty a result that the caller is done with. False: it was never one, so there is nothing to free. */
bool ksda_i_result_holds(const ksda_i_sized *kind, const void *result);
void ksda_i_result_empty(const ksda_i_sized *kind, void *result);

#endif
