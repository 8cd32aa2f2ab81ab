/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/kernel_sampler.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "flow/core/insn.h"
#include "guest/answers.h"
#include "image/kernel/kernel_proof.h"
#include "image/machine.h"
#include "image/space.h"
#include "scan/demux.h"
#include "scan/packets.h"
#include "session/run/surveyed_time_slices.h"
#include "world/policy.h"

#define LOOK_BYTES (8u << 20) /* of all streams together */
#define LOOK_BLOCK (64u << 10)

/* Atoms that ran from address on, of which it is not settled yet whose they are. */
struct atoms {
	uint64_t index, address;
	uint32_t pattern, n;
};

#define HELD 4096 /* of them; more are not waited for */

/* One machine's sample, taken from one source after the other. */
struct sampler {
	const struct csg_sampled_trace *trace;
	struct csg_machine *machine;
	int32_t vm;
	struct csg_code_bouts *bouts;
	struct csg_kernel_sample *sample; /* gets what was compared; or NULL */
	/* the current source */
	struct csg_reader reader;
	struct csg_packets packets;
	unsigned int features;
	uint64_t time; /* of the chunk */
	uint64_t address;
	bool at_address; /* execution goes on at address; nothing but a context came since */
	const struct csg_switch_survey *survey; /* of the current source, or NULL */
	/* Where owners say whose code it is; NULL: the exception level does. */
	struct csg_attribution_stream *owners;
	struct csg_segment segment; /* in force for the oldest of what is held */
	struct atoms *held;
	size_t held_count;
	/* that the current source has shown: its atoms before may be wrong */
	uint16_t mispredictions;
	int err;
};

/* --- whose code --- */

bool csg_sampled_trace_is_everybodys(const struct csg_sampled_trace *trace)
{
	return trace->snapshot &&
	       (trace->kind == CSG_HV_UNKNOWN || csg_policy_has(trace->kind, CSG_TRAIT_DOMAINS));
}

bool csg_sampled_trace_level_says(const struct csg_sampled_trace *trace)
{
	return csg_policy_has(trace->kind, CSG_TRAIT_HOST_AT_EL2 | CSG_TRAIT_NO_GUEST) ||
	       csg_sampled_trace_is_everybodys(trace) ||
	       (csg_policy_traits[trace->kind] == CSG_TRAIT_SHARED_EL1 && !trace->guests);
}

static bool is_host_level(const struct sampler *s, const struct csg_context *context)
{
	enum csg_hypervisor kind = s->trace->kind;
	bool el2 = csg_policy_has(kind, CSG_TRAIT_HOST_AT_EL2 | CSG_TRAIT_DOMAINS);

	return kind == CSG_HV_UNKNOWN || context->el == (el2 ? CSG_EL2 : CSG_EL1);
}

/* Guests of a guest have kernels of their own; where no levels are stated, all may be of one. */
static bool is_its_level(const struct sampler *s, const struct csg_owner *o)
{
	return o->level == CSG_LEVEL_GUEST ||
	       !csg_attribution_states_levels(s->trace->registry->attribution);
}

/* Proved to be the machine's kernel, not just what the policy expects. */
static bool is_owned(const struct sampler *s)
{
	const struct csg_owner *o = &s->segment.owner;

	if (o->privilege != CSG_KERNEL || !(o->evidence & ~(uint32_t)CSG_EVIDENCE_POLICY_DEFAULT))
		return false;
	if (s->vm == CSG_VM_HOST)
		return o->world == CSG_WORLD_HOST;
	return o->world == CSG_WORLD_GUEST && (s->vm == CSG_ONLY_GUEST || o->vm == s->vm) &&
	       is_its_level(s, o);
}

static bool is_wanted(const struct sampler *s, const struct csg_context *context, uint64_t address)
{
	if (!context->aarch64 || context->security != CSG_NON_SECURE)
		return false;
	/* Bit 55 chooses TTBR1: a kernel's own code, not a process's.  A hypervisor has one table
	 * alone. */
	if (!(address >> 55 & 1) && !csg_sampled_trace_is_everybodys(s->trace))
		return false;
	return s->owners || is_host_level(s, context);
}

/* Of a snapshot's host what dumps have is no question. */
static int read_code(void *arg, uint64_t address, const uint8_t **bytes, size_t *len)
{
	struct sampler *s = arg;

	if (s->trace->snapshot && s->vm == CSG_VM_HOST)
		return csg_machine_peek_kernel_files(s->machine, address, bytes, len);
	return csg_space_peek(csg_machine_kernel(s->machine), address, s->time, bytes, len, NULL);
}

/* What shows a place that is new is kept. */
static void compare(struct sampler *s, const struct csg_kernel_run *run)
{
	const uint32_t places = csg_code_sample_places(&s->bouts->all);

	csg_code_bouts_take(s->bouts, run->features, run->address, run->pattern, run->n, read_code,
			    s);
	if (s->sample && csg_code_sample_places(&s->bouts->all) != places)
		csg_kernel_sample_add(s->sample, run);
}

