/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/path.h"

#include <stdlib.h>
#include <string.h>

#include "encoder/bytes.h"

void csg_enc_path_fini(struct csg_enc_path *path)
{
	free(path->events);
	memset(path, 0, sizeof(*path));
}

void csg_enc_path_add(struct csg_enc_path *path, const struct csg_enc_event *event)
{
	if (path->count == path->capacity) {
		path->capacity = path->capacity ? 2 * path->capacity : 64;
		path->events = csg_enc_grow(path->events, path->capacity * sizeof(*path->events));
	}
	path->events[path->count++] = *event;
}

void csg_enc_path_context(struct csg_enc_path *path, const struct csg_enc_context *context)
{
	struct csg_enc_event event = {.kind = CSG_ENC_CONTEXT, .context = *context};

	csg_enc_path_add(path, &event);
}

void csg_enc_path_branch(struct csg_enc_path *path, enum csg_enc_p0 p0, uint64_t start,
			 uint64_t end, bool taken, uint64_t target)
{
	struct csg_enc_event event = {
		.kind = CSG_ENC_BRANCH,
		.branch = {.start = start,
			   .end = end,
			   .target = target,
			   .count = (uint32_t)((end - start) / 4),
			   .p0 = p0,
			   .taken = taken},
	};

	csg_enc_path_add(path, &event);
}

void csg_enc_path_exception(struct csg_enc_path *path, unsigned number, uint64_t start,
			    uint64_t ret, uint64_t target)
{
	struct csg_enc_event event = {
		.kind = CSG_ENC_EXCEPTION,
		.exception = {.start = start,
			      .ret = ret,
			      .target = target,
			      .count = (uint32_t)((ret - start) / 4),
			      .number = (uint16_t)number},
	};

	csg_enc_path_add(path, &event);
}

void csg_enc_path_time(struct csg_enc_path *path, uint64_t cntpct, uint64_t cntvoff)
{
	struct csg_enc_event event = {
		.kind = CSG_ENC_TIME,
		.time = {.cntpct = cntpct, .cntvoff = cntvoff, .traced = true},
	};

	csg_enc_path_add(path, &event);
}

void csg_enc_path_mark(struct csg_enc_path *path, enum csg_enc_kind kind, uint32_t number,
		       uint64_t address)
{
	struct csg_enc_event event = {.kind = kind, .number = number, .address = address};

	csg_enc_path_add(path, &event);
}
