/* SPDX-License-Identifier: BSD-3-Clause */
#include "info/info.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "info/info_advice.h"
#include "info/info_windows.h"
#include "info/kernel_files.h"
#include "csguest/error.h"
#include "csguest/session.h"
#include "info/contradictions.h"
#include "text/form.h"
#include "text/trace_unit.h"
#include "lookup/arrays.h"

#define TEXT_MAX 320
#define VERSION_MAX 16

static const char *kind_text(const struct csg_recording_info *r)
{
	if (r->kind == CSG_RECORDING_SNAPSHOT)
		return "OpenCSD snapshot";
	if (r->simpleperf)
		return "perf.data of simpleperf";
	if (r->pipe)
		return "perf.data in pipe mode";
	return r->directory ? "perf.data directory" : "perf.data";
}

static const char *token(struct csg_form *f, enum csg_anonym_kind kind, const char *name)
{
	return csg_anonym_name(f->out->anonym, kind, name);
}

static void write_recording(struct csg_form *f, const struct csg_info *info)
{
	const struct csg_recording_info *r = info->recording;

	csg_form_open(f, "recording", "Recording");
	csg_form_string(f, "path", "file", token(f, CSG_ANONYM_PATH, r->path));
	csg_form_string(f, "kind", "kind", kind_text(r));
	csg_form_string(f, "damage", "damage", info->damage ? csg_strerror(info->damage) : NULL);
	csg_form_string(f, "host", "host", token(f, CSG_ANONYM_TEXT, r->hostname));
	csg_form_string(f, "kernel", "kernel", token(f, CSG_ANONYM_TEXT, r->os_release));
	csg_form_string(f, "arch", "architecture", r->arch);
	csg_form_string(f, "perf", "perf", token(f, CSG_ANONYM_TEXT, r->perf_version));
	csg_form_string(f, "command", "command", token(f, CSG_ANONYM_TEXT, r->cmdline));
	if (r->cpus_available || f->json) {
		csg_form_u64(f, "cpus_online", "CPUs online", r->cpus_online);
		csg_form_u64(f, "cpus_available", "CPUs available", r->cpus_available);
	}
	if (r->last_time) {
		csg_form_time(f, "first_time", "first time", r->first_time);
		csg_form_time(f, "last_time", "last time", r->last_time);
	} else {
		csg_form_null(f, "first_time");
		csg_form_null(f, "last_time");
	}
	csg_form_u64(f, "lost_records", "records lost", r->lost_records);
	csg_form_u64(f, "unknown_records", "records unknown", r->unknown_records);
	csg_form_u64(f, "dumps", "memory dumps", info->dump_count);
	csg_form_close(f);
}

static void write_traced(struct csg_form *f, const struct csg_info *info)
{
	const struct csg_recording_info *r = info->recording;
	char windows[CSG_INFO_WINDOWS_MAX];

	csg_form_open(f, "recorded", "Recorded");
	csg_form_bool(f, "per_thread", "per thread", r->per_thread);
	csg_form_bool(f, "snapshot_mode", "snapshot mode", r->snapshot_mode);
	csg_form_string(f, "windows", "windows", csg_info_windows(info, windows));
	csg_form_bool(f, "compressed", "compressed", r->compressed);
	csg_form_u64(f, "auxtrace_info_version", "metadata version", r->auxtrace_info_version);
	csg_form_bool(f, "exclude_guest", "without guests", r->exclude_guest);
	csg_form_bool(f, "exclude_host", "without host", r->exclude_host);
	csg_form_bool(f, "exclude_kernel", "without kernel", r->exclude_kernel);
	csg_form_bool(f, "exclude_user", "without user", r->exclude_user);
	csg_form_bool(f, "exclude_hv", "without hyp", r->exclude_hv);
	csg_form_close(f);
}

