/* EdgeConnect. */
#include "anonymize/methods.h"

KSDA_I_METHOD(edge_connect) {
    (void)graph, (void)communities, (void)options, (void)result;
    *out = NULL;
    return ksda_i_error(ctx, KSDA_UNSUPPORTED, "edge-connect is not here yet");
}
