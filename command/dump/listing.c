/* SPDX-License-Identifier: BSD-3-Clause */
#include "dump/listing.h"

#include "csguest/context.h"
#include "text/escape.h"

#define NS_PER_S 1000000000u
#define TRCCONFIGR_CID (1u << 6)

static const char *const branches[] = {
	[CSG_BRANCH_NONE] = "-",
	[CSG_BRANCH_DIRECT] = "branch",
	[CSG_BRANCH_CALL] = "call",
	[CSG_BRANCH_INDIRECT] = "ibranch",
	[CSG_BRANCH_INDIRECT_CALL] = "icall",
	[CSG_BRANCH_RETURN] = "return",
	[CSG_BRANCH_ERET] = "eret",
	[CSG_BRANCH_BARRIER] = "barrier",
	[CSG_BRANCH_WAIT] = "wait",
	[CSG_BRANCH_TSTART] = "tstart",
};

static const char *const isas[] = {
	[CSG_ISA_UNKNOWN] = "?",
	[CSG_ISA_A64] = "A64",
	[CSG_ISA_A32] = "A32",
	[CSG_ISA_T32] = "T32",
};

static const char *const securities[] = {
	[CSG_NON_SECURE] = "non-secure",
	[CSG_SECURE] = "secure",
	[CSG_ROOT] = "root",
	[CSG_REALM] = "realm",
	[CSG_SECURITY_UNKNOWN] = "security unknown",
};

static const char *name_of(const char *const *names, size_t n, size_t i)
{
	return i < n ? names[i] : "?";
}
#define NAME_OF(names, i) name_of((names), sizeof(names) / sizeof(*(names)), (i))

static void hex(struct csg_out *out, uint64_t n)
{
	csg_out_bytes(out, "0x", 2);
	csg_out_hex(out, n, 1);
}

static void address(struct csg_out *out, uint64_t n)
{
	csg_out_bytes(out, "0x", 2);
	csg_out_address(out, n, 1);
}

static void labelled(struct csg_out *out, const char *label, int64_t n)
{
	csg_out_str(out, label);
	csg_out_i64(out, n);
}

static void head(struct csg_out *out, const struct csg_source *source, uint64_t index)
{
	csg_out_str(out, "Idx:");
	csg_out_u64(out, index);
	csg_out_str(out, "; ID:");
	csg_out_hex(out, source->trace_id, 1);
	csg_out_str(out, "; ");
}

static void addresses(struct csg_out *out, const struct csg_element *e)
{
	address(out, e->start);
	csg_out_str(out, ":[");
	address(out, e->end);
	csg_out_str(out, "] num_i(");
	csg_out_u64(out, e->instructions);
	csg_out_char(out, ')');
}

static void range(struct csg_out *out, const struct csg_element *e)
{
	addresses(out, e);
	csg_out_str(out, " last_sz(");
	csg_out_u64(out, e->last_size);
	csg_out_str(out, ") (ISA=");
	csg_out_str(out, NAME_OF(isas, e->isa));
	csg_out_str(out, e->taken ? ") E " : ") N ");
	csg_out_str(out, NAME_OF(branches, e->branch));
	if (e->conditional)
		csg_out_str(out, " <cond>");
}

/* Values that the trace unit was not told to trace are none. */
static void context(struct csg_out *out, const struct csg_source *source,
		    const struct csg_element *e)
{
	enum csg_vctx_kind kind = csg_source_vctx(source);

	csg_out_str(out, NAME_OF(securities, e->info >> CSG_CONTEXT_SECURITY_SHIFT));
	csg_out_str(out, e->info & CSG_CONTEXT_AARCH64 ? " 64-bit" : " 32-bit");
	if (e->info & CSG_CONTEXT_HAS_VCTX && kind != CSG_VCTX_NONE) {
		csg_out_str(out, kind == CSG_VCTX_VMID ? " VMID=" : " CONTEXTIDR_EL2=");
		hex(out, e->end);
	}
	if (e->info & CSG_CONTEXT_HAS_CONTEXTIDR && source->trcconfigr & TRCCONFIGR_CID) {
		csg_out_str(out, " CONTEXTIDR_EL1=");
		hex(out, e->start);
	}
}

static void gap(struct csg_out *out, const struct csg_element *e)
{
	csg_out_str(out, csg_gap_name(e->gap));
	if (e->gap == CSG_GAP_NO_CODE || e->gap == CSG_GAP_NO_OWNER) {
		csg_out_str(out, " at ");
		address(out, e->start);
	}
	if (e->gap == CSG_GAP_UNDEFINED) {
		csg_out_str(out, " at ");
		address(out, e->end);
		csg_out_str(out, ", in a line from ");
		address(out, e->start);
	}
	if (e->info) {
		csg_out_str(out, ", ");
		csg_out_u64(out, e->info);
		csg_out_str(out, " bytes");
	}
}

