/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/perf_walk.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "recording/perf/kept.h"
#include "util/report.h"
#include "util/bytes.h"
#include "recording/perf/compressed.h"
#include "recording/perf/simpleperf.h"

#define AUXTRACE_BYTES 48 /* struct perf_record_auxtrace */
#define PROGRESS_STEP (16u << 20)
#define REMEDY "what comes before is used; copy the file again or record again for the rest"

/* What is under way besides the caller's struct. */
struct going {
	struct csg_perf_walk *walk;
	struct csg_decompressor decompressor;
	uint64_t reported; /* position of the last progress call */
	uint64_t record;   /* of the record being taken in */
};

static int damaged(const struct going *going, int error, const char *what)
{
	const struct csg_perf_state *state = going->walk->state;

	return csg_report(&state->rec->sink, CSG_WARNING, error, state->path, going->record, REMEDY,
			  "%s", what);
}

/* Copies the trace bytes of an area out of a pipe. */
static int spill(struct going *going, struct csg_aux_area *area, uint64_t bytes)
{
	struct csg_perf_walk *walk = going->walk;
	int file = csg_perf_spill_file(walk->state), ret;
	struct csg_store_file *to;
	uint64_t done;

	if (file < 0)
		return file;
	to = &walk->state->rec->files[file];
	area->file = (uint32_t)file;
	area->at = to->size;
	ret = csg_input_copy(walk->input, bytes, to->fd, &done);
	to->size += done;
	if (ret == -CSG_E_TRUNCATED)
		return damaged(going, CSG_E_TRUNCATED,
			       "ends within the bytes of an AUXTRACE record");
	if (ret)
		return csg_report(&walk->state->rec->sink, CSG_ERROR, -ret, walk->state->path,
				  going->record,
				  "set TMPDIR to a directory with room for the trace",
				  "trace of a pipe cannot be kept");
	return 0;
}

/* PERF_RECORD_AUXTRACE: size, offset, reference, idx, tid, cpu; the bytes follow it. */
static int on_auxtrace(struct going *going, const uint8_t *record, size_t len)
{
	struct csg_perf_walk *walk = going->walk;
	struct csg_aux_area area = {.file = walk->file, .record = going->record};
	int ret = 0, added;

	if (len < AUXTRACE_BYTES)
		return damaged(going, CSG_E_CORRUPT, "AUXTRACE record is too short");
	area.size = csg_le64(record + 8);
	area.offset = csg_le64(record + 16);
	area.queue = csg_le32(record + 32);
	area.tid = (int32_t)csg_le32(record + 36);
	area.cpu = (int32_t)csg_le32(record + 40);
	csg_input_skip(walk->input, len);
	area.at = walk->input->pos;
	if (!walk->input->seekable)
		ret = spill(going, &area, area.size);
	else if (area.size > walk->end - area.at)
		ret = damaged(going, CSG_E_TRUNCATED,
			      "ends within the bytes of an AUXTRACE record");
	else
		csg_input_skip(walk->input, area.size);
	added = csg_aux_add_area(&walk->state->aux, &area);
	if (added == -CSG_E_CORRUPT && !ret)
		return damaged(going, CSG_E_CORRUPT,
			       "AUXTRACE record has no valid offset and size");
	return ret ? ret : added;
}

static int on_decompressed(void *arg, const uint8_t *record, size_t len)
{
	struct going *going = arg;

	return csg_perf_record(going->walk->state, record, len, going->record);
}

static int on_compressed(struct going *going, const uint8_t *record, size_t len)
{
	int ret;

	going->walk->state->rec->info.compressed = true;
	going->walk->state->in_place = false;
	ret = csg_decompressor_feed(&going->decompressor, record, len, on_decompressed, going);
	going->walk->state->in_place = going->walk->input->seekable;
	if (ret == -CSG_E_CORRUPT)
		return damaged(going, CSG_E_CORRUPT, "compressed records cannot be decompressed");
	if (ret == -CSG_E_LIMIT)
		return damaged(going, CSG_E_LIMIT,
			       "compressed records expand to more than 128 times their size");
	if (!ret)
		csg_input_skip(going->walk->input, len);
	return ret;
}

static int skip_bytes(struct going *going, uint64_t bytes, const char *what)
{
	int ret = csg_input_skip(going->walk->input, bytes);

	return ret == -CSG_E_TRUNCATED ? damaged(going, CSG_E_TRUNCATED, what) : ret;
}

/* What the next bytes tell of tracepoints, which stay the next ones. */
static int look_at_tracing_data(struct csg_perf_walk *walk, uint64_t bytes)
{
	const uint8_t *data;
	int ret;

	if (!bytes || bytes > CSG_TRACING_DATA_MAX)
		return 0;
	ret = csg_input_reserve(walk->input, (size_t)bytes);
	if (!ret && !csg_input_peek(walk->input, (size_t)bytes, &data))
		csg_store_formats(walk->state->rec, data, (size_t)bytes);
	return ret;
}

