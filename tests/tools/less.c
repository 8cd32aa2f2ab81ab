/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Takes something away from a recording, in place:
 *
 *	less lost FILE LOST OF          of each OF switch records of the perf.data the first LOST
 *	                                are lost, as if perf's buffer had been full: one
 *	                                PERF_RECORD_LOST stands there
 *	less switches FILE              it was recorded without switch records
 *	less records FILE KIND EACH     every EACHth record of a kind is lost, a PERF_RECORD_LOST
 *					stands there: aux (the trace that it spoke of stays in
 *					the file), maps, comms, forks, exits
 *	less trace FILE                 half of each AUX record is lost: of every second one the
 *	                                beginning, of the others the end (PERF_AUX_FLAG_TRUNCATED)
 *	less timestamps FILE RECORDING  the trace's timestamps are all 0, which is none; RECORDING
 *	                                is the folder of FILE, or FILE
 *	less often FILE RECORDING N     of the trace's timestamps every Nth is left, about
 *	less contexts FILE RECORDING    the trace has no context IDs
 *	less names FILE                 no COMM, FORK, EXIT, MMAP2 or ITRACE_START: threads have no
 *					process
 *	less events FILE                no samples, which are those of KVM's events
 *	less sampled FILE               tracepoints were sampled: of three of their events one has a
 *					record
 *	less ids FILE CPU               no PERF_RECORD_AUX_OUTPUT_HW_ID names this CPU's trace ID
 *	less clock FILE                 it does not say how its time is counted
 *					(PERF_RECORD_TIME_CONV)
 *
 * Prints how many there were.
 */
#include <inttypes.h>

#include "perf_in_place.h"
#include "recording/recording.h"
#include "scan/reader.h"

/* struct perf_file_header: where its attributes are. */
#define ATTRS_OFFSET 24
#define ATTRS_SIZE 32

/* struct perf_event_attr; in the file struct perf_file_section follows it, of its IDs. */
#define ATTR_LENGTH 4
#define ATTR_PERIOD 16
#define ATTR_FLAGS 40
#define ATTR_SECTION 16
#define CONTEXT_SWITCH (1u << 26)

/* Of events with TID, TIME, CPU and IDENTIFIER, as perf record -a asks for them. */
#define SAMPLE_ID 32
#define CPU_IN_ID 16
#define SWITCH (HEADER + 8 + SAMPLE_ID)
#define MOST_LOST (UINT16_MAX / SWITCH)

#define AUX_OFFSET 8
#define AUX_SIZE 16
#define AUX_FLAGS 24
#define TRUNCATED 1

static bool is_switch(const struct perf_in_place *file, const uint8_t *record)
{
	return record < file->end && type_of(record) == CSG_PERF_RECORD_SWITCH_CPU_WIDE &&
	       size_of(record) == SWITCH;
}

static uint32_t cpu_of(const uint8_t *record)
{
	return csg_le32(record + SWITCH - SAMPLE_ID + CPU_IN_ID);
}

/* The record, which ends with a sample_id, whose last 8 bytes are the event's ID, becomes
 * PERF_RECORD_LOST of n records. */
static void tell_lost(uint8_t *record, uint64_t n)
{
	put(record, CSG_PERF_RECORD_LOST, 4);
	memcpy(record + HEADER, record + size_of(record) - 8, 8);
	put(record + HEADER + 8, n, 8);
}

/*
 * PERF_RECORD_LOST (header, id, lost, sample_id) in place of these records of one CPU.  As the
 * kernel does, it gives the time of the record before which it is written, where that is a switch
 * as well.
 */
static void replace(const struct perf_in_place *file, uint8_t *begin, uint8_t *end)
{
	const uint8_t *before = is_switch(file, end) ? end : end - SWITCH;
	uint64_t n = (uint64_t)(end - begin) / SWITCH;
	uint8_t id[SAMPLE_ID];

	memcpy(id, before + SWITCH - SAMPLE_ID, SAMPLE_ID);
	memset(begin, 0, (size_t)(end - begin));
	put(begin + 6, (uint64_t)(end - begin), 2);
	memcpy(end - SAMPLE_ID, id, SAMPLE_ID);
	tell_lost(begin, n);
}

