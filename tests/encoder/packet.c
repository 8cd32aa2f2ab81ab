/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/packet.h"

#include <string.h>

static void put(struct csg_enc_packets *p, unsigned byte)
{
	csg_enc_bytes_u8(p->out, (uint8_t)byte);
}

/* A field of 7-bit pieces, low first, each with a bit that says another follows. */
static void put_continued(struct csg_enc_packets *p, uint32_t v)
{
	while (v >= 0x80) {
		put(p, 0x80 | (v & 0x7f));
		v >>= 7;
	}
	put(p, v);
}

void csg_enc_packet_async(struct csg_enc_packets *p)
{
	for (int i = 0; i < 11; i++)
		put(p, 0x00);
	put(p, 0x80);
}

void csg_enc_packet_trace_info(struct csg_enc_packets *p, const struct csg_enc_model *model,
			       uint32_t spec, bool in_transaction)
{
	unsigned info = (model->cycle_counts ? 1u : 0u) | (in_transaction ? 1u << 6 : 0u);
	unsigned plctl = 1u | (spec ? 1u << 2 : 0u) | (model->cycle_counts ? 1u << 3 : 0u);

	put(p, 0x01);
	put(p, plctl);
	put_continued(p, info);
	if (spec)
		put_continued(p, spec);
	if (model->cycle_counts)
		put_continued(p, model->cc_threshold);
	memset(p->history, 0, sizeof(p->history));
	p->timestamp_valid = false;
	p->timestamp = 0;
	p->context_valid = false;
}

void csg_enc_packet_trace_on(struct csg_enc_packets *p)
{
	put(p, 0x04);
}

void csg_enc_packet_overflow(struct csg_enc_packets *p)
{
	put(p, 0x00);
	put(p, 0x05);
}

void csg_enc_packet_discard(struct csg_enc_packets *p)
{
	put(p, 0x00);
	put(p, 0x03);
}

void csg_enc_packet_ignore(struct csg_enc_packets *p)
{
	put(p, 0x70);
}

void csg_enc_packet_event(struct csg_enc_packets *p, unsigned mask)
{
	put(p, 0x70 | (mask & 0xf));
}

void csg_enc_packet_marker(struct csg_enc_packets *p)
{
	put(p, 0x88);
}

void csg_enc_packet_instrumentation(struct csg_enc_packets *p, unsigned el, uint64_t value)
{
	put(p, 0x09);
	put(p, el & 3);
	csg_enc_bytes_u64(p->out, value);
}

static void remember(struct csg_enc_packets *p, struct csg_enc_address address)
{
	p->history[2] = p->history[1];
	p->history[1] = p->history[0];
	p->history[0] = address;
}

/* The entry of the history that is this address, or -1. */
static int find(const struct csg_enc_packets *p, struct csg_enc_address a)
{
	if (p->full_addresses || p->no_exact_match)
		return -1;
	for (int i = 0; i < 3; i++)
		if (p->history[i].value == a.value && p->history[i].t32 == a.t32)
			return i;
	return -1;
}

/* Do the bits from the given one up equal those of the address before? */
static bool same_above(const struct csg_enc_packets *p, struct csg_enc_address a, unsigned bit)
{
	return !p->full_addresses && (a.value ^ p->history[0].value) >> bit == 0;
}

static void put_short(struct csg_enc_packets *p, struct csg_enc_address a)
{
	unsigned shift = a.t32 ? 1 : 2;
	unsigned low = (unsigned)(a.value >> shift) & 0x7f;

	if (same_above(p, a, 7 + shift)) {
		put(p, low);
	} else {
		put(p, 0x80 | low);
		put(p, (unsigned)(a.value >> (7 + shift)) & 0xff);
	}
}

