/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest collect: records what the other commands want, and says what this machine cannot give. */
#include "collect/collect.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/collect_watched.h"
#include "cli/collect_xen.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/options.h"
#include "csguest/error.h"
#include "text/complain.h"
#include "text/escape.h"

struct collect {
	struct csg_collect_options options;
	struct csg_probe probe;
	struct csg_collect plan;
	struct csg_xen_syms xen_syms;
	const char *root;
	bool dry_run, no_trace;
	struct csg_collect_watcher *watcher; /* NULL: perf runs by itself */
};

static const char *const roles[] = {"auto", "host", "guest", "xen", NULL};
/* enum csg_collect_windows */
static const char *const windows[] = {"no", "strobe", "pause", "snapshot", "sample", NULL};

/* --- what would be done --- */

/* What a terminal should not get to see is written by its numbers, as bash, zsh and ksh read
 * them. */
static void put_bytes(FILE *out, const char *word)
{
	fputs("$'", out);
	for (; *word; word++) {
		unsigned char c = (unsigned char)*word;

		if (c < ' ' || c >= 0x7f)
			fprintf(out, "\\%03o", c);
		else
			fprintf(out, c == '\'' || c == '\\' ? "\\%c" : "%c", c);
	}
	fputc('\'', out);
}

/* As a shell wants it. */
static void put_word(FILE *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-_./,:=+@%";

	if (*word && !word[strspn(word, plain)]) {
		fputs(word, out);
		return;
	}
	if (!csg_escape_is_clean(word)) {
		put_bytes(out, word);
		return;
	}
	fputc('\'', out);
	for (; *word; word++)
		fprintf(out, *word == '\'' ? "'\\''" : "%c", *word);
	fputc('\'', out);
}

static void show_step(const struct csg_collect_step *step)
{
	printf("# %s\n", step->why);
	switch (step->kind) {
	case CSG_COLLECT_RUN:
		for (size_t i = 0; i < step->argc; i++) {
			printf(i ? " " : "");
			put_word(stdout, step->argv[i]);
		}
		if (step->file) {
			printf(step->append ? " >> " : " > ");
			put_word(stdout, step->file);
		}
		putchar('\n');
		break;
	case CSG_COLLECT_COPY:
		printf("cp %s ", step->source);
		put_word(stdout, step->file);
		putchar('\n');
		break;
	case CSG_COLLECT_XEN_DUMP:
		printf("tac ");
		put_word(stdout, step->argv[0]);
		printf(" | sed \"/'q' pressed/q\" | tac >> ");
		put_word(stdout, step->file);
		putchar('\n');
		break;
	default:
		if (step->kind == CSG_COLLECT_VCPUS && step->source)
			printf("grep . %s/*/vcpu*/pid > ", step->source);
		else
			printf("# csguest writes ");
		put_word(stdout, step->file);
		putchar('\n');
		break;
	}
}

/* Returns whether something is grave. */
static bool tell_findings(const struct collect *c)
{
	bool grave = false;

	for (size_t i = 0; i < c->plan.finding_count; i++) {
		const struct csg_finding *f = &c->plan.findings[i];

		csg_complain("csguest: %s: %s\n", f->grave ? "error" : "note", f->text);
		if (f->remedy)
			csg_complain("         remedy: %s\n", f->remedy);
		grave |= f->grave;
	}
	return grave;
}

/* --- doing it --- */

static int copy(const struct collect *c, const struct csg_collect_step *step)
{
	char block[65536], path[4096];
	FILE *from, *to;
	size_t n;
	int err = 0;

	snprintf(path, sizeof(path), "%s%s", c->root, step->source);
	from = fopen(path, "re");
	if (!from)
		return csg_collect_failed(path);
	to = csg_collect_create(step->file, false);
	if (!to) {
		err = csg_collect_failed(step->file);
		fclose(from);
		return err;
	}
	while ((n = fread(block, 1, sizeof(block), from)) > 0)
		fwrite(block, 1, n, to);
	if (ferror(from) || ferror(to))
		err = csg_collect_failed(ferror(from) ? path : step->file);
	fclose(from);
	if (fclose(to) && !err)
		err = csg_collect_failed(step->file);
	return err;
}