/* Two at once or more, as the record that tells of it is longer than one. */
static uint64_t lose(const struct perf_in_place *file, uint64_t of_each, uint64_t group)
{
	uint64_t seen = 0, lost = 0;

	for (uint8_t *record = file->begin, *end; record < file->end; record = end) {
		uint64_t n = 0;

		end = record;
		while (is_switch(file, end) && cpu_of(end) == cpu_of(record) &&
		       seen % group < of_each && n < MOST_LOST) {
			end = next(file, end);
			n++;
			seen++;
		}
		if (n >= 2) {
			replace(file, record, record + n * SWITCH);
			lost += n;
		} else if (!n) {
			seen += is_switch(file, record);
			end = next(file, record);
		}
	}
	return lost;
}

/* What nobody takes notice of stands in place of the records, so that all else stays where it
 * is. */
static uint64_t drop_switches(const struct perf_in_place *file)
{
	uint8_t *attr = file->bytes + csg_le64(file->bytes + ATTRS_OFFSET);
	uint8_t *attrs_end = attr + csg_le64(file->bytes + ATTRS_SIZE);
	uint64_t n = 0;

	for (uint8_t *record = file->begin; record < file->end; record = next(file, record)) {
		if (!is_switch(file, record))
			continue;
		put(record, RECORD_THROTTLE, 4);
		n++;
	}
	while (attr + ATTR_FLAGS + 8 <= attrs_end) {
		put(attr + ATTR_FLAGS, csg_le64(attr + ATTR_FLAGS) & ~(uint64_t)CONTEXT_SWITCH, 8);
		attr += csg_le32(attr + ATTR_LENGTH) + ATTR_SECTION;
	}
	return n;
}

static uint64_t drop(const struct perf_in_place *file, uint32_t type)
{
	uint64_t n = 0;

	for (uint8_t *record = file->begin; record < file->end; record = next(file, record)) {
		if (type_of(record) != type)
			continue;
		put(record, RECORD_THROTTLE, 4);
		n++;
	}
	return n;
}

/* Where they end with a sample_id. */
static uint64_t drop_ids_of(const struct perf_in_place *file, uint64_t cpu)
{
	uint64_t n = 0;

	for (uint8_t *record = file->begin; record < file->end; record = next(file, record)) {
		if (type_of(record) != CSG_PERF_RECORD_AUX_OUTPUT_HW_ID ||
		    size_of(record) < HEADER + SAMPLE_ID ||
		    csg_le32(record + size_of(record) - SAMPLE_ID + CPU_IN_ID) != cpu)
			continue;
		put(record, RECORD_THROTTLE, 4);
		n++;
	}
	return n;
}

#define TRACEPOINT 2 /* PERF_TYPE_TRACEPOINT */
#define PERIOD 3

static uint64_t sample_tracepoints(const struct perf_in_place *file)
{
	uint8_t *attr = file->bytes + csg_le64(file->bytes + ATTRS_OFFSET);
	uint8_t *attrs_end = attr + csg_le64(file->bytes + ATTRS_SIZE);
	uint64_t n = 0;

	for (; attr + ATTR_FLAGS + 8 <= attrs_end;
	     attr += csg_le32(attr + ATTR_LENGTH) + ATTR_SECTION)
		if (csg_le32(attr) == TRACEPOINT)
			put(attr + ATTR_PERIOD, PERIOD, 8);
	for (uint8_t *record = file->begin; record < file->end; record = next(file, record))
		if (type_of(record) == CSG_PERF_RECORD_SAMPLE && n++ % PERIOD)
			put(record, RECORD_THROTTLE, 4);
	return n;
}

static const struct {
	const char *name;
	uint32_t type;
} lost_types[] = {
	{"aux", CSG_PERF_RECORD_AUX},	 {"maps", CSG_PERF_RECORD_MMAP2},
	{"comms", CSG_PERF_RECORD_COMM}, {"forks", CSG_PERF_RECORD_FORK},
	{"exits", CSG_PERF_RECORD_EXIT},
};

static uint32_t type_named(const char *name)
{
	for (size_t i = 0; i < sizeof(lost_types) / sizeof(lost_types[0]); i++)
		if (!strcmp(lost_types[i].name, name))
			return lost_types[i].type;
	return 0;
}

static uint64_t lose_each(const struct perf_in_place *file, const char *name, uint64_t each)
{
	const uint32_t type = type_named(name);
	uint64_t seen = 0, n = 0;

	for (uint8_t *record = file->begin; type && each && record < file->end;
	     record = next(file, record)) {
		if (type_of(record) != type || ++seen % each)
			continue;
		tell_lost(record, 1);
		n++;
	}
	return n;
}

