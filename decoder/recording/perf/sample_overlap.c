/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/sample_overlap.h"

#define FRAME_BYTES 16
#define ZEROS 11 /* of an A-Sync */

/* The failure function of Knuth, Morris and Pratt. */
static void find_borders(const uint8_t *bytes, size_t n, uint32_t *border)
{
	size_t k = 0;

	border[0] = 0;
	for (size_t i = 1; i < n; i++) {
		while (k && bytes[i] != bytes[k])
			k = border[k - 1];
		k += bytes[i] == bytes[k];
		border[i] = (uint32_t)k;
	}
}

/*
 * The longest beginning of bytes, n of them, that ends where text does.  *last: where the last
 * place in text that has all n bytes ends; 0: none.
 */
static size_t longest_at_end(const uint8_t *text, size_t text_n, const uint8_t *bytes, size_t n,
			     const uint32_t *border, size_t *last)
{
	size_t k = 0;

	*last = 0;
	for (size_t i = 0; i < text_n; i++) {
		if (k == n)
			k = border[k - 1];
		while (k && text[i] != bytes[k])
			k = border[k - 1];
		k += text[i] == bytes[k];
		if (k == n)
			*last = i + 1;
	}
	return k;
}

static size_t overlap(const uint8_t *before, size_t before_n, const uint8_t *now, size_t now_n,
		      uint32_t *scratch)
{
	size_t same = 0, last;

	if (before_n < CSG_SAMPLE_OVERLAP_MIN || now_n < CSG_SAMPLE_OVERLAP_MIN)
		return 0;
	if (before_n <= now_n) {
		find_borders(before, before_n, scratch);
		longest_at_end(now, now_n, before, before_n, scratch, &same);
		now_n = before_n;
	}
	if (same)
		return same;
	find_borders(now, now_n, scratch);
	same = longest_at_end(before + before_n - now_n, now_n, now, now_n, scratch, &last);
	return same < CSG_SAMPLE_OVERLAP_MIN ? 0 : same;
}

size_t csg_sample_overlap(const uint8_t *before, size_t before_n, const uint8_t *now, size_t now_n,
			  size_t zeros, uint32_t *scratch, size_t *pad)
{
	for (*pad = 0; *pad <= zeros; ++*pad) {
		const size_t same = overlap(before, before_n - *pad, now, now_n, scratch);

		if (same)
			return same;
		if (*pad == before_n || before[before_n - *pad - 1])
			break;
	}
	*pad = 0;
	return 0;
}

static size_t last_in_bytes(const uint8_t *bytes, size_t n)
{
	size_t last = SIZE_MAX, zeros = 0;

	for (size_t i = 0; i < n; i++) {
		if (bytes[i] == 0x80 && zeros >= ZEROS)
			last = i - ZEROS;
		zeros = bytes[i] ? 0 : zeros + 1;
	}
	return last;
}

static size_t last_in_frames(const uint8_t *bytes, size_t n)
{
	size_t last = SIZE_MAX, begin = 0, zeros = 0;

	for (size_t i = 0; i < n; i++) {
		const size_t in = i % FRAME_BYTES;

		/* An ID, or the low bits of the bytes at even places. */
		if (in == FRAME_BYTES - 1 || (!(in & 1) && bytes[i] & 1))
			continue;
		if (bytes[i] == 0x80 && zeros >= ZEROS)
			last = begin;
		if (!bytes[i] && !zeros++)
			begin = i - in;
		if (bytes[i])
			zeros = 0;
	}
	return last;
}

size_t csg_sample_last_async(const uint8_t *bytes, size_t n, bool raw)
{
	return raw ? last_in_bytes(bytes, n) : last_in_frames(bytes, n);
}
