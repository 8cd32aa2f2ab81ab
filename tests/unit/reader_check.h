/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds csg_reader against OpenCSD's packet processor: both get the same bytes, in the same pieces,
 * and each packet of one must be the other's.
 */
#ifndef TESTS_UNIT_READER_CHECK_H
#define TESTS_UNIT_READER_CHECK_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scan/ocsd.h"
#include "scan/reader.h"

struct reader_check {
	struct csg_ocsd *tree;
	struct csg_reader reader;
	bool with_atoms; /* the reader tells them */
	bool synced;	 /* OpenCSD saw an A-Sync */
	bool ends_async; /* the current byte may end one */
	bool informed;	 /* and a Trace Info: addresses and timestamps are defined */
	bool sf_known;	 /* and a context: whether 32-bit addresses leave out anything is */
	bool vague;	 /* there was one before: the upper half of addresses is not */
	struct csg_packet *expected; /* OpenCSD's packets of the current piece */
	size_t count, capacity, next;
	uint64_t packets;
	unsigned long kinds[CSG_PACKET_IGNORE + 1]; /* how many of each were equal */
	unsigned long different;
	char text[200]; /* the first difference */
};

static inline uint8_t reader_check_kind(int type)
{
	switch (type) {
	case ETM4_PKT_I_ASYNC:
		return CSG_PACKET_ASYNC;
	case ETM4_PKT_I_DISCARD:
		return CSG_PACKET_DISCARD;
	case ETM4_PKT_I_OVERFLOW:
		return CSG_PACKET_OVERFLOW;
	case ETM4_PKT_I_INCOMPLETE_EOT:
		return CSG_PACKET_INCOMPLETE;
	case ETM4_PKT_I_TRACE_INFO:
		return CSG_PACKET_TRACE_INFO;
	case ETM4_PKT_I_TRACE_ON:
		return CSG_PACKET_TRACE_ON;
	case ETM4_PKT_I_TIMESTAMP:
		return CSG_PACKET_TIMESTAMP;
	case ETE_PKT_I_TS_MARKER:
		return CSG_PACKET_TS_MARKER;
	case ETM4_PKT_I_CCNT_F1:
	case ETM4_PKT_I_CCNT_F2:
	case ETM4_PKT_I_CCNT_F3:
		return CSG_PACKET_CYCLES;
	case ETM4_PKT_I_CTXT:
		return CSG_PACKET_CONTEXT;
	case ETM4_PKT_I_ADDR_MATCH:
	case ETM4_PKT_I_ADDR_S_IS0:
	case ETM4_PKT_I_ADDR_S_IS1:
	case ETM4_PKT_I_ADDR_L_32IS0:
	case ETM4_PKT_I_ADDR_L_32IS1:
	case ETM4_PKT_I_ADDR_L_64IS0:
	case ETM4_PKT_I_ADDR_L_64IS1:
		return CSG_PACKET_ADDRESS;
	case ETM4_PKT_I_ADDR_CTXT_L_32IS0:
	case ETM4_PKT_I_ADDR_CTXT_L_32IS1:
	case ETM4_PKT_I_ADDR_CTXT_L_64IS0:
	case ETM4_PKT_I_ADDR_CTXT_L_64IS1:
		return CSG_PACKET_ADDRESS_CONTEXT;
	case ETE_PKT_I_SRC_ADDR_MATCH:
	case ETE_PKT_I_SRC_ADDR_S_IS0:
	case ETE_PKT_I_SRC_ADDR_S_IS1:
	case ETE_PKT_I_SRC_ADDR_L_32IS0:
	case ETE_PKT_I_SRC_ADDR_L_32IS1:
	case ETE_PKT_I_SRC_ADDR_L_64IS0:
	case ETE_PKT_I_SRC_ADDR_L_64IS1:
		return CSG_PACKET_SOURCE_ADDRESS;
	case ETM4_PKT_I_ATOM_F1:
	case ETM4_PKT_I_ATOM_F2:
	case ETM4_PKT_I_ATOM_F3:
	case ETM4_PKT_I_ATOM_F4:
	case ETM4_PKT_I_ATOM_F5:
	case ETM4_PKT_I_ATOM_F6:
		return CSG_PACKET_ATOMS;
	case ETM4_PKT_I_Q:
		return CSG_PACKET_Q;
	case ETM4_PKT_I_EXCEPT:
		return CSG_PACKET_EXCEPTION;
	case ETM4_PKT_I_EXCEPT_RTN:
		return CSG_PACKET_EXCEPTION_RETURN;
	case ETE_PKT_I_PE_RESET:
		return CSG_PACKET_PE_RESET;
	case ETE_PKT_I_TRANS_FAIL:
		return CSG_PACKET_TRANSACTION_FAIL;
	case ETE_PKT_I_TRANS_ST:
		return CSG_PACKET_TRANSACTION_START;
	case ETE_PKT_I_TRANS_COMMIT:
		return CSG_PACKET_TRANSACTION_COMMIT;
	case ETM4_PKT_I_COMMIT:
		return CSG_PACKET_COMMIT;
	case ETM4_PKT_I_CANCEL_F1:
	case ETM4_PKT_I_CANCEL_F1_MISPRED:
	case ETM4_PKT_I_CANCEL_F2:
	case ETM4_PKT_I_CANCEL_F3:
	case ETM4_PKT_I_MISPREDICT:
		return CSG_PACKET_CANCEL;
	case ETM4_PKT_I_FUNC_RET:
		return CSG_PACKET_FUNCTION_RETURN;
	case ETM4_PKT_I_COND_FLUSH:
	case ETM4_PKT_I_COND_I_F1:
	case ETM4_PKT_I_COND_I_F2:
	case ETM4_PKT_I_COND_I_F3:
	case ETM4_PKT_I_COND_RES_F1:
	case ETM4_PKT_I_COND_RES_F2:
	case ETM4_PKT_I_COND_RES_F3:
	case ETM4_PKT_I_COND_RES_F4:
		return CSG_PACKET_CONDITIONAL;
	case ETM4_PKT_I_NUM_DS_MKR:
	case ETM4_PKT_I_UNNUM_DS_MKR:
		return CSG_PACKET_DATA_SYNC;
	case ETM4_PKT_I_EVENT:
		return CSG_PACKET_EVENT;
	case 0x09: /* without a common name in old and new headers */
		return CSG_PACKET_ITE;
	case ETM4_PKT_I_IGNORE:
		return CSG_PACKET_IGNORE;
	default:
		return CSG_PACKET_BAD;
	}
}

