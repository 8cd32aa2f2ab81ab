/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/etm.h"

#include <string.h>

#include "csguest/error.h"
#include "encoder/etm_p0.h"

void csg_enc_etm_init(struct csg_enc_etm *etm, const struct csg_enc_model *model)
{
	memset(etm, 0, sizeof(*etm));
	etm->model = *model;
	csg_enc_filter_init(&etm->filter, model);
	etm->packets.out = &etm->out;
	etm->packets.virt_bytes = model->vmid_bytes;
	etm->packets.full_addresses = model->full_addresses;
	etm->packets.no_exact_match = model->no_exact_match;
	etm->stack.depth = model->return_stack ? model->stack_depth : 0;
	etm->owed.sync = true;
	etm->owed.trace_on = true;
	etm->on = true;
}

void csg_enc_etm_fini(struct csg_enc_etm *etm)
{
	csg_enc_bytes_fini(&etm->out);
}

static uint64_t clock(const struct csg_enc_model *model, const struct csg_enc_time *time)
{
	switch (model->clock) {
	case CSG_ENC_CLOCK_VIRTUAL:
		return time->cntpct - time->cntvoff;
	case CSG_ENC_CLOCK_PHYSICAL:
		return time->cntpct;
	case CSG_ENC_CLOCK_UNRELATED:
		return (uint64_t)((__uint128_t)time->cntpct * model->clock_mult /
				  model->clock_div) +
		       model->clock_offset;
	default:
		return 0;
	}
}

uint64_t csg_enc_etm_time(const struct csg_enc_model *model, const struct csg_enc_time *time)
{
	return clock(model, time) & (UINT64_MAX >> (64 - model->time_bits));
}

static int put_time(struct csg_enc_etm *etm, const struct csg_enc_time *time)
{
	etm->now = csg_enc_etm_time(&etm->model, time);
	if (!time->traced || etm->model.clock == CSG_ENC_CLOCK_NONE)
		return 0;
	csg_enc_p0_begin(etm);
	if (etm->on)
		csg_enc_p0_settle(etm);
	csg_enc_p0_flush(etm);
	csg_enc_packet_timestamp(&etm->packets, etm->now,
				 etm->model.cycle_counts ? &time->cycles : NULL);
	return 0;
}

/* Uncommitted P0 elements that no wrong path may take back. */
static uint32_t able_to_commit(const struct csg_enc_etm *etm)
{
	uint32_t kept = etm->wrong ? etm->wrong_count + (etm->wrong_direction ? 1u : 0u) : 0;

	return etm->depth > kept ? etm->depth - kept : 0;
}

/* A cycle count; in commit mode 0 it also commits what is not on a wrong path. */
static int put_cycles(struct csg_enc_etm *etm, uint32_t count)
{
	uint32_t commit = 0;

	if (!etm->model.cycle_counts)
		return 0;
	csg_enc_p0_begin(etm);
	if (etm->owed.exception_return)
		csg_enc_p0_settle(etm);
	csg_enc_p0_flush(etm);
	if (!etm->model.commit_mode1) {
		commit = able_to_commit(etm);
		etm->depth -= commit;
	}
	csg_enc_packet_cycles(&etm->packets, &etm->model, count, commit);
	return 0;
}

static int put_commit(struct csg_enc_etm *etm, uint32_t count)
{
	uint32_t able;

	csg_enc_p0_flush(etm);
	able = able_to_commit(etm);
	if (count == 0 || count > able)
		count = able;
	if (!count)
		return 0;
	csg_enc_packet_commit(&etm->packets, count);
	etm->depth -= count;
	return 0;
}

/* Execution leaves what is traced; where it went to may still be seen. */
static int put_off(struct csg_enc_etm *etm)
{
	if (!etm->on)
		return 0;
	if (etm->owed.address && !etm->owed.trace_on && !etm->model.no_excluded_target)
		csg_enc_p0_settle(etm);
	if (etm->owed.exception_return)
		csg_enc_p0_exception_return(etm);
	csg_enc_p0_flush(etm);
	etm->on = false;
	etm->pc_known = false;
	return 0;
}

static int put_on(struct csg_enc_etm *etm, const struct csg_enc_event *event)
{
	etm->on = true;
	etm->pc = (struct csg_enc_address){event->address, event->t32};
	etm->pc_known = true;
	etm->owed.trace_on = true;
	etm->owed.address = true;
	return 0;
}

/* Overflow and discard: what is uncommitted is gone, and only a synchronisation helps. */
static int put_lost(struct csg_enc_etm *etm, const struct csg_enc_event *event)
{
	csg_enc_p0_begin(etm);
	csg_enc_p0_flush(etm);
	etm->synced = false;
	if (event->kind == CSG_ENC_OVERFLOW)
		csg_enc_packet_overflow(&etm->packets);
	else
		csg_enc_packet_discard(&etm->packets);
	etm->depth = 0;
	etm->wrong = etm->skip = false;
	memset(&etm->owed, 0, sizeof(etm->owed));
	etm->owed.sync = true;
	return put_on(etm, event);
}

