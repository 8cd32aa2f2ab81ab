// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.h"

#include <elf.h>
#include <ftw.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include "util.h"

enum { RECORD_AUXTRACE_INFO = 70, RECORD_AUXTRACE = 71 };

static int refuse(const char *path, const char *what)
{
	fprintf(stderr, "%s: %s\n", path, what);
	return -1;
}

/* ---- images ---- */

static struct fixture *listing; /* nftw() hands nothing through */

static int list_file(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	struct fixture *f = listing;
	size_t prefix = strlen(f->dir);
	struct fx_file *file;

	(void)st;
	(void)ftw;
	if (kind != FTW_F || strlen(path + prefix) >= sizeof(file->path))
		return 0;
	f->file = grow(f->file, f->files, sizeof(*f->file));
	file = &f->file[f->files];
	memset(file, 0, sizeof(*file));
	snprintf(file->path, sizeof(file->path), "%s", path + prefix);
	file->bytes = load(path, &file->size);
	if (!file->bytes)
		return -1;
	f->files++;
	return 0;
}

static const struct fx_file *find_file(const struct fixture *f, const char *path)
{
	for (size_t i = 0; i < f->files; i++)
		if (!strcmp(f->file[i].path, path))
			return &f->file[i];
	return NULL;
}

/* The bytes from an offset of a file on, NULL: it has not got that page. */
static const uint8_t *at_offset(const struct fx_file *file, uint64_t offset)
{
	/* The last page of a file may be short: load() puts zeros after it. */
	return file && offset + 4 <= file->size ? file->bytes + offset : NULL;
}

static bool is_bare(const struct fixture *f, int vm, int nested)
{
	for (size_t i = 0; i < f->machines; i++)
		if (f->machine[i].vm == vm && f->machine[i].nested == nested)
			return f->machine[i].bare;
	return false;
}

/* The address that kcore has for what runs at this page. */
static uint64_t own_address(const struct fixture *f, int vm, uint64_t page)
{
	for (size_t i = 0; i < f->aliases; i++)
		if (f->alias[i].vm == vm && f->alias[i].at == page)
			return f->alias[i].own;
	return page;
}

/* What the snapshot dumped of Xen; zero is what it never executed. */
static const uint8_t *xen_code(const struct fixture *f, uint64_t address)
{
	return at_offset(find_file(f, "/snapshot/xen.bin"), address - f->dump_base);
}

static void bare_file(char *path, size_t size, int vm, int nested)
{
	snprintf(path, size, nested ? "/guest-%d-%d.elf" : "/guest-%d.elf", vm, nested);
}

/* address: of a page. */
static const uint8_t *kernel_code(const struct fixture *f, int vm, int nested, uint64_t address)
{
	char path[64] = "/perf.data/kcore_dir/kcore";
	const struct fx_file *file;
	const Elf64_Ehdr *e;

	if (is_bare(f, vm, nested))
		bare_file(path, sizeof(path), vm, nested);
	else if (vm)
		snprintf(path, sizeof(path), "%s/kcore_dir__%d/kcore",
			 f->snapshot ? "" : "/perf.data", vm);
	else if (f->snapshot)
		return xen_code(f, address);
	address = own_address(f, vm, address);
	file = find_file(f, path);
	e = file ? (const Elf64_Ehdr *)file->bytes : NULL;
	for (unsigned i = 0; e && i < e->e_phnum; i++) {
		const Elf64_Phdr *p = (const Elf64_Phdr *)(file->bytes + e->e_phoff) + i;

		if (p->p_type == PT_LOAD && address - p->p_vaddr < p->p_filesz)
			return at_offset(file, address - p->p_vaddr + p->p_offset);
	}
	return NULL;
}

static const struct fx_file *vdso_file(const struct fixture *f)
{
	for (size_t i = 0; i < f->files; i++)
		if (!strncmp(f->file[i].path, "/buildid/", 9))
			return &f->file[i];
	return NULL;
}

static const uint8_t *user_code(const struct fixture *f, const struct fx_owner *o, uint64_t time,
				uint64_t address)
{
	const struct sideband *sb = &f->host;
	const struct sb_map *map;
	char path[4096];

	for (size_t i = 0; i < f->machines; i++)
		if (o->vm && f->machine[i].vm == o->vm && f->machine[i].nested == o->nested) {
			sb = &f->machine[i].sb;
			/* The truth has the host's time. */
			time = sb_time(sb, sb_counter(&f->host, time) - f->machine[i].cntvoff);
		}
	map = sb_map_at(sb, o->pid, address, time);
	if (!map)
		return NULL;
	if (!strcmp(map->file, "[vdso]"))
		return at_offset(vdso_file(f), address - map->start);
	if (o->vm)
		snprintf(path, sizeof(path), "/guestmount/%d%s", o->vm, map->file);
	else
		snprintf(path, sizeof(path), "/symfs%s", map->file);
	return at_offset(find_file(f, path), address - map->start + map->offset);
}