/* PERF_RECORD_HEADER_TRACING_DATA of a pipe: u32 size, then as many bytes, padded to 8. */
static int on_tracing_data(struct going *going, const uint8_t *record, size_t len)
{
	struct csg_perf_walk *walk = going->walk;
	struct csg_kept *kept = walk->state->rec->kept;
	uint64_t bytes = 0, done = 0;
	int ret, fd;

	if (len >= CSG_PERF_RECORD_HEADER + 4 && walk->state->file.pipe)
		bytes = ((uint64_t)csg_le32(record + 8) + 7) & ~(uint64_t)7;
	csg_input_skip(walk->input, len);
	ret = look_at_tracing_data(walk, bytes);
	if (ret)
		return ret;
	if (!kept || !bytes)
		return skip_bytes(going, bytes, "ends within tracing data");
	fd = csg_kept_begin_feature(kept, CSG_PERF_TRACING_DATA, bytes);
	if (fd < 0)
		return fd;
	ret = csg_input_copy(walk->input, bytes, fd, &done);
	csg_kept_end_feature(kept, CSG_PERF_TRACING_DATA, done);
	return ret == -CSG_E_TRUNCATED ? damaged(going, CSG_E_TRUNCATED, "ends within tracing data")
				       : ret;
}

static int on_record(struct going *going, const uint8_t *record, size_t len)
{
	int ret;

	if (csg_le32(record) >= CSG_SIMPLEPERF_FIRST_TYPE)
		return skip_bytes(going, len, "ends within a record");
	switch (csg_le32(record)) {
	case CSG_PERF_RECORD_AUXTRACE:
		return on_auxtrace(going, record, len);
	case CSG_PERF_RECORD_COMPRESSED:
	case CSG_PERF_RECORD_COMPRESSED2:
		return on_compressed(going, record, len);
	case CSG_PERF_RECORD_TRACING_DATA:
		return on_tracing_data(going, record, len);
	}
	ret = csg_perf_record(going->walk->state, record, len, going->record);
	if (!ret)
		csg_input_skip(going->walk->input, len);
	return ret;
}

static void tell_progress(struct going *going)
{
	const struct csg_recording_setup *options = going->walk->options;
	const struct csg_input *input = going->walk->input;

	if (!options || !options->progress || input->pos - going->reported < PROGRESS_STEP)
		return;
	going->reported = input->pos;
	options->progress(options->progress_arg, input->pos,
			  going->walk->end == CSG_INPUT_ENDLESS ? 0 : going->walk->end);
}

/* The next record: 1 with *record and *len, 0 at the end, or the damage. */
static int next(struct going *going, const uint8_t **record, size_t *len)
{
	struct csg_perf_walk *walk = going->walk;
	struct csg_input *input = walk->input;
	int ret;

	going->record = input->pos;
	if (input->pos >= walk->end)
		return 0;
	ret = csg_input_peek(input, 1, record);
	if (ret == -CSG_E_TRUNCATED && walk->end == CSG_INPUT_ENDLESS)
		return 0;
	if (!ret)
		ret = csg_input_peek(input, CSG_PERF_RECORD_HEADER, record);
	if (ret == -CSG_E_TRUNCATED)
		return damaged(going, CSG_E_TRUNCATED, "ends within the header of a record");
	if (ret)
		return csg_report(&walk->state->rec->sink, CSG_ERROR, -ret, walk->state->path,
				  going->record, NULL, "cannot be read");
	*len = csg_perf_record_size(*record);
	if (*len < CSG_PERF_RECORD_HEADER)
		return damaged(going, CSG_E_CORRUPT, "record has no valid size");
	if (*len > walk->end - input->pos)
		ret = -CSG_E_TRUNCATED;
	else if (csg_le32(*record) < CSG_SIMPLEPERF_FIRST_TYPE) /* at most 65535 bytes */
		ret = csg_input_peek(input, *len, record);
	if (ret == -CSG_E_TRUNCATED)
		return damaged(going, CSG_E_TRUNCATED, "ends within a record");
	return ret ? ret : 1;
}

int csg_perf_walk(struct csg_perf_walk *walk)
{
	struct going going = {.walk = walk};
	const uint8_t *record = NULL;
	size_t len = 0;
	int ret;

	walk->state->input = walk->file;
	walk->state->in_place = walk->input->seekable;
	walk->state->tmpdir = walk->options ? walk->options->tmpdir : NULL;
	while ((ret = next(&going, &record, &len)) > 0) {
		ret = on_record(&going, record, len);
		if (ret)
			break;
		tell_progress(&going);
	}
	csg_decompressor_fini(&going.decompressor);
	return ret;
}
