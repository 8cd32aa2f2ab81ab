/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/decode.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/anonym_key.h"
#include "cli/decode_folder.h"
#include "cli/decode_inputs.h"
#include "cli/decode_options.h"
#include "cli/exit_code.h"
#include "cli/limits.h"
#include "cli/no_match.h"
#include "cli/seek.h"
#include "cli/sharded.h"
#include "cli/truncated.h"
#include "csguest/error.h"
#include "files/guest_folder.h"
#include "lookup/arrays.h"
#include "lookup/lookup_session.h"
#include "lookup/traced_span.h"
#include "text/escape.h"
#include "util/report.h"

#define MESSAGES_MAX 40 /* notes and warnings that are shown */
#define DEFAULT_INPUT "perf.data"
#define DEFAULT_FOLDER "csguest.collect"

/* Standard error, without csg_out's size on the stack of every function. */
static struct csg_out *error_out(struct csg_out *out)
{
	fflush(stderr);
	csg_out_init(out, STDERR_FILENO);
	return out;
}

/*
 * Texts and remedies have names and addresses of the recording within: what kind of error it is
 * says enough to whoever does not know them.
 */
static void show_anonym(struct csg_out *out, const struct csg_diag *diag, struct csg_anonym *anonym)
{
	if (diag->file)
		csg_out_printf(out, "%s: ", csg_anonym_name(anonym, CSG_ANONYM_PATH, diag->file));
	csg_out_printf(out, "%s (more without --anonymise)\n",
		       diag->error ? csg_strerror(-abs(diag->error)) : "a message");
}

/* The word, which a terminal shows as compilers do. */
static void show_severity(struct csg_out *out, uint8_t severity, int colours)
{
	static const char *const words[] = {
		[CSG_NOTE] = "note:", [CSG_WARNING] = "warning:", [CSG_ERROR] = "error:"};
	static const char *const codes[] = {[CSG_NOTE] = "\033[1;36m",
					    [CSG_WARNING] = "\033[1;35m",
					    [CSG_ERROR] = "\033[1;31m"};
	const bool colour = csg_terminal_colours((enum csg_colours)colours, isatty(STDERR_FILENO));

	if (severity > CSG_ERROR)
		return;
	csg_out_printf(out, "%s%s%s ", colour ? codes[severity] : "", words[severity],
		       colour ? "\033[m" : "");
}

static void show(const struct csg_diag *diag, struct csg_anonym *anonym, int colours)
{
	struct csg_out out;

	error_out(&out);
	csg_out_str(&out, "csguest: ");
	show_severity(&out, diag->severity, colours);
	if (anonym) {
		show_anonym(&out, diag, anonym);
		csg_out_flush(&out);
		return;
	}
	if (diag->file) {
		csg_out_text(&out, diag->file);
		if (diag->offset != CSG_NO_OFFSET)
			csg_out_printf(&out, ", offset 0x%llx", (unsigned long long)diag->offset);
		csg_out_str(&out, ": ");
	}
	csg_out_text(&out, diag->text);
	csg_out_char(&out, '\n');
	if (diag->remedy) {
		csg_out_str(&out, "         remedy: ");
		csg_out_text(&out, diag->remedy);
		csg_out_char(&out, '\n');
	}
	csg_out_flush(&out);
}

/* That there is no trace, which was reported once more, with the CPUs that there are. */
static bool is_for_want_of_cpus(struct csg_decode *d, const struct csg_diag *diag)
{
	if (diag->error != CSG_E_NO_TRACE || d->asked_for_cpus)
		return false;
	d->asked_for_cpus = true;
	return csg_no_match_cpus(&d->filters, d->input, d->options.tmpdir, &d->sink) != 0;
}

static void report(void *arg, const struct csg_diag *diag)
{
	struct csg_decode *d = arg;

	csg_sharded_note(d, diag);
	if (is_for_want_of_cpus(d, diag))
		return;
	if (diag->severity != CSG_ERROR && (d->quiet || d->messages++ >= MESSAGES_MAX))
		return;
	csg_progress_clear(&d->progress);
	show(diag, d->anonym, d->colours);
}

