/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/trace_unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Multi-bit fields: their place, and a word for each value (NULL: reserved). */
static const struct {
	unsigned int shift, mask;
	const char *words[8];
} fields[] = {
	{1,
	 3,
	 {"", "loads as P0 elements", "stores as P0 elements", "loads and stores as P0 elements"}},
	{8,
	 7,
	 {"", "conditional loads", "conditional stores", "conditional loads and stores", NULL, NULL,
	  NULL, "all conditional instructions"}},
	{13, 3, {"", "Q elements with counts", NULL, "Q elements"}},
};

static const struct {
	unsigned int bit;
	const char *word;
} bits[] = {
	{3, "branch broadcast"}, {4, "cycle counts"},
	{6, "CONTEXTIDR_EL1"},	 {11, "timestamps"},
	{12, "return stack"},	 {16, "data addresses"},
	{17, "data values"},	 {18, "instrumentation override"},
};

static void add(char *buf, size_t size, const char *word)
{
	size_t at = strlen(buf);

	if (*word && at < size)
		snprintf(buf + at, size - at, "%s%s", at ? ", " : "", word);
}

void csg_trace_unit_config(const struct csg_source *source, char *buf, size_t size)
{
	/* Bit 0 reads as one; bits 7 and 15 are one field in two places. */
	uint64_t config = source->trcconfigr,
		 known = 1 | CSG_TRCCONFIGR_VMID | CSG_TRCCONFIGR_VMIDOPT;
	char rest[32];

	buf[0] = 0;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const char *word = fields[i].words[config >> fields[i].shift & fields[i].mask];

		if (!word)
			continue;
		add(buf, size, word);
		known |= (uint64_t)fields[i].mask << fields[i].shift;
	}
	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		known |= 1u << bits[i].bit;
		if (config & 1u << bits[i].bit)
			add(buf, size, bits[i].word);
	}
	if (config & CSG_TRCCONFIGR_VMID)
		add(buf, size, config & CSG_TRCCONFIGR_VMIDOPT ? "CONTEXTIDR_EL2" : "VMID");
	if (config & ~known) {
		snprintf(rest, sizeof(rest), "unknown bits 0x%" PRIx64, config & ~known);
		add(buf, size, rest);
	}
	if (!buf[0])
		add(buf, size, "program flow only");
}

void csg_trace_unit_version(const struct csg_source *source, char *buf, size_t size)
{
	unsigned int minor = source->trcidr1 >> 4 & 0xf;
	unsigned int revision = source->trcdevarch >> 16 & 0xf;

	if (source->protocol == CSG_PROTOCOL_OTHER)
		snprintf(buf, size, "other");
	else if (source->protocol == CSG_PROTOCOL_ETMV4)
		snprintf(buf, size, "ETMv4.%u", minor);
	/* TRCDEVARCH.PRESENT says that the rest means something. */
	else if (source->trcdevarch & 1u << 20)
		snprintf(buf, size, "ETEv1.%u", revision);
	else
		snprintf(buf, size, "ETE");
}

const char *csg_trace_unit_timestamps(const struct csg_source *source)
{
	if (!(source->trcconfigr & CSG_TRCCONFIGR_TS))
		return "none";
	switch (source->ts_source) {
	case CSG_TS_SOURCE_CORESIGHT:
		return "CoreSight counter, whose relation to the generic counter is not known";
	case CSG_TS_SOURCE_VIRTUAL:
		return "generic counter, virtual: a guest's offset applies while its vCPU is "
		       "loaded";
	case CSG_TS_SOURCE_GUEST_PHYSICAL:
		return "generic counter, guest physical";
	case CSG_TS_SOURCE_PHYSICAL:
		return "generic counter, physical";
	default:
		return "of a source that the recording does not name";
	}
}
