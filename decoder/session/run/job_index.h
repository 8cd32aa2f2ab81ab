/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The index of a stream's jobs (session/run/job.h): all of each but its bytes, written down while
 * the stream is decoded.  Whoever decodes a part of the stream later takes jobs from it, in place
 * of looking ahead: who runs and when is then what decoding all of it has found.
 *
 * It is a list of blocks, one for each chunk that holds trace of the stream, with a head that tells
 * where its jobs lie; none needs another.  Everything in it is checked when it is read.
 */
#ifndef DECODER_SESSION_RUN_JOB_INDEX_H
#define DECODER_SESSION_RUN_JOB_INDEX_H

#include "session/run/job.h"
#include "util/pack.h"
#include "util/spool.h"

/* --- writing --- */

/* All zero but for jobs.memory: nothing was added. */
struct csg_job_index_writer {
	struct csg_pack heads; /* of the blocks that are complete */
	struct csg_spool jobs; /* of all blocks */
	struct csg_pack job;   /* the last one, in part */
	size_t blocks;
	uint64_t block_begin; /* of the current block, in jobs */
	uint64_t chunk, asyncs, dated, known_dates;
	struct csg_job_start start;
	uint64_t index, time, bytes_lost;	 /* differences are to these */
	CSG_JOB_LIST(struct csg_job_date) dates; /* of the current job */
	bool begun, failed;
};

/*
 * The next job, which lies in the chunk of this number of its queue, before its walk's elements are
 * dated.  dated: the newest date of the stream so far.
 */
void csg_job_index_add(struct csg_job_index_writer *writer, const struct csg_job *job,
		       uint64_t chunk, uint64_t dated);

/* A TIMESTAMP element of that job got this date. */
void csg_job_index_date(struct csg_job_index_writer *writer, uint64_t index, uint64_t time);

/* No more come.  writer->failed: no memory, or no disk space. */
void csg_job_index_end(struct csg_job_index_writer *writer);

/* Writes the index. */
void csg_job_index_write(const struct csg_job_index_writer *writer, struct csg_pack_out *out);
void csg_job_index_writer_fini(struct csg_job_index_writer *writer);

/* --- reading --- */

struct csg_job_block {
	uint64_t chunk;	 /* its number in the queue */
	uint64_t asyncs; /* how many A-Syncs its jobs have */
	uint64_t dates;	 /* how many timestamps in it have a host time */
	uint64_t dated;	 /* the newest date before it */
	struct csg_job_start start;
	const uint8_t *jobs;
	size_t n; /* bytes of them */
};

struct csg_job_index {
	struct csg_job_block *blocks; /* in order of chunks */
	size_t count;
	uint64_t owners; /* owner numbers are below */
};

/*
 * Reads the index of a stream whose queue has this many chunks.  What it was read from outlives it.
 * 0, -CSG_E_CORRUPT, or -CSG_E_NO_MEMORY; csg_job_index_fini() is safe in each case.
 */
int csg_job_index_read(struct csg_job_index *index, struct csg_unpack *unpack, uint64_t chunks,
		       uint64_t owners);
void csg_job_index_fini(struct csg_job_index *index);

/* The block of the chunk with this number; NULL: it holds no trace of the stream. */
const struct csg_job_block *csg_job_index_block(const struct csg_job_index *index, uint64_t chunk);

/* Where jobs are read, chunk after chunk; all zero but for the index: before the first. */
struct csg_job_cursor {
	const struct csg_job_index *index; /* NULL: of none */
	struct csg_unpack rest;
	uint64_t at, time;   /* differences are to these */
	uint64_t bytes_lost; /* so far */
};

/*
 * The first job of its chunk, which has this number, gets what the index has of it: all but bytes
 * and steps.  One that csg_job_starts_amid() gets the owner who was in force there, too, and
 * job->start.  0, -CSG_E_CORRUPT or -CSG_E_NO_MEMORY.
 */
int csg_job_cursor_begin(struct csg_job_cursor *cursor, uint64_t chunk, struct csg_job *job);

/* The same of the next job of that chunk; -CSG_E_CORRUPT also where none is left. */
int csg_job_cursor_next(struct csg_job_cursor *cursor, struct csg_job *job);

#endif
