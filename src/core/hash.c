/* The key of the hash functions. */
#include "core/hash.h"

#include "core/random.h"

#include <errno.h>
#include <sys/random.h>
#include <time.h>

void ksda_i_hash_key_draw(ksda_i_hash_key *key) {
    size_t have = 0;
    while (have < sizeof *key) {
        ssize_t got = getrandom((char *)key + have, sizeof *key - have, GRND_NONBLOCK);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        have += (size_t)got;
    }
    if (have == sizeof *key) return;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    key->word[0] = ksda_i_mix((uint64_t)now.tv_nsec ^ (uint64_t)(uintptr_t)key);
    key->word[1] = ksda_i_mix(key->word[0] ^ (uint64_t)now.tv_sec);
}
