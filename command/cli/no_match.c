/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/no_match.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "csguest/machine.h"
#include "lookup/arrays.h"
#include "lookup/traced_span.h"
#include "text/nearest.h"
#include "util/report.h"

#define NAMES_MAX 8 /* VMs and CPUs that are listed */

/* A list as a sentence has it: "a, b, c and 3 more". */
struct list {
	char text[200];
	size_t length, shown, more;
};

static void add(struct list *list, const char *name)
{
	const size_t left = sizeof(list->text) - list->length;

	if (list->shown == NAMES_MAX || left <= strlen(name) + 2) {
		list->more++;
		return;
	}
	list->length += (size_t)snprintf(list->text + list->length, left, "%s%s",
					 list->shown++ ? ", " : "", name);
}

static const char *text_of(struct list *list, char *buf, size_t size)
{
	if (list->more)
		snprintf(buf, size, "%s and %zu more", list->text, list->more);
	else
		snprintf(buf, size, "%s", list->shown ? list->text : "none");
	return buf;
}

/* --- owners --- */

/* In the time of --time. */
static bool ran(const struct csg_outcome *outcome, size_t owner)
{
	if (outcome->is_timely && (owner >= outcome->timely_n || !outcome->timely[owner]))
		return false;
	return outcome->by_owner[owner].instructions || outcome->by_owner[owner].unread;
}

/* Under any name. */
static bool passes(const struct csg_filters *filters, struct csg_session *session, uint32_t number)
{
	const struct csg_owner *owner = csg_session_owner(session, number);

	return csg_filters_pass_machine(filters, session, owner) &&
	       csg_filters_pass_thread(filters, owner) &&
	       csg_filters_pass_any_comm(filters, session, owner);
}

static bool any_passes(const struct csg_filters *filters, const struct csg_outcome *outcome,
		       struct csg_session *session)
{
	for (size_t i = 0; i < outcome->n; i++)
		if (ran(outcome, i) && passes(filters, session, (uint32_t)i))
			return true;
	return false;
}

static void list_worlds(struct list *list, const struct csg_outcome *outcome,
			const struct csg_session *session)
{
	uint32_t worlds = 0;

	for (size_t i = 0; i < outcome->n; i++)
		if (ran(outcome, i))
			worlds |= 1u << csg_session_owner(session, (uint32_t)i)->world;
	for (int world = 0; world < CSG_WORLD_COUNT; world++)
		if (worlds & 1u << world)
			add(list, csg_world_name(world));
}

/* The lowest of those above `above`; INT32_MAX: none is. */
static int32_t next_vm(const struct csg_outcome *outcome, const struct csg_session *session,
		       int32_t above)
{
	int32_t next = INT32_MAX;

	for (size_t i = 0; i < outcome->n; i++) {
		int32_t vm;

		if (!ran(outcome, i))
			continue;
		vm = csg_session_owner(session, (uint32_t)i)->vm;
		if (vm > above && vm < next)
			next = vm;
	}
	return next;
}

static void add_vm(struct list *list, int32_t vm, const char *name)
{
	char text[80], number[CSG_VM_TEXT_SIZE];

	csg_vm_text(vm, number, sizeof(number));
	if (name)
		snprintf(text, sizeof(text), "%s (%.60s)", number, name);
	else
		snprintf(text, sizeof(text), "%s", number);
	add(list, text);
}

/* In ascending order, whoever ran first: every command then lists the same. */
static void list_vms(struct list *list, const struct csg_outcome *outcome,
		     const struct csg_session *session)
{
	int32_t vm = 0;

	while ((vm = next_vm(outcome, session, vm)) != INT32_MAX)
		add_vm(list, vm, csg_session_vm_name(session, vm));
}

/* As "asker 132/132"; of those that do not fit it says that there are others. */
static void list_threads(struct list *list, const struct csg_outcome *outcome,
			 struct csg_session *session)
{
	for (size_t i = 0; i < outcome->n && !list->more; i++) {
		const struct csg_owner *owner = csg_session_owner(session, (uint32_t)i);
		const char *comm;
		char text[64];

		if (!ran(outcome, i) || owner->tid < 0)
			continue;
		comm = csg_session_comm(session, owner->vm, owner->tid, UINT64_MAX);
		snprintf(text, sizeof(text), "%.20s %" PRId32 "/%" PRId32, comm ? comm : "thread",
			 owner->pid, owner->tid);
		if (!strstr(list->text, text))
			add(list, text);
	}
	if (list->more)
		snprintf(list->text + list->length, sizeof(list->text) - list->length, "%s",
			 ", ...");
	list->more = 0;
}

