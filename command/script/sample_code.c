/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sample_code.h"

#define BYTES_MAX 4

static bool has(const struct csg_sample_text *text, enum csg_field field)
{
	return csg_fields_have(&text->fields, field);
}

static bool read_bytes(const struct csg_sample_text *text, const struct csg_sample *sample,
		       uint8_t bytes[BYTES_MAX])
{
	return sample->insn_size && sample->insn_size <= BYTES_MAX &&
	       text->names.code(text->names.arg, sample->owner, sample->ip, sample->when, bytes,
				sample->insn_size);
}

static void put_bytes(struct csg_out *out, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			csg_out_char(out, ' ');
		csg_out_hex(out, bytes[i], 2);
	}
}

void csg_sample_put_code(const struct csg_sample_text *text, const struct csg_sample *sample)
{
	struct csg_out *out = text->out;
	uint8_t bytes[BYTES_MAX];
	const char *assembler;

	if (has(text, CSG_FIELD_INSNLEN)) {
		csg_out_str(out, " ilen: ");
		csg_out_u64(out, sample->insn_size);
	}
	if ((!has(text, CSG_FIELD_INSN) && !has(text, CSG_FIELD_DISASM)) ||
	    !read_bytes(text, sample, bytes))
		return;
	if (has(text, CSG_FIELD_INSN)) {
		csg_out_str(out, " insn: ");
		put_bytes(out, bytes, sample->insn_size);
	}
	if (!has(text, CSG_FIELD_DISASM))
		return;
	csg_out_str(out, "\t\t");
	assembler = csg_disasm_text(text->disasm, (enum csg_isa)sample->isa, sample->ip, bytes,
				    sample->insn_size);
	if (assembler)
		csg_out_str(out, assembler);
	else
		put_bytes(out, bytes, sample->insn_size);
}
