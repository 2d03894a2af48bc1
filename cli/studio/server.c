/* Who may ask, and what is answered.
 *
 * The server listens on the loopback address only. That keeps other machines out, but not other pages of the same
 * browser, nor other people on the same machine. So every request must name this very address as its Host (a name that
 * was rebound to 127.0.0.1 is another one), must come from no other origin, and must carry a secret: in the address
 * that the command prints, once, and from then on in a cookie that no script can read and no other site can send.
 * Answers allow the page its own files and nothing else: no inline script, nothing from the network. */
#include "studio.h"

#include <microhttpd.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <errno.h>
#include <time.h>
#include <unistd.h>

extern const char studio_page[], studio_style[], studio_script[];

#define POLICY                                                                                                         \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src "    \
    "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/* A report has its style inside and may stand in the page; it has no script, and would not be let to run one. */
#define REPORT_POLICY                                                                                                  \
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "              \
    "frame-ancestors 'self'"

enum {
    MOST_CONNECTIONS = 256,
    IDLE_SECONDS = 20, /* a client that says nothing for so long is gone */
    EVENT_SECONDS = 8  /* between signs of life */
};

/* What is known of a request between the calls for its parts. */
typedef struct request {
    bool upload;
    unsigned status; /* of the upload so far */
    studio_upload file;
    char *body;
    size_t size;
} request;

/* --- answers ------------------------------------------------------------------------------------------------------ */

static void safe_headers(struct MHD_Response *r, const char *type, const char *policy) {
    MHD_add_response_header(r, "Content-Type", type);
    MHD_add_response_header(r, "Content-Security-Policy", policy);
    MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(r, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(r, "Cross-Origin-Resource-Policy", "same-origin");
    MHD_add_response_header(r, "Cross-Origin-Opener-Policy", "same-origin");
    MHD_add_response_header(r, "Cache-Control", "no-store");
}

static enum MHD_Result answer(struct MHD_Connection *c, unsigned status, const char *type, const char *text) {
    struct MHD_Response *r = MHD_create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_MUST_COPY);
    if (!r) return MHD_NO;
    safe_headers(r, type, POLICY);
    enum MHD_Result result = MHD_queue_response(c, status, r);
    MHD_destroy_response(r);
    return result;
}

static enum MHD_Result refuse(struct MHD_Connection *c, unsigned status, const char *why) {
    char text[512];
    json_t *object = json_pack("{s:s}", "problem", why);
    char *json = object ? json_dumps(object, JSON_COMPACT) : NULL;
    snprintf(text, sizeof text, "%s", json ? json : "{}");
    json_decref(object);
    free(json);
    return answer(c, status, "application/json", text);
}

static enum MHD_Result answer_json(struct MHD_Connection *c, unsigned status, json_t *object) {
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    enum MHD_Result result = text ? answer(c, status, "application/json", text) : refuse(c, 500, "out of memory");
    json_decref(object);
    free(text);
    return result;
}

/* --- who may ask -------------------------------------------------------------------------------------------------- */

static const char *header(struct MHD_Connection *c, const char *name) {
    return MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
}

static bool is_this_host(const studio *s, const char *host) {
    char one[64], two[64];
    snprintf(one, sizeof one, "127.0.0.1:%u", s->port);
    snprintf(two, sizeof two, "localhost:%u", s->port);
    return host && (strcmp(host, one) == 0 || strcmp(host, two) == 0);
}

static bool is_this_origin(const studio *s, const char *origin) {
    return strncmp(origin, "http://", 7) == 0 && is_this_host(s, origin + 7);
}

/* Compares all letters, whatever the first one is. */
static bool is_token(const studio *s, const char *text) {
    unsigned different = 0;
    if (!text || strlen(text) != STUDIO_TOKEN) return false;
    for (int i = 0; i < STUDIO_TOKEN; i++) different |= (unsigned)(text[i] ^ s->token[i]);
    return different == 0;
}

static void cookie_name(const studio *s, char *name, size_t size) {
    snprintf(name, size, "ksda-%u", s->port); /* cookies are shared by all ports of a host */
}

/* NULL: he may; else why not. */
static const char *objection(const studio *s, struct MHD_Connection *c, bool with_token) {
    const char *origin = header(c, "Origin"), *site = header(c, "Sec-Fetch-Site");
    char name[32];
    cookie_name(s, name, sizeof name);
    if (!is_this_host(s, header(c, "Host"))) return "this address is not the one that ksda studio printed";
    if (origin && !is_this_origin(s, origin)) return "the request comes from another page";
    if (site && strcmp(site, "cross-site") == 0 && !with_token) return "the request comes from another site";
    if (with_token || is_token(s, MHD_lookup_connection_value(c, MHD_COOKIE_KIND, name))) return NULL;
    return "the secret is missing: open the address that ksda studio printed";
}