static void write_how(struct csg_form *f, const struct csg_info *info)
{
	const struct csg_recording_info *r = info->recording;

	if (r->kind == CSG_RECORDING_SNAPSHOT)
		return;
	if (info->no_trace) /* all of it is of the trace */
		csg_form_null(f, "recorded");
	else
		write_traced(f, info);
	csg_form_open(f, "sideband", "Sideband");
	csg_form_bool(f, "switches", "context switches", r->has_switch);
	csg_form_bool(f, "mmap2", "mappings (MMAP2)", r->has_mmap2);
	csg_form_bool(f, "text_poke", "kernel patching", r->has_text_poke);
	csg_form_bool(f, "id_index", "ID index", r->has_id_index);
	csg_form_bool(f, "guest", "of guests", r->has_guest_sideband);
	csg_form_bool(f, "kvm_events", "KVM's events", r->has_kvm_events);
	csg_form_bool(f, "time_conv", "time conversion", info->time_conv->valid);
	csg_form_close(f);
}

/* Whether guests may run guests of their own; NULL: nothing shows that. */
static const char *nesting_of(const struct csg_info *info)
{
	switch (info->nesting) {
	case CSG_NESTING_HOST:
		return "the host ran with kvm-arm.mode=nested";
	case CSG_NESTING_GUESTS:
		return "a guest ran guests of its own";
	case CSG_NESTING_HOST | CSG_NESTING_GUESTS:
		return "the host ran with kvm-arm.mode=nested, a guest ran guests of its own";
	default:
		return NULL;
	}
}

static void write_hypervisor(struct csg_form *f, const struct csg_info *info)
{
	csg_form_open(f, "hypervisor", "Hypervisor");
	csg_form_string(f, "kind", "kind", csg_hypervisor_name(info->hypervisor));
	csg_form_string(f, "why", "because", info->why);
	csg_form_string(f, "contradiction", "but", info->contradiction);
	csg_form_string(f, "nesting", "nested guests", nesting_of(info));
	csg_form_close(f);
}

/* What the chunks of a queue add up to. */
struct queue {
	uint32_t number;
	int32_t cpu; /* CSG_NO_CPU where several, or none, are known */
	uint64_t pieces, bytes, truncated, collisions, breaks, first_time, last_time;
};

/* The next queue, from chunk *at on; false after the last. */
static bool next_queue(const struct csg_info *info, size_t *at, struct queue *q)
{
	const struct csg_chunk *c = &info->chunks[*at];

	if (*at == info->chunk_count)
		return false;
	*q = (struct queue){.number = c->queue,
			    .cpu = c->cpu,
			    .first_time = c->begin_time ? c->begin_time : c->time};
	for (; *at < info->chunk_count && c->queue == q->number; c++, ++*at) {
		q->pieces++;
		q->bytes += c->bytes;
		q->truncated += !!(c->flags & CSG_CHUNK_TRUNCATED);
		q->collisions += !!(c->flags & CSG_CHUNK_COLLISION);
		q->breaks += !!(c->flags & CSG_CHUNK_GAP);
		q->last_time = c->time > q->last_time ? c->time : q->last_time;
		if (c->cpu != q->cpu)
			q->cpu = CSG_NO_CPU;
	}
	return true;
}

static void queue_json(struct csg_form *f, const struct queue *q)
{
	csg_form_open(f, NULL, NULL);
	csg_form_u64(f, "queue", NULL, q->number);
	if (q->cpu == CSG_NO_CPU)
		csg_form_null(f, "cpu");
	else
		csg_form_i64(f, "cpu", NULL, q->cpu);
	csg_form_u64(f, "bytes", NULL, q->bytes);
	csg_form_u64(f, "pieces", NULL, q->pieces);
	csg_form_u64(f, "truncated", NULL, q->truncated);
	csg_form_u64(f, "collisions", NULL, q->collisions);
	csg_form_u64(f, "breaks", NULL, q->breaks);
	if (q->last_time) {
		csg_form_time(f, "first_time", NULL, q->first_time);
		csg_form_time(f, "last_time", NULL, q->last_time);
	} else {
		csg_form_null(f, "first_time");
		csg_form_null(f, "last_time");
	}
	csg_form_close(f);
}

