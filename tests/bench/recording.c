/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recording SNAPSHOT TIMES DIRECTORY
 *
 * The benchmark trace as a perf.data that stock perf decodes as well: what "perf record -e
 * cs_etm//u --per-thread cc1" would have written of the snapshot bugfix-exact-match, with one AUX
 * record and one AUXTRACE record for each of the TIMES times that the trace is repeated, so that
 * every decoder begins anew at each.  DIRECTORY gets the recording perf.data and, for --symfs, the
 * program cc1 made of the snapshot's memory dumps.  They had no symbols; each target of a BL is
 * made one, as it begins a function.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encoder/bytes.h"
#include "encoder/perf_writer.h"

#define BASE 0x400000u /* where the program's file begins in memory */
#define TEXT 1	       /* sections[] that holds the code */
#define UNITS 6
#define FIRST_ID 0x10 /* TRCTRACEIDR of CPU 0; that of the next is 2 more */
#define PID 1000
#define FIRST_NS UINT64_C(1000000000)
#define ROUND_NS UINT64_C(1000000)

static const struct {
	const char *name, *file;
	uint32_t address;
} sections[] = {
	{".init", "cc1.init_dump.bin", 0x4001D8},
	{".text", "cc1.text_dump.bin", 0x400200},
	{"__libc_freeres_fn", "cc1__libc_freeres_fn_dump.bin", 0x5CE9C0},
	{"__libc_thread_freeres_fn", "cc1__libc_thread_freeres_fn_dump.bin", 0x5CF610},
	{".fini", "cc1.fini_dump.bin", 0x5CF700},
};

#define SECTIONS (sizeof(sections) / sizeof(sections[0]))

/* Section headers: none, the dumps, then these. */
enum { SYMTAB = SECTIONS + 1, STRTAB, SHSTRTAB, HEADERS };

static void fail(const char *what)
{
	fprintf(stderr, "recording: %s\n", what);
	exit(1);
}

static void save(const struct csg_enc_bytes *b, const char *directory, const char *file)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", directory, file);
	if (csg_enc_bytes_save(b, path))
		fail(path);
}

static void load(struct csg_enc_bytes *b, const char *directory, const char *file)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", directory, file);
	if (csg_enc_bytes_load(b, path))
		fail(path);
}

/* Marks the targets of all BL of the text in begins[], a flag for each of its n words. */
static void find_functions(const struct csg_enc_bytes *code, uint8_t *begins, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t insn;
		int64_t target;

		memcpy(&insn, code->data + sections[TEXT].address - BASE + 4 * i, 4);
		if (insn >> 26 != 0x25)
			continue;
		target = (int64_t)i + ((int32_t)(insn << 6) >> 6);
		if (target >= 0 && (size_t)target < n)
			begins[target] = 1;
	}
}

static void put_symbols(const struct csg_enc_bytes *code, size_t n, struct csg_enc_bytes *symbols,
			struct csg_enc_bytes *names)
{
	uint8_t *begins = csg_enc_grow(NULL, n);

	memset(begins, 0, n);
	find_functions(code, begins, n);
	csg_enc_bytes_zero(symbols, sizeof(Elf64_Sym));
	csg_enc_bytes_u8(names, 0);
	for (size_t i = 0, end; i < n; i = end) {
		Elf64_Sym s = {.st_name = (uint32_t)names->size,
			       .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			       .st_shndx = TEXT + 1,
			       .st_value = sections[TEXT].address + 4 * i};
		char name[32];

		for (end = i + 1; end < n && !begins[end]; end++)
			;
		s.st_size = 4 * (end - i);
		csg_enc_bytes_put(symbols, &s, sizeof(s));
		snprintf(name, sizeof(name), "function_%zx", (size_t)s.st_value);
		csg_enc_bytes_put(names, name, strlen(name) + 1);
	}
	free(begins);
}

