/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/dwarf_bounds.h"

#include <dwarf.h>
#include <gelf.h>
#include <stddef.h>
#include <string.h>

#include "util/bytes.h"

/* A section's contents; next is read first. */
struct cursor {
	const uint8_t *start, *next, *end;
};

/* A section, expanded; name is without ".debug_".  False: there is none. */
static bool find_section(Elf *elf, const char *name, struct cursor *contents)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *own = gelf_getshdr(section, &header)
					  ? elf_strptr(elf, names, header.sh_name)
					  : NULL;
		const Elf_Data *data;

		if (!own || (strncmp(own, ".debug_", 7) && strncmp(own, ".zdebug_", 8)) ||
		    strcmp(own + (own[1] == 'z' ? 8 : 7), name))
			continue;
		data = elf_getdata(section, NULL);
		if (!data || !data->d_buf)
			return false;
		contents->start = contents->next = data->d_buf;
		contents->end = contents->start + data->d_size;
		return true;
	}
	return false;
}

static uint64_t leb128(struct cursor *c)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; c->next < c->end; shift += 7) {
		uint8_t byte = *c->next++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			break;
	}
	return value;
}

/* Goes past the tag and the attributes of an abbreviation. */
static void skip_abbreviation(struct cursor *c)
{
	uint64_t name, form;

	leb128(c);
	if (c->next < c->end)
		c->next++; /* whether it has children */
	do {
		name = leb128(c);
		form = leb128(c);
		if (form == DW_FORM_implicit_const)
			leb128(c);
	} while ((name || form) && c->next < c->end);
}

/* How many abbreviations of the table at offset stand before that of code; at most limit. */
static uint64_t count_abbreviations(const struct cursor *abbreviations, uint64_t offset,
				    uint64_t code, uint64_t limit)
{
	struct cursor c = *abbreviations;
	uint64_t n;

	if (offset >= (uint64_t)(c.end - c.start))
		return 0;
	c.next += offset;
	for (n = 0; n < limit && c.next < c.end; n++) {
		uint64_t own = leb128(&c);

		if (!own || own == code)
			break;
		skip_abbreviation(&c);
	}
	return n;
}

/* What the header of a unit says, and the code of its first entry. */
struct unit {
	uint64_t abbreviations, code;
};

/* What follows in the header of a unit of DWARF 5, by its type. */
static size_t more_of_header(uint8_t type, size_t wide)
{
	switch (type) {
	case DW_UT_skeleton:
	case DW_UT_split_compile:
		return 8; /* an ID */
	case DW_UT_type:
	case DW_UT_split_type:
		return 8 + wide; /* a signature, and where the type is */
	default:
		return 0;
	}
}

/* Reads the header at c, and goes to the next; false: there is no whole one. */
static bool next_unit(struct cursor *c, struct unit *unit)
{
	struct cursor in = *c;
	uint64_t left = (uint64_t)(c->end - c->next), length;
	size_t wide = 4, header, more = 1; /* the address size */

	if (left < 12)
		return false;
	length = csg_le32(in.next);
	if (length == UINT32_MAX) {
		length = csg_le64(in.next + 4);
		wide = 8;
	}
	in.next += wide == 8 ? 12 : 4;
	left = (uint64_t)(in.end - in.next);
	header = 2 + 1 + wide;
	if (length > left || length < header + 1)
		return false;
	in.end = in.next + length;
	if (csg_le16(in.next) >= 5) {
		more = more_of_header(in.next[2], wide);
		in.next += 2; /* the unit's type and the address size */
	}
	in.next += 2;
	if ((size_t)(in.end - in.next) < wide + more)
		return false;
	unit->abbreviations = wide == 8 ? csg_le64(in.next) : csg_le32(in.next);
	in.next += wide + more;
	unit->code = leb128(&in);
	c->next = in.end;
	return true;
}

const char *csg_dwarf_units_excess(Dwarf *dwarf, uint64_t size, uint64_t *offset)
{
	const uint64_t most = CSG_ABBREVIATIONS_FREE + size / 16;
	struct cursor info, abbreviations;
	uint64_t units = 0, sum = 0, n;
	struct unit unit;

	*offset = 0;
	if (!find_section(dwarf_getelf(dwarf), "info", &info) ||
	    !find_section(dwarf_getelf(dwarf), "abbrev", &abbreviations))
		return NULL;
	while (*offset = (uint64_t)(info.next - info.start), next_unit(&info, &unit)) {
		if (++units > CSG_UNITS_FREE + size / 256)
			return "the file has more units than one for each 256 bytes";
		n = count_abbreviations(&abbreviations, unit.abbreviations, unit.code,
					CSG_ABBREVIATIONS_MAX);
		sum += n;
		if (n == CSG_ABBREVIATIONS_MAX || sum > most)
			return "units have more abbreviations before those that they begin with "
			       "than compilers write";
	}
	return NULL;
}

bool csg_dwarf_line_program(Dwarf *dwarf, Dwarf_Die *unit, uint64_t *offset, uint64_t *length)
{
	struct cursor lines;
	Dwarf_Attribute attribute;
	Dwarf_Word at;

	if (!find_section(dwarf_getelf(dwarf), "line", &lines) ||
	    !dwarf_attr(unit, DW_AT_stmt_list, &attribute) || dwarf_formudata(&attribute, &at) ||
	    lines.end - lines.start < 12 || at > (uint64_t)(lines.end - lines.start) - 12)
		return false;
	*offset = at;
	*length = csg_le32(lines.start + at);
	if (*length == UINT32_MAX)
		*length = csg_le64(lines.start + at + 4);
	return true;
}
