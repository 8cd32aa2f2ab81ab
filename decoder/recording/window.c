/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/window.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/report.h"
#include "recording/model/store.h"

/*
 * Reads with pread() into a buffer of its own: a file that is cut while it is read gives an
 * error, where a mapping would give SIGBUS, and the copy costs a hundredth of the decoding.
 */

#define WINDOW_BYTES (256u << 10)

struct csg_window {
	struct csg_recording *rec;
	uint32_t file;
	uint64_t offset; /* in the file, of the first byte */
	size_t have;
	uint8_t bytes[WINDOW_BYTES];
};

int csg_window_create(struct csg_window **window, struct csg_recording *rec)
{
	*window = malloc(sizeof(**window));
	if (!*window)
		return -CSG_E_NO_MEMORY;
	(*window)->rec = rec;
	(*window)->have = 0;
	return 0;
}

void csg_window_destroy(struct csg_window *window)
{
	free(window);
}

/* Fills the window from offset on, with what of len is there. */
static int fill(struct csg_window *window, uint32_t file, uint64_t offset, size_t len)
{
	const struct csg_store_file *from = &window->rec->files[file];
	size_t have = 0;

	window->have = 0;
	while (have < len) {
		ssize_t got =
			pread(from->fd, window->bytes + have, len - have, (off_t)(offset + have));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return csg_report(&window->rec->sink, CSG_ERROR, CSG_E_IO, from->path,
					  offset, NULL, "%s", strerror(errno));
		if (!got)
			break;
		have += (size_t)got;
	}
	if (!have)
		return -CSG_E_TRUNCATED;
	window->file = file;
	window->offset = offset;
	window->have = have;
	return 0;
}

int csg_window_read(struct csg_window *window, const struct csg_chunk *chunk, uint64_t offset,
		    const uint8_t **bytes, size_t *len)
{
	const struct csg_extent *extent = &window->rec->extents[chunk->id];
	uint64_t left = offset < chunk->bytes ? chunk->bytes - offset : 0;
	uint64_t at = extent->offset + offset;
	bool inside = window->have && window->file == extent->file && at >= window->offset &&
		      at - window->offset < window->have;

	if (*len > left)
		*len = (size_t)left;
	if (!*len)
		return 0;
	if (at > INT64_MAX)
		return -CSG_E_TRUNCATED;
	if (!inside) {
		int ret = fill(window, extent->file, at,
			       left < WINDOW_BYTES ? (size_t)left : WINDOW_BYTES);

		if (ret)
			return ret;
	}
	*bytes = window->bytes + (at - window->offset);
	if (*len > window->have - (at - window->offset))
		*len = (size_t)(window->have - (at - window->offset));
	return 0;
}