#define VCPUS 64 /* of which numbers are listed */

static void list_vcpus(struct list *list, const struct csg_outcome *outcome,
		       const struct csg_session *session)
{
	uint64_t set = 0;

	for (size_t i = 0; i < outcome->n; i++) {
		const struct csg_owner *owner = csg_session_owner(session, (uint32_t)i);

		if (ran(outcome, i) && owner->vcpu >= 0 && owner->vcpu < VCPUS)
			set |= UINT64_C(1) << owner->vcpu;
	}
	for (int vcpu = 0; vcpu < VCPUS; vcpu++) {
		char text[16];

		snprintf(text, sizeof(text), "%d", vcpu);
		if (set & UINT64_C(1) << vcpu)
			add(list, text);
	}
}

/* The name of a thread that ran which is most like the first of --comm, as a question, or "". */
static void ask_comm(const struct csg_filters *filters, const struct csg_outcome *outcome,
		     struct csg_session *session, char *hint, size_t size)
{
	const char **names = calloc(outcome->n + 1, sizeof(*names));
	size_t n = 0;

	*hint = 0;
	if (!names || !filters->comms) {
		free(names);
		return;
	}
	for (size_t i = 0; i < outcome->n; i++) {
		const struct csg_owner *owner = csg_session_owner(session, (uint32_t)i);

		if (ran(outcome, i) && owner->tid >= 0)
			names[n] = csg_session_comm(session, owner->vm, owner->tid, UINT64_MAX);
		n += names[n] != NULL;
	}
	csg_did_you_mean(hint, size, "",
			 csg_nearest(filters->comms, strcspn(filters->comms, ","), names));
	free(names);
}

static void warn_of_owners(const struct csg_filters *filters, const struct csg_outcome *outcome,
			   struct csg_session *session, const struct csg_diag_sink *sink)
{
	struct list vms = {0}, worlds = {0}, threads = {0}, vcpus = {0};
	char vm_text[230], world_text[230], thread_text[230], vcpu_text[230], hint[64];
	const bool of_threads = filters->pids.n || filters->tids.n || filters->comms;

	list_vms(&vms, outcome, session);
	list_worlds(&worlds, outcome, session);
	if (of_threads)
		list_threads(&threads, outcome, session);
	if (filters->vcpus.n)
		list_vcpus(&vcpus, outcome, session);
	ask_comm(filters, outcome, session, hint, sizeof(hint));
	csg_report(sink, CSG_WARNING, 0, NULL, CSG_NO_OFFSET,
		   "csguest report --by world,vm,vcpu,pid,tid,comm lists who ran",
		   "nothing that was decoded %spasses the filters%s; VMs: %s; worlds: %s%s%s%s%s",
		   outcome->is_timely ? "of the time of --time " : "", hint,
		   text_of(&vms, vm_text, sizeof(vm_text)),
		   text_of(&worlds, world_text, sizeof(world_text)),
		   filters->vcpus.n ? "; vCPUs: " : "",
		   filters->vcpus.n ? text_of(&vcpus, vcpu_text, sizeof(vcpu_text)) : "",
		   of_threads ? "; threads: " : "",
		   of_threads ? text_of(&threads, thread_text, sizeof(thread_text)) : "");
}

/* --- code --- */

static bool is_new(const struct csg_keyset *names, size_t end, const char *dso)
{
	for (size_t i = 0; i < end; i++) {
		const struct csg_code_name *name = csg_keyset_get(names, i);

		if (name->dso && !strcmp(name->dso, dso))
			return false;
	}
	return true;
}

static void list_objects(struct list *list, const struct csg_code_seen *seen)
{
	for (size_t i = 0; i < seen->names.count; i++) {
		const struct csg_code_name *name = csg_keyset_get(&seen->names, i);

		if (name->dso && is_new(&seen->names, i, name->dso))
			add(list, name->dso);
	}
}

static void warn_of_code(const struct csg_filters *filters, const struct csg_diag_sink *sink)
{
	struct list objects = {0};
	char text[230], hint[128] = "";

	if (filters->symbols)
		csg_did_you_mean(hint, sizeof(hint), "",
				 csg_code_seen_nearest(filters->seen, filters->symbols,
						       strcspn(filters->symbols, ",")));
	list_objects(&objects, filters->seen);
	csg_report(sink, CSG_WARNING, 0, NULL, CSG_NO_OFFSET,
		   "csguest report --by dso,symbol lists the code that ran",
		   "%sno code %s%.60s%s%s%.60s was decoded%s; objects: %s",
		   csg_filters_choose(filters) || filters->times
			   ? "of what passes the other filters, "
			   : "",
		   filters->symbols ? "of function " : "", filters->symbols ? filters->symbols : "",
		   filters->symbols && filters->dsos ? " " : "", filters->dsos ? "of object " : "",
		   filters->dsos ? filters->dsos : "", hint, text_of(&objects, text, sizeof(text)));
}

