/* Several files replaced together. One rename is atomic, several are not: the old files keep a second name until all
 * new ones are in place and on the disk, and come back when anything fails.
 *
 *   link TARGET to TARGET.ksda-old, for all that exist; sync the folders
 *   rename TEMPORARY to TARGET, one after the other; sync the folders
 *   remove TARGET.ksda-old
 *
 * A single file needs none of this but the rename. */
#include "io/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENDING ".ksda-old"

bool ksda_i_old_name(const char *target, char old[PATH_MAX]) {
    const char *slash = strrchr(target, '/'), *last = slash ? slash + 1 : target;
    if (strlen(last) + sizeof ENDING - 1 > NAME_MAX || strlen(target) + sizeof ENDING > PATH_MAX) return false;
    snprintf(old, PATH_MAX, "%s" ENDING, target);
    return true;
}

/* --- folders ------------------------------------------------------------------------------------------------------ */

static size_t folder_of(const char *target, char folder[PATH_MAX]) {
    const char *slash = strrchr(target, '/');
    size_t length = slash ? (size_t)(slash - target) + 1 : 0;
    snprintf(folder, PATH_MAX, "%.*s", slash ? (int)length : 1, slash ? target : ".");
    return length;
}

/* A rename must survive a power cut too. Not every file system can promise that, and not every folder may be read. */
static int sync_folder(const char *target) {
    char folder[PATH_MAX];
    folder_of(target, folder);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), error = 0;
    if (fd < 0) return errno == EACCES ? 0 : errno;
    if (fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS) error = errno;
    close(fd);
    return error;
}

/* Each folder once: files of one command mostly share theirs. */
static int sync_folders(const ksda_i_replacement *file, size_t count, size_t *at) {
    char folder[PATH_MAX], other[PATH_MAX];
    for (size_t i = 0; i < count; i++) {
        bool seen = false;
        folder_of(file[i].target, folder);
        for (size_t j = 0; j < i && !seen; j++) folder_of(file[j].target, other), seen = strcmp(folder, other) == 0;
        int error = seen ? 0 : sync_folder(file[i].target);
        *at = i;
        if (error) return error;
    }
    return 0;
}

/* --- one file ----------------------------------------------------------------------------------------------------- */

static bool no_links_here(int error) {
    return error == EPERM || error == EOPNOTSUPP || error == ENOSYS || error == EMLINK;
}

static int keep_old(ksda_i_replacement *f) {
    char old[PATH_MAX];
    struct stat st;
    int error = 0;
    if (lstat(f->target, &st) != 0) return errno == ENOENT ? 0 : errno;
    if (!S_ISREG(st.st_mode))
        return S_ISDIR(st.st_mode) ? EISDIR : EEXIST; /* it was another when the output was opened */
    if (!ksda_i_old_name(f->target, old)) return ENAMETOOLONG;
    if (lstat(old, &st) == 0) return EEXIST;
    if (link(f->target, old) != 0) error = errno;
    if (error && no_links_here(error)) {
        error = rename(f->target, old) != 0 ? errno : 0;
        f->aside = error == 0;
    }
    if (error == 0) memcpy(f->old, old, sizeof old);
    return error;
}

/* What fails here stays to be told: placed and old say it. */
static void put_back(ksda_i_replacement *f) {
    if (f->old[0] && (f->placed || f->aside)) {
        if (rename(f->old, f->target) != 0) return;
        f->placed = f->aside = false;
        f->old[0] = '\0';
    } else if (f->old[0]) {
        if (unlink(f->old) == 0) f->old[0] = '\0';
    } else if (f->placed && (unlink(f->target) == 0 || rename(f->target, f->temporary) == 0)) { /* or a folder */
        f->placed = false;
    }
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

static int keep_all(ksda_i_replacement *file, size_t count, size_t *at) {
    int error = 0;
    bool any = false;
    for (size_t i = 0; i < count && error == 0; i++) {
        *at = i;
        error = keep_old(&file[i]);
        any = any || file[i].old[0];
    }
    return error || !any ? error : sync_folders(file, count, at);
}

static int place_all(ksda_i_replacement *file, size_t count, size_t *at) {
    for (size_t i = 0; i < count; i++) {
        *at = i;
        if (rename(file[i].temporary, file[i].target) != 0) return errno;
        file[i].placed = true;
    }
    return sync_folders(file, count, at);
}

static int drop_all(ksda_i_replacement *file, size_t count, size_t *at) {
    int error = 0;
    for (size_t i = 0; i < count; i++) {
        if (!file[i].old[0]) continue;
        if (unlink(file[i].old) == 0)
            file[i].old[0] = '\0';
        else if (error == 0)
            error = errno, *at = i;
    }
    return error;
}

int ksda_i_replace(ksda_i_replacement *files, size_t count, size_t *at) {
    sigset_t all, before;
    int error = 0;
    *at = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    if (count > 1) error = keep_all(files, count, at);
    if (error == 0) error = place_all(files, count, at);
    if (error == 0)
        error = drop_all(files, count, at);
    else if (count > 1)
        for (size_t i = count; i-- > 0;) put_back(&files[i]);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}
