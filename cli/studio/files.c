/* The folder that the studio works in: what is there, and files that are sent to it. Nothing outside of it is read or
 * written, but for a private folder of temporary pages. */
#include "studio.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MOST_FILES = 2000 /* that are listed */
};

bool studio_name_fits(const char *name) {
    size_t length = strlen(name);
    if (length == 0 || length > STUDIO_NAME || *name == '.' || *name == '-') return false;
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f || *c == '/' || *c == '\\') return false;
    return true;
}

bool studio_file_is_there(const studio *s, const char *name) {
    char path[STUDIO_PATH];
    struct stat what;
    if (!studio_name_fits(name)) return false;
    snprintf(path, sizeof path, "%s/%s", s->folder, name);
    return lstat(path, &what) == 0 && S_ISREG(what.st_mode);
}

json_t *studio_files(const studio *s) {
    json_t *list = json_array();
    DIR *folder = opendir(s->folder);
    struct dirent *entry;
    while (folder && json_array_size(list) < MOST_FILES && (entry = readdir(folder))) {
        struct stat what;
        if (!studio_name_fits(entry->d_name) ||
            fstatat(dirfd(folder), entry->d_name, &what, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(what.st_mode))
            continue;
        json_t *name = json_string(entry->d_name);
        if (!name) continue; /* not UTF-8: the page could not name it */
        json_t *file = json_object();
        json_object_set_new(file, "name", name);
        json_object_set_new(file, "size", json_integer((json_int_t)what.st_size));
        json_array_append_new(list, file);
    }
    if (folder) closedir(folder);
    return list;
}

unsigned studio_upload_begin(const studio *s, const char *name, studio_upload *u) {
    char path[STUDIO_PATH];
    *u = (studio_upload){.fd = -1};
    if (!studio_name_fits(name)) return 400;
    snprintf(u->name, sizeof u->name, "%s", name);
    snprintf(path, sizeof path, "%s/%s", s->folder, name);
    if (access(path, F_OK) == 0) return 409;
    if ((size_t)snprintf(u->temporary, sizeof u->temporary, "%s/.ksda-upload-XXXXXX", s->folder) >= sizeof u->temporary)
        return 500;
    u->fd = mkstemp(u->temporary); /* mode 0600 */
    return u->fd < 0 ? 507 : 200;
}

unsigned studio_upload_write(studio_upload *u, const void *data, size_t size) {
    const char *at = data;
    u->size += size;
    if (u->size > STUDIO_UPLOAD) return 413;
    while (size > 0) {
        ssize_t n = write(u->fd, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return 507;
        at += n, size -= (size_t)n;
    }
    return 200;
}

/* link() fails where the name is taken meanwhile: nothing is replaced. */
unsigned studio_upload_end(const studio *s, studio_upload *u) {
    char path[STUDIO_PATH];
    unsigned status = 201;
    snprintf(path, sizeof path, "%s/%s", s->folder, u->name);
    if (fsync(u->fd) != 0)
        status = 507;
    else if (link(u->temporary, path) != 0)
        status = errno == EEXIST ? 409 : 507;
    studio_upload_forget(u);
    return status;
}

void studio_upload_forget(studio_upload *u) {
    if (u->fd < 0) return;
    close(u->fd);
    unlink(u->temporary);
    u->fd = -1;
}

bool studio_scratch_make(studio *s) {
    const char *parent = getenv("TMPDIR");
    snprintf(s->scratch, sizeof s->scratch, "%s/ksda-studio-XXXXXX", parent && *parent ? parent : "/tmp");
    return mkdtemp(s->scratch) != NULL; /* mode 0700 */
}

void studio_scratch_remove(const studio *s) {
    DIR *folder = opendir(s->scratch);
    struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder) closedir(folder);
    rmdir(s->scratch);
}
