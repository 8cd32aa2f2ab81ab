/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints what recording/ reads of a recording, for looking at it and for tests that compare it
 * with what perf script -D prints.
 *
 *	recording_dump [-b] RECORDING
 *
 * -b also reads every trace byte and prints a checksum of each chunk.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "csguest/error.h"
#include "cli/exit_code.h"
#include "recording/recording.h"

static const char *const severities[] = {"note", "warning", "error"};
static const char *const protocols[] = {"ETMv4", "ETE", "other"};
static const char *const framings[] = {"frames", "tpiu", "raw"};
static const char *const kinds[CSG_EVENT_KIND_COUNT] = {
	[CSG_EVENT_MAP] = "map",	 [CSG_EVENT_COMM] = "comm",
	[CSG_EVENT_FORK] = "fork",	 [CSG_EVENT_EXIT] = "exit",
	[CSG_EVENT_SWITCH] = "switch",	 [CSG_EVENT_NAMESPACES] = "namespaces",
	[CSG_EVENT_KSYMBOL] = "ksymbol", [CSG_EVENT_TEXT_POKE] = "text_poke",
	[CSG_EVENT_LOST] = "lost",	 [CSG_EVENT_ITRACE_START] = "itrace_start",
	[CSG_EVENT_SAMPLE] = "sample",
};

static void print_diag(void *arg, const struct csg_diag *diag)
{
	(void)arg;
	printf("%s: %s", severities[diag->severity], diag->file ? diag->file : "-");
	if (diag->offset != CSG_NO_OFFSET)
		printf("@%#" PRIx64, diag->offset);
	printf(": %s (%s)%s%s\n", diag->text, csg_strerror(diag->error), diag->remedy ? "; " : "",
	       diag->remedy ? diag->remedy : "");
}

static const char *text(const char *string)
{
	return string ? string : "-";
}

static void print_info(const struct csg_recording *rec)
{
	const struct csg_recording_info *info = csg_recording_info(rec);
	const struct csg_time_conv *conv = csg_recording_time_conv(rec);

	printf("info kind %d host %s os %s arch %s perf %s cpus %u/%u\n", info->kind,
	       text(info->hostname), text(info->os_release), text(info->arch),
	       text(info->perf_version), info->cpus_online, info->cpus_available);
	printf("info cmdline %s\n", text(info->cmdline));
	printf("info auxtrace_info %u snapshot %d per_thread %d compressed %d pipe %d directory %d "
	       "simpleperf %d\n",
	       info->auxtrace_info_version, info->snapshot_mode, info->per_thread, info->compressed,
	       info->pipe, info->directory, info->simpleperf);
	printf("info exclude user %d kernel %d hv %d host %d guest %d\n", info->exclude_user,
	       info->exclude_kernel, info->exclude_hv, info->exclude_host, info->exclude_guest);
	printf("info switch %d mmap2 %d text_poke %d id_index %d guests %d kvm %d lost %" PRIu64
	       " unknown %" PRIu64 " time %" PRIu64 "..%" PRIu64 "\n",
	       info->has_switch, info->has_mmap2, info->has_text_poke, info->has_id_index,
	       info->has_guest_sideband, info->has_kvm_events, info->lost_records,
	       info->unknown_records, info->first_time, info->last_time);
	printf("time_conv %d short %d shift %u mult %u zero %#" PRIx64 " cycles %#" PRIx64
	       " mask %#" PRIx64 "\n",
	       conv->valid, conv->short_counter, conv->shift, conv->mult, conv->zero, conv->cycles,
	       conv->mask);
	printf("damage %s\n", csg_strerror(csg_recording_damage(rec)));
}

static void print_sources(const struct csg_recording *rec)
{
	size_t n;
	const struct csg_source *sources = csg_recording_sources(rec, &n);

	for (size_t i = 0; i < n; i++) {
		const struct csg_source *s = &sources[i];

		printf("source queue %u id %#x sink %#x %s cpu %d name %s core %s configr %#" PRIx64
		       " traceidr %#" PRIx64 " idr0 %#" PRIx64 " idr1 %#" PRIx64 " idr2 %#" PRIx64
		       " idr8 %#" PRIx64 " auth %#" PRIx64 " devarch %#" PRIx64 " ts %" PRId64 "\n",
		       s->queue, s->trace_id, s->sink, protocols[s->protocol], s->cpu,
		       text(s->name), text(s->core_type), s->trcconfigr, s->trctraceidr, s->trcidr0,
		       s->trcidr1, s->trcidr2, s->trcidr8, s->trcauthstatus, s->trcdevarch,
		       s->ts_source);
	}
}

