/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#include "flow/opencsd/packet_list.h"
#include "snapshot_dir.h"

static struct csg_recording *rec;

/* Opens a snapshot with this trace. */
static const struct csg_source *snapshot(const void *bytes, size_t n)
{
	const struct csg_source *source;
	size_t sources;

	snapshot_make(bytes, n, NULL, 0);
	CU_ASSERT_EQUAL_FATAL(csg_recording_load(&rec, snapshot_dir, NULL, NULL), 0);
	source = csg_recording_sources(rec, &sources);
	CU_ASSERT_EQUAL_FATAL(sources, 1);
	return source;
}

static void clean_up(void)
{
	csg_recording_close(rec);
	snapshot_remove();
}

/* A-Sync; Trace Info; Trace On; Atom E. */
static const uint8_t trace[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 1, 0, 4, 0xf7};

static void next_is(struct csg_packet_list *list, uint64_t index, const char *begin)
{
	struct csg_packet_line line;

	CU_ASSERT_EQUAL_FATAL(csg_packet_list_next(list, &line, sizeof(line)), 1);
	CU_ASSERT_EQUAL(line.index, index);
	CU_ASSERT_NSTRING_EQUAL(line.text, begin, strlen(begin));
}

static void packets_come_with_position_and_text(void)
{
	struct csg_packet_list *list;
	struct csg_packet_line line;
	const struct csg_source *source = snapshot(trace, sizeof(trace));

	CU_ASSERT_EQUAL_FATAL(csg_packet_list_open(&list, rec, source, NULL), 0);
	next_is(list, 0, "I_ASYNC : Alignment Synchronisation.");
	next_is(list, 12, "I_TRACE_INFO : Trace Info.");
	next_is(list, 14, "I_TRACE_ON : Trace On.");
	next_is(list, 15, "I_ATOM_F1 : Atom format 1.; E");
	CU_ASSERT_EQUAL(csg_packet_list_next(list, &line, sizeof(line)), 0);
	CU_ASSERT_EQUAL(csg_packet_list_next(list, &line, sizeof(line)), 0);
	csg_packet_list_close(list);
	clean_up();
}

/* More than a block of 64 KB and than one piece; garbage does not stop it. */
static void long_and_broken_trace_is_listed_to_its_end(void)
{
	const size_t n = 200000;
	uint8_t *bytes = malloc(n);
	const struct csg_source *source;
	struct csg_packet_list *list;
	struct csg_packet_line line;
	uint64_t syncs = 0, last = 0;
	uint32_t seed = 1;

	for (size_t i = 0; i < n; i++) {
		seed = seed * 1103515245 + 12345;
		bytes[i] = (uint8_t)(seed >> 16);
	}
	for (size_t i = 0; i + sizeof(trace) < n; i += 1000)
		memcpy(bytes + i, trace, sizeof(trace));
	source = snapshot(bytes, n);
	CU_ASSERT_EQUAL_FATAL(csg_packet_list_open(&list, rec, source, NULL), 0);
	while (csg_packet_list_next(list, &line, sizeof(line)) == 1) {
		CU_ASSERT(line.index >= last);
		last = line.index;
		syncs += !strncmp(line.text, "I_ASYNC", 7);
	}
	/* Of 200; garbage in front of an A-Sync may take its first bytes for its own payload. */
	CU_ASSERT(syncs >= 100);
	CU_ASSERT(last > n - 1000);
	csg_packet_list_close(list);
	clean_up();
	free(bytes);
}

CSG_SUITE(flow_opencsd, packet_list, CSG_TEST(packets_come_with_position_and_text),
	  CSG_TEST(long_and_broken_trace_is_listed_to_its_end));