/* 4 or 8 bytes; bit 7 of the low bytes is not used where addresses are word aligned. */
static void put_long(struct csg_enc_packets *p, struct csg_enc_address a, unsigned bytes)
{
	if (a.t32) {
		put(p, (unsigned)(a.value >> 1) & 0x7f);
		put(p, (unsigned)(a.value >> 8) & 0xff);
	} else {
		put(p, (unsigned)(a.value >> 2) & 0x7f);
		put(p, (unsigned)(a.value >> 9) & 0x7f);
	}
	for (unsigned i = 2; i < bytes; i++)
		put(p, (unsigned)(a.value >> (8 * i)) & 0xff);
}

void csg_enc_packet_address(struct csg_enc_packets *p, struct csg_enc_address a, bool source)
{
	unsigned is = a.t32 ? 1 : 0;
	int match = find(p, a);

	if (match >= 0) {
		put(p, (source ? 0xb0u : 0x90u) + (unsigned)match);
	} else if (same_above(p, a, a.t32 ? 16 : 17)) {
		put(p, (source ? 0xb4u : 0x95u) + is);
		put_short(p, a);
	} else if (same_above(p, a, 32)) {
		put(p, (source ? 0xb6u : 0x9au) + is);
		put_long(p, a, 4);
	} else {
		put(p, (source ? 0xb8u : 0x9du) + is);
		put_long(p, a, 8);
	}
	remember(p, a);
}

/* The information byte and the IDs that changed. */
static void put_context(struct csg_enc_packets *p, const struct csg_enc_traced *c, bool all)
{
	bool known = p->context_valid && !all;
	bool virt = c->has_virt && !(known && p->context.virt == c->virt);
	bool id = c->has_id && !(known && p->context.id == c->id);

	put(p, (unsigned)c->el | (c->nse ? 1u << 3 : 0u) | (c->sf ? 1u << 4 : 0u) |
		       (c->ns ? 1u << 5 : 0u) | (virt ? 1u << 6 : 0u) | (id ? 1u << 7 : 0u));
	for (unsigned i = 0; virt && i < p->virt_bytes; i++)
		put(p, c->virt >> (8 * i) & 0xff);
	if (id)
		csg_enc_bytes_u32(p->out, c->id);
	p->context = *c;
	p->context_valid = true;
}

void csg_enc_packet_address_context(struct csg_enc_packets *p, struct csg_enc_address a,
				    const struct csg_enc_traced *context, bool all)
{
	unsigned is = a.t32 ? 1 : 0;

	if (same_above(p, a, 32)) {
		put(p, 0x82 + is);
		put_long(p, a, 4);
	} else {
		put(p, 0x85 + is);
		put_long(p, a, 8);
	}
	remember(p, a);
	put_context(p, context, all);
}

void csg_enc_packet_context(struct csg_enc_packets *p, const struct csg_enc_traced *context,
			    bool all)
{
	put(p, 0x81);
	put_context(p, context, all);
}

void csg_enc_packet_same_context(struct csg_enc_packets *p)
{
	put(p, 0x80);
}

void csg_enc_packet_exception(struct csg_enc_packets *p, unsigned number, bool same, bool two_bytes)
{
	unsigned e = same ? 0x40 : 0x01; /* E1:E0 */

	two_bytes |= number > 0x1f;
	put(p, 0x06);
	put(p, e | (number & 0x1f) << 1 | (two_bytes ? 0x80 : 0));
	if (two_bytes)
		put(p, number >> 5 & 0x1f);
}

void csg_enc_packet_exception_return(struct csg_enc_packets *p)
{
	put(p, 0x07);
}

void csg_enc_packet_bare_exception(struct csg_enc_packets *p, unsigned number)
{
	put(p, 0x06);
	put(p, (number & 0x1f) << 1);
	put(p, 0x00);
	remember(p, (struct csg_enc_address){0});
}

void csg_enc_packet_transaction(struct csg_enc_packets *p, bool commit)
{
	put(p, commit ? 0x0b : 0x0a);
}

