/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/image.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csguest/error.h"
#include "elf_maker.h"
#include "recording/recording.h"
#include "suite.h"

static const uint8_t id_a[20] = {0xaa, 0xbb, 1, 2, 3}, id_b[20] = {0xaa, 0xbb, 9, 9, 9};

struct said {
	int count, error;
	char file[256], text[512];
};

static void hear(void *arg, const struct csg_diag *diag)
{
	struct said *said = arg;

	said->count++;
	said->error = diag->error;
	snprintf(said->file, sizeof(said->file), "%s", diag->file ? diag->file : "");
	snprintf(said->text, sizeof(said->text), "%s", diag->text);
}

/* A directory of its own for each test, gone afterwards. */
static char *make_dir(char *dir)
{
	const char *tmp = getenv("TMPDIR");

	sprintf(dir, "%s/csg-image-XXXXXX", tmp ? tmp : "/tmp");
	return mkdtemp(dir);
}

static void remove_dir(const char *dir)
{
	char command[600];

	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	CU_ASSERT_EQUAL(system(command), 0);
}

__attribute__((format(printf, 2, 3))) static char *path_of(char *path, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(path, 512, format, ap);
	va_end(ap);
	return path;
}

static void make_dirs(const char *path)
{
	char part[512];

	for (const char *at = path + 1; (at = strchr(at, '/')); at++) {
		snprintf(part, sizeof(part), "%.*s", (int)(at - path), path);
		mkdir(part, 0755);
	}
}

/* "main" at offset 0x100 .. of a program linked to 0x400000. */
static void write_program(const char *path, const uint8_t *id)
{
	static struct elf_maker m;
	uint8_t code[64];
	size_t text;

	elf_begin_file(&m, 0x400000);
	if (id)
		elf_add_build_id(&m, id);
	for (size_t i = 0; i < sizeof(code); i++)
		code[i] = (uint8_t)(0x40 + i);
	text = elf_add_section(&m, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code,
			       sizeof(code));
	elf_add_symbol(&m, "main", m.sections[text].sh_addr, 32, STB_GLOBAL, STT_FUNC, text);
	elf_add_symbol(&m, "$x", m.sections[text].sh_addr, 0, STB_LOCAL, STT_NOTYPE, text);
	elf_end_file(&m, ET_EXEC, EM_AARCH64);
	make_dirs(path);
	CU_ASSERT_EQUAL(elf_write_file(&m, path), 0);
}

static struct csg_event map_event(int32_t pid, uint64_t start, uint64_t len, const char *path,
				  const uint8_t *id, uint64_t time)
{
	struct csg_event event = {.kind = CSG_EVENT_MAP, .pid = pid, .tid = pid, .time = time};

	event.map =
		(struct csg_mapping){.start = start, .len = len, .path = path, .executable = true};
	if (id) {
		memcpy(event.map.build_id, id, 20);
		event.map.build_id_size = 20;
	}
	return event;
}

struct world {
	char dir[256];
	struct said said;
	struct csg_image *image;
	struct csg_machine *machine;
};

static void begin(struct world *w, const struct csg_image_options *options)
{
	struct csg_diag_sink sink = {hear, &w->said};

	CU_ASSERT_EQUAL_FATAL(csg_image_create(&w->image, options, &sink), 0);
	CU_ASSERT_EQUAL_FATAL(csg_image_machine(w->image, 0, &w->machine), 0);
}

static void end(struct world *w)
{
	csg_image_destroy(w->image);
	remove_dir(w->dir);
}

