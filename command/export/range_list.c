/* SPDX-License-Identifier: BSD-3-Clause */
#include "export/range_list.h"

#include "csguest/context.h"
#include "lookup/owner_filter.h"
#include "text/escape.h"

static const char *branch_name(uint8_t branch)
{
	static const char *const names[] = {
		[CSG_BRANCH_NONE] = "none",	      [CSG_BRANCH_DIRECT] = "direct",
		[CSG_BRANCH_CALL] = "call",	      [CSG_BRANCH_INDIRECT] = "indirect",
		[CSG_BRANCH_INDIRECT_CALL] = "icall", [CSG_BRANCH_RETURN] = "return",
		[CSG_BRANCH_ERET] = "eret",	      [CSG_BRANCH_BARRIER] = "barrier",
		[CSG_BRANCH_WAIT] = "wait",	      [CSG_BRANCH_TSTART] = "tstart",
	};

	return branch < sizeof(names) / sizeof(*names) ? names[branch] : "none";
}

static const char *privilege_name(uint8_t privilege)
{
	return privilege == CSG_KERNEL ? "kernel" : privilege == CSG_USER ? "user" : NULL;
}

/* A field's name in JSON, a comma in CSV. */
static void field(const struct csg_range_list *l, const char *name)
{
	if (l->json)
		csg_out_printf(l->out, ",\"%s\":", name);
	else
		csg_out_char(l->out, ',');
}

static void number(const struct csg_range_list *l, const char *name, int64_t n, bool known)
{
	field(l, name);
	if (known)
		csg_out_i64(l->out, n);
	else if (l->json)
		csg_out_str(l->out, "null");
}

static void word(const struct csg_range_list *l, const char *name, const char *text)
{
	field(l, name);
	if (l->json)
		csg_out_json(l->out, text);
	else
		csg_out_csv(l->out, text);
}

static void address(const struct csg_range_list *l, const char *name, uint64_t at)
{
	field(l, name);
	csg_out_str(l->out, l->json ? "\"0x" : "0x");
	csg_out_address(l->out, at, 1);
	csg_out_str(l->out, l->json ? "\"" : "");
}

static void write_range(const struct csg_range_list *l, const struct csg_batch *batch,
			const struct csg_element *e, int32_t cpu)
{
	const struct csg_owner *o = l->lookup->owner(l->lookup->arg, e->owner);

	csg_out_str(l->out, l->json ? "{\"stream\":" : "");
	csg_out_u64(l->out, batch->stream);
	number(l, "cpu", cpu, cpu >= 0);
	number(l, "time", (int64_t)batch->time, batch->time != 0);
	number(l, "index", (int64_t)e->index, true);
	address(l, "start", e->start);
	address(l, "end", e->end);
	number(l, "instructions", e->instructions, true);
	word(l, "branch", branch_name(e->branch));
	number(l, "taken", e->taken, true);
	number(l, "el", e->el, e->el < CSG_EL_UNKNOWN);
	word(l, "world", csg_world_name(o->world));
	word(l, "privilege", privilege_name(o->privilege));
	number(l, "vm", o->vm, o->vm >= 0);
	number(l, "vcpu", o->vcpu, o->vcpu >= 0);
	number(l, "pid", o->pid, o->pid >= 0);
	number(l, "tid", o->tid, o->tid >= 0);
	number(l, "host_tid", o->host_tid, o->host_tid >= 0);
	number(l, "level", o->level, o->level != CSG_LEVEL_UNKNOWN);
	number(l, "nested", o->nested, o->nested > 0);
	number(l, "guest_tid", o->guest_tid, o->guest_tid >= 0);
	csg_out_str(l->out, l->json ? "}\n" : "\n");
}

void csg_range_list_begin(const struct csg_range_list *l)
{
	if (!l->json)
		csg_out_str(l->out,
			    "stream,cpu,time,index,start,end,instructions,branch,taken,el,"
			    "world,privilege,vm,vcpu,pid,tid,host_tid,level,nested,guest_tid\n");
}

void csg_range_list_add(const struct csg_range_list *l, const struct csg_batch *batch, int32_t cpu)
{
	for (size_t i = 0; i < batch->n; i++)
		if (batch->elements[i].kind == CSG_ELEMENT_RANGE &&
		    (!l->wanted ||
		     l->wanted(l->arg, l->lookup, &batch->elements[i], batch->lookup_time)))
			write_range(l, batch, &batch->elements[i], cpu);
}
