/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/collect_run.h"
#include "cli/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "csguest/error.h"
#include "text/complain.h"

#define PAUSE_NS 20000000 /* between two looks at who gets so much time */
#define GRACE 2		  /* seconds from SIGTERM to SIGKILL */

FILE *csg_collect_create(const char *path, bool append)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (append ? O_APPEND : O_TRUNC), 0600);
	FILE *file = fd < 0 ? NULL : fdopen(fd, append ? "a" : "w");

	if (!file && fd >= 0)
		close(fd);
	return file;
}

int csg_collect_failed(const char *what)
{
	csg_complain("csguest: error: %s: %s\n", what, strerror(errno));
	return -CSG_E_IO;
}

/*
 * The program, while it runs; whether it takes snapshots at SIGUSR2; whether a signal asked it to
 * end, or whatever ran since signals were taken; whether SIGUSR2 has come.
 */
static volatile sig_atomic_t running, snaps, ended, asked, signalled;

/*
 * perf ends a recording well by SIGINT, and we go on.  A terminal sends it to perf as well; who
 * sends it, or SIGTERM, to csguest alone means perf.  perf then ends its workload by SIGTERM, and
 * itself by the signal that this ended with.
 */
static void end_early(int signal)
{
	int kept = errno;

	(void)signal;
	ended = asked = 1;
	if (running > 0)
		kill((pid_t)running, SIGINT);
	errno = kept;
}

/* perf takes a snapshot, if it records in that mode; else SIGUSR2 would end it. */
static void take_snapshot(int signal)
{
	int kept = errno;

	signalled = 1;
	if (running > 0 && snaps)
		kill((pid_t)running, signal);
	errno = kept;
}

void csg_collect_take_signals(struct csg_collect_signals *before)
{
	const struct sigaction early = {.sa_handler = end_early};
	const struct sigaction snapshot = {.sa_handler = take_snapshot};

	asked = 0;
	sigaction(SIGINT, &early, &before->interrupt);
	sigaction(SIGTERM, &early, &before->end);
	sigaction(SIGUSR2, &snapshot, &before->snapshot);
}

void csg_collect_give_signals(const struct csg_collect_signals *before)
{
	sigaction(SIGINT, &before->interrupt, NULL);
	sigaction(SIGTERM, &before->end, NULL);
	sigaction(SIGUSR2, &before->snapshot, NULL);
}

bool csg_collect_asked_to_end(void)
{
	return asked;
}

static void become(const struct csg_collect_step *step, int out)
{
	if (out >= 0)
		dup2(out, STDOUT_FILENO);
	execvp(step->argv[0], step->argv);
	csg_complain("csguest: error: %s: %s\n", step->argv[0], strerror(errno));
	_exit(127);
}

/*
 * Signals wait until it is known whom they are for: the child takes its own once they are its death
 * again, ours reach end_early() when it knows the child.
 */
