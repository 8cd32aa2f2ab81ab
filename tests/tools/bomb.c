/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes small files that ask a reader for much:
 *
 *	bomb queues N FILE	perf.data: N queues, each with a few bytes of trace
 *	bomb pipe N FILE	the same as perf record -o - writes it
 *	bomb events N FILE	perf.data: N records of sideband
 *	bomb zstd N FILE	perf.data: compressed records that expand to N MB
 *	bomb sections N FILE	ELF: N section headers in the header, which are not in the file
 *	bomb overlap N FILE	ELF: N symbol tables of 64 KB that are the same bytes
 *	bomb inflate N FILE	ELF: a compressed .debug_line that expands to N MB
 *	bomb lines N FILE	ELF: a line program of N MB that is one row each byte
 *	bomb shared N FILE	ELF: N units, each with a header of its own for the same line
 *				program
 *	bomb units N FILE	ELF: N units in a compressed section
 *	bomb lines-zstd N FILE	ELF: a line program of N rows, compressed with zstd
 *	bomb abbrevs N FILE	ELF: a unit whose abbreviation follows N others
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encoder/bytes.h"
#include "encoder/perf_writer.h"

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

#define CPUS 4
#define BASE UINT64_C(0x10000)
#define TEXT 4096
#define TABLE 65536

/* --- perf.data --- */

static void begin(struct csg_enc_perf *p, bool pipe)
{
	struct csg_enc_model models[CPUS];

	csg_enc_perf_init(p);
	p->options.pipe = pipe;
	for (unsigned i = 0; i < CPUS; i++) {
		csg_enc_model_init(&models[i], false);
		models[i].trace_id = (uint8_t)(0x10 + i);
	}
	csg_enc_perf_add_etm(p, &models[0], 0, CSG_ENC_PERF_ANY);
	csg_enc_perf_auxtrace_info(p, 1, models, CPUS, 0);
}

static void end(struct csg_enc_perf *p, struct csg_enc_bytes *file)
{
	csg_enc_perf_finish(p, file);
	csg_enc_perf_fini(p);
}

/* Two CoreSight frames of ID 0x10: A-Sync, Trace Info, Trace On, an address, atoms. */
static void add_queues(struct csg_enc_bytes *file, size_t n, bool pipe)
{
	static const uint8_t frames[] = {
		0x21, 0,    0,	  0,	0,    0,    0,	  0,
		0,    0,    0,	  0,	0x80, 1,    0,	  0, /* the first byte is the ID */
		0x04, 0x9d, 0,	  0,	0x10, 0,    0,	  0x80,
		0xfe, 0xff, 0xf6, 0xf7, 0x70, 0x70, 0x70, 0x20};
	struct csg_enc_perf p;

	begin(&p, pipe);
	for (uint32_t i = 0; i < n; i++) {
		const struct csg_enc_perf_sample at = {
			.pid = 100 + i, .tid = 100 + i, .cpu = i, .time = 1000 + i, .id = 100};

		csg_enc_perf_aux(&p, 0, sizeof(frames), 0, &at);
		csg_enc_perf_auxtrace(&p, i, CSG_ENC_PERF_ANY, 0, 0, frames, sizeof(frames));
	}
	end(&p, file);
}

static void queues(struct csg_enc_bytes *file, size_t n)
{
	add_queues(file, n, false);
}

static void queues_piped(struct csg_enc_bytes *file, size_t n)
{
	add_queues(file, n, true);
}

static void comm(struct csg_enc_perf *p, uint32_t i)
{
	const struct csg_enc_perf_sample at = {
		.pid = 1 + i % 30000, .tid = 1 + i % 30000, .time = 1000 + i, .id = 100};
	char name[16];

	snprintf(name, sizeof(name), "task %u", i % 1000);
	csg_enc_perf_comm(p, at.pid, at.tid, name, false, &at);
}