bool fx_code(struct fixture *f, const struct fx_owner *o, uint64_t time, uint64_t address,
	     uint8_t opcode[4])
{
	uint64_t page = address >> 12;
	struct fx_page *c = &f->cache[(page ^ page >> 12 ^ (uint64_t)(o - f->owner) * 67) % 4096];
	const uint8_t *bytes;

	/* A process may have executed another program since. */
	if (c->owner != o || c->page != page || (o->user && c->time != time)) {
		bytes = o->user && !is_bare(f, o->vm, o->nested)
				? user_code(f, o, time, page << 12)
				: kernel_code(f, o->vm, o->nested, page << 12);
		if (!bytes)
			return false;
		*c = (struct fx_page){o, page, time, bytes};
	}
	memcpy(opcode, c->bytes + (address & 0xfff), 4);
	return true;
}

/* ---- truth ---- */

static int read_owner(struct fixture *f, const char *line)
{
	struct fx_owner o = {0};
	const char *nested = strstr(line, " nested=");
	char privilege[16];
	size_t n;

	if (sscanf(line,
		   "owner %zu world=%*s privilege=%15s el=%u vm=%d vcpu=%*d pid=%d tid=%d "
		   "host_tid=%d",
		   &n, privilege, &o.el, &o.vm, &o.pid, &o.tid, &o.host_tid) != 7 ||
	    n != f->owners)
		return -1;
	o.user = !strcmp(privilege, "user");
	if (nested)
		o.nested = atoi(nested + strlen(" nested="));
	f->owner = grow(f->owner, f->owners, sizeof(*f->owner));
	f->owner[f->owners++] = o;
	return 0;
}

static int read_machine(struct fixture *f, const char *line)
{
	struct fx_machine *m;
	char path[4096], elf[64];

	f->machine = grow(f->machine, f->machines, sizeof(*f->machine));
	m = &f->machine[f->machines];
	memset(m, 0, sizeof(*m));
	if (sscanf(line, "machine vm=%d cntvoff=%" SCNu64, &m->vm, &m->cntvoff) != 2 &&
	    sscanf(line, "machine vm=%d nested=%d cntvoff=%" SCNu64, &m->vm, &m->nested,
		   &m->cntvoff) != 3)
		return -1;
	f->machines++;
	bare_file(elf, sizeof(elf), m->vm, m->nested);
	snprintf(path, sizeof(path), "%s%s", f->dir, elf);
	m->bare = !access(path, F_OK);
	if (m->bare)
		return 0;
	snprintf(path, sizeof(path), "%s/guest-%d.data", f->dir, m->vm);
	return sb_open(&m->sb, path);
}

static int read_alias(struct fixture *f, const char *line)
{
	struct fx_alias a;

	if (sscanf(line, "alias vm=%d at=%" SCNx64 " own=%" SCNx64, &a.vm, &a.at, &a.own) != 3)
		return -1;
	f->alias = grow(f->alias, f->aliases, sizeof(*f->alias));
	f->alias[f->aliases++] = a;
	return 0;
}

static int read_run(struct fixture *f, const char *line)
{
	struct fx_stream *s = f->streams ? &f->stream[f->streams - 1] : NULL;
	struct fx_run r;

	if (!s ||
	    sscanf(line, "run %zu %" SCNu64 " %" SCNx64 " %*u %" SCNu64, &r.owner, &r.n, &r.address,
		   &r.time) != 4 ||
	    r.owner >= f->owners || !r.n)
		return -1;
	s->run = grow(s->run, s->runs, sizeof(*s->run));
	s->run[s->runs++] = r;
	return 0;
}

static int read_stream(struct fixture *f, const char *line)
{
	struct fx_stream *s = &f->stream[f->streams];

	if (f->streams == sizeof(f->stream) / sizeof(f->stream[0]) ||
	    sscanf(line, "stream cpu=%u id=%x bytes=%*u instructions=%" SCNu64, &s->cpu, &s->id,
		   &s->instructions) != 3)
		return -1;
	f->streams++;
	return 0;
}

static int read_truth(struct fixture *f, const char *variant)
{
	char path[4096], line[8192];
	int error = 0;
	bool ended = false;
	FILE *file;

	snprintf(path, sizeof(path), "%s/truth%s%s", f->dir, variant ? "-" : "",
		 variant ? variant : "");
	file = fopen(path, "r");
	if (!file || !fgets(line, sizeof(line), file) || strcmp(line, "csguest-truth 1\n")) {
		if (file)
			fclose(file);
		return refuse(path, "is no truth file");
	}
	while (!error && fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "owner ", 6))
			error = read_owner(f, line);
		else if (!strncmp(line, "machine ", 8))
			error = read_machine(f, line);
		else if (!strncmp(line, "alias ", 6))
			error = read_alias(f, line);
		else if (!strncmp(line, "stream ", 7))
			error = read_stream(f, line);
		else if (!strncmp(line, "run ", 4))
			error = read_run(f, line);
		ended |= !strcmp(line, "end\n");
	}
	fclose(file);
	if (error)
		fprintf(stderr, "%s: %s", path, line);
	return error || !ended ? refuse(path, "is damaged or cut short") : 0;
}

