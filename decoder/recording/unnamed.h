/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formatted trace before the first trace ID.
 *
 * A CoreSight formatter names a source when another one's bytes follow, and else again only now and
 * then.  Where the beginning of a buffer is lost, as when it wraps around, frames come first whose
 * ID nobody has read.  With several sources they are nobody's.  Where the metadata maps one trace
 * ID only to the queue, and its frames name no other one, they are that source's
 * (csg_source.alone).  Either is reported.
 */
#ifndef DECODER_RECORDING_UNNAMED_H
#define DECODER_RECORDING_UNNAMED_H

#include "recording/model/model.h"

/*
 * Sets alone and first of the sources of a recording that was opened.  Reads the first frame of
 * each piece, and more only where that names no source.  0 or -CSG_E_NO_MEMORY; what cannot be
 * read is reported by whoever decodes it.
 */
int csg_unnamed_find(struct csg_recording *rec);

#endif
