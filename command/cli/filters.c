/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/filters.h"

#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "csguest/error.h"
#include "csguest/machine.h"
#include "text/nearest.h"

/* --- options --- */

/* The next piece of a list divided by commas: its length; *list moves to the one after it, or
 * NULL. */
static size_t take_piece(const char **list, const char **piece)
{
	size_t length = strcspn(*list, ",");

	*piece = *list;
	*list = (*list)[length] ? *list + length + 1 : NULL;
	return length;
}

static bool is_word(const char *piece, size_t length, const char *word)
{
	return strlen(word) == length && !memcmp(piece, word, length);
}

int csg_filters_take_vms(void *data, const char *arg)
{
	struct csg_filters *f = data;
	const char *list = arg, *piece;

	while (list)
		if (!take_piece(&list, &piece))
			return csg_usage_error(
				f->command,
				"--vm takes PIDs of VMMs, names and UUIDs of guests, host and "
				"unknown, divided by commas, not '%s'",
				arg);
	f->vms = arg;
	return 0;
}

static int find_world(const char *piece, size_t length)
{
	for (int world = 0; world < CSG_WORLD_COUNT; world++)
		if (is_word(piece, length, csg_world_name(world)))
			return world;
	return -1;
}

static int refuse_world(const struct csg_filters *f, const char *piece, size_t length)
{
	static const char *const worlds[] = {
#define WORLD_WORD(name, text) text,
		CSG_WORLDS(WORLD_WORD)
#undef WORLD_WORD
			NULL,
	};
	const char *nearest = csg_nearest(piece, length, worlds);
	char hint[64];

	return csg_usage_error(f->command,
			       "--world: no world '%.*s'%s; there are host, hypervisor, guest, "
			       "firmware, unknown",
			       (int)length, piece,
			       csg_did_you_mean(hint, sizeof(hint), "", nearest));
}

int csg_filters_take_worlds(void *data, const char *arg)
{
	struct csg_filters *f = data;
	const char *piece;

	f->worlds = 0;
	while (arg) {
		size_t length = take_piece(&arg, &piece);
		int world = find_world(piece, length);

		if (world < 0)
			return refuse_world(f, piece, length);
		f->worlds |= 1u << world;
	}
	return 0;
}

/* The option as the user wrote it, which may have two names. */
static const char *option_of(const struct csg_filters *f, const char *name)
{
	return *f->option ? f->option : name;
}

static int take_set(const struct csg_filters *f, struct csg_number_set *set, const char *option,
		    const char *arg)
{
	int err = csg_number_set_parse(set, arg);

	if (err == -CSG_E_USAGE)
		return csg_usage_error(f->command, "%s takes numbers and ranges as 0,2-3, not '%s'",
				       option_of(f, option), arg);
	return err;
}

int csg_filters_take_pids(void *data, const char *arg)
{
	struct csg_filters *f = data;

	return take_set(f, &f->pids, "--pid", arg);
}

int csg_filters_take_tids(void *data, const char *arg)
{
	struct csg_filters *f = data;

	return take_set(f, &f->tids, "--tid", arg);
}

/* A list of names goes to *to. */
static int take_names(const struct csg_filters *f, const char **to, const char *option,
		      const char *arg)
{
	const char *list = arg, *piece;

	while (list)
		if (!take_piece(&list, &piece))
			return csg_usage_error(f->command,
					       "%s takes names divided by commas, not '%s'",
					       option_of(f, option), arg);
	*to = arg;
	return 0;
}

int csg_filters_take_comms(void *data, const char *arg)
{
	struct csg_filters *f = data;

	return take_names(f, &f->comms, "--comm", arg);
}

static int take_code(struct csg_filters *f, const char **to, const char *option, const char *arg)
{
	if (!f->seen)
		f->seen = csg_code_seen_create();
	return f->seen ? take_names(f, to, option, arg) : -CSG_E_NO_MEMORY;
}

int csg_filters_take_dsos(void *data, const char *arg)
{
	struct csg_filters *f = data;

	return take_code(f, &f->dsos, "--dso", arg);
}

int csg_filters_take_symbols(void *data, const char *arg)
{
	struct csg_filters *f = data;

	return take_code(f, &f->symbols, "--symbol", arg);
}

int csg_filters_understand_times(struct csg_filters *f, uint64_t first, uint64_t last)
{
	int err = f->times ? csg_time_ranges_parse(&f->ranges, f->times, first, last) : 0;

	if (err != -CSG_E_USAGE)
		return err;
	return csg_usage_error(f->command,
			       "--time takes A,B in seconds, or parts of a recording with times as "
			       "10%%/2 or 0%%-10%%, not '%s'",
			       f->times);
}

/* How many numbers the ranges have, those in several of them counted in each; SIZE_MAX: too
 * many. */
static size_t count_cpus(const struct csg_number_set *set)
{
	size_t n = 0;

	for (size_t i = 0; i < set->n; i++) {
		const struct csg_number_range *r = &set->ranges[i];

		if (r->last > INT32_MAX || r->last - r->first >= CSG_FILTER_CPUS_MAX)
			return SIZE_MAX;
		n += (size_t)(r->last - r->first) + 1;
	}
	return n <= CSG_FILTER_CPUS_MAX ? n : SIZE_MAX;
}

static int list_cpus(struct csg_filters *f, const struct csg_number_set *set, const char *arg)
{
	const size_t n = count_cpus(set);

	if (n == SIZE_MAX)
		return csg_usage_error(f->command, "%s takes %d CPUs at most, not '%s'",
				       option_of(f, "-C"), CSG_FILTER_CPUS_MAX, arg);
	free(f->cpus);
	f->cpu_count = 0;
	f->cpus = malloc(n * sizeof(*f->cpus));
	if (!f->cpus)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < set->n; i++)
		for (int64_t cpu = set->ranges[i].first; cpu <= set->ranges[i].last; cpu++)
			f->cpus[f->cpu_count++] = (int32_t)cpu;
	return 0;
}

