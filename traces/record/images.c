// SPDX-License-Identifier: BSD-3-Clause
#include "images.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols.h"
#include "util.h"

/* A file in memory, and which of its bytes stay. */
struct thin {
	uint8_t *bytes;
	size_t size;
	uint8_t *keep; /* a bit for a byte would be too fine: a byte for every 8 */
	unsigned patched;
};

static void keep(struct thin *t, uint64_t from, uint64_t size)
{
	for (uint64_t i = from / 8; size && i <= (from + size - 1) / 8 && i < t->size / 8 + 1; i++)
		t->keep[i] = 1;
}

static int thin_open(struct thin *t, const char *path)
{
	memset(t, 0, sizeof(*t));
	t->bytes = load(path, &t->size);
	t->keep = t->bytes ? calloc(1, t->size / 8 + 1) : NULL;
	return t->keep ? 0 : -1;
}

static void thin_close(struct thin *t)
{
	free(t->bytes);
	free(t->keep);
}

static int make_parents(char *path)
{
	for (char *p = path + 1; (p = strchr(p, '/')); p++) {
		*p = 0;
		if (mkdir(path, 0777) && errno != EEXIST) {
			perror(path);
			return -1;
		}
		*p = '/';
	}
	return 0;
}

/* Holes where nothing is kept. */
static int thin_save(const struct thin *t, char *path)
{
	FILE *f = make_parents(path) ? NULL : fopen(path, "wb");
	uint8_t piece[CODE_PAGE];
	bool bad = false;

	if (!f) {
		perror(path);
		return -1;
	}
	for (size_t at = 0; at < t->size; at += CODE_PAGE) {
		size_t n = t->size - at < CODE_PAGE ? t->size - at : CODE_PAGE;
		bool any = false;

		for (size_t i = 0; i < n; i++) {
			piece[i] = t->keep[(at + i) / 8] ? t->bytes[at + i] : 0;
			any |= piece[i] != 0;
		}
		if (any)
			bad |= fseek(f, (long)at, SEEK_SET) || fwrite(piece, 1, n, f) != n;
	}
	bad |= fflush(f) || ftruncate(fileno(f), (off_t)t->size);
	if (fclose(f) || bad) {
		perror(path);
		return -1;
	}
	return 0;
}

static int copy(const char *from, char *to)
{
	struct thin t;
	int error = thin_open(&t, from);

	if (!error) {
		keep(&t, 0, t.size);
		error = thin_save(&t, to);
	}
	thin_close(&t);
	return error;
}

/* ---- kernels ---- */

static const Elf64_Phdr *load_of(const struct thin *t, uint64_t addr)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)t->bytes;

	for (unsigned i = 0; i < e->e_phnum; i++) {
		const Elf64_Phdr *p = (const Elf64_Phdr *)(t->bytes + e->e_phoff) + i;

		if (p->p_type == PT_LOAD && addr - p->p_vaddr < p->p_filesz &&
		    p->p_offset + p->p_filesz <= t->size)
			return p;
	}
	return NULL;
}

static bool is_elf(const struct thin *t)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)t->bytes;

	return t->size > sizeof(*e) && !memcmp(e->e_ident, ELFMAG, SELFMAG) &&
	       e->e_ident[EI_CLASS] == ELFCLASS64 &&
	       e->e_phoff + e->e_phnum * sizeof(Elf64_Phdr) <= t->size &&
	       e->e_shoff + e->e_shnum * sizeof(Elf64_Shdr) <= t->size;
}

/* Puts a page's executed instructions at an offset, and keeps all of that page. */
static void put_page(struct thin *t, const struct code_page *p, uint64_t at)
{
	keep(t, at, CODE_PAGE);
	for (unsigned i = 0; i < CODE_PAGE / 4; i++)
		if (code_executed(p, i) && at + 4 * i + 4 <= t->size &&
		    get32(t->bytes + at + 4 * i) != p->op[i]) {
			memcpy(t->bytes + at + 4 * i, &p->op[i], 4);
			t->patched++;
		}
}

static int by_address(const void *a, const void *b)
{
	const struct code_page *x = *(const struct code_page *const *)a;
	const struct code_page *y = *(const struct code_page *const *)b;

	return x->base < y->base ? -1 : x->base > y->base;
}