static int put_transaction(struct csg_enc_etm *etm, const struct csg_enc_event *event)
{
	if (!etm->model.ete) {
		etm->error = "only ETE traces transactions";
		return -CSG_E_USAGE;
	}
	if (event->number == CSG_ENC_TRANSACTION_FAIL)
		csg_enc_p0_unpop(etm);
	csg_enc_p0_settle(etm);
	csg_enc_p0_flush(etm);
	etm->in_transaction = event->number == CSG_ENC_TRANSACTION_START;
	if (event->number == CSG_ENC_TRANSACTION_FAIL) {
		csg_enc_packet_bare_exception(&etm->packets, 0x18);
		etm->pc = (struct csg_enc_address){event->address, event->t32};
		etm->owed.address = true;
		return 0;
	}
	csg_enc_packet_transaction(&etm->packets, event->number == CSG_ENC_TRANSACTION_COMMIT);
	if (event->number == CSG_ENC_TRANSACTION_START && etm->model.transaction_p0)
		csg_enc_p0_count(etm, 1);
	return 0;
}

/* Single packets between the P0 elements. */
static int put_mark(struct csg_enc_etm *etm, const struct csg_enc_event *event)
{
	const struct csg_enc_model *m = &etm->model;

	csg_enc_p0_begin(etm);
	if (etm->owed.exception_return)
		csg_enc_p0_settle(etm);
	csg_enc_p0_flush(etm);
	switch (event->kind) {
	case CSG_ENC_EVENT:
		csg_enc_packet_event(&etm->packets, event->number);
		break;
	case CSG_ENC_MARKER:
		if (m->ete && m->marker)
			csg_enc_packet_marker(&etm->packets);
		break;
	case CSG_ENC_INSTRUMENTATION:
		if (m->ete && m->minor >= 3)
			csg_enc_packet_instrumentation(&etm->packets, event->number,
						       event->address);
		break;
	default:
		if (m->ete || m->minor >= 3)
			csg_enc_packet_ignore(&etm->packets);
		break;
	}
	return 0;
}

/* Nothing is lost by leaving these out while trace is off or a wrong path is not traced. */
static bool silent(const struct csg_enc_etm *etm, enum csg_enc_kind kind)
{
	switch (kind) {
	case CSG_ENC_BRANCH:
	case CSG_ENC_EXCEPTION:
	case CSG_ENC_Q:
	case CSG_ENC_CYCLES:
	case CSG_ENC_EVENT:
	case CSG_ENC_MARKER:
	case CSG_ENC_INSTRUMENTATION:
	case CSG_ENC_IGNORE:
	case CSG_ENC_TRANSACTION:
		return !etm->on || etm->skip;
	case CSG_ENC_CONTEXT:
	case CSG_ENC_TIME:
	case CSG_ENC_COMMIT:
		return etm->skip;
	default:
		return false;
	}
}

static int put_seen(void *arg, const struct csg_enc_event *event)
{
	struct csg_enc_etm *etm = arg;

	if (event->kind == CSG_ENC_TRANSACTION && !etm->on)
		etm->in_transaction = event->number == CSG_ENC_TRANSACTION_START;
	if (silent(etm, event->kind))
		return 0;
	switch (event->kind) {
	case CSG_ENC_CONTEXT:
		etm->context = event->context;
		return 0;
	case CSG_ENC_BRANCH:
		return csg_enc_p0_branch(etm, &event->branch);
	case CSG_ENC_EXCEPTION:
		return csg_enc_p0_exception(etm, &event->exception);
	case CSG_ENC_Q:
		return csg_enc_p0_q(etm, &event->q);
	case CSG_ENC_TIME:
		return put_time(etm, &event->time);
	case CSG_ENC_CYCLES:
		return put_cycles(etm, event->cycles);
	case CSG_ENC_OFF:
		return put_off(etm);
	case CSG_ENC_ON:
		return put_on(etm, event);
	case CSG_ENC_OVERFLOW:
	case CSG_ENC_DISCARD:
		return put_lost(etm, event);
	case CSG_ENC_SYNC:
		etm->owed.sync = true;
		return 0;
	case CSG_ENC_WRONG_PATH:
		return csg_enc_p0_wrong_path(etm, event);
	case CSG_ENC_CANCEL:
		return csg_enc_p0_cancel(etm);
	case CSG_ENC_COMMIT:
		return etm->model.max_spec && !etm->model.lazy_commit
			       ? put_commit(etm, event->number)
			       : 0;
	case CSG_ENC_TRANSACTION:
		return put_transaction(etm, event);
	default:
		return put_mark(etm, event);
	}
}

int csg_enc_etm_put(struct csg_enc_etm *etm, const struct csg_enc_event *event)
{
	return csg_enc_filter_put(&etm->filter, event, put_seen, etm);
}

int csg_enc_etm_finish(struct csg_enc_etm *etm)
{
	if (etm->on && etm->pc_known && (etm->owed.address || etm->owed.exception_return))
		csg_enc_p0_settle(etm);
	csg_enc_p0_begin(etm);
	csg_enc_p0_flush(etm);
	if (etm->model.max_spec)
		put_commit(etm, 0);
	return 0;
}

int csg_enc_etm_path(struct csg_enc_etm *etm, const struct csg_enc_path *path)
{
	for (size_t i = 0; i < path->count; i++) {
		int ret = csg_enc_etm_put(etm, &path->events[i]);

		if (ret < 0)
			return ret;
	}
	return csg_enc_etm_finish(etm);
}