/* --- times --- */

/* When there is trace, ns; 0: not known. */
struct traced {
	uint64_t first, last;
};

/* By what was decoded, else by AUX records: where nothing is in the time of --time. */
static struct traced traced_of(const struct csg_outcome *outcome, struct csg_session *session)
{
	struct traced traced = {outcome->first, outcome->last};
	size_t n;
	const struct csg_chunk *chunks = csg_array_chunks(csg_session_recording(session), &n);

	if (!traced.first)
		csg_traced_span(chunks, n, &traced.first, &traced.last);
	return traced;
}

static bool is_traced(const struct csg_time_ranges *ranges, struct traced traced)
{
	for (size_t i = 0; i < ranges->n; i++)
		if (ranges->ranges[i].begin <= traced.last && ranges->ranges[i].end > traced.first)
			return true;
	return !ranges->n || !traced.first;
}

void csg_no_match_warn(const struct csg_filters *filters, const struct csg_outcome *outcome,
		       struct csg_session *session, const struct csg_diag_sink *sink)
{
	const struct traced traced = traced_of(outcome, session);

	if (!is_traced(&filters->ranges, traced))
		csg_report(sink, CSG_WARNING, 0, NULL, CSG_NO_OFFSET, NULL,
			   "nothing was traced in the time of --time; the trace is from %.9f to "
			   "%.9f s",
			   (double)traced.first / 1e9, (double)traced.last / 1e9);
	else if (csg_filters_choose(filters) && !any_passes(filters, outcome, session))
		warn_of_owners(filters, outcome, session, sink);
	else if (filters->seen && !filters->seen->passed)
		warn_of_code(filters, sink);
}

void csg_no_match_vms(const struct csg_session *session, const int32_t *vms, size_t n,
		      const struct csg_diag_sink *sink)
{
	struct list list = {0};
	char text[230];

	for (size_t i = 0; i < n; i++)
		add_vm(&list, vms[i], csg_session_vm_name(session, vms[i]));
	csg_report(sink, CSG_WARNING, 0, NULL, CSG_NO_OFFSET, NULL, "no VM passes --vm; VMs: %s",
		   text_of(&list, text, sizeof(text)));
}

/* --- CPUs --- */

static bool is_wanted(const struct csg_filters *filters, int32_t cpu)
{
	for (size_t i = 0; i < filters->cpu_count; i++)
		if (filters->cpus[i] == cpu)
			return true;
	return false;
}

/* False where one of them is wanted: then it is not -C that leaves nothing. */
static bool list_cpus(struct list *list, const struct csg_filters *filters,
		      const struct csg_recording *recording)
{
	size_t n;
	const struct csg_source *sources = csg_array_sources(recording, &n);

	for (size_t i = 0; i < n; i++) {
		bool again = false;
		char text[16];

		if (is_wanted(filters, sources[i].cpu))
			return false;
		for (size_t k = 0; k < i; k++)
			again |= sources[k].cpu == sources[i].cpu;
		snprintf(text, sizeof(text), "%" PRId32, sources[i].cpu);
		if (!again && sources[i].cpu >= 0)
			add(list, text);
	}
	return n;
}

int csg_no_match_cpus(const struct csg_filters *filters, const char *path, const char *tmpdir,
		      const struct csg_diag_sink *sink)
{
	const struct csg_recording_options options = {.size = sizeof(options), .tmpdir = tmpdir};
	struct csg_recording *recording;
	struct list cpus = {0};
	char text[230];
	int err = 0;

	if (!filters->cpu_count || !strcmp(path, "-") ||
	    csg_recording_open(&recording, path, &options))
		return 0;
	if (list_cpus(&cpus, filters, recording))
		err = csg_report(sink, CSG_ERROR, CSG_E_NO_TRACE, path, CSG_NO_OFFSET, NULL,
				 "it has no trace of the CPUs that -C names; CPUs: %s",
				 text_of(&cpus, text, sizeof(text)));
	csg_recording_close(recording);
	return err;
}
