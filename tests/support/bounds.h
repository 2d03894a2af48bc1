/* bounds.h: a bound by itself, as nothing but a test asks for it. */
#ifndef BOUNDS_H
#define BOUNDS_H

#include <ksda/io.h>

/* The Lagrangian bound alone, for releases that cost up to that, within so much work. In check_ctx. */
double lagrangian_bound(const ksda_network *net, uint32_t k, double split_weight, double cost, uint64_t work);

#endif