static void code_and_symbols_come_from_the_build_id_cache(void)
{
	static const char *const layouts[] = {
		"%s/.build-id/aa/bb010203000000000000000000000000000000",
		"%s/.build-id/aa/bb010203000000000000000000000000000000/elf"};

	for (size_t i = 0; i < 2; i++) {
		struct world w = {0};
		struct csg_image_options options = {.buildid_dir = make_dir(w.dir)};
		struct csg_event event = map_event(7, 0x400000, 0x1000, "/usr/bin/x", id_a, 5);
		struct csg_symbol symbol;
		const uint8_t *bytes;
		uint64_t until, text;
		char path[512];
		size_t len;

		snprintf(path, sizeof(path), layouts[i], w.dir);
		write_program(path, id_a);
		begin(&w, &options);
		CU_ASSERT_EQUAL(csg_machine_event(w.machine, &event), 0);
		text = 0x4000e0;
		CU_ASSERT_EQUAL_FATAL(csg_space_code(csg_machine_process(w.machine, 7), text, 10,
						     &bytes, &len, &until),
				      0);
		CU_ASSERT_EQUAL(bytes[0], 0x40);
		CU_ASSERT_EQUAL(bytes[63], 0x40 + 63);
		CU_ASSERT_EQUAL(until, UINT64_MAX);
		CU_ASSERT_EQUAL(
			csg_space_symbol(csg_machine_process(w.machine, 7), text + 31, 10, &symbol),
			0);
		CU_ASSERT_STRING_EQUAL_FATAL(symbol.name, "main");
		CU_ASSERT_EQUAL(symbol.start, text);
		CU_ASSERT_EQUAL(symbol.end, text + 32);
		CU_ASSERT_EQUAL(symbol.dso_offset, text + 31);
		CU_ASSERT_STRING_EQUAL(symbol.dso, "/usr/bin/x");
		CU_ASSERT_STRING_EQUAL(symbol.dso_file, path);
		CU_ASSERT_EQUAL(w.said.count, 0);
		end(&w);
	}
}

static void a_file_with_another_build_id_is_refused_and_named(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .symfs = make_dir(w.dir)};
	struct csg_event event = map_event(7, 0x400000, 0x1000, "/usr/bin/x", id_a, 5);
	const struct csg_missing *missing;
	struct csg_symbol symbol;
	const uint8_t *bytes;
	char path[512];
	size_t len, n;

	write_program(path_of(path, "%s/usr/bin/x", w.dir), id_b);
	begin(&w, &options);
	csg_machine_event(w.machine, &event);
	for (int i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(csg_space_code(csg_machine_process(w.machine, 7), 0x400100 + i, 10,
					       &bytes, &len, NULL),
				-CSG_E_BUILD_ID);
	CU_ASSERT_EQUAL(w.said.count, 1);
	CU_ASSERT_EQUAL(w.said.error, CSG_E_BUILD_ID);
	CU_ASSERT_STRING_EQUAL(w.said.file, path);
	CU_ASSERT_PTR_NOT_NULL(strstr(w.said.text, "aabb090909"));
	CU_ASSERT_PTR_NOT_NULL(strstr(w.said.text, "aabb010203"));
	missing = csg_image_missing(w.image, &n);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_STRING_EQUAL(missing[0].path, "/usr/bin/x");
	CU_ASSERT_EQUAL(missing[0].error, -CSG_E_BUILD_ID);
	CU_ASSERT_EQUAL(missing[0].first_address, 0x400100);
	CU_ASSERT_EQUAL(missing[0].count, 3);
	CU_ASSERT_EQUAL(missing[0].build_id[1], 0xbb);
	CU_ASSERT_EQUAL(csg_space_symbol(csg_machine_process(w.machine, 7), 0x400100, 10, &symbol),
			0);
	CU_ASSERT_PTR_NULL(symbol.name);
	CU_ASSERT_STRING_EQUAL(symbol.dso, "/usr/bin/x");
	end(&w);
}

/* What use_paths opens is at its own path. */
static void this_machines_files_count_only_with_the_build_id(void)
{
	static const struct {
		const uint8_t *recorded, *file;
		bool use_paths;
		int error;
	} cases[] = {
		{id_a, id_a, true, 0},
		{id_a, id_a, false, -CSG_E_NO_IMAGE},
		{id_a, id_b, true, -CSG_E_BUILD_ID},
		{id_a, NULL, true, -CSG_E_BUILD_ID},
		{NULL, id_a, true, -CSG_E_NO_IMAGE},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct world w = {0};
		struct csg_image_options options = {.buildid_dir = "",
						    .use_paths = cases[i].use_paths};
		struct csg_event event;
		const uint8_t *bytes;
		char path[512];
		size_t len;

		make_dir(w.dir);
		write_program(path_of(path, "%s/x", w.dir), cases[i].file);
		event = map_event(7, 0x400000, 0x1000, path, cases[i].recorded, 5);
		begin(&w, &options);
		csg_machine_event(w.machine, &event);
		CU_ASSERT_EQUAL(csg_space_code(csg_machine_process(w.machine, 7), 0x400100, 10,
					       &bytes, &len, NULL),
				cases[i].error);
		end(&w);
	}
}

