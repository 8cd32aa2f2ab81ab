/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Facts in a file: what a recording's streams share (csguest/shard.h), as csguest prepare writes
 * them.  After its head come a checksum of the recording and the number of streams, what is known
 * before each stream and after the last, and whether an index follows (session/trace_index.h).
 */
#ifndef DECODER_SESSION_FACTS_FILE_H
#define DECODER_SESSION_FACTS_FILE_H

#include "image/elf/file.h"
#include "util/pack.h"

struct csg_session;

/* Begins to write facts, and to read them: as csg_pack_begin() and csg_unpack_begin(). */
void csg_session_facts_begin(struct csg_pack *pack);
int csg_session_facts_read(struct csg_unpack *unpack, const void *facts, size_t n);
int csg_session_facts_read_file(struct csg_unpack *unpack, const struct csg_file *file);

/* A checksum of the facts as they are now, 0: no memory; and of what the recording's headers
 * say. */
uint64_t csg_session_facts_sum(const struct csg_session *session);
uint64_t csg_session_recording_sum(const struct csg_session *session);

#endif