static const char *cpu_text(char *buf, size_t size, int32_t cpu)
{
	if (cpu == CSG_NO_CPU)
		return "-";
	snprintf(buf, size, "%d", cpu);
	return buf;
}

static void queue_text(struct csg_form *f, const struct queue *q)
{
	char line[TEXT_MAX], cpu[16];
	int n = snprintf(line, sizeof(line),
			 "%5u %4s %11" PRIu64 " %6" PRIu64 " %9" PRIu64 " %10" PRIu64 " %6" PRIu64,
			 q->number, cpu_text(cpu, sizeof(cpu), q->cpu), q->bytes, q->pieces,
			 q->truncated, q->collisions, q->breaks);

	if (q->last_time)
		snprintf(line + n, sizeof(line) - (size_t)n, "  %.6f-%.6f",
			 (double)q->first_time / 1e9, (double)q->last_time / 1e9);
	else
		snprintf(line + n, sizeof(line) - (size_t)n, "  -");
	csg_form_row(f, line);
}

/* By -C; what has no known CPU may be of any. */
static bool is_chosen(const struct csg_info *info, int32_t cpu)
{
	bool chosen = !info->cpu_count || cpu == CSG_NO_CPU;

	for (size_t i = 0; i < info->cpu_count; i++)
		chosen |= info->cpus[i] == cpu;
	return chosen;
}

static void write_queues(struct csg_form *f, const struct csg_info *info)
{
	struct queue q;
	size_t at = 0;

	csg_form_open_list(f, "trace", "Trace");
	csg_form_row(f, "queue  CPU       bytes pieces truncated collisions breaks  time");
	while (next_queue(info, &at, &q)) {
		if (!is_chosen(info, q.cpu))
			continue;
		if (f->json)
			queue_json(f, &q);
		else
			queue_text(f, &q);
	}
	csg_form_close_list(f);
}

static bool same_unit(const struct csg_source *a, const struct csg_source *b)
{
	return a->protocol == b->protocol && a->trcconfigr == b->trcconfigr &&
	       a->trcidr0 == b->trcidr0 && a->trcidr1 == b->trcidr1 && a->trcidr2 == b->trcidr2 &&
	       a->trcidr8 == b->trcidr8 && a->trcdevarch == b->trcdevarch &&
	       a->ts_source == b->ts_source;
}

/* The first source with the same trace unit: what a configuration is known by. */
static size_t first_like(const struct csg_info *info, size_t i)
{
	size_t first = 0;

	while (!same_unit(&info->sources[first], &info->sources[i]))
		first++;
	return first;
}

/* Number of the configuration of source i, from 1 on. */
static size_t configuration(const struct csg_info *info, size_t i)
{
	size_t first = first_like(info, i), n = 0;

	for (size_t s = 0; s <= first; s++)
		n += first_like(info, s) == s;
	return n;
}

static void source_text(struct csg_form *f, const struct csg_info *info, size_t i)
{
	const struct csg_source *s = &info->sources[i];
	char line[TEXT_MAX], cpu[16], sink[16] = "-", version[VERSION_MAX], number[24];

	csg_trace_unit_version(s, version, sizeof(version));
	if (s->sink != CSG_NO_SINK)
		snprintf(sink, sizeof(sink), "0x%x", s->sink);
	if (s->protocol == CSG_PROTOCOL_OTHER)
		strcpy(number, "not decoded");
	else
		snprintf(number, sizeof(number), "%zu", configuration(info, i));
	snprintf(line, sizeof(line), "%5u  0x%02x %5s %11s  %-8s %13s  %s", s->queue, s->trace_id,
		 cpu_text(cpu, sizeof(cpu), s->cpu), sink, version, number,
		 s->name ? token(f, CSG_ANONYM_TEXT, s->name) : "");
	line[strcspn(line, "\n")] = 0;
	for (size_t n = strlen(line); n && line[n - 1] == ' '; n--)
		line[n - 1] = 0;
	csg_form_row(f, line);
}

