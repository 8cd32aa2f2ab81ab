// SPDX-License-Identifier: BSD-3-Clause
#include "snapshot.h"

#include <sys/stat.h>

#include "encoder/frame.h"
#include "encoder/snapshot_writer.h"
#include "util.h"

#define PIECE 400 /* bytes of one unit in a row that a funnel lets through, at most */

static bool of_xen(const struct code_page *p)
{
	return p->space.vm == 0 && p->space.pid == -1;
}

static int by_address(const void *a, const void *b)
{
	const struct code_page *x = *(const struct code_page *const *)a;
	const struct code_page *y = *(const struct code_page *const *)b;

	return x->base < y->base ? -1 : x->base > y->base;
}

/* The executed instructions from the first to the last page, which lie close together. */
static uint8_t *make_dump(const struct codemap *code, struct csg_enc_snapshot_dump *dump)
{
	const struct code_page **page = calloc(code->pages + 1, sizeof(*page));
	uint8_t *bytes = NULL;
	size_t n = 0;

	for (size_t i = 0; page && i < code->pages; i++)
		if (of_xen(code->page[i]))
			page[n++] = code->page[i];
	if (n) {
		qsort(page, n, sizeof(*page), by_address);
		dump->address = page[0]->base;
		dump->size = page[n - 1]->base + CODE_PAGE - page[0]->base;
		bytes = dump->size < 16 << 20 ? calloc(1, dump->size) : NULL;
	}
	for (size_t i = 0; bytes && i < n; i++)
		for (unsigned k = 0; k < CODE_PAGE / 4; k++)
			if (code_executed(page[i], k))
				memcpy(bytes + (page[i]->base - dump->address) + 4 * (size_t)k,
				       &page[i]->op[k], 4);
	free(page);
	dump->data = bytes;
	return bytes;
}

static void mix(struct csg_enc_frames *frames, const struct composer *c, unsigned cpus)
{
	struct csg_enc_source_bytes source[RAW_MAX_CPUS];

	for (unsigned i = 0; i < cpus; i++)
		source[i] = (struct csg_enc_source_bytes){.id = c->stream[i].etm.model.trace_id,
							  .data = c->stream[i].etm.out.data,
							  .size = c->stream[i].etm.out.size};
	csg_enc_frames_mix(frames, source, cpus, PIECE, 1);
}

int snapshot_write(const char *out, const struct composer *c, unsigned cpus)
{
	struct csg_enc_snapshot_core core[RAW_MAX_CPUS];
	struct csg_enc_frames frames = {0};
	struct csg_enc_snapshot_dump dump = {.file = "xen.bin", .space = "EL2N"};
	struct csg_enc_snapshot_buffer buffer = {.file = "trace.bin"};
	struct csg_enc_snapshot s = {.buffers = &buffer,
				     .buffer_count = 1,
				     .cores = core,
				     .core_count = cpus,
				     .dumps = &dump,
				     .dump_count = 1};
	uint8_t *bytes = make_dump(&c->code, &dump);
	char path[4096];
	int error = -1;

	for (unsigned i = 0; i < cpus; i++)
		core[i] = (struct csg_enc_snapshot_core){.type = "ARMv8-A",
							 .model = &c->stream[i].etm.model};
	mix(&frames, c, cpus);
	buffer.data = frames.out.data;
	buffer.size = frames.out.size;
	snprintf(path, sizeof(path), "%s/snapshot", out);
	if (bytes && !mkdir(path, 0777))
		error = csg_enc_snapshot_write(&s, path) ? -1 : 0;
	if (error)
		fprintf(stderr, "%s: cannot be written\n", path);
	csg_enc_frames_fini(&frames);
	free(bytes);
	return error;
}
