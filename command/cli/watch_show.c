/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/watch_show.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/collect_run.h"
#include "cli/command.h"
#include "cli/decode.h"
#include "cli/options.h"
#include "csguest/error.h"
#include "text/complain.h"
#include "watch/reach.h"

#define PATH 4200

/* What there is of the trace. */
struct extent {
	uint64_t first; /* timestamp of any CPU; 0: none */
	struct csg_reach reach;
	enum csg_reach_verdict verdict;
};

/* Trace is missing there, not only its code. */
static bool is_break(const struct csg_element *e)
{
	return e->kind == CSG_ELEMENT_GAP && e->gap != CSG_GAP_NO_CODE &&
	       e->gap != CSG_GAP_NO_OWNER;
}

static bool is_code(const struct csg_element *e)
{
	return e->kind == CSG_ELEMENT_RANGE ||
	       (e->kind == CSG_ELEMENT_GAP && e->gap == CSG_GAP_NO_CODE);
}

static void add_element(const struct csg_decode *d, struct extent *x, const struct csg_cause *cause,
			const struct csg_element *e)
{
	const struct csg_owner *owner = csg_session_owner(d->session, e->owner);
	const bool is_guest = owner && owner->world == CSG_WORLD_GUEST;
	const bool is_vcpu = is_guest && owner->host_tid == cause->tid;

	if (is_break(e))
		csg_reach_add(&x->reach, 0);
	else if (e->kind == CSG_ELEMENT_TIMESTAMP && e->start)
		csg_reach_add(&x->reach, e->start);
	else if (e->kind == CSG_ELEMENT_TIMESTAMP && is_guest)
		csg_reach_add_guest(&x->reach, csg_session_time(d->session, e->timestamp), is_vcpu);
	else if (e->kind == CSG_ELEMENT_TIMESTAMP)
		csg_reach_add_undated(&x->reach);
	else if (is_code(e) && is_guest)
		csg_reach_add_guest(&x->reach, 0, is_vcpu);
}

static void add_time(struct extent *x, const struct csg_element *e)
{
	if (e->kind != CSG_ELEMENT_TIMESTAMP || !e->start)
		return;
	if (!x->first || e->start < x->first)
		x->first = e->start;
}

static int decode_stream(struct csg_decode *d, uint32_t stream, struct extent *x,
			 const struct csg_cause *cause)
{
	const bool there = csg_session_stream(d->session, stream)->source->cpu == cause->cpu;
	struct csg_batch batch;
	int ret;

	while ((ret = csg_decode_next_of(d, stream, &batch)) > 0) {
		for (size_t i = 0; i < batch.n; i++) {
			add_time(x, &batch.elements[i]);
			if (there && cause->from)
				add_element(d, x, cause, &batch.elements[i]);
		}
	}
	return ret;
}

static int find_extent(char *directory, struct extent *x, const struct csg_cause *cause)
{
	char name[] = "watch", quiet[] = "-q";
	char *argv[] = {name, quiet, directory, NULL};
	struct csg_decode d;
	int err, first;

	csg_decode_init(&d, "watch");
	{
		const struct csg_option_group groups[] = {CSG_DECODE_GROUPS(&d)};
		const struct csg_usage usage = {.command = "watch", .groups = groups};

		first = csg_options_parse(&usage, 3, argv);
	}
	if (first <= 0)
		return csg_decode_drop(&d, first) ? -CSG_E_INTERNAL : 0;
	csg_reach_init(&x->reach, cause);
	err = csg_decode_open(&d, first, 3, argv);
	for (uint32_t s = 0; !err && s < csg_session_stream_count(d.session); s++)
		err = decode_stream(&d, s, x, cause);
	x->verdict = csg_reach_end(&x->reach);
	csg_decode_finish(&d, err);
	return err;
}

/* --- what is said --- */

static double seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

static double us(uint64_t from, uint64_t to)
{
	return to > from ? (double)(to - from) / 1e3 : 0;
}