static void configuration_text(struct csg_form *f, const struct csg_info *info, size_t i)
{
	const struct csg_source *s = &info->sources[i];
	char title[64], text[CSG_TRACE_UNIT_TEXT], line[TEXT_MAX], version[VERSION_MAX];

	csg_trace_unit_version(s, version, sizeof(version));
	snprintf(title, sizeof(title), "%zu: %s", configuration(info, i), version);
	csg_form_open(f, NULL, title);
	csg_trace_unit_config(s, text, sizeof(text));
	csg_form_string(f, NULL, "traces", text);
	csg_form_string(f, NULL, "timestamps", csg_trace_unit_timestamps(s));
	snprintf(line, sizeof(line),
		 "TRCCONFIGR 0x%" PRIx64 ", TRCIDR0 0x%" PRIx64 ", TRCIDR1 0x%" PRIx64
		 ", TRCIDR2 0x%" PRIx64 ", TRCIDR8 0x%" PRIx64,
		 s->trcconfigr, s->trcidr0, s->trcidr1, s->trcidr2, s->trcidr8);
	csg_form_string(f, NULL, "registers", line);
	csg_form_close(f);
}

static void hex_json(struct csg_form *f, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	csg_form_string(f, key, NULL, text);
}

static void source_json(struct csg_form *f, const struct csg_source *s)
{
	char text[CSG_TRACE_UNIT_TEXT];

	csg_form_open(f, NULL, NULL);
	csg_form_u64(f, "queue", NULL, s->queue);
	csg_form_u64(f, "id", NULL, s->trace_id);
	if (s->cpu == CSG_NO_CPU)
		csg_form_null(f, "cpu");
	else
		csg_form_i64(f, "cpu", NULL, s->cpu);
	if (s->sink == CSG_NO_SINK)
		csg_form_null(f, "sink");
	else
		csg_form_u64(f, "sink", NULL, s->sink);
	csg_form_string(f, "name", NULL, token(f, CSG_ANONYM_TEXT, s->name));
	csg_form_string(f, "core", NULL, s->core_type);
	csg_trace_unit_version(s, text, sizeof(text));
	csg_form_string(f, "unit", NULL, text);
	csg_trace_unit_config(s, text, sizeof(text));
	csg_form_string(f, "traces", NULL, s->protocol == CSG_PROTOCOL_OTHER ? NULL : text);
	csg_form_string(f, "timestamps", NULL, csg_trace_unit_timestamps(s));
	if (s->ts_source == CSG_TS_SOURCE_UNKNOWN)
		csg_form_null(f, "ts_source");
	else
		csg_form_i64(f, "ts_source", NULL, s->ts_source);
	hex_json(f, "trcconfigr", s->trcconfigr);
	hex_json(f, "trctraceidr", s->trctraceidr);
	hex_json(f, "trcidr0", s->trcidr0);
	hex_json(f, "trcidr1", s->trcidr1);
	hex_json(f, "trcidr2", s->trcidr2);
	hex_json(f, "trcidr8", s->trcidr8);
	hex_json(f, "trcauthstatus", s->trcauthstatus);
	hex_json(f, "trcdevarch", s->trcdevarch);
	csg_form_close(f);
}

static void write_sources(struct csg_form *f, const struct csg_info *info)
{
	csg_form_open_list(f, "sources", "Sources");
	csg_form_row(f, "queue    ID   CPU        sink  unit     configuration  name");
	for (size_t i = 0; i < info->source_count; i++) {
		if (!is_chosen(info, info->sources[i].cpu))
			continue;
		if (f->json)
			source_json(f, &info->sources[i]);
		else
			source_text(f, info, i);
	}
	csg_form_close_list(f);
	if (f->json)
		return;
	csg_form_open(f, NULL, "Configurations");
	for (size_t i = 0; i < info->source_count; i++)
		if (first_like(info, i) == i && info->sources[i].protocol != CSG_PROTOCOL_OTHER)
			configuration_text(f, info, i);
	csg_form_close(f);
}