/* The first request brings the secret in the address; it moves to a cookie and leaves the address. */
static enum MHD_Result let_in(const studio *s, struct MHD_Connection *c) {
    char name[32], cookie[128];
    struct MHD_Response *r = MHD_create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT);
    if (!r) return MHD_NO;
    cookie_name(s, name, sizeof name);
    snprintf(cookie, sizeof cookie, "%s=%s; HttpOnly; SameSite=Strict; Path=/", name, s->token);
    safe_headers(r, "text/plain", POLICY);
    MHD_add_response_header(r, "Set-Cookie", cookie);
    MHD_add_response_header(r, "Location", "/");
    enum MHD_Result result = MHD_queue_response(c, 303, r);
    MHD_destroy_response(r);
    return result;
}

/* --- the state, and news of it ------------------------------------------------------------------------------------ */

static json_t *state_of(const studio *s) {
    json_t *object = json_object();
    json_object_set_new(object, "schema", json_integer(1));
    json_object_set_new(object, "version", json_integer((json_int_t)s->version));
    json_object_set_new(object, "ksda", json_string(ksda_version()));
    json_object_set_new(object, "folder", json_string(s->folder));
    json_object_set_new(object, "running", *s->running ? json_string(s->running) : json_null());
    json_object_set_new(object, "progress", json_string(s->progress));
    json_object_set_new(object, "seconds", json_real(s->child > 0 ? cli_now() - s->since : 0));
    json_object_set_new(object, "steps", json_deep_copy(s->step));
    json_object_set_new(object, "files", studio_files(s));
    return object;
}

typedef struct events {
    studio *s;
    uint64_t seen;
} events;

/* Wait for a change, and tell its number: the page then asks for the state. */
static ssize_t next_event(void *data, uint64_t position, char *buffer, size_t most) {
    events *e = data;
    struct timespec until;
    int waited = 0, length;
    (void)position;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += EVENT_SECONDS;
    pthread_mutex_lock(&e->s->lock);
    while (e->s->version == e->seen && !e->s->stopping && waited != ETIMEDOUT)
        waited = pthread_cond_timedwait(&e->s->changed, &e->s->lock, &until);
    bool stopping = e->s->stopping, news = e->s->version != e->seen;
    e->seen = e->s->version;
    pthread_mutex_unlock(&e->s->lock);
    if (stopping) return MHD_CONTENT_READER_END_OF_STREAM;
    length =
        news ? snprintf(buffer, most, "data: %llu\n\n", (unsigned long long)e->seen) : snprintf(buffer, most, ":\n\n");
    return length < (int)most ? length : (ssize_t)MHD_CONTENT_READER_END_WITH_ERROR;
}

static enum MHD_Result stream_events(studio *s, struct MHD_Connection *c) {
    events *e = calloc(1, sizeof *e);
    struct MHD_Response *r = e ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 256, next_event, e, free) : NULL;
    if (!r) {
        free(e);
        return MHD_NO;
    }
    e->s = s;
    safe_headers(r, "text/event-stream", POLICY);
    enum MHD_Result result = MHD_queue_response(c, 200, r);
    MHD_destroy_response(r);
    return result;
}

/* --- pages -------------------------------------------------------------------------------------------------------- */

/* The page that a step has written. */
static enum MHD_Result send_page(studio *s, struct MHD_Connection *c, const char *step) {
    char path[STUDIO_PATH] = "";
    struct stat what;
    pthread_mutex_lock(&s->lock);
    const char *known = json_string_value(json_object_get(json_object_get(s->step, step), "page"));
    if (known) snprintf(path, sizeof path, "%s", known);
    pthread_mutex_unlock(&s->lock);
    int fd = *path ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (fd < 0 || fstat(fd, &what) != 0) {
        if (fd >= 0) close(fd);
        return refuse(c, 404, "there is no such page");
    }
    struct MHD_Response *r = MHD_create_response_from_fd64((uint64_t)what.st_size, fd);
    if (!r) {
        close(fd);
        return MHD_NO;
    }
    safe_headers(r, "text/html; charset=utf-8", REPORT_POLICY);
    enum MHD_Result result = MHD_queue_response(c, 200, r);
    MHD_destroy_response(r);
    return result;
}

