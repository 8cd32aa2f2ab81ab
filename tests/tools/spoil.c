/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spoil RECORDING DATA QUEUE ID INDEX NTH XOR: changes one byte of the trace.
 *
 * Of the packet that begins at INDEX of the queue (as csguest dump --packets lists it) the NTH
 * byte, counted from 0 among those of this trace ID, is changed by XOR; in CoreSight frames bit 0
 * may lie elsewhere, so that XOR must leave it alone.  DATA is the file that holds the recording's
 * AUX area, written in place.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/recording.h"
#include "scan/demux.h"

#define PROBE 4096

/* Where the chunk's bytes lie in the file: they are looked for. */
static long find_chunk(struct csg_window *window, const struct csg_chunk *chunk, FILE *f)
{
	const uint8_t *bytes;
	size_t n = chunk->bytes < PROBE ? chunk->bytes : PROBE, size;
	const char *found;
	long at = -1;
	char *all;

	if (csg_window_read(window, chunk, 0, &bytes, &n) || !n || fseek(f, 0, SEEK_END))
		return -1;
	size = (size_t)ftell(f);
	all = malloc(size);
	rewind(f);
	if (all && fread(all, 1, size, f) == size) {
		found = memmem(all, size, bytes, n);
		at = found ? found - all : -1;
	}
	free(all);
	return at;
}

/* The index of the nth byte of the ID from index on, in this chunk; UINT64_MAX: not there. */
static uint64_t find_byte(struct csg_window *window, const struct csg_chunk *chunk, uint8_t id,
			  uint64_t index, uint64_t nth)
{
	struct csg_demux demux;
	struct csg_run run;
	uint64_t offset = 0;
	const uint8_t *bytes;
	size_t n;

	csg_demux_init(&demux, chunk->framing, id);
	for (;;) {
		n = 65536;
		if (csg_window_read(window, chunk, offset, &bytes, &n) || !n)
			return UINT64_MAX;
		csg_demux_input(&demux, chunk->position + offset, bytes, n);
		offset += n;
		while (csg_demux_next(&demux, &run)) {
			uint64_t skip = index > run.index ? index - run.index : 0;

			if (run.reset || skip >= run.n)
				continue;
			if (nth < run.n - skip)
				return run.index + skip + nth;
			nth -= run.n - skip;
		}
	}
}

static int spoil(FILE *f, long at, unsigned int change)
{
	int byte;

	if (fseek(f, at, SEEK_SET) || (byte = fgetc(f)) == EOF || fseek(f, at, SEEK_SET))
		return 1;
	return fputc(byte ^ (int)change, f) == EOF || fflush(f) ? 1 : 0;
}

int main(int argc, char **argv)
{
	const struct csg_recording_setup options = {0};
	struct csg_recording *rec;
	struct csg_window *window;
	const struct csg_chunk *chunks;
	uint64_t number[5], at;
	long begin;
	size_t n;
	FILE *f;

	if (argc != 8)
		return 2;
	for (int i = 0; i < 5; i++)
		number[i] = strtoull(argv[3 + i], NULL, 0);
	f = fopen(argv[2], "r+");
	if (!f || csg_recording_load(&rec, argv[1], &options, NULL) ||
	    csg_window_create(&window, rec))
		return 2;
	chunks = csg_recording_chunks(rec, &n);
	for (size_t i = 0; i < n; i++) {
		const struct csg_chunk *c = &chunks[i];

		if (c->queue != number[0] || number[2] < c->position ||
		    number[2] >= c->position + c->bytes)
			continue;
		at = find_byte(window, c, (uint8_t)number[1], number[2], number[3]);
		begin = find_chunk(window, c, f);
		if (at == UINT64_MAX || begin < 0 ||
		    spoil(f, begin + (long)(at - c->position), (unsigned int)number[4]))
			return 1;
		csg_window_destroy(window);
		csg_recording_close(rec);
		return fclose(f) ? 1 : 0;
	}
	return 1;
}