static void write_vcpus(const struct csg_probe *p, FILE *f)
{
	for (size_t i = 0; i < p->vcpu_count; i++)
		fprintf(f, "/sys/kernel/debug/kvm/%d-%d/vcpu%d/pid:%d\n", p->vcpus[i].vm,
			p->vcpus[i].fd, p->vcpus[i].vcpu, p->vcpus[i].tid);
}

static void write_names(const struct csg_probe *p, FILE *f)
{
	for (size_t i = 0; i < p->named_count; i++) {
		const struct csg_vm_identity *vm = &p->named[i];

		if (*vm->name || *vm->uuid)
			fprintf(f, "%d\t%s\t%s\n", vm->pid, *vm->name ? vm->name : "-",
				*vm->uuid ? vm->uuid : "-");
	}
}

static uint64_t counter(void)
{
#ifdef __aarch64__
	uint64_t value;

	__asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(value));
	return value;
#else
	return 0;
#endif
}

/* The counter around each clock: its time was between the two. */
static void write_clocks(FILE *f)
{
	static const struct {
		clockid_t id;
		const char *name;
	} clocks[] = {
		{CLOCK_MONOTONIC_RAW, "CLOCK_MONOTONIC_RAW"},
		{CLOCK_MONOTONIC, "CLOCK_MONOTONIC"},
		{CLOCK_BOOTTIME, "CLOCK_BOOTTIME"},
		{CLOCK_REALTIME, "CLOCK_REALTIME"},
	};

	for (size_t i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
		struct timespec now;
		uint64_t before = counter(), after;

		clock_gettime(clocks[i].id, &now);
		after = counter();
		fprintf(f, "%s %lld.%09ld CNTVCT_EL0 %" PRIu64 "..%" PRIu64 "\n", clocks[i].name,
			(long long)now.tv_sec, now.tv_nsec, before, after);
	}
}

static const char *answer(uint8_t a)
{
	return a == CSG_PROBE_YES ? "yes" : a == CSG_PROBE_NO ? "no" : "unknown";
}

static void write_about(const struct collect *c, FILE *f)
{
	const struct csg_probe *p = &c->probe;

	fprintf(f,
		"role: %s\narchitecture: %s\nkernel: %s\ncs_etm: %s\ntrace units: %u\nsinks: %u\n"
		"FEAT_TRF: %s\nCONFIG_PID_IN_CONTEXTIDR: %s\nkvm-arm.mode: %s\nvCPUs: %zu\n",
		roles[c->plan.role], *p->arch ? p->arch : "unknown",
		*p->release ? p->release : "unknown", p->pmu ? "yes" : "no", p->trace_units,
		p->sinks, answer(p->trf), answer(p->pid_in_contextidr),
		*p->kvm_mode ? p->kvm_mode : "default", p->vcpu_count);
	if (p->xen)
		fprintf(f, "Xen: %s\nxen-syms: %s\n", *p->xen_version ? p->xen_version : "unknown",
			*c->xen_syms.path ? c->xen_syms.path : "none");
	for (size_t i = 0; i < c->plan.finding_count; i++)
		fprintf(f, "finding: %s\n", c->plan.findings[i].text);
}

static int write_file(const struct collect *c, const struct csg_collect_step *step)
{
	FILE *f = csg_collect_create(step->file, true); /* clocks are written twice */
	int err = 0;

	if (!f)
		return csg_collect_failed(step->file);
	if (step->kind == CSG_COLLECT_VCPUS)
		write_vcpus(&c->probe, f);
	else if (step->kind == CSG_COLLECT_NAMES)
		write_names(&c->probe, f);
	else if (step->kind == CSG_COLLECT_CLOCK)
		write_clocks(f);
	else
		write_about(c, f);
	if (ferror(f))
		err = csg_collect_failed(step->file);
	if (fclose(f) && !err)
		err = csg_collect_failed(step->file);
	return err;
}

static enum csg_collect_ran do_step(const struct collect *c, const struct csg_collect_step *step)
{
	int err;

