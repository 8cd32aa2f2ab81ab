/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/reader.h"

#include <string.h>

#include "scan/arch.h"
#include "scan/reader_address.h"
#include "scan/reader_fields.h"

#define TIMESTAMP 0x02 /* the header */
#define ASYNC_ZEROS 11 /* before its 0x80 */
#define TRCIDR0_TRCCCI (1u << 7)
#define TRCIDR0_COMMOPT (1u << 29)

static uint8_t vmid_bytes(const struct csg_source *source)
{
	unsigned int size = (unsigned int)(source->trcidr2 >> 10) & 0x1f;

	if (size == 1)
		return 1;
	return csg_arch_version(source) > 0x40 && (size == 2 || size == 4) ? (uint8_t)size : 0;
}

void csg_reader_init(struct csg_reader *r, const struct csg_source *source, csg_packet_fn out,
		     void *arg)
{
	const uint64_t mode1 = TRCIDR0_COMMOPT | TRCIDR0_TRCCCI;

	memset(r, 0, sizeof(*r));
	r->out = out;
	r->arg = arg;
	r->ete = csg_arch_version(source) >= 0x50;
	r->vmid_bytes = vmid_bytes(source);
	r->contextid_bytes = (source->trcidr2 >> 5 & 0x1f) == 4 ? 4 : 0;
	r->max_spec = (uint32_t)source->trcidr8;
	r->cc_mask = (1u << ((source->trcidr2 >> 25 & 0xf) + 12)) - 1;
	r->passed_over = r->max_spec ? 0x100 : CSG_FIRST_ATOMS;
	r->mode1 = (source->trcidr0 & mode1) == mode1;
	csg_packet_rules_init(r->rules, source, r->mode1);
	csg_reader_restart(r);
}

void csg_reader_tell_atoms(struct csg_reader *r, bool tell)
{
	r->passed_over = tell || r->max_spec ? 0x100 : CSG_FIRST_ATOMS;
}

void csg_reader_skip_timestamps(struct csg_reader *r)
{
	r->skips_timestamps = !r->max_spec;
}

/* A packet that cannot be holds no whole A-Sync, but may end with the beginning of one. */
void csg_reader_search(struct csg_reader *r)
{
	r->state = CSG_READER_SEARCH;
	csg_reader_forget_addresses(r);
	r->timestamp = 0;
	r->cc_threshold = 0;
	r->whole_timestamp = r->sf = r->keeps_addresses = false;
}

void csg_reader_restart(struct csg_reader *r)
{
	csg_reader_search(r);
	r->zeros = 0;
	r->fed = 0;
}

/* How many bytes of IDs follow the information byte. */
static uint8_t id_bytes(const struct csg_reader *r, uint8_t info)
{
	return (uint8_t)((info & 0x40 ? r->vmid_bytes : 0) +
			 (info & 0x80 ? r->contextid_bytes : 0));
}

/* --- packets whose bytes say how they go on --- */

static bool extension_goes_on(struct csg_reader *r)
{
	uint8_t byte = r->bytes[r->used - 1];

	if (r->used == 2 && byte == 0x03)
		r->packet.kind = CSG_PACKET_DISCARD;
	else if (r->used == 2 && byte == 0x05)
		r->packet.kind = CSG_PACKET_OVERFLOW;
	else if (r->used == ASYNC_ZEROS + 1 && byte == 0x80)
		r->packet.kind = CSG_PACKET_ASYNC;
	else
		r->left = !byte && r->used < ASYNC_ZEROS + 1;
	return r->left;
}

/* The control byte says which sections there are; with bit 7 set, more control bytes follow. */
static bool trace_info_goes_on(struct csg_reader *r)
{
	if (r->used != 2)
		return false;
	r->fields = (uint8_t)__builtin_popcount(r->bytes[1] & 0x9fu);
	return r->fields;
}

/* Exceptions of an ETE without address, PE Reset and Transaction Failure, always have two bytes. */
static bool exception_goes_on(struct csg_reader *r)
{
	unsigned int type = r->bytes[1] >> 1 & 0x1fu;

	if (r->used == 2 && ((r->bytes[1] & 0x80) || (r->ete && (type == 0x00 || type == 0x18))))
		r->left = 1;
	return r->left;
}

static bool context_goes_on(struct csg_reader *r)
{
	if (r->used == 2) {
		r->left = id_bytes(r, r->bytes[1]);
		/* OpenCSD takes one byte for IDs that the unit does not have. */
		if ((r->bytes[1] & 0xc0) && !r->left)
			r->left = 1;
	}
	return r->left;
}

static bool address_context_goes_on(struct csg_reader *r)
{
	unsigned int info = r->rules[r->bytes[0]].bytes;

	if (r->used == info + 1)
		r->left = id_bytes(r, r->bytes[info]);
	return r->left;
}