static void compare_atoms(struct sampler *s, const struct atoms *atoms)
{
	const struct csg_kernel_run run = {.address = atoms->address,
					   .time = s->time,
					   .pattern = atoms->pattern,
					   .features = s->features,
					   .n = atoms->n};

	compare(s, &run);
}

/* --- owners --- */

static void take_atoms(struct sampler *s, const struct atoms *atoms);

/*
 * What a trace unit that speculates has committed.  No such track event is one of its own: it
 * stands for atoms, and waits for what is before it to be committed.
 */
static void take_committed(struct sampler *s, const struct csg_track_event *event)
{
	const struct atoms atoms = {.index = event->index,
				    .address = event->address,
				    .pattern = (uint32_t)event->value,
				    .n = (uint32_t)(event->value >> 32)};

	if (event->number == s->mispredictions && is_wanted(s, &event->context, atoms.address))
		take_atoms(s, &atoms);
}

static void on_track(void *arg, const struct csg_track_event *event)
{
	struct sampler *s = arg;

	if (event->kind == CSG_TRACK_ATOM && s->packets.uncommitted.max_spec) {
		take_committed(s, event);
		return;
	}
	if (s->owners)
		csg_attribution_event(s->owners, event);
}

/* What is held up to index has run under the segment in force. */
static void take_held(struct sampler *s, uint64_t index)
{
	const bool owned = is_owned(s);
	size_t n = 0;

	for (; n < s->held_count && s->held[n].index < index; n++)
		if (owned)
			compare_atoms(s, &s->held[n]);
	s->held_count -= n;
	memmove(s->held, s->held + n, s->held_count * sizeof(*s->held));
}

/* Owners are settled, some or all. */
static void take_segments(struct sampler *s)
{
	struct csg_segment segment;
	int ret;

	while ((ret = csg_attribution_next(s->owners, &segment)) > 0) {
		take_held(s, segment.index);
		if (!segment.at_time)
			csg_code_bouts_end(s->bouts);
		s->segment = segment;
	}
	s->err = s->err ? s->err : ret;
	take_held(s, csg_attribution_settled(s->owners));
}

static void settle(struct sampler *s)
{
	csg_attribution_settle(s->owners);
	take_segments(s);
}

/* --- packets --- */

static void take_atoms(struct sampler *s, const struct atoms *atoms)
{
	if (!s->owners) {
		compare_atoms(s, atoms);
		return;
	}
	if (s->held_count == HELD)
		settle(s);
	s->held[s->held_count++] = *atoms;
}

static void see_atoms(struct sampler *s, const struct csg_packet *packet)
{
	const struct atoms atoms = {packet->index, s->address, packet->pattern, packet->atoms};
	const struct csg_track_event event = {.kind = CSG_TRACK_ATOM,
					      .index = atoms.index,
					      .address = atoms.address,
					      .value = (uint64_t)atoms.n << 32 | atoms.pattern,
					      .number = s->mispredictions};

	if (!s->packets.uncommitted.max_spec) {
		if (is_wanted(s, &s->packets.context, atoms.address))
			take_atoms(s, &atoms);
	} else if (!csg_uncommitted_event(&s->packets.uncommitted, &event)) {
		csg_reader_search(&s->reader);
	}
}

static void look(struct sampler *s, const struct csg_packet *packet, bool is_return)
{
	switch (packet->kind) {
	case CSG_PACKET_ADDRESS:
	case CSG_PACKET_ADDRESS_CONTEXT:
		/* The one that comes with an exception says where it returns to. */
		s->at_address = !is_return;
		s->address = packet->value;
		break;
	case CSG_PACKET_ATOMS:
		if (s->at_address)
			see_atoms(s, packet);
		s->at_address = false;
		break;
	case CSG_PACKET_CANCEL:
		s->mispredictions += packet->mispredicts;
		s->at_address = false;
		break;
	case CSG_PACKET_CONTEXT:
	case CSG_PACKET_TIMESTAMP:
	case CSG_PACKET_TS_MARKER:
	case CSG_PACKET_EVENT:
	case CSG_PACKET_IGNORE:
		break;
	default:
		s->at_address = false;
		break;
	}
}

static void on_packet(void *arg, const struct csg_packet *packet)
{
	struct sampler *s = arg;
	bool is_return = s->packets.exception_open;

	if (!csg_packets_feed(&s->packets, packet)) {
		csg_reader_search(&s->reader);
		s->at_address = false;
	} else if (s->packets.state == CSG_PACKETS_SYNCED) {
		look(s, packet, is_return);
	} else {
		s->at_address = false;
	}
}

/* --- trace --- */

static void feed(struct sampler *s, struct csg_demux *demux)
{
	struct csg_run run;

	while (csg_demux_next(demux, &run)) {
		if (run.reset) {
			csg_reader_restart(&s->reader);
			csg_packets_restart(&s->packets);
			s->at_address = false;
		} else {
			csg_reader_feed(&s->reader, &run);
		}
	}
}

static void begin_piece(struct sampler *s, const struct csg_chunk *chunk)
{
	const struct csg_attribution_piece piece = csg_chunk_piece(chunk, s->survey);

	csg_attribution_piece(s->owners, chunk->position, &piece);
}

