/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/timeline_shard.h"

#include <stdlib.h>

#include "cli/sharded.h"
#include "cli/switched.h"
#include "csguest/error.h"
#include "csguest/machine.h"
#include "csguest/shard.h"
#include "shard/timeline_pack.h"

bool csg_timeline_has_states(const struct csg_decode *d, const struct csg_timeline_print *print)
{
	return print->unit == CSG_SLICES_NS && print->format != CSG_TIMELINE_CSV &&
	       csg_switched_knows(d->session);
}

struct states {
	struct csg_decode *decode;
	const struct csg_slice_window *core;
	struct csg_waits waits;
	struct csg_vcpu_parts_list vcpus, halts;
};

/* Whether the last stream is decoded here: then all vCPUs are known. */
static bool is_last(const struct csg_decode *d)
{
	const size_t n = csg_session_stream_count(d->session);

	return n && csg_shard_has(d->session, (uint32_t)n - 1);
}

static int add_vcpus(struct states *s)
{
	struct csg_session *session = s->decode->session;
	const size_t n = is_last(s->decode) ? csg_vcpu_count(session) : 0;
	int err = 0;

	for (size_t i = 0; !err && i < n; i++) {
		const struct csg_vcpu_entry *entry = csg_vcpu_at(session, i);
		struct csg_vcpu_parts *v;

		if (entry->vm <= 0 || !csg_filters_pass_vcpu(&s->decode->filters, session, entry))
			continue;
		v = csg_vcpu_parts_add(&s->vcpus);
		if (!v)
			return -CSG_E_NO_MEMORY;
		v->vm = entry->vm;
		v->vcpu = entry->vcpu;
		v->tid = entry->tid;
		v->guest = csg_session_vm_name(session, entry->vm);
		csg_waits_trim(&s->waits);
		err = csg_wait_parts_read(&v->parts, &s->waits, v->vm, v->tid, &s->decode->windows,
					  s->core);
	}
	return err;
}

static int add_halted(struct states *s, const struct csg_wait_thread *thread, int32_t vm,
		      int32_t tid)
{
	struct csg_vcpu_parts *v = csg_vcpu_parts_add(&s->halts);

	if (!v)
		return -CSG_E_NO_MEMORY;
	v->vm = vm;
	v->tid = tid;
	csg_waits_trim(&s->waits);
	return thread ? csg_wait_parts_halt(&v->parts, &s->waits, thread, &s->decode->windows,
					    s->core)
		      : 0;
}

static int by_number(const void *pa, const void *pb)
{
	const int32_t a = *(const int32_t *)pa, b = *(const int32_t *)pb;

	return (a > b) - (a < b);
}

/* Threads that halted, of each VM that had one with this TID. */
static int add_halts(struct states *s, const struct csg_halts *halts)
{
	int32_t *tids = calloc(halts->count + 1, sizeof(*tids));
	int err = tids ? 0 : -CSG_E_NO_MEMORY;

	for (size_t i = 0; !err && i < halts->count; i++)
		tids[i] = halts->halts[i].tid;
	if (!err)
		qsort(tids, halts->count, sizeof(*tids), by_number);
	for (size_t i = 0; !err && i < halts->count; i++) {
		size_t n;
		const struct csg_wait_thread *t = csg_waits_threads_of(&s->waits, tids[i], &n);

		if (i && tids[i] == tids[i - 1])
			continue;
		if (!n)
			err = add_halted(s, NULL, 0, tids[i]);
		for (size_t j = 0; !err && j < n; j++)
			err = add_halted(s, &t[j], t[j].vm, tids[i]);
	}
	free(tids);
	return err;
}

static int read_states(struct states *s, const struct csg_halts *halts)
{
	int err = csg_switched_read(&s->waits, s->decode, NULL);

	if (!err)
		err = add_vcpus(s);
	if (!err)
		csg_halts_tell(halts, &s->waits);
	if (!err)
		err = add_halts(s, halts);
	csg_waits_fini(&s->waits);
	return err;
}

static int pack(void *arg, struct csg_pack *pack)
{
	csg_timeline_pack(pack, arg);
	return 0;
}

int csg_timeline_shard_write(struct csg_decode *d, const struct csg_timeline *rows,
			     const struct csg_timeline_print *print,
			     const struct csg_slice_window *span, const struct csg_halts *halts)
{
	struct states s = {.decode = d, .core = span};
	struct csg_timeline_shard shard = {
		.rows = rows, .print = print, .span = *span, .vcpus = &s.vcpus, .halts = &s.halts};
	int err = csg_timeline_has_states(d, print) ? read_states(&s, halts) : 0;

	d->sharding.hypervisor = print->hypervisor;
	if (!err)
		err = csg_sharded_write(d, pack, &shard);
	csg_vcpu_parts_fini(&s.vcpus);
	csg_vcpu_parts_fini(&s.halts);
	return err;
}