static uint64_t halve_trace(const struct perf_in_place *file)
{
	uint64_t n = 0;

	for (uint8_t *record = file->begin; record < file->end; record = next(file, record)) {
		uint64_t half;

		if (type_of(record) != CSG_PERF_RECORD_AUX)
			continue;
		half = csg_le64(record + AUX_SIZE) / 2 & ~(uint64_t)(CSG_FRAME_SIZE - 1);
		if (!half)
			continue;
		if (n++ % 2)
			put(record + AUX_OFFSET, csg_le64(record + AUX_OFFSET) + half, 8);
		put(record + AUX_SIZE, half, 8);
		put(record + AUX_FLAGS, csg_le64(record + AUX_FLAGS) | TRUNCATED, 8);
	}
	return n;
}

/* A timestamp packet: it sends this many of the lower bits. */
struct stamp {
	size_t at, n; /* bytes */
	uint64_t value;
	unsigned int bits;
};

/* The bytes of one trace unit in one chunk, and where each of them is in the file. */
struct unit {
	uint8_t *chunk; /* in the file */
	uint8_t *bytes;
	size_t *places; /* in the chunk */
	size_t n;
	bool framed;
	uint64_t changed; /* packets */
	struct stamp *stamps;
	size_t stamp_count;
	uint64_t every;		  /* timestamp is left; 0: all */
	unsigned int id_bytes[2]; /* of virtual context and context ID */
};

/* Formatter frames (Arm IHI 0029): an even byte is an ID, or data of which the last byte has bit
 * 0. */
static uint8_t take_frame(struct unit *unit, size_t frame, uint8_t id, uint8_t current)
{
	const uint8_t *bytes = unit->chunk + frame;
	uint8_t flags = bytes[CSG_FRAME_DATA], next_id = current;

	for (unsigned int i = 0; i < CSG_FRAME_DATA; i++) {
		bool even = !(i & 1), flag = flags >> i / 2 & 1;
		uint8_t byte = bytes[i];

		if (even && byte & 1) {
			next_id = byte >> 1;
			if (!flag)
				current = next_id;
			continue;
		}
		if (current == id) {
			unit->places[unit->n] = frame + i;
			unit->bytes[unit->n++] = even ? (uint8_t)(byte | flag) : byte;
		}
		current = next_id;
	}
	return current;
}

/* Clears all of a byte but what says that another follows. */
static void clear(struct unit *unit, size_t nth)
{
	size_t place = unit->places[nth], in_frame = place % CSG_FRAME_SIZE;

	unit->chunk[place] &= 0x80;
	if (unit->framed && !(in_frame & 1))
		unit->chunk[place - in_frame + CSG_FRAME_DATA] &= (uint8_t) ~(1u << in_frame / 2);
}

/* Timestamp packets have seven bits of the value in each byte, and in the ninth all eight. */
static void clear_timestamp(void *arg, const struct csg_packet *packet)
{
	struct unit *unit = arg;
	size_t at = packet->position + 1;

	if (packet->kind != CSG_PACKET_TIMESTAMP)
		return;
	unit->changed++;
	for (unsigned int i = 0; i < 9 && at < unit->n; i++, at++) {
		bool last = i == 8 || !(unit->bytes[at] & 0x80);

		clear(unit, at);
		if (i == 8)
			unit->chunk[unit->places[at]] = 0;
		if (last)
			break;
	}
}

/* --- context IDs --- */

#define IGNORE 0x70
#define HAS_VIRTUAL 0x40
#define HAS_CONTEXT 0x80

/* Puts value at the nth byte.  Of an even byte of a frame bit 0 lies in the last byte. */
static void replace_byte(struct unit *unit, size_t nth, uint8_t value)
{
	size_t place = unit->places[nth], in_frame = place % CSG_FRAME_SIZE;
	uint8_t *flags = &unit->chunk[place - in_frame + CSG_FRAME_DATA];
	uint8_t flag = (uint8_t)(1u << in_frame / 2);

	unit->bytes[nth] = value;
	if (!unit->framed || in_frame & 1) {
		unit->chunk[place] = value;
		return;
	}
	unit->chunk[place] = value & 0xfe;
	*flags = (uint8_t)(value & 1 ? *flags | flag : *flags & ~flag);
}

/* The information byte of a context follows the header, or the address: 0x82 and 0x83 have 4 bytes
 * of it. */
