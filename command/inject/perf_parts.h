/* SPDX-License-Identifier: BSD-3-Clause */
/* What the sections of a perf.data file hold. */
#ifndef COMMAND_INJECT_PERF_PARTS_H
#define COMMAND_INJECT_PERF_PARTS_H

#include <stddef.h>
#include <stdint.h>

struct csg_perf_output_attr {
	const uint8_t *bytes; /* with its size at offset 4 */
	size_t size;
	const uint64_t *ids;
	size_t n_ids;
};

struct csg_perf_output_feature {
	unsigned int number;
	const uint8_t *bytes; /* NULL: they are in the file fd from at on */
	int fd;
	uint64_t at, size;
};

/* What the sections are made of; features in any order, each once. */
struct csg_perf_output_sections {
	const struct csg_perf_output_attr *attrs;
	size_t n_attrs;
	const struct csg_perf_output_feature *features;
	size_t n_features;
};

#endif