void csg_decode_init(struct csg_decode *d, const char *command)
{
	memset(d, 0, sizeof(*d) - sizeof(d->out.buf));
	d->command = command;
	d->guests.command = d->vcpus.command = d->filters.command = command;
	d->trace_id = -1;
	d->engine = CSG_ENGINE_FAST;
	d->threads = 1;
	d->hypervisor = CSG_HV_AUTO;
	d->show_progress = true;
	d->demangle = true;
	d->options.size = sizeof(d->options);
	d->kernel.size = sizeof(d->kernel);
	d->only_guest.size = sizeof(d->only_guest);
	d->filter.size = sizeof(d->filter);
	d->sink = (struct csg_diag_sink){.report = report, .arg = d};
	d->ignored_sigpipe = signal(SIGPIPE, SIG_IGN) == SIG_IGN;
	d->rules = (struct csg_output_rules){
		.inputs = &d->inputs, .is_input = csg_decode_is_image, .arg = d, .sink = &d->sink};
	csg_out_init(&d->out, STDOUT_FILENO);
	csg_decode_fill_options(d);
}

/* --- anonymity --- */

/* Once, also where a session is opened twice. */
static int begin_anonym(struct csg_decode *d)
{
	int err;

	if (d->anonym || (!d->anonymise && !d->anonymise_key))
		return 0;
	err = d->anonymise_key ? csg_anonym_key_take(d->command, d->anonymise_key, &d->tokens)
			       : csg_anonym_init_random(&d->tokens);
	if (err == -CSG_E_IO)
		return csg_report(&d->sink, CSG_ERROR, CSG_E_IO, NULL, CSG_NO_OFFSET,
				  "give a key with --anonymise-key", "no random numbers: %s",
				  strerror(errno));
	if (err)
		return err;
	d->anonym = d->out.anonym = &d->tokens;
	csg_truncated_watch_anonym();
	return 0;
}

struct csg_lookup csg_decode_lookup(struct csg_decode *d)
{
	if (!d->anonym)
		return csg_lookup_session(d->session);
	d->names = (struct csg_lookup_anonym){csg_lookup_session(d->session), d->anonym};
	return csg_lookup_anonym(&d->names);
}

static int choose_path(struct csg_decode *d, int first, int argc, char **argv)
{
	if (argc - first > 1)
		return csg_usage_error(d->command, "one recording at a time, not also '%s'",
				       argv[first + 1]);
	if (first < argc && d->input)
		return csg_usage_error(d->command, "both --input and '%s' name a recording",
				       argv[first]);
	if (first < argc)
		d->input = argv[first];
	else if (!d->input)
		d->input = access(DEFAULT_INPUT, F_OK) && !access(DEFAULT_FOLDER, F_OK)
				   ? DEFAULT_FOLDER
				   : DEFAULT_INPUT;
	return 0;
}

/* The recording that the options or the operand name goes to d->input.  -CSG_E_USAGE, reported. */
static int choose_input(struct csg_decode *d, int first, int argc, char **argv)
{
	int err = choose_path(d, first, argc, argv);

	if (!err)
		err = begin_anonym(d);
	if (err)
		return err;
	d->shown_input = csg_anonym_name(d->anonym, CSG_ANONYM_PATH, d->input);
	return csg_decode_look_into_folder(d);
}

/* Streams of some CPUs or one trace ID only. */
static void set_filter(struct csg_decode *d)
{
	if (d->filters.cpu_count) {
		d->filter.cpus = d->filters.cpus;
		d->filter.cpu_count = d->filters.cpu_count;
	}
	if (d->trace_id >= 0) {
		d->filter.has_trace_id = true;
		d->filter.trace_id = (uint8_t)d->trace_id;
	}
	d->options.filter = &d->filter;
}

static void set_options(struct csg_decode *d)
{
	struct csg_session_options *o = &d->options;

	set_filter(d);
	/* As perf does. */
	if (!o->buildid_dir)
		o->buildid_dir = getenv("PERF_BUILDID_DIR");
	o->kernel = &d->kernel;
	if (d->only_guest.vmlinux || d->only_guest.kallsyms || d->only_guest.kcore ||
	    d->only_guest.root)
		o->only_guest = &d->only_guest;
	o->guests = d->guests.guests;
	o->guest_count = d->guests.count;
	o->vcpus = d->vcpus.vcpus;
	o->vcpu_count = d->vcpus.count;
	o->hypervisor = (enum csg_hypervisor)d->hypervisor;
	o->engine = (enum csg_engine)d->engine;
	o->threads = (unsigned int)d->threads;
	if (!d->demangle)
		o->flags |= CSG_SESSION_NO_DEMANGLE;
	o->sink = &d->sink;
	if (!csg_sharded_on(d))
		o->facts = d->sharding.facts;
	o->progress = csg_progress_update;
	o->progress_arg = &d->progress;
}

