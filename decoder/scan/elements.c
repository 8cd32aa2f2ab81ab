/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/elements.h"

#include "csguest/element.h"

/*
 * The first element behind an A-Sync lies this close to it, at most: A-Sync (12 bytes), Trace
 * Info (up to 16), Trace On and a few event or timestamp packets.  Only with more bytes in
 * between was something skipped.
 */
#define SYNC_BYTES 64

void csg_elements_init(struct csg_elements *e, uint64_t trcconfigr,
		       const struct csg_positions *positions, csg_track_fn out, void *arg)
{
	*e = (struct csg_elements){
		.has_contextidr = trcconfigr & (1u << 6),
		.has_vctx = trcconfigr & (1u << 7),
		.context = CSG_CONTEXT_UNKNOWN,
		.positions = positions,
		.out = out,
		.arg = arg,
	};
}

uint8_t csg_gap_of_unsync(unsync_info_t reason)
{
	switch (reason) {
	case UNSYNC_OVERFLOW:
		return CSG_GAP_OVERFLOW;
	case UNSYNC_DISCARD:
		return CSG_GAP_DISCARD;
	case UNSYNC_BAD_PACKET:
		return CSG_GAP_BAD_PACKET;
	default:
		return CSG_GAP_NO_SYNC;
	}
}

static enum csg_security security_of(ocsd_sec_level level)
{
	switch (level) {
	case ocsd_sec_secure:
		return CSG_SECURE;
	case ocsd_sec_nonsecure:
		return CSG_NON_SECURE;
	case ocsd_sec_root:
		return CSG_ROOT;
	case ocsd_sec_realm:
		return CSG_REALM;
	default:
		return CSG_SECURITY_UNKNOWN;
	}
}

void csg_context_of_element(const ocsd_generic_trace_elem *element, bool has_contextidr,
			    bool has_vctx, struct csg_context *context)
{
	const ocsd_pe_context *from = &element->context;

	context->el = CSG_EL_UNKNOWN;
	if (from->el_valid && from->exception_level >= ocsd_EL0 &&
	    from->exception_level <= ocsd_EL3)
		context->el = (uint8_t)from->exception_level;
	context->security = security_of(from->security_level);
	context->aarch64 = from->bits64;
	if (from->ctxt_id_valid && has_contextidr) {
		context->has_contextidr = true;
		context->contextidr_el1 = from->context_id;
	}
	if (from->vmid_valid && has_vctx) {
		context->has_vctx = true;
		context->vctx = from->vmid;
	}
}

static void emit(struct csg_elements *e, struct csg_track_event event)
{
	event.context = e->context;
	e->out(e->arg, &event);
}

/* Synchronised again, or not: reports what was skipped. */
static void close_gap(struct csg_elements *e, uint64_t position)
{
	uint64_t lost = position > e->gap_position + SYNC_BYTES ? position - e->gap_position : 0;

	if (!e->no_sync)
		return;
	e->no_sync = false;
	if (lost || e->gap != CSG_GAP_NO_SYNC)
		emit(e, (struct csg_track_event){.kind = CSG_TRACK_GAP,
						 .index = e->gap_index,
						 .gap = e->gap,
						 .value = lost});
}

static void lose_sync(struct csg_elements *e, uint64_t index, unsync_info_t reason)
{
	e->no_sync = true;
	e->gap = csg_gap_of_unsync(reason);
	e->gap_index = index;
	e->gap_position = csg_positions_of(e->positions, index);
	e->want_address = false;
	e->context = CSG_CONTEXT_UNKNOWN;
}

void csg_elements_restart(struct csg_elements *e)
{
	e->no_sync = false;
	e->want_address = false;
	e->context = CSG_CONTEXT_UNKNOWN;
}

void csg_elements_end(struct csg_elements *e)
{
	close_gap(e, e->positions->fed);
}

static void where_to(struct csg_elements *e, uint64_t index, uint64_t address)
{
	if (e->want_address)
		emit(e, (struct csg_track_event){
				.kind = CSG_TRACK_ADDRESS, .index = index, .address = address});
	e->want_address = false;
}

static void exception(struct csg_elements *e, uint64_t index, const ocsd_generic_trace_elem *elem)
{
	emit(e, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION,
					 .index = index,
					 .number = (uint16_t)elem->exception_number,
					 .address = elem->excep_ret_addr ? elem->en_addr : 0,
					 .has_address = elem->excep_ret_addr});
	e->want_address = true;
}

void csg_elements_feed(struct csg_elements *e, uint64_t index, const ocsd_generic_trace_elem *elem)
{
	if (elem->elem_type == OCSD_GEN_TRC_ELEM_NO_SYNC) {
		lose_sync(e, index, elem->unsync_eot_info);
		return;
	}
	if (elem->elem_type == OCSD_GEN_TRC_ELEM_EO_TRACE)
		return; /* csg_elements_end() knows better what was lost */
	close_gap(e, csg_positions_of(e->positions, index));
	switch (elem->elem_type) {
	case OCSD_GEN_TRC_ELEM_TRACE_ON:
		emit(e, (struct csg_track_event){.kind = CSG_TRACK_TRACE_ON, .index = index});
		e->want_address = true;
		break;
	case OCSD_GEN_TRC_ELEM_PE_CONTEXT:
		csg_context_of_element(elem, e->has_contextidr, e->has_vctx, &e->context);
		emit(e, (struct csg_track_event){.kind = CSG_TRACK_CONTEXT, .index = index});
		e->want_address = true;
		break;
	case OCSD_GEN_TRC_ELEM_ADDR_NACC:
		where_to(e, index, elem->st_addr);
		break;
	case OCSD_GEN_TRC_ELEM_EXCEPTION:
		exception(e, index, elem);
		break;
	case OCSD_GEN_TRC_ELEM_EXCEPTION_RET:
		emit(e, (struct csg_track_event){.kind = CSG_TRACK_ERET, .index = index});
		e->want_address = true;
		break;
	case OCSD_GEN_TRC_ELEM_TIMESTAMP:
		emit(e, (struct csg_track_event){.kind = CSG_TRACK_TIMESTAMP,
						 .index = index,
						 .value = elem->timestamp});
		break;
	default:
		break;
	}
}
