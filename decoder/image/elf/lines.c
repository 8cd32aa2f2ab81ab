/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/lines.h"

#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csguest/error.h"
#include "image/elf/dwarf_bounds.h"
#include "image/elf/elf_file.h"
#include "image/elf/expansion.h"
#include "image/elf/file.h"
#include "util/array.h"
#include "util/bisect.h"
#include "util/keyset.h"
#include "util/report.h"

/* Code of one compilation unit. */
struct range {
	Dwarf_Addr start, end;
	Dwarf_Off unit; /* of its DIE */
};

struct csg_lines {
	Dwfl *dwfl;
	Dwfl_Module *module;
	Dwarf *dwarf;
	Dwarf_Addr bias;      /* module address - DWARF address */
	struct range *ranges; /* by start */
	size_t count, capacity, most;
	bool indexed, no_memory;
	const char *path, *name;
	const struct csg_places *places;
	const struct csg_diag_sink *sink;
	bool reported;		    /* that there is too much */
	uint64_t size;		    /* of the file with the DWARF */
	struct csg_keyset programs; /* offsets of the line programs asked for */
	size_t programs_read;	    /* the first ones of them */
	uint64_t program_bytes;	    /* their lengths in sum */
};

#define RANGES_FREE (1u << 20) /* that any file may have; one more for each byte of it */

/* Once for each file. */
static void report_excess(struct csg_lines *lines, const char *path, uint64_t offset,
			  const char *what)
{
	if (!lines->reported)
		csg_report(lines->sink, CSG_WARNING, CSG_E_LIMIT, path, offset,
			   "its code is used without source lines; put a file with other debug "
			   "information there",
			   "%s", what);
	lines->reported = true;
}

static void report_compression(struct csg_lines *lines, const char *path, uint64_t offset,
			       uint32_t type)
{
	if (!lines->reported)
		csg_report(lines->sink, CSG_WARNING, CSG_E_UNSUPPORTED, path, offset,
			   "its code is used without source lines; expand it: objcopy "
			   "--decompress-debug-sections FILE, or install a newer libdw",
			   "libdw %s cannot expand debug information of compression type %u%s",
			   dwfl_version(NULL), type, type == 2 ? " (zstd)" : "");
	lines->reported = true;
}

/* Whether the file may be given to libdw. */
static bool is_moderate(struct csg_lines *lines, const char *path, const struct csg_elf *elf)
{
	uint64_t offset;
	uint32_t type;

	if (csg_expands_too_much(elf, &offset)) {
		report_excess(lines, path, offset,
			      "a compressed section expands to more than 64 times its size");
		return false;
	}
	type = csg_unknown_compression(elf, &offset);
	if (type)
		report_compression(lines, path, offset, type);
	return !type;
}

/* Whether the file has DWARF, and this build ID (if there is one to compare). */
static bool has_lines_of(struct csg_lines *lines, const char *path, const struct csg_build_id *id)
{
	struct csg_elf_section section;
	struct csg_build_id own = {0};
	struct csg_file file;
	struct csg_elf elf;
	bool good;
	int err;

	if (csg_file_map(&file, path))
		return false;
	err = csg_elf_open(&elf, file.data, file.size);
	lines->no_memory |= err == -CSG_E_NO_MEMORY;
	good = !err;
	if (good) {
		csg_elf_build_id(&elf, &own);
		good = (!id->size || csg_build_id_equal(id, &own)) &&
		       (csg_elf_section_named(&elf, ".debug_line", &section) ||
			csg_elf_section_named(&elf, ".zdebug_line", &section)) &&
		       is_moderate(lines, path, &elf);
		csg_elf_close(&elf);
	}
	csg_file_unmap(&file);
	return good;
}