/* Puts what follows the code in the file, and its header. */
static void put_section(struct csg_enc_bytes *file, Elf64_Shdr *header, uint32_t type,
			const struct csg_enc_bytes *contents)
{
	csg_enc_bytes_align(file, 8);
	header->sh_type = type;
	header->sh_offset = file->size;
	header->sh_size = contents->size;
	header->sh_addralign = 8;
	csg_enc_bytes_put(file, contents->data, contents->size);
}

static uint32_t put_name(struct csg_enc_bytes *names, const char *name)
{
	uint32_t at = (uint32_t)names->size;

	csg_enc_bytes_put(names, name, strlen(name) + 1);
	return at;
}

static void put_elf_headers(struct csg_enc_bytes *file, size_t code, size_t headers)
{
	const Elf64_Ehdr elf = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			    EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = EM_AARCH64,
		.e_version = EV_CURRENT,
		.e_entry = sections[TEXT].address,
		.e_phoff = sizeof(Elf64_Ehdr),
		.e_shoff = headers,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = HEADERS,
		.e_shstrndx = SHSTRTAB,
	};
	const Elf64_Phdr segment = {.p_type = PT_LOAD,
				    .p_flags = PF_R | PF_X,
				    .p_vaddr = BASE,
				    .p_paddr = BASE,
				    .p_filesz = code,
				    .p_memsz = code,
				    .p_align = 0x10000};

	memcpy(file->data, &elf, sizeof(elf));
	memcpy(file->data + sizeof(elf), &segment, sizeof(segment));
}

/* Writes the program.  Returns the size of its mapping. */
static size_t write_program(const char *snapshot, const char *directory)
{
	struct csg_enc_bytes file = {0}, symbols = {0}, names = {0}, titles = {0};
	Elf64_Shdr headers[HEADERS] = {0};
	size_t code, at;

	csg_enc_bytes_u8(&titles, 0);
	for (size_t i = 0; i < SECTIONS; i++) {
		Elf64_Shdr *h = &headers[i + 1];

		csg_enc_bytes_zero(&file, sections[i].address - BASE - file.size);
		h->sh_name = put_name(&titles, sections[i].name);
		h->sh_type = SHT_PROGBITS;
		h->sh_flags = SHF_ALLOC | SHF_EXECINSTR;
		h->sh_addr = sections[i].address;
		h->sh_offset = file.size;
		h->sh_addralign = 4;
		load(&file, snapshot, sections[i].file);
		h->sh_size = file.size - h->sh_offset;
	}
	code = file.size;
	put_symbols(&file, headers[TEXT + 1].sh_size / 4, &symbols, &names);
	headers[SYMTAB] = (Elf64_Shdr){.sh_name = put_name(&titles, ".symtab"),
				       .sh_link = STRTAB,
				       .sh_info = 1,
				       .sh_entsize = sizeof(Elf64_Sym)};
	headers[STRTAB].sh_name = put_name(&titles, ".strtab");
	headers[SHSTRTAB].sh_name = put_name(&titles, ".shstrtab");
	put_section(&file, &headers[SYMTAB], SHT_SYMTAB, &symbols);
	put_section(&file, &headers[STRTAB], SHT_STRTAB, &names);
	put_section(&file, &headers[SHSTRTAB], SHT_STRTAB, &titles);
	csg_enc_bytes_align(&file, 8);
	at = file.size;
	csg_enc_bytes_put(&file, headers, sizeof(headers));
	put_elf_headers(&file, code, at);
	save(&file, directory, "cc1");
	csg_enc_bytes_fini(&file);
	csg_enc_bytes_fini(&symbols);
	csg_enc_bytes_fini(&names);
	csg_enc_bytes_fini(&titles);
	return code;
}