/* ---- trace ---- */

static void take_metadata(struct fx_stream *s, const struct sb_record *r)
{
	size_t at = 8 + 8 + 24;

	/* version, PMU and number of CPUs, snapshot; then a block for each CPU. */
	while (at + 24 <= r->size) {
		uint64_t n = get64(r->bytes + at + 16);

		if (n < 8 || n > 9 || at + 24 + 8 * n > r->size)
			return;
		if (get64(r->bytes + at + 8) == s->cpu) {
			s->ete = get64(r->bytes + at) == 0x5050505050505050;
			for (uint64_t i = 0; i < n; i++)
				s->reg[i] = get64(r->bytes + at + 24 + 8 * i);
			s->virt_is_thread = s->reg[0] >> 15 & 1; /* TRCCONFIGR.VMIDOPT */
			s->has_clock = s->reg[n - 1] == 1 || s->reg[n - 1] == 3;
			s->clock_is_physical = s->reg[n - 1] == 3;
		}
		at += 24 + 8 * n;
	}
}

static void take_trace(struct fixture *f, const struct sb_record *r)
{
	for (size_t i = 0; i < f->streams; i++) {
		struct fx_stream *s = &f->stream[i];

		if (r->type == RECORD_AUXTRACE_INFO)
			take_metadata(s, r);
		if (r->type == RECORD_AUXTRACE && get32(r->bytes + 40) == s->cpu) {
			s->trace = r->bytes + r->size;
			s->size = get64(r->bytes + 8);
		}
		/* CPU stands before the identifier at the record's end. */
		if (r->type == PERF_RECORD_AUX && get32(r->bytes + r->size - 16) == s->cpu)
			s->raw = get64(r->bytes + 24) & 0x100;
	}
}

static bool ini_number(const struct fixture *f, const char *file, const char *key, uint64_t *value)
{
	const struct fx_file *ini = find_file(f, file);
	const char *at = ini ? strstr((const char *)ini->bytes, key) : NULL;

	at = at ? strchr(at, '=') : NULL;
	*value = at ? strtoull(at + 1, NULL, 0) : 0;
	return at;
}

static int take_unit(struct fixture *f, struct fx_stream *s, const struct fx_file *trace)
{
	static const char *const names[] = {"TRCCONFIGR", "TRCTRACEIDR", "TRCIDR0",	 "TRCIDR1",
					    "TRCIDR2",	  "TRCIDR8",	 "TRCAUTHSTATUS"};
	char path[64];

	snprintf(path, sizeof(path), "/snapshot/unit_%u.ini", s->cpu);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!ini_number(f, path, names[i], &s->reg[i]))
			return refuse(path, "lacks a register");
	s->trace = trace ? trace->bytes : NULL;
	s->size = trace ? trace->size : 0;
	s->virt_is_thread = s->reg[0] >> 15 & 1;
	return 0;
}

static int open_snapshot(struct fixture *f)
{
	const struct fx_file *trace = find_file(f, "/snapshot/trace.bin");

	f->snapshot = true;
	if (!ini_number(f, "/snapshot/cpu_0.ini", "address", &f->dump_base))
		return refuse(f->dir, "holds no dump");
	for (size_t i = 0; i < f->streams; i++)
		if (take_unit(f, &f->stream[i], trace))
			return -1;
	return trace ? 0 : refuse(f->dir, "holds no trace");
}

int fixture_open(struct fixture *f, const char *dir, const char *variant)
{
	char path[4096];

	f->dir = dir;
	snprintf(path, sizeof(path), "%s/snapshot", dir);
	if (!access(path, F_OK)) {
		listing = f;
		if (read_truth(f, variant) || nftw(dir, list_file, 16, FTW_PHYS))
			return refuse(dir, "cannot be read");
		return open_snapshot(f);
	}
	snprintf(path, sizeof(path), "%s/perf%s%s.data/data", dir, variant ? "-" : "",
		 variant ? variant : "");
	if (sb_open(&f->host, path) || read_truth(f, variant))
		return -1;
	for (size_t i = 0; i < f->host.records; i++)
		take_trace(f, &f->host.record[i]);
	for (size_t i = 0; i < f->streams; i++)
		if (!f->stream[i].size)
			return refuse(path, "lacks a stream that the truth has");
	listing = f;
	return nftw(dir, list_file, 16, FTW_PHYS) ? refuse(dir, "cannot be read") : 0;
}

void fixture_close(struct fixture *f)
{
	sb_close(&f->host);
	for (size_t i = 0; i < f->machines; i++)
		sb_close(&f->machine[i].sb);
	for (size_t i = 0; i < f->streams; i++)
		free(f->stream[i].run);
	for (size_t i = 0; i < f->files; i++)
		free(f->file[i].bytes);
	free(f->file);
	free(f->owner);
	free(f->alias);
	free(f->machine);
}