/*
 * A protected host cannot read all of its own memory (pKVM owns some of it), so perf cannot copy
 * its kcore. One is made of nothing but what was executed: a segment for each row of pages.
 */
static int make_kernel(struct thin *t, const struct codemap *code, const struct machine *m)
{
	const struct code_page **page = calloc(code->pages + 1, sizeof(*page));
	Elf64_Ehdr *e;
	Elf64_Phdr *p = NULL;
	size_t n = 0;

	memset(t, 0, sizeof(*t));
	for (size_t i = 0; page && i < code->pages; i++)
		if (code_kernel_of(code->page[i], m->vm, m->nested))
			page[n++] = code->page[i];
	t->size = (1 + n + n * sizeof(*p) / CODE_PAGE) * CODE_PAGE;
	t->bytes = calloc(1, t->size + CODE_PAGE);
	t->keep = calloc(1, t->size / 8 + 1);
	if (!page || !t->bytes || !t->keep) {
		free(page);
		return -1;
	}
	qsort(page, n, sizeof(*page), by_address);
	e = (Elf64_Ehdr *)t->bytes;
	memcpy(e->e_ident, ELFMAG, SELFMAG);
	e->e_ident[EI_CLASS] = ELFCLASS64;
	e->e_ident[EI_DATA] = ELFDATA2LSB;
	e->e_ident[EI_VERSION] = e->e_version = EV_CURRENT;
	e->e_type = ET_CORE;
	e->e_machine = EM_AARCH64;
	e->e_phoff = e->e_ehsize = sizeof(*e);
	e->e_phentsize = sizeof(*p);
	for (size_t i = 0; i < n; i++) {
		if (!i || page[i]->base != page[i - 1]->base + CODE_PAGE) {
			p = (Elf64_Phdr *)(t->bytes + sizeof(*e)) + e->e_phnum++;
			p->p_type = PT_LOAD;
			p->p_flags = PF_R | PF_X;
			p->p_align = CODE_PAGE;
			p->p_vaddr = page[i]->base;
			p->p_offset = t->size - (n - i) * CODE_PAGE;
		}
		p->p_filesz = p->p_memsz += CODE_PAGE;
	}
	keep(t, 0, t->size - n * CODE_PAGE);
	free(page);
	return 0;
}

/* The address of a symbol in a kallsyms file, 0: has none. */
static uint64_t kallsyms_find(const char *path, const char *name)
{
	FILE *f = fopen(path, "r");
	uint64_t found = 0;
	char line[512];

	while (f && !found && fgets(line, sizeof(line), f)) {
		char symbol[400];
		uint64_t addr;

		if (sscanf(line, "%" SCNx64 " %*c %399s", &addr, symbol) == 2 &&
		    !strcmp(symbol, name))
			found = addr;
	}
	if (f)
		fclose(f);
	return found;
}

/*
 * With page table isolation the kernel's trampoline runs at an address of its own, in the fixmap,
 * which /proc/kcore leaves out: the page of the trampoline's text that holds what was executed
 * there.
 */
static const Elf64_Phdr *alias_of(const struct thin *t, const struct code_page *p,
				  const char *kallsyms, uint64_t *own)
{
	uint64_t end = kallsyms_find(kallsyms, "__entry_tramp_text_end");
	const Elf64_Phdr *l;

	for (*own = kallsyms_find(kallsyms, "__entry_tramp_text_start"); *own < end;
	     *own += CODE_PAGE) {
		unsigned i = 0;

		l = load_of(t, *own);
		while (l && i < CODE_PAGE / 4 &&
		       (!code_executed(p, i) ||
			get32(t->bytes + l->p_offset + (*own - l->p_vaddr) + 4 * i) == p->op[i]))
			i++;
		if (i == CODE_PAGE / 4)
			return l;
	}
	return NULL;
}

