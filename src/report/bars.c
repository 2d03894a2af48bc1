/* Small bars for the terminal: eighths of a block where the terminal speaks UTF-8, else #. */
#include "report/bars.h"

#include <math.h>
#include <string.h>

const char *ksda_i_bar(double share, int utf8, int pad, char *buffer) {
    size_t used = 0;
    int eighths = share > 0 ? (int)lround(fmin(share, 1) * 8 * KSDA_I_BAR_WIDTH) : 0, columns = 0;
    if (share > 0 && eighths == 0) eighths = 1; /* something shows */
    if (!utf8) eighths = (eighths + 7) / 8 * 8;
    for (; eighths > 0; eighths -= 8, columns++) {
        char block[4] = {'\xe2', '\x96', (char)(0x88 + (eighths >= 8 ? 0 : 8 - eighths)),
                         '\0'}; /* U+2588 is whole, U+258F an eighth */
        const char *text = utf8 ? block : "#";
        memcpy(buffer + used, text, strlen(text));
        used += strlen(text);
    }
    for (; pad && columns < KSDA_I_BAR_WIDTH; columns++) buffer[used++] = ' ';
    buffer[used] = '\0';
    return buffer;
}

double ksda_i_bar_scale(double largest) {
    static const double scales[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        if (largest <= scales[i]) return scales[i];
    return 1;
}