static void events(struct csg_enc_bytes *file, size_t n)
{
	struct csg_enc_perf p;

	begin(&p, false);
	for (size_t i = 0; i < n; i++)
		comm(&p, (uint32_t)i);
	end(&p, file);
}

/* The same record again and again, which compresses best. */
static void zstd(struct csg_enc_bytes *file, size_t megabytes)
{
	struct csg_enc_perf p;

	begin(&p, false);
	for (size_t i = 0; i < megabytes; i++) {
		csg_enc_perf_compress(&p, false);
		while (p.staged.size < 1 << 20)
			comm(&p, 0);
		csg_enc_perf_compress_end(&p);
	}
	end(&p, file);
}

/* --- ELF --- */

struct elf {
	struct csg_enc_bytes *file;
	struct csg_enc_bytes headers, names;
	size_t count;
};

static void section(struct elf *elf, const char *name, uint32_t type, uint64_t flags, uint64_t at,
		    uint64_t size, uint32_t link)
{
	const Elf64_Shdr header = {.sh_name = (uint32_t)elf->names.size,
				   .sh_type = type,
				   .sh_flags = flags,
				   .sh_addr = flags & SHF_ALLOC ? BASE + at : 0,
				   .sh_offset = at,
				   .sh_size = size,
				   .sh_link = link,
				   .sh_addralign = 1,
				   .sh_entsize = type == SHT_SYMTAB ? sizeof(Elf64_Sym) : 0};

	csg_enc_bytes_put(&elf->names, name, strlen(name) + 1);
	csg_enc_bytes_put(&elf->headers, &header, sizeof(header));
	elf->count++;
}

/* An AArch64 program with a page of NOPs. */
static void begin_elf(struct elf *elf, struct csg_enc_bytes *file)
{
	const Elf64_Phdr load = {.p_type = PT_LOAD,
				 .p_flags = PF_R | PF_X,
				 .p_vaddr = BASE,
				 .p_filesz = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + TEXT,
				 .p_memsz = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + TEXT,
				 .p_align = 4096};

	*elf = (struct elf){.file = file};
	csg_enc_bytes_zero(file, sizeof(Elf64_Ehdr));
	csg_enc_bytes_put(file, &load, sizeof(load));
	for (size_t i = 0; i < TEXT / 4; i++)
		csg_enc_bytes_u32(file, 0xd503201f);
	section(elf, "", SHT_NULL, 0, 0, 0, 0);
	section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, file->size - TEXT, TEXT, 0);
}

/* count: of section headers, as the file has it; 0: all that there are. */
static void end_elf(struct elf *elf, size_t count)
{
	Elf64_Ehdr header = {.e_ident = ELFMAG "\2\1\1",
			     .e_type = ET_EXEC,
			     .e_machine = EM_AARCH64,
			     .e_version = EV_CURRENT,
			     .e_phoff = sizeof(header),
			     .e_ehsize = sizeof(header),
			     .e_phentsize = sizeof(Elf64_Phdr),
			     .e_phnum = 1,
			     .e_shentsize = sizeof(Elf64_Shdr)};
	const size_t names = elf->count;

	section(elf, ".shstrtab", SHT_STRTAB, 0, elf->file->size,
		elf->names.size + sizeof(".shstrtab"), 0);
	csg_enc_bytes_put(elf->file, elf->names.data, elf->names.size);
	csg_enc_bytes_align(elf->file, 8);
	count = count ? count : elf->count;
	header.e_shoff = elf->file->size;
	header.e_shnum = (uint16_t)(count < SHN_LORESERVE ? count : 0);
	header.e_shstrndx = (uint16_t)names;
	if (count >= SHN_LORESERVE)
		((Elf64_Shdr *)(void *)elf->headers.data)->sh_size = count;
	csg_enc_bytes_put(elf->file, elf->headers.data, elf->headers.size);
	memcpy(elf->file->data, &header, sizeof(header));
	csg_enc_bytes_fini(&elf->headers);
	csg_enc_bytes_fini(&elf->names);
}

