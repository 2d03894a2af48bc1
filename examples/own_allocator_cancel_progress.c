/* own_allocator_cancel_progress: the library inside a larger program, which has its own memory, shows progress, and
 * wants its best result when somebody loses patience.
 *
 * The idea here: an allocator that counts, a progress callback, ksda_ctx_finish() from another thread, and a time
 * limit. The network is made here, so there is nothing to give. */
#include <ksda/ksda.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* --- memory: called from any thread of the library ---------------------------------------------------------------- */

typedef struct account {
    atomic_long blocks; /* in use */
    atomic_long calls;
} account;

static void *take(void *payload, size_t size) {
    account *a = payload;
    void *block = malloc(size);
    if (block) a->blocks++;
    a->calls++;
    return block;
}
static void *resize(void *payload, void *block, size_t size) {
    account *a = payload;
    void *larger = realloc(block, size);
    if (larger && !block) a->blocks++;
    a->calls++;
    return larger;
}
static void give(void *payload, void *block) {
    account *a = payload;
    a->blocks--;
    free(block);
}

/* --- progress: called in the thread that called the library ------------------------------------------------------- */

typedef struct display {
    const char *stage;
    unsigned reports;
} display;

static int show(const ksda_progress *progress, void *payload) {
    display *d = payload;
    d->reports++;
    if (progress->stage != d->stage) fprintf(stderr, "%s ...\n", progress->stage);
    d->stage = progress->stage;
    return 0; /* anything else would cancel the call */
}

/* --- patience: another thread, which may only ask ----------------------------------------------------------------- */

static void *lose_patience(void *payload) {
    struct timespec a_while = {.tv_sec = 0, .tv_nsec = 300000000};
    nanosleep(&a_while, NULL);
    ksda_ctx_finish(payload); /* the best release so far; ksda_ctx_cancel() would want none */
    return NULL;
}

static ksda_status work(ksda_ctx *ctx) {
    ksda_planted_options size;
    ksda_anonymize_options options;
    ksda_graph *graph = NULL;
    ksda_communities *communities = NULL;
    ksda_publication *made = NULL;
    ksda_planted_options_init(&size);
    ksda_anonymize_options_init(&options);
    options.k = 5;
    ksda_status status = ksda_generate_planted(ctx, &size, &graph, &communities);
    if (status >= 0) status = ksda_publish(ctx, graph, communities, NULL, &options, NULL, &made);
    if (status >= 0)
        printf("%s: %llu edges and %llu vertices were added, verified\n", ksda_status_name(status),
               (unsigned long long)ksda_publication_result(made)->added_edges,
               (unsigned long long)ksda_publication_result(made)->added_vertices);
    ksda_publication_free(ctx, made);
    ksda_communities_free(ctx, communities);
    ksda_graph_free(ctx, graph);
    return status;
}

int main(void) {
    account memory = {0};
    display screen = {NULL, 0};
    ksda_allocator allocator = {take, resize, give, &memory};
    pthread_t clock;
    ksda_ctx *ctx;
    if (ksda_ctx_new(&allocator, &ctx) < 0) return 1;
    ksda_ctx_set_progress(ctx, show, &screen);
    ksda_ctx_set_threads(ctx, 2);
    ksda_ctx_set_time_limit(ctx, 10); /* whichever comes first */
    if (pthread_create(&clock, NULL, lose_patience, ctx) != 0) return 1;
    ksda_status status = work(ctx);
    if (status == KSDA_INTERRUPTED) printf("there was no release yet\n");
    if (status < 0 && status != KSDA_INTERRUPTED) fprintf(stderr, "%s\n", ksda_ctx_error(ctx)->message);
    pthread_join(clock, NULL);
    ksda_ctx_free(ctx);
    printf("%ld blocks were asked for, %ld are left\n", memory.calls, memory.blocks);
    return memory.blocks != 0 || (status < 0 && status != KSDA_INTERRUPTED);
}
