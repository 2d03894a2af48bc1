/* A plain main for the fuzz targets: runs them on the files and folders given, in the ordinary build and test. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static unsigned long files;

static void replay_file(const char *path, off_t size) {
    FILE *f = fopen(path, "rb");
    uint8_t *data = malloc(size > 0 ? (size_t)size : 1); /* exact, so that reading beyond the end is seen */
    if (!f || !data || fread(data, 1, (size_t)size, f) != (size_t)size) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    fclose(f);
    fprintf(stderr, "%s\n", path); /* the last one told is the one that fails */
    LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    files++;
}

static void replay(const char *path) {
    struct stat st;
    if (stat(path, &st) != 0) {
        fprintf(stderr, "%s: not there\n", path);
        exit(1);
    }
    if (!S_ISDIR(st.st_mode)) {
        replay_file(path, st.st_size);
        return;
    }
    struct dirent **entry;
    int count = scandir(path, &entry, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char inner[4096];
        snprintf(inner, sizeof inner, "%s/%s", path, entry[i]->d_name);
        if (entry[i]->d_name[0] != '.') replay(inner);
        free(entry[i]);
    }
    free(entry);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) replay(argv[i]);
    printf("%lu inputs\n", files);
    ksda_ctx_free(fuzz_ctx());
    return files == 0;
}
