/* child.h: what solvers and METIS, in a process of their own, have in common. */
#ifndef KSDA_I_CHILD_H
#define KSDA_I_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* In the child, first of all: it dies with its parent, leaves no core file, which would hold the network, ends silently
 * where it fails, and prints to `log`, or nowhere where that is negative. */
void ksda_i_child_begin(int log);
/* All of it, to a pipe or a socket; false where the other side is gone. */
bool ksda_i_write_all(int fd, const void *data, size_t size);
/* Wait so long for something that the child says to the other end of the socket: how many bytes came, none yet (0), or
 * none ever (-1), since it has ended. */
ssize_t ksda_i_child_read(pid_t pid, int fd, void *data, size_t size, int milliseconds);
/* Wait so long until the child takes something at the other end of the socket: how many bytes, and so on, likewise. */
ssize_t ksda_i_child_write(pid_t pid, int fd, const void *data, size_t size, int milliseconds);
/* Has the child ended? A process that another thread has forked may hold a pipe open, so its end is not all that is
 * looked at. */
bool ksda_i_child_ended(pid_t pid);
/* End it, if it has not ended by itself, and see it off; returns what waitpid() says of it. */
int ksda_i_child_finish(pid_t pid, bool end);

#endif
