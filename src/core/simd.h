/* simd.h: kernels that are compiled twice, for any machine and for AVX2, and chosen when they run.
 *
 * A kernel is written once, as an always-inline function over 32-byte vectors (a compiler extension that GCC and Clang
 * turn into whatever the target has). Both copies do the same operations in the same order, without fused multiply-add,
 * so their results are the same to the bit. */
#ifndef KSDA_I_SIMD_H
#define KSDA_I_SIMD_H

#include "core/ctx.h"

#define KSDA_I_INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define KSDA_I_AVX2 1
#define KSDA_I_TARGET_AVX2 __attribute__((target("avx2,popcnt")))
static inline bool ksda_i_has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
}
#else
#define KSDA_I_AVX2 0
#endif

/* Define NAME(PARAMETERS) so that it runs BODY(ARGUMENTS), compiled for the machine at hand. */
#if KSDA_I_AVX2
#define KSDA_I_KERNEL(NAME, BODY, PARAMETERS, ARGUMENTS)                                                               \
    KSDA_I_TARGET_AVX2 static void NAME##_avx2 PARAMETERS {                                                            \
        BODY ARGUMENTS;                                                                                                \
    }                                                                                                                  \
    static void NAME##_plain PARAMETERS {                                                                              \
        BODY ARGUMENTS;                                                                                                \
    }                                                                                                                  \
    static void NAME PARAMETERS {                                                                                      \
        if (ksda_i_has_avx2())                                                                                         \
            NAME##_avx2 ARGUMENTS;                                                                                     \
        else                                                                                                           \
            NAME##_plain ARGUMENTS;                                                                                    \
    }
#else
#define KSDA_I_KERNEL(NAME, BODY, PARAMETERS, ARGUMENTS)                                                               \
    static void NAME PARAMETERS {                                                                                      \
        BODY ARGUMENTS;                                                                                                \
    }
#endif

/* Memory for count objects that starts on a cache line. *block is what to free. */
static inline void *ksda_i_malloc_lines(ksda_ctx *ctx, uint64_t count, size_t size, void **block) {
    uint64_t bytes = count <= UINT64_MAX / 128 / size ? count * size : UINT64_MAX / 2;
    *block = ksda_i_malloc(ctx, bytes + 64, 1);
    return *block ? (void *)(((uintptr_t)*block + 63) & ~(uintptr_t)63) : NULL;
}

#endif