	switch (step->kind) {
	case CSG_COLLECT_RUN:
		return csg_collect_run(step, c->watcher);
	case CSG_COLLECT_COPY:
		err = copy(c, step);
		break;
	case CSG_COLLECT_XEN_DUMP:
		err = csg_collect_xen_dump(step);
		break;
	default:
		err = write_file(c, step);
		break;
	}
	return err ? CSG_COLLECT_RAN_BADLY : CSG_COLLECT_RAN_WELL;
}

/* Who waits for xenstored does so each time: once is enough. */
static int do_all(const struct collect *c)
{
	struct csg_collect_signals before;
	bool no_xenstored = false, enough = false, recorded = false;
	unsigned int well = 0; /* steps in a row */
	int err = 0;

	csg_collect_take_signals(&before);
	for (size_t i = 0; i < c->plan.step_count && !enough; i++) {
		const struct csg_collect_step *step = &c->plan.steps[i];
		enum csg_collect_ran ran = CSG_COLLECT_RAN_WELL;

		if ((!err || step->last) && !(no_xenstored && step->wants_xenstored) &&
		    step->needs <= well)
			ran = do_step(c, step);
		well = ran == CSG_COLLECT_RAN_WELL ? well + 1 : 0;
		no_xenstored |= ran == CSG_COLLECT_RAN_LATE && step->wants_xenstored;
		enough = ran == CSG_COLLECT_RAN_ENDED;
		recorded |= step->kind == CSG_COLLECT_RUN && !step->patience;
		if (enough ? !recorded : ran != CSG_COLLECT_RAN_WELL && !step->may_fail)
			err = -CSG_E_IO;
	}
	csg_collect_give_signals(&before);
	return err;
}

static int make_directory(const struct collect *c)
{
	if (!mkdir(c->options.directory, 0700))
		return 0;
	csg_complain("csguest: error: %s: %s\n         remedy: name a new folder with -o\n",
		     c->options.directory, strerror(errno));
	return -CSG_E_IO;
}

static void say_what_next(const struct collect *c)
{
	const char *dir = c->options.directory;

	if (c->plan.role == CSG_COLLECT_GUEST)
		csg_complain("csguest: copy %s into the folder that the host collected, as "
			     "guests/NAME\n",
			     dir);
	else if (c->plan.role == CSG_COLLECT_HOST && c->probe.pmu)
		csg_complain(
			"csguest: read it with: csguest %s; guests' folders go to %s/guests/NAME\n",
			dir, dir);
}

/* As execvp() looks for it. */
static bool is_program(const char *name)
{
	const char *path = getenv("PATH"), *end;
	char file[4096];

	if (strchr(name, '/'))
		return !access(name, X_OK);
	if (!path)
		path = "/bin:/usr/bin";
	for (;; path = end + 1) {
		end = strchrnul(path, ':');
		/* An empty part means the current folder. */
		snprintf(file, sizeof(file), "%.*s%s%s", (int)(end - path), path,
			 end > path ? "/" : "", name);
		if (!access(file, X_OK))
			return true;
		if (!*end)
			return false;
	}
}

/* The findings have said why there is no trace unit, and what would help. */
static int refuse_without_trace(void)
{
	csg_complain(
		"csguest: error: nothing is recorded: without trace there is nothing to decode\n"
		"         remedy: what is said above, or for a trace that a debugger records: "
		"--no-trace\n");
	return -CSG_E_NO_TRACE;
}

static int collect(struct collect *c)
{
	int err = csg_probe_machine(&c->probe, c->root);
	bool grave;

	c->options.no_perf = !is_program(c->options.perf);
	c->options.no_xl = !is_program("xl");
	if (!err && c->probe.xen)
		csg_collect_find_xen_syms(&c->options, &c->xen_syms, &c->probe, c->root);
	if (!err)
		err = csg_collect_plan(&c->plan, &c->probe, &c->options);
	if (err)
		return err;
	grave = tell_findings(c);
	if (c->dry_run) {
		printf("# role: %s\nmkdir ", roles[c->plan.role]);
		put_word(stdout, c->options.directory);
		putchar('\n');
		for (size_t i = 0; i < c->plan.step_count; i++)
			show_step(&c->plan.steps[i]);
		return grave ? -CSG_E_NO_TRACE : 0;
	}
	if (c->plan.role == CSG_COLLECT_HOST && !c->probe.pmu && !c->no_trace)
		return refuse_without_trace();
	if (c->plan.impossible)
		return -CSG_E_NO_TRACE;
	err = c->watcher ? 0 : make_directory(c);
	if (!err)
		err = do_all(c);
	if (!err && !c->watcher)
		say_what_next(c);
	if (!err && c->plan.role == CSG_COLLECT_XEN && !c->options.no_xl)
		grave |= !csg_collect_tell_domains(c->options.directory);
	return err ? err : grave ? -CSG_E_NO_TRACE : 0;
}