/* Bytes needed so that a reader who holds `before` has `value`; 1..9. */
static unsigned timestamp_bytes(uint64_t value, uint64_t before)
{
	unsigned n = 1;

	while (n < 9 && value >> (7 * n) != before >> (7 * n))
		n++;
	return n;
}

void csg_enc_packet_timestamp(struct csg_enc_packets *p, uint64_t value, const uint32_t *cycles)
{
	unsigned n = timestamp_bytes(value, p->timestamp_valid ? p->timestamp : 0);

	put(p, 0x02 | (cycles ? 1 : 0));
	for (unsigned i = 0; i < n; i++) {
		unsigned piece = (unsigned)(value >> (7 * i)) & (i == 8 ? 0xff : 0x7f);

		put(p, piece | (i + 1 < n ? 0x80 : 0));
	}
	if (cycles)
		put_continued(p, *cycles);
	p->timestamp = value;
	p->timestamp_valid = true;
}

void csg_enc_packet_cycles(struct csg_enc_packets *p, const struct csg_enc_model *model,
			   uint32_t count, uint32_t commit)
{
	uint32_t over = count - model->cc_threshold;
	bool mode1 = model->commit_mode1;

	if (count && over < 4 && (mode1 || (commit >= 1 && commit <= 4))) {
		put(p, 0x10 | (mode1 ? 0 : (commit - 1) << 2) | over);
	} else if (count && over < 16 && (mode1 || (commit >= 1 && commit <= 16))) {
		put(p, 0x0c);
		put(p, (mode1 ? 0 : (commit - 1) << 4) | over);
	} else if (count && over < 16 && model->max_spec > 15 && commit + 15 >= model->max_spec &&
		   commit <= model->max_spec) {
		put(p, 0x0d);
		put(p, (commit + 15 - model->max_spec) << 4 | over);
	} else {
		put(p, 0x0e | (count ? 0 : 1));
		if (!mode1)
			put_continued(p, commit);
		if (count)
			put_continued(p, over);
	}
}

void csg_enc_packet_commit(struct csg_enc_packets *p, uint32_t count)
{
	put(p, 0x2d);
	put_continued(p, count);
}

/* The two-bit A field that says these atoms, or -1. */
static int atoms_field(const uint8_t *atoms, unsigned count)
{
	if (count == 0)
		return 0;
	if (count == 1)
		return atoms[0] ? 1 : 3;
	if (count == 2 && atoms[0] && atoms[1])
		return 2;
	return -1;
}

void csg_enc_packet_cancel(struct csg_enc_packets *p, uint32_t count, bool mispredict,
			   const uint8_t *atoms, unsigned atom_count)
{
	int a = atoms_field(atoms, atom_count);

	if (mispredict && count < 2 && a >= 0) {
		put(p, (count ? 0x34u : 0x30u) | (unsigned)a);
	} else if (mispredict && count >= 2 && count <= 5 && (a == 0 || a == 1)) {
		put(p, 0x38 | (count - 2) << 1 | (unsigned)a);
	} else {
		for (unsigned i = 0; i < atom_count; i++)
			csg_enc_packet_atoms(p, atoms[i], 1, true);
		put(p, 0x2e | (mispredict ? 1 : 0));
		put_continued(p, count);
	}
}

bool csg_enc_packet_q(struct csg_enc_packets *p, const uint32_t *count, struct csg_enc_address a)
{
	int match = find(p, a);
	bool rest = false;

	if (!count) {
		put(p, 0xaf);
		return true;
	}
	if (match >= 0) {
		put(p, 0xa0 + (unsigned)match);
	} else if (same_above(p, a, a.t32 ? 16 : 17)) {
		put(p, a.t32 ? 0xa6 : 0xa5);
		put_short(p, a);
	} else if (same_above(p, a, 32)) {
		put(p, a.t32 ? 0xab : 0xaa);
		put_long(p, a, 4);
	} else {
		put(p, 0xac);
		rest = true;
	}
	put_continued(p, *count);
	if (!rest)
		remember(p, a);
	return rest;
}
