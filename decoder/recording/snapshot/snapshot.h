/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An OpenCSD snapshot directory:
 *
 *	snapshot.ini	[device_list] the devices' files, [trace] metadata=trace.ini
 *	device inis	[device] name, class core or trace_source, type; [regs]; of a core
 *			[dumpN] file, address, length, offset, space: memory as it was
 *	trace.ini	[trace_buffers] buffers=a,b; for each [a] name, file, format;
 *			[source_buffers] source=buffer; [core_trace_sources] core=source
 *
 * Each buffer is a queue with one chunk.  Formats: "coresight" frames, "dstream_coresight"
 * frames with syncs (a TPIU's), "source_data" one source's bytes.  A core may have several
 * sources, one for each session that was recorded.
 */
#ifndef DECODER_RECORDING_SNAPSHOT_SNAPSHOT_H
#define DECODER_RECORDING_SNAPSHOT_SNAPSHOT_H

#include "recording/model/store.h"

/* Fills rec, which is empty but for its sink, from a directory or its snapshot.ini. */
int csg_snapshot_open(struct csg_recording *rec, const char *path);

#endif