/* What the context IDs of the trace are, for people: facts that all sources share. */
static void write_contexts(struct csg_form *f, const struct csg_info *info)
{
	uint64_t any = 0;
	const char *meaning = NULL;

	for (size_t i = 0; i < info->source_count; i++)
		if (info->sources[i].protocol != CSG_PROTOCOL_OTHER)
			any |= info->sources[i].trcconfigr;
	csg_form_open(f, "context_ids", "Context IDs");
	csg_form_bool(f, "contextidr_el1", "CONTEXTIDR_EL1", any & CSG_TRCCONFIGR_CID);
	csg_form_bool(f, "contextidr_el2", "CONTEXTIDR_EL2",
		      any & CSG_TRCCONFIGR_VMID && any & CSG_TRCCONFIGR_VMIDOPT);
	csg_form_bool(f, "vmid", "VMID",
		      any & CSG_TRCCONFIGR_VMID && !(any & CSG_TRCCONFIGR_VMIDOPT));
	if (any & CSG_TRCCONFIGR_VMID && any & CSG_TRCCONFIGR_VMIDOPT)
		meaning = "CONTEXTIDR_EL2 is the host's thread, also while it runs a vCPU";
	else if (any & CSG_TRCCONFIGR_VMID)
		meaning = "VMID is VTTBR_EL2's; it stays loaded after a guest's exit";
	else if (any & CSG_TRCCONFIGR_CID)
		meaning = "CONTEXTIDR_EL1 is the thread of the kernel at EL1, where that writes it";
	csg_form_string(f, "meaning", "meaning", meaning);
	csg_form_close(f);
}

static void write_advice(struct csg_form *f, const struct csg_info *info)
{
	struct csg_advice advice[CSG_ADVICE_MAX];
	size_t n = csg_info_advise(info, CSG_OPEN_ALL, advice);

	csg_form_open_list(f, "advice", n ? "What is missing, and what to do" : NULL);
	for (size_t i = 0; i < n; i++) {
		if (f->json) {
			csg_form_open(f, NULL, NULL);
			csg_form_string(f, "lack", NULL, advice[i].lack);
			csg_form_string(f, "remedy", NULL, advice[i].remedy);
			csg_form_close(f);
		} else {
			char line[TEXT_MAX];

			csg_form_line(f, advice[i].lack);
			snprintf(line, sizeof(line), "  remedy: %s", advice[i].remedy);
			csg_form_line(f, line);
		}
	}
	csg_form_close_list(f);
}

void csg_info_fill(struct csg_info *info, struct csg_recording *rec)
{
	*info = (struct csg_info){
		.recording = csg_recording_info(rec),
		.time_conv = csg_recording_time_conv(rec),
		.damage = csg_recording_damage(rec),
	};
	info->sources = csg_array_sources(rec, &info->source_count);
	info->chunks = csg_array_chunks(rec, &info->chunk_count);
	info->no_trace = info->recording->kind == CSG_RECORDING_PERF && !info->chunk_count;
	info->dump_count = csg_recording_dump_count(rec);
}

void csg_info_write(const struct csg_info *info, bool json, struct csg_out *out)
{
	struct csg_form f;

	csg_form_begin(&f, out, json);
	write_recording(&f, info);
	write_how(&f, info);
	write_hypervisor(&f, info);
	if (!info->no_trace || json) {
		write_contexts(&f, info);
		write_queues(&f, info);
		write_sources(&f, info);
	}
	csg_contradictions_write(info->contradictions, info->contradiction_count,
				 info->contradiction_total, info->kept, &f);
	csg_kernel_files_write(info->kernels, info->kernel_count, &f);
	write_advice(&f, info);
	csg_form_end(&f);
}
