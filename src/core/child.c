/* Processes for solvers and METIS: fork() without exec, so what they are asked need not be written down, and only what
 * comes back through a pipe or a socket counts. */
#include "core/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

void ksda_i_child_begin(int log) {
    static const int fatal[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    const struct rlimit none = {0, 0};
    int nowhere = open("/dev/null", O_WRONLY);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &none);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) signal(fatal[i], SIG_DFL); /* the caller's are for it */
    if (log >= 0 || nowhere >= 0) dup2(log >= 0 ? log : nowhere, STDOUT_FILENO);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
}

bool ksda_i_write_all(int fd, const void *data, size_t size) {
    const char *p = data;
    while (size > 0) {
        ssize_t n = send(fd, p, size, MSG_NOSIGNAL);
        if (n < 0 && errno == ENOTSOCK) n = write(fd, p, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        p += n, size -= (size_t)n;
    }
    return true;
}

ssize_t ksda_i_child_read(pid_t pid, int fd, void *data, size_t size, int milliseconds) {
    struct pollfd said = {fd, POLLIN, 0};
    if (poll(&said, 1, milliseconds) <= 0 && !ksda_i_child_ended(pid)) return 0;
    ssize_t n = recv(fd, data, size, MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) return 0;
    return n > 0 ? n : -1;
}

ssize_t ksda_i_child_write(pid_t pid, int fd, const void *data, size_t size, int milliseconds) {
    struct pollfd takes = {fd, POLLOUT, 0};
    if (poll(&takes, 1, milliseconds) <= 0 && !ksda_i_child_ended(pid)) return 0;
    ssize_t n = send(fd, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return ksda_i_child_ended(pid) ? -1 : 0;
    return n > 0 ? n : -1;
}

bool ksda_i_child_ended(pid_t pid) {
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
}

int ksda_i_child_finish(pid_t pid, bool end) {
    int state = 0;
    if (end) kill(pid, SIGKILL);
    while (waitpid(pid, &state, 0) < 0 && errno == EINTR) continue;
    return state;
}
