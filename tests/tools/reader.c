/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the packets of a recording with csg_reader and with OpenCSD, and compares:
 *
 *	reader RECORDING...
 *
 * Prints for each source how many packets there are and how many differ; exit status 1 where any
 * differ.
 */
#include <inttypes.h>
#include <stdio.h>

#include "csguest/error.h"
#include "scan/demux.h"
#include "unit/reader_check.h"

#define BLOCK (64u << 10)

static void compare_chunk(struct reader_check *c, struct csg_window *window,
			  const struct csg_source *source, const struct csg_chunk *chunk)
{
	struct csg_demux demux;
	struct csg_run run;
	uint64_t offset = 0;

	csg_demux_begin(&demux, chunk->framing, source);
	reader_check_restart(c, chunk->position);
	for (;;) {
		const uint8_t *bytes;
		size_t n = BLOCK;

		if (csg_window_read(window, chunk, offset, &bytes, &n) || !n)
			break;
		csg_demux_input(&demux, chunk->position + offset, bytes, n);
		while (csg_demux_next(&demux, &run))
			if (run.reset)
				reader_check_restart(c, run.index);
			else
				reader_check_feed(c, run.index, run.bytes, run.n);
		offset += n;
	}
	reader_check_end(c);
}

static unsigned long compare(struct csg_recording *rec, const struct csg_source *source)
{
	struct csg_window *window;
	struct reader_check check;
	const struct csg_chunk *chunks;
	unsigned long different;
	size_t n;

	if (csg_window_create(&window, rec) || reader_check_init(&check, source)) {
		printf("trace ID 0x%02x: not comparable\n", source->trace_id);
		csg_window_destroy(window);
		return 0;
	}
	chunks = csg_recording_chunks(rec, &n);
	for (size_t i = 0; i < n; i++)
		if (csg_chunk_is_of(&chunks[i], source))
			compare_chunk(&check, window, source, &chunks[i]);
	printf("trace ID 0x%02x: %" PRIu64 " packets, %lu bad, %lu different%s%s\n",
	       source->trace_id, check.packets, check.kinds[CSG_PACKET_BAD], check.different,
	       check.different ? ": " : "", check.text);
	different = check.different;
	reader_check_fini(&check);
	csg_window_destroy(window);
	return different;
}

/* Once as the scan reads it, and once as if the unit speculated: then atoms are reported, too. */
static unsigned long compare_twice(struct csg_recording *rec, const struct csg_source *source)
{
	struct csg_source speculating = *source;

	speculating.trcidr8 = 1;
	return compare(rec, source) + compare(rec, &speculating);
}

static unsigned long recording(const char *path)
{
	const struct csg_recording_setup options = {0};
	const struct csg_source *sources;
	struct csg_recording *rec;
	unsigned long different = 0;
	int err = csg_recording_load(&rec, path, &options, NULL);
	size_t n;

	if (err) {
		printf("%s: %s\n", path, csg_strerror(err));
		return 1;
	}
	sources = csg_recording_sources(rec, &n);
	for (size_t i = 0; i < n; i++)
		if (sources[i].protocol != CSG_PROTOCOL_OTHER)
			different += compare_twice(rec, &sources[i]);
	csg_recording_close(rec);
	return different;
}

int main(int argc, char **argv)
{
	unsigned long different = 0;

	for (int i = 1; i < argc; i++)
		different += recording(argv[i]);
	return different != 0;
}