static void timestamp(struct csg_out *out, const struct csg_element *e, uint64_t time)
{
	hex(out, e->timestamp);
	if (e->has_cycles)
		labelled(out, " cycles ", e->cycles);
	if (time)
		csg_out_printf(out, " time %llu.%09llu", (unsigned long long)(time / NS_PER_S),
			       (unsigned long long)(time % NS_PER_S));
}

static void exception(struct csg_out *out, const struct csg_element *e)
{
	csg_out_str(out, "number 0x");
	csg_out_hex(out, e->info, 2);
	if (e->has_return) {
		csg_out_str(out, " return ");
		address(out, e->end);
	}
}

/* What stands between the parentheses. */
static void details(struct csg_out *out, const struct csg_source *source,
		    const struct csg_element *e, uint64_t time)
{
	switch (e->kind) {
	case CSG_ELEMENT_RANGE:
		range(out, e);
		break;
	case CSG_ELEMENT_RANGE_NOPATH:
		addresses(out, e);
		break;
	case CSG_ELEMENT_EXCEPTION:
		exception(out, e);
		break;
	case CSG_ELEMENT_CONTEXT:
		context(out, source, e);
		break;
	case CSG_ELEMENT_TIMESTAMP:
		timestamp(out, e, time);
		break;
	case CSG_ELEMENT_CYCLES:
		csg_out_u64(out, e->cycles);
		break;
	case CSG_ELEMENT_EVENT:
	case CSG_ELEMENT_MARKER:
	case CSG_ELEMENT_TRANSACTION:
		csg_out_u64(out, e->info);
		break;
	case CSG_ELEMENT_INSTRUMENTATION:
		hex(out, e->timestamp);
		labelled(out, " at EL", e->info);
		break;
	case CSG_ELEMENT_SAMPLE:
		hex(out, e->start);
		break;
	case CSG_ELEMENT_GAP:
		gap(out, e);
		break;
	default:
		break;
	}
}

void csg_listing_owner(struct csg_out *out, const struct csg_owner *o)
{
	csg_out_str(out, csg_world_name(o->world));
	if (o->world == CSG_WORLD_UNKNOWN) {
		csg_out_str(out, ": ");
		csg_out_str(out, csg_reason_text(o->reason));
		return;
	}
	if (o->vm > 0) {
		csg_out_str(out, " vm ");
		csg_out_vm(out, o->vm);
	}
	if (o->vcpu >= 0)
		labelled(out, " vcpu ", o->vcpu);
	if (o->privilege != CSG_PRIVILEGE_UNKNOWN)
		csg_out_str(out, o->privilege == CSG_KERNEL ? " kernel" : " user");
	if (o->pid >= 0)
		labelled(out, " pid ", o->pid);
	if (o->tid >= 0)
		labelled(out, " tid ", o->tid);
}

void csg_listing_element(struct csg_out *out, const struct csg_source *source,
			 const struct csg_element *e, const struct csg_owner *owner, uint64_t time)
{
	head(out, source, e->index);
	csg_out_str(out, csg_element_name(e->kind));
	csg_out_char(out, '(');
	details(out, source, e, time);
	csg_out_str(out, "); EL");
	if (e->el < CSG_EL_UNKNOWN)
		csg_out_u64(out, e->el);
	else
		csg_out_char(out, '?');
	csg_out_str(out, "; ");
	csg_listing_owner(out, owner);
	csg_out_char(out, '\n');
}

void csg_listing_packet(struct csg_out *out, const struct csg_source *source, uint64_t index,
			const char *text)
{
	head(out, source, index);
	csg_out_str(out, "packet(");
	csg_out_text(out, text);
	csg_out_str(out, ")\n");
}

void csg_listing_stream(struct csg_out *out, const struct csg_source *source, uint32_t stream)
{
	csg_out_printf(out, "# stream %u: queue %u, ID 0x%02x", stream, source->queue,
		       source->trace_id);
	if (source->cpu != CSG_NO_CPU)
		csg_out_printf(out, ", CPU %d", source->cpu);
	csg_out_printf(out, ", %s", source->protocol == CSG_PROTOCOL_ETE ? "ETE" : "ETMv4");
	if (source->name) {
		csg_out_str(out, ", ");
		csg_out_text(out, csg_anonym_name(out->anonym, CSG_ANONYM_TEXT, source->name));
	}
	csg_out_char(out, '\n');
}
