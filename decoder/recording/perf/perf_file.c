/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/perf_file.h"

#include <inttypes.h>
#include <string.h>

#include "util/report.h"
#include "util/bytes.h"

#define HEADER_BYTES 104
#define PIPE_HEADER_BYTES 16
#define ATTR_ENTRY_MIN (64 + 16) /* PERF_ATTR_SIZE_VER0 and the section of its IDs */
#define ATTR_ENTRY_MAX (4096 + 16)

#define REMEDY_COPY "copy the file again, or record again"

static int check_magic(const uint8_t *bytes, const char *path, const struct csg_diag_sink *sink)
{
	if (!memcmp(bytes, "PERFILE2", 8))
		return 0;
	if (!memcmp(bytes, "2ELIFREP", 8))
		return csg_report(sink, CSG_ERROR, CSG_E_FOREIGN_ENDIAN, path, 0,
				  "record on a little-endian AArch64 machine",
				  "perf.data of a big-endian machine");
	if (!memcmp(bytes, "PERFFILE", 8) || !memcmp(bytes, "ELIFFREP", 8))
		return csg_report(
			sink, CSG_ERROR, CSG_E_UNSUPPORTED, path, 0,
			"record with a perf of this decade",
			"perf.data of the first format, which cannot contain AUX area trace");
	return csg_report(sink, CSG_ERROR, CSG_E_BAD_MAGIC, path, 0,
			  "give a perf.data file or a snapshot directory",
			  "no perf.data: does not begin with PERFILE2");
}

static struct csg_perf_section section_at(const uint8_t *bytes)
{
	return (struct csg_perf_section){csg_le64(bytes), csg_le64(bytes + 8)};
}

/* What of section lies in the first size bytes of the file. */
static uint64_t part_within(const struct csg_perf_section *section, uint64_t size)
{
	if (section->offset >= size)
		return 0;
	return section->size < size - section->offset ? section->size : size - section->offset;
}

static int check_sections(struct csg_perf_file *file, uint64_t size, const char *path,
			  const struct csg_diag_sink *sink)
{
	if (file->attr_size < ATTR_ENTRY_MIN || file->attr_size > ATTR_ENTRY_MAX)
		return csg_report(sink, CSG_ERROR, CSG_E_CORRUPT, path, 16, REMEDY_COPY,
				  "perf.data header: entries of the attrs section have %" PRIu64
				  " bytes",
				  file->attr_size);
	if (part_within(&file->attrs, size) < file->attrs.size)
		return csg_report(sink, CSG_ERROR, CSG_E_TRUNCATED, path, 24, REMEDY_COPY,
				  "perf.data header: attrs section is beyond the end of the file");
	file->data_claimed = file->data.size;
	if (!file->data.size && file->data.offset < size) {
		file->unfinished = true;
		file->data.size = size - file->data.offset;
	}
	file->data.size = part_within(&file->data, size);
	return 0;
}

int csg_perf_file_read(struct csg_perf_file *file, struct csg_input *input, const char *path,
		       const struct csg_diag_sink *sink)
{
	const uint8_t *bytes;
	uint64_t size;
	int ret;

	memset(file, 0, sizeof(*file));
	ret = csg_input_peek(input, PIPE_HEADER_BYTES, &bytes);
	if (ret == -CSG_E_TRUNCATED)
		return csg_report(sink, CSG_ERROR, CSG_E_BAD_MAGIC, path, 0,
				  "give a perf.data file or a snapshot directory",
				  "no perf.data: shorter than its header");
	if (ret)
		return csg_report(sink, CSG_ERROR, -ret, path, 0, NULL, "cannot be read");
	ret = check_magic(bytes, path, sink);
	if (ret)
		return ret;
	size = csg_le64(bytes + 8);
	if (size == PIPE_HEADER_BYTES) {
		file->pipe = true;
		return csg_input_skip(input, PIPE_HEADER_BYTES);
	}
	if (size != HEADER_BYTES)
		return csg_report(sink, CSG_ERROR, CSG_E_UNSUPPORTED, path, 8,
				  "record with perf 2.6.36 or newer",
				  "perf.data header of %" PRIu64 " bytes", size);
	if (!input->seekable)
		return csg_report(sink, CSG_ERROR, CSG_E_UNSUPPORTED, path, 8,
				  "give the file by its name, or record with -o -",
				  "perf.data in file format cannot be read from a pipe");
	ret = csg_input_peek(input, HEADER_BYTES, &bytes);
	if (ret)
		return csg_report(sink, CSG_ERROR, -ret, path, PIPE_HEADER_BYTES, REMEDY_COPY,
				  "ends within the perf.data header");
	file->attr_size = csg_le64(bytes + 16);
	file->attrs = section_at(bytes + 24);
	file->data = section_at(bytes + 40);
	for (int i = 0; i < CSG_PERF_FEATURES / 64; i++)
		file->features[i] = csg_le64(bytes + 72 + 8 * i);
	csg_input_skip(input, HEADER_BYTES);
	return check_sections(file, input->size, path, sink);
}

bool csg_perf_file_has(const struct csg_perf_file *file, unsigned int feature)
{
	return feature < CSG_PERF_FEATURES && file->features[feature / 64] >> feature % 64 & 1;
}
