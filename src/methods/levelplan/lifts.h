/* lifts.h: plans in which members are raised out of turn. */
#ifndef KSDA_I_LIFTS_H
#define KSDA_I_LIFTS_H

#include "methods/levelplan/rounds.h"

/* Plan and realize with members lifted, chosen at random, drawn from `number`, until the work is over or has led to
 * nothing for long. The cheapest release is kept as that of the rounds, others are passed on. */
ksda_status ksda_i_lifts_search(ksda_i_rounds *r, uint64_t number);

#endif
