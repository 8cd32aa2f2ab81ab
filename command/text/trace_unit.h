/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Trace units in words: which architecture, and what TRCCONFIGR makes them trace (Arm IHI 0064,
 * "TRCCONFIGR, Trace Configuration Register").
 */
#ifndef COMMAND_TEXT_TRACE_UNIT_H
#define COMMAND_TEXT_TRACE_UNIT_H

#include <stddef.h>

#include "csguest/recording.h"

/* Longest texts of the functions below. */
#define CSG_TRACE_UNIT_TEXT 320

/* "ETMv4.2", "ETEv1.1", "ETE", "other": TRCIDR1.TRCARCHMIN, TRCDEVARCH.REVISION. */
void csg_trace_unit_version(const struct csg_source *source, char *buf, size_t size);

/* What a TRCCONFIGR traces, "cycle counts, CONTEXTIDR_EL1, timestamps"; "program flow only" where
 * it asks for nothing more; bits it does not know by their number. */
void csg_trace_unit_config(const struct csg_source *source, char *buf, size_t size);

/* What timestamps are: the ts_source of perf's metadata in words. */
const char *csg_trace_unit_timestamps(const struct csg_source *source);

#endif