static void drop_ids(void *arg, const struct csg_packet *packet)
{
	struct unit *unit = arg;
	size_t at = packet->position + 1;
	unsigned int n = 0;

	if (!packet->context.updated ||
	    (packet->kind != CSG_PACKET_CONTEXT && packet->kind != CSG_PACKET_ADDRESS_CONTEXT))
		return;
	if (packet->kind == CSG_PACKET_ADDRESS_CONTEXT)
		at += unit->bytes[packet->position] <= 0x83 ? 4 : 8;
	n += packet->context.has_vmid ? unit->id_bytes[0] : 0;
	n += packet->context.has_contextid ? unit->id_bytes[1] : 0;
	unit->changed += n > 0;
	replace_byte(unit, at, unit->bytes[at] & (uint8_t) ~(HAS_VIRTUAL | HAS_CONTEXT));
	while (n--)
		replace_byte(unit, ++at, IGNORE);
}

/* --- timestamps that come seldom --- */

static void note_stamp(void *arg, const struct csg_packet *packet)
{
	struct unit *unit = arg;
	struct stamp *stamp = &unit->stamps[unit->stamp_count];
	size_t n = 1;

	/* With a cycle count it is longer: none of our recordings has these. */
	if (packet->kind != CSG_PACKET_TIMESTAMP || unit->bytes[packet->position] & 1)
		return;
	while (n < 9 && unit->bytes[packet->position + n] & 0x80)
		n++;
	*stamp = (struct stamp){.at = packet->position,
				.n = n + 1,
				.value = packet->value,
				.bits = n == 9 ? 64 : 7 * (unsigned int)n};
	unit->stamp_count++;
}

/* Whether the packet gives its value where that of another was the last. */
static bool follows(const struct stamp *stamp, const struct stamp *last)
{
	return stamp->bits == 64 || stamp->value >> stamp->bits == last->value >> stamp->bits;
}

static void drop_stamp(struct unit *unit, const struct stamp *stamp)
{
	for (size_t k = 0; k < stamp->n; k++)
		replace_byte(unit, stamp->at + k, IGNORE);
	unit->changed++;
}

/* All between one and the next that is left go. */
static void thin(struct unit *unit)
{
	size_t last = 0, next;

	for (; last < unit->stamp_count; last = next) {
		next = last + unit->every;
		while (next < unit->stamp_count &&
		       !follows(&unit->stamps[next], &unit->stamps[last]))
			next++;
		for (size_t i = last + 1; i < next && i < unit->stamp_count; i++)
			drop_stamp(unit, &unit->stamps[i]);
	}
}

/* Of perf's metadata (struct perf_record_auxtrace_info, version 1 and later) what each unit is set
 * to. */
#define ETM4_MAGIC 0x4040404040404040
#define ETE_MAGIC 0x5050505050505050
#define CONFIGR 3 /* words after the magic */
#define IDR1 6
#define IDS ((uint64_t)1 << 6 | 1 << 7 | 1 << 15)
#define V4_3 0x30

static void set_units(const struct perf_in_place *file, uint64_t cleared)
{
	for (uint8_t *record = file->begin; record < file->end; record = next(file, record)) {
		uint8_t *end = record + size_of(record);

		if (type_of(record) != CSG_PERF_RECORD_AUXTRACE_INFO)
			continue;
		for (uint8_t *word = record + HEADER; word + 8 * (IDR1 + 1) <= end; word += 8) {
			uint64_t magic = csg_le64(word);

			if (magic != ETM4_MAGIC && magic != ETE_MAGIC)
				continue;
			put(word + 8 * CONFIGR, csg_le64(word + 8 * CONFIGR) & ~cleared, 8);
			/* Ignore packets are there since 4.3. */
			if (magic == ETM4_MAGIC)
				put(word + 8 * IDR1,
				    (csg_le64(word + 8 * IDR1) & ~(uint64_t)0xf0) | V4_3, 8);
		}
	}
}

static uint8_t *find_chunk(const struct perf_in_place *file, struct csg_window *window,
			   const struct csg_chunk *chunk)
{
	const uint8_t *bytes;
	size_t n = 4096;

	if (csg_window_read(window, chunk, 0, &bytes, &n) || !n)
		return NULL;
	return memmem(file->begin, (size_t)(file->end - file->begin), bytes, n);
}

