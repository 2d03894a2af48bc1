/* record.h: what a publisher needs who must show later what was released, from which files, by what, and what holds. */
#ifndef KSDA_I_RECORD_H
#define KSDA_I_RECORD_H

#include "core/sha256.h"
#include "io/output.h"
#include "report/report.h"

typedef struct ksda_i_record_file {
    char role[64];                   /* the argument or option that names it: "GRAPH", "--map" */
    const char *path;                /* as it was typed */
    bool written;                    /* by the command; else it was read */
    bool published;                  /* may be given away */
    char sha256[KSDA_I_SHA256_TEXT]; /* "": no file that stays, such as a pipe or a network built in */
} ksda_i_record_file;

enum {
    KSDA_I_RECORD_FILES = 32
};

typedef struct ksda_i_record {
    char when[32];      /* UTC */
    const char *commit; /* or NULL */
    int argc;           /* the command line, as it was typed */
    char **argv;
    ksda_i_record_file file[KSDA_I_RECORD_FILES];
    size_t files;
    uint32_t k;
    ksda_share max_share;
    const ksda_graph *original; /* what was cleaned away */
    const json_t *reading;      /* how each file was read, as in reports; or NULL */
    const json_t *unassigned;   /* what became of people without a community, likewise */
    bool overlap;               /* people have several communities: degrees have witnesses instead */
    bool insecure_ids;
    bool read_back; /* recount is of the files; else it is of what was about to be written, for they could not be, */
    bool no_time;   /* or the time limit was over */
    ksda_verification recount;
} ksda_i_record;

/* The section. s: the release, NULL where only the files are known; c: the measures shown, or NULL. A public page tells
 * nothing that helps to undo the release: no command line, seed, method, path, count of changes, or hash of a private
 * file. */
void ksda_i_record_html(const ksda_i_record *r, const ksda_i_summary *s, const ksda_comparison *c, bool public_page,
                        ksda_i_output *out);
/* A page with this section alone, for `verify`. Freed with ksda_free(). */
ksda_status ksda_i_record_page(ksda_ctx *ctx, const ksda_i_record *r, const char *network, char **page);

#endif
