/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the perf.data of Android's simpleperf differs from perf's (system/extras/simpleperf,
 * record.h and record_file.h):
 *
 *	the AUXTRACE feature has no count before its entries
 *	records of types from 32768 on are its own, and may be longer than 65535 bytes: the
 *	word that holds misc and size in a perf record holds the high and low half of the size
 *	features from 128 on are its own (FILE, META_INFO, ...)
 *	AUX records may name bytes that no AUXTRACE holds, as it drops what it has no room for
 */
#ifndef DECODER_RECORDING_PERF_SIMPLEPERF_H
#define DECODER_RECORDING_PERF_SIMPLEPERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CSG_SIMPLEPERF_FIRST_TYPE 32768u

/* Is the AUXTRACE feature of len bytes one without a count? */
bool csg_simpleperf_index(const uint8_t *feature, size_t len);

/* Size of the record whose header (8 bytes) is given: perf's, or simpleperf's own. */
uint32_t csg_perf_record_size(const uint8_t *header);

#endif
