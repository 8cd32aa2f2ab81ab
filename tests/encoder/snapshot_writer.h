/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a snapshot directory, the form in which trace that was captured from outside
 * (a debug probe, a model) is handed to OpenCSD: snapshot.ini lists the devices,
 * trace.ini the buffers and which unit traced which core into which buffer, an .ini file
 * per core and per trace unit holds registers, and memory dumps hold the code.
 */
#ifndef TESTS_ENCODER_SNAPSHOT_WRITER_H
#define TESTS_ENCODER_SNAPSHOT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "encoder/model.h"

/* A buffer of trace: CoreSight frames, or the bytes of one unit. */
struct csg_enc_snapshot_buffer {
	const char *file; /* in the directory */
	bool raw;	  /* format=source_data instead of coresight */
	const void *data;
	size_t size;
};

/* A core and the unit that traces it, into buffer number `buffer`. */
struct csg_enc_snapshot_core {
	const char *type; /* "Cortex-A53", "ARMv8-A" */
	const struct csg_enc_model *model;
	unsigned buffer;
};

/* Memory as the cores see it. */
struct csg_enc_snapshot_dump {
	const char *file;
	uint64_t address;
	const char *space; /* "EL1N", "EL2", ...; NULL: any (OpenCSD 1.3.3 takes all as any) */
	const void *data;
	size_t size;
};

struct csg_enc_snapshot {
	const struct csg_enc_snapshot_buffer *buffers;
	unsigned buffer_count;
	const struct csg_enc_snapshot_core *cores;
	unsigned core_count;
	const struct csg_enc_snapshot_dump *dumps; /* every core has all of them */
	unsigned dump_count;
};

/* Writes into a directory that exists.  0, or -CSG_E_IO. */
int csg_enc_snapshot_write(const struct csg_enc_snapshot *s, const char *directory);

#endif
