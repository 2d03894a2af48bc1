/* The table of attackers. */
#include "attack/attack.h"

#define SIGNATURE(name, ...) {{__VA_ARGS__}, ksda_i_sign_##name, NULL},
#define CANDIDATES(name, ...) {{__VA_ARGS__}, NULL, ksda_i_candidates_##name},
const ksda_i_attacker ksda_i_attackers[] = {
#include "attack/attackers.def"
};

#define ATTACKERS (sizeof ksda_i_attackers / sizeof *ksda_i_attackers)
_Static_assert(ATTACKERS >= KSDA_ATTACKER_COUNT, "a named row is missing");
_Static_assert(ATTACKERS <= KSDA_I_ATTACKERS_MOST, "the mask of wanted rows is full");

const uint32_t ksda_i_attacker_count = ATTACKERS;

const ksda_attacker_row *ksda_attacker_info(ksda_attacker_id id) {
    return (unsigned)id < ATTACKERS ? &ksda_i_attackers[id].info : NULL;
}

const char *ksda_attacker_id_name(ksda_attacker_id id) {
    return (unsigned)id < ATTACKERS ? ksda_i_attackers[id].info.name : NULL;
}

int ksda_attacker_id_from_name(const char *name, ksda_attacker_id *out) {
    uint32_t i = 0;
    while (i < ATTACKERS && strcmp(ksda_i_attackers[i].info.name, name) != 0) i++;
    if (i < ATTACKERS) *out = (ksda_attacker_id)i;
    return i < ATTACKERS;
}
