/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Trace bytes through both engines, whose elements must be the same (engine_pair.h).  The first
 * bytes choose the trace unit (struct head), the rest is trace.  Code is what the last bytes say,
 * over and over: of any instruction set, different for each owner, changing with time, missing here
 * and there.
 */
#include <opencsd/c_api/opencsd_c_api.h>

#include "engine_pair.h"
#include "fuzz/input.h"

struct head {
	uint8_t kind;	/* bits 0 ETE, 1-2 its minor version, 3 WFX, 4 TSMARK, 5 COMTRANS */
	uint8_t config; /* TRCCONFIGR: 0 CID, 1 VMID, 2 VMIDOPT, 3 TS, 4 RS, 5 CCI, 6 BB, 7 Q */
	uint8_t idr8;	/* TRCIDR8.MAXSPEC */
	uint8_t piece;	/* bytes that are fed at a time */
};

#define CODE 512      /* bytes, at most, at the end of the input */
#define ISLAND 0x1000 /* bytes of code without a hole */

struct code {
	uint8_t bytes[CODE + ISLAND]; /* the same n over and over */
	size_t n;
};

static const uint8_t *piece(void *arg, uint32_t owner, uint64_t time, uint64_t address, size_t *len)
{
	const struct code *code = arg;
	uint64_t at = (address + (owner + 1) / 2 * 36 + time * 6) % code->n;

	/* Endless code could be walked without end. */
	if (address / ISLAND % 3 == 2)
		return NULL;
	*len = ISLAND - address % ISLAND;
	return code->bytes + at;
}

static struct csg_source source_of(const struct head *head)
{
	static const uint32_t bits[] = {1u << 6,  1u << 7, 1u << 15, 1u << 11,
					1u << 12, 1u << 4, 1u << 3,  3u << 13};
	bool ete = head->kind & 1;
	/* OpenCSD before 1.4 does not know the ITE packets of ETE 1.3; the fast engine does. */
	uint32_t minor = (head->kind >> 1 & 3) % (ete && ocsd_get_version() < 0x10400 ? 3 : 4);
	struct csg_source source = {
		.sink = CSG_NO_SINK,
		.trace_id = 0x10,
		.protocol = ete ? CSG_PROTOCOL_ETE : CSG_PROTOCOL_ETMV4,
		.trcconfigr = 1,
		.trcidr0 = 0x28018ea1,
		.trcidr1 = ete ? 0x4100fff3 : 0x4100f403u + minor * 0x10u,
		.trcidr2 = 0x40001088,
		.trcidr8 = head->idr8 % 64,
		.trcdevarch = 0x47705a13 + (minor << 16),
	};

	source.trcidr2 |= head->kind & 8 ? UINT64_C(1) << 31 : 0;
	source.trcidr0 |= head->kind & 16 ? 1u << 23 : 0;
	source.trcidr0 |= head->kind & 32 ? 1u << 30 : 0;
	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		if (head->config >> i & 1)
			source.trcconfigr |= bits[i];
	return source;
}

/*
 * Before the first Trace Info OpenCSD, at least 1.3.3, does not know how many P0 elements there are
 * that it has not seen, and takes what lies in fresh memory for it where an atom was mispredicted
 * that is not there (TrcPktDecodeEtmV4I::mispredictAtom()).  Let it be none.
 */
__attribute__((visibility("default"))) const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "malloc_fill_byte=0:max_malloc_fill_size=65536";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct code code;
	const struct pair_code from = {piece, &code};
	struct csg_source source;
	struct head head;

	if (size < sizeof(head) + 8)
		return 0;
	memcpy(&head, data, sizeof(head));
	data += sizeof(head);
	size -= sizeof(head);
	code.n = size / 2 < CODE ? size / 2 : CODE;
	size -= code.n;
	for (size_t i = 0; i < sizeof(code.bytes); i++)
		code.bytes[i] = data[size + i % code.n];
	source = source_of(&head);
	fuzz_require(pair_equal(&source, &from, data, size, head.piece + 1u),
		     "both engines give the same elements");
	return 0;
}
