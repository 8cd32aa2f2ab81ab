/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/packets.h"

#include "csguest/element.h"

#define TRCCONFIGR_CID (1u << 6)
#define TRCCONFIGR_VMID (1u << 7)
#define OCSD_KNOWS_UNSEEN 0x10601 /* version of OpenCSD, see csg_uncommitted.forgets_unseen */
#define TRCIDR0_COMTRANS (1u << 30)

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

int csg_packets_init(struct csg_packets *p, const struct csg_source *source,
		     const struct csg_positions *positions, csg_track_fn out, void *arg)
{
	int err;

	*p = (struct csg_packets){
		.has_contextidr = source->trcconfigr & TRCCONFIGR_CID,
		.has_vctx = source->trcconfigr & TRCCONFIGR_VMID,
		.commits_transactions = !(source->trcidr0 & TRCIDR0_COMTRANS),
		.positions = positions,
		.out = out,
		.arg = arg,
	};
	csg_packets_restart(p);
	err = csg_uncommitted_init(&p->uncommitted, (uint32_t)source->trcidr8, out, arg);
	p->uncommitted.forgets_unseen = ocsd_get_version() < OCSD_KNOWS_UNSEEN;
	return err;
}

void csg_packets_fini(struct csg_packets *p)
{
	csg_uncommitted_fini(&p->uncommitted);
}

/* What happens to synchronisation is final; everything else waits to be committed. */
static void emit_now(struct csg_packets *p, struct csg_track_event event)
{
	event.context = p->context;
	p->out(p->arg, &event);
}

static void emit(struct csg_packets *p, struct csg_track_event event)
{
	event.context = p->context;
	p->bad |= !csg_uncommitted_event(&p->uncommitted, &event);
}

static void forget(struct csg_packets *p, uint64_t position, enum csg_gap gap)
{
	p->state = CSG_PACKETS_NO_SYNC;
	p->gap = gap;
	p->gap_position = position;
	p->exception_open = p->q_open = false;
	p->want_address = false;
	p->context = CSG_CONTEXT_UNKNOWN;
}

void csg_packets_restart(struct csg_packets *p)
{
	csg_uncommitted_restart(&p->uncommitted, 0);
	forget(p, p->positions->fed, CSG_GAP_NO_SYNC);
}

static void lose_sync(struct csg_packets *p, uint64_t index, enum csg_gap gap)
{
	csg_uncommitted_discard(&p->uncommitted);
	forget(p, csg_positions_of(p->positions, index), gap);
	emit_now(p, (struct csg_track_event){.kind = CSG_TRACK_GAP, .index = index, .gap = gap});
}

/* Tells what was lost up to here. */
static void tell_lost(struct csg_packets *p, uint64_t index, uint64_t position)
{
	uint64_t lost = position > p->gap_position ? position - p->gap_position : 0;

	emit_now(p, (struct csg_track_event){
			    .kind = CSG_TRACK_SYNC, .index = index, .gap = p->gap, .value = lost});
}

void csg_packets_end(struct csg_packets *p, uint64_t index)
{
	if (p->state == CSG_PACKETS_NO_SYNC)
		tell_lost(p, index, p->positions->fed);
	csg_uncommitted_discard(&p->uncommitted);
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

static void p0(struct csg_packets *p, uint32_t n, bool atoms)
{
	p->bad |= !csg_uncommitted_p0(&p->uncommitted, n, atoms);
}

static void address(struct csg_packets *p, uint64_t index, uint64_t value)
{
	p->bad |= !csg_uncommitted_address(&p->uncommitted);
	if (p->q_open)
		p0(p, 1, false);
	p->q_open = false;
	if (p->exception_open) {
		p->exception_open = false;
		p0(p, 1, false);
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

/* Atoms that come with the packet, then n elements are cancelled and the newest atom turned. */
static void cancel(struct csg_packets *p, const ocsd_etmv4_i_pkt *packet, bool mispredicts)
{
	if (packet->atom.num)
		p0(p, packet->atom.num, true);
	p->bad |= !csg_uncommitted_cancel(&p->uncommitted, packet->cancel_elements) ||
		  (mispredicts && !csg_uncommitted_mispredict(&p->uncommitted));
}

/* Packets that only matter for what is committed. */
static void speculation(struct csg_packets *p, const ocsd_etmv4_i_pkt *packet)
{
	switch (packet->type) {
	case ETM4_PKT_I_ATOM_F1:
	case ETM4_PKT_I_ATOM_F2:
	case ETM4_PKT_I_ATOM_F3:
	case ETM4_PKT_I_ATOM_F4:
	case ETM4_PKT_I_ATOM_F5:
	case ETM4_PKT_I_ATOM_F6:
		p0(p, packet->atom.num, true);
		break;
	case ETM4_PKT_I_Q:
		if (packet->Q_pkt.addr_present)
			p0(p, 1, false);
		else
			p->q_open = true;
		break;
	case ETE_PKT_I_SRC_ADDR_MATCH:
	case ETE_PKT_I_SRC_ADDR_S_IS0:
	case ETE_PKT_I_SRC_ADDR_S_IS1:
	case ETE_PKT_I_SRC_ADDR_L_32IS0:
	case ETE_PKT_I_SRC_ADDR_L_32IS1:
	case ETE_PKT_I_SRC_ADDR_L_64IS0:
	case ETE_PKT_I_SRC_ADDR_L_64IS1:
		p0(p, 1, false);
		break;
	case ETE_PKT_I_TRANS_ST:
		if (p->commits_transactions)
			p0(p, 1, false);
		break;
	case ETM4_PKT_I_COMMIT:
		/* An exception or Q element whose address is still to come cannot be committed. */
		p->bad |= p->exception_open || p->q_open ||
			  !csg_uncommitted_commit(&p->uncommitted, packet->commit_elements);
		break;
	case ETM4_PKT_I_CANCEL_F1:
		cancel(p, packet, false);
		break;
	case ETM4_PKT_I_CANCEL_F1_MISPRED:
	case ETM4_PKT_I_CANCEL_F2:
	case ETM4_PKT_I_CANCEL_F3:
	case ETM4_PKT_I_MISPREDICT:
		cancel(p, packet, true);
		break;
	default:
		p->bad |= !csg_uncommitted_other(&p->uncommitted);
		break;
	}
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
		speculation(p, packet);
		break;
	}
}

void csg_packets_feed(struct csg_packets *p, uint64_t index, const ocsd_etmv4_i_pkt *packet)
{
	switch (p->state) {
	case CSG_PACKETS_NO_SYNC:
		if (packet->type != ETM4_PKT_I_ASYNC)
			break;
		tell_lost(p, index, csg_positions_of(p->positions, index));
		p->state = CSG_PACKETS_NO_INFO;
		break;
	case CSG_PACKETS_NO_INFO:
		if (packet->type != ETM4_PKT_I_TRACE_INFO)
			break;
		p->state = CSG_PACKETS_SYNCED;
		if (!csg_uncommitted_restart(&p->uncommitted, packet->curr_spec_depth))
			lose_sync(p, index, CSG_GAP_BAD_PACKET);
		break;
	case CSG_PACKETS_SYNCED:
		p->bad = false;
		synced_packet(p, index, packet);
		if (p->bad)
			lose_sync(p, index, CSG_GAP_BAD_PACKET);
		break;
	}
}
