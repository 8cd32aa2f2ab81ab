/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest watch: a flight recorder.  perf keeps the last trace, until something happens. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/collect_watched.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/watch_show.h"
#include "csguest/error.h"
#include "output/interrupt.h"
#include "text/complain.h"
#include "watch/trace_instance.h"
#include "watch/trigger.h"

#define POLL_MS 5
#define MOST_MB 1024
#define PATH 4096

struct watch {
	struct csg_collect_options collect;
	const char *root, *directory, *event, *filter;
	int64_t exit_us, events;
	int64_t most_mb; /* that perf may record beside the trace; 0: as much as it likes */
	bool dry_run;
	char name[PATH]; /* the folder of the next event */
	struct csg_trigger trigger;
	struct csg_trace_instance instance;
	struct csg_cause cause;
	bool marked; /* since perf records */
	unsigned int mark_n;
	int err;
};

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* When perf records: what came before is no cause. */
static int put_mark(struct watch *w)
{
	char mark[CSG_TRIGGER_MARK];

	snprintf(mark, sizeof(mark), "csguest watch %ld %u", (long)getpid(), ++w->mark_n);
	csg_trigger_begin(&w->trigger, mark);
	return csg_trace_instance_mark(&w->instance, mark);
}

/* Lines that have come. */
static bool is_due_by_events(struct watch *w)
{
	char line[CSG_TRACE_INSTANCE_LINE];

	if (!w->marked || w->trigger.again)
		w->err = put_mark(w);
	w->marked = true;
	while (!w->err && w->cause.kind == CSG_CAUSE_NONE &&
	       csg_trace_instance_next(&w->instance, line, sizeof(line))) {
		int ret = csg_trigger_line(&w->trigger, line, now(), &w->cause);

		w->err = ret < 0 ? ret : 0;
	}
	return w->err || w->cause.kind != CSG_CAUSE_NONE ||
	       csg_trigger_wait(&w->trigger, now(), &w->cause);
}

/* What perf has recorded beside the trace: with --kcore perf.data is a folder. */
static int64_t recorded_mb(const struct watch *w)
{
	char path[PATH + 32];
	struct stat st;

	snprintf(path, sizeof(path), "%s/perf.data", w->name);
	if (stat(path, &st))
		return 0;
	snprintf(path, sizeof(path), "%s/perf.data/data", w->name);
	if (S_ISDIR(st.st_mode) && stat(path, &st))
		return 0;
	return st.st_size >> 20;
}

static enum csg_collect_due is_due(void *arg, bool signalled)
{
	struct watch *w = arg;
	struct pollfd pipe = {.fd = w->instance.pipe, .events = POLLIN};

	if (signalled) {
		w->cause = (struct csg_cause){.kind = CSG_CAUSE_SIGNAL};
		return CSG_COLLECT_TAKE;
	}
	poll(&pipe, 1, POLL_MS);
	if (w->instance.pipe >= 0 && is_due_by_events(w))
		return CSG_COLLECT_TAKE;
	return w->most_mb && recorded_mb(w) >= w->most_mb ? CSG_COLLECT_DROP : CSG_COLLECT_GO_ON;
}

/* --- what it listens to --- */

static int open_events(struct watch *w)
{
	char event[CSG_TRACE_EVENT_NAME + 64];
	const char *colon = w->event ? strchr(w->event, ':') : NULL;
	int err;

	w->instance.pipe = -1;
	w->trigger.longest = (uint64_t)w->exit_us * 1000;
	if (w->event && (!colon || !colon[1] || strlen(w->event) >= CSG_TRACE_EVENT_NAME)) {
		csg_complain("csguest: error: --tracepoint %s: no SYSTEM:NAME\n", w->event);
		return -CSG_E_USAGE;
	}
	if (w->filter && !w->event) {
		csg_complain("csguest: error: --filter is for --tracepoint\n");
		return -CSG_E_USAGE;
	}
	if ((!w->event && !w->exit_us) || w->dry_run)
		return 0;
	err = csg_trace_instance_open(&w->instance, w->root);
	if (!err && w->exit_us)
		err = csg_trace_instance_enable(&w->instance, "kvm/kvm_exit", NULL);
	if (!err && w->exit_us)
		err = csg_trace_instance_enable(&w->instance, "kvm/kvm_entry", NULL);
	if (err || !w->event)
		return err;
	w->trigger.event = colon + 1;
	snprintf(event, sizeof(event), "%.*s/%s", (int)(colon - w->event), w->event, colon + 1);
	return csg_trace_instance_enable(&w->instance, event, w->filter);
}

