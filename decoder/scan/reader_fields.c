/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/reader_fields.h"

#include "scan/field.h"
#include "scan/reader_address.h"

static void read_context(struct csg_reader *r, unsigned int at)
{
	uint8_t info = r->bytes[at++];
	struct csg_packet_context context = {
		.updated = true,
		.el = info & 3,
		.nse = info & 0x08,
		.sf = info & 0x10,
		.ns = info & 0x20,
		.has_vmid = info & 0x40 && r->vmid_bytes,
		.has_contextid = info & 0x80 && r->contextid_bytes,
	};

	if (context.has_vmid) {
		context.vmid = (uint32_t)csg_little_endian(r->bytes + at, r->vmid_bytes);
		at += r->vmid_bytes;
	}
	if (context.has_contextid)
		context.contextid = (uint32_t)csg_little_endian(r->bytes + at, r->contextid_bytes);
	r->sf = context.sf;
	r->packet.context = context;
}

/*
 * Of its sections all but the second and those after the fourth are wanted.  No
 * field is read past the packet's end: each ends at the latest where payload() ended it.  All
 * of them lie within the bytes that are kept.
 */
static void trace_info(struct csg_reader *r)
{
	uint32_t sections[4] = {0}; /* information, key, speculation depth, cycle count threshold */
	uint8_t control = r->bytes[1];
	unsigned int at = control & 0x80 ? 3 : 2;

	for (unsigned int i = 0; i < 4; i++)
		if (control & 1u << i)
			sections[i] = csg_field(r->bytes, &at);
	r->packet.value = sections[0];
	r->packet.n = sections[2];
	r->cc_threshold = sections[3];
	csg_reader_forget_addresses(r);
	r->whole_timestamp = true;
}

static void timestamp(struct csg_reader *r)
{
	unsigned int bits = 0, at = 1;
	uint64_t value = 0;
	uint8_t byte;

	do {
		byte = r->bytes[at++];
		if (at > CSG_TIMESTAMP_BYTES) {
			value |= (uint64_t)byte << bits;
			bits = 64;
			break;
		}
		value |= (uint64_t)(byte & 0x7f) << bits;
		bits += 7;
	} while (byte & 0x80);
	if (r->whole_timestamp)
		bits = 64;
	r->whole_timestamp = false;
	r->timestamp = (r->timestamp & ~csg_low_bits(bits)) | value;
	r->packet.value = r->timestamp;
	r->packet.cycles = 0;
	if (r->bytes[0] & 1)
		r->packet.cycles = csg_field_short(r->bytes, &at, 3) & r->cc_mask;
}

static void exception(struct csg_reader *r)
{
	r->packet.number = r->bytes[1] >> 1 & 0x1f;
	if (r->bytes[1] & 0x80)
		r->packet.number |= (uint16_t)((r->bytes[2] & 0x1f) << 5);
	r->packet.is_target = (r->bytes[1] & 0x41) == 0x40;
	if (!r->ete || (r->packet.number != 0x00 && r->packet.number != 0x18))
		return;
	r->packet.kind = r->packet.number ? CSG_PACKET_TRANSACTION_FAIL : CSG_PACKET_PE_RESET;
	csg_reader_new_address(r, 0, false);
	r->packet.value = 0;
	r->packet.is1 = false;
}

/* Atoms of a Mispredict or Cancel format 2: none, E, EE, N. */
static uint8_t cancel_atoms(uint8_t header)
{
	static const uint8_t atoms[] = {0, 1, 2, 1};

	return atoms[header & 3];
}

static void cancel(struct csg_reader *r)
{
	uint8_t header = r->bytes[0];
	unsigned int at = 1;

	r->packet.mispredicts = header != 0x2e;
	r->packet.atoms = 0;
	r->packet.pattern = 0;
	if (header <= 0x2f) {
		r->packet.n = csg_field(r->bytes, &at);
	} else if (header <= 0x37) {
		r->packet.n = header >= 0x34;
		r->packet.atoms = cancel_atoms(header);
		r->packet.pattern = (header & 3) % 3 ? (1u << r->packet.atoms) - 1 : 0;
	} else {
		r->packet.n = (header >> 1 & 3u) + 2;
		r->packet.atoms = r->packet.pattern = header & 1;
	}
}

static void commit(struct csg_reader *r)
{
	unsigned int at = 1;

	r->packet.n = csg_field(r->bytes, &at);
}