int csg_collect_watched(const struct csg_collect_options *options, const char *root, bool dry_run,
			struct csg_collect_watcher *watcher)
{
	struct collect c = {
		.options = *options, .root = root, .dry_run = dry_run, .watcher = watcher};
	int err = collect(&c);

	csg_collect_fini(&c.plan);
	csg_probe_fini(&c.probe);
	return err;
}

static int start(struct collect *c, int argc, char **argv)
{
	int role = CSG_COLLECT_AUTO, how = CSG_COLLECT_WHOLE;
	const struct csg_option options[] = {
		CSG_OPTION_STRING("output", 'o', "DIR", &c->options.directory,
				  "new folder for all of it (default: csguest.collect)"),
		CSG_OPTION_CHOICE("role", 0, "ROLE", &role, roles, "what this machine is"),
		CSG_OPTION_NUMBER("seconds", 0, "N", &c->options.seconds, 1, 86400,
				  "record so long, where no command is given (default: 5)"),
		CSG_OPTION_STRING("aux-size", 0, "SIZE", &c->options.aux_size,
				  "AUX buffer of each CPU, as 16M"),
		CSG_OPTION_CHOICE(
			"windows", 0, "HOW", &how, windows,
			"trace in windows, not all the time: man csguest-collect says when"),
		CSG_OPTION_NUMBER("preset", 0, "N", &c->options.preset, 0, CSG_COLLECT_PRESETS,
				  "with --windows strobe: which of its presets (default: 5)"),
		CSG_OPTION_FLAG("kvm-events", 0, &c->options.kvm_events,
				"record kvm:kvm_entry and kvm:kvm_exit as well"),
		CSG_OPTION_FLAG("no-trace", 0, &c->no_trace,
				"on a host without trace units: record its sideband all the same"),
		CSG_OPTION_STRING("perf", 0, "PATH", &c->options.perf, "the perf to run"),
		CSG_OPTION_FLAG("dry-run", 'n', &c->dry_run,
				"print what would be run, run nothing"),
		CSG_OPTION_STRING(
			"root", 0, "DIR", &c->root,
			"look at the machine whose sys, proc, dev and boot are below DIR"),
		CSG_OPTION_END,
	};
	const struct csg_option_group groups[] = {{"Collect", options}, {NULL, NULL}};
	const struct csg_usage usage = {
		.command = "collect",
		.summary = "record what the other commands need, on the host and in guests",
		.operands = "[-- COMMAND...]",
		.description =
			"Runs perf with the right events, and keeps what it does not: the "
			"list of vCPUs, clocks, Xen's domains.  Says what this machine cannot "
			"give, why, and what would help.",
		.groups = groups,
	};
	int first = csg_options_parse(&usage, argc, argv), err;

	if (first <= 0)
		return csg_exit_code(first);
	c->options.role = (enum csg_collect_role)role;
	c->options.windows = (enum csg_collect_windows)how;
	c->options.command = first < argc ? argv + first : NULL;
	err = collect(c);
	csg_collect_fini(&c->plan);
	csg_probe_fini(&c->probe);
	if (err == -CSG_E_NO_MEMORY)
		csg_complain("csguest: error: %s\n", csg_strerror(err));
	return csg_exit_code(err);
}

int csg_cmd_collect(int argc, char **argv)
{
	struct collect c = {.options = {.directory = "csguest.collect",
					.perf = "perf",
					.seconds = 5,
					.preset = CSG_COLLECT_PRESET},
			    .root = ""};

	return start(&c, argc, argv);
}
