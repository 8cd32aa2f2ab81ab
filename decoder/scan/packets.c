/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/packets.h"

#include "csguest/element.h"

#define TRCCONFIGR_CID (1u << 6)
#define TRCCONFIGR_VMID (1u << 7)

void csg_positions_run(struct csg_positions *positions, uint64_t index, size_t n)
{
	positions->last = (positions->last + 1) % CSG_POSITIONS;
	positions->index[positions->last] = index;
	positions->before[positions->last] = positions->fed;
	positions->fed += n;
}

uint64_t csg_positions_of(const struct csg_positions *positions, uint64_t index)
{
	unsigned int run = positions->last;
	uint64_t position;

	for (unsigned int i = 1; i < CSG_POSITIONS && index < positions->index[run]; i++)
		run = (run - 1) % CSG_POSITIONS;
	position = positions->before[run];
	if (index > positions->index[run])
		position += index - positions->index[run];
	return position < positions->fed ? position : positions->fed;
}

void csg_packets_init(struct csg_packets *p, uint64_t trcconfigr,
		      const struct csg_positions *positions, csg_track_fn out, void *arg)
{
	*p = (struct csg_packets){
		.has_contextidr = trcconfigr & TRCCONFIGR_CID,
		.has_vctx = trcconfigr & TRCCONFIGR_VMID,
		.positions = positions,
		.out = out,
		.arg = arg,
	};
	csg_packets_restart(p, 0);
}

static void lose_sync(struct csg_packets *p, uint64_t index, enum csg_gap gap)
{
	p->state = CSG_PACKETS_NO_SYNC;
	p->gap = gap;
	p->gap_index = index;
	p->gap_position = csg_positions_of(p->positions, index);
	p->gap_open = true;
	p->exception_open = false;
	p->want_address = false;
	p->context = CSG_CONTEXT_UNKNOWN;
}

void csg_packets_restart(struct csg_packets *p, uint64_t index)
{
	lose_sync(p, index, CSG_GAP_NO_SYNC);
}

static void emit(struct csg_packets *p, struct csg_track_event event)
{
	event.context = p->context;
	p->out(p->arg, &event);
}

/* Reports the open gap, whose length is known now.  A beginning without loss is none. */
static void close_gap(struct csg_packets *p, uint64_t position)
{
	uint64_t lost = position > p->gap_position ? position - p->gap_position : 0;

	if (p->gap_open && (lost || p->gap != CSG_GAP_NO_SYNC))
		emit(p, (struct csg_track_event){.kind = CSG_TRACK_GAP,
						 .index = p->gap_index,
						 .gap = p->gap,
						 .value = lost});
	p->gap_open = false;
}

void csg_packets_end(struct csg_packets *p)
{
	if (p->state == CSG_PACKETS_NO_SYNC)
		close_gap(p, p->positions->fed);
}

static enum csg_security security_of(const etmv4_context_t *c)
{
	if (c->NSE)
		return c->NS ? CSG_REALM : CSG_ROOT;
	return c->NS ? CSG_NON_SECURE : CSG_SECURE;
}

static void context(struct csg_packets *p, uint64_t index, const etmv4_context_t *c)
{
	if (!c->updated)
		return;
	p->context.el = c->EL;
	p->context.security = security_of(c);
	p->context.aarch64 = c->SF;
	if (c->updated_c && p->has_contextidr) {
		p->context.has_contextidr = true;
		p->context.contextidr_el1 = c->ctxtID;
	}
	if (c->updated_v && p->has_vctx) {
		p->context.has_vctx = true;
		p->context.vctx = c->VMID;
	}
	/* OpenCSD reports a context between an exception and its address with the exception. */
	emit(p, (struct csg_track_event){.kind = CSG_TRACK_CONTEXT,
					 .index = p->exception_open ? p->exception_index : index});
	p->want_address = true;
}

