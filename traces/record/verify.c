// SPDX-License-Identifier: BSD-3-Clause
#include "verify.h"

#include "encoder/decode.h"
#include "encoder/elems.h"
#include "util.h"

/*
 * A guest's address means other bytes than the host's, and the decoder says only the address. But
 * it asks while it decodes: the ranges that it has given out so far say which of the path's ranges
 * it is at, and that one's space is asked. Should it have lost the path, the comparison finds out.
 */
struct code {
	const struct composer *composer;
	const struct stream *stream;
	const struct csg_enc_elems *out;
	size_t seen, range;
};

static size_t read_code(void *arg, uint64_t address, void *data, size_t size)
{
	struct code *code = arg;
	const struct code_space *space;
	uint32_t op;

	for (; code->seen < code->out->count; code->seen++)
		code->range += code->out->elems[code->seen].kind == CSG_ENC_ELEM_RANGE;
	if (code->range >= code->stream->spaces)
		return 0;
	space = &code->stream->space[code->range];
	/* One instruction at a time: the decoder keeps what it got, and may not ask again. */
	if (size < 4 || !codemap_get(&code->composer->code, space, address, &op))
		return 0;
	memcpy(data, &op, 4);
	return 4;
}

bool verify_stream(const struct composer *c, const struct stream *s,
		   const struct csg_enc_model *model, char *text, size_t size)
{
	struct csg_enc_elems expected = {0}, seen = {0};
	struct code code = {.composer = c, .stream = s, .out = &seen};
	struct csg_enc_decode decode = {.model = model,
					.data = s->etm.out.data,
					.size = s->etm.out.size,
					.read = read_code,
					.arg = &code};
	bool equal = false;
	int error;

	csg_enc_expect(model, &s->path, &expected);
	error = csg_enc_decode(&decode, &seen);
	if (error)
		snprintf(text, size, "OpenCSD ends with %d", error);
	else
		equal = csg_enc_elems_equal(model, &expected, &seen, text, size);
	csg_enc_elems_fini(&expected);
	csg_enc_elems_fini(&seen);
	return equal;
}
