/* No process is started unless the caller allows it: neither by the default method nor by the exact ones. Where one is,
 * it can have memory, whatever other threads do in that moment and whatever the allocator does with its lock. */
#include "context.h"
#include "random_graph.h"

#include "core/parallel.h"
#include "core/sort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <ksda/ksda.h>

/* Children that were waited for leave their page faults behind. */
static long children(void) {
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &usage), 0);
    return usage.ru_minflt;
}

static void run_everything(ksda_ctx *ctx, const ksda_network *net, int split) {
    ksda_anonymize_options options;
    ksda_optimal_options exact;
    ksda_optimal_result result = KSDA_INIT(ksda_optimal_result);
    ksda_edits *edits;
    ksda_anonymize_options_init(&options), options.k = 2, options.bound_seconds = 0.2;
    ksda_optimal_options_init(&exact), exact.k = 2, exact.split = split;
    ksda_ctx_set_time_limit(ctx, 2);
    assert_true(ksda_anonymize(ctx, net->graph, net->communities, NULL, &options, &edits, NULL) >= 0);
    ksda_edits_free(ctx, edits);
    assert_int_equal(ksda_optimal(ctx, net->graph, net->communities, &exact, &edits, &result), KSDA_OK);
    if (edits) assert_true(result.bound <= result.objective + 1e-6);
    ksda_edits_free(ctx, edits);
    ksda_ctx_set_time_limit(ctx, 0);
}

static void no_process_behind_the_callers_back(void **state) {
    (void)state;
    ksda_ctx *ctx;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        ksda_network net = KSDA_INIT(ksda_network);
        random_network(ctx, seed, 24, 0.25, 2 + (uint32_t)(seed % 3), &net);
        run_everything(ctx, &net, (int)(seed & 1));
        ksda_network_clear(ctx, &net);
    }
    assert_int_equal(children(), 0);
    ksda_ctx_free(ctx);
}

static void cbc_must_be_allowed(void **state) {
    (void)state;
    ksda_ctx *ctx;
    ksda_network net = KSDA_INIT(ksda_network);
    ksda_optimal_options exact;
    ksda_edits *edits;
    const ksda_solver_info *cbc = ksda_solver(1);
    if (!cbc || !cbc->available) skip();
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    random_network(ctx, 1, 8, 0.4, 2, &net);
    ksda_optimal_options_init(&exact), exact.k = 2, exact.solver = "cbc";
    assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &exact, &edits, NULL), KSDA_UNSUPPORTED);
    assert_null(edits);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "ksda_ctx_allow_processes"));
    assert_int_equal(children(), 0);
    ksda_ctx_allow_processes(ctx, 1);
    assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &exact, &edits, NULL), KSDA_OK);
    assert_true(children() > 0);
    ksda_edits_free(ctx, edits);
    ksda_network_clear(ctx, &net);
    ksda_ctx_free(ctx);
}

/* --- an allocator that does not know of fork() -------------------------------------------------------------------- */

static pthread_mutex_t locked = PTHREAD_MUTEX_INITIALIZER;

static void *locked_malloc(void *payload, size_t size) {
    (void)payload;
    pthread_mutex_lock(&locked);
    void *block = malloc(size);
    pthread_mutex_unlock(&locked);
    return block;
}
static void *locked_realloc(void *payload, void *block, size_t size) {
    (void)payload;
    pthread_mutex_lock(&locked);
    block = realloc(block, size);
    pthread_mutex_unlock(&locked);
    return block;
}
static void locked_free(void *payload, void *block) {
    (void)payload;
    pthread_mutex_lock(&locked);
    free(block);
    pthread_mutex_unlock(&locked);
}

typedef struct neighbour {
    ksda_ctx *ctx;
    atomic_int stop;
} neighbour;

/* Another thread, in the allocator most of the time. */
static void *allocate_all_the_time(void *data) {
    neighbour *n = data;
    while (!atomic_load(&n->stop))
        for (int i = 0; i < 100; i++) {
            void *block = ksda_i_malloc(n->ctx, 1000, 1);
            block = ksda_i_realloc(n->ctx, block, 3000, 1);
            ksda_i_free(n->ctx, block);
        }
    return NULL;
}