static bool goes_on(struct csg_reader *r)
{
	switch (r->packet.kind) {
	case CSG_PACKET_BAD:
		return extension_goes_on(r);
	case CSG_PACKET_TRACE_INFO:
		return trace_info_goes_on(r);
	case CSG_PACKET_EXCEPTION:
		return exception_goes_on(r);
	case CSG_PACKET_CONTEXT:
		return context_goes_on(r);
	case CSG_PACKET_ADDRESS_CONTEXT:
		return address_context_goes_on(r);
	default:
		return false;
	}
}

static void complete(struct csg_reader *r)
{
	r->state = CSG_READER_HEADER;
	csg_reader_read_fields(r);
	r->out(r->arg, &r->packet);
}

/* --- bytes --- */

/* Counts the byte at that place where it is zero and so may belong to an A-Sync. */
static void count_zeros(struct csg_reader *r, uint8_t byte, uint64_t index, uint64_t position)
{
	if (byte) {
		r->zeros = 0;
		return;
	}
	if (!r->zeros) {
		r->zeros_index = index;
		r->zeros_position = position;
	}
	r->zeros += r->zeros < ASYNC_ZEROS;
}

static void header(struct csg_reader *r, uint8_t byte)
{
	const struct csg_packet_rule *rule = &r->rules[byte];

	r->packet.kind = rule->kind;
	r->bytes[0] = byte;
	r->used = 1;
	r->limit = rule->limit;
	r->left = rule->bytes;
	r->fields = rule->fields;
	if (r->limit | r->left | r->fields)
		r->state = CSG_READER_PAYLOAD;
	else
		complete(r);
}

/* One of a Trace Info's further control bytes but the last: all that matters is where they end. */
static bool is_passed_over(const struct csg_reader *r, uint8_t byte)
{
	return (byte & 0x80) && r->packet.kind == CSG_PACKET_TRACE_INFO && r->used == 2 &&
	       (r->bytes[1] & 0x80);
}

static void payload(struct csg_reader *r, uint8_t byte)
{
	if (r->used < CSG_PACKET_MAX && !is_passed_over(r, byte))
		r->bytes[r->used++] = byte;
	if (r->limit)
		r->limit = byte & 0x80 ? r->limit - 1 : 0;
	else if (r->left)
		r->left--;
	else
		r->fields -= !(byte & 0x80);
	if (!(r->limit | r->left | r->fields) && !goes_on(r))
		complete(r);
}

/* Of more zeros than needed all belong to the A-Sync, as OpenCSD has it. */
static void search(struct csg_reader *r, uint8_t byte, uint64_t index, uint64_t position)
{
	if (r->zeros == ASYNC_ZEROS && byte == 0x80) {
		r->packet.kind = CSG_PACKET_ASYNC;
		r->packet.index = r->zeros_index;
		r->packet.position = r->zeros_position;
		r->used = 1;
		complete(r);
	}
	count_zeros(r, byte, index, position);
}

/* A byte that is not passed over. */
static void take(struct csg_reader *r, uint8_t byte, uint64_t index, uint64_t position)
{
	if (r->state == CSG_READER_SEARCH) {
		search(r, byte, index, position);
		return;
	}
	if (r->state == CSG_READER_HEADER) {
		r->packet.index = index;
		r->packet.position = position;
		r->zeros = 0;
	}
	count_zeros(r, byte, index, position);
	if (r->state == CSG_READER_HEADER)
		header(r, byte);
	else
		payload(r, byte);
}

/* Of the Timestamp packet at bytes, without a cycle count, if it lies whole in these n; else 0. */
static unsigned int timestamp_length(const uint8_t *bytes, size_t n)
{
	unsigned int length = 2;

	if (bytes[0] != TIMESTAMP)
		return 0;
	while (length <= n && length <= CSG_TIMESTAMP_BYTES && bytes[length - 1] & 0x80)
		length++;
	return length <= n ? length : 0;
}

/* Up to the first packet from place on that somebody wants. */
static size_t pass_over(struct csg_reader *r, const uint8_t *bytes, size_t place, size_t n)
{
	unsigned int length = 2;

	while (length && place < n) {
		while (place < n && bytes[place] >= r->passed_over)
			place++;
		length = 0;
		if (place < n && r->keeps_addresses)
			length = csg_reader_address(r, bytes + place, n - place);
		if (!length && place < n && r->skips_timestamps)
			length = timestamp_length(bytes + place, n - place);
		place += length;
	}
	return place;
}

void csg_reader_feed(struct csg_reader *r, const struct csg_run *run)
{
	for (size_t i = 0; i < run->n; i++) {
		if (r->state == CSG_READER_HEADER)
			i = pass_over(r, run->bytes, i, run->n);
		if (i < run->n)
			take(r, run->bytes[i], csg_run_index(run, i), r->fed + i);
	}
	r->fed += run->n;
}

void csg_reader_byte(struct csg_reader *r, uint64_t index, uint8_t byte)
{
	take(r, byte, index, r->fed++);
}

void csg_reader_end(struct csg_reader *r)
{
	if (r->state != CSG_READER_PAYLOAD)
		return;
	r->packet.kind = CSG_PACKET_INCOMPLETE;
	r->out(r->arg, &r->packet);
	r->state = CSG_READER_HEADER;
}
