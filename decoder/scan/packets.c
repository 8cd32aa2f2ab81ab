/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/packets.h"

#include "csguest/element.h"
#include "scan/ocsd.h"

#define TRCCONFIGR_CID (1u << 6)
#define TRCCONFIGR_VMID (1u << 7)
#define OCSD_KNOWS_UNSEEN 0x10601 /* version of OpenCSD, see csg_uncommitted.forgets_unseen */
#define OCSD_CYCLES_COMMIT 0x10601
#define TRCIDR0_COMTRANS (1u << 30)

/*
 * An event is committed.  Only now does a context come into force, as the one of a path that is
 * cancelled never does; IDs that its packet left out are as they were.
 */
static void settle(void *arg, const struct csg_track_event *event)
{
	struct csg_packets *p = arg;
	struct csg_track_event settled = *event;

	if (event->kind == CSG_TRACK_CONTEXT) {
		const struct csg_context *c = &event->context;

		p->context.el = c->el;
		p->context.security = c->security;
		p->context.aarch64 = c->aarch64;
		if (c->has_contextidr) {
			p->context.has_contextidr = true;
			p->context.contextidr_el1 = c->contextidr_el1;
		}
		if (c->has_vctx) {
			p->context.has_vctx = true;
			p->context.vctx = c->vctx;
		}
	}
	settled.context = p->context;
	p->out(p->arg, &settled);
}

int csg_packets_init(struct csg_packets *p, const struct csg_source *source, csg_track_fn out,
		     void *arg)
{
	int err;

	*p = (struct csg_packets){
		.has_contextidr = source->trcconfigr & TRCCONFIGR_CID,
		.has_vctx = source->trcconfigr & TRCCONFIGR_VMID,
		.commits_transactions = !(source->trcidr0 & TRCIDR0_COMTRANS),
		.out = out,
		.arg = arg,
	};
	csg_packets_restart(p);
	err = csg_uncommitted_init(&p->uncommitted, (uint32_t)source->trcidr8, settle, p);
	p->uncommitted.forgets_unseen = ocsd_get_version() < OCSD_KNOWS_UNSEEN;
	p->cycles_commit = p->uncommitted.max_spec && ocsd_get_version() >= OCSD_CYCLES_COMMIT;
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
	forget(p, 0, CSG_GAP_NO_SYNC);
}

static void lose_sync(struct csg_packets *p, const struct csg_packet *packet, enum csg_gap gap)
{
	csg_uncommitted_discard(&p->uncommitted);
	forget(p, packet->position, gap);
	emit_now(p, (struct csg_track_event){
			    .kind = CSG_TRACK_GAP, .index = packet->index, .gap = gap});
}

/* Tells what was lost up to here. */
static void tell_lost(struct csg_packets *p, uint64_t index, uint64_t position)
{
	uint64_t lost = position > p->gap_position ? position - p->gap_position : 0;

	emit_now(p, (struct csg_track_event){
			    .kind = CSG_TRACK_SYNC, .index = index, .gap = p->gap, .value = lost});
}

void csg_packets_end(struct csg_packets *p, uint64_t index, uint64_t position)
{
	if (p->state == CSG_PACKETS_NO_SYNC)
		tell_lost(p, index, position);
	csg_uncommitted_discard(&p->uncommitted);
}

static enum csg_security security_of(const struct csg_packet_context *c)
{
	if (c->nse)
		return c->ns ? CSG_REALM : CSG_ROOT;
	return c->ns ? CSG_NON_SECURE : CSG_SECURE;
}

