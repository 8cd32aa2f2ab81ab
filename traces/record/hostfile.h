/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host's perf.data as it would be had perf recorded cs_etm// beside what it did record: the
 * emulated machine's own file, with one more event and its AUX area.
 *
 * Added are: the attribute of cs_etm (with identifiers, and its entries in ID_INDEX, EVENT_DESC and
 * PMU_MAPPINGS), AUXTRACE_INFO after TIME_CONV, and for each CPU ITRACE_START, AUX_OUTPUT_HW_ID,
 * AUX and AUXTRACE where they belong by time, and the AUXTRACE index. All else is copied.
 */
#ifndef RECORD_HOSTFILE_H
#define RECORD_HOSTFILE_H
#include "stream.h"

/* 0, or -1 after a line on stderr. */
int hostfile_write(const char *path, const struct composer *c, unsigned cpus);

#endif
