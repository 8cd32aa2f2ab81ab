/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes that two samples of one AUX buffer have in common (recording/perf/aux_samples.h). */
#ifndef DECODER_RECORDING_PERF_SAMPLE_OVERLAP_H
#define DECODER_RECORDING_PERF_SAMPLE_OVERLAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fewer bytes in common may be chance. */
#define CSG_SAMPLE_OVERLAP_MIN 32

/*
 * How many of the first bytes of `now` are older than the end of `before`: the most of them that
 * end as `before` does, whichever of the two reaches back further; 0: fewer than
 * CSG_SAMPLE_OVERLAP_MIN.  Up to `zeros` bytes of 0 at the end of `before` may be padding: *pad is
 * how many of them are.  scratch has room for as many words as the smaller one has bytes.
 */
size_t csg_sample_overlap(const uint8_t *before, size_t before_n, const uint8_t *now, size_t now_n,
			  size_t zeros, uint32_t *scratch, size_t *pad);

/* Where the last A-Sync (eleven 0x00, 0x80) in n bytes begins, of raw trace or of frames, where it
 * is its frame; SIZE_MAX: there is none. */
size_t csg_sample_last_async(const uint8_t *bytes, size_t n, bool raw);

#endif
