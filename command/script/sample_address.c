/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sample_address.h"

#include "text/columns.h"
#include "text/escape.h"

static bool has(const struct csg_sample_text *text, enum csg_field field)
{
	return csg_fields_have(&text->fields, field);
}

static void put_symbol(const struct csg_sample_text *text, const struct csg_place *place)
{
	struct csg_out *out = text->out;

	if (!place->symbol) {
		csg_out_str(out, "[unknown]");
		return;
	}
	csg_out_text(out, place->symbol);
	if (!has(text, CSG_FIELD_SYMOFF))
		return;
	csg_out_str(out, "+0x");
	csg_out_hex(out, place->offset, 1);
}

static void put_dso(struct csg_out *out, const struct csg_place *place)
{
	csg_out_str(out, " (");
	csg_out_text(out, place->dso ? place->dso : "[unknown]");
	csg_out_char(out, ')');
}

static struct csg_place find_place(const struct csg_sample_text *text, uint32_t owner,
				   uint64_t address, uint64_t when)
{
	struct csg_place place = {0};

	if (owner != CSG_SAMPLE_NOBODY)
		text->names.place(text->names.arg, owner, address, when, &place);
	return place;
}

static void put_address(const struct csg_sample_text *text, uint32_t owner, uint64_t address,
			uint64_t when)
{
	bool names = has(text, CSG_FIELD_SYM) || has(text, CSG_FIELD_DSO);
	struct csg_place place = {0};

	csg_column_address(text->out, address, 16);
	if (names)
		place = find_place(text, owner, address, when);
	if (has(text, CSG_FIELD_SYM)) {
		csg_out_char(text->out, ' ');
		put_symbol(text, &place);
	}
	if (has(text, CSG_FIELD_DSO))
		put_dso(text->out, &place);
}

static struct csg_part *address_part(struct csg_sample_cache *cache, uint32_t owner,
				     uint64_t address)
{
	return &cache->places[csg_part_index(CSG_PART_PLACES, address, owner)];
}

void csg_sample_fetch_address(struct csg_sample_cache *cache, uint32_t owner, uint64_t address)
{
	const struct csg_part *part = address_part(cache, owner, address);

	__builtin_prefetch(part);
	__builtin_prefetch(part->text + sizeof(part->text) / 4);
}

void csg_sample_put_address(const struct csg_sample_text *text, uint32_t owner, uint64_t address,
			    uint64_t when)
{
	struct csg_part *part;
	struct csg_part_begin begin;
	uint64_t until = UINT64_MAX;

	if (!text->cache) {
		put_address(text, owner, address, when);
		return;
	}
	part = address_part(text->cache, owner, address);
	if (csg_part_is(part, address, owner, 0) && csg_part_holds(part, when)) {
		csg_part_put(part, text->out);
		return;
	}
	begin = csg_part_begin(text->out);
	put_address(text, owner, address, when);
	csg_part_keep(part, text->out, begin, address, owner, 0);
	if (owner != CSG_SAMPLE_NOBODY)
		until = text->names.until(text->names.arg, owner, address, when);
	part->from = when;
	part->last = until == UINT64_MAX ? until : until > when ? until - 1 : when;
}

void csg_sample_put_branch_end(const struct csg_sample_text *text, uint32_t owner, uint64_t address,
			       uint64_t when)
{
	bool by_address = has(text, CSG_FIELD_BRSTACK);
	struct csg_place place = {0};

	if (!by_address || has(text, CSG_FIELD_DSO))
		place = find_place(text, owner, address, when);
	if (by_address) {
		csg_out_str(text->out, "0x");
		csg_out_address(text->out, address, 1);
	} else {
		csg_out_text(text->out, place.symbol ? place.symbol : "[unknown]");
		if (place.symbol) {
			csg_out_str(text->out, "+0x");
			csg_out_hex(text->out, place.offset, 1);
		}
	}
	if (has(text, CSG_FIELD_DSO))
		put_dso(text->out, &place);
}