static void sections(struct csg_enc_bytes *file, size_t n)
{
	struct elf elf;

	begin_elf(&elf, file);
	end_elf(&elf, n);
}

static void overlap(struct csg_enc_bytes *file, size_t n)
{
	struct elf elf;
	size_t at;

	begin_elf(&elf, file);
	at = file->size;
	for (size_t i = 0; i < TABLE / sizeof(Elf64_Sym); i++) {
		const Elf64_Sym symbol = {.st_name = 1,
					  .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
					  .st_shndx = 1,
					  .st_value = BASE + 4 * i,
					  .st_size = 4};

		csg_enc_bytes_put(file, &symbol, sizeof(symbol));
	}
	section(&elf, ".strtab", SHT_STRTAB, 0, file->size, 16, 0);
	csg_enc_bytes_put(file, "\0function\0\0\0\0\0\0\0", 16);
	for (size_t i = 0; i < n; i++)
		section(&elf, i & 1 ? ".dynsym" : ".symtab", i & 1 ? SHT_DYNSYM : SHT_SYMTAB, 0, at,
			TABLE, 2);
	end_elf(&elf, 0);
}

/* --- DWARF --- */

struct bits {
	struct csg_enc_bytes *to;
	uint32_t held;
	unsigned int n;
};

static void put_bits(struct bits *b, uint32_t value, unsigned int n)
{
	b->held |= value << b->n;
	for (b->n += n; b->n >= 8; b->n -= 8, b->held >>= 8)
		csg_enc_bytes_u8(b->to, (uint8_t)b->held);
}

/* A word of Huffman's code stands with its highest bit first. */
static void put_code(struct bits *b, uint32_t code, unsigned int n)
{
	while (n-- > 0)
		put_bits(b, code >> n & 1, 1);
}

/* As many bytes as a run copies. */
#define RUN 258

/*
 * zlib's form of size bytes and times RUN more, which repeat them, in the fixed code; size is 1 or
 * 25 to 32.  checksum is Adler-32 of all.
 */
static void deflate(struct csg_enc_bytes *to, const uint8_t *bytes, size_t size, uint64_t times,
		    uint32_t checksum)
{
	struct bits b = {.to = to};

	csg_enc_bytes_u8(to, 0x78);
	csg_enc_bytes_u8(to, 0x9c);
	put_bits(&b, 3, 3); /* the last block, fixed code */
	for (size_t i = 0; i < size; i++) {
		if (bytes[i] < 144)
			put_code(&b, 0x30u + bytes[i], 8);
		else
			put_code(&b, 0x190u + bytes[i] - 144, 9);
	}
	for (uint64_t i = 0; i < times; i++) {
		put_code(&b, 0xc5, 8); /* length 258 */
		put_code(&b, size == 1 ? 0 : 9, 5);
		if (size > 1)
			put_bits(&b, (uint32_t)size - 25, 3);
	}
	put_bits(&b, 0, 7 + 7); /* the end, and up to a byte */
	for (int shift = 24; shift >= 0; shift -= 8)
		csg_enc_bytes_u8(to, (uint8_t)(checksum >> shift));
}

static uint32_t adler(const uint8_t *bytes, size_t size, uint64_t n)
{
	uint32_t low = 1, high = 0;

	for (uint64_t i = 0; i < n; i++) {
		low = (low + bytes[i % size]) % 65521;
		high = (high + low) % 65521;
	}
	return high << 16 | low;
}

/* A compressed section of size bytes and what repeats them up to n. */
static void compressed(struct elf *elf, const char *name, const uint8_t *bytes, size_t size,
		       uint64_t n)
{
	const uint64_t times = (n - size) / RUN, all = size + times * RUN;
	const Elf64_Chdr header = {.ch_type = ELFCOMPRESS_ZLIB, .ch_size = all, .ch_addralign = 1};
	size_t at;

	csg_enc_bytes_align(elf->file, 8);
	at = elf->file->size;
	csg_enc_bytes_put(elf->file, &header, sizeof(header));
	deflate(elf->file, bytes, size, times, adler(bytes, size, all));
	section(elf, name, SHT_PROGBITS, SHF_COMPRESSED, at, elf->file->size - at, 0);
}

