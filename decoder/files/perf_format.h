/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The numbers of a perf.data that its reader (recording/) and its writer (inject of the command)
 * share: types of records, features of the header, and flags of the events.
 */
#ifndef DECODER_FILES_PERF_FORMAT_H
#define DECODER_FILES_PERF_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

/* enum perf_event_type of include/uapi/linux/perf_event.h, and perf_user_event_type of
 * tools/lib/perf */
enum csg_perf_record_type {
	CSG_PERF_RECORD_MMAP = 1,
	CSG_PERF_RECORD_LOST = 2,
	CSG_PERF_RECORD_COMM = 3,
	CSG_PERF_RECORD_EXIT = 4,
	CSG_PERF_RECORD_FORK = 7,
	CSG_PERF_RECORD_SAMPLE = 9,
	CSG_PERF_RECORD_MMAP2 = 10,
	CSG_PERF_RECORD_AUX = 11,
	CSG_PERF_RECORD_ITRACE_START = 12,
	CSG_PERF_RECORD_LOST_SAMPLES = 13,
	CSG_PERF_RECORD_SWITCH = 14,
	CSG_PERF_RECORD_SWITCH_CPU_WIDE = 15,
	CSG_PERF_RECORD_NAMESPACES = 16,
	CSG_PERF_RECORD_KSYMBOL = 17,
	CSG_PERF_RECORD_TEXT_POKE = 20,
	CSG_PERF_RECORD_AUX_OUTPUT_HW_ID = 21,
	CSG_PERF_RECORD_LAST_KERNEL = 22, /* CALLCHAIN_DEFERRED */
	CSG_PERF_RECORD_HEADER_ATTR = 64,
	CSG_PERF_RECORD_TRACING_DATA = 66,
	CSG_PERF_RECORD_BUILD_ID = 67,
	CSG_PERF_RECORD_FINISHED_ROUND = 68,
	CSG_PERF_RECORD_ID_INDEX = 69,
	CSG_PERF_RECORD_AUXTRACE_INFO = 70,
	CSG_PERF_RECORD_AUXTRACE = 71,
	CSG_PERF_RECORD_AUXTRACE_ERROR = 72,
	CSG_PERF_RECORD_EVENT_UPDATE = 78,
	CSG_PERF_RECORD_TIME_CONV = 79,
	CSG_PERF_RECORD_HEADER_FEATURE = 80,
	CSG_PERF_RECORD_COMPRESSED = 81,
	CSG_PERF_RECORD_FINISHED_INIT = 82,
	CSG_PERF_RECORD_COMPRESSED2 = 83,
	CSG_PERF_RECORD_LAST_USER = 86, /* SCHEDSTAT_DOMAIN */
};

#define CSG_PERF_RECORD_HEADER 8 /* u32 type, u16 misc, u16 size */

/* Features that are read, as HEADER_* of tools/perf/util/header.h. */
enum csg_perf_feature {
	CSG_PERF_TRACING_DATA = 1,
	CSG_PERF_BUILD_ID = 2,
	CSG_PERF_HOSTNAME = 3,
	CSG_PERF_OSRELEASE = 4,
	CSG_PERF_VERSION = 5,
	CSG_PERF_ARCH = 6,
	CSG_PERF_NRCPUS = 7,
	CSG_PERF_CPUID = 9,
	CSG_PERF_CMDLINE = 11,
	CSG_PERF_EVENT_DESC = 12,
	CSG_PERF_BRANCH_STACK = 15,
	CSG_PERF_PMU_MAPPINGS = 16,
	CSG_PERF_AUXTRACE = 18,
	CSG_PERF_SAMPLE_TIME = 21,
	CSG_PERF_DIR_FORMAT = 24,
	CSG_PERF_COMPRESSED = 27,
	/* simpleperf's own (system/extras/simpleperf/record_file.h) */
	CSG_SIMPLEPERF_FILE = 128,
	CSG_SIMPLEPERF_META_INFO = 129,
	CSG_PERF_FEATURES = 256,
};

/* perf_event_attr: flags, and bits of sample_type */
#define CSG_ATTR_EXCLUDE_USER (1ull << 4)
#define CSG_ATTR_EXCLUDE_KERNEL (1ull << 5)
#define CSG_ATTR_EXCLUDE_HV (1ull << 6)
#define CSG_ATTR_FREQ (1ull << 10)
#define CSG_ATTR_SAMPLE_ID_ALL (1ull << 18)
#define CSG_ATTR_EXCLUDE_HOST (1ull << 19)
#define CSG_ATTR_EXCLUDE_GUEST (1ull << 20)
#define CSG_ATTR_MMAP2 (1ull << 23)
#define CSG_ATTR_CONTEXT_SWITCH (1ull << 26)
#define CSG_ATTR_TEXT_POKE (1ull << 33)
#define CSG_SAMPLE_IDENTIFIER (1ull << 16) /* of sample_type: PERF_SAMPLE_IDENTIFIER */
#define CSG_SAMPLE_AUX (1ull << 20)	   /* PERF_SAMPLE_AUX */

/* Types of records that csguest has heard of, whether or not it uses them. */
static inline bool csg_perf_record_is_known(uint32_t type)
{
	return (type >= CSG_PERF_RECORD_MMAP && type <= CSG_PERF_RECORD_LAST_KERNEL) ||
	       (type >= CSG_PERF_RECORD_HEADER_ATTR && type <= CSG_PERF_RECORD_LAST_USER);
}

#endif
