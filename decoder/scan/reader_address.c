/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/reader_address.h"

#include <string.h>

#include "scan/field.h"

void csg_reader_forget_addresses(struct csg_reader *r)
{
	memset(r->addresses, 0, sizeof(r->addresses));
	memset(r->is1, 0, sizeof(r->is1));
}

/* The first two bytes of an address in IS0 have seven bits each, in IS1 only the first one. */
static uint64_t long_address(const uint8_t *bytes, unsigned int n, bool is1)
{
	uint64_t rest = csg_little_endian(bytes + 2, n - 2) << 16;

	if (is1)
		return rest | (uint64_t)(bytes[0] & 0x7f) << 1 | (uint64_t)bytes[1] << 8;
	return rest | (uint64_t)(bytes[0] & 0x7f) << 2 | (uint64_t)(bytes[1] & 0x7f) << 9;
}

static uint64_t short_address(uint64_t before, const uint8_t *bytes, bool is1)
{
	unsigned int shift = is1 ? 1 : 2, bits = 7 + shift;
	uint64_t value = (uint64_t)(bytes[0] & 0x7f) << shift;

	if (bytes[0] & 0x80) {
		value |= (uint64_t)bytes[1] << bits;
		bits += 8;
	}
	return (before & ~csg_low_bits(bits)) | value;
}

/* In the packet at header. */
static uint64_t address_in(const struct csg_reader *r, const uint8_t *header,
			   enum csg_address_form form)
{
	const uint8_t *bytes = header + 1;
	uint64_t kept = r->sf ? r->addresses[0] & ~csg_low_bits(32) : 0;

	switch (form) {
	case CSG_MATCH:
		return r->addresses[*header & 3];
	case CSG_SHORT_IS0:
	case CSG_SHORT_IS1:
		return short_address(r->addresses[0], bytes, form == CSG_SHORT_IS1);
	case CSG_LONG32_IS0:
	case CSG_LONG32_IS1:
		return kept | long_address(bytes, 4, form == CSG_LONG32_IS1);
	case CSG_LONG64_IS0:
	case CSG_LONG64_IS1:
		return long_address(bytes, 8, form == CSG_LONG64_IS1);
	case CSG_NO_ADDRESS:
		break;
	}
	return 0;
}

/* The address in the packet at header. */
static void take_address(struct csg_reader *r, const uint8_t *header)
{
	enum csg_address_form form = r->rules[*header].form;
	bool is1 = form == CSG_SHORT_IS1 || form == CSG_LONG32_IS1 || form == CSG_LONG64_IS1;

	if (form == CSG_MATCH)
		is1 = r->is1[*header & 3];
	csg_reader_new_address(r, address_in(r, header, form), is1);
}

void csg_reader_read_address(struct csg_reader *r)
{
	take_address(r, r->bytes);
	r->packet.value = r->addresses[0];
	r->packet.is1 = r->is1[0];
}

unsigned int csg_reader_any_address(struct csg_reader *r, const uint8_t *bytes, size_t n)
{
	const struct csg_packet_rule *rule = &r->rules[bytes[0]];
	unsigned int length = 1 + rule->bytes;

	if (rule->kind != CSG_PACKET_ADDRESS)
		return 0;
	if (rule->limit) /* two bytes at most */
		length = n >= 2 && !(bytes[1] & 0x80) ? 2 : 3;
	if (n < length)
		return 0;
	take_address(r, bytes);
	return length;
}