static void context(struct csg_packets *p, uint64_t index, const struct csg_packet_context *c)
{
	struct csg_context context = CSG_CONTEXT_UNKNOWN;

	if (!c->updated)
		return;
	context.el = c->el;
	context.security = security_of(c);
	context.aarch64 = c->sf;
	if (c->has_contextid && p->has_contextidr) {
		context.has_contextidr = true;
		context.contextidr_el1 = c->contextid;
	}
	if (c->has_vmid && p->has_vctx) {
		context.has_vctx = true;
		context.vctx = c->vmid;
	}
	/* OpenCSD reports a context between an exception and its address with the exception. */
	emit(p, (struct csg_track_event){.kind = CSG_TRACK_CONTEXT,
					 .index = p->exception_open ? p->exception_index : index,
					 .context = context});
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

bool csg_packets_pass_address(const struct csg_packets *p)
{
	return p->state == CSG_PACKETS_SYNCED && !p->uncommitted.max_spec && !p->want_address &&
	       !p->exception_open && !p->q_open;
}

/*
 * Atoms that come with the packet, then n elements are cancelled and the newest atom turned.  An
 * exception or Q element whose address is still to come is in OpenCSD's stack, and not among ours.
 */
static void cancel(struct csg_packets *p, const struct csg_packet *packet)
{
	p->bad |= p->exception_open || p->q_open;
	if (packet->atoms)
		p0(p, packet->atoms, true);
	p->bad |= !csg_uncommitted_cancel(&p->uncommitted, packet->n) ||
		  (packet->mispredicts && !csg_uncommitted_mispredict(&p->uncommitted));
}

/* An exception or Q element whose address is still to come cannot be committed. */
static void commit(struct csg_packets *p, uint32_t n)
{
	p->bad |= p->exception_open || p->q_open || !csg_uncommitted_commit(&p->uncommitted, n);
}

/* Packets that only matter for what is committed. */
static void speculation(struct csg_packets *p, const struct csg_packet *packet)
{
	switch (packet->kind) {
	case CSG_PACKET_ATOMS:
		p0(p, packet->atoms, true);
		break;
	case CSG_PACKET_Q:
		if (packet->has_address)
			p0(p, 1, false);
		else
			p->q_open = true;
		break;
	case CSG_PACKET_SOURCE_ADDRESS:
		p->bad |= !csg_uncommitted_source_address(&p->uncommitted);
		break;
	case CSG_PACKET_TRANSACTION_START:
		if (p->commits_transactions)
			p0(p, 1, false);
		break;
	case CSG_PACKET_COMMIT:
		commit(p, packet->n);
		break;
	case CSG_PACKET_CYCLES:
		p->bad |= !csg_uncommitted_other(&p->uncommitted);
		if (p->cycles_commit && packet->n)
			commit(p, packet->n);
		break;
	case CSG_PACKET_CANCEL:
		cancel(p, packet);
		break;
	default:
		p->bad |= !csg_uncommitted_other(&p->uncommitted);
		break;
	}
}

static void synced_packet(struct csg_packets *p, const struct csg_packet *packet)
{
	uint64_t index = packet->index;

	switch (packet->kind) {
	case CSG_PACKET_TRACE_ON:
		emit(p, (struct csg_track_event){.kind = CSG_TRACK_TRACE_ON, .index = index});
		p->want_address = true;
		break;
	case CSG_PACKET_CONTEXT:
		context(p, index, &packet->context);
		break;
	case CSG_PACKET_ADDRESS_CONTEXT:
		context(p, index, &packet->context);
		address(p, index, packet->value);
		break;
	case CSG_PACKET_ADDRESS:
		address(p, index, packet->value);
		break;
	case CSG_PACKET_EXCEPTION:
		p->exception_open = true;
		p->exception_index = index;
		p->exception_number = packet->number;
		break;
	case CSG_PACKET_PE_RESET: /* an exception without a return address */
		emit(p, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION, .index = index});
		p->want_address = true;
		break;
	case CSG_PACKET_EXCEPTION_RETURN:
		emit(p, (struct csg_track_event){.kind = CSG_TRACK_ERET, .index = index});
		p->want_address = true;
		break;
	case CSG_PACKET_TIMESTAMP:
		emit(p, (struct csg_track_event){.kind = CSG_TRACK_TIMESTAMP,
						 .index = index,
						 .value = packet->value});
		break;
	case CSG_PACKET_OVERFLOW:
		lose_sync(p, packet, CSG_GAP_OVERFLOW);
		break;
	case CSG_PACKET_DISCARD:
		lose_sync(p, packet, CSG_GAP_DISCARD);
		break;
	case CSG_PACKET_BAD:
		lose_sync(p, packet, CSG_GAP_BAD_PACKET);
		break;
	default:
		speculation(p, packet);
		break;
	}
}

void csg_packets_atom(struct csg_packets *p, uint64_t index)
{
	emit(p, (struct csg_track_event){.kind = CSG_TRACK_ATOM, .index = index});
}

bool csg_packets_feed(struct csg_packets *p, const struct csg_packet *packet)
{
	switch (p->state) {
	case CSG_PACKETS_NO_SYNC:
		if (packet->kind != CSG_PACKET_ASYNC)
			break;
		tell_lost(p, packet->index, packet->position);
		p->state = CSG_PACKETS_NO_INFO;
		break;
	case CSG_PACKETS_NO_INFO:
		if (packet->kind != CSG_PACKET_TRACE_INFO)
			break;
		p->state = CSG_PACKETS_SYNCED;
		if (!csg_uncommitted_restart(&p->uncommitted, packet->n))
			lose_sync(p, packet, CSG_GAP_BAD_PACKET);
		break;
	case CSG_PACKETS_SYNCED:
		p->bad = false;
		synced_packet(p, packet);
		if (p->bad)
			lose_sync(p, packet, CSG_GAP_BAD_PACKET);
		break;
	}
	return p->state != CSG_PACKETS_NO_SYNC || p->gap != CSG_GAP_BAD_PACKET;
}
