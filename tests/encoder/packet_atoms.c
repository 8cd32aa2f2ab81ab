/* SPDX-License-Identifier: BSD-3-Clause */
/* Atom packets, formats 1 to 6. */
#include "encoder/packet.h"

static void put(struct csg_enc_packets *p, unsigned byte)
{
	csg_enc_bytes_u8(p->out, (uint8_t)byte);
}

/* How many E atoms stand at the front. */
static unsigned leading_e(uint64_t bits, unsigned count)
{
	unsigned n = 0;

	while (n < count && (bits >> n & 1))
		n++;
	return n;
}

/* Format 6: 3 to 23 E, then one more E or an N.  Returns how many atoms it took. */
static unsigned atoms_format_6(struct csg_enc_packets *p, uint64_t bits, unsigned count)
{
	unsigned run = leading_e(bits, count);
	unsigned body;

	if (run > 24)
		run = 24;
	if (run < count && run >= 3 && run <= 23) { /* ends in N */
		put(p, 0xe0 | (run - 3));
		return run + 1;
	}
	if (run < 4)
		return 0;
	body = run - 1; /* ends in E */
	put(p, 0xc0 | (body - 3));
	return run;
}

/* Formats 5 and 4 know a few patterns only, in order of execution from bit 0. */
static unsigned atoms_pattern(struct csg_enc_packets *p, uint64_t bits, unsigned count)
{
	static const struct {
		uint8_t header, count, pattern;
	} known[] = {
		{0xf5, 5, 0x1e}, {0xd5, 5, 0x00}, {0xd6, 5, 0x0a}, {0xd7, 5, 0x15},
		{0xdc, 4, 0x0e}, {0xdd, 4, 0x00}, {0xde, 4, 0x0a}, {0xdf, 4, 0x05},
	};

	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		uint64_t mask = (1u << known[i].count) - 1;

		if (count >= known[i].count && (bits & mask) == known[i].pattern) {
			put(p, known[i].header);
			return known[i].count;
		}
	}
	return 0;
}

static unsigned atoms_once(struct csg_enc_packets *p, uint64_t bits, unsigned count)
{
	unsigned took = atoms_format_6(p, bits, count);

	if (!took)
		took = atoms_pattern(p, bits, count);
	if (took)
		return took;
	if (count >= 3) {
		put(p, 0xf8 | (unsigned)(bits & 7));
		return 3;
	}
	if (count == 2) {
		put(p, 0xd8 | (unsigned)(bits & 3));
		return 2;
	}
	put(p, 0xf6 | (unsigned)(bits & 1));
	return 1;
}

void csg_enc_packet_atoms(struct csg_enc_packets *p, uint64_t bits, unsigned count, bool single)
{
	while (count) {
		unsigned took = atoms_once(p, bits, single ? 1 : count);

		bits = took < 64 ? bits >> took : 0;
		count -= took;
	}
}