/* The six trace units as the snapshot's .ini files have them. */
static void put_auxtrace_info(struct csg_enc_perf *p)
{
	struct csg_enc_bytes b = {0};

	csg_enc_bytes_u32(&b, 3); /* PERF_AUXTRACE_CS_ETM */
	csg_enc_bytes_u32(&b, 0);
	csg_enc_bytes_u64(&b, 1); /* version of the header */
	csg_enc_bytes_u64(&b, (uint64_t)p->options.pmu_type << 32 | UNITS);
	csg_enc_bytes_u64(&b, 0); /* snapshot */
	for (unsigned cpu = 0; cpu < UNITS; cpu++) {
		const uint64_t unit[] = {
			0x4040404040404040, cpu,   8, 0,    FIRST_ID + 2 * cpu,
			0x28000EA1, /* TRCIDR0 */
			0x4100F403,	    0x488, 0, 0xCC, UINT64_MAX /* no FEAT_TRF */,
		};

		for (size_t i = 0; i < sizeof(unit) / sizeof(unit[0]); i++)
			csg_enc_bytes_u64(&b, unit[i]);
	}
	csg_enc_perf_record(p, 70, 0, &b, NULL);
	csg_enc_bytes_fini(&b);
}

static void put_process(struct csg_enc_perf *p, size_t size, uint64_t id)
{
	const struct csg_enc_perf_sample sample = {
		.pid = PID, .tid = PID, .cpu = 1, .time = FIRST_NS, .id = id};
	const struct csg_enc_perf_mmap map = {.pid = PID,
					      .tid = PID,
					      .start = BASE,
					      .size = (size + 0xfff) & ~(size_t)0xfff,
					      .name = "/cc1",
					      .major = 8,
					      .minor = 1,
					      .inode = 42};

	csg_enc_perf_comm(p, PID, PID, "cc1", true, &sample);
	csg_enc_perf_mmap2(p, CSG_ENC_MISC_USER, &map, &sample);
	csg_enc_perf_itrace_start(p, PID, PID, &sample);
}

static void put_trace(struct csg_enc_perf *p, const struct csg_enc_bytes *trace, unsigned times,
		      uint64_t id)
{
	for (unsigned i = 0; i < times; i++) {
		const struct csg_enc_perf_sample sample = {.pid = PID,
							   .tid = PID,
							   .cpu = 1,
							   .time = FIRST_NS + (i + 1) * ROUND_NS,
							   .id = id};
		uint64_t at = (uint64_t)i * trace->size;

		csg_enc_perf_aux(p, at, trace->size, 0, &sample);
		csg_enc_perf_auxtrace(p, CSG_ENC_PERF_ANY, PID, at, sample.time, trace->data,
				      trace->size);
		csg_enc_perf_finished_round(p);
	}
}

int main(int argc, char **argv)
{
	const struct csg_enc_model plain = {0};
	struct csg_enc_bytes trace = {0}, file = {0};
	struct csg_enc_perf perf;
	uint64_t dummy, etm;

	if (argc != 4)
		fail("usage: recording SNAPSHOT TIMES DIRECTORY");
	load(&trace, argv[1], "cstrace.bin");
	csg_enc_perf_init(&perf);
	perf.options.release = "6.12.0";
	perf.options.cmdline = "perf record -e cs_etm//u --per-thread cc1";
	perf.options.cpus = UNITS;
	etm = csg_enc_perf_add_etm(&perf, &plain,
				   CSG_ENC_ATTR_EXCLUDE_KERNEL | CSG_ENC_ATTR_EXCLUDE_HV, PID);
	dummy = csg_enc_perf_add_dummy(&perf,
				       CSG_ENC_ATTR_EXCLUDE_KERNEL | CSG_ENC_ATTR_EXCLUDE_HV |
					       CSG_ENC_ATTR_MMAP | CSG_ENC_ATTR_MMAP2 |
					       CSG_ENC_ATTR_COMM | CSG_ENC_ATTR_COMM_EXEC |
					       CSG_ENC_ATTR_TASK,
				       PID);
	csg_enc_perf_id_index(&perf);
	csg_enc_perf_time_conv(&perf, 0, 1, 0);
	put_auxtrace_info(&perf);
	put_process(&perf, write_program(argv[1], argv[3]), dummy);
	put_trace(&perf, &trace, (unsigned)atoi(argv[2]), etm);
	csg_enc_perf_finish(&perf, &file);
	save(&file, argv[3], "perf.data");
	csg_enc_bytes_fini(&file);
	csg_enc_bytes_fini(&trace);
	csg_enc_perf_fini(&perf);
	return 0;
}
