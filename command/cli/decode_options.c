/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/decode_options.h"

#include <string.h>

static const char *const engines[] = {
	[CSG_ENGINE_FAST] = "fast", [CSG_ENGINE_OPENCSD] = "opencsd", NULL};

static const char *const hypervisors[] = {
#define HYPERVISOR_WORD(name, word) word,
	CSG_HYPERVISORS(HYPERVISOR_WORD)
#undef HYPERVISOR_WORD
		NULL,
};

static void fill_input_options(struct csg_decode *d)
{
	/* The last three are for decoding only. */
	const struct csg_option options[] = {
		CSG_OPTION_STRING("input", 'i', "FILE", &d->input,
				  "the recording, instead of the operand; - is standard input"),
		CSG_OPTION_CHOICE("hypervisor", 0, "KIND", &d->hypervisor, hypervisors,
				  "kind of hypervisor the trace was recorded under"),
		CSG_OPTION_STRING("tmpdir", 0, "DIR", &d->options.tmpdir,
				  "where decompressed and piped recordings are kept meanwhile "
				  "(default: $TMPDIR, else /tmp)"),
		CSG_OPTION_CHOICE("engine", 0, "ENGINE", &d->engine, engines,
				  "what decodes (default: fast); the results are the same"),
		CSG_OPTION_NUMBER(
			"jobs", 'j', "N", &d->threads, 1, CSG_THREADS_MAX,
			"threads that decode, where the fast engine does; the results are "
			"the same"),
		CSG_OPTION_NUMBER("id", 0, "ID", &d->trace_id, 0, 0x7f,
				  "decode this CoreSight trace ID only"),
		CSG_OPTION_END,
	};
	const size_t engine = sizeof(options) / sizeof(options[0]) - 4;

	_Static_assert(sizeof(options) <= sizeof(d->input_options), "CSG_DECODE_OPTIONS");
	memcpy(d->input_options, options, sizeof(options));
	memcpy(d->recording_options, options, engine * sizeof(options[0]));
	d->recording_options[engine] = options[engine + 3];
}

/* "TID=VM:N" says who runs a vCPU, a list of numbers chooses vCPUs. */
static int take_vcpu(void *data, const char *arg)
{
	struct csg_decode *d = data;

	return strchr(arg, '=') ? csg_vcpu_option(&d->vcpus, arg)
				: csg_filters_take_vcpus(&d->filters, arg);
}

static void fill_image_options(struct csg_decode *d)
{
	const struct csg_option options[] = {
		CSG_OPTION_STRING("vmlinux", 'k', "FILE", &d->kernel.vmlinux,
				  "the host's kernel with symbols"),
		CSG_OPTION_STRING("kallsyms", 0, "FILE", &d->kernel.kallsyms,
				  "the host's kallsyms, recorded where the trace was"),
		CSG_OPTION_STRING(
			"kcore", 0, "PATH", &d->kernel.kcore,
			"the host's kcore, or a directory with kcore, kallsyms and modules"),
		CSG_OPTION_STRING("symfs", 0, "DIR", &d->options.symfs,
				  "look for the recording's files below DIR"),
		CSG_OPTION_STRING("buildid-dir", 0, "DIR", &d->options.buildid_dir,
				  "build-ID cache (default: $PERF_BUILDID_DIR, else ~/.debug)"),
		CSG_OPTION_CALL(
			"guest", 0, "GUEST", csg_guest_option, &d->guests,
			"a guest, NAME,KEY=VALUE,...: perf=FILE recorded in it, pid=PID of its "
			"VMM or vmid=N or domain=N of Xen's domain, offset=TICKS of its counter, "
			"maps=latest where the trace is younger than its recording and no time is "
			"known, nested=N of a guest of it, its "
			"vmlinux=FILE, kallsyms=FILE, "
			"kcore=PATH, root=DIR; once for "
			"each"),
		CSG_OPTION_STRING("guests", 0, "DIR", &d->guests_dir,
				  "guests' recordings, each named as in DIR: perf.data files, or "
				  "folders of csguest collect"),
		CSG_OPTION_STRING("vm-names", 0, "FILE", &d->vm_names,
				  "names of VMs, a line PID NAME UUID for each"),
		CSG_OPTION_CALL(
			"vcpu", 0, "VCPU", take_vcpu, d,
			"TID=VM:N: host thread TID runs vCPU N of the VM whose VMM has PID "
			"VM, once for each; or a list as 0,2-3: a filter, only these vCPUs"),
		CSG_OPTION_STRING("kvm-list", 0, "FILE", &d->options.kvm_list,
				  "vCPUs as KVM's debugfs on the host has them: output of grep . "
				  "/sys/kernel/debug/kvm/*/vcpu*/pid"),
		CSG_OPTION_STRING("xen-list", 0, "FILE", &d->options.xen_list,
				  "Xen's domains and their VMIDs: output of xl list, and of xl "
				  "dmesg after xl debug-keys q"),
		CSG_OPTION_STRING("guestmount", 0, "DIR", &d->options.guestmount,
				  "look for files of guests given by --guest below DIR/PID"),
		CSG_OPTION_STRING("guestvmlinux", 0, "FILE", &d->only_guest.vmlinux,
				  "the kernel of the recording's only guest, with symbols"),
		CSG_OPTION_STRING("guestkallsyms", 0, "FILE", &d->only_guest.kallsyms,
				  "that guest's kallsyms"),
		CSG_OPTION_STRING("guestkcore", 0, "PATH", &d->only_guest.kcore,
				  "that guest's kcore, or a directory as for --kcore"),
		CSG_OPTION_STRING("guestroot", 0, "DIR", &d->only_guest.root,
				  "that guest's root file system"),
		CSG_OPTION_FLAG_OFF("no-demangle", 0, &d->demangle,
				    "leave C++ and Rust names as they are"),
		CSG_OPTION_END,
	};

	_Static_assert(sizeof(options) <= sizeof(d->image_options), "CSG_DECODE_OPTIONS");
	memcpy(d->image_options, options, sizeof(options));
}