/* FNV-1a over a chunk's bytes; the error where they end early. */
static int checksum(struct csg_window *window, const struct csg_chunk *chunk, uint64_t *sum,
		    uint64_t *done)
{
	*sum = 0xcbf29ce484222325u;
	*done = 0;
	for (;;) {
		const uint8_t *bytes;
		size_t len = SIZE_MAX;
		int ret = csg_window_read(window, chunk, *done, &bytes, &len);

		if (ret || !len)
			return ret;
		for (size_t i = 0; i < len; i++)
			*sum = (*sum ^ bytes[i]) * 0x100000001b3u;
		*done += len;
	}
}

static void print_chunks(struct csg_recording *rec, int with_bytes)
{
	size_t n;
	const struct csg_chunk *chunks = csg_recording_chunks(rec, &n);
	struct csg_window *window = NULL;

	if (with_bytes && csg_window_create(&window, rec))
		return;
	for (size_t i = 0; i < n; i++) {
		const struct csg_chunk *c = &chunks[i];

		printf("chunk queue %u %s flags %#x position %#" PRIx64 " size %#" PRIx64
		       " time %" PRIu64 "..%" PRIu64 " cpu %d pid %d tid %d",
		       c->queue, framings[c->framing], c->flags, c->position, c->bytes,
		       c->begin_time, c->time, c->cpu, c->pid, c->tid);
		if (with_bytes) {
			uint64_t sum, done;
			int ret = checksum(window, c, &sum, &done);

			printf(" read %#" PRIx64 " sum %016" PRIx64 " %s", done, sum,
			       csg_strerror(ret));
		}
		putchar('\n');
	}
	csg_window_destroy(window);
}

static void print_dumps(const struct csg_recording *rec)
{
	size_t n;
	const struct csg_dump *dumps = csg_recording_dumps(rec, &n);
	const struct csg_vcpu *vcpus;

	for (size_t i = 0; i < n; i++)
		printf("dump cpu %d address %#" PRIx64 " size %#" PRIx64 " offset %#" PRIx64
		       " space %s %s\n",
		       dumps[i].cpu, dumps[i].address, dumps[i].size, dumps[i].offset,
		       text(dumps[i].space), dumps[i].path);
	vcpus = csg_recording_vcpus(rec, &n);
	for (size_t i = 0; i < n; i++)
		printf("vcpu machine_pid %d vcpu %d tid %d\n", vcpus[i].machine_pid, vcpus[i].vcpu,
		       vcpus[i].tid);
}

static void print_map(const struct csg_mapping *map)
{
	printf(" start %#" PRIx64 " len %#" PRIx64 " pgoff %#" PRIx64 " %c%c%c %s build-id ",
	       map->start, map->len, map->pgoff, map->kernel ? 'k' : 'u', map->guest ? 'g' : 'h',
	       map->executable ? 'x' : '-', map->path);
	for (int i = 0; i < map->build_id_size; i++)
		printf("%02x", map->build_id[i]);
}

static int print_event(void *arg, const struct csg_event *e)
{
	const struct csg_recording *rec = arg;

	printf("event %s time %" PRIu64 " cpu %d pid %d tid %d ppid %d ptid %d", kinds[e->kind],
	       e->time, e->cpu, e->pid, e->tid, e->ppid, e->ptid);
	if (e->machine_pid || e->vcpu != -1)
		printf(" machine_pid %d vcpu %d", e->machine_pid, e->vcpu);
	printf(" out %d exec %d value %" PRIu64, e->out, e->exec, e->value);
	switch (e->kind) {
	case CSG_EVENT_MAP:
	case CSG_EVENT_KSYMBOL:
		print_map(&e->map);
		break;
	case CSG_EVENT_COMM:
		printf(" %s", e->comm);
		break;
	case CSG_EVENT_TEXT_POKE:
		printf(" address %#" PRIx64 " old %u new %u", e->poke.address, e->poke.old_len,
		       e->poke.new_len);
		break;
	case CSG_EVENT_SAMPLE:
		printf(" %s ip %#" PRIx64 " raw %u", text(csg_recording_event_name(rec, e->value)),
		       e->sample.ip, e->sample.raw_len);
		break;
	}
	putchar('\n');
	return 0;
}

int main(int argc, char **argv)
{
	int with_bytes = argc > 1 && !strcmp(argv[1], "-b");
	struct csg_diag_sink sink = {.report = print_diag};
	struct csg_recording_setup options = {.sideband_only = true};
	struct csg_recording *rec;
	int ret;

	if (argc != 2 + with_bytes) {
		fprintf(stderr, "usage: recording_dump [-b] RECORDING\n");
		return 2;
	}
	ret = csg_recording_load(&rec, argv[argc - 1], &options, &sink);
	if (ret) {
		printf("cannot open: %s\n", csg_strerror(ret));
		return csg_exit_code(ret);
	}
	print_info(rec);
	print_sources(rec);
	print_chunks(rec, with_bytes);
	print_dumps(rec);
	csg_recording_events(rec, UINT32_MAX, print_event, rec);
	csg_recording_close(rec);
	return 0;
}
