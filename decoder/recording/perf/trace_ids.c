/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/trace_ids.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/report.h"
#include "util/array.h"

#define TRACE_ID(value) ((uint8_t)((value)&0xff))
#define SINK(value) ((uint32_t)((value) >> 8))
#define MINOR(value) ((value) >> 56 & 0xf)
#define TRACE_ID_VALID(id) ((id) > 0 && (id) < 0x70)

#define HW_IDS_MAX 4096	       /* CPUs times sinks they may be moved to; more is no machine */
#define SOURCES_MAX (1u << 18) /* CPUs times queues */

void csg_hw_ids_fini(struct csg_hw_ids *ids)
{
	free(ids->ids);
	memset(ids, 0, sizeof(*ids));
}

int csg_hw_ids_add(struct csg_hw_ids *ids, const struct csg_hw_id *id)
{
	struct csg_hw_id *new;

	/* One comes each time a thread is put on a CPU: mostly those of just before. */
	for (size_t i = ids->n; i-- > 0;)
		if (ids->ids[i].value == id->value && ids->ids[i].cpu == id->cpu)
			return 0;
	if (ids->n >= HW_IDS_MAX)
		return -CSG_E_CORRUPT;
	new = csg_array_add(&ids->ids, &ids->n, &ids->cap, sizeof(*new));
	if (!new)
		return -CSG_E_NO_MEMORY;
	*new = *id;
	return 0;
}

/* What a queue is: taken from its chunks. */
struct queue {
	uint32_t number;
	const struct csg_chunk *chunks;
	size_t n;
	int32_t *cpus; /* that recorded its pieces, in order, each once */
	size_t n_cpus;
	bool cpus_unknown; /* none of them: AUX records without a CPU */
	bool raw, framed;
	size_t first_source; /* index of its first one in rec->sources */
};

struct maker {
	const struct csg_hw_ids *ids;
	const struct csg_etm_metadata *metadata;
	struct csg_recording *rec;
	const char *path;
	struct queue queue;
	bool reported_conflict;
};

static uint32_t sink_of(const struct csg_hw_id *id)
{
	return MINOR(id->value) ? SINK(id->value) : CSG_NO_SINK;
}

static int by_number(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return x < y ? -1 : x > y;
}

static int find_cpus(struct queue *queue)
{
	size_t n = 0;

	queue->cpus = calloc(queue->n, sizeof(*queue->cpus));
	if (!queue->cpus)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < queue->n; i++)
		if (!n || queue->cpus[n - 1] != queue->chunks[i].cpu)
			queue->cpus[n++] = queue->chunks[i].cpu;
	qsort(queue->cpus, n, sizeof(*queue->cpus), by_number);
	for (size_t i = 0; i < n; i++)
		if (!i || queue->cpus[i] != queue->cpus[queue->n_cpus - 1])
			queue->cpus[queue->n_cpus++] = queue->cpus[i];
	queue->cpus_unknown = queue->n_cpus == 1 && queue->cpus[0] == CSG_NO_CPU;
	return 0;
}

/* Does the queue hold a piece that came from the CPU? */
static bool queue_has_cpu(const struct queue *queue, int32_t cpu)
{
	return bsearch(&cpu, queue->cpus, queue->n_cpus, sizeof(cpu), by_number);
}

static void report_conflict(struct maker *maker, uint8_t trace_id, int32_t cpu, int32_t other,
			    uint64_t record)
{
	if (!maker->reported_conflict)
		csg_report(&maker->rec->sink, CSG_WARNING, CSG_E_CORRUPT, maker->path, record,
			   "record fewer CPUs or threads at once",
			   "trace ID %#x is claimed by CPU %d and CPU %d; taken as CPU %d's",
			   trace_id, other, cpu, other);
	maker->reported_conflict = true;
}

/* Adds unit as trace_id of sink to the queue, once. */
static int add_source(struct maker *maker, const struct csg_source *unit, uint8_t trace_id,
		      uint32_t sink, uint64_t record)
{
	struct csg_recording *rec = maker->rec;
	struct csg_source *source;

	for (size_t i = maker->queue.first_source; i < rec->n_sources; i++) {
		const struct csg_source *other = &rec->sources[i];

		if (maker->queue.framed && other->trace_id == trace_id) {
			if (other->cpu != unit->cpu)
				report_conflict(maker, trace_id, unit->cpu, other->cpu, record);
			return 0;
		}
		if (!maker->queue.framed && other->cpu == unit->cpu)
			return 0;
	}
	if (rec->n_sources >= SOURCES_MAX)
		return csg_report(&rec->sink, CSG_ERROR, CSG_E_LIMIT, maker->path, record, NULL,
				  "more than %u pairs of trace ID and buffer", SOURCES_MAX);
	source = CSG_STORE_ADD(rec, sources);
	if (!source)
		return -CSG_E_NO_MEMORY;
	*source = *unit;
	source->queue = maker->queue.number;
	source->trace_id = trace_id;
	source->sink = sink;
	return 0;
}

/* The sinks of the CPUs that recorded the queue's pieces hold the units that feed them. */
static bool feeds_queue(const struct maker *maker, uint32_t sink)
{
	if (sink == CSG_NO_SINK || maker->queue.cpus_unknown)
		return true;
	for (size_t i = 0; i < maker->ids->n; i++) {
		const struct csg_hw_id *id = &maker->ids->ids[i];

		if (sink_of(id) == sink && queue_has_cpu(&maker->queue, id->cpu))
			return true;
	}
	return false;
}

