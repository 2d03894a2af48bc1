/* bars.h: small bars for tables at the terminal. Plain characters, no colours: nothing to switch off. */
#ifndef KSDA_I_BARS_H
#define KSDA_I_BARS_H

enum {
    KSDA_I_BAR_WIDTH = 10,
    KSDA_I_BAR_BYTES = 3 * KSDA_I_BAR_WIDTH + 1
};

/* A bar of at most KSDA_I_BAR_WIDTH columns for a share of 0 to 1 (more is full, NaN is empty). utf8: block characters,
 * else #. pad: fill up with spaces, for whatever follows on the line. buffer has KSDA_I_BAR_BYTES and is returned. */
const char *ksda_i_bar(double share, int utf8, int pad, char *buffer);
/* What a full bar stands for when the largest of a table is `largest`: 1, 2, 5, 10, 20, 50 or 100 per cent. */
double ksda_i_bar_scale(double largest);

#endif