/* Puts a page where kcore has it. False: it has not. */
static bool put_kernel_page(struct composer *c, struct thin *t, const struct code_page *p,
			    const char *kallsyms)
{
	const Elf64_Phdr *l = load_of(t, p->base);
	uint64_t own = p->base;

	if (!l && c->aliases < sizeof(c->alias) / sizeof(c->alias[0])) {
		l = alias_of(t, p, kallsyms, &own);
		if (l)
			c->alias[c->aliases++] =
				(struct alias){.vm = p->space.vm, .at = p->base, .own = own};
	}
	if (l)
		put_page(t, p, l->p_offset + (own - l->p_vaddr));
	return l;
}

static int thin_kernel(struct composer *c, const struct machine *m, const char *from, char *to)
{
	char kallsyms[4096];
	unsigned pages = 0, outside = 0;
	struct thin t;
	int error;
	bool copied = !access(from, F_OK);

	if ((copied ? thin_open(&t, from) : make_kernel(&t, &c->code, m)) || !is_elf(&t)) {
		fprintf(stderr, "%s: is no kcore\n", from);
		thin_close(&t);
		return -1;
	}
	keep(&t, 0, CODE_PAGE);
	snprintf(kallsyms, sizeof(kallsyms), "%s/perf.data/kcore_dir/kallsyms", m->dir);
	for (size_t i = 0; i < c->code.pages; i++) {
		const struct code_page *p = c->code.page[i];

		if (!code_kernel_of(p, m->vm, m->nested))
			continue;
		if (!put_kernel_page(c, &t, p, kallsyms) && !outside++)
			fprintf(stderr, "%s: does not hold %#" PRIx64 ", where code was executed\n",
				from, p->base);
		pages++;
	}
	if (copied)
		printf("machine %d: kernel of %u pages, %u instructions patched since kcore was "
		       "copied\n",
		       m->vm, pages, t.patched);
	else
		printf("machine %d: kernel of %u pages, of executed instructions alone\n", m->vm,
		       pages);
	error = thin_save(&t, to);
	thin_close(&t);
	return error || outside ? -1 : 0;
}

/* ---- files of processes ---- */

struct file {
	const struct machine *machine;
	const char *name;
	struct thin thin;
};

struct files {
	struct file *file;
	size_t count;
};

static const char *section_name(const struct thin *t, const Elf64_Shdr *s)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)t->bytes;
	const Elf64_Shdr *names = (const Elf64_Shdr *)(t->bytes + e->e_shoff) + e->e_shstrndx;
	uint64_t at = names->sh_offset + s->sh_name;

	return e->e_shstrndx < e->e_shnum && at < t->size ? (const char *)t->bytes + at : "";
}

/* Everything but code, data and debug information; that of own payloads, which is small, stays. */
static void keep_frame(struct thin *t)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)t->bytes;

	keep(t, 0, sizeof(*e));
	keep(t, e->e_phoff, e->e_phnum * sizeof(Elf64_Phdr));
	keep(t, e->e_shoff, e->e_shnum * sizeof(Elf64_Shdr));
	for (unsigned i = 0; i < e->e_shnum; i++) {
		const Elf64_Shdr *s = (const Elf64_Shdr *)(t->bytes + e->e_shoff) + i;
		bool debug = !strncmp(section_name(t, s), ".debug", 6);
		bool content = s->sh_type == SHT_PROGBITS;

		if (s->sh_type != SHT_NOBITS && (!content || (debug && t->size < 1 << 20) ||
						 !strcmp(section_name(t, s), ".interp") ||
						 !strcmp(section_name(t, s), ".comment")))
			keep(t, s->sh_offset, s->sh_size);
	}
}

/* The vDSO is no file: the kernel holds it between vdso_start and vdso_end. */
static int vdso_of(const struct machine *m, struct thin *t)
{
	char path[4096];
	struct thin kernel;
	uint64_t from, to;
	const Elf64_Phdr *l = NULL;

	snprintf(path, sizeof(path), "%s/perf.data/kcore_dir/kallsyms", m->dir);
	from = kallsyms_find(path, "vdso_start");
	to = kallsyms_find(path, "vdso_end");
	snprintf(path, sizeof(path), "%s/perf.data/kcore_dir/kcore", m->dir);
	if (!thin_open(&kernel, path) && is_elf(&kernel) && from < to)
		l = load_of(&kernel, from);
	if (l) {
		memset(t, 0, sizeof(*t));
		t->size = to - from;
		t->bytes = malloc(t->size);
		t->keep = calloc(1, t->size / 8 + 1);
		if (t->bytes && t->keep)
			memcpy(t->bytes, kernel.bytes + l->p_offset + (from - l->p_vaddr), t->size);
	}
	thin_close(&kernel);
	return l && t->bytes && t->keep && is_elf(t) ? 0 : -1;
}