static int add_from_hw_ids(struct maker *maker)
{
	const struct queue *queue = &maker->queue;

	for (size_t i = 0; i < maker->ids->n; i++) {
		const struct csg_hw_id *id = &maker->ids->ids[i];
		const struct csg_source *unit = csg_etm_metadata_cpu(maker->metadata, id->cpu);
		uint32_t sink = sink_of(id);
		int ret;

		if (!unit || !TRACE_ID_VALID(TRACE_ID(id->value)))
			continue;
		if (!queue_has_cpu(queue, id->cpu) && (!queue->framed || !feeds_queue(maker, sink)))
			continue;
		ret = add_source(maker, unit, TRACE_ID(id->value), sink, id->record);
		if (ret)
			return ret;
	}
	return 0;
}

static int add_from_metadata(struct maker *maker)
{
	for (size_t i = 0; i < maker->metadata->n && maker->queue.framed; i++) {
		const struct csg_source *unit = &maker->metadata->units[i];
		int ret = 0;

		if (TRACE_ID_VALID(unit->trace_id))
			ret = add_source(maker, unit, unit->trace_id, CSG_NO_SINK, CSG_NO_OFFSET);
		if (ret)
			return ret;
	}
	return 0;
}

static bool has_source_of(const struct maker *maker, int32_t cpu)
{
	const struct csg_recording *rec = maker->rec;

	for (size_t i = maker->queue.first_source; i < rec->n_sources; i++)
		if (rec->sources[i].cpu == cpu)
			return true;
	return false;
}

/*
 * A raw piece needs no ID to be decoded: whichever CPU recorded it is its unit.  Where nobody
 * says which, all units of a machine being alike is the best guess.
 */
static int add_raw_rest(struct maker *maker)
{
	for (size_t i = 0; i < maker->metadata->n && maker->queue.raw; i++) {
		struct csg_source unit = maker->metadata->units[i];
		int ret = 0;

		if (maker->queue.cpus_unknown)
			unit.cpu = CSG_NO_CPU;
		if (queue_has_cpu(&maker->queue, unit.cpu) && !has_source_of(maker, unit.cpu))
			ret = add_source(maker, &unit, unit.trace_id, CSG_NO_SINK, CSG_NO_OFFSET);
		if (ret)
			return ret;
	}
	return 0;
}

static int by_trace_id(const void *a, const void *b)
{
	const struct csg_source *x = a, *y = b;

	if (x->trace_id != y->trace_id)
		return x->trace_id < y->trace_id ? -1 : 1;
	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

static int make_queue(struct maker *maker)
{
	struct csg_recording *rec = maker->rec;
	struct queue *queue = &maker->queue;
	size_t first = rec->n_sources;
	int ret = find_cpus(queue);

	queue->first_source = first;
	for (size_t i = 0; i < queue->n; i++) {
		queue->raw |= queue->chunks[i].framing == CSG_RAW;
		queue->framed |= queue->chunks[i].framing != CSG_RAW;
	}
	if (!ret)
		ret = maker->ids->n ? add_from_hw_ids(maker) : add_from_metadata(maker);
	if (!ret)
		ret = add_raw_rest(maker);
	if (!ret && rec->n_sources > first)
		qsort(rec->sources + first, rec->n_sources - first, sizeof(*rec->sources),
		      by_trace_id);
	if (!ret && rec->n_sources == first)
		csg_report(&rec->sink, CSG_WARNING, CSG_E_CORRUPT, maker->path, CSG_NO_OFFSET,
			   "record again; perf record must see every AUX_OUTPUT_HW_ID",
			   "no trace ID is known for the trace of queue %u", queue->number);
	free(queue->cpus);
	return ret;
}

void csg_trace_ids_known(const struct csg_hw_ids *ids, const struct csg_etm_metadata *metadata,
			 uint64_t known[2])
{
	for (size_t i = 0; i < ids->n; i++) {
		const uint8_t id = TRACE_ID(ids->ids[i].value);

		if (TRACE_ID_VALID(id))
			known[id / 64] |= UINT64_C(1) << id % 64;
	}
	for (size_t i = 0; i < metadata->n && !ids->n; i++) {
		const uint8_t id = metadata->units[i].trace_id;

		if (TRACE_ID_VALID(id))
			known[id / 64] |= UINT64_C(1) << id % 64;
	}
}

int csg_trace_ids_make_sources(const struct csg_hw_ids *ids,
			       const struct csg_etm_metadata *metadata, struct csg_recording *rec,
			       const char *path)
{
	struct maker maker = {.ids = ids, .metadata = metadata, .rec = rec, .path = path};

	for (size_t i = 0, n; i < rec->n_chunks; i += n) {
		int ret;

		for (n = 1; i + n < rec->n_chunks; n++)
			if (rec->chunks[i + n].queue != rec->chunks[i].queue)
				break;
		maker.queue = (struct queue){
			.number = rec->chunks[i].queue,
			.chunks = rec->chunks + i,
			.n = n,
		};
		ret = make_queue(&maker);
		if (ret)
			return ret;
	}
	return 0;
}
