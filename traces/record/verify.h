/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does the trace say what was executed? Decodes a stream with OpenCSD, with the code as it was
 * executed, and compares every element with the path.
 */
#ifndef RECORD_VERIFY_H
#define RECORD_VERIFY_H
#include "stream.h"

/* True when all agree; otherwise text says what differs first. */
bool verify_stream(const struct composer *c, const struct stream *s,
		   const struct csg_enc_model *model, char *text, size_t size);

#endif