/* How many P0 elements it commits; at moves after that csg_field, where there is one. */
static uint32_t cycles_commit(const struct csg_reader *r, unsigned int *at)
{
	uint8_t header = r->bytes[0];

	if (r->mode1)
		return 0;
	if (header >= 0x10)
		return (header >> 2 & 3u) + 1;
	if (header >= 0x0e)
		return csg_field(r->bytes, at);
	return (r->bytes[1] >> 4) + (header & 1 ? r->max_spec - 15 : 1);
}

/* Format 3 has its counts in the header, format 1 in fields, format 2 in half a byte. */
static void cycles(struct csg_reader *r)
{
	uint8_t header = r->bytes[0];
	unsigned int at = 1;

	r->packet.n = cycles_commit(r, &at);
	if (header == 0x0f)
		r->packet.cycles = 0;
	else if (header >= 0x10)
		r->packet.cycles = r->cc_threshold + (header & 3);
	else if (header == 0x0e)
		r->packet.cycles = r->cc_threshold + csg_field_short(r->bytes, &at, 3);
	else
		r->packet.cycles = r->cc_threshold + (r->bytes[1] & 0xf);
}

uint32_t csg_reader_pattern(uint8_t header, unsigned int *atoms)
{
	static const uint8_t fours[] = {0x0e, 0x00, 0x0a, 0x05};
	static const uint8_t fives[] = {0x00, 0x00, 0x0a, 0x15};

	if (header >= 0xf8) {
		*atoms = 3;
		return header & 7;
	}
	if (header >= 0xf6) {
		*atoms = 1;
		return header & 1;
	}
	if (header == 0xf5 || (header >= 0xd5 && header <= 0xd7)) {
		*atoms = 5;
		return header == 0xf5 ? 0x1e : fives[header & 3];
	}
	if (header >= 0xd8 && header <= 0xdf) {
		*atoms = header < 0xdc ? 2 : 4;
		return header < 0xdc ? header & 3 : fours[header & 3];
	}
	*atoms = (header & 0x1f) + 4; /* some E, then one of either */
	return (1u << (*atoms - (header & 0x20 ? 1 : 0))) - 1;
}

static void atoms(struct csg_reader *r)
{
	unsigned int n;

	r->packet.pattern = csg_reader_pattern(r->bytes[0], &n);
	r->packet.atoms = (uint8_t)n;
}

/* The count stands after the address. */
static void q(struct csg_reader *r)
{
	uint8_t form = r->rules[r->bytes[0]].form;
	unsigned int at = 1;

	r->packet.has_address = form != CSG_NO_ADDRESS;
	if (r->packet.has_address)
		csg_reader_read_address(r);
	if (form == CSG_SHORT_IS0 || form == CSG_SHORT_IS1)
		at += r->bytes[1] & 0x80 ? 2 : 1;
	else if (form == CSG_LONG32_IS0 || form == CSG_LONG32_IS1)
		at += 4;
	r->packet.n = r->bytes[0] == 0xaf ? 0 : csg_field(r->bytes, &at);
}

static void ite(struct csg_reader *r)
{
	r->packet.number = r->bytes[1];
	r->packet.value = csg_little_endian(r->bytes + 2, 8);
}

void csg_reader_read_fields(struct csg_reader *r)
{
	switch (r->packet.kind) {
	case CSG_PACKET_TRACE_INFO:
		trace_info(r);
		break;
	case CSG_PACKET_TIMESTAMP:
		timestamp(r);
		break;
	case CSG_PACKET_CYCLES:
		cycles(r);
		break;
	case CSG_PACKET_EXCEPTION:
		exception(r);
		break;
	case CSG_PACKET_COMMIT:
		commit(r);
		break;
	case CSG_PACKET_CANCEL:
		cancel(r);
		break;
	case CSG_PACKET_CONTEXT:
		r->packet.context.updated = false;
		if (r->used > 1)
			read_context(r, 1);
		break;
	case CSG_PACKET_ADDRESS_CONTEXT:
		csg_reader_read_address(r);
		read_context(r, r->rules[r->bytes[0]].bytes);
		break;
	case CSG_PACKET_ADDRESS:
	case CSG_PACKET_SOURCE_ADDRESS:
		csg_reader_read_address(r);
		break;
	case CSG_PACKET_Q:
		q(r);
		break;
	case CSG_PACKET_ATOMS:
		atoms(r);
		break;
	case CSG_PACKET_EVENT:
		r->packet.number = r->bytes[0] & 0xf;
		break;
	case CSG_PACKET_ITE:
		ite(r);
		break;
	default:
		break;
	}
}