/* libdwfl asks where the debug information of a file without any is. */
static int find_debuginfo(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
			  const char *path, const char *link, GElf_Word crc, char **found)
{
	struct csg_lines *lines = *userdata;
	const unsigned char *bytes;
	struct csg_build_id id = {0};
	char try[CSG_PATH_MAX];
	GElf_Addr at;
	int size, fd;

	(void)name, (void)base, (void)path, (void)crc;
	*found = NULL;
	if (!lines)
		return -1;
	size = dwfl_module_build_id(module, &bytes, &at);
	if (size > 0)
		id = csg_build_id_make(bytes, (size_t)size);
	for (size_t i = 0; csg_find_debug(lines->places, i, lines->name, &id, link, try); i++) {
		if (!try[0] || !has_lines_of(lines, try, &id))
			continue;
		fd = open(try, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		*found = strdup(try);
		lines->no_memory |= !*found;
		return fd;
	}
	return -1;
}

static int find_nothing(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
			char **path, Elf **elf)
{
	(void)module, (void)userdata, (void)name, (void)base, (void)path, (void)elf;
	return -1;
}

/* Of the file itself; what is no ELF file at all is libdw's to refuse. */
static bool may_open(struct csg_lines *lines)
{
	struct csg_file file;
	struct csg_elf elf;
	bool may = true;
	int err;

	if (csg_file_map(&file, lines->path))
		return true;
	err = csg_elf_open(&elf, file.data, file.size);
	lines->no_memory |= err == -CSG_E_NO_MEMORY;
	if (!err) {
		may = is_moderate(lines, lines->path, &elf);
		csg_elf_close(&elf);
	}
	csg_file_unmap(&file);
	return may;
}

int csg_lines_open(struct csg_lines **opened, const char *path, const char *name,
		   const struct csg_places *places, const struct csg_diag_sink *sink)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = find_nothing,
		.find_debuginfo = find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	struct csg_lines *lines = calloc(1, sizeof(*lines));
	void **userdata;

	*opened = NULL;
	if (!lines)
		return -CSG_E_NO_MEMORY;
	csg_keyset_init(&lines->programs, sizeof(uint64_t));
	lines->path = path;
	lines->name = name;
	lines->places = places;
	lines->sink = sink;
	if (!may_open(lines) || lines->no_memory) {
		int err = lines->no_memory ? -CSG_E_NO_MEMORY : 0;

		csg_lines_close(lines);
		return err;
	}
	errno = 0;
	lines->dwfl = dwfl_begin(&callbacks);
	if (lines->dwfl) {
		dwfl_report_begin(lines->dwfl);
		/* At its own addresses: what is asked for is in the file's terms. */
		lines->module = dwfl_report_elf(lines->dwfl, name, path, -1, 0, true);
		dwfl_report_end(lines->dwfl, NULL, NULL);
	}
	if (!lines->module ||
	    !dwfl_module_info(lines->module, &userdata, NULL, NULL, NULL, NULL, NULL, NULL)) {
		csg_lines_close(lines);
		return errno == ENOMEM ? -CSG_E_NO_MEMORY : 0;
	}
	*userdata = lines;
	*opened = lines;
	return 0;
}

void csg_lines_close(struct csg_lines *lines)
{
	if (!lines)
		return;
	if (lines->dwfl)
		dwfl_end(lines->dwfl);
	csg_keyset_fini(&lines->programs);
	free(lines->ranges);
	free(lines);
}

static int by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->unit < y->unit ? -1 : x->unit > y->unit;
}

/* The ranges of one unit; false: out of memory. */
static bool add_unit(struct csg_lines *lines, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		if (start >= end)
			continue;
		if (lines->count >= lines->most)
			return true;
		if (csg_array_grow((void **)&lines->ranges, lines->count, &lines->capacity,
				   sizeof(*lines->ranges)))
			return false;
		lines->ranges[lines->count++] = (struct range){start, end, dwarf_dieoffset(die)};
	}
	return true;
}

/* The file with the DWARF: the one opened, or its .debug file. */
static const char *dwarf_path(const struct csg_lines *lines)
{
	const char *main, *debug;

	if (dwfl_module_info(lines->module, NULL, NULL, NULL, NULL, NULL, &main, &debug) && debug)
		return debug;
	return lines->path;
}