/* --- one recording --- */

static int make_fifo(const char *path, int *fd)
{
	if (mkfifo(path, 0600) && errno != EEXIST)
		return csg_collect_failed(path);
	*fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	return *fd < 0 ? csg_collect_failed(path) : 0;
}

static int record(struct watch *w, struct csg_collect_watcher *watcher)
{
	char control[PATH + 16], ack[PATH + 16], option[2 * PATH + 48];
	int err;

	snprintf(control, sizeof(control), "%s/control", w->name);
	snprintf(ack, sizeof(ack), "%s/control.ack", w->name);
	snprintf(option, sizeof(option), "fifo:%s,%s", control, ack);
	w->collect.control = option;
	watcher->control = watcher->ack = -1;
	err = make_fifo(control, &watcher->control);
	if (!err)
		err = make_fifo(ack, &watcher->ack);
	if (!err)
		err = csg_collect_watched(&w->collect, w->root, false, watcher);
	if (watcher->control >= 0)
		close(watcher->control);
	if (watcher->ack >= 0)
		close(watcher->ack);
	unlink(control);
	unlink(ack);
	w->collect.control = NULL;
	return err;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	return remove(path);
}

static int drop(struct watch *w)
{
	csg_complain(
		"csguest: note: perf starts anew: what it records beside the trace had reached "
		"%" PRId64 " MB\n",
		w->most_mb);
	return nftw(w->name, remove_one, 8, FTW_DEPTH | FTW_PHYS) ? csg_collect_failed(w->name) : 0;
}

/* SIGINT or SIGTERM: perf's, or between two recordings. */
static bool is_over(void)
{
	return csg_collect_asked_to_end() || csg_interrupt_seen();
}

/* Until perf is not to be started anew. */
static int record_again(struct watch *w, struct csg_collect_watcher *watcher)
{
	int err;

	do {
		w->cause.kind = CSG_CAUSE_NONE;
		w->marked = false;
		if (mkdir(w->name, 0700))
			return csg_collect_failed(w->name);
		err = record(w, watcher);
		if (watcher->dropped)
			err = drop(w);
	} while (!err && watcher->dropped && !is_over());
	return err;
}

/* *more: there may be another event. */
static int wait_for_event(struct watch *w, bool *more)
{
	struct csg_collect_watcher watcher = {.due = is_due, .arg = w};
	int err;

	*more = false;
	err = record_again(w, &watcher);
	if (w->err)
		return w->err;
	if (err && err != -CSG_E_NO_TRACE)
		return err;
	if (watcher.dropped) {
		csg_complain("csguest: ended before anything happened\n");
		return 0;
	}
	if (watcher.ended && !watcher.taken) {
		csg_complain(
			"csguest: ended before anything happened; what was recorded last: %s\n",
			w->name);
		return 0;
	}
	if (!watcher.taken && !watcher.ready) {
		csg_complain("csguest: error: perf ended before it recorded\n");
		return -CSG_E_IO;
	}
	if (!watcher.taken)
		w->cause = (struct csg_cause){.kind = CSG_CAUSE_END};
	err = csg_watch_show(w->name, &w->cause);
	*more = watcher.taken && !is_over();
	return err;
}

static int watch(struct watch *w)
{
	bool more = true;
	int err = 0;

	if (mkdir(w->directory, 0700)) {
		csg_complain("csguest: error: %s: %s\n         remedy: name a new folder with -o\n",
			     w->directory, strerror(errno));
		return -CSG_E_IO;
	}
	for (int64_t i = 1; !err && more && i <= w->events; i++) {
		snprintf(w->name, sizeof(w->name), "%s/%" PRId64, w->directory, i);
		err = wait_for_event(w, &more);
	}
	return err;
}