static void without_a_recorded_build_id_symfs_is_believed(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .symfs = make_dir(w.dir)};
	struct csg_event event = map_event(7, 0x400000, 0x1000, "/usr/bin/x", NULL, 5);
	const uint8_t *bytes;
	char path[512];
	size_t len;

	write_program(path_of(path, "%s/usr/bin/x", w.dir), id_b);
	begin(&w, &options);
	csg_machine_event(w.machine, &event);
	CU_ASSERT_EQUAL(
		csg_space_code(csg_machine_process(w.machine, 7), 0x400100, 10, &bytes, &len, NULL),
		0);
	end(&w);
}

static void processes_and_machines_are_apart(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = make_dir(w.dir)};
	struct csg_kernel_options guest_files = {0};
	struct csg_event event = map_event(7, 0x400000, 0x1000, "/bin/g", NULL, 5);
	struct csg_machine *guest;
	const uint8_t *bytes;
	char path[512], root[512];
	size_t len;

	write_program(path_of(path, "%s/guest/bin/g", w.dir), NULL);
	begin(&w, &options);
	CU_ASSERT_EQUAL(csg_image_machine(w.image, 4711, &guest), 0);
	guest_files.root = path_of(root, "%s/guest", w.dir);
	CU_ASSERT_EQUAL(csg_machine_set_kernel(guest, &guest_files), 0);
	csg_machine_event(guest, &event);
	CU_ASSERT_EQUAL(
		csg_space_code(csg_machine_process(guest, 7), 0x400100, 10, &bytes, &len, NULL), 0);
	CU_ASSERT_EQUAL(
		csg_space_code(csg_machine_process(guest, 8), 0x400100, 10, &bytes, &len, NULL),
		-CSG_E_NO_IMAGE);
	CU_ASSERT_EQUAL(
		csg_space_code(csg_machine_process(w.machine, 7), 0x400100, 10, &bytes, &len, NULL),
		-CSG_E_NO_IMAGE);
	end(&w);
}

static void threads_have_names_over_time(void)
{
	struct world w = {0};
	struct csg_event event = {.kind = CSG_EVENT_COMM, .pid = 5, .tid = 5, .comm = "sh"};
	const char *comm;

	make_dir(w.dir);
	begin(&w, NULL);
	csg_machine_event(w.machine, &event);
	event = (struct csg_event){
		.kind = CSG_EVENT_FORK, .pid = 6, .tid = 6, .ppid = 5, .ptid = 5, .time = 10};
	csg_machine_event(w.machine, &event);
	event = (struct csg_event){
		.kind = CSG_EVENT_COMM, .pid = 6, .tid = 6, .comm = "ls", .exec = true, .time = 20};
	csg_machine_event(w.machine, &event);
	CU_ASSERT_EQUAL(csg_machine_thread(w.machine, 6, 9, &comm), -1);
	CU_ASSERT_PTR_NULL(comm);
	CU_ASSERT_EQUAL(csg_machine_thread(w.machine, 6, 15, &comm), 6);
	CU_ASSERT_STRING_EQUAL(comm, "sh");
	CU_ASSERT_EQUAL(csg_machine_thread(w.machine, 6, 20, &comm), 6);
	CU_ASSERT_STRING_EQUAL(comm, "ls");
	CU_ASSERT_EQUAL(csg_machine_thread(w.machine, 99, 20, NULL), -1);
	end(&w);
}

static void exec_clears_and_fork_inherits(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .symfs = make_dir(w.dir)};
	struct csg_event events[] = {
		map_event(5, 0x400000, 0x1000, "/x", NULL, 1),
		{.kind = CSG_EVENT_FORK, .pid = 6, .tid = 6, .ppid = 5, .ptid = 5, .time = 10},
		{.kind = CSG_EVENT_COMM, .pid = 6, .tid = 6, .comm = "y", .exec = true, .time = 20},
	};
	const uint8_t *bytes;
	uint64_t until;
	char path[512];
	size_t len;

	write_program(path_of(path, "%s/x", w.dir), NULL);
	begin(&w, &options);
	for (size_t i = 0; i < 3; i++)
		csg_machine_event(w.machine, &events[i]);
	CU_ASSERT_EQUAL(csg_space_code(csg_machine_process(w.machine, 6), 0x400100, 15, &bytes,
				       &len, &until),
			0);
	CU_ASSERT_EQUAL(until, 20);
	CU_ASSERT_EQUAL(
		csg_space_code(csg_machine_process(w.machine, 6), 0x400100, 20, &bytes, &len, NULL),
		-CSG_E_NO_IMAGE);
	CU_ASSERT_EQUAL(
		csg_space_code(csg_machine_process(w.machine, 5), 0x400100, 20, &bytes, &len, NULL),
		0);
	end(&w);
}

