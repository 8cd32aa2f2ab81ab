/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Addresses in packets: whole ones, those that leave out bits which are as in the address before,
 * and those that are one of the last three (Arm IHI 0064, "Address compression").
 */
#ifndef DECODER_SCAN_READER_ADDRESS_H
#define DECODER_SCAN_READER_ADDRESS_H

#include "scan/field.h"
#include "scan/reader_state.h"

struct csg_address {
	uint64_t value;
	unsigned int length; /* of its packet */
	bool is1;
};

/* The address in the current packet is the newest, and what the packet says. */
void csg_reader_read_address(struct csg_reader *reader);

/* All are zero. */
void csg_reader_forget_addresses(struct csg_reader *reader);

/* One more. */
static inline void csg_reader_new_address(struct csg_reader *r, uint64_t address, bool is1)
{
	r->is1[2] = r->is1[1];
	r->is1[1] = r->is1[0];
	r->is1[0] = is1;
	r->addresses[2] = r->addresses[1];
	r->addresses[1] = r->addresses[0];
	r->addresses[0] = address;
}

/*
 * Looks at the Address packet at bytes, where a header stands, and changes nothing.  False: it is
 * another packet, does not lie whole in these n, or is of a form that is rare where code is A64.
 */
static inline bool csg_reader_look(const struct csg_reader *r, const uint8_t *bytes, size_t n,
				   struct csg_address *address)
{
	const struct csg_packet_rule *rule;
	uint64_t low, more;

	if (n < 5)
		return false;
	rule = &r->rules[bytes[0]];
	if (rule->kind != CSG_PACKET_ADDRESS)
		return false;
	low = (uint64_t)(bytes[1] & 0x7f) << 2;
	more = bytes[1] >> 7;
	address->is1 = false;
	switch (rule->form) {
	case CSG_SHORT_IS0:
		address->length = 2 + (unsigned int)more;
		address->value =
			(r->addresses[0] & ~(UINT64_C(0x1ff) | (UINT64_C(0xff) * more) << 9)) |
			low | (bytes[2] * more) << 9;
		return true;
	case CSG_LONG32_IS0:
		address->length = 5;
		address->value = (r->sf ? r->addresses[0] & ~csg_low_bits(32) : 0) | low |
				 (uint64_t)(bytes[2] & 0x7f) << 9 | (uint64_t)bytes[3] << 16 |
				 (uint64_t)bytes[4] << 24;
		return true;
	case CSG_MATCH:
		address->length = 1;
		address->value = r->addresses[bytes[0] & 3];
		address->is1 = r->is1[bytes[0] & 3];
		return true;
	default:
		return false;
	}
}

/* As csg_reader_address(), of any form. */
unsigned int csg_reader_any_address(struct csg_reader *reader, const uint8_t *bytes, size_t n);

/*
 * The Address packet at bytes, where a header stands, if it lies whole in these n: returns its
 * length, and what it says is addresses[0] and is1[0].  0: another packet, or not whole.
 */
static inline unsigned int csg_reader_address(struct csg_reader *r, const uint8_t *bytes, size_t n)
{
	struct csg_address address;

	if (!csg_reader_look(r, bytes, n, &address))
		return csg_reader_any_address(r, bytes, n);
	csg_reader_new_address(r, address.value, address.is1);
	return address.length;
}

#endif
