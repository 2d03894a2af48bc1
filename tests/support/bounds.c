#include "bounds.h"
#include "bound/lagrangian.h"
#include "context.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

double lagrangian_bound(const ksda_network *net, uint32_t k, double split_weight, double cost, uint64_t work) {
    ksda_i_ranks ranks;
    double bound;
    assert_int_equal(ksda_i_ranks_make(check_ctx, net->graph, net->communities, &ranks), KSDA_OK);
    assert_int_equal(
        ksda_i_lagrangian_bound(check_ctx, net->graph, &ranks, k, split_weight, 0, cost, work, NULL, &bound), KSDA_OK);
    ksda_i_ranks_clear(check_ctx, &ranks);
    return bound;
}