static void inflate(struct csg_enc_bytes *file, size_t megabytes)
{
	struct elf elf;

	begin_elf(&elf, file);
	compressed(&elf, ".debug_line", (const uint8_t *)"", 1, (uint64_t)megabytes << 20);
	compressed(&elf, ".debug_info", (const uint8_t *)"", 1, (uint64_t)megabytes << 20);
	end_elf(&elf, 0);
}

/* The abbreviation of put_unit()'s entry: low_pc, high_pc, stmt_list. */
static const uint8_t unit_abbrev[] = {1, 0x11, 0, 0x11, 1, 0x12, 7, 0x10, 0x17, 0, 0, 0};

#define UNIT 32 /* bytes */

/* A unit that says where its code is and its lines are. */
static void put_unit(struct csg_enc_bytes *to, uint64_t code, uint64_t size, size_t program)
{
	csg_enc_bytes_u32(to, UNIT - 4);
	csg_enc_bytes_u16(to, 4);
	csg_enc_bytes_u32(to, 0);
	csg_enc_bytes_u8(to, 8);
	csg_enc_bytes_u8(to, 1);
	csg_enc_bytes_u64(to, code);
	csg_enc_bytes_u64(to, size);
	csg_enc_bytes_u32(to, (uint32_t)program);
}

#define TEXT_AT (BASE + sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr))

static void put_abbrev(struct elf *elf)
{
	section(elf, ".debug_abbrev", SHT_PROGBITS, 0, elf->file->size, sizeof(unit_abbrev), 0);
	csg_enc_bytes_put(elf->file, unit_abbrev, sizeof(unit_abbrev));
}

static void put_info(struct elf *elf, uint64_t code, uint64_t size)
{
	section(elf, ".debug_info", SHT_PROGBITS, 0, elf->file->size, UNIT, 0);
	put_unit(elf->file, code, size, 0);
}

#define PROGRAM_HEADER (4 + 2 + 4 + 25 + 3)

/*
 * The header of a line program whose rows, with size bytes, follow n headers more: each ends with
 * an opcode that nobody knows, as long as the header after it.
 */
static void put_program(struct csg_enc_bytes *file, size_t n, size_t size)
{
	static const uint8_t header[] = {4, 1, 1, 1, 14, 13, 0,	  1, 1, 1, 1, 0, 0,
					 0, 1, 0, 0, 1,	 0,  'a', 0, 0, 0, 0, 0};

	csg_enc_bytes_u32(file, (uint32_t)(PROGRAM_HEADER * (n + 1) - 4 + size));
	csg_enc_bytes_u16(file, 4);
	csg_enc_bytes_u32(file, sizeof(header));
	csg_enc_bytes_put(file, header, sizeof(header));
	csg_enc_bytes_u8(file, 0);
	csg_enc_bytes_u8(file, n ? 1 + PROGRAM_HEADER - 3 : 1);
	csg_enc_bytes_u8(file, 0x80);
}

/* A number below 2^28 in four bytes. */
static void put_leb128(struct csg_enc_bytes *file, size_t value)
{
	for (unsigned int i = 0; i < 4; i++, value >>= 7)
		csg_enc_bytes_u8(file, (uint8_t)((value & 0x7f) | (i < 3 ? 0x80 : 0)));
}

#define ROWS_MORE (11 + 5 + 3) /* bytes besides those of the rows */