int csg_filters_take_vcpus(void *data, const char *arg)
{
	struct csg_filters *f = data;

	*f->option = 0;
	return take_set(f, &f->vcpus, "--vcpu", arg);
}

int csg_filters_take_cpus(void *data, const char *arg)
{
	struct csg_filters *f = data;
	struct csg_number_set set = {0};
	int err = take_set(f, &set, "-C", arg);

	if (!err)
		err = list_cpus(f, &set, arg);
	csg_number_set_fini(&set);
	return err;
}

void csg_filters_fini(struct csg_filters *f)
{
	csg_number_set_fini(&f->pids);
	csg_number_set_fini(&f->tids);
	csg_number_set_fini(&f->vcpus);
	csg_vm_names_fini(&f->names);
	csg_time_ranges_fini(&f->ranges);
	csg_code_seen_destroy(f->seen);
	free(f->cpus);
	*f = (struct csg_filters){.command = f->command};
}

/* --- passing --- */

bool csg_filters_choose(const struct csg_filters *f)
{
	return f->vms || f->worlds || f->pids.n || f->tids.n || f->vcpus.n || f->comms;
}

/* Digits are a PID, also where a guest is named by digits; several VMs may have had it. */
static bool is_vm(const struct csg_filters *f, const char *piece, size_t length, int32_t vm,
		  const char *name)
{
	const char *end = piece;
	char text[CSG_VM_TEXT_SIZE];
	int64_t number;

	if (is_word(piece, length, "host"))
		return vm == CSG_VM_HOST;
	if (is_word(piece, length, "unknown"))
		return vm == CSG_VM_UNKNOWN;
	if (csg_number_read(&end, &number) && end == piece + length)
		return vm > 0 && (vm == number || csg_vm_pid(vm) == number);
	csg_vm_text(vm, text, sizeof(text));
	if (is_word(piece, length, text))
		return true;
	return vm > 0 && ((name && is_word(piece, length, name)) ||
			  csg_vm_names_is(&f->names, vm, piece, length));
}

bool csg_filters_pass_vm(const struct csg_filters *f, int32_t vm, const char *name)
{
	const char *list = f->vms, *piece;

	if (!list)
		return true;
	while (list) {
		size_t length = take_piece(&list, &piece);

		if (is_vm(f, piece, length, vm, name))
			return true;
	}
	return false;
}

bool csg_filters_pass_vcpu(const struct csg_filters *f, const struct csg_session *session,
			   const struct csg_vcpu_entry *vcpu)
{
	return csg_number_set_has(&f->vcpus, vcpu->vcpu) &&
	       (!f->vms ||
		csg_filters_pass_vm(f, vcpu->vm, csg_session_vm_name(session, vcpu->vm)));
}

bool csg_filters_pass_machine(const struct csg_filters *f, const struct csg_session *session,
			      const struct csg_owner *owner)
{
	if (f->worlds && !(f->worlds & 1u << owner->world))
		return false;
	if (f->vcpus.n &&
	    (owner->world != CSG_WORLD_GUEST || !csg_number_set_has(&f->vcpus, owner->vcpu)))
		return false;
	return !f->vms ||
	       csg_filters_pass_vm(f, owner->vm, csg_session_vm_name(session, owner->vm));
}

bool csg_filters_pass_thread(const struct csg_filters *f, const struct csg_owner *owner)
{
	return csg_number_set_has(&f->pids, owner->pid) && csg_number_set_has(&f->tids, owner->tid);
}

static bool is_listed(const char *list, const char *name)
{
	const char *piece;

	while (name && list) {
		size_t length = take_piece(&list, &piece);

		if (is_word(piece, length, name))
			return true;
	}
	return false;
}

bool csg_filters_choose_code(const struct csg_filters *f)
{
	return f->dsos || f->symbols;
}

bool csg_filters_pass_code(const struct csg_filters *f, const char *dso, const char *symbol)
{
	const char *last = dso ? strrchr(dso, '/') : NULL;
	const bool passes =
		(!f->symbols || is_listed(f->symbols, symbol)) &&
		(!f->dsos || is_listed(f->dsos, dso) || (last && is_listed(f->dsos, last + 1)));

	if (f->seen && !f->seen->passed && !passes)
		csg_code_seen_add(f->seen, dso, symbol);
	else if (f->seen)
		f->seen->passed = true;
	return passes;
}

bool csg_filters_pass_comm(const struct csg_filters *f, struct csg_session *session,
			   const struct csg_owner *owner, uint64_t time)
{
	return !f->comms ||
	       is_listed(f->comms, csg_session_comm(session, owner->vm, owner->tid, time));
}

bool csg_filters_pass_any_comm(const struct csg_filters *f, struct csg_session *session,
			       const struct csg_owner *owner)
{
	uint64_t time = 0;

	if (!f->comms)
		return true;
	for (;;) {
		uint64_t until;

		if (csg_filters_pass_comm(f, session, owner, time))
			return true;
		until = csg_session_names_until(session, owner->vm, owner->tid, time);
		if (until <= time || until == UINT64_MAX)
			return csg_filters_pass_comm(f, session, owner, UINT64_MAX);
		time = until;
	}
}

bool csg_filters_pass(const struct csg_filters *f, struct csg_session *session,
		      const struct csg_owner *owner, uint64_t time)
{
	return csg_filters_pass_machine(f, session, owner) && csg_filters_pass_thread(f, owner) &&
	       csg_filters_pass_comm(f, session, owner, time);
}
