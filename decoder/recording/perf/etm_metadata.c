/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/etm_metadata.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/report.h"
#include "util/bytes.h"
#include "util/array.h"

#define MAGIC_ETMV3 0x3030303030303030ull
#define MAGIC_ETMV4 0x4040404040404040ull
#define MAGIC_ETE 0x5050505050505050ull
#define INFO_AT 16 /* of the words after perf_event_header, type and a reserved word */
#define GLOBAL_WORDS 3
#define TRACE_ID_MASK 0x7f

#define REMEDY_RECORD "record again, or with a perf that this version knows"

static const struct {
	const char *name;
	bool aarch64;
} kinds[] = {
	{"unknown trace", false}, {"Intel PT", false},	      {"Intel BTS", false},
	{"CoreSight ETM", true},  {"Arm SPE", true},	      {"s390 CPU-measurement", false},
	{"HiSilicon PTT", true},  {"PowerPC VPA DTL", false},
};

void csg_etm_metadata_fini(struct csg_etm_metadata *metadata)
{
	free(metadata->units);
	memset(metadata, 0, sizeof(*metadata));
}

uint32_t csg_auxtrace_info_type(const uint8_t *record, size_t len)
{
	return len >= INFO_AT ? csg_le32(record + 8) : 0;
}

const char *csg_auxtrace_type_name(uint32_t type, bool *aarch64)
{
	if (type >= sizeof(kinds) / sizeof(kinds[0]))
		type = 0;
	if (aarch64)
		*aarch64 = kinds[type].aarch64;
	return kinds[type].name;
}

/* A block of u64 words: its registers from registers on, n of them. */
struct block {
	uint64_t magic, cpu;
	const uint8_t *registers;
	size_t n;
};

static uint64_t reg(const struct block *block, size_t i, uint64_t otherwise)
{
	return i < block->n ? csg_le64(block->registers + 8 * i) : otherwise;
}

static void take_etmv4(struct csg_source *unit, const struct block *block)
{
	bool ete = block->magic == MAGIC_ETE;

	unit->protocol = ete ? CSG_PROTOCOL_ETE : CSG_PROTOCOL_ETMV4;
	unit->trcconfigr = reg(block, 0, 0);
	unit->trctraceidr = reg(block, 1, 0);
	unit->trcidr0 = reg(block, 2, 0);
	unit->trcidr1 = reg(block, 3, 0);
	unit->trcidr2 = reg(block, 4, 0);
	unit->trcidr8 = reg(block, 5, 0);
	unit->trcauthstatus = reg(block, 6, 0);
	if (ete)
		unit->trcdevarch = reg(block, 7, 0);
	unit->ts_source = (int64_t)reg(block, ete ? 8 : 7, (uint64_t)CSG_TS_SOURCE_UNKNOWN);
}

static int take_block(struct csg_etm_metadata *metadata, const struct block *block)
{
	struct csg_source *unit =
		csg_array_add(&metadata->units, &metadata->n, &metadata->cap, sizeof(*unit));

	if (!unit)
		return -CSG_E_NO_MEMORY;
	unit->cpu = (int32_t)block->cpu;
	unit->sink = CSG_NO_SINK;
	unit->ts_source = CSG_TS_SOURCE_UNKNOWN;
	if (block->magic == MAGIC_ETMV3) {
		unit->protocol = CSG_PROTOCOL_OTHER; /* ETMCR, ETMTRACEIDR, ETMCCER, ETMIDR */
		unit->trctraceidr = reg(block, 1, 0);
	} else {
		take_etmv4(unit, block);
	}
	unit->trace_id = (uint8_t)(unit->trctraceidr & TRACE_ID_MASK);
	return 0;
}

/*
 * The block at word i of n; the number of words it takes, 0 where it is cut, or
 * -CSG_E_UNSUPPORTED.
 */
static int64_t find_block(const uint8_t *words, size_t n, size_t i, uint64_t version,
			  struct block *block)
{
	size_t head = version ? 3 : 2;
	uint64_t count;

	if (n - i < head)
		return 0;
	block->magic = csg_le64(words + 8 * i);
	block->cpu = csg_le64(words + 8 * (i + 1));
	if (block->magic != MAGIC_ETMV3 && block->magic != MAGIC_ETMV4 && block->magic != MAGIC_ETE)
		return -CSG_E_UNSUPPORTED;
	if (version)
		count = csg_le64(words + 8 * (i + 2));
	else if (block->magic == MAGIC_ETE)
		return -CSG_E_UNSUPPORTED;
	else
		count = block->magic == MAGIC_ETMV3 ? 4 : 7;
	if (count > n - i - head)
		return 0;
	block->registers = words + 8 * (i + head);
	block->n = (size_t)count;
	return (int64_t)(head + count);
}

int csg_etm_metadata_read(struct csg_etm_metadata *metadata, const uint8_t *record, size_t len,
			  const char *path, uint64_t offset, const struct csg_diag_sink *sink)
{
	size_t n = len > INFO_AT ? (len - INFO_AT) / 8 : 0;
	const uint8_t *words = record + INFO_AT;
	uint32_t n_cpu;

	if (n < GLOBAL_WORDS)
		return csg_report(sink, CSG_ERROR, CSG_E_CORRUPT, path, offset, REMEDY_RECORD,
				  "AUXTRACE_INFO of %zu bytes is too short", len);
	metadata->version = csg_le64(words);
	metadata->pmu_type = (uint32_t)(csg_le64(words + 8) >> 32);
	n_cpu = (uint32_t)csg_le64(words + 8);
	metadata->snapshot = csg_le64(words + 16) != 0;
	for (size_t i = GLOBAL_WORDS; metadata->n < n_cpu;) {
		struct block block = {0};
		int64_t took = find_block(words, n, i, metadata->version, &block);
		int ret;

		if (took < 0)
			return csg_report(sink, CSG_ERROR, CSG_E_UNSUPPORTED, path,
					  offset + INFO_AT + 8 * i, REMEDY_RECORD,
					  "AUXTRACE_INFO: trace unit of unknown magic %#" PRIx64,
					  block.magic);
		if (!took) {
			metadata->cut = true;
			csg_report(sink, CSG_WARNING, CSG_E_CORRUPT, path, offset, REMEDY_RECORD,
				   "AUXTRACE_INFO has %zu of the %u trace units that it counts",
				   metadata->n, n_cpu);
			return 0;
		}
		ret = take_block(metadata, &block);
		if (ret)
			return ret;
		i += (size_t)took;
	}
	return 0;
}

const struct csg_source *csg_etm_metadata_cpu(const struct csg_etm_metadata *metadata, int32_t cpu)
{
	for (size_t i = 0; i < metadata->n; i++)
		if (metadata->units[i].cpu == cpu)
			return &metadata->units[i];
	return NULL;
}