static uint64_t clear_chunk(const struct csg_source *source, const struct csg_chunk *chunk,
			    uint8_t *at, csg_packet_fn change, uint64_t every)
{
	struct unit unit = {.chunk = at,
			    .framed = chunk->framing != CSG_RAW,
			    .id_bytes = {4, 4},
			    .every = every};
	struct csg_reader reader;
	uint8_t current = 0;

	unit.bytes = malloc(chunk->bytes + 1);
	unit.places = malloc((chunk->bytes + 1) * sizeof(*unit.places));
	unit.stamps = malloc((chunk->bytes + 1) * sizeof(*unit.stamps));
	if (unit.bytes && unit.places && unit.stamps) {
		for (size_t i = 0; !unit.framed && i < chunk->bytes; i++) {
			unit.places[i] = i;
			unit.bytes[unit.n++] = at[i];
		}
		for (size_t i = 0; unit.framed && i + CSG_FRAME_SIZE <= chunk->bytes;
		     i += CSG_FRAME_SIZE)
			current = take_frame(&unit, i, source->trace_id, current);
		csg_reader_init(&reader, source, change, &unit);
		csg_reader_feed(&reader, CSG_RUN(0, unit.bytes, unit.n));
		if (every)
			thin(&unit);
	}
	free(unit.stamps);
	free(unit.bytes);
	free(unit.places);
	return unit.changed;
}

static uint64_t change_trace(const struct perf_in_place *file, const char *recording,
			     csg_packet_fn change, uint64_t every)
{
	const struct csg_recording_setup options = {0};
	const struct csg_source *sources;
	const struct csg_chunk *chunks;
	struct csg_window *window = NULL;
	struct csg_recording *rec;
	size_t n_sources, n_chunks;
	uint64_t n = 0;

	if (csg_recording_load(&rec, recording, &options, NULL))
		return 0;
	sources = csg_recording_sources(rec, &n_sources);
	chunks = csg_recording_chunks(rec, &n_chunks);
	for (size_t c = 0; c < n_chunks && !csg_window_create(&window, rec); c++) {
		uint8_t *at = find_chunk(file, window, &chunks[c]);

		for (size_t s = 0; at && s < n_sources; s++)
			if (csg_chunk_is_of(&chunks[c], &sources[s]))
				n += clear_chunk(&sources[s], &chunks[c], at, change, every);
		csg_window_destroy(window);
	}
	csg_recording_close(rec);
	return n;
}

static uint64_t take_away(const struct perf_in_place *file, int argc, char **argv)
{
	if (argc == 5 && !strcmp(argv[1], "lost"))
		return lose(file, strtoull(argv[3], NULL, 0), strtoull(argv[4], NULL, 0));
	if (argc == 3 && !strcmp(argv[1], "switches"))
		return drop_switches(file);
	if (argc == 4 && !strcmp(argv[1], "ids"))
		return drop_ids_of(file, strtoull(argv[3], NULL, 0));
	if (argc == 3 && !strcmp(argv[1], "clock"))
		return drop(file, CSG_PERF_RECORD_TIME_CONV);
	if (argc == 3 && !strcmp(argv[1], "events"))
		return drop(file, CSG_PERF_RECORD_SAMPLE);
	if (argc == 3 && !strcmp(argv[1], "sampled"))
		return sample_tracepoints(file);
	if (argc == 3 && !strcmp(argv[1], "names"))
		return drop(file, CSG_PERF_RECORD_COMM) + drop(file, CSG_PERF_RECORD_FORK) +
		       drop(file, CSG_PERF_RECORD_EXIT) + drop(file, CSG_PERF_RECORD_ITRACE_START) +
		       drop(file, CSG_PERF_RECORD_MMAP2);
	if (argc == 5 && !strcmp(argv[1], "records"))
		return lose_each(file, argv[3], strtoull(argv[4], NULL, 0));
	if (argc == 3 && !strcmp(argv[1], "trace"))
		return halve_trace(file);
	if (argc == 4 && !strcmp(argv[1], "timestamps"))
		return change_trace(file, argv[3], clear_timestamp, 0);
	if (argc == 5 && !strcmp(argv[1], "often")) {
		uint64_t n = change_trace(file, argv[3], note_stamp, strtoull(argv[4], NULL, 0));

		set_units(file, 0);
		return n;
	}
	if (argc == 4 && !strcmp(argv[1], "contexts")) {
		uint64_t n = change_trace(file, argv[3], drop_ids, 0);

		set_units(file, IDS);
		return n;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct perf_in_place file = {0};
	FILE *f = argc > 2 ? fopen(argv[2], "r+") : NULL;
	uint64_t n;

	if (!f || !load(&file, f))
		return 2;
	n = take_away(&file, argc, argv);
	if (!save(&file, f))
		return 1;
	printf("%" PRIu64 "\n", n);
	return n ? 0 : 1;
}