/* In the child: memory in every way; SIGALRM ends it where it waits for ever. */
_Noreturn static void have_memory(ksda_ctx *ctx) {
    alarm(60);
    for (int i = 0; i < 100; i++) {
        void *block = ksda_i_realloc(ctx, ksda_i_calloc(ctx, 10, 10), 1000, 10);
        if (!block) _exit(1);
        ksda_i_free(ctx, block);
    }
    _exit(0);
}

static void a_child_can_have_memory(void **state) {
    (void)state;
    const ksda_allocator allocator = {locked_malloc, locked_realloc, locked_free, NULL};
    neighbour n = {0};
    ksda_ctx *ctx;
    pthread_t thread;
    assert_int_equal(ksda_ctx_new(&allocator, &ctx), KSDA_OK);
    assert_int_equal(ksda_i_ctx_child(ctx, &n.ctx), KSDA_OK);
    assert_int_equal(pthread_create(&thread, NULL, allocate_all_the_time, &n), 0);
    for (int i = 0; i < 200; i++) {
        int status;
        pid_t pid = ksda_i_fork();
        if (pid == 0) have_memory(ctx);
        assert_true(pid > 0);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(status, 0);
    }
    atomic_store(&n.stop, 1);
    pthread_join(thread, NULL);
    ksda_ctx_free(n.ctx);
    ksda_ctx_free(ctx);
}

/* --- no fork while a thread sorts or ends ------------------------------------------------------------------------- */

#ifdef __SANITIZE_ADDRESS__
#define THREADS_ALLOCATE true
#else
#define THREADS_ALLOCATE false /* threads of a loop need not care: see core/parallel.c */
#endif

static atomic_int busy, forks, forks_while_busy, stop_forking;

static void *fork_all_the_time(void *data) {
    (void)data;
    while (!atomic_load(&stop_forking)) {
        int status = 0;
        pid_t pid = ksda_i_fork();
        if (pid == 0) _exit(atomic_load(&busy)); /* as it was in that moment */
        if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) atomic_fetch_add(&forks_while_busy, 1);
        atomic_fetch_add(&forks, 1);
    }
    return NULL;
}

static void be_busy(useconds_t microseconds) {
    atomic_fetch_add(&busy, 1);
    usleep(microseconds);
    atomic_fetch_sub(&busy, 1);
}

static int ascending_slowly(const void *a, const void *b) {
    be_busy(50);
    return *(const int *)a - *(const int *)b;
}

static pthread_key_t at_end;

static void take_long_to_end(void *data) {
    (void)data;
    be_busy(5000);
}

static void end_busily(void *data) {
    pthread_setspecific(at_end, data);
}

static void end_busily_too(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    (void)begin, (void)end;
    if (thread > 0) end_busily(data);
}

static void nobody_forks_while_a_thread_sorts_or_ends(void **state) {
    (void)state;
    ksda_ctx *ctx;
    pthread_t thread;
    int list[300];
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    ksda_ctx_set_threads(ctx, 3);
    assert_int_equal(pthread_key_create(&at_end, take_long_to_end), 0);
    assert_int_equal(pthread_create(&thread, NULL, fork_all_the_time, NULL), 0);
    while (atomic_load(&forks) < 5) {
        for (int i = 0; i < 300; i++) list[i] = (i * 7919) % 300;
        ksda_i_sort_by(list, 300, sizeof *list, ascending_slowly);
        for (int i = 0; i < 300; i++) assert_int_equal(list[i], i);
    }
    while (atomic_load(&forks) < 40) {
        ksda_i_beside b;
        ksda_i_beside_begin(ctx, end_busily, ctx, &b);
        ksda_i_beside_finish(ctx, &b, true);
        if (THREADS_ALLOCATE) ksda_i_parallel(ctx, 3, 1, end_busily_too, ctx);
    }
    atomic_store(&stop_forking, 1);
    pthread_join(thread, NULL);
    pthread_key_delete(at_end);
    assert_int_equal(atomic_load(&forks_while_busy), 0);
    ksda_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_process_behind_the_callers_back),
        cmocka_unit_test(cbc_must_be_allowed),
        cmocka_unit_test(a_child_can_have_memory),
        cmocka_unit_test(nobody_forks_while_a_thread_sorts_or_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