int csg_decode_prepare(struct csg_decode *d, int first, int argc, char **argv)
{
	int err = choose_input(d, first, argc, argv);

	if (!err && d->filters.vcpus.n && !d->takes_owners)
		err = csg_usage_error(d->command,
				      "--vcpu with a list is a filter, which this command "
				      "has not: --vcpu is TID=VM:N here");
	if (!err && csg_filters_choose_code(&d->filters) && d->anonym)
		err = csg_usage_error(d->command, "--dso and --symbol would say which token is "
						  "which name: not with --anonymise");
	if (!err && d->guests_dir)
		err = csg_guest_folder_read(&d->guests, d->guests_dir, &d->sink);
	if (!err && d->vm_names)
		err = csg_vm_names_read(&d->filters.names, d->vm_names, &d->sink);
	if (!err)
		err = csg_vm_names_give(&d->filters.names, &d->guests);
	if (!err)
		set_options(d);
	return err;
}

/* A pager has the terminal, which a progress bar would spoil. */
static void use_terminal(struct csg_decode *d)
{
	d->out.colours = csg_terminal_colours((enum csg_colours)d->colours, isatty(STDOUT_FILENO));
	d->out.columns = csg_terminal_columns(STDOUT_FILENO);
	if (!d->pages || d->no_pager)
		return;
	csg_progress_clear(&d->progress);
	if (!csg_pager_begin(&d->pager))
		return;
	csg_progress_init(&d->progress, false);
	d->out.scrolls = true;
}

static int understand_times(struct csg_decode *d)
{
	uint64_t first, last;
	size_t n;
	const struct csg_chunk *chunks = csg_array_chunks(csg_session_recording(d->session), &n);

	csg_traced_span(chunks, n, &first, &last);
	return csg_filters_understand_times(&d->filters, first, last);
}

int csg_decode_open(struct csg_decode *d, int first, int argc, char **argv)
{
	int err = csg_seek_check(d);

	if (!err)
		err = csg_decode_prepare(d, first, argc, argv);
	if (err)
		return err;
	csg_progress_init(&d->progress,
			  d->show_progress && !d->quiet && !(d->lists && isatty(STDOUT_FILENO)));
	csg_progress_begin(&d->progress, "decoding");
	err = csg_decode_find_inputs(d);
	if (!err)
		err = csg_decode_check_stdout(d);
	if (!err && csg_sharded_on(d))
		err = csg_sharded_open_output(d);
	else if (!err && d->open_output)
		err = d->open_output(d->output_arg);
	if (!err)
		err = csg_session_open(&d->session, d->input, &d->options);
	if (!err)
		err = csg_limits_check_files();
	if (!err && csg_sharded_on(d))
		err = csg_sharded_begin(d);
	if (!err)
		err = understand_times(d);
	if (!err)
		err = csg_seek_begin(d);
	if (!err)
		use_terminal(d);
	if (!err && d->pages)
		csg_interrupt_note(&d->interrupt);
	return err;
}

bool csg_decode_stops(struct csg_decode *d)
{
	if (!d->stopped && d->interrupt.held && csg_interrupt_seen()) {
		d->stopped = true;
		csg_interrupt_listen(&d->interrupt);
		csg_progress_clear(&d->progress);
	}
	return d->stopped;
}

/* For the outcome, and for what passes --time. */
static int count(struct csg_decode *d, const struct csg_batch *batch)
{
	int err = csg_outcome_add(&d->outcome, batch);

	csg_streams_now(d->now, d->session, batch);
	if (err || !d->now)
		return err;
	return csg_outcome_add_time(
		&d->outcome, batch,
		csg_slice_windows_have(&d->windows, d->now[batch->stream].time));
}

int csg_decode_next(struct csg_decode *d, bool in_time_order, struct csg_batch *batch)
{
	int ret, err;

	if (d->out.error || csg_decode_stops(d))
		return 0;
	ret = csg_session_next(d->session, in_time_order ? CSG_ORDER_TIME : CSG_ORDER_STREAM, batch,
			       sizeof(*batch));
	if (ret <= 0)
		csg_progress_clear(&d->progress);
	err = ret > 0 ? count(d, batch) : 0;
	return err ? err : ret;
}