static inline void reader_check_expect(struct reader_check *c, const struct csg_packet *packet)
{
	if (c->count == c->capacity) {
		c->capacity = c->capacity ? 2 * c->capacity : 256;
		c->expected = realloc(c->expected, c->capacity * sizeof(*c->expected));
		if (!c->expected)
			abort();
	}
	c->expected[c->count++] = *packet;
}

static inline void reader_check_packet(void *arg, uint64_t index, const ocsd_etmv4_i_pkt *packet)
{
	struct reader_check *c = arg;
	const etmv4_context_t *context = &packet->context;
	struct csg_packet p = {
		.index = index,
		.kind = reader_check_kind((int)packet->type),
		.atoms = packet->atom.num,
		.number = packet->exception_info.exceptionType,
		.mispredicts = packet->type != ETM4_PKT_I_CANCEL_F1,
		.has_address = packet->Q_pkt.addr_present,
		.value = packet->v_addr.val,
		.context = {.updated = context->updated,
			    .el = context->EL,
			    .ns = context->NS,
			    .nse = context->NSE,
			    .sf = context->SF,
			    .has_vmid = context->updated_v,
			    .has_contextid = context->updated_c,
			    .vmid = context->updated_v ? context->VMID : 0,
			    .contextid = context->updated_c ? context->ctxtID : 0},
	};

	if (p.kind == CSG_PACKET_ASYNC && c->ends_async) {
		c->synced = true;
		c->count = 0;
	}
	if (!c->synced || (p.kind == CSG_PACKET_ATOMS && !c->with_atoms))
		return;
	if (p.kind == CSG_PACKET_TIMESTAMP)
		p.value = packet->ts.timestamp;
	if (p.kind == CSG_PACKET_TRACE_INFO)
		p.n = packet->curr_spec_depth;
	if (p.kind == CSG_PACKET_CYCLES && packet->pkt_valid.bits.commit_elem_valid)
		p.n = packet->commit_elements;
	if (p.kind == CSG_PACKET_COMMIT)
		p.n = packet->commit_elements;
	if (p.kind == CSG_PACKET_CANCEL)
		p.n = packet->cancel_elements;
	reader_check_expect(c, &p);
}

static inline bool reader_check_same_context(const struct csg_packet_context *a,
					     const struct csg_packet_context *b)
{
	return a->updated == b->updated &&
	       (!a->updated ||
		(a->el == b->el && a->ns == b->ns && a->nse == b->nse && a->sf == b->sf &&
		 a->has_vmid == b->has_vmid && a->has_contextid == b->has_contextid &&
		 a->vmid == b->vmid && a->contextid == b->contextid));
}

static inline bool reader_check_same_value(struct reader_check *c, const struct csg_packet *a,
					   const struct csg_packet *b)
{
	if (!c->informed || a->value == b->value)
		return true;
	if (a->kind == CSG_PACKET_TIMESTAMP || (uint32_t)a->value != (uint32_t)b->value)
		return false;
	c->vague |= !c->sf_known;
	return c->vague;
}

