/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The proof of the encoder: decodes a trace with OpenCSD's full decoder into elements,
 * derives from an executed path the elements it must give, and compares.
 *
 * What is compared of each run of instructions: start, end, number of instructions,
 * whether its last one was executed or taken, and the exception level, security state,
 * AArch64 and context IDs it ran with.  Contexts are not elements of their own here:
 * how often they are sent is the encoder's affair.
 */
#ifndef TESTS_ENCODER_DECODE_H
#define TESTS_ENCODER_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "encoder/model.h"
#include "encoder/path.h"

enum csg_enc_elem_kind {
	CSG_ENC_ELEM_NO_SYNC,
	CSG_ENC_ELEM_TRACE_ON,
	CSG_ENC_ELEM_RANGE,
	CSG_ENC_ELEM_NO_PATH, /* from start to end, but nobody knows how */
	CSG_ENC_ELEM_EXCEPTION,
	CSG_ENC_ELEM_EXCEPTION_RETURN,
	CSG_ENC_ELEM_TIME,
	CSG_ENC_ELEM_CYCLES,
	CSG_ENC_ELEM_EVENT,
	CSG_ENC_ELEM_MARKER,
	CSG_ENC_ELEM_TRANSACTION,
	CSG_ENC_ELEM_INSTRUMENTATION,
	CSG_ENC_ELEM_OTHER, /* always wrong: code that cannot be read, an unknown element */
};

struct csg_enc_elem {
	enum csg_enc_elem_kind kind;
	uint64_t start, end; /* end: of an exception its preferred return address */
	uint32_t count;
	bool executed;
	uint8_t el, security;
	bool aarch32;
	uint32_t id, virt; /* 0 where they are not traced */
	uint64_t value;	   /* number, time, cycles, mask */
};

struct csg_enc_elems {
	struct csg_enc_elem *elems;
	size_t count, capacity;
};

/* Reads size bytes of code at address; returns how many it could. */
typedef size_t csg_enc_read_fn(void *arg, uint64_t address, void *data, size_t size);

/* What to decode and against which code. */
struct csg_enc_decode {
	const struct csg_enc_model *model;
	const uint8_t *data;
	size_t size;
	bool formatted; /* CoreSight frames: only model->trace_id is decoded */
	csg_enc_read_fn *read;
	void *arg;
	unsigned *el; /* set to the exception level of the code before each read; or NULL */
};

void csg_enc_elems_fini(struct csg_enc_elems *elems);
/* Decodes.  0, or the negative of OpenCSD's response or error. */
int csg_enc_decode(const struct csg_enc_decode *d, struct csg_enc_elems *out);
/* The elements the path gives when it is traced under the model. */
void csg_enc_expect(const struct csg_enc_model *model, const struct csg_enc_path *path,
		    struct csg_enc_elems *out);
/*
 * Compares, without what stands after the last instruction before a loss or the end:
 * it is sent but need not be decoded.  Returns true when they are equal, otherwise
 * text says what differs first.
 */
bool csg_enc_elems_equal(const struct csg_enc_model *model, struct csg_enc_elems *expected,
			 struct csg_enc_elems *seen, char *text, size_t size);
/* The version of the OpenCSD in use, 0x10303 for 1.3.3. */
uint32_t csg_enc_decode_version(void);

#endif