/* Looks at left bytes of it at most. */
static void look_at_chunk(struct sampler *s, struct csg_window *window,
			  const struct csg_source *source, const struct csg_chunk *chunk,
			  uint64_t left)
{
	struct csg_demux demux;
	uint64_t offset = 0;

	csg_demux_begin(&demux, chunk->framing, source);
	demux.joins = true;
	csg_reader_restart(&s->reader);
	csg_packets_restart(&s->packets);
	s->at_address = false;
	s->time = chunk->time;
	if (s->owners)
		begin_piece(s, chunk);
	while (left && !s->err && !csg_code_bouts_enough(s->bouts)) {
		size_t n = left < LOOK_BLOCK ? left : LOOK_BLOCK;
		const uint8_t *bytes;

		if (csg_window_read(window, chunk, offset, &bytes, &n) || !n)
			break;
		csg_demux_input(&demux, chunk->position + offset, bytes, n);
		feed(s, &demux);
		if (s->owners)
			take_segments(s);
		offset += n;
		left -= n;
	}
	if (s->owners)
		settle(s);
	csg_code_bouts_end(s->bouts);
}

/* Of guests there may be hundreds, each on few CPUs: what is another's for certain is passed
 * over. */
static bool may_run(const struct sampler *s, const struct csg_source *source,
		    const struct csg_chunk *chunk)
{
	return s->vm <= 0 || csg_attribution_may_run(s->trace->registry->attribution, source->cpu,
						     chunk->begin_time, chunk->time, s->vm);
}

/* Its chunks get equal shares: another kernel may have run later. */
static void look_at_chunks(struct sampler *s, struct csg_window *window,
			   const struct csg_source *source, uint64_t left)
{
	size_t n, count = 0;
	const struct csg_chunk *chunks = csg_recording_queue(s->trace->rec, source->queue, &n);

	for (size_t i = 0; i < n; i++)
		count += csg_chunk_is_of(&chunks[i], source);
	for (size_t i = 0; i < n && left && !s->err && !csg_code_bouts_enough(s->bouts); i++) {
		uint64_t share;

		if (!csg_chunk_is_of(&chunks[i], source))
			continue;
		share = left / count-- + 1;
		share = chunks[i].bytes < share ? chunks[i].bytes : share;
		if (!may_run(s, source, &chunks[i]))
			continue;
		look_at_chunk(s, window, source, &chunks[i], share);
		left -= share < left ? share : left;
	}
}

static int open_source(struct sampler *s, const struct csg_source *source)
{
	const struct csg_trace_unit unit = csg_source_unit(source);
	int err;

	csg_reader_init(&s->reader, source, on_packet, s);
	csg_reader_tell_atoms(&s->reader, true);
	s->features = csg_insn_features(source, UINT32_MAX);
	s->segment = (struct csg_segment){.owner = CSG_OWNER_UNKNOWN};
	s->held_count = 0;
	err = csg_packets_init(&s->packets, source, on_track, s);
	if (err || (s->vm == CSG_VM_HOST && csg_sampled_trace_level_says(s->trace)))
		return err;
	s->held = malloc(HELD * sizeof(*s->held));
	if (!s->held)
		return -CSG_E_NO_MEMORY;
	return csg_attribution_stream_create(&s->owners, s->trace->registry->attribution, &unit);
}

static int look_at_source(struct sampler *s, const struct csg_source *source, uint64_t left)
{
	struct csg_window *window;
	int err = csg_window_create(&window, s->trace->rec);

	if (err)
		return err;
	err = open_source(s, source);
	if (!err)
		look_at_chunks(s, window, source, left);
	csg_attribution_stream_destroy(s->owners);
	free(s->held);
	s->owners = NULL;
	s->held = NULL;
	csg_packets_fini(&s->packets);
	csg_window_destroy(window);
	return err ? err : s->err;
}

int csg_kernel_sampler_take(const struct csg_sampled_trace *trace, struct csg_machine *machine,
			    int32_t vm, struct csg_code_bouts *bouts,
			    struct csg_kernel_sample *sample)
{
	struct sampler s = {
		.trace = trace, .machine = machine, .vm = vm, .bouts = bouts, .sample = sample};
	size_t n;
	const struct csg_source *sources = csg_recording_sources(trace->rec, &n);
	int err = 0;

	for (size_t i = 0; !err && i < n && !csg_code_bouts_enough(bouts); i++)
		if (sources[i].protocol != CSG_PROTOCOL_OTHER) {
			s.survey = trace->surveys ? &trace->surveys[i] : NULL;
			err = look_at_source(&s, &sources[i], LOOK_BYTES / n);
		}
	return err;
}

void csg_kernel_sampler_take_known(const struct csg_sampled_trace *trace,
				   struct csg_machine *machine,
				   const struct csg_kernel_sample *known,
				   struct csg_code_bouts *bouts)
{
	struct sampler s = {.trace = trace, .machine = machine, .vm = known->vm, .bouts = bouts};

	for (uint32_t i = 0; i < known->count; i++) {
		s.time = known->runs[i].time;
		compare(&s, &known->runs[i]);
	}
	csg_code_bouts_end(bouts);
}
