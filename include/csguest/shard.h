/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shards: several sessions, on several machines perhaps, each of which decodes a part of one
 * recording's streams, such that their sum is what one session decodes.
 *
 * Streams are decoded one after the other, and what the first show (counter offsets, vCPU threads,
 * the kind of hypervisor) the next ones use.  So a session reads the packets of all streams once
 * and writes down what is known where each begins: the facts.  A shard begins with these.  What it
 * decodes may still show more, as it reads code as well; so each shard has a checksum of what it
 * began with and one of what it ended with, and the sum is exact if each began with what the one
 * before it ended with.
 *
 * A stream is not divided, but by time: csg_shard_seek().  Shard K of N has those whose middle, in
 * bytes of trace, lies in the Kth of N equal parts; it may have none.
 */
#ifndef CSGUEST_SHARD_H
#define CSGUEST_SHARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct csg_session;

/*
 * Reads the packets of all streams of a session from which nothing was pulled, and nothing can be
 * pulled after it.  decode: decodes them as well, which takes as long as decoding does, and shows
 * all that decoding can show.  *facts are n bytes, to be freed with csg_shard_facts_free().  0,
 * -CSG_E_USAGE, -CSG_E_CANCELLED, -CSG_E_NO_MEMORY.
 */
int csg_shard_prepare(struct csg_session *session, bool decode, void **facts, size_t *n);
void csg_shard_facts_free(void *facts);

/*
 * As csg_shard_prepare() with decode, and the facts hold an index of all trace as well: who ran in
 * each part of it, and when.  In a file it is csg_session_options.facts, by which a session decodes
 * any part of the trace.  It takes about a tenth of the trace.
 *
 * When all is decoded write() gets the facts in parts, n bytes with each call.  It returns 0, or a
 * negative number, after which it is not called again.  Until then the index lies in a temporary
 * file.
 *
 * 0, -CSG_E_USAGE, -CSG_E_CANCELLED, -CSG_E_NO_MEMORY, -CSG_E_IO: there is no room for that file,
 * which is reported; or what write() has returned.
 */
int csg_shard_index(struct csg_session *session,
		    int (*write)(void *arg, const void *bytes, size_t n), void *arg);

/*
 * The session, which was opened with csg_session_options.facts, and from which nothing was pulled,
 * decodes little else and hands out nothing else than what may have run from begin to end (host
 * perf time, ns, both included; end 0: no bound), chunk by chunk (struct csg_chunk): all elements
 * of each chunk that was recorded in that time, by its AUX record and the one before it, or whose
 * times are not known; of its neighbours; and of those before it back to one with times.  They are
 * those of the whole session.
 *
 * -CSG_E_USAGE; -CSG_E_UNSUPPORTED: samples hold the trace (csg_recording_sample_count());
 * -CSG_E_NO_MEMORY.
 */
int csg_shard_seek(struct csg_session *session, uint64_t begin, uint64_t end);

/*
 * The session, from which nothing was pulled, decodes shard (1 to shards) only, and is pulled in
 * CSG_ORDER_STREAM.  facts: those of this recording, opened with the same options; NULL: each
 * stream begins as the first.
 *
 * -CSG_E_BAD_MAGIC: they are none; -CSG_E_UNSUPPORTED: of another version of csguest;
 * -CSG_E_CORRUPT; -CSG_E_CONTRADICTED: of another recording, or of other options; -CSG_E_USAGE;
 * -CSG_E_NO_MEMORY.
 */
int csg_shard_begin(struct csg_session *session, uint32_t shard, uint32_t shards, const void *facts,
		    size_t n);

/* Whether the session has this stream, and the shard that was begun, if one was, has it too. */
bool csg_shard_has(const struct csg_session *session, uint32_t stream);

/* A checksum of the facts as they are now; 0: no memory, or no session. */
uint64_t csg_shard_state(const struct csg_session *session);

/* A checksum of what the recording's headers, sources and chunks say, different for each
 * recording. */
uint64_t csg_shard_recording(const struct csg_session *session);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