static void fill_message_options(struct csg_decode *d)
{
	const struct csg_option options[] = {
		CSG_OPTION_FLAG("quiet", 'q', &d->quiet,
				"no progress bar, warnings and summary on standard error"),
		CSG_OPTION_FLAG_OFF("no-progress", 0, &d->show_progress, "no progress bar"),
		CSG_OPTION_FLAG("no-pager", 0, &d->no_pager,
				"no pager where standard output is a terminal"),
		CSG_OPTION_CHOICE("color", 0, "WHEN", &d->colours, csg_colours_words,
				  "when shares and messages have colours (default: auto, on a "
				  "terminal, unless $NO_COLOR is set)"),
		CSG_OPTION_FLAG("strict", 0, &d->strict,
				"end with status 18 where any code was not available; else only "
				"where no code was available for anything"),
		CSG_OPTION_END,
	};

	_Static_assert(sizeof(options) <= sizeof(d->message_options), "CSG_DECODE_OPTIONS");
	memcpy(d->message_options, options, sizeof(options));
}

static void fill_filter_options(struct csg_decode *d)
{
	struct csg_filters *f = &d->filters;
	const struct csg_option options[] = {
		CSG_OPTION_CALL("vm", 0, "LIST", csg_filters_take_vms, f,
				"only these VMs: PIDs of their VMMs, names or UUIDs of guests, "
				"host, unknown"),
		CSG_OPTION_CALL("world", 0, "LIST", csg_filters_take_worlds, f,
				"only these worlds: host, hypervisor, guest, firmware, unknown"),
		CSG_OPTION_CALL_WITH("pid", 0, "LIST", csg_filters_take_pids, f, f->option,
				     "only these processes, each in its machine"),
		CSG_OPTION_CALL_WITH("tid", 0, "LIST", csg_filters_take_tids, f, f->option,
				     "only these threads, each in its machine"),
		CSG_OPTION_CALL_WITH("comm", 0, "LIST", csg_filters_take_comms, f, f->option,
				     "only threads with these names"),
		CSG_OPTION_CALL_WITH("dso", 0, "LIST", csg_filters_take_dsos, f, f->option,
				     "only code of these objects, by path or its last part"),
		CSG_OPTION_CALL_WITH("symbol", 0, "LIST", csg_filters_take_symbols, f, f->option,
				     "only code of these functions"),
		CSG_OPTION_STRING("time", 0, "A,B", &f->times,
				  "only from A to B in seconds, each may be missing; or parts: "
				  "10%/2, 0%-10%; several divided by blanks, parts by commas"),
		CSG_OPTION_STRING("facts", 0, "FACTS", &d->sharding.facts,
				  "facts of csguest prepare, made with the same options: what "
				  "shards share, or an index of the trace, by which that of a time "
				  "is found"),
		CSG_OPTION_CALL_WITH("cpu", 'C', "LIST", csg_filters_take_cpus, f, f->option,
				     "only these CPUs' trace, as 0,2-3"),
		CSG_OPTION_END,
	};

	_Static_assert(sizeof(options) <= sizeof(d->filter_options), "CSG_DECODE_OPTIONS");
	memcpy(d->filter_options, options, sizeof(options));
}

static void fill_names_options(struct csg_decode *d)
{
	const struct csg_option options[] = {
		CSG_OPTION_FLAG("anonymise", 0, &d->anonymise,
				"names, paths and addresses become tokens, others each time"),
		CSG_OPTION_STRING(
			"anonymise-key", 0, "FILE", &d->anonymise_key,
			"the same, by the secret key in FILE: the same key gives the same "
			"tokens"),
		CSG_OPTION_END,
	};

	_Static_assert(sizeof(options) <= sizeof(d->names_options), "CSG_DECODE_OPTIONS");
	memcpy(d->names_options, options, sizeof(options));
}

void csg_decode_fill_options(struct csg_decode *d)
{
	fill_input_options(d);
	fill_image_options(d);
	fill_message_options(d);
	fill_names_options(d);
	fill_filter_options(d);
}

void csg_decode_some_filters(const struct csg_decode *d, const char *const *names,
			     struct csg_option table[CSG_DECODE_OPTIONS])
{
	const struct csg_option *o;

	for (; *names; names++)
		for (o = d->filter_options; o->kind != CSG_OPTION_KIND_END; o++)
			if (!strcmp(o->name, *names))
				*table++ = *o;
	*table = (struct csg_option)CSG_OPTION_END;
}
