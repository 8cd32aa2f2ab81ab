/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/kernel_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "flow/core/insn.h"
#include "image/image.h"
#include "image/kernel/kernel_proof.h"
#include "image/machine.h"
#include "image/space.h"
#include "scan/demux.h"
#include "scan/packets.h"
#include "util/array.h"
#include "guest/answers.h"
#include "session/open/code_bouts.h"
#include "session/run/surveyed_time_slices.h"
#include "world/policy.h"

#define LOOK_BYTES (8u << 20) /* of all streams together */
#define LOOK_BLOCK (64u << 10)
#define TEXT_MAX 256

/* Atoms that ran from address on, of which it is not settled yet whose they are. */
struct atoms {
	uint64_t index, address;
	uint32_t pattern, n;
};

#define HELD 4096 /* of them; more are not waited for */

/* One machine's sample, taken from one source after the other. */
struct sampler {
	const struct csg_kernel_check *check;
	struct csg_machine *machine;
	int32_t vm;
	struct csg_code_bouts bouts;
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

/* Memory is everybody's, and nothing says that some of those who run share a level with it. */
static bool is_everybodys(const struct csg_kernel_check *check)
{
	return check->snapshot &&
	       (check->kind == CSG_HV_UNKNOWN || csg_policy_has(check->kind, CSG_TRAIT_DOMAINS));
}

/* The exception level alone says that it is the host's kernel. */
bool csg_check_kernel_level_says(const struct csg_kernel_check *check)
{
	return csg_policy_has(check->kind, CSG_TRAIT_HOST_AT_EL2 | CSG_TRAIT_NO_GUEST) ||
	       is_everybodys(check) ||
	       (csg_policy_traits[check->kind] == CSG_TRAIT_SHARED_EL1 && !check->guests);
}

static bool is_host_level(const struct sampler *s, const struct csg_context *context)
{
	enum csg_hypervisor kind = s->check->kind;
	bool el2 = csg_policy_has(kind, CSG_TRAIT_HOST_AT_EL2 | CSG_TRAIT_DOMAINS);

	return kind == CSG_HV_UNKNOWN || context->el == (el2 ? CSG_EL2 : CSG_EL1);
}

/* Guests of a guest have kernels of their own; where no levels are stated, all may be of one. */
static bool is_its_level(const struct sampler *s, const struct csg_owner *o)
{
	return o->level == CSG_LEVEL_GUEST ||
	       !csg_attribution_states_levels(s->check->registry->attribution);
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
	if (!(address >> 55 & 1) && !is_everybodys(s->check))
		return false;
	return s->owners || is_host_level(s, context);
}

/* Of a snapshot's host what dumps have is no question. */
static int read_code(void *arg, uint64_t address, const uint8_t **bytes, size_t *len)
{
	struct sampler *s = arg;

	if (s->check->snapshot && s->vm == CSG_VM_HOST)
		return csg_machine_peek_kernel_files(s->machine, address, bytes, len);
	return csg_space_peek(csg_machine_kernel(s->machine), address, s->time, bytes, len, NULL);
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
			csg_code_bouts_take(&s->bouts, s->features, s->held[n].address,
					    s->held[n].pattern, s->held[n].n, read_code, s);
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
			csg_code_bouts_end(&s->bouts);
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
		csg_code_bouts_take(&s->bouts, s->features, atoms->address, atoms->pattern,
				    atoms->n, read_code, s);
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
	struct csg_attribution_piece piece = {.size = sizeof(piece),
					      .begin_time = chunk->begin_time,
					      .end_time = chunk->time,
					      .pid = chunk->pid,
					      .tid = chunk->tid};

	if (s->survey)
		csg_surveyed_time_slices(s->survey, chunk, &piece);
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
	while (left && !s->err && !csg_code_bouts_enough(&s->bouts)) {
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
	csg_code_bouts_end(&s->bouts);
}

/* Of guests there may be hundreds, each on few CPUs: what is another's for certain is passed
 * over. */
static bool may_run(const struct sampler *s, const struct csg_source *source,
		    const struct csg_chunk *chunk)
{
	return s->vm <= 0 || csg_attribution_may_run(s->check->registry->attribution, source->cpu,
						     chunk->begin_time, chunk->time, s->vm);
}

/* Its chunks get equal shares: another kernel may have run later. */
static void look_at_chunks(struct sampler *s, struct csg_window *window,
			   const struct csg_source *source, uint64_t left)
{
	size_t n, count = 0;
	const struct csg_chunk *chunks = csg_recording_queue(s->check->rec, source->queue, &n);

	for (size_t i = 0; i < n; i++)
		count += csg_chunk_is_of(&chunks[i], source);
	for (size_t i = 0; i < n && left && !s->err && !csg_code_bouts_enough(&s->bouts); i++) {
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
	if (err || (s->vm == CSG_VM_HOST && csg_check_kernel_level_says(s->check)))
		return err;
	s->held = malloc(HELD * sizeof(*s->held));
	if (!s->held)
		return -CSG_E_NO_MEMORY;
	return csg_attribution_stream_create(&s->owners, s->check->registry->attribution, &unit);
}

static int look_at_source(struct sampler *s, const struct csg_source *source, uint64_t left)
{
	struct csg_window *window;
	int err = csg_window_create(&window, s->check->rec);

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

static int take_sample(struct sampler *s)
{
	size_t n;
	const struct csg_source *sources = csg_recording_sources(s->check->rec, &n);
	int err = 0;

	for (size_t i = 0; !err && i < n && !csg_code_bouts_enough(&s->bouts); i++)
		if (sources[i].protocol != CSG_PROTOCOL_OTHER) {
			s->survey = s->check->surveys ? &s->check->surveys[i] : NULL;
			err = look_at_source(s, &sources[i], LOOK_BYTES / n);
		}
	return err;
}

/* --- what comes of it --- */

/* Why nothing is said of the file. */
static const char *why_not(const struct sampler *s, enum csg_code_verdict verdict)
{
	if (verdict == CSG_CODE_NOTHING && s->check->kind == CSG_HV_UNKNOWN &&
	    !is_everybodys(s->check))
		return "the kind of hypervisor is not known";
	return csg_code_verdict_why_not(verdict);
}

static int note(const struct sampler *s, enum csg_code_verdict verdict, const char *path)
{
	struct csg_checked_kernels *files = s->check->files;
	struct csg_kernel_file *file;

	if (!files)
		return 0;
	file = csg_array_add(&files->list, &files->count, &files->capacity, sizeof(*file));
	if (!file)
		return -CSG_E_NO_MEMORY;
	*file = (struct csg_kernel_file){
		.size = sizeof(*file),
		.vm = s->vm == CSG_ONLY_GUEST ? CSG_VM_UNKNOWN : s->vm,
		.state = (uint8_t)csg_code_verdict_state(verdict),
		.path = path,
		.why = why_not(s, verdict),
		.branches = csg_code_sample_places(&s->bouts.all),
		.contradicted = s->bouts.all.contradicted,
	};
	return 0;
}

void csg_checked_kernels_fini(struct csg_checked_kernels *files)
{
	free(files->list);
}

static void refuse(const struct sampler *s, struct csg_machine *machine)
{
	const struct csg_code_sample *sample = &s->bouts.all;
	char text[TEXT_MAX];

	snprintf(text, sizeof(text),
		 "not the kernel that ran, or not where it ran: the trace contradicts "
		 "%" PRIu32 " of %" PRIu32 " branches of it, the first at 0x%" PRIx64,
		 sample->contradicted, csg_code_sample_places(sample), sample->first);
	csg_machine_refuse_kernel_code(machine, text, s->check->snapshot);
}

int csg_check_kernel(const struct csg_kernel_check *check, int32_t vm)
{
	struct csg_machine *machine;
	const char *path;
	int err = csg_image_machine(check->registry->image, vm, &machine);

	/* Of the recording itself, or of nothing, there is nothing to check. */
	if (!err)
		err = csg_machine_named_kernel_code(machine, &path);
	while (!err && path) {
		struct sampler s = {.check = check,
				    .vm = vm,
				    .machine = machine,
				    .bouts = {.mixes = vm != CSG_VM_HOST}};
		enum csg_code_verdict verdict;

		err = take_sample(&s);
		if (err)
			return err;
		verdict = csg_code_bouts_verdict(&s.bouts);
		err = note(&s, verdict, path);
		if (verdict != CSG_CODE_REFUTED)
			return err;
		refuse(&s, machine);
		err = csg_machine_named_kernel_code(machine, &path);
	}
	return err;
}