/* All machines run one kernel: where a machine's kcore could not be copied, another's has it. */
static int thin_vdso(const struct machines *all, const struct machine *m, struct thin *t)
{
	char path[4096];

	for (unsigned i = 0; i <= all->count; i++) {
		const struct machine *one = i ? &all->machine[i - 1] : m;

		snprintf(path, sizeof(path), "%s/perf.data/kcore_dir/kcore", one->dir);
		if (!access(path, F_OK))
			return vdso_of(one, t);
	}
	return -1;
}

static struct file *file_of(struct files *files, const struct machines *all,
			    const struct machine *m, const char *name)
{
	char path[4096];
	struct file *f;
	int error;

	for (size_t i = 0; i < files->count; i++)
		if (files->file[i].machine == m && !strcmp(files->file[i].name, name))
			return &files->file[i];
	files->file = grow(files->file, files->count, sizeof(*files->file));
	f = &files->file[files->count];
	f->machine = m;
	f->name = name;
	snprintf(path, sizeof(path), "%s/root%s", m->dir, name);
	if (!strcmp(name, "[vdso]"))
		error = thin_vdso(all, m, &f->thin);
	else if (name[0] == '/' && name[1] != '/')
		error = thin_open(&f->thin, path);
	else
		error = -1;
	if (error || !is_elf(&f->thin)) {
		fprintf(stderr, "machine %d: code of %s, which is no ELF file\n", m->vm, name);
		return NULL;
	}
	keep_frame(&f->thin);
	files->count++;
	return f;
}

static int thin_processes(const struct composer *c, const struct machine *m, struct files *files)
{
	int error = 0;

	for (size_t i = 0; i < c->code.pages; i++) {
		const struct code_page *p = c->code.page[i];
		const struct sb_map *map;
		struct file *f = NULL;
		unsigned before;

		if (p->space.vm != m->vm || p->space.nested != m->nested || p->space.pid == -1)
			continue;
		map = sb_map_at(&m->sb, p->space.pid, p->base, p->time);
		if (map)
			f = file_of(files, &c->machines, m, map->file);
		if (!f) {
			fprintf(stderr,
				"machine %d: pid %d executes at %#" PRIx64 " (%s): no file\n",
				m->vm, p->space.pid, p->base,
				map ? map->file : "no mapping recorded");
			error = -1;
			continue;
		}
		before = f->thin.patched;
		put_page(&f->thin, p, p->base - map->start + map->offset);
		if (f->thin.patched != before) {
			fprintf(stderr,
				"machine %d: pid %d executes at %#" PRIx64 " what is not in %s\n",
				m->vm, p->space.pid, p->base, map->file);
			error = -1;
		}
	}
	return error;
}

/* "ab/cdef…" of the file's GNU build ID; false: has none. */
static bool build_id(const struct thin *t, char *text, size_t size)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)t->bytes;

	for (unsigned i = 0; i < e->e_phnum; i++) {
		const Elf64_Phdr *p = (const Elf64_Phdr *)(t->bytes + e->e_phoff) + i;
		uint64_t at = p->p_offset, end = at + p->p_filesz;

		while (p->p_type == PT_NOTE && end <= t->size && at + 12 <= end) {
			uint32_t name = get32(t->bytes + at), n = get32(t->bytes + at + 4);
			const uint8_t *id = t->bytes + at + 12 + (name + 3) / 4 * 4;

			if (get32(t->bytes + at + 8) == NT_GNU_BUILD_ID && n >= 2 &&
			    (uint64_t)(id - t->bytes) + n <= end && 2 * n + 2 < size) {
				for (uint32_t k = 0; k < n; k++)
					text += sprintf(text, k == 0 ? "%02x/" : "%02x", id[k]);
				return true;
			}
			at += 12 + (name + 3) / 4 * 4 + (n + 3) / 4 * 4;
		}
	}
	return false;
}

