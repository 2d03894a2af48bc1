/* sha256.h: SHA-256 (FIPS 180-4) of bytes that come piece by piece. It names files in a record, and makes
 * secret ids of a key (keyed.h). */
#ifndef KSDA_I_SHA256_H
#define KSDA_I_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define KSDA_I_SHA256_BYTES 32
#define KSDA_I_SHA256_TEXT 65 /* 64 digits and the 0 */

typedef struct ksda_i_sha256 {
    uint32_t state[8];
    uint64_t bytes;
    uint8_t block[64]; /* the last bytes % 64 of them */
} ksda_i_sha256;

void ksda_i_sha256_begin(ksda_i_sha256 *hash);
void ksda_i_sha256_add(ksda_i_sha256 *hash, const void *data, size_t size);
/* The hash of what was added so far; more may be added afterwards. */
void ksda_i_sha256_bytes(const ksda_i_sha256 *hash, uint8_t bytes[KSDA_I_SHA256_BYTES]);
/* The same in small hexadecimal digits. */
void ksda_i_sha256_text(const ksda_i_sha256 *hash, char text[KSDA_I_SHA256_TEXT]);

#endif