static pid_t start_program(const struct csg_collect_step *step, int out)
{
	sigset_t signals, before;
	pid_t child;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, &before);
	fflush(NULL);
	ended = signalled = 0;
	snaps = step->snapshots && !step->watched;
	child = fork();
	running = child;
	if (!child) {
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		csg_limits_reset();
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (!child)
		become(step, out);
	return child;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Whether it has ended within this many seconds; what it ended with. */
static bool ends_within(pid_t child, double seconds, int *status)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	double until = now() + seconds;
	pid_t gone;

	while (!(gone = waitpid(child, status, WNOHANG)) || (gone < 0 && errno == EINTR)) {
		if (now() >= until)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

/* False: it was in time, or had no such. */
static bool wait_for(pid_t child, unsigned int patience, int *status)
{
	bool late;

	*status = 0;
	if (!patience) {
		while (waitpid(child, status, 0) < 0 && errno == EINTR)
			;
		return false;
	}
	late = !ends_within(child, patience, status);
	if (late) {
		kill(child, SIGTERM);
		if (!ends_within(child, GRACE, status)) {
			kill(child, SIGKILL);
			while (waitpid(child, status, 0) < 0 && errno == EINTR)
				;
		}
	}
	return late;
}

/* perf answers once it records: until then a signal would be its death, or find nothing. */
static bool is_ready(struct csg_collect_watcher *w)
{
	char answer;

	if (!w->ready && read(w->ack, &answer, 1) > 0) {
		w->ready = true;
		signalled = 0;
	}
	return w->ready;
}

/*
 * SIGUSR2 stops the trace at once, in perf's handler; SIGINT alone would let it go on until perf
 * has written what else there is.  The snapshot that perf takes at its end begins in the first one.
 */
static void take_and_end(pid_t child)
{
	const struct timespec pause = {.tv_nsec = 5 * PAUSE_NS};

	kill(child, SIGUSR2);
	nanosleep(&pause, NULL);
	kill(child, SIGINT);
}

/*
 * perf would write build IDs before it ends, which takes seconds in which nothing is recorded: it
 * is not asked.  It has no workload then.
 */
static void act(pid_t child, struct csg_collect_watcher *w, enum csg_collect_due due)
{
	w->taken = due == CSG_COLLECT_TAKE;
	w->dropped = due == CSG_COLLECT_DROP;
	if (w->taken)
		take_and_end(child);
	else if (w->dropped)
		kill(child, SIGKILL);
}

static int watch(pid_t child, struct csg_collect_watcher *w)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	int status = 0;

	w->ready = w->taken = w->dropped = false;
	if (write(w->control, "ping\n", 5) != 5)
		csg_collect_failed("perf record --control");
	while (!waitpid(child, &status, WNOHANG)) {
		if (!is_ready(w) || ended || w->taken || w->dropped)
			nanosleep(&pause, NULL);
		else
			act(child, w, w->due(w->arg, signalled));
	}
	w->ended = ended;
	return status;
}

/* "xl list" */
static void put_command(const struct csg_collect_step *step)
{
	for (size_t i = 0; i < step->argc; i++)
		csg_complain(i ? " %s" : "%s", step->argv[i]);
}

static enum csg_collect_ran tell_late(const struct csg_collect_step *step)
{
	csg_complain("csguest: error: ");
	put_command(step);
	csg_complain(" did not end within %u seconds\n", step->patience);
	if (step->wants_xenstored)
		csg_complain("         remedy: start xenstored, which it waits for (systemctl "
			     "start xenstored)\n");
	return CSG_COLLECT_RAN_LATE;
}

static enum csg_collect_ran judge(const struct csg_collect_step *step, int status)
{
	if (step->patience && ended)
		return CSG_COLLECT_RAN_ENDED;
	/* Who ends a recording by an interrupt wants it all the same. */
	if (!status || (!step->patience && WIFSIGNALED(status) &&
			(WTERMSIG(status) == SIGINT || (ended && WTERMSIG(status) == SIGTERM))))
		return CSG_COLLECT_RAN_WELL;
	if (step->patience && WIFSIGNALED(status) && WTERMSIG(status) == SIGINT)
		return CSG_COLLECT_RAN_ENDED;
	csg_complain("csguest: error: ");
	if (step->patience)
		put_command(step);
	else
		csg_complain("%s", step->argv[0]);
	csg_complain(" ended with %s %d\n", WIFSIGNALED(status) ? "signal" : "status",
		     WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	return CSG_COLLECT_RAN_BADLY;
}

enum csg_collect_ran csg_collect_run(const struct csg_collect_step *step,
				     struct csg_collect_watcher *watcher)
{
	int status, out = -1;
	pid_t child;
	bool late;

	/* While files were copied, say. */
	if (!step->patience && asked) {
		csg_complain("csguest: error: interrupted before %s recorded\n", step->argv[0]);
		return CSG_COLLECT_RAN_BADLY;
	}
	if (step->file) {
		out = open(step->file,
			   O_WRONLY | O_CREAT | O_CLOEXEC | (step->append ? O_APPEND : O_TRUNC),
			   0600);
		if (out < 0) {
			csg_collect_failed(step->file);
			return CSG_COLLECT_RAN_BADLY;
		}
	}
	child = start_program(step, out);
	if (out >= 0)
		close(out);
	if (child < 0) {
		csg_collect_failed(step->argv[0]);
		return CSG_COLLECT_RAN_BADLY;
	}
	if (step->watched && watcher) {
		status = watch(child, watcher);
		late = false;
	} else {
		late = wait_for(child, step->patience, &status);
	}
	running = 0;
	if (step->watched && watcher && watcher->dropped)
		return CSG_COLLECT_RAN_WELL;
	return late ? tell_late(step) : judge(step, status);
}