/* A command is perf's workload: it would not survive that perf starts anew. */
static int bound_sideband(struct watch *w)
{
	if (w->most_mb && w->collect.command) {
		csg_complain("csguest: error: --max-sideband is not for a command, which perf ends "
			     "with itself\n");
		return -CSG_E_USAGE;
	}
	if (!w->most_mb && !w->collect.command)
		w->most_mb = MOST_MB;
	return 0;
}

/* What it has opened of tracefs is closed, whatever ends it. */
static int start(struct watch *w)
{
	struct csg_interrupt interrupt;
	int err = bound_sideband(w);

	csg_interrupt_note(&interrupt);
	if (!err)
		err = open_events(w);
	w->collect.directory = w->name;
	snprintf(w->name, sizeof(w->name), "%s/1", w->directory);
	if (!err && w->dry_run)
		err = csg_collect_watched(&w->collect, w->root, true, NULL);
	else if (!err)
		err = watch(w);
	csg_trace_instance_close(&w->instance);
	csg_trigger_fini(&w->trigger);
	csg_interrupt_release(&interrupt);
	return err;
}

int csg_cmd_watch(int argc, char **argv)
{
	struct watch w = {
		.collect = {.role = CSG_COLLECT_HOST,
			    .perf = "perf",
			    .windows = CSG_COLLECT_SNAPSHOT,
			    .kvm_events = true},
		.root = "",
		.directory = "csguest.watch",
		.events = 1,
		.instance = {.pipe = -1},
	};
	const struct csg_option options[] = {
		CSG_OPTION_STRING("output", 'o', "DIR", &w.directory,
				  "new folder for all of it (default: csguest.watch)"),
		CSG_OPTION_NUMBER("exit", 0, "US", &w.exit_us, 1, 3600000000,
				  "keep the trace when an exit of a guest lasts longer than that"),
		CSG_OPTION_STRING("tracepoint", 0, "SYSTEM:NAME", &w.event,
				  "keep it at an event of that tracepoint"),
		CSG_OPTION_STRING("filter", 0, "EXPR", &w.filter,
				  "with --tracepoint: where this holds, as \"prev_pid == 5\""),
		CSG_OPTION_NUMBER("events", 0, "N", &w.events, 1, 1000000,
				  "end after N of them (default: 1)"),
		CSG_OPTION_STRING("aux-size", 0, "SIZE", &w.collect.aux_size,
				  "ring of each CPU, as 16M: how far back the trace reaches"),
		CSG_OPTION_NUMBER("max-sideband", 0, "MB", &w.most_mb, 1, INT64_C(1) << 30,
				  "start perf anew when it has recorded that much beside the trace "
				  "(default: 1024)"),
		CSG_OPTION_STRING("perf", 0, "PATH", &w.collect.perf, "the perf to run"),
		CSG_OPTION_FLAG("dry-run", 'n', &w.dry_run, "print what would be run, run nothing"),
		CSG_OPTION_STRING(
			"root", 0, "DIR", &w.root,
			"look at the machine whose sys, proc, dev and boot are below DIR"),
		CSG_OPTION_END,
	};
	const struct csg_option_group groups[] = {{"Watch", options}, {NULL, NULL}};
	const struct csg_usage usage = {
		.command = "watch",
		.summary = "keep the last trace, and show it when something happens",
		.operands = "[-- COMMAND...]",
		.description = "Runs perf in snapshot mode: each CPU's trace goes to a ring.  When "
			       "something happens (--exit, --tracepoint, SIGUSR2, the end of "
			       "COMMAND) it takes the rings and writes what led to it as a page "
			       "and a summary.",
		.groups = groups,
	};
	int first = csg_options_parse(&usage, argc, argv), err;

	if (first <= 0)
		return csg_exit_code(first);
	w.collect.command = first < argc ? argv + first : NULL;
	err = start(&w);
	if (err == -CSG_E_NO_MEMORY)
		csg_complain("csguest: error: %s\n", csg_strerror(err));
	return csg_exit_code(err);
}