static void put_cause(FILE *out, const struct csg_cause *c)
{
	switch (c->kind) {
	case CSG_CAUSE_EXIT:
		fprintf(out,
			"cause: an exit of thread %" PRId32 " on CPU %" PRId32
			" at %.6f s lasted %.0f us or longer: %s\n",
			c->tid, c->cpu, seconds(c->from), us(c->from, c->until), c->text);
		break;
	case CSG_CAUSE_EVENT:
		fprintf(out, "cause: %s of thread %" PRId32 " on CPU %" PRId32 " at %.6f s: %s\n",
			c->event, c->tid, c->cpu, seconds(c->from), c->text);
		break;
	case CSG_CAUSE_SIGNAL:
		fputs("cause: SIGUSR2\n", out);
		break;
	default:
		fputs("cause: the command ended\n", out);
		break;
	}
}

static void put_verdict(FILE *out, const struct csg_cause *c, const struct extent *x)
{
	const uint64_t first = x->reach.first;

	if (!c->from)
		return;
	fprintf(out, "trace of CPU %" PRId32 ": ", c->cpu);
	switch (x->verdict) {
	case CSG_REACH_NO_TRACE:
		fputs("none that is dated\n", out);
		break;
	case CSG_REACH_HELD:
		fprintf(out, "holds the cause: its times begin at %.6f s, %.0f us before\n",
			seconds(first), us(first, c->from));
		break;
	case CSG_REACH_LATE:
		fprintf(out,
			"came too late: its times begin at %.6f s, %.0f us after the cause, which "
			"was overwritten\nremedy: a larger --aux-size, or a smaller --exit\n",
			seconds(first), us(c->from, first));
		break;
	case CSG_REACH_BROKEN:
		fprintf(out, "has a break at the cause; its times begin at %.6f s\n",
			seconds(first));
		break;
	default:
		fprintf(out, "may lack the cause: its times begin at %.6f s, %.0f us after it\n",
			seconds(first), us(c->from, first));
		break;
	}
}

static int write_cause(const char *directory, const struct csg_cause *cause, const struct extent *x)
{
	char path[PATH];
	FILE *f;

	snprintf(path, sizeof(path), "%s/cause.txt", directory);
	f = csg_collect_create(path, false);
	if (!f)
		return csg_collect_failed(path);
	put_cause(f, cause);
	put_verdict(f, cause, x);
	put_cause(stderr, cause);
	put_verdict(stderr, cause, x);
	return fclose(f) ? csg_collect_failed(path) : 0;
}

/* --- the page and the summary, by the commands that print them --- */

/* Standard output to file, if that is not NULL.  Whether it ended well; bad trace is no failure. */
static bool run(int (*command)(int argc, char **argv), char **argv, const char *file)
{
	int status = 0, argc = 0, fd;
	pid_t child;

	while (argv[argc])
		argc++;
	fflush(NULL);
	child = fork();
	if (!child) {
		fd = file ? open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : 0;
		if (fd < 0 || (file && dup2(fd, STDOUT_FILENO) < 0))
			_exit(1);
		status = command(argc, argv);
		fflush(NULL);
		_exit(status);
	}
	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status);
}

/* From the cause on, or from where the trace begins, whichever is earlier. */
static void window_of(const struct csg_cause *cause, const struct extent *x, char *text,
		      size_t size)
{
	const uint64_t from = cause->from && cause->from < x->first ? cause->from : x->first;

	snprintf(text, size, "%" PRIu64 ".%09" PRIu64 ",", from / 1000000000, from % 1000000000);
}

int csg_watch_show(const char *directory, const struct csg_cause *cause)
{
	char folder[PATH], page[PATH + 16], text[PATH + 16], time[48];
	char *timeline[] = {"timeline", "-q", "--time", time, "--html", page, folder, NULL};
	char *summary[] = {"summary", "-q", "--time", time, folder, NULL};
	struct extent x = {0};
	int err;

	snprintf(folder, sizeof(folder), "%s", directory);
	snprintf(page, sizeof(page), "%s/timeline.html", directory);
	snprintf(text, sizeof(text), "%s/summary.txt", directory);
	err = find_extent(folder, &x, cause);
	if (err)
		return err;
	err = write_cause(directory, cause, &x);
	window_of(cause, &x, time, sizeof(time));
	if (!run(csg_cmd_timeline, timeline, NULL) || !run(csg_cmd_summary, summary, text))
		return -CSG_E_IO;
	csg_complain("csguest: %s, %s\n", page, text);
	return err;
}