/* Rows of one byte each at one address, the last of which reaches to the end of .text. */
static void put_rows(struct csg_enc_bytes *file, size_t rows)
{
	csg_enc_bytes_put(file, "\0\x09\2", 3); /* DW_LNE_set_address */
	csg_enc_bytes_u64(file, TEXT_AT);
	for (size_t i = 0; i < rows; i++)
		csg_enc_bytes_u8(file, 14); /* a row: one line on, address as it was */
	csg_enc_bytes_u8(file, 2);	    /* DW_LNS_advance_pc */
	put_leb128(file, TEXT / 4);
	csg_enc_bytes_put(file, "\0\1\1", 3); /* DW_LNE_end_sequence */
}

static void lines(struct csg_enc_bytes *file, size_t megabytes)
{
	struct elf elf;
	size_t at;

	begin_elf(&elf, file);
	put_abbrev(&elf);
	put_info(&elf, TEXT_AT, TEXT);
	at = file->size;
	put_program(file, 0, ROWS_MORE + (megabytes << 20));
	put_rows(file, megabytes << 20);
	section(&elf, ".debug_line", SHT_PROGBITS, 0, at, file->size - at, 0);
	end_elf(&elf, 0);
}

#define SHARED_ROWS 10000

/* Units of four bytes of code each, whose line programs have a header each and the same rows. */
static void shared(struct csg_enc_bytes *file, size_t n)
{
	struct elf elf;
	size_t at;

	begin_elf(&elf, file);
	put_abbrev(&elf);
	at = file->size;
	for (size_t i = 0; i < n; i++)
		put_unit(file, TEXT_AT + 4 * i, 4, i * PROGRAM_HEADER);
	section(&elf, ".debug_info", SHT_PROGBITS, 0, at, file->size - at, 0);
	at = file->size;
	for (size_t i = n; i-- > 0;)
		put_program(file, i, ROWS_MORE + SHARED_ROWS);
	put_rows(file, SHARED_ROWS);
	section(&elf, ".debug_line", SHT_PROGBITS, 0, at, file->size - at, 0);
	end_elf(&elf, 0);
}

/* Units in a compressed section, all the same. */
static void units(struct csg_enc_bytes *file, size_t n)
{
	struct csg_enc_bytes unit = {0};
	struct elf elf;
	size_t at;

	begin_elf(&elf, file);
	put_abbrev(&elf);
	put_unit(&unit, TEXT_AT, TEXT, 0);
	compressed(&elf, ".debug_info", unit.data, unit.size, (uint64_t)n * UNIT);
	csg_enc_bytes_fini(&unit);
	at = file->size;
	put_program(file, 0, ROWS_MORE + 1);
	put_rows(file, 1);
	section(&elf, ".debug_line", SHT_PROGBITS, 0, at, file->size - at, 0);
	end_elf(&elf, 0);
}

/* A frame of zstd that is not compressed at all, below 128 KB. */
static void put_zstd(struct csg_enc_bytes *to, const struct csg_enc_bytes *from)
{
	const uint32_t block = (uint32_t)(from->size << 3 | 1);

	csg_enc_bytes_put(to, "\x28\xb5\x2f\xfd\xa0", 5); /* one segment, of a size in four bytes */
	csg_enc_bytes_u32(to, (uint32_t)from->size);
	csg_enc_bytes_put(to, &block, 3); /* the last block, as it is */
	csg_enc_bytes_put(to, from->data, from->size);
}

/* A line program of this many rows as zstd has it. */
static void lines_zstd(struct csg_enc_bytes *file, size_t rows)
{
	struct csg_enc_bytes program = {0};
	Elf64_Chdr header = {.ch_type = ELFCOMPRESS_ZSTD, .ch_addralign = 1};
	struct elf elf;
	size_t at;

	begin_elf(&elf, file);
	put_abbrev(&elf);
	put_info(&elf, TEXT_AT, TEXT);
	put_program(&program, 0, ROWS_MORE + rows);
	put_rows(&program, rows);
	header.ch_size = program.size;
	csg_enc_bytes_align(file, 8);
	at = file->size;
	csg_enc_bytes_put(file, &header, sizeof(header));
	put_zstd(file, &program);
	csg_enc_bytes_fini(&program);
	section(&elf, ".debug_line", SHT_PROGBITS, SHF_COMPRESSED, at, file->size - at, 0);
	end_elf(&elf, 0);
}

