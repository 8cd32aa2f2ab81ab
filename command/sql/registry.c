/* SPDX-License-Identifier: BSD-3-Clause */
#include "sql/registry.h"

#include <stdlib.h>

#include "csguest/context.h"

const char *csg_registry_privilege(uint8_t privilege)
{
	return privilege == CSG_KERNEL ? "kernel" : privilege == CSG_USER ? "user" : NULL;
}

static void write_owner(uint32_t number, const struct csg_owner *o, const struct csg_lookup *l,
			struct csg_rows *r)
{
	char evidence[256];

	csg_evidence_text(o->evidence, evidence, sizeof(evidence));
	csg_rows_begin(r, CSG_SQL_OWNER);
	csg_rows_int(r, number);
	csg_rows_text(r, csg_world_name((enum csg_world)o->world));
	csg_rows_text(r, csg_registry_privilege(o->privilege));
	csg_rows_known(r, o->el, o->el < CSG_EL_UNKNOWN);
	csg_rows_known(r, o->vm, o->vm != CSG_VM_UNKNOWN);
	csg_rows_known(r, o->vcpu, o->vcpu >= 0);
	csg_rows_known(r, o->pid, o->pid >= 0);
	csg_rows_known(r, o->tid, o->tid >= 0);
	csg_rows_known(r, o->host_tid, o->host_tid >= 0);
	csg_rows_text(r, l->comm(l->arg, number, UINT64_MAX));
	csg_rows_text(r, o->evidence ? evidence : NULL);
	csg_rows_text(r, o->reason ? csg_reason_text((enum csg_reason)o->reason) : NULL);
	csg_rows_known(r, o->level, o->level != CSG_LEVEL_UNKNOWN);
	csg_rows_known(r, o->nested, o->nested > 0);
	csg_rows_known(r, o->guest_tid, o->guest_tid >= 0);
	csg_rows_end(r);
}

static void write_vms(const struct csg_session *session, const struct csg_lookup *l,
		      struct csg_rows *r)
{
	const size_t n = csg_session_machines(session, NULL, 0);
	int32_t *vms = calloc(n, sizeof(*vms));

	if (!vms) {
		csg_rows_no_memory(r);
		return;
	}
	csg_session_machines(session, vms, n);
	for (size_t i = 1; i < n; i++) { /* the first is the host */
		csg_rows_begin(r, CSG_SQL_VM);
		csg_rows_int(r, vms[i]);
		csg_rows_text(r, csg_lookup_guest(l, vms[i]));
		csg_rows_end(r);
	}
	free(vms);
}

static void write_vcpus(const struct csg_session *session, struct csg_rows *r)
{
	for (size_t i = 0; i < csg_vcpu_count(session); i++) {
		const struct csg_vcpu_entry *v = csg_vcpu_at(session, i);

		csg_rows_begin(r, CSG_SQL_VCPU);
		csg_rows_int(r, v->tid);
		csg_rows_known(r, v->vm, v->vm > 0);
		csg_rows_known(r, v->vcpu, v->vcpu >= 0);
		csg_rows_end(r);
	}
}

static void write_streams(const struct csg_session *session, struct csg_rows *r)
{
	for (uint32_t i = 0; i < csg_session_stream_count(session); i++) {
		const struct csg_stream_info *s = csg_session_stream(session, i);

		csg_rows_begin(r, CSG_SQL_STREAM);
		csg_rows_int(r, i);
		csg_rows_known(r, s->source->cpu, s->source->cpu >= 0);
		csg_rows_int(r, s->source->trace_id);
		csg_rows_int(r, s->source->queue);
		csg_rows_int(r, (int64_t)s->trace_bytes);
		csg_rows_end(r);
	}
}

static void write_missing(struct csg_session *session, const struct csg_lookup *l,
			  struct csg_rows *r)
{
	const size_t n = csg_session_missing_count(session);

	for (size_t i = 0; i < n; i++) {
		const struct csg_missing *m = csg_session_missing(session, i);

		csg_rows_begin(r, CSG_SQL_MISSING);
		csg_rows_known(r, m->machine_pid, m->machine_pid >= 0);
		csg_rows_text(r, m->path[0] ? csg_anonym_name(l->anonym, CSG_ANONYM_OBJECT, m->path)
					    : NULL);
		csg_rows_int(r, (int64_t)m->count);
		csg_rows_int(r, (int64_t)csg_anonym_address(l->anonym, m->first_address));
		csg_rows_text(r, l->anonym ? NULL : m->remedy);
		csg_rows_end(r);
	}
}

void csg_registry_write(struct csg_session *session, const struct csg_lookup *l, struct csg_rows *r)
{
	const size_t n = csg_session_owner_count(session);

	write_streams(session, r);
	write_vms(session, l, r);
	write_vcpus(session, r);
	for (uint32_t i = 0; i < n; i++) {
		const struct csg_owner o = *l->owner(l->arg, i);

		write_owner(i, &o, l, r);
	}
	write_missing(session, l, r);
}