/* Whether the units may be read. */
static bool has_moderate_units(struct csg_lines *lines)
{
	uint64_t offset;
	size_t size = 0;
	const char *excess;

	elf_rawfile(dwarf_getelf(lines->dwarf), &size);
	lines->size = size;
	excess = csg_dwarf_units_excess(lines->dwarf, size, &offset);
	if (excess)
		report_excess(lines, dwarf_path(lines), offset, excess);
	return !excess;
}

/*
 * libdwfl finds units by .debug_aranges only, which clang does not write: here the units
 * themselves say where they are.
 */
static void index_units(struct csg_lines *lines)
{
	Dwarf_Die *die = NULL;
	Dwarf_Addr bias;

	lines->indexed = true;
	lines->dwarf = dwfl_module_getdwarf(lines->module, &lines->bias);
	if (!lines->dwarf || !has_moderate_units(lines))
		return;
	lines->most = lines->size > RANGES_FREE ? lines->size : RANGES_FREE;
	while (lines->count < lines->most && (die = dwfl_module_nextcu(lines->module, die, &bias)))
		lines->no_memory |= !add_unit(lines, die);
	if (lines->count >= lines->most) {
		report_excess(lines, dwarf_path(lines), CSG_NO_OFFSET,
			      "units have more ranges of code than the file has bytes");
		lines->count = 0;
	}
	if (lines->count)
		qsort(lines->ranges, lines->count, sizeof(*lines->ranges), by_start);
}

/* The last range that begins at or before addr, if it reaches there. */
static const struct range *find_range(const struct csg_lines *lines, Dwarf_Addr addr)
{
	size_t i;

	CSG_BISECT(i, lines->count, lines->ranges[i].start <= addr);
	return i && addr < lines->ranges[i - 1].end ? &lines->ranges[i - 1] : NULL;
}

/* Whether the line program at offset was read before, or may be. */
static bool may_read(struct csg_lines *lines, uint64_t offset, uint64_t length)
{
	int64_t number;

	if (length > CSG_LINE_PROGRAM_MAX) {
		report_excess(lines, dwarf_path(lines), offset,
			      "the line program of a unit at this offset of .debug_line is longer "
			      "than 4 MB");
		return false;
	}
	number = csg_keyset_add(&lines->programs, &offset);
	lines->no_memory |= number < 0;
	if (number < (int64_t)lines->programs_read)
		return number >= 0;
	/* From the first one that is too much on, no other is read. */
	if (number == (int64_t)lines->programs_read &&
	    lines->program_bytes + length <= CSG_LINE_PROGRAMS_FREE + lines->size) {
		lines->program_bytes += length;
		lines->programs_read++;
		return true;
	}
	report_excess(lines, dwarf_path(lines), offset,
		      "the line programs of units, up to this offset of .debug_line, are longer "
		      "than the file");
	return false;
}

static bool has_moderate_program(struct csg_lines *lines, Dwarf_Die *unit)
{
	uint64_t offset, length;

	return !csg_dwarf_line_program(lines->dwarf, unit, &offset, &length) ||
	       may_read(lines, offset, length);
}

int csg_lines_find(struct csg_lines *lines, uint64_t addr, const char **file, int *line)
{
	const struct range *range;
	Dwarf_Line *found = NULL;
	Dwarf_Die unit;

	*file = NULL;
	*line = 0;
	errno = 0;
	if (!lines->indexed)
		index_units(lines);
	range = find_range(lines, addr - lines->bias);
	if (range && dwarf_offdie(lines->dwarf, range->unit, &unit) &&
	    has_moderate_program(lines, &unit))
		found = dwarf_getsrc_die(&unit, addr - lines->bias);
	/* Line 0 is DWARF's "no line of the source". */
	if (found && !dwarf_lineno(found, line) && *line)
		*file = dwarf_linesrc(found, NULL, NULL);
	lines->no_memory |= !found && errno == ENOMEM;
	return lines->no_memory ? -CSG_E_NO_MEMORY : 0;
}
