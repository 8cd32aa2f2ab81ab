/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/perf_sections.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "csguest/error.h"
#include "files/perf_format.h"
#include "inject/perf_pipe.h"

#define HEADER_BYTES 104
#define ATTR_BYTES_MIN 112 /* PERF_ATTR_SIZE_VER5: what every perf of today has, and more */

static void put_u64(struct csg_perf_output *output, uint64_t value)
{
	value = htole64(value);
	csg_perf_output_put(output, &value, sizeof(value));
}

static void put_zeros(struct csg_perf_output *output, size_t n)
{
	while (n--)
		csg_perf_output_put(output, "", 1);
}

static int by_number(const void *a, const void *b)
{
	const struct csg_perf_output_feature *const *x = a, *const *y = b;

	return (*x)->number < (*y)->number ? -1 : (*x)->number > (*y)->number;
}

static void put_sorted_features(struct csg_perf_output *output,
				const struct csg_perf_output_feature **features, size_t n)
{
	uint64_t at = output->position + 16 * n;

	for (size_t i = 0; i < n; i++) {
		put_u64(output, at);
		put_u64(output, features[i]->size);
		at += features[i]->size;
	}
	for (size_t i = 0; i < n; i++) {
		if (features[i]->bytes)
			csg_perf_output_put(output, features[i]->bytes, (size_t)features[i]->size);
		else
			csg_perf_output_copy(output, features[i]->fd, features[i]->at,
					     features[i]->size);
	}
}

/* The table and what it points to, in the order of their numbers. */
static int put_features(struct csg_perf_output *output,
			const struct csg_perf_output_sections *sections)
{
	size_t n = sections->n_features;
	const struct csg_perf_output_feature **sorted = calloc(n + 1, sizeof(*sorted));

	if (!sorted)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < n; i++)
		sorted[i] = &sections->features[i];
	qsort(sorted, n, sizeof(*sorted), by_number);
	put_sorted_features(output, sorted, n);
	free(sorted);
	put_zeros(output, -output->position & 7);
	return 0;
}

/* Of all attrs: what the longest one needs, as a perf refuses what is longer than its own. */
size_t csg_perf_output_attr_size(const struct csg_perf_output_sections *sections)
{
	size_t size = ATTR_BYTES_MIN;

	for (size_t i = 0; i < sections->n_attrs; i++) {
		size_t used = sections->attrs[i].size;

		while (used > size && !sections->attrs[i].bytes[used - 1])
			used--;
		if (used > size)
			size = (used + 7) & ~(size_t)7;
	}
	return size;
}

/* The size that it has here, as perf goes by it; the rest of it is as it was. */
static void put_attr(struct csg_perf_output *output, const struct csg_perf_output_attr *attr,
		     size_t size)
{
	uint32_t stated = htole32((uint32_t)size);

	csg_perf_output_put(output, attr->bytes, 4);
	csg_perf_output_put(output, &stated, sizeof(stated));
	csg_perf_output_put(output, attr->bytes + 8, (attr->size < size ? attr->size : size) - 8);
	if (attr->size < size)
		put_zeros(output, size - attr->size);
}

/* IDs, then attrs; returns where the attrs are. */
static uint64_t put_attrs(struct csg_perf_output *output,
			  const struct csg_perf_output_sections *sections)
{
	uint64_t ids = output->position, attrs;

	for (size_t i = 0; i < sections->n_attrs; i++)
		for (size_t k = 0; k < sections->attrs[i].n_ids; k++)
			put_u64(output, sections->attrs[i].ids[k]);
	attrs = output->position;
	for (size_t i = 0; i < sections->n_attrs; i++) {
		put_attr(output, &sections->attrs[i], csg_perf_output_attr_size(sections));
		put_u64(output, ids);
		put_u64(output, 8 * sections->attrs[i].n_ids);
		ids += 8 * sections->attrs[i].n_ids;
	}
	return attrs;
}

static void put_header(struct csg_perf_output *output,
		       const struct csg_perf_output_sections *sections, uint64_t data_end,
		       uint64_t attrs)
{
	uint64_t bits[CSG_PERF_FEATURES / 64] = {0};

	for (size_t i = 0; i < sections->n_features; i++)
		bits[sections->features[i].number / 64] |= UINT64_C(1)
							   << sections->features[i].number % 64;
	csg_perf_output_flush(output);
	if (!output->error && lseek(output->fd, 0, SEEK_SET))
		output->error = errno;
	csg_perf_output_put(output, "PERFILE2", 8);
	put_u64(output, HEADER_BYTES);
	put_u64(output, csg_perf_output_attr_size(sections) + 16);
	put_u64(output, attrs);
	put_u64(output, (csg_perf_output_attr_size(sections) + 16) * sections->n_attrs);
	put_u64(output, HEADER_BYTES);
	put_u64(output, data_end - HEADER_BYTES);
	put_u64(output, 0); /* event_types */
	put_u64(output, 0);
	for (size_t i = 0; i < CSG_PERF_FEATURES / 64; i++)
		put_u64(output, bits[i]);
	csg_perf_output_flush(output);
}

/* All goes out as a pipe. */
static int send(struct csg_perf_output *output, const struct csg_perf_output_sections *sections)
{
	struct csg_perf_output pipe;
	int ret = csg_perf_output_open_raw(&pipe, output->pipe);

	csg_perf_output_flush(output);
	if (!ret && !output->error)
		ret = csg_perf_pipe_write(&pipe, sections, output->fd, 0, output->position,
					  &output->left);
	if (!output->error)
		output->error = pipe.error;
	csg_perf_output_close(&pipe);
	return ret ? ret : output->error ? -CSG_E_IO : 0;
}

int csg_perf_output_finish(struct csg_perf_output *output,
			   const struct csg_perf_output_sections *sections)
{
	uint64_t data_end = output->position, attrs;
	int ret;

	if (output->pipe >= 0)
		return send(output, sections);
	ret = put_features(output, sections);
	if (ret)
		return ret;
	attrs = put_attrs(output, sections);
	put_header(output, sections, data_end, attrs);
	return output->error ? -CSG_E_IO : 0;
}