/* All commands that were run, as a script. */
static enum MHD_Result send_script(studio *s, struct MHD_Connection *c) {
    char *text = NULL;
    size_t size, i;
    json_t *line;
    FILE *out = open_memstream(&text, &size);
    if (!out) return refuse(c, 500, "out of memory");
    fputs("#!/bin/sh\n# What was done in ksda studio, command by command.\nset -e\n", out);
    pthread_mutex_lock(&s->lock);
    fputs("cd '", out);
    for (const char *p = s->folder; *p; p++) *p == '\'' ? (void)fputs("'\\''", out) : (void)fputc(*p, out);
    fputs("'\n", out);
    json_array_foreach(s->order, i, line) fprintf(out, "%s\n", json_string_value(line));
    pthread_mutex_unlock(&s->lock);
    fclose(out);
    enum MHD_Result result = answer(c, 200, "text/plain; charset=utf-8", text);
    free(text);
    return result;
}

static enum MHD_Result answer_get(studio *s, struct MHD_Connection *c, const char *url) {
    if (strcmp(url, "/") == 0) return answer(c, 200, "text/html; charset=utf-8", studio_page);
    if (strcmp(url, "/studio.css") == 0) return answer(c, 200, "text/css; charset=utf-8", studio_style);
    if (strcmp(url, "/studio.js") == 0) return answer(c, 200, "text/javascript; charset=utf-8", studio_script);
    if (strcmp(url, "/api/events") == 0) return stream_events(s, c);
    if (strcmp(url, "/api/script") == 0) return send_script(s, c);
    if (strncmp(url, "/page/", 6) == 0) return send_page(s, c, url + 6);
    if (strcmp(url, "/api/state") != 0) return refuse(c, 404, "there is nothing here");
    pthread_mutex_lock(&s->lock);
    enum MHD_Result result = answer_json(c, 200, state_of(s));
    pthread_mutex_unlock(&s->lock);
    return result;
}

/* --- what changes something --------------------------------------------------------------------------------------- */

static enum MHD_Result run_step(studio *s, struct MHD_Connection *c, const request *q) {
    char problem[256] = "";
    pthread_mutex_lock(&s->lock);
    json_t *body = q->body ? json_loadb(q->body, q->size, 0, NULL) : NULL;
    const char *step = json_string_value(json_object_get(body, "step"));
    const json_t *choice = json_object_get(body, "choice");
    unsigned status = step && json_is_object(choice) ? studio_run(s, step, choice, problem) : 400;
    enum MHD_Result result = status == 202 ? answer(c, 202, "application/json", "{}")
                                           : refuse(c, status, *problem ? problem : "the request makes no sense");
    json_decref(body);
    pthread_mutex_unlock(&s->lock);
    return result;
}

static enum MHD_Result answer_post(studio *s, struct MHD_Connection *c, const char *url, const request *q) {
    if (strcmp(url, "/api/run") == 0) return run_step(s, c, q);
    if (strcmp(url, "/api/cancel") == 0 || strcmp(url, "/api/stop") == 0) {
        pthread_mutex_lock(&s->lock);
        studio_cancel(s);
        if (strcmp(url, "/api/stop") == 0) s->stopping = true, studio_touch(s);
        pthread_mutex_unlock(&s->lock);
        return answer(c, 202, "application/json", "{}");
    }
    return refuse(c, 404, "there is nothing here");
}

static const char *upload_words(unsigned status) {
    switch (status) {
    case 400: return "a file needs a plain name, without folders";
    case 409: return "a file of that name is there already; choose it from the list, or rename one of them";
    case 411: return "the length of the file is missing";
    case 413: return "the file is larger than 512 MiB: put it into the folder and choose it from the list";
    default: return "the file could not be written: is the disk full?";
    }
}

static enum MHD_Result end_upload(studio *s, struct MHD_Connection *c, request *q) {
    if (q->status == 200) q->status = studio_upload_end(s, &q->file);
    studio_upload_forget(&q->file);
    if (q->status != 201) return refuse(c, q->status, upload_words(q->status));
    pthread_mutex_lock(&s->lock);
    studio_touch(s);
    pthread_mutex_unlock(&s->lock);
    return answer(c, 201, "application/json", "{}");
}

/* --- a request, part by part -------------------------------------------------------------------------------------- */