static void a_snapshots_dumps_are_seen_by_exception_level_and_core(void)
{
	struct world w = {0};
	struct csg_dump dump = {.address = 0x8000, .space = "EL2", .cpu = 1};
	const uint8_t *bytes;
	char path[512];
	size_t len;
	FILE *f;

	make_dir(w.dir);
	begin(&w, NULL);
	dump.path = path_of(path, "%s/mem.bin", w.dir);
	f = fopen(path, "w");
	fputs("0123456789", f);
	fclose(f);
	CU_ASSERT_EQUAL(csg_machine_dump(w.machine, &dump), 0);
	dump.offset = 4;
	dump.space = NULL;
	dump.cpu = 2;
	dump.size = 100;
	CU_ASSERT_EQUAL(csg_machine_dump(w.machine, &dump), -CSG_E_TRUNCATED);
	CU_ASSERT_EQUAL(w.said.error, CSG_E_TRUNCATED);
	CU_ASSERT_EQUAL(csg_space_code(csg_machine_memory(w.machine, 1, CSG_EL2, CSG_NON_SECURE),
				       0x8001, 0, &bytes, &len, NULL),
			0);
	CU_ASSERT_EQUAL(bytes[0], '1');
	CU_ASSERT_EQUAL(len, 9);
	CU_ASSERT_EQUAL(csg_space_code(csg_machine_memory(w.machine, 1, CSG_EL1, CSG_NON_SECURE),
				       0x8001, 0, &bytes, &len, NULL),
			0);
	CU_ASSERT_EQUAL(bytes[0], '5');
	CU_ASSERT_EQUAL(len, 5);
	CU_ASSERT_EQUAL(csg_space_code(csg_machine_memory(w.machine, 1, CSG_EL2, CSG_NON_SECURE),
				       0x9000, 0, &bytes, &len, NULL),
			-CSG_E_NO_IMAGE);
	end(&w);
}

/* The real thing: perf archive of an N1SDP recording, a static program. */
static void n1sdps_archive_gives_code_and_symbols(void)
{
	static const uint8_t id[20] = {0xea, 0x6c, 0xe2, 0xd9, 0xfb, 0x13, 0x1c, 0xbd, 0xc1, 0x77,
				       0x58, 0x06, 0xf2, 0xb4, 0x03, 0x06, 0xb8, 0x71, 0xd5, 0xc0};
	const char *captures = getenv("CSGUEST_CAPTURES");
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = make_dir(w.dir)};
	struct csg_event event = map_event(265475, 0x400000, 0x77000, "/home/sort", id, 5);
	struct csg_symbol symbol;
	const uint8_t *bytes;
	char command[1200];
	uint32_t first;
	size_t len;

	snprintf(command, sizeof(command),
		 "tar -C '%s' -xjf '%s/n1sdp/sort_single_thread/perf.data.tar.bz2' 2>/dev/null",
		 w.dir, captures ? captures : "../shared/captures");
	if (system(command)) {
		printf("skip image/image n1sdps_archive: no captures (set CSGUEST_CAPTURES)\n");
		remove_dir(w.dir);
		return;
	}
	begin(&w, &options);
	csg_machine_event(w.machine, &event);
	CU_ASSERT_EQUAL_FATAL(csg_space_code(csg_machine_process(w.machine, 265475), 0x400570, 6,
					     &bytes, &len, NULL),
			      0);
	memcpy(&first, bytes, 4);
	CU_ASSERT_EQUAL(first, 0xd280001d); /* mov x29, #0: _start */
	CU_ASSERT_EQUAL(
		csg_space_symbol(csg_machine_process(w.machine, 265475), 0x400574, 6, &symbol), 0);
	CU_ASSERT_STRING_EQUAL_FATAL(symbol.name, "_start");
	CU_ASSERT_EQUAL(symbol.start, 0x400570);
	end(&w);
}

CSG_SUITE(image, image, CSG_TEST(code_and_symbols_come_from_the_build_id_cache),
	  CSG_TEST(a_file_with_another_build_id_is_refused_and_named),
	  CSG_TEST(this_machines_files_count_only_with_the_build_id),
	  CSG_TEST(without_a_recorded_build_id_symfs_is_believed),
	  CSG_TEST(processes_and_machines_are_apart), CSG_TEST(threads_have_names_over_time),
	  CSG_TEST(exec_clears_and_fork_inherits),
	  CSG_TEST(a_snapshots_dumps_are_seen_by_exception_level_and_core),
	  CSG_TEST(n1sdps_archive_gives_code_and_symbols));
