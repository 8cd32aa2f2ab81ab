/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PERF_RECORD_COMPRESSED and COMPRESSED2 (perf record -z): their bytes, one after the other,
 * are one zstd stream for each file; what comes out are records again, which may begin in one
 * COMPRESSED record and end in the next.  AUXTRACE records are never in it.
 */
#ifndef DECODER_RECORDING_PERF_COMPRESSED_H
#define DECODER_RECORDING_PERF_COMPRESSED_H

#include <stddef.h>
#include <stdint.h>

/* Zero-filled it is ready for the first bytes of a stream. */
struct csg_decompressor {
	void *stream; /* ZSTD_DStream */
	uint8_t *bytes;
	size_t have;	  /* bytes that are no whole record yet */
	uint64_t in, out; /* bytes so far */
};

void csg_decompressor_fini(struct csg_decompressor *decompressor);

/* Takes in a whole record, header included; an error ends the reading. */
typedef int (*csg_decompressed_fn)(void *arg, const uint8_t *record, size_t len);

/*
 * Decompresses the payload of one record of the given type and hands the records that are whole
 * with it to fn.  -CSG_E_CORRUPT where zstd refuses or a record has no valid size, -CSG_E_LIMIT
 * where they expand to far more than perf's do, or what fn returned.
 */
int csg_decompressor_feed(struct csg_decompressor *decompressor, const uint8_t *record, size_t len,
			  csg_decompressed_fn fn, void *arg);

#endif