static inline bool reader_check_same(struct reader_check *c, const struct csg_packet *a,
				     const struct csg_packet *b)
{
	if (a->kind != b->kind || a->index != b->index)
		return false;
	switch (a->kind) {
	case CSG_PACKET_CYCLES: /* old ones take the wrong bit for that of format 2 */
		return a->n == b->n || ocsd_get_version() < 0x10800;
	case CSG_PACKET_TRACE_INFO:
	case CSG_PACKET_COMMIT:
		return a->n == b->n;
	case CSG_PACKET_CANCEL:
		return a->n == b->n && a->atoms == b->atoms && a->mispredicts == b->mispredicts;
	case CSG_PACKET_ATOMS:
		return a->atoms == b->atoms;
	case CSG_PACKET_EXCEPTION:
		return a->number == b->number;
	case CSG_PACKET_CONTEXT:
		return reader_check_same_context(&a->context, &b->context);
	case CSG_PACKET_ADDRESS_CONTEXT:
		return reader_check_same_context(&a->context, &b->context) &&
		       reader_check_same_value(c, a, b);
	case CSG_PACKET_Q:
		return a->has_address == b->has_address &&
		       (!a->has_address || reader_check_same_value(c, a, b));
	case CSG_PACKET_ADDRESS:
	case CSG_PACKET_SOURCE_ADDRESS:
	case CSG_PACKET_TIMESTAMP:
		return reader_check_same_value(c, a, b);
	default:
		return true;
	}
}

static inline void reader_check_differ(struct reader_check *c, const struct csg_packet *theirs,
				       const struct csg_packet *ours)
{
	if (c->different++)
		return;
	snprintf(c->text, sizeof(c->text),
		 "OpenCSD kind %d at %" PRIu64 " value %" PRIx64 " n %u atoms %d, "
		 "reader kind %d at %" PRIu64 " value %" PRIx64 " n %u atoms %d",
		 theirs ? theirs->kind : -1, theirs ? theirs->index : 0, theirs ? theirs->value : 0,
		 theirs ? theirs->n : 0, theirs ? theirs->atoms : 0, ours ? ours->kind : -1,
		 ours ? ours->index : 0, ours ? ours->value : 0, ours ? ours->n : 0,
		 ours ? ours->atoms : 0);
}

static inline void reader_check_read(void *arg, const struct csg_packet *packet)
{
	struct reader_check *c = arg;
	const struct csg_packet *theirs = c->next < c->count ? &c->expected[c->next++] : NULL;

	c->packets++;
	if (packet->kind == CSG_PACKET_TRACE_INFO) {
		c->informed = true;
		c->vague = false;
	}
	if (!theirs || !reader_check_same(c, theirs, packet))
		reader_check_differ(c, theirs, packet);
	else
		c->kinds[packet->kind]++;
	if ((packet->kind == CSG_PACKET_CONTEXT || packet->kind == CSG_PACKET_ADDRESS_CONTEXT) &&
	    packet->context.updated && c->informed)
		c->sf_known = true;
}

static inline void reader_check_piece_done(struct reader_check *c)
{
	if (c->next < c->count)
		reader_check_differ(c, &c->expected[c->next], NULL);
	c->next = c->count = 0;
}

/* 0, or why OpenCSD cannot. */
static inline int reader_check_init(struct reader_check *c, const struct csg_source *source)
{
	const struct csg_ocsd_client client = {.arg = c, .packet = reader_check_packet};

	memset(c, 0, sizeof(*c));
	c->with_atoms = (uint32_t)source->trcidr8;
	csg_reader_init(&c->reader, source, reader_check_read, c);
	return csg_ocsd_create(&c->tree, source, CSG_OCSD_PACKETS, &client, NULL);
}

static inline void reader_check_fini(struct reader_check *c)
{
	csg_ocsd_destroy(c->tree);
	free(c->expected);
}

static inline void reader_check_restart(struct reader_check *c, uint64_t index)
{
	csg_ocsd_reset(c->tree, index);
	csg_reader_restart(&c->reader);
	c->synced = c->informed = c->sf_known = false;
}

static inline void reader_check_feed(struct reader_check *c, uint64_t index, const uint8_t *bytes,
				     size_t n)
{
	size_t done = 0;
	uint32_t used;

	/* While it searches, OpenCSD may call zeros that it skips an A-Sync; the last is the true
	 * one. */
	for (; done < n && !c->synced; done++) {
		c->ends_async = bytes[done] == 0x80;
		csg_ocsd_data(c->tree, index + done, bytes + done, 1, &used);
	}
	c->ends_async = false;
	csg_ocsd_data(c->tree, index + done, bytes + done, (uint32_t)(n - done), &used);
	if (used != n - done)
		reader_check_differ(c, NULL, NULL);
	csg_reader_feed(&c->reader, CSG_RUN(index, bytes, n));
	reader_check_piece_done(c);
}

static inline void reader_check_end(struct reader_check *c)
{
	csg_ocsd_end(c->tree);
	csg_reader_end(&c->reader);
	reader_check_piece_done(c);
}

#endif
