/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drop RECORDING DATA QUEUE AT SIZE: takes SIZE bytes of a queue's trace away, without a mark.
 *
 * What follows the bytes at index AT moves down by SIZE; the last SIZE bytes of the piece stay as
 * well, stale, so that no size in the file changes.  DATA is the file that holds the recording's
 * AUX area, written in place.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/recording.h"

#define PROBE 4096

/* Reads the whole file; NULL where that fails. */
static char *read_all(FILE *f, size_t *size)
{
	char *all;

	if (fseek(f, 0, SEEK_END))
		return NULL;
	*size = (size_t)ftell(f);
	all = malloc(*size);
	rewind(f);
	if (all && fread(all, 1, *size, f) == *size)
		return all;
	free(all);
	return NULL;
}

/* Where the chunk's bytes lie in the file: they are looked for. */
static char *find_chunk(struct csg_window *window, const struct csg_chunk *chunk, char *all,
			size_t size)
{
	const uint8_t *bytes;
	size_t n = chunk->bytes < PROBE ? chunk->bytes : PROBE;
	char *found;

	if (csg_window_read(window, chunk, 0, &bytes, &n) || !n)
		return NULL;
	found = memmem(all, size, bytes, n);
	return found && chunk->bytes <= size - (size_t)(found - all) ? found : NULL;
}

static int drop(FILE *f, struct csg_window *window, const struct csg_chunk *chunk, uint64_t at,
		uint64_t n)
{
	size_t size;
	char *all = read_all(f, &size);
	char *begin = all ? find_chunk(window, chunk, all, size) : NULL;
	int err = !begin || at + n > chunk->bytes;

	if (!err) {
		memmove(begin + at, begin + at + n, chunk->bytes - at - n);
		rewind(f);
		err = fwrite(all, 1, size, f) != size || fflush(f);
	}
	free(all);
	return err;
}

int main(int argc, char **argv)
{
	const struct csg_recording_setup options = {0};
	struct csg_recording *rec;
	struct csg_window *window;
	const struct csg_chunk *chunks;
	uint64_t queue, at, size;
	int err = 1;
	size_t n;
	FILE *f;

	if (argc != 6)
		return 2;
	queue = strtoull(argv[3], NULL, 0);
	at = strtoull(argv[4], NULL, 0);
	size = strtoull(argv[5], NULL, 0);
	f = fopen(argv[2], "r+");
	if (!f || csg_recording_load(&rec, argv[1], &options, NULL) ||
	    csg_window_create(&window, rec))
		return 2;
	chunks = csg_recording_chunks(rec, &n);
	for (size_t i = 0; i < n; i++)
		if (chunks[i].queue == queue && at >= chunks[i].position &&
		    at < chunks[i].position + chunks[i].bytes)
			err = drop(f, window, &chunks[i], at - chunks[i].position, size);
	csg_window_destroy(window);
	csg_recording_close(rec);
	return fclose(f) || err;
}