/* The headers are there. An answer now is one without looking at the rest. */
static enum MHD_Result begin_request(studio *s, struct MHD_Connection *c, const char *url, const char *method,
                                     void **state) {
    const char *token = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "token");
    bool with_token = strcmp(method, "GET") == 0 && strcmp(url, "/") == 0 && is_token(s, token);
    const char *why = objection(s, c, with_token), *length = header(c, "Content-Length");
    if (why) return refuse(c, 403, why);
    if (with_token) return let_in(s, c);
    request *q = calloc(1, sizeof *q);
    if (!q) return MHD_NO;
    *state = q;
    q->file.fd = -1;
    if (strcmp(method, "PUT") == 0 && strncmp(url, "/api/files/", 11) == 0) {
        q->upload = true;
        if (!length) return refuse(c, 411, upload_words(411));
        if (strtoull(length, NULL, 10) > STUDIO_UPLOAD) return refuse(c, 413, upload_words(413));
        q->status = studio_upload_begin(s, url + 11, &q->file);
        if (q->status != 200) return refuse(c, q->status, upload_words(q->status));
    }
    if (length && !q->upload && strtoull(length, NULL, 10) > STUDIO_BODY)
        return refuse(c, 413, "the request is too long");
    return MHD_YES;
}

static bool add_part(request *q, const char *data, size_t size) {
    if (q->upload) {
        if (q->status == 200) q->status = studio_upload_write(&q->file, data, size);
        return true;
    }
    char *larger = q->size + size <= STUDIO_BODY ? realloc(q->body, q->size + size) : NULL;
    if (!larger) return false;
    memcpy(larger + q->size, data, size);
    q->body = larger, q->size += size;
    return true;
}

static enum MHD_Result handle(void *data, struct MHD_Connection *c, const char *url, const char *method,
                              const char *version, const char *part, size_t *size, void **state) {
    studio *s = data;
    (void)version;
    if (!*state) return begin_request(s, c, url, method, state);
    request *q = *state;
    if (*size) {
        if (!add_part(q, part, *size)) return MHD_NO;
        *size = 0;
        return MHD_YES;
    }
    if (q->upload) return end_upload(s, c, q);
    if (strcmp(method, "GET") == 0) return answer_get(s, c, url);
    if (strcmp(method, "POST") == 0) return answer_post(s, c, url, q);
    return refuse(c, 405, "only GET, POST and PUT are understood");
}

static void forget(void *data, struct MHD_Connection *c, void **state, enum MHD_RequestTerminationCode code) {
    request *q = *state;
    (void)data, (void)c, (void)code;
    if (!q) return;
    studio_upload_forget(&q->file);
    free(q->body);
    free(q);
}

/* --- life --------------------------------------------------------------------------------------------------------- */

static void stop_everything(studio *s) {
    pthread_mutex_lock(&s->lock);
    s->stopping = true;
    while (s->child > 0 && s->stops < 3)
        studio_cancel(s); /* nothing half-written: ksda cleans up when it is asked to */
    bool joinable = s->joinable;
    studio_touch(s);
    pthread_mutex_unlock(&s->lock);
    if (joinable) pthread_join(s->runner, NULL);
}

/* A socket that listens on this port of the loopback, 0 for any; *port is the one it has. -1 and errno where there is
 * none. The port is known before the first request can come, which is judged by it. */
static int listen_on(unsigned *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
    socklen_t size = sizeof address;
    int yes = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return -1;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, SOMAXCONN) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) != 0) {
        int error = errno;
        close(listener);
        errno = error;
        return -1;
    }
    *port = ntohs(address.sin_port);
    return listener;
}

static struct MHD_Daemon *start_daemon(studio *s, unsigned port) {
    s->port = port;
    int listener = listen_on(&s->port);
    struct MHD_Daemon *daemon =
        listener < 0 ? NULL
                     : MHD_start_daemon(MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL,
                                        handle, s, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT,
                                        MOST_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, IDLE_SECONDS,
                                        MHD_OPTION_NOTIFY_COMPLETED, forget, NULL, MHD_OPTION_END);
    if (daemon) return daemon;
    if (port)
        cli_error("port %u cannot be listened on: %s; another one can be had by --port", port, strerror(errno));
    else
        cli_error("no port can be listened on: %s", strerror(errno));
    if (listener >= 0) close(listener);
    return NULL;
}

int studio_serve(studio *s, unsigned port, bool (*stop)(void *payload), void *payload,
                 void (*ready)(const studio *s, void *payload)) {
    struct MHD_Daemon *daemon = start_daemon(s, port);
    if (!daemon) return CLI_FAILURE;
    ready(s, payload);
    for (bool over = false; !over;) {
        struct timespec moment = {.tv_nsec = 100000000};
        nanosleep(&moment, NULL);
        pthread_mutex_lock(&s->lock);
        over = s->stopping;
        pthread_mutex_unlock(&s->lock);
        over = over || stop(payload);
    }
    stop_everything(s);
    MHD_stop_daemon(daemon);
    return CLI_OK;
}
