/* faults.h: a command whose calls to the outside fail when told to.
 *
 * The linker sends the calls that the command and the library make (malloc, write, rename, ...) through faults.c
 * (--wrap); those of the C library and of shared libraries among themselves are left alone. */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum fault_kind {
    FAULT_MEMORY, /* allocations, also those of jansson, and of the other libraries where they begin */
    FAULT_FILES   /* all other calls */
} fault_kind;

typedef enum fault_mode {
    FAULT_ONCE,
    FAULT_FOR_GOOD,   /* this call and all later ones of the same function */
    FAULT_EVERYTHING, /* this call and all later ones of the kind */
    FAULT_KILL,       /* no failure: the process is killed before the call */
    FAULT_MODES
} fault_mode;

/* A place in the program that calls, told apart from others by who called it in turn. */
typedef struct fault_site {
    uint64_t place; /* hash of the return addresses; 0: none */
    long first;     /* its first call */
} fault_site;

enum {
    FAULT_SITES = 1 << 16
};

/* Shared between the process that fails and the one that watches. */
typedef struct fault_plan {
    fault_kind kind;
    fault_mode mode;
    long at; /* 1 is the first call; 0: none fails */
    atomic_long calls;
    char function[32]; /* of call `at`, */
    void *caller[12];  /* and whence it came */
    int callers;
    bool watch; /* where do calls come from? */
    atomic_flag busy;
    fault_site site[FAULT_SITES]; /* by place */
} fault_plan;

/* Calls are counted, and fail, from now on. */
void faults_begin(fault_plan *plan);

#endif