static int save_files(const char *out, struct files *files)
{
	int error = 0;

	for (size_t i = 0; i < files->count; i++) {
		struct file *f = &files->file[i];
		char path[4096], id[80];

		if (!strcmp(f->name, "[vdso]")) {
			keep(&f->thin, 0, f->thin.size);
			if (!build_id(&f->thin, id, sizeof(id)))
				return -1;
			snprintf(path, sizeof(path), "%s/buildid/.build-id/%s/vdso", out, id);
		} else if (f->machine->vm) {
			snprintf(path, sizeof(path), "%s/guestmount/%d%s", out, f->machine->vm,
				 f->name);
		} else {
			snprintf(path, sizeof(path), "%s/symfs%s", out, f->name);
		}
		error |= thin_save(&f->thin, path);
		thin_close(&f->thin);
	}
	free(files->file);
	return error;
}

/* A bare guest's ELF file, whole, if what it executed is in it. */
static int write_bare(const char *out, const struct composer *c, const struct machine *m)
{
	char from[4096], to[4096];
	unsigned pages = 0;
	struct thin t;
	int error = 0;

	snprintf(from, sizeof(from), "%s/elf", m->dir);
	snprintf(to, sizeof(to), m->nested ? "%s/guest-%d-%d.elf" : "%s/guest-%d.elf", out, m->vm,
		 m->nested);
	if (thin_open(&t, from) || !is_elf(&t)) {
		thin_close(&t);
		return -1;
	}
	for (size_t i = 0; i < c->code.pages; i++) {
		const struct code_page *p = c->code.page[i];
		const Elf64_Phdr *l;

		if (p->space.vm != m->vm || p->space.nested != m->nested)
			continue;
		l = load_of(&t, p->base);
		if (l)
			put_page(&t, p, l->p_offset + (p->base - l->p_vaddr));
		else
			error = -1;
		pages++;
	}
	printf("machine %d.%d: bare, %u pages\n", m->vm, m->nested, pages);
	if (t.patched || error) {
		fprintf(stderr, "%s: is not what was executed\n", from);
		error = -1;
	}
	keep(&t, 0, t.size);
	error |= thin_save(&t, to);
	thin_close(&t);
	return error;
}

static int write_machine(const char *out, struct composer *c, const struct machine *m,
			 struct files *files)
{
	char from[4096], to[4096], dir[64] = "perf.data/kcore_dir";

	if (m->hypervisor)
		return 0; /* snapshot.c has its code */
	if (m->bare)
		return write_bare(out, c, m);
	if (m->vm) {
		snprintf(dir, sizeof(dir), "%skcore_dir__%d",
			 c->machines.machine[0].hypervisor ? "" : "perf.data/", m->vm);
		snprintf(from, sizeof(from), "%s/perf.data/data", m->dir);
		snprintf(to, sizeof(to), "%s/guest-%d.data", out, m->vm);
		if (copy(from, to))
			return -1;
	}
	snprintf(from, sizeof(from), "%s/perf.data/kcore_dir/modules", m->dir);
	snprintf(to, sizeof(to), "%s/%s/modules", out, dir);
	if (copy(from, to))
		return -1;
	snprintf(from, sizeof(from), "%s/perf.data/kcore_dir/kallsyms", m->dir);
	snprintf(to, sizeof(to), "%s/%s/kallsyms", out, dir);
	if (c->thin_symbols ? symbols_thin(from, to, &c->code, m->vm) : copy(from, to))
		return -1;
	snprintf(from, sizeof(from), "%s/perf.data/kcore_dir/kcore", m->dir);
	snprintf(to, sizeof(to), "%s/%s/kcore", out, dir);
	if (thin_kernel(c, m, from, to))
		return -1;
	return thin_processes(c, m, files);
}

int images_write(const char *out, struct composer *c)
{
	struct files files = {0};
	int error = 0;

	for (unsigned i = 0; i < c->machines.count; i++)
		error |= write_machine(out, c, &c->machines.machine[i], &files);
	return save_files(out, &files) | error ? -1 : 0;
}
