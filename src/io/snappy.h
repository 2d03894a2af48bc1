/* snappy.h: unpacking Snappy's block format. */
#ifndef KSDA_I_SNAPPY_H
#define KSDA_I_SNAPPY_H

#include <stdbool.h>
#include <stddef.h>

/* Unpack exactly room bytes. False: damaged, or it holds another number of bytes. */
bool ksda_i_unsnappy(const char *packed, size_t size, char *out, size_t room);

#endif
