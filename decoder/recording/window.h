/* SPDX-License-Identifier: BSD-3-Clause */
/* A window onto trace bytes, of bounded size (256 KB); one for each reader (stream and pass). */
#ifndef DECODER_RECORDING_WINDOW_H
#define DECODER_RECORDING_WINDOW_H

#include "recording/model/model.h"

struct csg_window;
int csg_window_create(struct csg_window **window, struct csg_recording *rec);
void csg_window_destroy(struct csg_window *window);

/*
 * The bytes of chunk from offset (relative to the chunk) on: in, *len is how many are
 * wanted; out, how many *bytes points to: at least one, or 0 at the chunk's end.  They stay
 * valid until the next call with this window.  -CSG_E_TRUNCATED where the file is shorter
 * than its records say, -CSG_E_IO where it cannot be read.
 */
int csg_window_read(struct csg_window *window, const struct csg_chunk *chunk, uint64_t offset,
		    const uint8_t **bytes, size_t *len);

#endif