int csg_decode_next_of(void *decode, uint32_t stream, struct csg_batch *batch)
{
	struct csg_decode *d = decode;
	int ret, err;

	if (csg_decode_stops(d))
		return 0;
	ret = csg_session_next_of(d->session, stream, batch, sizeof(*batch));
	err = ret > 0 ? count(d, batch) : 0;
	return err ? err : ret;
}

/* What was printed is a part, where the user has ended decoding. */
static void print_stopped(const struct csg_decode *d, struct csg_out *out)
{
	char done[24], total[24];

	csg_progress_bytes(done, sizeof(done), (double)d->progress.done);
	csg_progress_bytes(total, sizeof(total), (double)d->progress.total);
	csg_out_printf(out, "interrupted after %s of %s of trace\n", done, total);
}

/* What remains to be reported once the output is out: the error, or one that it meets itself. */
static int tell(struct csg_decode *d, int err)
{
	struct csg_out out;
	int failed = 0;

	error_out(&out)->anonym = d->anonym;
	if (d->out.error && d->out.error != EPIPE)
		csg_out_printf(&out, "csguest: error: standard output: %s%s\n",
			       strerror(d->out.error),
			       d->out.error == EFBIG ? ": ulimit -f unlimited" : "");
	if (d->stopped) {
		csg_out_str(&out, "csguest: ");
		print_stopped(d, &out);
	}
	if (!d->quiet && d->messages > MESSAGES_MAX)
		csg_out_printf(&out, "csguest: %u more warnings\n", d->messages - MESSAGES_MAX);
	if (!d->quiet && d->session && !d->out.error && !d->decodes_nothing && err != -CSG_E_USAGE)
		failed = csg_outcome_print(&d->outcome, d->session, &out);
	err = err ? err : failed;
	csg_out_flush(&out);
	/* What one shard has none of, others may have. */
	if (d->session && !err && (d->outcome.n || d->filters.times) && !d->found &&
	    !csg_sharded_on(d))
		csg_no_match_warn(&d->filters, &d->outcome, d->session, &d->sink);
	/* Errors of input were reported by whoever met them; these have nobody else. */
	if (err == -CSG_E_NO_MEMORY || err == -CSG_E_INTERNAL)
		csg_out_printf(&out, "csguest: error: %s\n", csg_strerror(err));
	csg_out_flush(&out);
	return err;
}

static int go_on(void *arg, const char *path)
{
	(void)arg, (void)path;
	return 0;
}

int csg_decode_error(struct csg_decode *d, int err)
{
	if (!err && d->anonym && d->anonym->failed)
		return -CSG_E_NO_MEMORY;
	return err || !d->session ? err : csg_session_each_file(d->session, go_on, NULL);
}

static void release(struct csg_decode *d)
{
	csg_session_close(d->session);
	d->session = NULL;
	csg_outcome_fini(&d->outcome);
	csg_sharded_fini(d);
	csg_guest_list_fini(&d->guests);
	csg_vcpu_list_fini(&d->vcpus);
	if (d->filters.times)
		free(d->windows.at);
	csg_filters_fini(&d->filters);
	free(d->now);
	csg_inputs_fini(&d->inputs);
	csg_folder_fini(&d->folder);
	if (d->anonym)
		csg_anonym_fini(d->anonym);
}

int csg_decode_drop(struct csg_decode *d, int err)
{
	release(d);
	return csg_exit_code(err);
}

int csg_decode_finish(struct csg_decode *d, int err)
{
	err = csg_decode_error(d, err > 0 ? 0 : err);
	if (d->session)
		csg_session_stop(d->session);
	csg_progress_clear(&d->progress);
	if (d->stopped && d->text && !err) {
		csg_out_str(&d->out, "# ");
		print_stopped(d, &d->out);
	}
	csg_out_flush(&d->out);
	err = tell(d, err);
	if (!err && d->out.error)
		err = -CSG_E_IO;
	if (!err && d->session)
		err = csg_recording_damage(csg_session_recording(d->session));
	if (!err && d->session) {
		err = csg_outcome_error(&d->outcome, d->session, d->strict);
		if (csg_decode_error(d, 0)) {
			csg_no_memory();
			err = -CSG_E_NO_MEMORY;
		}
	}
	if (err == -CSG_E_NO_IMAGE && d->needs_no_code)
		err = 0;
	release(d);
	csg_interrupt_release(&d->interrupt);
	csg_pager_end(&d->pager);
	if (d->out.error == EPIPE && !d->ignored_sigpipe) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	return csg_exit_code(err);
}