static void address(struct csg_packets *p, uint64_t index, uint64_t value)
{
	if (p->exception_open) {
		p->exception_open = false;
		emit(p, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION,
						 .index = p->exception_index,
						 .number = p->exception_number,
						 .address = value,
						 .has_address = true});
		p->want_address = true;
		return;
	}
	if (p->want_address)
		emit(p, (struct csg_track_event){
				.kind = CSG_TRACK_ADDRESS, .index = index, .address = value});
	p->want_address = false;
}

static void synced_packet(struct csg_packets *p, uint64_t index, const ocsd_etmv4_i_pkt *packet)
{
	switch (packet->type) {
	case ETM4_PKT_I_TRACE_ON:
		emit(p, (struct csg_track_event){.kind = CSG_TRACK_TRACE_ON, .index = index});
		p->want_address = true;
		break;
	case ETM4_PKT_I_CTXT:
		context(p, index, &packet->context);
		break;
	case ETM4_PKT_I_ADDR_CTXT_L_32IS0:
	case ETM4_PKT_I_ADDR_CTXT_L_32IS1:
	case ETM4_PKT_I_ADDR_CTXT_L_64IS0:
	case ETM4_PKT_I_ADDR_CTXT_L_64IS1:
		context(p, index, &packet->context);
		address(p, index, packet->v_addr.val);
		break;
	case ETM4_PKT_I_ADDR_MATCH:
	case ETM4_PKT_I_ADDR_S_IS0:
	case ETM4_PKT_I_ADDR_S_IS1:
	case ETM4_PKT_I_ADDR_L_32IS0:
	case ETM4_PKT_I_ADDR_L_32IS1:
	case ETM4_PKT_I_ADDR_L_64IS0:
	case ETM4_PKT_I_ADDR_L_64IS1:
		address(p, index, packet->v_addr.val);
		break;
	case ETM4_PKT_I_EXCEPT:
		p->exception_open = true;
		p->exception_index = index;
		p->exception_number = packet->exception_info.exceptionType;
		break;
	case ETE_PKT_I_PE_RESET: /* an exception without a return address */
		emit(p, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION, .index = index});
		p->want_address = true;
		break;
	case ETM4_PKT_I_EXCEPT_RTN:
		emit(p, (struct csg_track_event){.kind = CSG_TRACK_ERET, .index = index});
		p->want_address = true;
		break;
	case ETM4_PKT_I_TIMESTAMP:
		emit(p, (struct csg_track_event){.kind = CSG_TRACK_TIMESTAMP,
						 .index = index,
						 .value = packet->ts.timestamp});
		break;
	case ETM4_PKT_I_OVERFLOW:
		lose_sync(p, index, CSG_GAP_OVERFLOW);
		break;
	case ETM4_PKT_I_DISCARD:
		lose_sync(p, index, CSG_GAP_DISCARD);
		break;
	case ETM4_PKT_I_BAD_SEQUENCE:
	case ETM4_PKT_I_BAD_TRACEMODE:
	case ETM4_PKT_I_RESERVED:
	case ETM4_PKT_I_RESERVED_CFG:
		lose_sync(p, index, CSG_GAP_BAD_PACKET);
		break;
	default:
		break;
	}
}

void csg_packets_feed(struct csg_packets *p, uint64_t index, const ocsd_etmv4_i_pkt *packet)
{
	switch (p->state) {
	case CSG_PACKETS_NO_SYNC:
		if (packet->type != ETM4_PKT_I_ASYNC)
			break;
		close_gap(p, csg_positions_of(p->positions, index));
		p->state = CSG_PACKETS_NO_INFO;
		break;
	case CSG_PACKETS_NO_INFO:
		if (packet->type == ETM4_PKT_I_TRACE_INFO)
			p->state = CSG_PACKETS_SYNCED;
		break;
	case CSG_PACKETS_SYNCED:
		synced_packet(p, index, packet);
		break;
	}
}