/* A unit's abbreviation, after n others. */
static void abbrevs(struct csg_enc_bytes *file, size_t n)
{
	struct elf elf;
	size_t at;

	begin_elf(&elf, file);
	at = file->size;
	for (size_t i = 0; i < n; i++) {
		put_leb128(file, i + 2);
		csg_enc_bytes_put(file, "\x34\0\0\0", 4); /* a variable without attributes */
	}
	csg_enc_bytes_put(file, unit_abbrev, sizeof(unit_abbrev));
	section(&elf, ".debug_abbrev", SHT_PROGBITS, 0, at, file->size - at, 0);
	put_info(&elf, TEXT_AT, TEXT);
	at = file->size;
	put_program(file, 0, ROWS_MORE + 1);
	put_rows(file, 1);
	section(&elf, ".debug_line", SHT_PROGBITS, 0, at, file->size - at, 0);
	end_elf(&elf, 0);
}

#define RANGES 20000

/* This many units, each with the same list of ranges. */
static void ranges(struct csg_enc_bytes *file, size_t units)
{
	static const uint8_t abbrev[] = {1,    0x11, 0, 0x11, 1, 0x55, 0x17,
					 0x10, 0x17, 0, 0,    0}; /* low_pc, ranges, stmt_list */
	struct elf elf;
	size_t at;

	begin_elf(&elf, file);
	section(&elf, ".debug_abbrev", SHT_PROGBITS, 0, file->size, sizeof(abbrev), 0);
	csg_enc_bytes_put(file, abbrev, sizeof(abbrev));
	at = file->size;
	for (size_t i = 0; i < units; i++) {
		csg_enc_bytes_u32(file, 24);
		csg_enc_bytes_u16(file, 4);
		csg_enc_bytes_u32(file, 0);
		csg_enc_bytes_u8(file, 8);
		csg_enc_bytes_u8(file, 1);
		csg_enc_bytes_u64(file, BASE);
		csg_enc_bytes_u32(file, 0);
		csg_enc_bytes_u32(file, 0);
	}
	section(&elf, ".debug_info", SHT_PROGBITS, 0, at, file->size - at, 0);
	at = file->size;
	for (uint64_t i = 0; i < RANGES; i++) {
		csg_enc_bytes_u64(file, i);
		csg_enc_bytes_u64(file, i + 1);
	}
	csg_enc_bytes_u64(file, 0);
	csg_enc_bytes_u64(file, 0);
	section(&elf, ".debug_ranges", SHT_PROGBITS, 0, at, file->size - at, 0);
	section(&elf, ".debug_line", SHT_PROGBITS, 0, at, 16, 0);
	end_elf(&elf, 0);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*make)(struct csg_enc_bytes *file, size_t n);
	} bombs[] = {{"queues", queues},	{"pipe", queues_piped},
		     {"events", events},	{"zstd", zstd},
		     {"sections", sections},	{"overlap", overlap},
		     {"inflate", inflate},	{"lines", lines},
		     {"ranges", ranges},	{"shared", shared},
		     {"units", units},		{"abbrevs", abbrevs},
		     {"lines-zstd", lines_zstd}};
	struct csg_enc_bytes file = {0};

	for (size_t i = 0; argc == 4 && i < sizeof(bombs) / sizeof(bombs[0]); i++) {
		if (strcmp(bombs[i].name, argv[1]))
			continue;
		bombs[i].make(&file, strtoul(argv[2], NULL, 0));
		if (csg_enc_bytes_save(&file, argv[3])) {
			perror(argv[3]);
			return 1;
		}
		csg_enc_bytes_fini(&file);
		return 0;
	}
	fprintf(stderr, "usage: bomb KIND N FILE\n");
	return 2;
}
